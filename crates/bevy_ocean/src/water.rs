//! The main world's half: what each surface is at, its tiles, its place in time, and what the render world is told of it.

use crate::camera::MainView;
use crate::diagnostics::WaterView;
use crate::geometry::{Geometry, Tile};
use crate::material::WaterMaterial;
use crate::render::{Devices, ExtractedWater, Feedback, has_history};
use crate::spray::{self, SprayMaterial, SprayMesh, SprayUniform};
use crate::surface::{WaterSurface, WaveMeshQuality};
use crate::time::{Step, Timeline, WaterFrame};
use crate::uniform::{self, Placement, WaterUniform};
use crate::wind::{SeaWind, WindFactors, WorldWind, sea_in};
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::NotShadowCaster;
use bevy::mesh::MeshTag;
use bevy::pbr::MeshMaterial3d;
use bevy::prelude::*;
use bevy::render::batching::NoAutomaticBatching;
use bevy::render::sync_world::MainEntity;
use ocean::sea_state::MAX_CASCADES;
use std::sync::Arc;

/// What the plugin keeps of a surface. It is put on the entity with [`WaterSurface`] and goes with it.
#[derive(Component, Debug)]
pub(crate) struct Water {
    /// The surface as it is drawn, in the wind that there is.
    pub settings: WaterSurface,
    /// The same as it was authored.
    authored: WaterSurface,
    wind: Option<WindFactors>,
    /// What a gust makes of the wind over it now.
    pub gust: f32,
    pub timeline: Timeline,
    pub feedback: Arc<Feedback>,
    pub material: Handle<WaterMaterial>,
    pub deviations: [f32; MAX_CASCADES],
    pub geometry: Option<Geometry>,
    pub uniform: WaterUniform,
    tiles: Vec<Entity>,
    /// Updates that are still to be made of a sea that stands, so that it shows what has been changed: both sets of maps hold the sea.
    refills: u8,
    /// Seconds of sea in this frame.
    pub moved: f64,
    /// What the spray is told, if there is any.
    pub spray: Option<SprayUniform>,
    /// Not yet taken by the render world. Several, if it has missed frames.
    step: Option<Step>,
}

/// One piece of a surface's mesh.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct WaterTile {
    pub surface: Entity,
    pub tile: Tile,
}

impl Water {
    fn new(settings: WaterSurface, material: Handle<WaterMaterial>) -> Self {
        Self {
            timeline: Timeline::new(&settings),
            deviations: uniform::deviations(&settings.sea, settings.wave_resolution),
            authored: settings.clone(),
            wind: None,
            gust: 1.0,
            settings,
            feedback: Arc::default(),
            material,
            geometry: None,
            uniform: WaterUniform::default(),
            tiles: Vec::new(),
            refills: 0,
            moved: 0.0,
            spray: None,
            step: None,
        }
    }

    /// Works out what is drawn from what was authored and the wind.
    fn settle(&mut self) {
        let sea = sea_in(self.wind, &self.authored.sea);
        if sea != self.settings.sea {
            self.deviations = uniform::deviations(&sea, self.authored.wave_resolution);
        }
        let maps = |surface: &WaterSurface| (surface.wave_resolution, has_history(surface));
        if sea != self.settings.sea || maps(&self.authored) != maps(&self.settings) {
            self.refills = 2;
        }
        self.settings = WaterSurface { sea, ..self.authored.clone() };
    }

    /// How far above or below its level the drawn surface may lie, m: a Gaussian sea of any size anyone will see stays within six and a half standard deviations, and no water
    /// moves further to the side than that either.
    pub fn reach(&self) -> f32 {
        6.5 * uniform::total_deviation(&self.deviations)
    }

    /// Updates that the render world has not taken are one longer update: phases and foam are exact over any step.
    fn owe(&mut self, step: Step) {
        self.step = Some(match self.step.take() {
            Some(owed) => Step { clocks: owed.clocks, seconds: owed.seconds + step.seconds },
            None => step,
        });
    }
}

/// Makes a [`Water`] for every surface that has none, and keeps the others in step with their component.
pub(crate) fn follow_components(
    mut commands: Commands,
    mut surfaces: Query<(Entity, &mut WaterSurface, Option<&mut Water>), Changed<WaterSurface>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
) {
    for (entity, mut surface, water) in &mut surfaces {
        let Some(mut water) = water else {
            let material = materials.add(WaterMaterial { surface: MainEntity::from(entity) });
            commands.entity(entity).insert(Water::new(surface.admitted(), material));
            continue;
        };
        seed_custom_quality(&mut surface, &water.authored);
        water.authored = surface.admitted();
        water.settle();
    }
}

