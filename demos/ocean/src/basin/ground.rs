//! The ground of the three sites as a height for every point, and its mesh.
//!
//! The mesh is a square grid that is fine where the water is and grows by an eighth a row outside of it, out to where the air has
//! taken all colour.

use super::Site;
use crate::Machine;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use std::f32::consts::FRAC_PI_4;

/// Half of the square with even rows, m: a little more than half of the water's.
const EVEN_REACH: f32 = 106.0;

/// From there on rows grow by this factor.
const GROWTH: f32 = 1.125;

/// Where the ground ends, m from the middle.
const REACH: f32 = 2_600.0;

/// How far apart normals and slopes are measured, m.
const NORMAL_STEP: f32 = 0.4;

/// A reproducible number in [0, 1) for a lattice point: the finaliser of MurmurHash3.
pub(crate) fn hash(x: i32, z: i32, seed: u32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x85eb_ca6b) ^ (z as u32).wrapping_mul(0xc2b2_ae35) ^ seed.wrapping_mul(0x27d4_eb2f);
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    ((h ^ (h >> 16)) >> 8) as f32 / (1u32 << 24) as f32
}

/// Value noise of one octave, 0 to 1.
fn noise(at: Vec2, seed: u32) -> f32 {
    let cell = at.floor();
    let inside = at - cell;
    let eased = inside * inside * (3.0 - 2.0 * inside);
    let (x, z) = (cell.x as i32, cell.y as i32);
    let row = |z| hash(x, z, seed).lerp(hash(x + 1, z, seed), eased.x);
    row(z).lerp(row(z + 1), eased.y)
}

/// Three octaves, 0 to 1, the largest `size` metres.
pub(super) fn hills(at: Vec2, size: f32, seed: u32) -> f32 {
    let at = at / size;
    (noise(at, seed) * 4.0 + noise(at * 2.1 + 7.3, seed + 1) * 2.0 + noise(at * 4.3 + 3.1, seed + 2)) / 7.0
}

/// 0 below `from`, 1 above `to`, smooth in between.
pub(super) fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// How far a point is outside of the site's water, m; negative inside. Roughly: the slopes are not all 1.
pub(super) fn shore_distance(site: Site, at: Vec2) -> f32 {
    match site {
        Site::Lake => {
            let angle = at.y.atan2(at.x);
            let rim = 70.0 + 9.0 * (2.0 * angle + 0.6).sin() + 6.0 * (3.0 * angle + 2.0).sin() + 2.5 * (7.0 * angle).sin();
            at.length() - rim + 3.0 * (hills(at, 14.0, 11) - 0.5)
        }
        Site::River => {
            // It closes before the water's square ends, out of sight behind a bend at either end.
            let ends = smooth(82.0, 97.0, at.x.abs());
            let half_width = (12.5 + 2.5 * (at.x / 23.0 + 1.0).sin()) * (1.0 - ends) - 8.0 * ends;
            // Across a river that runs askew, the way to its bank is shorter than along z. Far away that would make cliffs.
            let along_z = (at.y - river_middle(at.x)).abs();
            let askew = 1.0 / (1.0 + river_slope(at.x).powi(2)).sqrt();
            along_z * askew.lerp(1.0, smooth(12.0, 60.0, along_z)) - half_width + 1.6 * (hills(at, 9.0, 21) - 0.5)
        }
        Site::Swamp => at.length() - 78.0 + 16.0 * (hills(at, 30.0, 31) - 0.5),
    }
}

/// The z of the river's middle.
pub(super) fn river_middle(x: f32) -> f32 {
    8.0 * (x / 30.0).sin() + 56.0 * smooth(20.0, 112.0, x) - 30.0 * smooth(-45.0, -105.0, x)
}

fn river_slope(x: f32) -> f32 {
    (river_middle(x + 0.5) - river_middle(x - 0.5)).clamp(-2.0, 2.0)
}

