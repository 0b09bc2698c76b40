//! What stands and lies in the three sites: stones in the shallows, a jetty, trees on the banks, trunks and reeds in the swamp.
//!
//! Places are drawn by chance, the same every time, and taken where the height of the ground suits what is to stand there.

use super::Site;
use super::bodies::Bodies;
use super::ground::{hash, hills, river_middle, shore_distance};
use crate::Machine;
use bevy::prelude::*;
use std::f32::consts::{PI, TAU};
use std::ops::Range;

const WOOD: Vec3 = Vec3::new(0.13, 0.10, 0.072);
const GRANITE: Vec3 = Vec3::new(0.15, 0.146, 0.138);

/// What stands on the ground of a site. On a slow machine the far trees are fewer.
pub(super) fn mesh(site: Site, machine: Machine) -> Mesh {
    let mut bodies = Bodies::default();
    let share = match machine {
        Machine::Gpu => 1.0,
        Machine::Software => 0.35,
    };
    let many = |count: u32| (count as f32 * share) as u32;
    match site {
        Site::Lake => {
            stones(&mut bodies, site, 110, -1.6..0.4, 0.25..1.1, GRANITE);
            jetty(&mut bodies);
            trees(&mut bodies, site, many(2200), 12.0..360.0, |bodies, foot, height, seed| bodies.conifer(foot, height, seed));
            reeds(&mut bodies, site, many(900), -0.5..0.05, 0.9..1.9, Vec3::new(0.10, 0.14, 0.035));
        }
        Site::River => {
            stones(&mut bodies, site, 190, -1.9..0.5, 0.2..0.8, GRANITE);
            boulders(&mut bodies);
            trees(&mut bodies, site, many(900), 6.0..320.0, |bodies, foot, height, seed| {
                if seed.is_multiple_of(3) {
                    bodies.conifer(foot, height * 1.3, seed);
                } else {
                    bodies.broadleaf(foot, height, seed);
                }
            });
            reeds(&mut bodies, site, many(500), -0.1..0.5, 0.4..0.9, Vec3::new(0.12, 0.16, 0.04));
        }
        Site::Swamp => {
            snags(&mut bodies, many(330));
            logs(&mut bodies);
            tussocks(&mut bodies, many(420));
            trees(&mut bodies, site, many(1000), 3.0..200.0, |bodies, foot, height, seed| {
                if seed.is_multiple_of(2) {
                    bodies.broadleaf(foot, 1.4 * height, seed);
                } else {
                    bodies.snag(foot, 1.9 * height, 0.022 * height, seed);
                }
            });
            reeds(&mut bodies, site, many(2500), -0.45..0.15, 0.6..1.7, Vec3::new(0.075, 0.085, 0.025));
        }
    }
    bodies.into_mesh()
}

/// Chance number `n` of the thing numbered `index`, of the kind `kind`: 0 to 1.
fn chance(kind: u32, index: u32, n: i32) -> f32 {
    hash(index as i32, n, kind)
}

fn pick(range: &Range<f32>, share: f32) -> f32 {
    range.start + (range.end - range.start) * share
}

/// Places within `reach` m of the middle whose ground is within `heights`, up to `count` of them.
fn places(site: Site, kind: u32, count: u32, reach: f32, heights: Range<f32>) -> impl Iterator<Item = (u32, Vec3)> {
    (0..count * 40)
        .map(move |index| (index, Vec2::new(chance(kind, index, 0), chance(kind, index, 1)) * 2.0 * reach - reach))
        .map(move |(index, at)| (index, Vec3::new(at.x, site.ground(at), at.y)))
        .filter(move |(_, place)| heights.contains(&place.y))
        .take(count as usize)
}

fn stones(bodies: &mut Bodies, site: Site, count: u32, heights: Range<f32>, radii: Range<f32>, colour: Vec3) {
    for (index, place) in places(site, 1, count, 96.0, heights) {
        let of = |n| chance(1, index, n);
        // Many small ones, few large.
        let radius = pick(&radii, of(2).powi(3));
        let radii = radius * Vec3::new(0.8 + 0.5 * of(3), 0.55 + 0.3 * of(4), 0.8 + 0.5 * of(5));
        bodies.stone(place + Vec3::Y * 0.15 * radius, radii, 6, 0.22, colour * (0.75 + 0.5 * of(6)), index);
    }
}

/// The large stones in the stream, which the current breaks at.
fn boulders(bodies: &mut Bodies) {
    for index in 0..26 {
        let of = |n| chance(2, index, n);
        let x = -84.0 + 168.0 * of(0);
        let at = Vec2::new(x, river_middle(x) + 20.0 * (of(1) - 0.5));
        let radius = 0.7 + 1.1 * of(2) * of(2);
        let centre = Vec3::new(at.x, Site::River.ground(at).max(-1.5) + 0.45 * radius, at.y);
        let radii = radius * Vec3::new(1.0 + 0.3 * of(3), 0.75 + 0.2 * of(4), 1.0 + 0.3 * of(5));
        bodies.stone(centre, radii, 8, 0.18, GRANITE * (0.7 + 0.5 * of(6)), index);
    }
}

