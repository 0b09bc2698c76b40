//! A tree of boxes over a mesh, so that a ray tries a handful of triangles instead of all, and finds *the same hit to the bit*.
//!
//! The hit is Möller and Trumbore's in `f32`, rounding included: a ray that passes a sliver or grazes a face can hit it in `f32` where
//! geometry says it passes by. So a box must not be left out because the ray misses it, but only if it misses it by more than that
//! rounding can amount to. That bound is computed here, for each box and ray, from the forward error of the test:
//!
//! With `d` the direction, `e₁`, `e₂` the edges, `n = e₁ × e₂`, `s` from the first corner to the origin, `D = d · n` and `ε` = 2⁻²⁴, every
//! one of the determinants in the test is off by at most `9 ε` times the product of the lengths in it. Two things follow.
//!
//! *Where.* A computed hit has weights in `0..=1`, so the ray passes the triangle within `18 ε (|s| + |e|) |d| |e₁| |e₂| / |D|`, and
//! the computed distance is off by little more. `|D|` is at least what the test's own cut-off for parallel rays leaves, and at least what the
//! normals in the box say.
//!
//! *When.* The computed distance is `s · n / D`, each part within its error, wherever the weights come from. So triangles that are nearly
//! edge-on, for which the first bound says nothing, are hit far away if at all: the ray takes long to get to their planes, longer than to what
//! was hit already. Therefore a ray goes down the
//! tree twice, first by geometry alone to have a hit, then by the bounds to be sure that it is the nearest.
//!
//! A tree over Morton order rather than one by surface area: it is built in milliseconds, and a ray is not the bottleneck any more.

use super::{Nearest, PARALLEL, Ray, Triangles, Vec3, positions_of};

/// Triangles in a box at the bottom.
const LEAF: usize = 4;

/// Coordinates beyond this are not in the tree, and rays with such are not looked up in it: their products could overflow, and the
/// error bound is one without overflow.
const LARGEST: f32 = 1e9;

/// Unit roundoff of `f32`.
const ROUNDOFF: f64 = 1.0 / (1u64 << 24) as f64;

/// What a dot product of a cross product, of vectors that were rounded themselves, may be off by, for lengths of 1: (√2 + 1) for the
/// cross product, 3 for the dot product, and 1 for each rounded vector, 8.42 at the most.
const ERROR: f64 = 9.0 * ROUNDOFF;

/// Some triangles, from outside.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Bounds of the corners.
    corners: [Vec3; 2],
    /// Bounds of the unit normals, and of their products with the first corners: where the planes are. Rounded outwards.
    normals: [Vec3; 2],
    planes: [f32; 2],
    /// The largest |e₁| |e₂|, |n|, the longest edge, and the largest |e₁| |e₂| / |n|. Rounded up.
    area: f32,
    normal: f32,
    edge: f32,
    thin: f32,
}

const NOTHING: Node = Node {
    corners: [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]],
    normals: [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]],
    planes: [f32::INFINITY, f32::NEG_INFINITY],
    area: 0.0,
    normal: 0.0,
    edge: 0.0,
    thin: 0.0,
};

fn wide(v: Vec3) -> [f64; 3] {
    v.map(f64::from)
}

