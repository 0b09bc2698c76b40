//! Blood on the buoys: each carries a [`WetCanvas`], which ticks on the main thread, 60 times a second, beside whatever the GPU does to the sea.
//!
//! Nothing of the water touches it: waves that wash over a buoy are no blood, and leave it alone.

use super::proof::Script;
use super::{Body, FLEET, Kind, Shapes, first_met};
use crate::keys::Action;
use crate::scene::DoActions;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_ocean::WaterTime;
use bevy_wetmap::bloodstain::{BloodSettings, Impact, hash_f32, stain_shape};
use bevy_wetmap::{RowUploadPlugin, WetCanvas, WetSettings, WetmapPlugin, WetmapSystems};

/// Texels along the edge of a buoy's canvas.
pub(super) const CANVAS_SIZE: u32 = 256;

/// Paint of a special mark: yellow.
const PAINT_SRGB: [f32; 3] = [0.88, 0.70, 0.12];
const PAINT_ROUGHNESS: f32 = 0.35;

/// How much of a new measurement goes into the running mean.
const SMOOTHING: f32 = 0.05;

/// A shot: a ray in the world.
#[derive(Message, Clone, Copy, Debug)]
pub(crate) struct Shot(pub Ray3d);

/// What the blood is at.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Blood {
    /// Ticks so far.
    pub tick: u32,
    /// Shots that left something on a buoy, and those that did not.
    pub hits: u32,
    pub misses: u32,
    /// Running mean of what a tick of all canvases takes on the main thread, ms.
    pub tick_ms: f32,
    /// Digest of the first buoy's canvas.
    pub digest: u64,
}

/// The dials: trails are to be opaque and edges sharp on a smooth and bright paint.
pub(super) fn settings() -> WetSettings {
    WetSettings { drip_rate: 0.62, spread_rate: 0.03, ..default() }
}

pub(super) fn clean_canvas(images: &mut Assets<Image>) -> WetCanvas {
    WetCanvas::new(images, CANVAS_SIZE, PAINT_SRGB, PAINT_ROUGHNESS)
}

pub(super) fn material_of(canvas: &WetCanvas) -> StandardMaterial {
    StandardMaterial {
        base_color_texture: Some(canvas.albedo()),
        metallic_roughness_texture: Some(canvas.roughness()),
        perceptual_roughness: 1.0,
        metallic: 1.0,
        ..default()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((WetmapPlugin, RowUploadPlugin))
        .insert_resource(settings())
        .init_resource::<Blood>()
        .add_systems(PreUpdate, (wash, shoot).chain().after(DoActions))
        .add_systems(FixedUpdate, tick)
        .add_systems(Update, digest.before(WetmapSystems));
}

/// A reset washes the buoys.
fn wash(
    mut actions: MessageReader<Action>,
    mut blood: ResMut<Blood>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut canvases: Query<(&mut WetCanvas, &MeshMaterial3d<StandardMaterial>)>,
) {
    if actions.read().filter(|action| **action == Action::Reset).count() > 0 {
        *blood = Blood { tick_ms: blood.tick_ms, ..default() };
        for (canvas, material) in &mut canvases {
            renew(canvas, material, &mut images, &mut materials);
        }
    }
}

/// A clean canvas in place of a buoy's.
pub(super) fn renew(
    mut canvas: Mut<WetCanvas>,
    material: &MeshMaterial3d<StandardMaterial>,
    images: &mut Assets<Image>,
    materials: &mut Assets<StandardMaterial>,
) {
    *canvas = clean_canvas(images);
    if let Some(mut material) = materials.get_mut(material) {
        *material = material_of(&canvas);
    }
}

/// A shot does not go through the boat.
fn shoot(
    mut shots: MessageReader<Shot>,
    mut blood: ResMut<Blood>,
    meshes: Res<Assets<Mesh>>,
    shapes: Shapes,
    mut buoys: Query<(&mut WetCanvas, &Mesh3d, &GlobalTransform), With<Body>>,
) {
    for Shot(ray) in shots.read() {
        let hit = first_met(*ray, &shapes).and_then(|(entity, _)| buoys.get_mut(entity).ok()).is_some_and(
            |(mut canvas, mesh, place)| {
                let seed = blood.hits.wrapping_mul(0x9E37_79B9) ^ 0x0CEA_0000;
                let impact = impact(seed);
                let shape = stain_shape(&impact, &BloodSettings::default(), seed);
                let mesh = meshes.get(mesh);
                mesh.is_some_and(|mesh| canvas.paint_world(mesh, place, ray.origin, *ray.direction, &shape, blood.tick))
            },
        );
        if hit {
            blood.hits += 1;
        } else {
            blood.misses += 1;
        }
    }
}

fn impact(seed: u32) -> Impact {
    Impact {
        speed: 10.0,
        diameter: 0.012 + 0.004 * hash_f32(seed ^ 0x2545_F491),
        angle_rad: 1.2,
        roughness: 0.25,
        travel: [0.0, 0.0],
    }
}

/// Down on a buoy's texture is down on the buoy. While the water stands, so does the blood.
fn tick(
    mut blood: ResMut<Blood>,
    mut script: ResMut<Script>,
    settings: Res<WetSettings>,
    water: Res<WaterTime>,
    mut canvases: Query<(&Body, &mut WetCanvas)>,
) {
    if water.paused {
        return;
    }
    let start = Instant::now();
    for (body, mut canvas) in &mut canvases {
        if body.0 == FIRST_BUOY {
            script.hit(&mut canvas);
        }
        canvas.tick(blood.tick, Vec2::Y, &settings);
        if body.0 == FIRST_BUOY {
            script.note(&canvas);
        }
    }
    let ms = start.elapsed().as_secs_f32() * 1e3;
    blood.tick_ms = if blood.tick == 0 { ms } else { blood.tick_ms + SMOOTHING * (ms - blood.tick_ms) };
    blood.tick = blood.tick.wrapping_add(1);
}

/// The buoy whose digest is shown and that the script paints.
pub(super) const FIRST_BUOY: usize = 0;
const _: () = assert!(matches!(FLEET[FIRST_BUOY].kind, Kind::Buoy));

/// Only what is about to be shown anew has another digest than before.
fn digest(mut blood: ResMut<Blood>, canvases: Query<(&Body, &WetCanvas)>) {
    for (_, canvas) in canvases.iter().filter(|(body, _)| body.0 == FIRST_BUOY) {
        if canvas.is_dirty() || blood.digest == 0 {
            blood.digest = canvas.digest();
        }
    }
}
