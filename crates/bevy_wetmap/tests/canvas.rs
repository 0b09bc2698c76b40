//! The component: meshes, images, and what may go wrong with either.
#![cfg(feature = "bevy")]

use bevy::asset::RenderAssetUsages;
use bevy::log::tracing;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy_wetmap::{MAX_SIZE, SizeError, StainShape, WetCanvas, WetSettings, Wetmap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const SHAPE: StainShape = StainShape { major: 0.1, minor: 0.1, spines: 0, satellites: 0, direction: [0.0, 1.0], seed: 7 };

fn canvas(images: &mut Assets<Image>, size: u32) -> WetCanvas {
    WetCanvas::new(images, size, [0.78, 0.66, 0.60], 0.55)
}

/// A unit square in the plane z, facing +z, with u to the right and v down.
fn square(z: f32) -> (Vec<[f32; 3]>, Vec<[f32; 2]>, Vec<u32>) {
    let positions = vec![[-0.5, 0.5, z], [0.5, 0.5, z], [0.5, -0.5, z], [-0.5, -0.5, z]];
    let uvs = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    (positions, uvs, vec![0, 1, 2, 0, 2, 3])
}

fn mesh(positions: Vec<[f32; 3]>, uvs: Vec<[f32; 2]>, indices: Option<Indices>) -> Mesh {
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs);
    match indices {
        Some(indices) => mesh.with_inserted_indices(indices),
        None => mesh,
    }
}

/// The texel with the most blood.
fn wettest(canvas: &WetCanvas) -> (u32, u32) {
    let size = canvas.size();
    let texels = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    // The first of equals is the top left of the middle, so a mask of odd width has one.
    texels.max_by_key(|&(x, y)| (canvas.amount_at(x, y), std::cmp::Reverse((y, x)))).expect("a canvas has texels")
}

fn shoot(canvas: &mut WetCanvas, mesh: &Mesh, at: Transform, muzzle: Vec3, direction: Vec3) -> bool {
    let point = StainShape { major: 0.0, ..SHAPE };
    canvas.paint_world(mesh, &GlobalTransform::from(at), muzzle, direction, &point, 0)
}

#[test]
fn every_way_of_indexing_gives_the_same_hit() {
    let (positions, uvs, indices) = square(0.0);
    let flat = |list: &[u32]| -> (Vec<_>, Vec<_>) { list.iter().map(|&i| (positions[i as usize], uvs[i as usize])).unzip() };
    let (flat_positions, flat_uvs) = flat(&indices);
    let narrow = Indices::U16(indices.iter().map(|&i| i as u16).collect());
    let meshes = [
        mesh(positions.clone(), uvs.clone(), Some(Indices::U32(indices))),
        mesh(positions.clone(), uvs.clone(), Some(narrow)),
        mesh(flat_positions, flat_uvs, None),
    ];
    for mesh in &meshes {
        let mut canvas = canvas(&mut Assets::default(), 16);
        assert!(shoot(&mut canvas, mesh, Transform::IDENTITY, Vec3::new(0.2, -0.3, 2.0), Vec3::NEG_Z));
        // u = 0.7, v = 0.8 on 16 texels.
        assert_eq!(wettest(&canvas), (11, 12));
    }
}

#[test]
fn the_nearest_of_two_is_hit_and_a_tie_goes_to_the_earlier() {
    let (mut positions, mut uvs, _) = square(0.0);
    let (near, mut near_uvs, _) = square(0.5);
    // The nearer one has its texture turned by half, so that the texel tells which was hit.
    near_uvs.iter_mut().for_each(|uv| *uv = [1.0 - uv[0], 1.0 - uv[1]]);
    positions.extend(near);
    uvs.extend(near_uvs);
    let both = mesh(positions.clone(), uvs.clone(), Some(Indices::U32(vec![0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7])));
    let hit = |mesh: &Mesh, z: f32, direction| {
        let mut canvas = canvas(&mut Assets::default(), 16);
        assert!(shoot(&mut canvas, mesh, Transform::IDENTITY, Vec3::new(0.2, -0.3, z), direction));
        wettest(&canvas)
    };
    assert_eq!(hit(&both, 2.0, Vec3::NEG_Z), (4, 3), "the nearer, though it comes later");
    assert_eq!(hit(&both, -2.0, Vec3::Z), (11, 12), "from behind the other is nearer");
    for position in &mut positions {
        position[2] = 0.0;
    }
    let tied = mesh(positions, uvs, Some(Indices::U32(vec![4, 5, 6, 4, 6, 7, 0, 1, 2, 0, 2, 3])));
    assert_eq!(hit(&tied, 2.0, Vec3::NEG_Z), (4, 3), "the earlier in index order");
}

