//! One [`MeshIndex`] for each of the meshes that were shot at lately.
//!
//! `paint_world` is given a mesh and nothing that names it, so a mesh is known by where its vertices and indices lie, how many there are,
//! and a few hundred of them spread over it. Meshes move in their storage, but their vertices stay where they are; a mesh whose
//! vertices are rewritten, or another that takes their place, is told by the samples. What the samples cannot see is a
//! single vertex that is moved in place: whoever does that calls [`forget_meshes`].
//!
//! A mesh is indexed when it is shot at for the second time. Small ones never are: to walk them costs less than to look them up.

use super::{Indices, MeshIndex, Ray, Triangles, nearest_uv};
use std::sync::{Arc, Mutex, PoisonError};

/// Meshes of fewer triangles are walked.
const SMALLEST: usize = 512;

/// How many meshes are remembered, and how many triangles they may have together: about 50 MB.
const MOST_MESHES: usize = 32;
const MOST_TRIANGLES: usize = 1 << 20;

/// Vertices, and indices, that are looked at to know a mesh again.
const SAMPLES: usize = 256;

/// What a mesh is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    positions: (usize, usize),
    uvs: usize,
    indices: (usize, usize),
    samples: u64,
}

/// So many entries of a list, evenly spread, the first and the last among them.
fn spread(length: usize) -> impl Iterator<Item = usize> {
    let count = length.min(SAMPLES);
    (0..count).map(move |i| if count > 1 { i * (length - 1) / (count - 1) } else { 0 })
}

/// A hash that is quick on a few words: a multiplication each, and the upper half folded in, for samples that nobody forges.
struct Samples(u64);

impl Samples {
    fn take(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(0x9E37_79B9_7F4A_7C15u64);
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(1);
    }
}

impl Key {
    fn of(mesh: &Triangles) -> Self {
        let mut samples = Samples(0);
        for at in spread(mesh.positions.len()) {
            let [x, y, z] = mesh.positions[at].map(|x| u64::from(x.to_bits()));
            samples.take(x << 32 | y);
            samples.take(z);
        }
        let indices = match mesh.indices {
            Indices::None => (0, 0),
            Indices::U16(list) => {
                spread(list.len()).for_each(|at| samples.take(list[at].into()));
                (list.as_ptr() as usize, list.len())
            }
            Indices::U32(list) => {
                spread(list.len()).for_each(|at| samples.take(list[at].into()));
                (list.as_ptr() as usize, list.len())
            }
        };
        let positions = (mesh.positions.as_ptr() as usize, mesh.positions.len());
        Self { positions, uvs: mesh.uvs.len(), indices, samples: samples.0 }
    }
}

/// A mesh that was shot at, with its index from the second time on.
#[derive(Debug)]
struct Known {
    key: Key,
    triangles: usize,
    index: Option<Arc<MeshIndex>>,
}

/// The least lately used first.
#[derive(Debug, Default)]
struct Cache(Vec<Known>);

/// What to do with a mesh.
#[derive(Debug)]
enum Advice {
    Walk,
    Build,
    Use(Arc<MeshIndex>),
}

impl Cache {
    /// Looks a mesh up, and remembers that it was.
    fn consult(&mut self, key: &Key, triangles: usize) -> Advice {
        let Some(at) = self.0.iter().position(|known| known.key == *key) else {
            self.remember(Known { key: *key, triangles, index: None });
            return Advice::Walk;
        };
        let known = self.0.remove(at);
        let advice = known.index.clone().map_or(Advice::Build, Advice::Use);
        self.0.push(known);
        advice
    }

    fn put(&mut self, key: &Key, index: Arc<MeshIndex>) {
        if let Some(known) = self.0.iter_mut().find(|known| known.key == *key) {
            known.index = Some(index);
        }
    }

    fn remember(&mut self, known: Known) {
        self.0.push(known);
        let total = |all: &[Known]| all.iter().map(|known| known.triangles).sum::<usize>();
        while self.0.len() > 1 && (self.0.len() > MOST_MESHES || total(&self.0) > MOST_TRIANGLES) {
            self.0.remove(0);
        }
    }
}

static CACHE: Mutex<Cache> = Mutex::new(Cache(Vec::new()));

/// Asks the cache something. A panic elsewhere cannot leave it half-written: every entry is whole.
fn with_cache<T>(ask: impl FnOnce(&mut Cache) -> T) -> T {
    ask(&mut CACHE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// [`nearest_uv`], with an index that is kept for the next ray: the same hit to the bit.
///
/// The mesh may move in memory and may be replaced. If single vertices or indices of it are changed in place, call [`forget_meshes`]
/// first: only some of them are looked at to know it again.
pub fn nearest_uv_cached(mesh: &Triangles, ray: &Ray) -> Option<[f32; 2]> {
    let triangles = mesh.count();
    if triangles < SMALLEST {
        return nearest_uv(mesh, ray);
    }
    let key = Key::of(mesh);
    match with_cache(|cache| cache.consult(&key, triangles)) {
        Advice::Walk => nearest_uv(mesh, ray),
        Advice::Use(index) => index.nearest_uv(mesh, ray),
        Advice::Build => {
            // Not under the lock: another thread may want another mesh.
            let index = Arc::new(MeshIndex::new(mesh));
            with_cache(|cache| cache.put(&key, index.clone()));
            index.nearest_uv(mesh, ray)
        }
    }
}

/// Drops every kept index, for whoever changes single vertices of a mesh in place. They are made again when they are needed.
pub fn forget_meshes() {
    with_cache(|cache| cache.0.clear());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: usize) -> Key {
        Key { positions: (n, n), uvs: n, indices: (0, 0), samples: 0 }
    }

    #[test]
    fn the_cache_is_bounded_and_forgets_what_was_used_least_lately() {
        let mut cache = Cache::default();
        for n in 0..100 {
            assert!(matches!(cache.consult(&key(n), 1000), Advice::Walk));
            assert!(matches!(cache.consult(&key(0), 1000), Advice::Build), "the first is kept because it is used");
        }
        assert_eq!(cache.0.len(), MOST_MESHES);
        assert!(matches!(cache.consult(&key(5), 1000), Advice::Walk));
        cache.consult(&key(1000), MOST_TRIANGLES);
        assert_eq!(cache.0.len(), 1, "a mesh that is too large alone is still remembered");
    }

    #[test]
    fn a_mesh_is_known_by_its_contents_too() {
        let positions = vec![[0.0, 1.0, 2.0]; 900];
        let indices: Vec<u32> = (0..900).collect();
        let key = |positions: &[[f32; 3]], indices: &[u32]| {
            Key::of(&Triangles { positions, uvs: &[[0.0; 2]; 900], indices: Indices::U32(indices) })
        };
        let before = key(&positions, &indices);
        let mut positions = positions;
        assert_eq!(key(&positions, &indices), before);
        positions.iter_mut().for_each(|at| at[1] += 1e-6);
        assert_ne!(key(&positions, &indices), before, "rewritten in place");
    }

    #[test]
    fn samples_reach_both_ends() {
        assert_eq!(spread(0).count(), 0);
        assert_eq!(spread(1).collect::<Vec<_>>(), [0]);
        let some: Vec<_> = spread(100_000).collect();
        assert_eq!((some.len(), some[0], some[SAMPLES - 1]), (SAMPLES, 0, 99_999));
    }
}