/// Puts every sea into the wind. A wind that has not changed by a step changes nothing.
pub(crate) fn follow_wind(mut waters: Query<&mut Water>, sea_wind: Res<SeaWind>, world_wind: Option<Res<WorldWind>>) {
    let gust = world_wind.map_or(1.0, |wind| sea_wind.gust(&wind));
    for mut water in &mut waters {
        water.bypass_change_detection().gust = if water.authored.follow_world_wind { gust } else { 1.0 };
        let wind = sea_wind.factors(&water.authored, water.wind);
        if wind != water.wind {
            water.wind = wind;
            water.settle();
        }
    }
}

/// "Custom" starts from what was on screen, unless whoever chose it has chosen the numbers as well.
fn seed_custom_quality(surface: &mut WaterSurface, before: &WaterSurface) {
    let fields = |surface: &WaterSurface| (surface.clipmap_rings, surface.clipmap_resolution, surface.clipmap_quad_size);
    let chosen = surface.wave_mesh_quality == WaveMeshQuality::Custom && before.wave_mesh_quality != WaveMeshQuality::Custom;
    if chosen && fields(surface) == fields(before) {
        (surface.clipmap_rings, surface.clipmap_resolution, surface.clipmap_quad_size) = before.clipmap_dimensions();
    }
}

/// What goes with the component: the tiles, and what the plugin keeps.
pub(crate) fn on_remove(
    removed: On<Remove, WaterSurface>,
    waters: Query<&Water>,
    mut materials: ResMut<Assets<WaterMaterial>>,
    mut commands: Commands,
) {
    let Ok(water) = waters.get(removed.entity) else { return };
    materials.remove(&water.material);
    for tile in &water.tiles {
        commands.entity(*tile).try_despawn();
    }
    commands.entity(removed.entity).try_remove::<Water>();
}

/// Lets every mesh be made again after a lost device, of which Bevy has by then logged that it cannot do it. They are in the render world only, where they went with it: what a vertex holds is for our shaders and would mislead
/// whoever looks for positions in the main world, such as a ray that picks.
pub(crate) fn forget_lost_meshes(
    devices: Res<Devices>,
    mut waters: Query<&mut Water>,
    sprays: Query<Entity, With<SprayMesh>>,
    mut commands: Commands,
) {
    // The first device has lost nothing.
    if !devices.is_changed() || devices.0 < 2 {
        return;
    }
    waters.iter_mut().for_each(|mut water| water.geometry = None);
    sprays.iter().for_each(|spray| commands.entity(spray).try_despawn());
}

/// Cuts the surface anew when its mesh is another.
pub(crate) fn cut_tiles(
    mut commands: Commands,
    mut waters: Query<(Entity, &mut Water, Option<&RenderLayers>), Changed<Water>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (surface, mut water, layers) in &mut waters {
        let geometry = Geometry::of(&water.settings);
        if water.geometry.as_ref() == Some(&geometry) {
            continue;
        }
        for tile in water.tiles.drain(..) {
            commands.entity(tile).try_despawn();
        }
        let handles: Vec<_> = geometry.meshes().into_iter().map(|mesh| meshes.add(mesh)).collect();
        let spawn = |(tile, mesh, tag): (Tile, usize, u32)| {
            let mesh = Mesh3d(handles[mesh].clone());
            let piece = (WaterTile { surface, tile }, mesh, MeshMaterial3d(water.material.clone()), MeshTag(tag));
            // Bevy's culling knows nothing of the waves; ours does.
            let layers = layers.cloned().unwrap_or_default();
            commands.spawn((piece, layers, NoFrustumCulling, NoAutomaticBatching, NotShadowCaster, ChildOf(surface))).id()
        };
        let tiles = geometry.tiles().into_iter().map(spawn).collect();
        water.tiles = tiles;
        water.geometry = Some(geometry);
    }
}

/// Who sees a surface sees its tiles and its spray.
pub(crate) fn follow_layers(
    mut commands: Commands,
    changed: Query<(&Children, &RenderLayers), (With<Water>, Changed<RenderLayers>)>,
    mut removed: RemovedComponents<RenderLayers>,
    waters: Query<&Children, (With<Water>, Without<RenderLayers>)>,
    pieces: Query<Entity, Or<(With<WaterTile>, With<SprayMesh>)>>,
) {
    let changed = changed.iter().map(|(children, layers)| (children, layers.clone()));
    let removed = removed.read().filter_map(|surface| waters.get(surface).ok());
    for (children, layers) in changed.chain(removed.map(|children| (children, RenderLayers::default()))) {
        for piece in pieces.iter_many(children) {
            commands.entity(piece).try_insert(layers.clone());
        }
    }
}

