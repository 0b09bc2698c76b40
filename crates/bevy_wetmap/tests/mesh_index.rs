//! The tree of boxes against the walk over every triangle: the same hit to the bit, for any mesh and any ray. And the walk against
//! another way to find a hit, in `f64`.

use bevy_wetmap::ray::{Indices, MeshIndex, Ray, Triangles, forget_meshes, nearest_uv, nearest_uv_cached};
use proptest::prelude::*;

/// A mesh that owns what it is made of.
#[derive(Clone, Debug)]
struct Mesh {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl Mesh {
    fn triangles(&self) -> Triangles<'_> {
        Triangles { positions: &self.positions, uvs: &self.uvs, indices: Indices::U32(&self.indices) }
    }
}

fn bits(uv: Option<[f32; 2]>) -> Option<[u32; 2]> {
    uv.map(|uv| uv.map(f32::to_bits))
}

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        12 => -1.0f32..1.0,
        // On a lattice, so that edges are shared, planes coincide and distances tie.
        12 => (-4i32..=4).prop_map(|x| x as f32 / 4.0),
        1 => prop::sample::select(vec![0.0, -0.0, 1e-7, 1e-30, 1e6, -3e8, 1e12, f32::MAX, f32::NAN, f32::INFINITY]),
    ]
}

/// Any triangles: slivers, points, duplicates and broken indices among them.
fn mesh() -> impl Strategy<Value = Mesh> {
    let positions = prop::collection::vec([coordinate(), coordinate(), coordinate()], 3..60);
    (positions, 0usize..3, any::<u64>()).prop_flat_map(|(positions, missing, seed)| {
        let count = positions.len() as u32;
        prop::collection::vec(prop_oneof![30 => 0..count, 1 => Just(count + 7)], 3..240).prop_map(move |indices| {
            let uvs = (0..positions.len() - missing.min(positions.len())).map(|i| {
                let hash = (i as u64 ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                [(hash >> 40) as f32 / 16_777_216.0, (hash & 0xFF_FFFF) as f32 / 16_777_216.0]
            });
            Mesh { uvs: uvs.collect(), positions: positions.clone(), indices }
        })
    })
}

fn ray() -> impl Strategy<Value = Ray> {
    let origin = prop_oneof![3 => [-3.0f32..3.0, -3.0f32..3.0, -3.0f32..3.0], 2 => [coordinate(), coordinate(), coordinate()]];
    let direction = prop_oneof![
        3 => [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0],
        // Along axes and in planes of the lattice: grazing.
        2 => [coordinate(), coordinate(), coordinate()],
        1 => prop::sample::select(vec![[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0; 3], [1e-6, 0.0, 1e-6], [0.0, 1e5, 0.0]]),
    ];
    (origin, direction).prop_map(|(origin, direction)| Ray { origin, direction })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_ray_on_any_mesh(mesh in mesh(), rays in prop::collection::vec(ray(), 12)) {
        let triangles = mesh.triangles();
        let index = MeshIndex::new(&triangles);
        for ray in rays {
            prop_assert_eq!(bits(index.nearest_uv(&triangles, &ray)), bits(nearest_uv(&triangles, &ray)), "{:?}", ray);
        }
    }

    /// Aimed at corners and edges, where rounding decides which triangle is hit.
    #[test]
    fn rays_through_corners_and_edges(
        mesh in mesh(),
        aims in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0.0f32..1.0), 12),
        origin in [-9.0f32..9.0, -9.0f32..9.0, -9.0f32..9.0],
    ) {
        let triangles = mesh.triangles();
        let index = MeshIndex::new(&triangles);
        for (a, b, along) in aims {
            let (a, b) = (a.get(&mesh.positions), b.get(&mesh.positions));
            let direction = [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * along - origin[k]);
            let ray = Ray { origin, direction };
            prop_assert_eq!(bits(index.nearest_uv(&triangles, &ray)), bits(nearest_uv(&triangles, &ray)), "{:?}", ray);
        }
    }
}

