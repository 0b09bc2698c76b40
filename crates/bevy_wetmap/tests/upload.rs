//! Uploads by rows, on a real device: what is sent, that nothing is made anew for it, and that the GPU ends up with the picture.
//!
//! What is sent whole is asked of Bevy and not of the plugin: a system between the plugin's and Bevy's own looks which images Bevy still has to send.
#![cfg(feature = "render")]

use bevy::app::PluginGroup;
use bevy::asset::{AssetId, RenderAssetUsages};
use bevy::log::LogPlugin;
use bevy::pbr::{MaterialBindGroupAllocators, PreparedMaterial};
use bevy::prelude::*;
use bevy::render::erased_render_asset::ErasedRenderAssets;
use bevy::render::error_handler::{ErrorType, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::gpu_readback::{Readback, ReadbackComplete};
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_asset::{ExtractedAssets, RenderAssets, prepare_assets};
use bevy::render::render_resource::{BindGroupId, TextureId, TextureUsages, TextureViewId};
use bevy::render::renderer::{RenderDevice, RenderInstance};
use bevy::render::settings::RenderCreation;
use bevy::render::texture::GpuImage;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_wetmap::{RowUploadPlugin, RowUploadSystems, RowUploads, StainShape, WetCanvas, WetSettings, Wetmap, WetmapPlugin};
use std::any::TypeId;
use std::sync::{Arc, Mutex};

const SIZE: u32 = 128;

fn app() -> App {
    let mut app = App::new();
    add_defaults(&mut app);
    app.add_plugins((WetmapPlugin, RowUploadPlugin));
    begin(app)
}

fn add_defaults(app: &mut App) {
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .disable::<WinitPlugin>()
            .disable::<PipelinedRenderingPlugin>()
            .disable::<LogPlugin>(),
    );
}

fn begin(mut app: App) -> App {
    let note = note_whole.in_set(RenderSystems::PrepareAssets).after(RowUploadSystems).before(prepare_assets::<GpuImage>);
    app.sub_app_mut(RenderApp).init_resource::<Whole>().add_systems(Render, note);
    app.finish();
    app.cleanup();
    app
}

/// The images of canvases that Bevy was left to send whole, each time.
#[derive(Resource, Default)]
struct Whole {
    canvases: Vec<AssetId<Image>>,
    sent: Vec<AssetId<Image>>,
}

fn note_whole(extracted: Res<ExtractedAssets<GpuImage>>, mut whole: ResMut<Whole>) {
    let Whole { canvases, sent } = &mut *whole;
    sent.extend(extracted.extracted.iter().map(|(id, _)| *id).filter(|id| canvases.contains(id)));
}

/// How many images were sent whole since this was last asked.
fn sent_whole(app: &mut App) -> usize {
    app.sub_app_mut(RenderApp).world_mut().resource_mut::<Whole>().sent.drain(..).count()
}

/// A canvas whose two images can be read back.
fn spawn(app: &mut App) -> Entity {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let canvas = WetCanvas::new(&mut images, SIZE, [0.7; 3], 0.5);
    let handles = [canvas.albedo(), canvas.roughness()];
    for image in &handles {
        let mut image = images.get_mut(image).expect("it was just made");
        image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        image.asset_usage = RenderAssetUsages::all();
    }
    let mut whole = app.sub_app_mut(RenderApp).world_mut().resource_mut::<Whole>();
    whole.canvases.extend(handles.iter().map(Handle::id));
    app.world_mut().spawn(canvas).id()
}

/// Puts the canvas on a mesh, as one is used.
fn dress(app: &mut App, entity: Entity) {
    let canvas = app.world().get::<WetCanvas>(entity).expect("spawned");
    let material = StandardMaterial {
        base_color_texture: Some(canvas.albedo()),
        metallic_roughness_texture: Some(canvas.roughness()),
        ..default()
    };
    let material = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(material);
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(Sphere::new(0.5));
    app.world_mut().entity_mut(entity).insert((Mesh3d(mesh), MeshMaterial3d(material)));
}

/// The bind group that the mesh is drawn with: the material's, which holds both textures. It is prepared whether or not a camera looks.
fn bind_group(app: &App, entity: Entity) -> Option<BindGroupId> {
    let material = app.world().get::<MeshMaterial3d<StandardMaterial>>(entity)?.id().untyped();
    let world = app.sub_app(RenderApp).world();
    let group = world.resource::<ErasedRenderAssets<PreparedMaterial>>().get(material)?.binding.group;
    let allocator = world.resource::<MaterialBindGroupAllocators>().get(&TypeId::of::<StandardMaterial>())?;
    Some(allocator.get(group)?.bind_group()?.id())
}

