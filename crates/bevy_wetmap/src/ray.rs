//! Where a ray meets a mesh, in texture coordinates.
//!
//! Möller & Trumbore, *Fast, minimum storage ray-triangle intersection*, J. Graphics Tools 2(1), 1997,
//! `doi:10.1080/10867651.1997.10487468`: two-sided, nearest hit. Every operation is a plain `f32` (or, for the inverse of the
//! transform, `f64`) one in a fixed order, without a vector library: those order their sums differently with and without SIMD, and
//! a hit that lies on the border of a texel would then paint a different one on another machine.

mod cache;
mod index;

pub use cache::{forget_meshes, nearest_uv_cached};
pub use index::MeshIndex;

/// A vector of three, in metres where it is a position.
pub type Vec3 = [f32; 3];

/// A ray more parallel to a triangle than this determinant misses it.
const PARALLEL: f32 = 1e-8;

/// A hit must lie farther along the ray than this; what is behind or at the muzzle does not count.
const NEAREST: f32 = 1e-8;

/// Vertex numbers of a triangle list.
#[derive(Clone, Copy, Debug)]
pub enum Indices<'a> {
    /// Every three vertices in order.
    None,
    /// 16-bit indices.
    U16(&'a [u16]),
    /// 32-bit indices.
    U32(&'a [u32]),
}

impl Indices<'_> {
    /// The `n`th entry, for a list over `vertices` vertices.
    #[inline(always)]
    fn get(&self, n: usize, vertices: usize) -> Option<usize> {
        match self {
            Self::None => (n < vertices).then_some(n),
            Self::U16(list) => list.get(n).map(|&i| usize::from(i)),
            Self::U32(list) => list.get(n).and_then(|&i| usize::try_from(i).ok()),
        }
    }
}

/// A triangle list with texture coordinates, borrowed from wherever it lives.
#[derive(Clone, Copy, Debug)]
pub struct Triangles<'a> {
    /// Vertex positions in mesh space, metres.
    pub positions: &'a [Vec3],
    /// Texture coordinates, one for each position. A vertex without one cannot be hit.
    pub uvs: &'a [[f32; 2]],
    /// Which vertices make the triangles. An index past the end drops its triangle, and an incomplete last triangle is ignored.
    pub indices: Indices<'a>,
}

/// From mesh space to world space: the images of the three axes, then the translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// Images of x, y and z: rotation, scale and shear.
    pub axes: [Vec3; 3],
    /// Where the mesh's origin is in the world, metres.
    pub translation: Vec3,
}

impl Affine {
    /// The mesh stands in the world as it is.
    pub const IDENTITY: Self = Self { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };
}

/// A ray. The direction need not be of length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, metres.
    pub origin: Vec3,
    /// Where it goes.
    pub direction: Vec3,
}

impl Ray {
    /// The same ray in mesh space; the direction goes as a vector and is not renormalised, so distances stay comparable.
    /// `None` when the transform squashes space flat or is not finite: such a mesh cannot be hit.
    pub fn into_mesh_space(self, world_from_mesh: &Affine) -> Option<Self> {
        let [x, y, z] = world_from_mesh.axes.map(|axis| axis.map(f64::from));
        let (yz, zx, xy) = (cross64(y, z), cross64(z, x), cross64(x, y));
        let determinant = dot64(x, yz);
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        // The rows of the inverse are the cross products of the columns over the determinant.
        let inverse = |v: [f64; 3]| [yz, zx, xy].map(|row| (dot64(row, v) / determinant) as f32);
        let offset = [0, 1, 2].map(|i| f64::from(self.origin[i]) - f64::from(world_from_mesh.translation[i]));
        Some(Self { origin: inverse(offset), direction: inverse(self.direction.map(f64::from)) })
    }
}