#[test]
fn the_actor_can_be_anywhere() {
    let (positions, uvs, indices) = square(0.0);
    let mesh = mesh(positions, uvs, Some(Indices::U32(indices)));
    let place = Transform::from_xyz(5.0, -3.0, 2.0)
        .with_rotation(Quat::from_euler(EulerRot::XYZ, 0.4, -1.1, 0.3))
        .with_scale(Vec3::new(2.0, 0.5, -3.0));
    let global = GlobalTransform::from(place);
    let target = global.transform_point(Vec3::new(0.2, -0.3, 0.0));
    let muzzle = target + Vec3::new(1.0, 2.0, 3.0);
    let mut canvas = canvas(&mut Assets::default(), 16);
    assert!(shoot(&mut canvas, &mesh, place, muzzle, (target - muzzle) * 0.01), "any length of direction");
    assert_eq!(wettest(&canvas), (11, 12));
    assert!(!shoot(&mut canvas, &mesh, place, muzzle, muzzle - target), "away from it");
    let flat = Transform::from_scale(Vec3::new(1.0, 0.0, 1.0));
    assert!(!shoot(&mut canvas, &mesh, flat, Vec3::Z, Vec3::NEG_Z), "squashed flat");
}

#[test]
fn what_cannot_be_painted_is_refused() {
    let (positions, uvs, indices) = square(0.0);
    let good = mesh(positions.clone(), uvs.clone(), Some(Indices::U32(indices.clone())));
    let strip = {
        let strip = Mesh::new(PrimitiveTopology::TriangleStrip, RenderAssetUsages::default());
        strip
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions.clone())
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs.clone())
    };
    let without = |attribute: bevy::mesh::MeshVertexAttribute| {
        let mut mesh = good.clone();
        mesh.remove_attribute(attribute);
        mesh
    };
    let nan = mesh(positions, vec![[f32::NAN; 2]; 4], Some(Indices::U32(indices)));
    let empty = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
    let bad = [strip, without(Mesh::ATTRIBUTE_UV_0), without(Mesh::ATTRIBUTE_POSITION), nan, empty];
    let mut images = Assets::default();
    let mut canvas = canvas(&mut images, 16);
    let clean = canvas.digest();
    for mesh in &bad {
        assert!(!shoot(&mut canvas, mesh, Transform::IDENTITY, Vec3::Z, Vec3::NEG_Z));
    }
    for nonsense in [f32::NAN, f32::INFINITY] {
        assert!(!shoot(&mut canvas, &good, Transform::IDENTITY, Vec3::splat(nonsense), Vec3::NEG_Z));
        assert!(!shoot(&mut canvas, &good, Transform::IDENTITY, Vec3::Z, Vec3::splat(nonsense)));
        assert!(!shoot(&mut canvas, &good, Transform::from_xyz(nonsense, 0.0, 0.0), Vec3::Z, Vec3::NEG_Z));
    }
    assert_eq!((canvas.digest(), canvas.is_dirty()), (clean, false));
    assert!(shoot(&mut canvas, &good, Transform::IDENTITY, Vec3::Z, Vec3::NEG_Z), "and the canvas still works");
}

/// Counts what is warned of in this thread.
struct Warnings(Arc<AtomicUsize>);

impl tracing::Subscriber for Warnings {
    fn enabled(&self, metadata: &tracing::Metadata) -> bool {
        *metadata.level() == tracing::Level::WARN && metadata.target().starts_with("bevy_wetmap")
    }
    fn new_span(&self, _: &tracing::span::Attributes) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, _: &tracing::Event) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[test]