/// Moves every surface on by a frame.
pub(crate) fn advance(mut waters: Query<&mut Water>, frame: Res<WaterFrame>) {
    for mut water in &mut waters {
        let water = water.bypass_change_detection();
        water.moved = frame.seconds;
        // On a new device, or late, when there is room at last: a sea that stands has no update of its own to fill them with, and a slow one not for long.
        let empty = water.feedback.take_empty();
        if empty {
            water.refills = 2;
        }
        match water.timeline.advance(&water.settings, *frame) {
            Some(step) => {
                water.refills = water.refills.saturating_sub(1);
                water.owe(step);
            }
            // Only what stands needs it: a running sea shows its change with the next update.
            None if water.refills > 0 && (empty || frame.seconds == 0.0) && water.step.is_none() => {
                water.refills -= 1;
                water.owe(water.timeline.refill(&water.settings.sea, water.refills == 0));
            }
            None => {}
        }
    }
}

/// Works out what the shaders are told.
pub(crate) fn describe(
    mut waters: Query<(&mut Water, &GlobalTransform)>,
    view: Res<MainView>,
    options: Res<WaterView>,
    mut frame: Local<u32>,
) {
    *frame = frame.wrapping_add(1);
    for (mut water, transform) in &mut waters {
        let Some(geometry) = &water.geometry else { continue };
        let placement = Placement {
            transform: *transform,
            origin: geometry.origin(view.position_xz()),
            half_extent: geometry.half_extent(),
            lattice: geometry.lattice(),
        };
        let mut uniform = WaterUniform::new(&water.settings, &water.timeline, &water.deviations, placement);
        uniform.lines = u32::from(options.lines);
        let spray = spray::told(&water, &view, *frame);
        let water = water.bypass_change_detection();
        (water.uniform, water.spray) = (uniform, spray);
    }
}

/// Touches the materials whose maps have become others, so that they are made anew.
pub(crate) fn refresh_materials(
    waters: Query<&Water>,
    mut materials: ResMut<Assets<WaterMaterial>>,
    mut sprays: ResMut<Assets<SprayMaterial>>,
    drawn: Query<&MeshMaterial3d<SprayMaterial>>,
) {
    for water in &waters {
        if water.feedback.take_stale() {
            // Mutation is what counts as a change.
            if let Some(mut material) = materials.get_mut(&water.material) {
                material.surface = MainEntity::from(*material.surface);
            }
            for spray in &drawn {
                if let Some(mut material) = sprays.get_mut(spray) {
                    material.surface = MainEntity::from(*material.surface);
                }
            }
        }
    }
}