fn canvas(app: &App, entity: Entity) -> &WetCanvas {
    app.world().get::<WetCanvas>(entity).expect("spawned")
}

fn canvas_mut(app: &mut App, entity: Entity) -> Mut<'_, WetCanvas> {
    app.world_mut().get_mut::<WetCanvas>(entity).expect("spawned")
}

fn paint(app: &mut App, entity: Entity, v: f32, tick: u32) {
    let shape = StainShape { major: 0.03, minor: 0.02, spines: 0, satellites: 0, direction: [0.0, 1.0], seed: 5 };
    let mut canvas = app.world_mut().get_mut::<WetCanvas>(entity).expect("spawned");
    assert!(canvas.paint_uv(Vec2::new(0.5, v), &shape, tick));
}

fn tick(app: &mut App, entity: Entity, number: u32) {
    let settings = *app.world().resource::<WetSettings>();
    app.world_mut().get_mut::<WetCanvas>(entity).expect("spawned").tick(number, Vec2::Y, &settings);
}

fn uploads(app: &App) -> RowUploads {
    *app.sub_app(RenderApp).world().resource::<RowUploads>()
}

/// The texture of a canvas' colours, and its view.
fn texture(app: &App, entity: Entity) -> Option<(TextureId, TextureViewId)> {
    let image = app.world().get::<WetCanvas>(entity).expect("spawned").albedo().id();
    let images = app.sub_app(RenderApp).world().resource::<RenderAssets<GpuImage>>();
    images.get(image).map(|image| (image.texture.id(), image.texture_view.id()))
}

/// What the GPU has of both images.
fn on_gpu(app: &mut App, entity: Entity) -> [Vec<u8>; 2] {
    let canvas = app.world().get::<WetCanvas>(entity).expect("spawned");
    [canvas.albedo(), canvas.roughness()].map(|image| {
        let bytes = Arc::new(Mutex::new(None));
        let store = bytes.clone();
        let keep = move |data: On<ReadbackComplete>| *store.lock().expect("no reader panics") = Some(data.data.clone());
        let reader = app.world_mut().spawn(Readback::texture(image)).observe(keep).id();
        for _ in 0..200 {
            app.update();
            if let Some(bytes) = bytes.lock().expect("no writer panics").take() {
                app.world_mut().despawn(reader);
                return bytes;
            }
        }
        panic!("nothing came back");
    })
}

fn assert_on_gpu(app: &mut App, entity: Entity) {
    let read = on_gpu(app, entity);
    let map = app.world().get::<WetCanvas>(entity).expect("spawned").map();
    assert!(!map.is_dirty(), "everything was flushed");
    assert!(read[0] == map.albedo_bytes(), "the GPU has another colour than the canvas");
    assert!(read[1] == map.roughness_bytes(), "the GPU has another roughness than the canvas");
}

#[test]
fn only_what_changed_is_sent_and_nothing_is_made_for_it() {
    let mut app = app();
    let entity = spawn(&mut app);
    dress(&mut app, entity);
    paint(&mut app, entity, 0.2, 0);
    (0..5).for_each(|_| app.update());
    let whole = RowUploads { whole_images: 2, whole_bytes: u64::from(SIZE * SIZE) * 8, ..default() };
    assert_eq!((uploads(&app), sent_whole(&mut app)), (whole, 2), "at first the images go whole");
    assert_on_gpu(&mut app, entity);

    let objects = |app: &App| {
        let instance = app.sub_app(RenderApp).world().resource::<RenderInstance>();
        let report = instance.generate_report().expect("a native instance reports");
        let hub = report.hub_report();
        [&hub.textures, &hub.texture_views, &hub.bind_groups, &hub.samplers].map(|registry| registry.num_allocated)
    };
    let (before, made, group) = (objects(&app), texture(&app, entity), bind_group(&app, entity));
    assert!(group.is_some(), "the material is prepared");
    for number in 1..100 {
        tick(&mut app, entity, number);
        if number % 10 == 0 {
            paint(&mut app, entity, 0.2 + 0.006 * number as f32, number);
        }
        let rows = app.world().get::<WetCanvas>(entity).expect("spawned").map().changed_rows().clone();
        let sent = uploads(&app);
        app.update();
        let now = uploads(&app);
        let bytes = u64::from(rows.count()) * u64::from(SIZE) * 8;
        assert_eq!(now.bytes - sent.bytes, bytes, "tick {number}: {} rows changed", rows.count());
        assert!(rows.count() < SIZE / 2, "tick {number}: {} rows changed", rows.count());
        assert_eq!(sent_whole(&mut app), 0, "tick {number}: Bevy sends none of it again");
        assert_eq!(bind_group(&app, entity), group, "tick {number}: the material's bind group");
    }
    assert_eq!((uploads(&app).whole_images, uploads(&app).whole_bytes), (whole.whole_images, whole.whole_bytes));
    assert_eq!(texture(&app, entity), made, "the textures are those of the start");
    assert_eq!(objects(&app), before, "textures, views, bind groups, samplers");
    assert_on_gpu(&mut app, entity);
}