/// One triangle and a ray: how parallel they are, how far along the ray they meet, and the weights of the corners there. Where the plane is
/// met and which parts of the triangle's area lie about that point; not Möller & Trumbore.
fn meeting(corners: [[f32; 3]; 3], ray: &Ray) -> (f64, f64, [f64; 3]) {
    let wide = |v: [f32; 3]| v.map(f64::from);
    let sub = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|k| a[k] - b[k]);
    let cross = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let ([a, b, c], origin, direction) = (corners.map(wide), wide(ray.origin), wide(ray.direction));
    let normal = cross(sub(b, a), sub(c, a));
    let slope = dot(normal, direction);
    let distance = dot(normal, sub(a, origin)) / slope;
    let at = [0, 1, 2].map(|k| origin[k] + distance * direction[k]);
    let part = |a, b| dot(normal, cross(sub(a, at), sub(b, at))) / dot(normal, normal);
    (slope, distance, [part(b, c), part(c, a), part(a, b)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, max_global_rejects: 40_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_walk_finds_what_another_way_finds(
        corners in prop::collection::vec([[-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0], [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0],
            [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0]], 1..10),
        origin in [-2.0f32..2.0, -2.0f32..2.0, -2.0f32..2.0],
        aim in [-0.5f32..0.5, -0.5f32..0.5, -0.5f32..0.5],
        length in 0.2f32..3.0,
    ) {
        let positions: Vec<_> = corners.iter().flatten().copied().collect();
        let uvs: Vec<_> = (0..positions.len()).map(|i| [i as f32 * 0.37 % 1.0, i as f32 * 0.61 % 1.0]).collect();
        let mesh = Triangles { positions: &positions, uvs: &uvs, indices: Indices::None };
        let ray = Ray { origin, direction: [0, 1, 2].map(|k| (aim[k] - origin[k]) * length) };
        let meetings: Vec<_> = corners.iter().map(|corners| meeting(*corners, &ray)).collect();
        // Where a rounding could decide, either may be right.
        const CLEAR: f64 = 1e-3;
        prop_assume!(meetings.iter().all(|(slope, distance, weights)| {
            slope.abs() > 20.0 * CLEAR && distance.abs() > CLEAR && weights.iter().all(|weight| weight.abs() > CLEAR)
        }));
        let hit = |meeting: &(f64, f64, [f64; 3])| meeting.1 > 0.0 && meeting.2.iter().all(|weight| *weight > 0.0);
        let mut hits: Vec<_> = (0..).zip(&meetings).filter(|(_, meeting)| hit(meeting)).collect();
        hits.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
        prop_assume!(hits.windows(2).all(|pair| pair[1].1.1 - pair[0].1.1 > CLEAR));
        let found = nearest_uv(&mesh, &ray);
        prop_assert_eq!(found.is_some(), !hits.is_empty());
        if let (Some(uv), Some((triangle, meeting))) = (found, hits.first()) {
            for k in 0..2 {
                let expected: f64 = (0..3).map(|i| meeting.2[i] * f64::from(uvs[triangle * 3 + i][k])).sum();
                prop_assert!((f64::from(uv[k]) - expected).abs() < 1e-3, "{:?} {} {}", uv, k, expected);
            }
        }
    }
}

/// A sphere of so many quads, whose silhouette every ray beside it grazes.
fn sphere(sectors: u32, stacks: u32) -> Mesh {
    let mut mesh = Mesh { positions: Vec::new(), uvs: Vec::new(), indices: Vec::new() };
    for (stack, sector) in (0..=stacks).flat_map(|stack| (0..=sectors).map(move |sector| (stack, sector))) {
        let (u, v) = (sector as f32 / sectors as f32, stack as f32 / stacks as f32);
        let (longitude, latitude) = (u * std::f32::consts::TAU, v * std::f32::consts::PI);
        mesh.positions.push([latitude.sin() * longitude.cos(), latitude.cos(), latitude.sin() * longitude.sin()]);
        mesh.uvs.push([u, v]);
        if stack < stacks && sector < sectors {
            let a = stack * (sectors + 1) + sector;
            let b = a + sectors + 1;
            mesh.indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    mesh
}

#[test]
fn a_sphere_from_near_and_far_along_its_silhouette() {
    let mesh = sphere(96, 48);
    let triangles = mesh.triangles();
    let index = MeshIndex::new(&triangles);
    let mut hits = 0;
    for distance in [1.5f32, 30.0, 3000.0] {
        for i in 0..600 {
            // From the middle outwards, and mostly close to the edge on either side of it.
            let beside = if i < 100 { i as f32 / 100.0 } else { 1.0 + (i as f32 - 350.0) * 2e-6 * distance };
            let turn = i as f32 * 0.37;
            let ray = Ray { origin: [beside * turn.cos(), beside * turn.sin(), distance], direction: [0.0, 0.0, -0.7] };
            let hit = index.nearest_uv(&triangles, &ray);
            assert_eq!(bits(hit), bits(nearest_uv(&triangles, &ray)), "{ray:?}");
            hits += usize::from(hit.is_some());
        }
    }
    assert!((300..1500).contains(&hits), "{hits} of 1800: on both sides of the edge");
}

#[test]
fn the_cache_gives_the_same_hit_and_notices_a_mesh_that_changes() {
    let mut mesh = sphere(40, 20);
    let ray = Ray { origin: [0.1, 0.2, 3.0], direction: [0.0, 0.0, -1.0] };
    for _ in 0..4 {
        assert_eq!(bits(nearest_uv_cached(&mesh.triangles(), &ray)), bits(nearest_uv(&mesh.triangles(), &ray)));
    }
    mesh.positions.iter_mut().for_each(|at| at[0] += 0.05);
    for _ in 0..4 {
        assert_eq!(bits(nearest_uv_cached(&mesh.triangles(), &ray)), bits(nearest_uv(&mesh.triangles(), &ray)));
    }
    // A single vertex between the samples, pulled in front of the others, and the caller says so.
    let nearest =
        (0..mesh.positions.len()).filter(|i| i % 7 == 3).max_by(|a, b| mesh.positions[*a][2].total_cmp(&mesh.positions[*b][2]));
    mesh.positions[nearest.expect("the sphere has vertices")][2] = 2.0;
    forget_meshes();
    for _ in 0..4 {
        assert_eq!(bits(nearest_uv_cached(&mesh.triangles(), &ray)), bits(nearest_uv(&mesh.triangles(), &ray)));
    }
}