/// What every surface wants of this frame, for the render world. Steps are taken.
pub(crate) fn extracted(world: &mut World) -> Vec<ExtractedWater> {
    let mut surfaces = world.query::<(Entity, &mut Water)>();
    surfaces
        .iter_mut(world)
        .map(|(entity, mut water)| {
            let water = water.bypass_change_detection();
            ExtractedWater {
                surface: MainEntity::from(entity),
                settings: water.settings.clone(),
                step: water.step.take(),
                uniform: water.uniform,
                spray: water.spray,
                feedback: water.feedback.clone(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headless;
    use crate::time::WaterTime;
    use ocean::Preset;

    #[test]
    fn tiles_and_spray_are_on_their_surfaces_layers() {
        let mut app = headless::app();
        let surface = app.world_mut().spawn((WaterSurface::default(), RenderLayers::layer(1))).id();
        let other = app.world_mut().spawn(WaterSurface::default()).id();
        let layers = |app: &mut App, surface: Entity| {
            app.update();
            let world = app.world_mut();
            let mut pieces =
                world.query_filtered::<(&ChildOf, &RenderLayers, Has<SprayMesh>), Or<(With<WaterTile>, With<SprayMesh>)>>();
            let pieces: Vec<_> = pieces.iter(world).filter(|(child, ..)| child.parent() == surface).collect();
            assert!(pieces.len() > 10 && pieces.iter().filter(|(_, _, is_spray)| *is_spray).count() == 1);
            assert!(pieces.iter().all(|(_, layers, _)| *layers == pieces[0].1), "they are on different layers");
            pieces[0].1.clone()
        };
        assert_eq!(layers(&mut app, surface), RenderLayers::layer(1));
        app.world_mut().entity_mut(surface).insert(RenderLayers::layer(2));
        assert_eq!(layers(&mut app, surface), RenderLayers::layer(2));
        app.world_mut().entity_mut(surface).remove::<RenderLayers>();
        assert_eq!(layers(&mut app, surface), RenderLayers::default());
        app.world_mut().entity_mut(surface).insert(RenderLayers::layer(3));
        assert_eq!(
            [surface, other].map(|surface| layers(&mut app, surface)),
            [RenderLayers::layer(3), RenderLayers::default()]
        );
    }

    #[test]
    fn a_lost_device_takes_the_meshes_with_it_and_the_next_has_its_own() {
        let mut app = headless::app();
        app.world_mut().spawn(WaterSurface::default());
        app.update();
        let meshes = |app: &mut App| {
            app.update();
            let world = app.world_mut();
            let mut pieces = world.query_filtered::<&Mesh3d, Or<(With<WaterTile>, With<SprayMesh>)>>();
            let mut meshes: Vec<_> = pieces.iter(world).map(|mesh| mesh.id()).collect();
            let pieces = meshes.len();
            meshes.sort_unstable();
            meshes.dedup();
            assert!(meshes.iter().all(|mesh| world.resource::<Assets<Mesh>>().contains(*mesh)));
            (pieces, meshes)
        };
        let before = meshes(&mut app);
        app.insert_resource(Devices(1));
        assert_eq!(meshes(&mut app), before, "the first device has lost none");
        app.insert_resource(Devices(2));
        let after = meshes(&mut app);
        assert_eq!((after.0, after.1.len()), (before.0, before.1.len()));
        assert!(after.1.iter().all(|mesh| !before.1.contains(mesh)), "a mesh whose data went with the device is drawn");
        assert_eq!(meshes(&mut app), after, "once is enough");
    }

    #[test]
    fn new_maps_are_filled_though_the_sea_stands() {
        let mut app = headless::app();
        let surface = app.world_mut().spawn(WaterSurface { updates_per_second: 50.0, ..default() }).id();
        headless::run(&mut app, 1.0);
        app.world_mut().resource_mut::<WaterTime>().paused = true;
        // The moment and the length of an update, s.
        let told = |step: Step| (step.clocks.get(0).seconds(), step.seconds);
        let update = |app: &mut App| {
            app.update();
            app.world_mut().get_mut::<Water>(surface).and_then(|mut water| water.step.take()).map(told)
        };
        while update(&mut app).is_some() {}
        assert_eq!(update(&mut app), None);
        let water = app.world().get::<Water>(surface).expect("a surface");
        let expected = [false, true].map(|second| Some(told(water.timeline.refill(&water.settings.sea, second))));
        let feedback = water.feedback.clone();
        // Until they are, however long that takes: a browser puts updates off at first.
        for _ in 0..5 {
            feedback.set_empty();
            assert_eq!(update(&mut app), expected[0]);
        }
        assert_eq!([update(&mut app), update(&mut app)], [expected[1], None]);

        // A sea of one update a second does not wait for it either.
        app.world_mut().resource_mut::<WaterTime>().paused = false;
        app.world_mut().get_mut::<WaterSurface>(surface).expect("a surface").updates_per_second = 1.0;
        while update(&mut app).is_some() {}
        assert_eq!(update(&mut app), None);
        feedback.set_empty();
        assert_eq!(update(&mut app).map(|(_, seconds)| seconds), Some(0.0));
    }

    #[test]
    fn spray_moves_by_all_of_a_step_and_drifts_with_the_gusts() {
        let mut app = headless::app();
        let surface = app.world_mut().spawn(WaterSurface::from(Preset::StormyOcean)).id();
        let spray = |app: &App| app.world().get::<Water>(surface).and_then(|water| water.spray).expect("a storm has spray");
        app.update();
        app.world_mut().resource_mut::<WaterTime>().paused = true;
        app.update();
        assert_eq!(spray(&app).seconds, 0.0);
        app.world_mut().resource_mut::<WaterTime>().step(3.0);
        app.update();
        assert_eq!(spray(&app).seconds, 3.0);
        app.world_mut().resource_mut::<WaterTime>().paused = false;
        let drift = |app: &mut App, gusts: f32| {
            app.insert_resource(WorldWind { gusts, ..default() });
            (0..500)
                .map(|_| {
                    app.update();
                    spray(app).wind.length()
                })
                .collect::<Vec<_>>()
        };
        let steady = drift(&mut app, 0.0);
        assert!(steady.iter().all(|speed| (speed - 26.0).abs() < 1e-3), "{}", steady[0]);
        let gusty = drift(&mut app, 0.3);
        let (least, most) =
            gusty.iter().fold((f32::MAX, f32::MIN), |(least, most), speed| (least.min(*speed), most.max(*speed)));
        assert!(least < 22.0 && most > 30.0, "{least} to {most} m/s");
        assert_eq!(headless::sea(&app), Preset::StormyOcean.sea_state(), "the sea takes no notice");
    }
}
