//! Reading a Bevy mesh as triangles with texture coordinates, and saying once why one cannot be.

use crate::ray::{Indices, Triangles};
use bevy::log::warn;
use bevy::mesh::{Indices as MeshIndices, Mesh, MeshAccessError, PrimitiveTopology, VertexAttributeValues};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

/// Why a mesh cannot be painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unpaintable {
    /// Its vertices live only in the render world.
    RenderWorldOnly,
    /// It is made of points, lines or strips.
    NotTriangleList,
    /// It has no positions, or not as `Float32x3`.
    NoPositions,
    /// It has no UV0, or not as `Float32x2`.
    NoUvs,
}

impl std::fmt::Display for Unpaintable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::RenderWorldOnly => "its data lives only in the render world; give it RenderAssetUsages::MAIN_WORLD as well",
            Self::NotTriangleList => "it is not a triangle list",
            Self::NoPositions => "it has no Float32x3 ATTRIBUTE_POSITION",
            Self::NoUvs => "it has no Float32x2 ATTRIBUTE_UV_0, so there is no texture to paint in",
        })
    }
}

/// The triangles of a mesh, borrowed.
pub(crate) fn triangles(mesh: &Mesh) -> Result<Triangles<'_>, Unpaintable> {
    if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
        return Err(Unpaintable::NotTriangleList);
    }
    let values = |id, missing| match mesh.try_attribute_option(id) {
        Ok(Some(values)) => Ok(values),
        Ok(None) => Err(missing),
        Err(MeshAccessError::NotFound) => Err(missing),
        Err(MeshAccessError::ExtractedToRenderWorld) => Err(Unpaintable::RenderWorldOnly),
    };
    let VertexAttributeValues::Float32x3(positions) = values(Mesh::ATTRIBUTE_POSITION, Unpaintable::NoPositions)? else {
        return Err(Unpaintable::NoPositions);
    };
    let VertexAttributeValues::Float32x2(uvs) = values(Mesh::ATTRIBUTE_UV_0, Unpaintable::NoUvs)? else {
        return Err(Unpaintable::NoUvs);
    };
    let indices = match mesh.try_indices_option() {
        Ok(Some(MeshIndices::U16(list))) => Indices::U16(list),
        Ok(Some(MeshIndices::U32(list))) => Indices::U32(list),
        Ok(None) | Err(MeshAccessError::NotFound) => Indices::None,
        Err(MeshAccessError::ExtractedToRenderWorld) => return Err(Unpaintable::RenderWorldOnly),
    };
    Ok(Triangles { positions, uvs, indices })
}

/// The meshes that were warned about lately. Bounded, because a game may make meshes for ever: past it the oldest is forgotten and
/// may be warned about again.
static WARNED: Mutex<Memo> = Mutex::new(Memo(VecDeque::new()));

const MEMO_LENGTH: usize = 256;

struct Memo(VecDeque<u64>);

impl Memo {
    /// Whether this key is new; it is remembered either way.
    fn insert(&mut self, key: u64) -> bool {
        if self.0.contains(&key) {
            return false;
        }
        if self.0.len() >= MEMO_LENGTH {
            self.0.pop_front();
        }
        self.0.push_back(key);
        true
    }
}

/// Warns that a mesh cannot be painted, the first time this mesh comes by. Returns whether it warned.
pub(crate) fn warn_once(mesh: &Mesh, why: Unpaintable) -> bool {
    let first = WARNED.lock().unwrap_or_else(PoisonError::into_inner).insert(fingerprint(mesh, why));
    if first {
        warn!("WetCanvas::paint_world: a mesh cannot be painted: {why}");
    }
    first
}

