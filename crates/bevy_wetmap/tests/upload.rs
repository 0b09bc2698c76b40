//! Uploads by rows, on a real device: what is sent, that nothing is made anew for it, and that the GPU ends up with the picture.
#![cfg(feature = "render")]

use bevy::app::PluginGroup;
use bevy::asset::RenderAssetUsages;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::error_handler::{ErrorType, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::gpu_readback::{Readback, ReadbackComplete};
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{TextureId, TextureUsages, TextureViewId};
use bevy::render::renderer::{RenderDevice, RenderInstance};
use bevy::render::settings::RenderCreation;
use bevy::render::texture::GpuImage;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_wetmap::{RowUploadPlugin, RowUploads, StainShape, WetCanvas, WetSettings, WetmapPlugin};
use std::sync::{Arc, Mutex};

const SIZE: u32 = 128;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .disable::<WinitPlugin>()
            .disable::<PipelinedRenderingPlugin>()
            .disable::<LogPlugin>(),
    )
    .add_plugins((WetmapPlugin, RowUploadPlugin));
    app.finish();
    app.cleanup();
    app
}

/// A canvas whose two images can be read back.
fn spawn(app: &mut App) -> Entity {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let canvas = WetCanvas::new(&mut images, SIZE, [0.7; 3], 0.5);
    for image in [canvas.albedo(), canvas.roughness()] {
        let mut image = images.get_mut(&image).expect("it was just made");
        image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        image.asset_usage = RenderAssetUsages::all();
    }
    app.world_mut().spawn(canvas).id()
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
    paint(&mut app, entity, 0.2, 0);
    (0..5).for_each(|_| app.update());
    assert_eq!(uploads(&app), RowUploads::default(), "at first the images go whole");
    assert_on_gpu(&mut app, entity);

    let objects = |app: &App| {
        let instance = app.sub_app(RenderApp).world().resource::<RenderInstance>();
        let report = instance.generate_report().expect("a native instance reports");
        let hub = report.hub_report();
        [&hub.textures, &hub.texture_views, &hub.bind_groups, &hub.samplers].map(|registry| registry.num_allocated)
    };
    let (before, made) = (objects(&app), texture(&app, entity));
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
    }
    assert_eq!(texture(&app, entity), made, "the textures are those of the start");
    assert_eq!(objects(&app), before, "textures, views, bind groups, samplers");
    assert_on_gpu(&mut app, entity);
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
