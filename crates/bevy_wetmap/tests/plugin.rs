//! The upload budget: who is uploaded when, and what the plugin does where something is missing.
#![cfg(feature = "bevy")]

use bevy::prelude::*;
use bevy_wetmap::{StainShape, WetCanvas, WetSettings, WetmapPlugin, WetmapSystems};
use proptest::prelude::*;

const SHAPE: StainShape = StainShape { major: 1.0, minor: 1.0, spines: 0, satellites: 0, direction: [0.0, 1.0], seed: 7 };

fn app(budget: u32) -> App {
    let mut app = App::new();
    app.add_plugins(WetmapPlugin).insert_resource(Assets::<Image>::default());
    app.world_mut().resource_mut::<WetSettings>().max_canvas_updates_per_tick = budget;
    app
}

fn spawn(app: &mut App) -> Entity {
    let mut images = app.world_mut().remove_resource::<Assets<Image>>().unwrap_or_default();
    let canvas = WetCanvas::new(&mut images, 2, [0.5; 3], 0.5);
    app.insert_resource(images);
    app.world_mut().spawn(canvas).id()
}

/// Makes a canvas dirty since `tick`: blood is added, or where it is full, everything is made anew.
fn dirty(app: &mut App, entity: Entity, tick: u32) {
    let mut canvas = app.world_mut().get_mut::<WetCanvas>(entity).expect("spawned");
    assert!(canvas.paint_uv(Vec2::splat(0.5), &SHAPE, tick));
}

fn is_dirty(app: &App, entity: Entity) -> bool {
    app.world().get::<WetCanvas>(entity).is_some_and(WetCanvas::is_dirty)
}

fn clean_among(app: &App, entities: &[Entity]) -> Vec<usize> {
    (0..entities.len()).filter(|&i| !is_dirty(app, entities[i])).collect()
}

#[test]
fn the_oldest_go_first_and_ties_by_entity() {
    let mut app = app(2);
    let mut entities: Vec<_> = (0..6).map(|_| spawn(&mut app)).collect();
    entities.sort();
    for (entity, tick) in entities.iter().zip([7, 3, 7, 9, 1, 7]) {
        dirty(&mut app, *entity, tick);
    }
    let expected: [&[usize]; 3] = [&[1, 4], &[0, 1, 2, 4], &[0, 1, 2, 3, 4, 5]];
    for clean in expected {
        app.update();
        assert_eq!(clean_among(&app, &entities), clean);
    }
}

#[test]
fn the_budget_holds_and_zero_is_nothing() {
    for budget in [0, 1, 4, 100] {
        let mut app = app(budget);
        let entities: Vec<_> = (0..10).map(|_| spawn(&mut app)).collect();
        entities.iter().for_each(|&entity| dirty(&mut app, entity, 0));
        app.update();
        assert_eq!(clean_among(&app, &entities).len(), budget.min(10) as usize);
    }
}

#[test]
fn a_missing_resource_is_not_a_panic() {
    let mut app = app(4);
    let entity = spawn(&mut app);
    dirty(&mut app, entity, 0);
    let images = app.world_mut().remove_resource::<Assets<Image>>().expect("inserted");
    app.update();
    assert!(is_dirty(&app, entity), "no images");
    app.insert_resource(images);
    let settings = app.world_mut().remove_resource::<WetSettings>().expect("the plugin's");
    app.update();
    assert!(is_dirty(&app, entity), "no settings");
    app.insert_resource(settings);
    app.update();
    assert!(!is_dirty(&app, entity));
}

#[test]
fn broken_canvases_stay_dirty_and_starve_nobody() {
    let mut app = app(1);
    let broken: Vec<_> = (0..5).map(|_| spawn(&mut app)).collect();
    let good = spawn(&mut app);
    for &entity in &broken {
        dirty(&mut app, entity, 0);
        let albedo = app.world().get::<WetCanvas>(entity).expect("spawned").albedo();
        app.world_mut().resource_mut::<Assets<Image>>().remove(&albedo);
    }
    dirty(&mut app, good, 5);
    app.update();
    assert!(!is_dirty(&app, good));
    assert!(broken.iter().all(|&entity| is_dirty(&app, entity)));
}

#[test]
fn flushing_marks_the_component_changed_and_looking_does_not() {
    #[derive(Resource, Default)]
    struct Changes(Vec<usize>);
    let mut app = app(4);
    let entity = spawn(&mut app);
    let count = |mut changes: ResMut<Changes>, changed: Query<(), Changed<WetCanvas>>| changes.0.push(changed.iter().count());
    app.init_resource::<Changes>().add_systems(PostUpdate, count);
    app.update();
    app.update();
    // The painting is itself a change, so it happens before a frame that uploads nothing.
    dirty(&mut app, entity, 0);
    app.world_mut().resource_mut::<WetSettings>().max_canvas_updates_per_tick = 0;
    app.update();
    app.update();
    app.world_mut().resource_mut::<WetSettings>().max_canvas_updates_per_tick = 4;
    app.update();
    app.update();
    assert_eq!(
        app.world().resource::<Changes>().0,
        [1, 0, 1, 0, 1, 0],
        "spawned, looked at, painted, looked at, flushed, looked at"
    );
}

#[test]
fn others_can_order_against_the_upload() {
    #[derive(Resource, Default)]
    struct Seen(Vec<bool>);
    let mut app = app(4);
    let entity = spawn(&mut app);
    let look = |mut seen: ResMut<Seen>, canvases: Query<&WetCanvas>| seen.0.extend(canvases.iter().map(WetCanvas::is_dirty));
    app.init_resource::<Seen>().add_systems(Update, (look.before(WetmapSystems), look.after(WetmapSystems)));
    dirty(&mut app, entity, 0);
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [true, false]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    /// Whatever the tick numbers are (they repeat, wrap, go backwards), nobody waits longer than it takes to upload everyone who was
    /// dirty before.
    #[test]
    fn nobody_starves(
        budget in 1u32..4,
        repainted in prop::collection::vec(prop::collection::vec(0usize..12, 0..8), 40),
        ticks in prop::collection::vec(prop_oneof![any::<u32>(), 0u32..3, Just(u32::MAX)], 40),
    ) {
        let mut app = app(budget);
        let entities: Vec<_> = (0..12).map(|_| spawn(&mut app)).collect();
        let mut waited = [0u32; 12];
        for (repainted, tick) in repainted.iter().zip(&ticks) {
            for &i in repainted {
                dirty(&mut app, entities[i], *tick);
            }
            app.update();
            for (i, waited) in waited.iter_mut().enumerate() {
                *waited = if is_dirty(&app, entities[i]) { *waited + 1 } else { 0 };
                prop_assert!(*waited < 12u32.div_ceil(budget), "canvas {} waited {} frames at a budget of {}", i, waited, budget);
            }
        }
    }
}