/// That the tests above and below could fail: without the plugin Bevy sends both images whole each time.
#[test]
fn without_the_plugin_images_go_whole() {
    let mut app = App::new();
    add_defaults(&mut app);
    app.add_plugins(WetmapPlugin);
    let mut app = begin(app);
    let entity = spawn(&mut app);
    (0..5).for_each(|_| app.update());
    for number in 0..3 {
        sent_whole(&mut app);
        paint(&mut app, entity, 0.2 + 0.2 * number as f32, number);
        app.update();
        assert_eq!(sent_whole(&mut app), 2);
    }
    assert_on_gpu(&mut app, entity);
}

#[test]
fn the_plugin_may_come_before_the_renderer() {
    let mut app = App::new();
    app.add_plugins((WetmapPlugin, RowUploadPlugin));
    add_defaults(&mut app);
    let mut app = begin(app);
    let entity = spawn(&mut app);
    (0..5).for_each(|_| app.update());
    sent_whole(&mut app);
    paint(&mut app, entity, 0.3, 1);
    app.update();
    assert_eq!((uploads(&app).images, sent_whole(&mut app)), (2, 0));
    assert_on_gpu(&mut app, entity);
}

#[test]
fn painting_what_is_there_already_sends_nothing() {
    let mut app = app();
    let entity = spawn(&mut app);
    // Until every texel of the stain is full: it never ages, as nothing ticks.
    (0..300).for_each(|_| paint(&mut app, entity, 0.2, 0));
    (0..5).for_each(|_| app.update());
    sent_whole(&mut app);
    let before = uploads(&app);
    paint(&mut app, entity, 0.2, 7);
    assert_eq!((canvas(&app, entity).dirty_since(), canvas(&app, entity).map().changed_rows().count()), (Some(7), 0));
    (0..3).for_each(|_| app.update());
    assert!(!canvas(&app, entity).is_dirty());
    assert_eq!((uploads(&app), sent_whole(&mut app)), (before, 0));
    assert_on_gpu(&mut app, entity);
}

/// Back by a frame, every frame, as a netcode game does it.
#[test]
fn going_back_sends_what_differs_and_the_gpu_has_the_earlier_picture() {
    let mut app = app();
    let entity = spawn(&mut app);
    for (v, number) in [(0.2, 0), (0.5, 1), (0.8, 2)] {
        paint(&mut app, entity, v, number);
        tick(&mut app, entity, number);
        app.update();
    }
    (0..3).for_each(|_| app.update());
    let ways: [fn(&mut WetCanvas, &WetCanvas); 6] = [
        |canvas, saved| canvas.restore(saved, 9),
        |canvas, saved| canvas.clone_from(saved),
        |canvas, saved| canvas.replace(&Wetmap::load(&saved.map().save()).expect("it was just saved"), 9),
        |canvas, saved| *canvas.map_mut() = saved.map().clone(),
        |canvas, saved| canvas.map_mut().clone_from(saved.map()),
        |canvas, saved| *canvas = saved.clone(),
    ];
    for (way, go_back) in ways.into_iter().enumerate() {
        let saved = canvas(&app, entity).clone();
        paint(&mut app, entity, 0.35, 3);
        app.update();
        let (before, _) = (uploads(&app), sent_whole(&mut app));
        go_back(&mut canvas_mut(&mut app, entity), &saved);
        assert!(canvas(&app, entity).is_dirty());
        app.update();
        let (now, rows) = (uploads(&app), 0.03 * SIZE as f32 + 2.0);
        assert_eq!(sent_whole(&mut app), 0, "way {way}");
        // What a clone is put in place of is not known to it: its rows are all sent, once.
        let most = if way == 5 { u64::from(SIZE) } else { rows as u64 };
        assert!((2..=2 * most).contains(&(now.rows - before.rows)), "way {way}: {} rows", now.rows - before.rows);
        assert_eq!(now.bytes - before.bytes, (now.rows - before.rows) * u64::from(SIZE) * 4);
        assert_on_gpu(&mut app, entity);
        assert_eq!(canvas(&app, entity).digest(), saved.digest());
    }
}