/// A jetty from the lake's south-western shore out over deeper water.
fn jetty(bodies: &mut Bodies) {
    let turn = -0.12;
    let along = Vec2::from_angle(turn);
    let across = along.perp();
    let mut foot = Vec2::new(-95.0, 23.0);
    while Site::Lake.ground(foot) > 0.35 && foot.x < 0.0 {
        foot += along * 0.5;
    }
    let deck = 0.75;
    let length = 19.0;
    let lift = |at: Vec2, y: f32| Vec3::new(at.x, y, at.y);
    let mut way = -1.5;
    while way < length {
        let shade = 0.75 + 0.5 * chance(3, (way * 10.0 + 50.0) as u32, 0);
        bodies.board(lift(foot + along * way, deck), Vec3::new(0.13, 0.03, 0.95), -turn, WOOD * shade);
        way += 0.3;
    }
    for side in [-0.85, 0.85] {
        let beam = foot + along * (length / 2.0 - 0.75) + across * side;
        bodies.board(lift(beam, deck - 0.13), Vec3::new(length / 2.0 + 0.75, 0.09, 0.06), -turn, WOOD * 0.7);
        for post in 0..7 {
            let at = foot + along * (post as f32 * 3.1) + across * side * 1.05;
            let top = if post == 6 { deck + 0.75 } else { deck + 0.12 };
            bodies.pole([lift(at, Site::Lake.ground(at) - 0.5), lift(at, top)], [0.13, 0.115], 10, WOOD * 0.75);
        }
    }
}

fn trees(bodies: &mut Bodies, site: Site, count: u32, inland: Range<f32>, mut plant: impl FnMut(&mut Bodies, Vec3, f32, u32)) {
    let mut planted = 0;
    for index in 0..count * 40 {
        let of = |n| chance(4, index, n);
        // As dense along the shore as far away: even in the angle and in the root of the way.
        let way = inland.end * of(1).powf(1.1) + 40.0;
        let at = Vec2::from_angle(TAU * of(0)) * way;
        let inside = inland.contains(&shore_distance(site, at));
        // In groves, with clearings between them.
        if !inside || hills(at, 45.0, 51) < 0.34 + 0.16 * of(2) {
            continue;
        }
        let height = 4.5 + 8.0 * of(3);
        plant(bodies, Vec3::new(at.x, site.ground(at), at.y), height, index);
        planted += 1;
        if planted == count {
            return;
        }
    }
}

fn reeds(bodies: &mut Bodies, site: Site, count: u32, heights: Range<f32>, lengths: Range<f32>, colour: Vec3) {
    let beds = places(site, 5, count * 4, 95.0, heights).filter(|(_, place)| hills(place.xz(), 11.0, 52) > 0.56);
    for (index, place) in beds.take(count as usize) {
        let length = pick(&lengths, chance(5, index, 2));
        bodies.reed(place, length, colour * (0.6 + 0.8 * chance(5, index, 3)), index);
    }
}

fn snags(bodies: &mut Bodies, count: u32) {
    for (index, place) in places(Site::Swamp, 6, count, 88.0, -0.9..0.6) {
        let of = |n| chance(6, index, n);
        bodies.snag(place, 3.0 + 9.0 * of(2), 0.12 + 0.28 * of(3) * of(3), index);
    }
}

fn logs(bodies: &mut Bodies) {
    for (index, place) in places(Site::Swamp, 7, 34, 80.0, -0.9..0.1) {
        let of = |n| chance(7, index, n);
        let half = Vec3::new((PI * of(2)).cos(), 0.16 * (of(3) - 0.4), (PI * of(2)).sin()) * (1.0 + 2.6 * of(4));
        let middle = Vec3::new(place.x, 0.05 - 0.12 * of(5), place.z);
        bodies.pole([middle - half, middle + half], [0.14 + 0.14 * of(6), 0.12], 8, Vec3::new(0.06, 0.05, 0.035));
    }
}

fn tussocks(bodies: &mut Bodies, count: u32) {
    for (index, place) in places(Site::Swamp, 8, count, 90.0, -0.45..0.3) {
        let of = |n| chance(8, index, n);
        let radius = 0.25 + 0.6 * of(2);
        let moss = Vec3::new(0.035, 0.058, 0.014) * (0.6 + 0.8 * of(3));
        bodies.stone(place, radius * Vec3::new(1.0, 0.6, 1.0), 6, 0.1, moss, index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::mesh::VertexAttributeValues;

    #[test]
    fn each_site_is_furnished_and_no_heavier_than_it_should_be() {
        for site in [Site::Lake, Site::River, Site::Swamp] {
            let triangles = |machine| mesh(site, machine).count_vertices() / 3;
            let (full, small) = (triangles(Machine::Gpu), triangles(Machine::Software));
            assert!((10_000..250_000).contains(&full), "{site:?}: {full} triangles");
            assert!(small < full, "{site:?}: {small} triangles on a slow machine");
        }
    }

    #[test]
    fn nothing_hangs_in_the_air_far_away() {
        let mesh = mesh(Site::Lake, Machine::Software);
        let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(VertexAttributeValues::as_float3);
        for position in positions.unwrap_or_default() {
            assert!(position.iter().all(|value| value.is_finite()));
            let above = position[1] - Site::Lake.ground(Vec2::new(position[0], position[2]));
            assert!(above < 18.0, "{position:?}");
        }
    }
}