fn sizes_out_of_range_are_clamped_with_a_warning_or_refused() {
    let made = |size| {
        let warned = Arc::new(AtomicUsize::new(0));
        let size = tracing::subscriber::with_default(Warnings(warned.clone()), || canvas(&mut Assets::default(), size).size());
        (size, warned.load(Ordering::Relaxed))
    };
    assert_eq!(made(0), (1, 1));
    assert_eq!(made(MAX_SIZE + 1), (MAX_SIZE, 1));
    assert_eq!(made(17), (17, 0));
    let refused = |size| WetCanvas::try_new(&mut Assets::default(), size, [0.5; 3], 0.5).err();
    assert_eq!(refused(0), Some(SizeError::Zero));
    assert_eq!(refused(MAX_SIZE + 1), Some(SizeError::TooLarge { size: MAX_SIZE + 1 }));
    assert_eq!(refused(17), None);
}

#[test]
fn flush_writes_both_images_and_only_when_something_changed() {
    let mut images = Assets::default();
    let mut canvas = canvas(&mut images, 32);
    let bytes = |images: &Assets<Image>, canvas: &WetCanvas| {
        let data =
            |handle: Handle<Image>| images.get(&handle).and_then(|image| image.data.clone()).expect("the image has bytes");
        (data(canvas.albedo()), data(canvas.roughness()))
    };
    let before = bytes(&images, &canvas);
    assert_eq!(
        before,
        (canvas.map().albedo_bytes().to_vec(), canvas.map().roughness_bytes().to_vec()),
        "born with the dry surface"
    );
    assert!(!canvas.flush(&mut images), "clean");
    canvas.paint_uv(Vec2::new(0.5, 0.5), &SHAPE, 3);
    assert_eq!(canvas.dirty_since(), Some(3));
    assert!(canvas.flush(&mut images));
    assert!(!canvas.is_dirty() && !canvas.flush(&mut images));
    let after = bytes(&images, &canvas);
    assert!(before.0 != after.0 && before.1 != after.1);
    assert_eq!(after, (canvas.map().albedo_bytes().to_vec(), canvas.map().roughness_bytes().to_vec()));
}

fn shows(images: &Assets<Image>, canvas: &WetCanvas) -> bool {
    let shown = |handle: Handle<Image>| images.get(&handle).and_then(|image| image.data.clone()).expect("the image has bytes");
    shown(canvas.albedo()) == canvas.map().albedo_bytes() && shown(canvas.roughness()) == canvas.map().roughness_bytes()
}

#[test]
fn painting_what_is_there_already_writes_nothing() {
    let mut images = Assets::<Image>::default();
    let mut canvas = canvas(&mut images, 32);
    let paint = |canvas: &mut WetCanvas| assert!(canvas.paint_uv(Vec2::splat(0.5), &SHAPE, 3));
    (0..300).for_each(|_| paint(&mut canvas));
    assert!(canvas.flush(&mut images));
    paint(&mut canvas);
    assert!(canvas.is_dirty(), "it was touched");
    assert!(!canvas.flush(&mut images) && !canvas.is_dirty());
    // But an image that somebody else has drawn in meanwhile is put right.
    paint(&mut canvas);
    images.get_mut(&canvas.albedo()).expect("it is there").data = Some(vec![7; 32 * 32 * 4]);
    assert!(canvas.flush(&mut images) && shows(&images, &canvas));
}

#[test]
fn whichever_way_a_canvas_goes_back_its_images_follow() {
    let settings = WetSettings::default();
    let ways: [fn(&mut WetCanvas, &WetCanvas); 7] = [
        |canvas, saved| canvas.restore(saved, 9),
        |canvas, saved| canvas.replace(saved.map(), 9),
        |canvas, saved| canvas.clone_from(saved),
        |canvas, saved| *canvas = saved.clone(),
        |canvas, saved| canvas.map_mut().clone_from(saved.map()),
        |canvas, saved| *canvas.map_mut() = Wetmap::load(&saved.map().save()).expect("it was just saved"),
        |canvas, saved| canvas.map_mut().restore(saved.map(), 9),
    ];
    for (way, go_back) in ways.into_iter().enumerate() {
        let mut images = Assets::<Image>::default();
        let mut canvas = canvas(&mut images, 32);
        canvas.paint_uv(Vec2::splat(0.5), &SHAPE, 1);
        canvas.tick(2, Vec2::Y, &settings);
        canvas.flush(&mut images);
        let saved = canvas.clone();
        for tick in 3..9 {
            canvas.paint_uv(Vec2::splat(0.1 * tick as f32), &SHAPE, tick);
            canvas.tick(tick, Vec2::Y, &settings);
            canvas.flush(&mut images);
        }
        assert!(shows(&images, &canvas) && canvas.digest() != saved.digest());
        go_back(&mut canvas, &saved);
        assert_eq!((canvas.digest(), canvas.is_dirty()), (saved.digest(), true), "way {way}");
        assert!(canvas.dirty_since().is_some_and(|tick| (2..=9).contains(&tick)), "way {way}: {:?}", canvas.dirty_since());
        assert!(canvas.flush(&mut images), "way {way}");
        assert!(shows(&images, &canvas) && !canvas.is_dirty(), "way {way}");
    }
}