fn cross64(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot64(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// One triangle hit: how far along the ray, and the weights of the second and third corner.
#[derive(Clone, Copy, Debug)]
struct Hit {
    distance: f32,
    weights: [f32; 2],
}

#[inline(always)]
fn hit_triangle(ray: &Ray, corners: [Vec3; 3]) -> Option<Hit> {
    let edge1 = sub(corners[1], corners[0]);
    let edge2 = sub(corners[2], corners[0]);
    let p = cross(ray.direction, edge2);
    let determinant = dot(edge1, p);
    // Written so that a NaN misses.
    if determinant.is_nan() || determinant.abs() < PARALLEL {
        return None;
    }
    let inverse = 1.0 / determinant;
    let s = sub(ray.origin, corners[0]);
    let u = dot(s, p) * inverse;
    let q = cross(s, edge1);
    let v = dot(ray.direction, q) * inverse;
    let distance = dot(edge2, q) * inverse;
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
    (inside && distance > NEAREST).then_some(Hit { distance, weights: [u, v] })
}

/// The nearest hit so far: of which triangle, by its number in index order, and where.
#[derive(Clone, Copy, Debug, Default)]
struct Nearest(Option<(Hit, usize)>);

impl Nearest {
    /// Takes a triangle into account, in whatever order they come: the nearest wins, and of equally near ones the earliest.
    #[inline(always)]
    fn consider(&mut self, mesh: &Triangles, ray: &Ray, triangle: usize) {
        let corners = mesh.corners(triangle).and_then(|corners| positions_of(mesh, corners));
        let Some(hit) = corners.and_then(|corners| hit_triangle(ray, corners)) else {
            return;
        };
        let wins =
            |(best, number): (Hit, usize)| hit.distance < best.distance || (hit.distance == best.distance && triangle < number);
        if self.0.is_none_or(wins) {
            self.0 = Some((hit, triangle));
        }
    }

    /// How far along the ray; infinitely where there is none yet.
    fn distance(&self) -> f32 {
        self.0.map_or(f32::INFINITY, |(hit, _)| hit.distance)
    }

    fn uv(&self, mesh: &Triangles) -> Option<[f32; 2]> {
        let (hit, triangle) = self.0?;
        let [a, b, c] = mesh.corners(triangle)?.map(|i| mesh.uvs[i]);
        let [u, v] = hit.weights;
        Some([0, 1].map(|k| a[k] * (1.0 - u - v) + b[k] * u + c[k] * v))
    }
}

impl Triangles<'_> {
    /// How many triangles there are, broken ones included.
    pub fn count(&self) -> usize {
        let entries = match self.indices {
            Indices::None => self.positions.len(),
            Indices::U16(list) => list.len(),
            Indices::U32(list) => list.len(),
        };
        entries / 3
    }

    /// The vertex numbers of a triangle.
    #[inline(always)]
    fn corners(&self, triangle: usize) -> Option<[usize; 3]> {
        let index = |n| self.indices.get(triangle * 3 + n, self.positions.len());
        Some([index(0)?, index(1)?, index(2)?])
    }
}

/// The texture coordinate of the nearest hit of a ray in mesh space. Where two triangles are equally near, the earlier in index
/// order wins. Tries every triangle; [`MeshIndex`] finds the same one sooner.
pub fn nearest_uv(mesh: &Triangles, ray: &Ray) -> Option<[f32; 2]> {
    let mut nearest = Nearest::default();
    for triangle in 0..mesh.count() {
        nearest.consider(mesh, ray, triangle);
    }
    nearest.uv(mesh)
}

/// The texture coordinate at which a ray in the world first meets a mesh that stands there as `world_from_mesh` says: where
/// [`Wetmap::paint_ray`](crate::Wetmap::paint_ray) paints. `None` for a miss, for a ray or a transform that is not finite, and for a hit
/// whose texture coordinate is not.
pub fn hit_uv(mesh: &Triangles, world_from_mesh: &Affine, ray: Ray) -> Option<[f32; 2]> {
    let hit = ray.into_mesh_space(world_from_mesh).and_then(|ray| nearest_uv_cached(mesh, &ray));
    hit.filter(|uv| uv.iter().all(|x| x.is_finite()))
}

/// The corners of a triangle, if each has a position and a texture coordinate.
#[inline(always)]
fn positions_of(mesh: &Triangles, corners: [usize; 3]) -> Option<[Vec3; 3]> {
    let corner = |i: usize| mesh.uvs.get(i).and_then(|_| mesh.positions.get(i)).copied();
    Some([corner(corners[0])?, corner(corners[1])?, corner(corners[2])?])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [Vec3; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    const CORNERS: [[f32; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

    fn cast(origin: Vec3, direction: Vec3) -> Option<[f32; 2]> {
        let mesh = Triangles { positions: &TRIANGLE, uvs: &CORNERS, indices: Indices::None };
        nearest_uv(&mesh, &Ray { origin, direction })
    }

    #[test]
    fn both_sides_can_be_hit_and_only_forwards() {
        assert_eq!(cast([0.25, 0.5, 2.0], [0.0, 0.0, -1.0]), Some([0.25, 0.5]));
        assert_eq!(cast([0.25, 0.5, -2.0], [0.0, 0.0, 7.0]), Some([0.25, 0.5]), "from behind, and any length of direction");
        assert_eq!(cast([0.25, 0.5, 2.0], [0.0, 0.0, 1.0]), None, "behind the muzzle");
        assert_eq!(cast([0.25, 0.5, 0.0], [0.0, 0.0, -1.0]), None, "at the muzzle");
        assert_eq!(cast([0.6, 0.5, 2.0], [0.0, 0.0, -1.0]), None, "beside it");
        assert_eq!(cast([2.0, 0.2, 0.0], [-1.0, 0.0, 0.0]), None, "edge-on");
    }

    #[test]
    fn the_two_cut_offs_are_where_they_are_said_to_be() {
        let mesh = Triangles { positions: &TRIANGLE, uvs: &CORNERS, indices: Indices::None };
        let index = MeshIndex::new(&mesh);
        let hits = |origin, direction| {
            let ray = Ray { origin, direction };
            assert_eq!(index.nearest_uv(&mesh, &ray), nearest_uv(&mesh, &ray));
            nearest_uv(&mesh, &ray).is_some()
        };
        // The determinant of this triangle and a ray along z is the ray's length.
        for side in [1.0, -1.0] {
            let along = |length: f32| hits([0.25, 0.5, 2.0 * side], [0.0, 0.0, -side * length]);
            assert!(along(PARALLEL) && along(PARALLEL.next_up()), "{side}");
            assert!(!along(PARALLEL.next_down()), "{side}");
        }
        // And how far the hit is, its height.
        for side in [1.0, -1.0] {
            let from = |height: f32| hits([0.25, 0.5, height * side], [0.0, 0.0, -side]);
            assert!(from(NEAREST.next_up()), "{side}");
            assert!(!from(NEAREST) && !from(NEAREST.next_down()), "{side}");
        }
        assert_eq!((PARALLEL, NEAREST), (1e-8, 1e-8));
    }

    #[test]
    fn nonsense_misses() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for i in 0..3 {
                let (mut origin, mut direction) = ([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]);
                origin[i] = bad;
                assert_eq!(cast(origin, direction), None, "origin {i} {bad}");
                direction[i] = bad;
                assert_eq!(cast([0.25, 0.25, 2.0], direction), None, "direction {i} {bad}");
            }
        }
        assert_eq!(cast([0.25, 0.25, 2.0], [0.0; 3]), None);
    }

    #[test]
    fn broken_indices_drop_their_triangle_only() {
        let indices = [0u32, 1, 99, 0, 1, 2, 0, 1];
        let ray = Ray { origin: [0.25, 0.25, 2.0], direction: [0.0, 0.0, -1.0] };
        let mesh = |uvs| Triangles { positions: &TRIANGLE, uvs, indices: Indices::U32(&indices) };
        assert_eq!(nearest_uv(&mesh(&CORNERS), &ray), Some([0.25, 0.25]));
        assert_eq!(nearest_uv(&mesh(&CORNERS[..2]), &ray), None, "a vertex without a texture coordinate");
    }

    #[test]
    fn a_squashed_transform_cannot_be_hit() {
        let ray = Ray { origin: [0.0, 0.0, 2.0], direction: [0.0, 0.0, -1.0] };
        for z in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [f32::NAN, 0.0, 1.0], [f32::INFINITY, 0.0, 1.0]] {
            let flat = Affine { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], z], ..Affine::IDENTITY };
            assert_eq!(ray.into_mesh_space(&flat), None, "{z:?}");
        }
    }

    #[test]
    fn rays_go_through_the_inverse_of_the_transform() {
        // Twice as large, a quarter turn about y (x → −z, z → x), one up.
        let place = Affine { axes: [[0.0, 0.0, -2.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0]], translation: [0.0, 1.0, 0.0] };
        let ray = Ray { origin: [4.0, 1.5, -0.5], direction: [-1.0, 0.0, 0.0] };
        assert_eq!(ray.into_mesh_space(&place), Some(Ray { origin: [0.25, 0.25, 2.0], direction: [0.0, 0.0, -0.5] }));
    }
}