/// Descriptors that do not allow rows to be written: a texture that was made from bytes allows it all the same, one that was made before
/// there were bytes does not.
#[test]
fn a_texture_that_takes_no_rows_is_left_to_bevy() {
    let mut app = app();
    let (from_bytes, without) = (spawn(&mut app), spawn(&mut app));
    for (entity, has_bytes) in [(from_bytes, true), (without, false)] {
        let canvas = canvas(&app, entity);
        for image in [canvas.albedo(), canvas.roughness()] {
            let mut images = app.world_mut().resource_mut::<Assets<Image>>();
            let mut image = images.get_mut(&image).expect("spawned");
            image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC;
            image.data = image.data.take().filter(|_| has_bytes);
        }
    }
    (0..5).for_each(|_| app.update());
    let canvas = canvas(&app, without);
    for image in [canvas.albedo(), canvas.roughness()] {
        let mut images = app.world_mut().resource_mut::<Assets<Image>>();
        images.get_mut(&image).expect("spawned").data = Some(vec![0; (SIZE * SIZE * 4) as usize]);
    }
    for (v, number) in [(0.2, 0), (0.6, 1)] {
        for entity in [from_bytes, without] {
            paint(&mut app, entity, v, number);
        }
        (0..2).for_each(|_| app.update());
    }
    for entity in [from_bytes, without] {
        assert_on_gpu(&mut app, entity);
    }
}

#[test]
fn two_flushes_in_a_frame_are_both_sent() {
    let mut app = app();
    let entity = spawn(&mut app);
    (0..5).for_each(|_| app.update());
    for (v, number) in [(0.1, 1), (0.5, 2), (0.9, 3)] {
        paint(&mut app, entity, v, number);
        let world = app.world_mut();
        world.resource_scope(|world, mut images: Mut<Assets<Image>>| {
            assert!(world.get_mut::<WetCanvas>(entity).expect("spawned").flush(&mut images));
        });
    }
    app.update();
    assert_on_gpu(&mut app, entity);
    assert!(uploads(&app).images == 2 && uploads(&app).rows < u64::from(SIZE));
}

#[test]
fn an_image_that_was_away_comes_back_whole() {
    let mut app = app();
    let entity = spawn(&mut app);
    paint(&mut app, entity, 0.2, 0);
    (0..5).for_each(|_| app.update());
    let albedo = app.world().get::<WetCanvas>(entity).expect("spawned").albedo();
    let taken = app.world_mut().resource_mut::<Assets<Image>>().remove(&albedo).expect("it is there");
    paint(&mut app, entity, 0.8, 1);
    (0..3).for_each(|_| app.update());
    assert!(app.world().get::<WetCanvas>(entity).expect("spawned").is_dirty());
    // Someone else's picture in its place.
    let mut other = taken;
    other.data = Some(vec![7; (SIZE * SIZE * 4) as usize]);
    app.world_mut().resource_mut::<Assets<Image>>().insert(albedo.id(), other).expect("the handle is alive");
    (0..5).for_each(|_| app.update());
    assert_on_gpu(&mut app, entity);
}

#[test]
fn a_new_device_after_a_lost_one_gets_everything() {
    let mut app = app();
    app.insert_resource(RenderErrorHandler(|error, _, _| match error.ty {
        ErrorType::DeviceLost => RenderErrorPolicy::Recover(RenderCreation::default()),
        _ => panic!("{}", error.description),
    }));
    let entity = spawn(&mut app);
    paint(&mut app, entity, 0.2, 0);
    (0..5).for_each(|_| app.update());
    let lost = texture(&app, entity);
    let device = app.world().resource::<RenderDevice>().clone();
    device.wgpu_device().destroy();
    // It is told of when somebody asks the device.
    let _ = device.poll(wgpu::PollType::Poll);
    // What is flushed while there is no device goes nowhere, and is not forgotten.
    for number in 1..30 {
        if number % 5 == 0 {
            paint(&mut app, entity, 0.03 * number as f32, number);
        }
        tick(&mut app, entity, number);
        app.update();
    }
    for _ in 0..500 {
        app.update();
        if texture(&app, entity).is_some_and(|texture| Some(texture) != lost) {
            break;
        }
    }
    let before = uploads(&app);
    assert_on_gpu(&mut app, entity);
    tick(&mut app, entity, 30);
    (0..3).for_each(|_| app.update());
    assert_on_gpu(&mut app, entity);
    assert!(uploads(&app).images >= before.images + 2, "rows are sent again");
}

#[test]
fn a_canvas_that_is_gone_leaves_nothing_waiting() {
    let mut app = app();
    let kept = spawn(&mut app);
    for number in 0..5 {
        let entity = spawn(&mut app);
        paint(&mut app, entity, 0.5, number);
        app.update();
        app.world_mut().despawn(entity);
        app.update();
    }
    paint(&mut app, kept, 0.5, 9);
    (0..3).for_each(|_| app.update());
    assert_on_gpu(&mut app, kept);
}
