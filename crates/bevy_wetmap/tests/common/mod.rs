//! A second implementation of the model, written differently on purpose, to compare the crate with.
//!
//! Where the crate gathers (each texel asks its neighbours), this scatters (each parcel and each edge is visited once and moves
//! something), in whatever order it is told to; where the crate has rows and tables, this has a map of coordinates and the formulas
//! as the notes page writes them.
#![allow(dead_code, reason = "each test file uses a part of it")]

use bevy_wetmap::model::Texel;
use bevy_wetmap::{StainShape, WetSettings, bloodstain};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// One texel of the reference: amount and age, unbounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub amount: i64,
    pub age: i64,
}

/// The reference canvas.
#[derive(Clone, Debug)]
pub struct Naive {
    pub size: i64,
    pub cells: BTreeMap<(i64, i64), Cell>,
    /// The order in which texels are visited, by (x, y).
    pub order: Vec<(i64, i64)>,
}

fn rate(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }
}

/// Half away from zero.
fn round(x: f32) -> i64 {
    let x = f64::from(x);
    (x.abs() + 0.5).floor() as i64 * if x < 0.0 { -1 } else { 1 }
}

impl Naive {
    pub fn new(size: u32, texels: &[Texel]) -> Self {
        let size = i64::from(size);
        let order: Vec<_> = (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).collect();
        let cells = order
            .iter()
            .zip(texels)
            .map(|(at, texel)| {
                (*at, if texel.0 == 0 { Cell::default() } else { Cell { amount: texel.0.into(), age: texel.1.into() } })
            })
            .collect();
        Self { size, cells, order }
    }

    pub fn texels(&self) -> Vec<Texel> {
        let mut rows: Vec<_> =
            self.cells.iter().map(|((x, y), cell)| ((*y, *x), (cell.amount as u8, cell.age as u16))).collect();
        rows.sort_by_key(|row| row.0);
        rows.into_iter().map(|row| row.1).collect()
    }

    pub fn sum(&self) -> i64 {
        self.cells.values().map(|cell| cell.amount).sum()
    }

    pub fn span(settings: &WetSettings) -> i64 {
        i64::from(settings.dry_ticks).clamp(1, 65535)
    }

    pub fn threshold(settings: &WetSettings) -> i64 {
        round(255.0 * rate(settings.drip_rate)).clamp(1, 255)
    }

    pub fn step(gravity: [f32; 2]) -> Option<(i64, i64)> {
        let [x, y] = gravity;
        if !(x.is_finite() && y.is_finite()) || x == 0.0 && y == 0.0 {
            None
        } else if x.abs() >= y.abs() {
            Some((x.signum() as i64, 0))
        } else {
            Some((0, y.signum() as i64))
        }
    }

    /// Every parcel of a drip: from where, to where, how much, how old.
    pub fn parcels(&self, gravity: [f32; 2], settings: &WetSettings) -> Vec<((i64, i64), (i64, i64), i64, i64)> {
        let Some(step) = Self::step(gravity) else { return Vec::new() };
        let threshold = Self::threshold(settings);
        let wet = |cell: &Cell| cell.age < Self::span(settings);
        self.order
            .iter()
            .map(|at| (at, self.cells[at]))
            .filter(|(_, cell)| wet(cell) && cell.amount > threshold)
            .map(|(at, cell)| (*at, (at.0 + step.0, at.1 + step.1), cell.amount - threshold, cell.age))
            .collect()
    }

    pub fn drip(&mut self, gravity: [f32; 2], settings: &WetSettings) {
        let parcels = self.parcels(gravity, settings);
        for (from, _, amount, _) in &parcels {
            self.cells.get_mut(from).unwrap().amount -= amount;
        }
        let residues = self.cells.clone();
        for (_, to, amount, age) in &parcels {
            if let Some(cell) = self.cells.get_mut(to) {
                let residue = residues[to].amount;
                cell.amount = (cell.amount + amount).min(255);
                cell.age = if residue == 0 { *age } else { cell.age.min(*age) };
            }
        }
        for cell in self.cells.values_mut().filter(|cell| cell.amount == 0) {
            cell.age = 0;
        }
    }

    /// What each texel would hold after spreading, uncut, with the youngest age it took in.
    pub fn spread_uncut(&self, settings: &WetSettings) -> BTreeMap<(i64, i64), Cell> {
        let mut after = self.cells.clone();
        let k = rate(settings.spread_rate) / 4.0;
        for &(x, y) in &self.order {
            // Each edge once: to the right and down.
            for (nx, ny) in [(x + 1, y), (x, y + 1)] {
                let (here, Some(there)) = (self.cells[&(x, y)], self.cells.get(&(nx, ny)).copied()) else { continue };
                if here.age >= Self::span(settings) || there.age >= Self::span(settings) {
                    continue;
                }
                let flux = round(k * (here.amount as f32 - there.amount as f32));
                let (giver, taker, age) = match flux {
                    0 => continue,
                    1.. => ((x, y), (nx, ny), here.age),
                    _ => ((nx, ny), (x, y), there.age),
                };
                after.get_mut(&giver).unwrap().amount -= flux.abs();
                let taker = after.get_mut(&taker).unwrap();
                taker.amount += flux.abs();
                taker.age = taker.age.min(age);
            }
        }
        after
    }