pub(super) fn height(site: Site, at: Vec2) -> f32 {
    let d = shore_distance(site, at);
    match site {
        Site::Lake => {
            let bed = -6.5 * (1.0 - (d.min(0.0) / 26.0).exp());
            let stones = 0.35 * (hills(at, 3.0, 12) - 0.5) * smooth(-14.0, 0.0, d);
            let bank = 0.10 * d.clamp(0.0, 9.0) + 1.1 * smooth(5.0, 16.0, d);
            // The hills leave a gap to the east, where the sun is in the evening.
            let gap = 0.5 - 0.5 * (at.y.atan2(at.x) + 0.35).cos();
            let far = smooth(20.0, 420.0, d);
            bed + stones + bank + far * (14.0 + 170.0 * hills(at, 280.0, 13) * (0.12 + 0.88 * gap))
        }
        Site::River => {
            let bed = -2.6 * (1.0 - (d.min(0.0) / 5.5).exp());
            let stones = (0.7 * (hills(at, 4.0, 22) - 0.5) + 0.2 * (hills(at, 1.4, 26) - 0.5)) * smooth(2.0, -2.0, d);
            // A bank that the river cuts on one side, a gravel bar on the other.
            let cut = smooth(0.3, 0.7, hills(at, 40.0, 23));
            let bank = (0.16 * d.clamp(0.0, 8.0)).lerp(1.5 * smooth(0.0, 2.6, d), cut);
            let far = smooth(16.0, 340.0, d);
            bed + stones + bank + 0.5 * hills(at, 16.0, 24) * smooth(1.0, 8.0, d) + far * (8.0 + 80.0 * hills(at, 210.0, 25))
        }
        Site::Swamp => {
            let pools = -1.0 + 1.85 * smooth(0.25, 0.82, hills(at, 12.0, 32)) - 0.5 * smooth(30.0, 0.0, at.length());
            let ground = 0.35 + 0.5 * hills(at, 20.0, 33) + 5.0 * smooth(60.0, 600.0, d);
            pools.lerp(ground, smooth(-10.0, 8.0, d)) + 0.12 * (hills(at, 2.2, 34) - 0.5)
        }
    }
}

/// Colour of the ground, linear: what lies there by height above the water, steepness (1 is 45°) and chance.
fn colour(site: Site, at: Vec2, height: f32, steepness: f32) -> Vec3 {
    let patches = hills(at, 7.0, 41);
    let grains = hash((at.x * 3.0) as i32, (at.y * 3.0) as i32, 42);
    let (bed, shore, grass, rock) = match site {
        Site::Lake => {
            (Vec3::new(0.21, 0.175, 0.115), Vec3::new(0.20, 0.17, 0.12), Vec3::new(0.030, 0.052, 0.013), Vec3::splat(0.11))
        }
        Site::River => {
            (Vec3::new(0.17, 0.15, 0.115), Vec3::new(0.16, 0.148, 0.125), Vec3::new(0.034, 0.060, 0.015), Vec3::splat(0.12))
        }
        Site::Swamp => (
            Vec3::new(0.065, 0.048, 0.026),
            Vec3::new(0.045, 0.037, 0.021),
            Vec3::new(0.022, 0.033, 0.011),
            Vec3::new(0.06, 0.053, 0.04),
        ),
    };
    let lines = match site {
        Site::Lake => (0.35, 1.5),
        Site::River => (0.5, 1.1),
        Site::Swamp => (0.10, 0.45),
    };
    let dry = bed.lerp(shore, smooth(-0.8, 0.1, height));
    let covered = dry.lerp(grass * (0.7 + 0.6 * patches), smooth(lines.0, lines.1, height + 0.8 * (patches - 0.5)));
    let bare = covered.lerp(rock, 0.8 * smooth(0.55, 0.95, steepness));
    // Pebbles and blades, and the wet band above the water.
    bare * (0.82 + 0.36 * grains) * 0.55f32.lerp(1.0, smooth(-0.05, 0.30, height))
}

fn normal(site: Site, at: Vec2) -> Vec3 {
    let slope = |way: Vec2| height(site, at + way) - height(site, at - way);
    Vec3::new(-slope(Vec2::X * NORMAL_STEP), 2.0 * NORMAL_STEP, -slope(Vec2::Y * NORMAL_STEP)).normalize()
}

/// Where the rows of the grid are.
fn rows(spacing: f32) -> Vec<f32> {
    let even = (EVEN_REACH / spacing).ceil() as i32;
    let mut positive: Vec<f32> = (0..=even).map(|i| i as f32 * spacing).collect();
    let (mut step, mut at) = (spacing, even as f32 * spacing);
    while at < REACH {
        step *= GROWTH;
        at += step;
        positive.push(at);
    }
    positive.iter().skip(1).rev().map(|at| -at).chain(positive.iter().copied()).collect()
}