/// What tells one mesh from another. Its address does not: meshes move when their asset storage grows, and another may take the
/// place. So: the fault, the topology, the bounds, the attributes with their lengths, and the first positions. Two meshes that agree in
/// all of that share a warning, and one whose vertices are moved on the CPU is a new one.
fn fingerprint(mesh: &Mesh, why: Unpaintable) -> u64 {
    const POSITION_BYTES: usize = 768;
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(&why).hash(&mut hasher);
    std::mem::discriminant(&mesh.primitive_topology()).hash(&mut hasher);
    // All that a mesh keeps of its shape when its data has gone to the render world.
    let bounds = mesh.final_aabb.map(|bounds| [bounds.min, bounds.max].map(|corner| corner.to_array().map(f32::to_bits)));
    bounds.hash(&mut hasher);
    if let Ok(attributes) = mesh.try_attributes() {
        for (attribute, values) in attributes {
            attribute.name.hash(&mut hasher);
            values.len().hash(&mut hasher);
        }
    }
    if let Ok(Some(positions)) = mesh.try_attribute_option(Mesh::ATTRIBUTE_POSITION) {
        let bytes = positions.get_bytes();
        bytes[..bytes.len().min(POSITION_BYTES)].hash(&mut hasher);
    }
    if let Ok(Some(indices)) = mesh.try_indices_option() {
        indices.len().hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::asset::RenderAssetUsages;
    use bevy::mesh::{MeshVertexAttribute, VertexFormat};

    fn mesh(topology: PrimitiveTopology, first_x: f32) -> Mesh {
        Mesh::new(topology, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[first_x, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    }

    #[test]
    fn each_mesh_is_warned_about_once() {
        let one = mesh(PrimitiveTopology::TriangleList, 0.25);
        let other = mesh(PrimitiveTopology::TriangleList, 0.5);
        assert!(warn_once(&one, Unpaintable::NoUvs));
        assert!(!warn_once(&one, Unpaintable::NoUvs));
        assert!(!warn_once(&one.clone(), Unpaintable::NoUvs), "the same mesh elsewhere in memory");
        assert!(warn_once(&other, Unpaintable::NoUvs));
        assert!(!warn_once(&one, Unpaintable::NoUvs));
    }

    #[test]
    fn meshes_of_the_render_world_are_told_apart() {
        let gone = |first_x| {
            let mut mesh = mesh(PrimitiveTopology::TriangleList, first_x);
            drop(mesh.take_gpu_data());
            assert_eq!(triangles(&mesh).err(), Some(Unpaintable::RenderWorldOnly));
            mesh
        };
        assert!(warn_once(&gone(-0.25), Unpaintable::RenderWorldOnly));
        assert!(!warn_once(&gone(-0.25), Unpaintable::RenderWorldOnly));
        assert!(warn_once(&gone(-0.5), Unpaintable::RenderWorldOnly));
    }

    #[test]
    fn the_memo_is_bounded() {
        let mut memo = Memo(VecDeque::new());
        for key in 0..10_000 {
            assert!(memo.insert(key));
        }
        assert_eq!(memo.0.len(), MEMO_LENGTH);
        assert!(!memo.insert(9_999));
        assert!(memo.insert(0), "the oldest are forgotten");
    }

    #[test]
    fn each_fault_is_named() {
        let faults = [
            (mesh(PrimitiveTopology::TriangleStrip, 0.0), Unpaintable::NotTriangleList),
            (mesh(PrimitiveTopology::TriangleList, 0.0), Unpaintable::NoUvs),
            (Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default()), Unpaintable::NoPositions),
        ];
        for (mesh, fault) in faults {
            assert_eq!(triangles(&mesh).err(), Some(fault));
        }
        // UV0 by its identity, but of three components.
        let wrong = MeshVertexAttribute { format: VertexFormat::Float32x3, ..Mesh::ATTRIBUTE_UV_0 };
        let wrong_format = mesh(PrimitiveTopology::TriangleList, 0.0).with_inserted_attribute(wrong, vec![[0.0, 0.0, 0.0]; 3]);
        assert_eq!(triangles(&wrong_format).err(), Some(Unpaintable::NoUvs));
    }
}
