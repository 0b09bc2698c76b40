//! Nothing that is asked of it makes a pixel that is not a number.

use crate::stage::Stage;
use bevy::prelude::*;
use bevy_ocean::ocean::sea_state::CASCADE_PARAMETERS;
use bevy_ocean::ocean::{Amplitude, Cascade};
use bevy_ocean::{ParameterKind, ParameterValue, Preset, SURFACE_PARAMETERS, WaterSurface, WaterTime, WorldWind};

struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.unit() * end as f32) as usize).min(end - 1)
    }

    /// A number anywhere in a range, at its ends, and now and then none at all.
    fn number(&mut self, min: f32, max: f32) -> f32 {
        match self.below(8) {
            0 => min,
            1 => max,
            2 => [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30][self.below(4)],
            3 => min + (max - min) * self.unit() * 1e-3,
            _ => min + (max - min) * self.unit(),
        }
    }
}

fn shake(water: &mut WaterSurface, random: &mut Random) {
    for _ in 0..4 {
        let parameter = &SURFACE_PARAMETERS[random.below(SURFACE_PARAMETERS.len())];
        let value = match parameter.kind {
            ParameterKind::Number { min, max } => ParameterValue::Number(random.number(min, max)),
            // The chosen meshes stay small: this is about numbers, on a GPU that is a program.
            ParameterKind::Integer { min, .. } => ParameterValue::Integer(min + random.below(64) as u32),
            ParameterKind::Size(_) => ParameterValue::Integer([128, 256][random.below(2)]),
            ParameterKind::Flag => ParameterValue::Flag(random.below(2) == 0),
            ParameterKind::Choice(names) => ParameterValue::Choice(names[random.below(names.len())]),
            ParameterKind::Rgb { max } => ParameterValue::Rgb(std::array::from_fn(|_| random.number(0.0, max))),
        };
        (parameter.set)(water, value);
    }
    let index = random.below(8);
    if index == 7 {
        water.sea.cascades.resize(1 + random.below(4), Cascade::DEFAULT);
    }
    water.sea.sea_depth = random.number(0.1, 1e4);
    water.sea.amplitude = if random.below(2) == 0 { Amplitude::Physical } else { Amplitude::Artistic };
    let cascades = water.sea.cascades.len();
    if let Some(cascade) = water.sea.cascades.get_mut(index % cascades.max(1)) {
        for _ in 0..3 {
            let parameter = &CASCADE_PARAMETERS[random.below(CASCADE_PARAMETERS.len())];
            (parameter.set)(cascade, random.number(parameter.min, parameter.max));
        }
    }
}

/// What is not the surface's: the wind over it, and its time.
fn shake_the_world(world: &mut World, random: &mut Random) {
    match random.below(6) {
        0 => {
            let (speed, heading, gusts) = (random.number(0.0, 60.0), random.number(-720.0, 720.0), random.number(0.0, 3.0));
            world.insert_resource(WorldWind { speed, heading, gusts });
        }
        1 => {
            world.remove_resource::<WorldWind>();
        }
        2 => {
            let mut time = world.resource_mut::<WaterTime>();
            time.paused = !time.paused;
            time.step(random.number(0.0, 100.0).into());
        }
        3 => world.resource_mut::<WaterTime>().speed = random.number(0.0, 50.0).into(),
        _ => {}
    }
}

#[test]
#[ignore = "needs a GPU: a software one takes minutes"]
fn no_change_makes_a_pixel_that_is_no_number() {
    let mut stage = Stage::new(UVec2::new(64, 64), Vec3::new(0.0, 4.0, 0.0), Vec3::new(1.0, -0.35, 0.2));
    let surface = stage.add(Preset::Ocean, |_| {});
    stage.settle();
    let mut random = Random(7);
    for round in 0..40 {
        let before = {
            let mut water = stage.app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface");
            shake(&mut water, &mut random);
            water.clone()
        };
        let world = stage.app.world_mut();
        shake_the_world(world, &mut random);
        let around = (world.get_resource::<WorldWind>().copied(), *world.resource::<WaterTime>());
        // Three frames, and the picture of the next.
        let picture = stage.picture();
        let bad = picture.iter().filter(|pixel| !pixel.is_finite()).count();
        assert_eq!(bad, 0, "round {round}: {bad} pixels after {before:?} in {around:?}");
    }
}