/// The ground, with colours in its vertices.
pub(super) fn mesh(site: Site, machine: Machine) -> Mesh {
    let rows = rows(match machine {
        Machine::Gpu => 1.0,
        Machine::Software => 2.5,
    });
    let n = rows.len() as u32;
    let points = || rows.iter().flat_map(|z| rows.iter().map(move |x| Vec2::new(*x, *z)));
    let positions: Vec<[f32; 3]> = points().map(|at| [at.x, height(site, at), at.y]).collect();
    let normals: Vec<Vec3> = points().map(|at| normal(site, at)).collect();
    let colours: Vec<[f32; 4]> = points()
        .zip(&positions)
        .zip(&normals)
        .map(|((at, position), normal)| colour(site, at, position[1], normal.y.acos() / FRAC_PI_4).extend(1.0).to_array())
        .collect();
    let quads = (0..n - 1).flat_map(|z| (0..n - 1).map(move |x| z * n + x));
    let indices = quads.flat_map(|i| [i, i + n, i + 1, i + 1, i + n, i + n + 1]).collect();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals.iter().map(Vec3::to_array).collect::<Vec<_>>())
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
        .with_inserted_indices(Indices::U32(indices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::View;
    use bevy_ocean::Preset;

    const SITES: [Site; 3] = [Site::Lake, Site::River, Site::Swamp];

    #[test]
    fn the_edge_of_the_water_is_under_land_all_around() {
        for site in SITES {
            for i in -100..=100 {
                let along = i as f32;
                for at in [Vec2::new(along, 100.0), Vec2::new(along, -100.0), Vec2::new(100.0, along), Vec2::new(-100.0, along)]
                {
                    assert!(site.ground(at) > 0.25, "{site:?} at {at}: {}", site.ground(at));
                }
            }
        }
    }

    #[test]
    fn there_is_deep_water_and_dry_land_in_each() {
        for site in SITES {
            let heights: Vec<f32> = (-90..=90)
                .flat_map(|x| (-90..=90).map(move |z| Vec2::new(x as f32, z as f32)))
                .map(|at| site.ground(at))
                .collect();
            let share = heights.iter().filter(|height| **height < -0.2).count() as f32 / heights.len() as f32;
            assert!((0.1..0.8).contains(&share), "{site:?}: {share} of it is water");
            let deepest = heights.iter().copied().fold(f32::INFINITY, f32::min);
            let depths = if site == Site::Swamp { -3.0..-0.8 } else { -8.0..-1.8 };
            assert!(depths.contains(&deepest), "{site:?}: {deepest}");
            assert!(heights.iter().all(|height| height.is_finite()));
        }
    }

    #[test]
    fn the_first_view_is_from_above_the_ground_and_over_water() {
        for preset in Preset::ALL {
            let Some(site) = Site::of(preset) else { continue };
            let View { place, heading, .. } = View::of(preset);
            let (here, ahead) = (Vec2::new(place.x, place.z), Vec2::from_angle(heading.to_radians()));
            assert!(place.y > site.ground(here) + 0.8, "{preset:?} stands {} above the ground", place.y - site.ground(here));
            let wet = (5..60).filter(|way| site.ground(here + *way as f32 * ahead) < 0.0).count();
            assert!(wet > 20, "{preset:?} looks over {wet} m of water");
        }
    }

    #[test]
    fn the_mesh_covers_all_and_looks_up() {
        let mesh = mesh(Site::Lake, Machine::Software);
        let rows = rows(2.5).len();
        assert_eq!(mesh.count_vertices(), rows * rows);
        assert_eq!(mesh.indices().map(Indices::len), Some((rows - 1) * (rows - 1) * 6));
        let Some(Indices::U32(indices)) = mesh.indices() else { panic!("indices of 32 bits") };
        let Some(positions) = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|values| values.as_float3()) else {
            panic!("positions")
        };
        for triangle in indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(positions[triangle[i] as usize]));
            assert!((b - a).cross(c - a).y > 0.0);
        }
    }

    #[test]
    fn noise_is_the_same_every_time_and_fills_its_range() {
        let values: Vec<f32> = (0..4000).map(|i| hash(i, -i, 7)).collect();
        assert!(values.iter().all(|value| (0.0..1.0).contains(value)));
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        assert!((mean - 0.5).abs() < 0.03, "{mean}");
        assert_eq!(hash(3, 4, 5), hash(3, 4, 5));
    }
}
