//! Hundreds of seas from the edges of what a float can be, on the GPU: everything in the maps is finite, and foam is a share.

use ocean::gpu::{Engine, Ocean, Precision, Resolution};
use ocean::noise::pcg3d;
use ocean::sea_state::CASCADE_PARAMETERS;
use ocean::{Amplitude, Cascade, SeaState};

use crate::device::{engine, ocean, read_layer, update};

/// Random numbers by hash: the same cases on every machine.
struct Random {
    state: [u32; 3],
}

impl Random {
    fn next(&mut self) -> u32 {
        self.state[0] += 1;
        pcg3d(self.state)[0]
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }

    fn pick(&mut self, values: &[f32]) -> f32 {
        values[self.below(values.len())]
    }

    /// Any float, its own edges or those that are given more often than not.
    fn edgy(&mut self, edges: &[f32]) -> f32 {
        const ANYWHERE: &[f32] =
            &[0.0, -0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::EPSILON];
        match self.below(8) {
            0 => self.pick(ANYWHERE),
            1 => f32::from_bits(self.next()),
            2 => 100.0 * self.next() as f32 / u32::MAX as f32,
            _ => self.pick(edges),
        }
    }

    fn cascade(&mut self) -> Cascade {
        let mut cascade = Cascade::DEFAULT;
        for parameter in CASCADE_PARAMETERS {
            (parameter.set)(&mut cascade, self.edgy(&[parameter.min, parameter.max, parameter.default]));
        }
        cascade.wind_speed = self.edgy(&[0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 12.0, 60.0]);
        cascade.fetch_length = self.edgy(&[0.0, 1e-6, 1e-3, 150.0, 1e4]);
        cascade.swell = self.edgy(&[0.0, 0.8, 2.0]);
        cascade.tile_length = [(); 2].map(|()| self.edgy(&[0.01, 1.0, 2.0, 88.0, 1000.0, 1e4, 1e7]));
        cascade
    }

    fn sea(&mut self, cascades: usize) -> SeaState {
        SeaState {
            sea_depth: self.edgy(&[0.1, 1.0, 20.0, 1e4]),
            seed: self.next(),
            amplitude: if self.below(2) == 0 { Amplitude::Artistic } else { Amplitude::Physical },
            cascades: (0..cascades).map(|_| self.cascade()).collect(),
        }
    }
}

fn assert_sound(engine: &Engine, ocean: &Ocean) {
    for (layer, cascade) in ocean.sea().cascades.iter().enumerate() {
        for (map, name) in [(ocean.displacement_map(), "displacement"), (ocean.surface_map(), "surface")] {
            for level in [0, map.mip_level_count() - 1] {
                let texels = read_layer(engine, map, layer as u32, level);
                let odd = texels.iter().position(|texel| !texel.iter().all(|value| value.is_finite()));
                assert!(
                    odd.is_none(),
                    "{name} level {level}: {:?}, of {:?}, {cascade:?}",
                    odd.map(|at| texels[at]),
                    ocean.sea()
                );
                if name == "surface" {
                    let foam = texels.iter().map(|texel| texel[3]).find(|foam| !(0.0..=1.0).contains(foam));
                    assert!(foam.is_none(), "level {level}: foam {foam:?}, of {cascade:?}");
                }
            }
        }
    }
}

/// 320 cascades eight at a time, and some seas of fewer; each for a step of the clock, a step of none, and an endless one.
#[test]
fn every_sea_has_finite_maps() {
    let (_guard, engine) = engine();
    let mut random = Random { state: [0, 0x5EA, 0xF0A4] };
    let mut ocean = ocean(engine, &SeaState::default(), Resolution::R128, Precision::Mixed);
    for round in 0..44 {
        let cascades = if round < 40 { 8 } else { 1 + random.below(7) };
        let sea = random.sea(cascades);
        ocean.set_sea(&sea).expect("it fits");
        assert_eq!(ocean.pending_rebuilds(), cascades);
        let dt = [0.02, 0.0, 600.0][round % 3];
        update(engine, &mut ocean, dt);
        assert_sound(engine, &ocean);
    }
}

/// The cases of the list, one by one: nothing here may hide behind an average.
#[test]
fn the_listed_edges_have_finite_maps() {
    let (_guard, engine) = engine();
    let edges: [fn(&mut SeaState); 12] = [
        |sea| sea.cascades[0].wind_speed = 0.0,
        |sea| sea.cascades[0].wind_speed = 0.05,
        |sea| sea.cascades[0].wind_speed = 0.5,
        |sea| sea.cascades[0].fetch_length = 0.0,
        |sea| sea.cascades[0].fetch_length = 1e7,
        |sea| sea.sea_depth = 0.1,
        |sea| sea.sea_depth = 1e4,
        |sea| sea.cascades[0].swell = 0.0,
        |sea| sea.cascades[0].swell = 2.0,
        |sea| sea.cascades[0].tile_length = [1.0, 1.0],
        |sea| sea.cascades[0].tile_length = [1e4, 1e4],
        |sea| (sea.cascades[0].wind_speed, sea.cascades[0].fetch_length, sea.sea_depth) = (0.0, 0.0, 0.1),
    ];
    let calm = SeaState { cascades: vec![Cascade::DEFAULT], ..SeaState::default() };
    let mut ocean = ocean(engine, &calm, Resolution::R128, Precision::Mixed);
    for edge in edges {
        let mut sea = calm.clone();
        edge(&mut sea);
        ocean.set_sea(&sea).expect("it fits");
        update(engine, &mut ocean, 0.02);
        assert_sound(engine, &ocean);
    }
}