#[test]
fn going_back_to_what_is_shown_asks_for_nothing() {
    let mut images = Assets::<Image>::default();
    let mut canvas = canvas(&mut images, 32);
    canvas.paint_uv(Vec2::splat(0.5), &SHAPE, 1);
    canvas.flush(&mut images);
    let saved = canvas.clone();
    canvas.restore(&saved, 2);
    assert!(!canvas.is_dirty());
    canvas = saved.clone();
    assert!(!canvas.flush(&mut images), "a clone looks");
    // Another actor's canvas brings its own images.
    let mut other = self::canvas(&mut images, 16);
    other.clone_from(&canvas);
    assert_eq!((other.albedo(), other.size()), (canvas.albedo(), 32));
}

#[test]
fn a_buffer_of_another_size_is_never_written() {
    let mut images = Assets::<Image>::default();
    let mut canvas = canvas(&mut images, 32);
    let other = Wetmap::new(16, [0.2; 3], 0.5).expect("a size within the limits");
    canvas.replace(&other, 4);
    assert_eq!(canvas.dirty_since(), Some(4));
    assert!(!canvas.flush(&mut images) && canvas.is_dirty());
}

#[test]
fn a_canvas_without_its_images_stays_dirty() {
    let mut images = Assets::<Image>::default();
    let mut canvas = canvas(&mut images, 8);
    canvas.paint_uv(Vec2::new(0.5, 0.5), &SHAPE, 0);
    let original = images.get(&canvas.roughness()).cloned().expect("made by new");

    let mut resized = original.clone();
    resized.resize(wgpu_types::Extent3d { width: 4, height: 16, depth_or_array_layers: 1 });
    let mut without_bytes = original.clone();
    without_bytes.data = None;
    for broken in [Some(resized), Some(without_bytes), None] {
        match broken {
            Some(broken) => drop(images.insert(canvas.roughness().id(), broken)),
            None => drop(images.remove(canvas.roughness().id())),
        }
        let albedo = images.get(&canvas.albedo()).and_then(|image| image.data.clone());
        assert!(!canvas.flush(&mut images) && canvas.is_dirty());
        let still = images.get(&canvas.albedo()).and_then(|image| image.data.clone());
        assert_eq!(albedo, still, "neither image is written alone");
    }
    images.insert(canvas.roughness().id(), original).expect("the slot is there");
    assert!(canvas.flush(&mut images) && !canvas.is_dirty(), "and is tried again");
}

#[test]
fn the_component_is_the_model() {
    let mut canvas = canvas(&mut Assets::default(), 64);
    let mut map = bevy_wetmap::Wetmap::new(64, [0.78, 0.66, 0.60], 0.55).expect("a size within the limits");
    let settings = WetSettings::default();
    for tick in 0..40 {
        let uv = Vec2::new(0.1 + 0.02 * tick as f32, 0.3);
        canvas.paint_uv(uv, &SHAPE, tick);
        map.paint_uv(uv.to_array(), &SHAPE, tick);
        canvas.tick(tick, Vec2::new(0.2, 1.0), &settings);
        map.tick(tick, [0.2, 1.0], &settings);
    }
    assert_eq!(canvas.digest(), map.digest());
    assert_eq!(canvas.wetted_area(), map.wetted_area());
    assert!(canvas.wetted_area() > 0.0);
}
