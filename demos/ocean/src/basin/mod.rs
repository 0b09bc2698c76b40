//! The land around the waters that have a shore: a lake, a river and a swamp.
//!
//! The open seas have no bed. These three do, so that what the water does with a bed is there to see: refraction, a depth that takes
//! the colours one after the other, caustics, and foam where stones and posts stand in it. Everything is computed: the ground is a
//! height for every point ([`Site::ground`], which the camera asks too, and the physics), the rest is a heap of simple bodies with colours in their
//! vertices. One mesh for each, one material for both.

mod bodies;
mod ground;
mod growth;
mod shelf;

use crate::Machine;
use crate::scene::Run;
use avian3d::prelude::RigidBody;
use bevy::prelude::*;
use bevy_ocean::Preset;

/// A water with a shore. Its level is at 0 m, its middle at the origin; the Grid presets' square of 200 m lies over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// A small lake among wooded hills, with a jetty.
    Lake,
    /// A stony river, which comes from −x and goes to +x.
    River,
    /// Shallow brown water among trunks.
    Swamp,
}

impl Site {
    /// The land of a preset; the open seas have none.
    pub fn of(preset: Preset) -> Option<Self> {
        match preset {
            Preset::CalmLake => Some(Self::Lake),
            Preset::River => Some(Self::River),
            Preset::Swamp => Some(Self::Swamp),
            Preset::Ocean | Preset::StormyOcean | Preset::Tropical | Preset::Arctic => None,
        }
    }

    /// Height of the ground at x, z, m above the water's level.
    pub fn ground(self, at: Vec2) -> f32 {
        ground::height(self, at)
    }
}

pub(crate) use bodies::Bodies;
pub(crate) use ground::hash;

/// What belongs to the land that stands.
#[derive(Component)]
struct Land;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, raise.run_if(resource_changed::<Run>));
}

/// Makes the land of the preset, and takes that of the last one away.
fn raise(
    mut commands: Commands,
    run: Res<Run>,
    machine: Res<Machine>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    land: Query<Entity, With<Land>>,
    mut stands: Local<Option<Site>>,
) {
    let site = Site::of(run.preset);
    if *stands == site {
        return;
    }
    *stands = site;
    for land in &land {
        commands.entity(land).despawn();
    }
    let Some(site) = site else {
        return;
    };
    let material = materials.add(StandardMaterial { perceptual_roughness: 0.92, reflectance: 0.25, ..default() });
    for mesh in [ground::mesh(site, *machine), growth::mesh(site, *machine)] {
        commands.spawn((Land, Mesh3d(meshes.add(mesh)), MeshMaterial3d(material.clone())));
    }
    commands.spawn((Land, RigidBody::Static, shelf::collider(site), Transform::default()));
}