fn length(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

/// Rounded to `f32` towards the larger, and one step more for the roundings before.
fn up(x: f64) -> f32 {
    (x as f32).next_up().next_up()
}

fn down(x: f64) -> f32 {
    (x as f32).next_down().next_down()
}

/// A triangle thinner than this has no normal that could be relied on: what `f64` loses of it would have to be counted.
const THINNEST: f64 = 1e4;

impl Node {
    fn around(corners: [Vec3; 3]) -> Self {
        let [a, b, c] = corners.map(wide);
        let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
        let (one, two) = (edge(b), edge(c));
        let normal = [one[1] * two[2] - one[2] * two[1], one[2] * two[0] - one[0] * two[2], one[0] * two[1] - one[1] * two[0]];
        let bound =
            |pick: fn(f32, f32) -> f32| [0, 1, 2].map(|k| corners.iter().map(|corner| corner[k]).fold(corners[0][k], pick));
        let area = length(one) * length(two);
        let thin = area / length(normal);
        let mut node = Self {
            corners: [bound(f32::min), bound(f32::max)],
            normals: [[-1.0; 3], [1.0; 3]],
            planes: [f32::NEG_INFINITY, f32::INFINITY],
            area: up(area),
            // Where the two edges nearly coincide, what f64 loses may be all of it.
            normal: up(length(normal) + area * 1e-12),
            edge: up(length(one).max(length(two))),
            thin: f32::INFINITY,
        };
        if thin <= THINNEST {
            let unit = normal.map(|x| x / length(normal));
            let plane = unit[0] * a[0] + unit[1] * a[1] + unit[2] * a[2];
            // Of f64's 1e-16 the thinness leaves 1e-12, far below the steps that rounding to `f32` takes outwards, but for zeros.
            let lost = 1e-11;
            node.normals = [unit.map(|x| down(x - lost)), unit.map(|x| up(x + lost))];
            let lost = lost * length(a);
            node.planes = [down(plane - lost), up(plane + lost)];
            node.thin = up(thin);
        }
        node
    }

    fn and(self, other: Self) -> Self {
        let pick = |a: Vec3, b: Vec3, pick: fn(f32, f32) -> f32| [0, 1, 2].map(|k| pick(a[k], b[k]));
        Self {
            corners: [pick(self.corners[0], other.corners[0], f32::min), pick(self.corners[1], other.corners[1], f32::max)],
            normals: [pick(self.normals[0], other.normals[0], f32::min), pick(self.normals[1], other.normals[1], f32::max)],
            planes: [self.planes[0].min(other.planes[0]), self.planes[1].max(other.planes[1])],
            area: self.area.max(other.area),
            normal: self.normal.max(other.normal),
            edge: self.edge.max(other.edge),
            thin: self.thin.max(other.thin),
        }
    }
}

/// A vector whose product with normals between bounds is to be bounded: which bound of each part gives the smaller product is
/// known beforehand.
struct Factor {
    vector: [f64; 3],
    lower: [usize; 3],
}

impl Factor {
    fn new(vector: [f64; 3]) -> Self {
        Self { vector, lower: vector.map(|x| usize::from(x < 0.0)) }
    }

    #[inline(always)]
    fn times(&self, normals: &[Vec3; 2]) -> (f64, f64) {
        let part = |k: usize, bound: usize| f64::from(normals[bound][k]) * self.vector[k];
        let low = part(0, self.lower[0]) + part(1, self.lower[1]) + part(2, self.lower[2]);
        let high = part(0, 1 - self.lower[0]) + part(1, 1 - self.lower[1]) + part(2, 1 - self.lower[2]);
        (low, high)
    }
}

/// The smallest size of a number between two bounds.
fn smallest((low, high): (f64, f64)) -> f64 {
    low.max(-high).max(0.0)
}

/// A ray prepared for the boxes of one mesh.
struct Probe {
    origin: [f64; 3],
    direction: Factor,
    /// The point of the ray that is closest to the mesh's middle, and where along the ray it is: heights over planes are bounded from
    /// there, because the bounds of a product are the tighter the shorter the vector.
    middle: Factor,
    middle_at: f64,
    inverse: [f64; 3],
    length: f64,
    per_length: f64,
    /// No corner of the mesh is farther from the origin, two of the longest edges included.
    scale: f64,
    edge: f64,
}

impl Probe {
    /// `None` for rays that are not for the tree.
    fn new(ray: &Ray, whole: &Node) -> Option<Self> {
        let fits = |v: &Vec3| v.iter().all(|x| x.abs() <= LARGEST);
        if !fits(&ray.origin) || !fits(&ray.direction) {
            return None;
        }
        // A zero has no sign here: the reciprocal would have it too.
        let (origin, direction) = (wide(ray.origin), wide(ray.direction).map(|x| x + 0.0));
        let farthest = [0, 1, 2].map(|k| {
            (f64::from(whole.corners[0][k]) - origin[k]).abs().max((f64::from(whole.corners[1][k]) - origin[k]).abs())
        });
        let scale = length(farthest) + 2.0 * f64::from(whole.edge);
        let towards = |k: usize| (f64::from(whole.corners[0][k]) + f64::from(whole.corners[1][k])) / 2.0 - origin[k];
        let along: f64 = (0..3).map(|k| towards(k) * direction[k]).sum();
        let middle_at = along / (length(direction) * length(direction));
        Some(Self {
            origin,
            direction: Factor::new(direction),
            middle: Factor::new([0, 1, 2].map(|k| origin[k] + direction[k] * middle_at)),
            middle_at,
            inverse: direction.map(f64::recip),
            length: length(direction),
            per_length: length(direction).recip(),
            scale,
            edge: f64::from(whole.edge),
        })
    }

    /// Where along the ray a box grown by `slack` begins, if it does within `nearest`.
    #[inline(always)]
    fn enters(&self, node: &Node, slack: f64, nearest: f32) -> Option<f64> {
        // A direction of length 0 hits nothing, and its infinite bounds say nothing else.
        let along = slack * self.per_length;
        let (mut first, mut last) = (-along, f64::from(nearest) + along);
        for k in 0..3 {
            // Which side comes first goes by the direction. Along a side, the reciprocal is infinite: so are both products then, and
            // a ray on the very side gives NaN, which bounds nothing.
            let (near, far) = (self.direction.lower[k], 1 - self.direction.lower[k]);
            let grown = [-slack, slack];
            let enters = (f64::from(node.corners[near][k]) + grown[near] - self.origin[k]) * self.inverse[k];
            let leaves = (f64::from(node.corners[far][k]) + grown[far] - self.origin[k]) * self.inverse[k];
            first = if enters > first { enters } else { first };
            last = if leaves < last { leaves } else { last };
        }
        (first <= last).then_some(first)
    }

    /// Whether a *computed* hit of a triangle in the box may be as near as `nearest`.
    #[inline(always)]
    fn may_hit(&self, node: &Node, nearest: f32) -> bool {
        let most = self.length * f64::from(node.area);
        // D is at most this, computed or not, and below the cut-off the ray counts as parallel.
        if self.length * f64::from(node.normal) + ERROR * most < f64::from(PARALLEL) {
            return false;
        }
        // All of these per length of the normal.
        let facing = self.direction.times(&node.normals);
        let error = ERROR * self.length * f64::from(node.thin);
        let middle = self.middle.times(&node.normals);
        let above = (middle.0 - f64::from(node.planes[1]), middle.1 - f64::from(node.planes[0]));
        let height = smallest(above) - ERROR * self.scale * f64::from(node.thin);
        let speed = facing.1.max(-facing.0) + error;
        // From the middle to the start of the ray, or to the nearest hit. Written so that NaN, from what is infinite, does not leave a
        // box out.
        let way = self.middle_at.abs().max((f64::from(nearest) - self.middle_at).abs());
        if height * 0.99999 > speed * way * 1.00001 {
            return false;
        }
        // The share of D that may be wrong: by the normals, and by the cut-off, which is compared with what was computed.
        let share_of = |wrong: f64, least: f64| if least > 0.0 { wrong / least } else { f64::INFINITY };
        let by_normals = share_of(error, smallest(facing) - error * 1e-3);
        let by_cutoff = share_of(ERROR * most, f64::from(PARALLEL) * 0.999 - ERROR * most);
        let share = by_normals.min(by_cutoff);
        // The bound on where is for shares below this.
        if share > 0.25 {
            return true;
        }
        // Across, twice the share; along, 2 (1 + share) / (1 - share) times, which is less than four.
        let share = 4.0 * (share + 4.0 * ROUNDOFF);
        // Of the distance to the first corner, which is no more than to the farthest, nor than to where a hit counts, the slack itself and
        // an edge included. (Twice the slack: across and along.)
        let counts = (f64::from(nearest) * self.length + 3.0 * self.edge) / (1.0 - 2.0 * share);
        let scale = if share < 0.4 && counts < self.scale { counts } else { self.scale };
        let slack = share * scale;
        self.enters(node, slack, nearest).is_some()
    }
}

/// A mesh's triangles in a tree of boxes: [`nearest_uv`](super::nearest_uv), and the same hit to the bit, for a small part of its cost.
///
/// Made for positions and indices as they are then. The texture coordinates are read when a ray hits and may change, as long as there
/// are as many.
#[derive(Clone, Debug)]
pub struct MeshIndex {
    /// Triangle numbers, in the order of the leaves.
    order: Vec<u32>,
    /// Boxes level by level, from the leaves up; the last has one.
    levels: Vec<Vec<Node>>,
    /// Triangles that no box holds, to be tried by every ray.
    loose: Vec<u32>,
    triangles: usize,
}

/// Bits of three coordinates, interleaved: near in space is mostly near in this order.
fn morton(at: [f64; 3]) -> u32 {
    let spread = |x: f64| {
        let mut bits = (x.clamp(0.0, 1.0) * 1023.0) as u32;
        bits = (bits | bits << 16) & 0x0300_00FF;
        bits = (bits | bits << 8) & 0x0300_F00F;
        bits = (bits | bits << 4) & 0x030C_30C3;
        (bits | bits << 2) & 0x0924_9249
    };
    spread(at[0]) | spread(at[1]) << 1 | spread(at[2]) << 2
}

impl MeshIndex {
    /// Of these triangles. About 60 ns a triangle.
    pub fn new(mesh: &Triangles) -> Self {
        let triangles = mesh.count().min(u32::MAX as usize);
        let mut loose = Vec::new();
        let mut held = Vec::with_capacity(triangles);
        for number in 0..triangles {
            // A broken triangle is hit by nothing.
            let Some(corners) = mesh.corners(number).and_then(|corners| positions_of(mesh, corners)) else { continue };
            // Nor is one whose first corner is also another: its determinant is exactly 0.
            if corners[0] == corners[1] || corners[0] == corners[2] {
                continue;
            }
            if corners.as_flattened().iter().all(|x| x.abs() <= LARGEST) {
                held.push((number as u32, Node::around(corners)));
            } else {
                loose.push(number as u32);
            }
        }
        let whole = held.iter().fold(NOTHING, |all, (_, node)| all.and(*node));
        let size = [0, 1, 2].map(|k| f64::from(whole.corners[1][k]) - f64::from(whole.corners[0][k]));
        // What has no normal would spoil the bounds of what does: it is kept apart, at the end.
        let place = |node: &Node| {
            let middle = |k: usize| {
                (f64::from(node.corners[0][k]) + f64::from(node.corners[1][k])) / 2.0 - f64::from(whole.corners[0][k])
            };
            let apart = u32::from(node.thin == f32::INFINITY) << 31;
            apart | morton([0, 1, 2].map(|k| if size[k] > 0.0 { middle(k) / size[k] } else { 0.0 }))
        };
        let mut keys: Vec<(u32, u32)> = (0u32..).zip(&held).map(|(at, (_, node))| (place(node), at)).collect();
        keys.sort_unstable();
        let sorted: Vec<_> = keys.iter().map(|&(_, at)| held[at as usize]).collect();
        let join = |nodes: &[Node]| nodes.iter().fold(NOTHING, |all, node| all.and(*node));
        let leaves = sorted.chunks(LEAF).map(|leaf| leaf.iter().fold(NOTHING, |all, (_, node)| all.and(*node)));
        let mut levels: Vec<Vec<Node>> = vec![leaves.collect()];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            levels.push(below.chunks(2).map(join).collect());
        }
        Self { order: sorted.iter().map(|(number, _)| *number).collect(), levels, loose, triangles }
    }

    /// How many triangles the mesh had.
    pub fn triangles(&self) -> usize {
        self.triangles
    }

    /// The texture coordinate of the nearest hit of a ray in mesh space, exactly as [`nearest_uv`](super::nearest_uv) gives it.
    ///
    /// `mesh` must be the one that this was made of. Of another one, the hit is one of its triangles or none, and not always the nearest.
    pub fn nearest_uv(&self, mesh: &Triangles, ray: &Ray) -> Option<[f32; 2]> {
        let Some(probe) = Probe::new(ray, self.whole()).filter(|_| mesh.count() == self.triangles) else {
            return super::nearest_uv(mesh, ray);
        };
        let mut nearest = Nearest::default();
        for &triangle in &self.loose {
            nearest.consider(mesh, ray, triangle as usize);
        }
        self.descend(mesh, ray, &mut nearest, |node, nearest| probe.enters(node, 0.0, nearest));
        self.descend(mesh, ray, &mut nearest, |node, nearest| probe.may_hit(node, nearest).then_some(0.0));
        nearest.uv(mesh)
    }

    /// The box around all others.
    fn whole(&self) -> &Node {
        self.levels.last().and_then(|level| level.first()).unwrap_or(&NOTHING)
    }

    /// Tries the triangles in every box that `opens`, given the distance of the nearest hit so far, the earlier of two siblings first.
    fn descend(&self, mesh: &Triangles, ray: &Ray, nearest: &mut Nearest, opens: impl Fn(&Node, f32) -> Option<f64>) {
        // One sibling a level waits; 32 levels are more triangles than there can be numbers.
        let mut waiting = [(0usize, 0usize); 40];
        let top = self.levels.len() - 1;
        let mut count = usize::from(self.levels[top].first().is_some_and(|root| opens(root, nearest.distance()).is_some()));
        waiting[0] = (top, 0);
        while count > 0 {
            count -= 1;
            let (level, at) = waiting[count];
            if level == 0 {
                let leaf = at * LEAF..((at + 1) * LEAF).min(self.order.len());
                for &triangle in &self.order[leaf] {
                    nearest.consider(mesh, ray, triangle as usize);
                }
                continue;
            }
            let below = &self.levels[level - 1];
            let child = |at: usize| Some((at, opens(below.get(at)?, nearest.distance())?));
            let (mut under, mut on_top) = (child(2 * at + 1), child(2 * at));
            if let (Some(a), Some(b)) = (under, on_top)
                && a.1 < b.1
            {
                (under, on_top) = (on_top, under);
            }
            for (at, _) in [under, on_top].into_iter().flatten() {
                waiting[count] = (level - 1, at);
                count += 1;
            }
        }
    }
}