    pub fn spread(&mut self, settings: &WetSettings) {
        let mut after = self.spread_uncut(settings);
        for (at, cell) in &mut after {
            cell.amount = cell.amount.clamp(0, 255);
            if cell.amount == 0 && self.cells[at].age < Self::span(settings) {
                cell.age = 0;
            }
        }
        self.cells = after;
    }

    pub fn time(&mut self, settings: &WetSettings) {
        let span = Self::span(settings);
        let soak = round(255.0 * rate(settings.absorbency));
        let absorbed = |age: i64| age.min(span) * soak / span;
        for cell in self.cells.values_mut() {
            let older = (cell.age + 1).min(span);
            if cell.amount > 0 && cell.age < span {
                cell.amount -= (absorbed(older) - absorbed(cell.age)).min(cell.amount);
            }
            cell.age = if cell.amount == 0 { 0 } else { older };
        }
    }

    pub fn tick(&mut self, gravity: [f32; 2], settings: &WetSettings) {
        self.drip(gravity, settings);
        self.spread(settings);
        self.time(settings);
    }

    pub fn paint(&mut self, uv: [f32; 2], shape: &StainShape) {
        if !uv.iter().all(|x| x.is_finite()) {
            return;
        }
        let size = self.size;
        let major = if shape.major.is_finite() { shape.major.max(0.0) } else { 0.0 };
        let px = round((major * size as f32).min(1e9)).max(1).min(size);
        let mut mask = vec![0; (px * px) as usize];
        assert!(bloodstain::stain::rasterise(shape, px as u32, &mut mask));
        let centre = uv.map(|x| ((x.clamp(0.0, 1.0) * size as f32).floor() as i64).min(size - 1));
        for (i, cover) in (0i64..).zip(mask).filter(|(_, cover)| *cover > 0) {
            let at = (centre[0] + i % px - px / 2, centre[1] + i / px - px / 2);
            if let Some(cell) = self.cells.get_mut(&at) {
                *cell = Cell { amount: (cell.amount + i64::from(cover)).min(255), age: 0 };
            }
        }
    }
}

/// A dial: mostly sensible, sometimes an edge, sometimes nonsense.
pub fn dial() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => 0.0f32..1.0,
        2 => prop::sample::select(vec![0.0, 1.0, 0.35, 0.08, 1e-6, 0.999]),
        1 => prop::sample::select(vec![-1.0, 2.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e30]),
    ]
}

pub fn settings() -> impl Strategy<Value = WetSettings> {
    let dry_ticks =
        prop_oneof![4 => 1u32..60, 1 => Just(1800), 1 => prop::sample::select(vec![0, 1, 2, 65535, 65536, u32::MAX])];
    (dial(), dial(), dry_ticks, dial(), dial()).prop_map(|(drip_rate, spread_rate, dry_ticks, absorbency, humidity)| {
        WetSettings { drip_rate, spread_rate, dry_ticks, absorbency, humidity, ..Default::default() }
    })
}

pub fn gravity() -> impl Strategy<Value = [f32; 2]> {
    let component = || {
        prop_oneof![
            4 => -1.0f32..1.0,
            2 => prop::sample::select(vec![0.0, 1.0, -1.0, -0.0, 1e-30]),
            1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX]),
        ]
    };
    [component(), component()]
}

/// A canvas in any state: its size and its texels. Ages cluster around a few values so that wet, just dry and long dry all occur.
pub fn state(largest: u32) -> impl Strategy<Value = (u32, Vec<Texel>)> {
    let amount = prop_oneof![3 => Just(0u8), 3 => any::<u8>(), 1 => prop::sample::select(vec![1, 88, 89, 90, 254, 255])];
    let age = prop_oneof![3 => 0u16..60, 1 => any::<u16>(), 1 => prop::sample::select(vec![0, 1, 1799, 1800, 65534, 65535])];
    (1..=largest).prop_flat_map(move |size| {
        let texel = (amount.clone(), age.clone()).prop_map(|(amount, age)| if amount == 0 { (0, 0) } else { (amount, age) });
        (Just(size), prop::collection::vec(texel, (size * size) as usize))
    })
}

pub fn shape() -> impl Strategy<Value = StainShape> {
    let length = || prop_oneof![6 => 0.0f32..0.6, 1 => prop::sample::select(vec![0.0, -1.0, 3.0, f32::NAN, f32::INFINITY])];
    (length(), length(), 0u8..30, 0u8..12, [-1.0f32..1.0, -1.0f32..1.0], any::<u32>()).prop_map(
        |(major, minor, spines, satellites, direction, seed)| StainShape { major, minor, spines, satellites, direction, seed },
    )
}

pub fn uv() -> impl Strategy<Value = [f32; 2]> {
    let component =
        || prop_oneof![8 => -0.1f32..1.1, 1 => prop::sample::select(vec![0.0, 1.0, f32::NAN, f32::INFINITY, -3.0, 1e30])];
    [component(), component()]
}
