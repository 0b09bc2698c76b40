//! The water on the clock of the physics: where each surface is at the current step, and its field while something rides it.
//!
//! Frames come as they come, steps of the physics are all alike. A body's path may depend only on the latter, so the surfaces' clocks are counted here a second time, step by step.
//! They run as far behind as the picture does, which shows one update period ago, and where the two come apart (the sea was stepped while paused, a tab was hidden), these are
//! set to those. So is the wind, which is followed here a second time too.
//!
//! A field for programs ([`WaterField`](crate::WaterField)) is another one than that of the same surface here: it is at the picture's moment, which is not one that steps know.

use crate::field::SteppedField;
use crate::surface::{MeshMode, WaterSurface};
use crate::time::{self, WaterTime};
use crate::water::Water;
use crate::wind::{SeaWind, WindFactors, WorldWind, sea_in};
use bevy::ecs::entity::EntityHashMap;
use bevy::math::{Affine3A, DVec2};
use bevy::prelude::*;
use bevy::transform::helper::TransformHelper;
use ocean::surface_field::Sample;
use ocean::{Clocks, SeaState};

/// How far apart the clock of the physics and that of the picture may be before the former is set, s.
const APART: f64 = 0.05;

/// All surfaces, as the physics sees them.
#[derive(Resource, Default)]
pub struct RiddenWaters {
    waters: EntityHashMap<RiddenWater>,
    wind: SeaWind,
}

/// One surface.
pub struct RiddenWater {
    surface: WaterSurface,
    wind: Option<WindFactors>,
    sea: SeaState,
    clocks: Clocks,
    /// Seconds of sea since the surface began.
    elapsed: f64,
    /// Seconds of sea in the last step.
    moved: f64,
    drift: DVec2,
    /// From the surface to the world, and back.
    from: Affine3A,
    into: Affine3A,
    level: f32,
    field: Option<SteppedField>,
}

impl RiddenWater {
    fn new(surface: &WaterSurface) -> Self {
        let surface = surface.admitted();
        let behind = if surface.updates_per_second > 0.0 { 1.0 / f64::from(surface.updates_per_second) } else { 0.0 };
        Self {
            wind: None,
            clocks: time::moved(&Clocks::new(), &surface.sea, -behind),
            elapsed: -behind,
            moved: 0.0,
            drift: DVec2::ZERO,
            from: Affine3A::IDENTITY,
            into: Affine3A::IDENTITY,
            level: 0.0,
            field: None,
            sea: surface.sea.clone(),
            surface,
        }
    }

    /// How far a point is from this water, m: up or down to its level, and sideways to the edge of a grid.
    pub fn distance(&self, world: Vec3) -> f32 {
        match self.surface.mesh_mode {
            MeshMode::Clipmap => (world.y - self.level).abs(),
            MeshMode::Grid => {
                let local = self.into.transform_point3(world);
                let half = 0.5 * self.surface.grid_size;
                let nearest_inside = Vec3::new(local.x.clamp(-half, half), 0.0, local.z.clamp(-half, half));
                self.from.transform_point3(nearest_inside).distance(world)
            }
        }
    }

    /// Whether there is water above or below a point at all.
    fn covers(&self, world: Vec3) -> bool {
        let local = self.into.transform_point3(world);
        let half = 0.5 * self.surface.grid_size;
        self.surface.mesh_mode == MeshMode::Clipmap || (local.x.abs() <= half && local.z.abs() <= half)
    }

    /// The water at a point: world height of its surface, velocity with the current, normal. None beside a grid.
    pub fn sample(&self, world: Vec3) -> Option<Sample> {
        let field = self.field.as_ref().filter(|_| self.covers(world))?;
        let at = (DVec2::new(f64::from(world.x), f64::from(world.z)) - self.drift).as_vec2();
        let mut sample = field.moment().sample_at(at.to_array());
        let current = self.surface.current().as_vec2();
        sample.displacement[1] += self.level;
        sample.velocity[0] += current.x;
        sample.velocity[2] += current.y;
        Some(sample)
    }

    fn place(&mut self, transform: &GlobalTransform) {
        self.from = transform.affine();
        self.into = self.from.inverse();
        self.level = transform.translation().y;
    }

    fn step(&mut self, seconds: f64) {
        self.clocks.advance(seconds, &self.sea);
        self.elapsed += seconds;
        self.drift += self.surface.current() * seconds;
    }

    /// Where the picture will be at this step, `later` seconds of sea after what it showed last. Returns whether that was another moment.
    fn align(&mut self, water: &Water, later: f64, exactly: bool) -> bool {
        let wanted = water.timeline.elapsed() + later;
        let apart = (self.elapsed - wanted).abs() > if exactly { 1e-9 } else { APART };
        if apart {
            self.clocks = water.timeline.shown(&self.sea, later);
            self.elapsed = wanted;
            self.drift = water.timeline.drift() + self.surface.current() * later;
        }
        apart
    }

    fn follow_settings(&mut self, surface: &Ref<WaterSurface>, wind: &SeaWind) {
        let changed = surface.is_changed();
        if changed {
            self.surface = surface.admitted();
        }
        let factors = wind.factors(&self.surface, self.wind);
        if changed || factors != self.wind {
            self.wind = factors;
            self.sea = sea_in(factors, &self.surface.sea);
        }
    }

    fn compute(&mut self, ridden: bool) {
        if !ridden {
            self.field = None;
            return;
        }
        let Self { field, sea, clocks, moved, .. } = self;
        let field = field.get_or_insert_with(|| SteppedField::new(sea));
        field.follow(sea, *moved, |later| time::moved(clocks, sea, later));
    }
}

impl RiddenWaters {
    /// One of them.
    pub fn get(&self, surface: Entity) -> Option<&RiddenWater> {
        self.waters.get(&surface)
    }

    /// The water that is nearest to a point; of equally near ones that with the lowest entity, whatever order they lie in.
    pub fn nearest(&self, world: Vec3) -> Option<Entity> {
        let by_distance = self.waters.iter().map(|(entity, water)| (water.distance(world), *entity));
        by_distance.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, entity)| entity)
    }
}

/// Moves every surface on by a step of the physics.
pub fn advance(
    mut waters: ResMut<RiddenWaters>,
    surfaces: Query<(Entity, Ref<WaterSurface>, Option<&Water>)>,
    transforms: TransformHelper,
    wind: Option<Res<WorldWind>>,
    shown_wind: Option<Res<SeaWind>>,
    water_time: Res<WaterTime>,
    step: Res<Time>,
    frame: Res<Time<Virtual>>,
) {
    let RiddenWaters { waters, wind: followed } = &mut *waters;
    waters.retain(|entity, _| surfaces.contains(*entity));
    let seconds = step.delta_secs_f64() * water_time.rate();
    followed.follow_resource(wind, seconds);
    // What the frame before this one showed is where its clock stood then.
    let since_shown = step.elapsed_secs_f64() - (frame.elapsed_secs_f64() - frame.delta_secs_f64());
    let mut apart = false;
    for (entity, surface, shown) in &surfaces {
        let water = waters.entry(entity).or_insert_with(|| RiddenWater::new(&surface));
        water.follow_settings(&surface, followed);
        if let Ok(transform) = transforms.compute_global_transform(entity) {
            water.place(&transform);
        }
        let before = water.elapsed;
        water.step(seconds);
        if let Some(shown) = shown {
            apart |= water.align(shown, since_shown.max(0.0) * water_time.rate(), water_time.paused);
        }
        water.moved = water.elapsed - before;
    }
    if let Some(shown_wind) = shown_wind.filter(|_| apart) {
        *followed = *shown_wind;
    }
}

/// Computes the fields of the surfaces that are ridden, and forgets the others'.
pub fn compute(mut waters: ResMut<RiddenWaters>, riders: Query<&super::Afloat, With<super::Buoyant>>) {
    for (entity, water) in &mut waters.waters {
        let ridden = riders.iter().any(|rider| rider.surface == Some(*entity));
        water.compute(ridden);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BuoyancyPlugin, Buoyant};
    use crate::field::tests::COMPUTED;
    use crate::surface::WaterSurface;
    use avian3d::prelude::*;
    use bevy::ecs::schedule::SingleThreadedExecutor;
    use bevy::prelude::*;
    use bevy::time::TimeUpdateStrategy;

    #[test]
    fn a_field_is_computed_twenty_times_a_second_and_only_while_something_floats() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), BuoyancyPlugin::default()))
            .insert_resource(Time::<Fixed>::from_hz(60.0))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        app.finish();
        app.cleanup();
        app.world_mut().spawn_batch([WaterSurface::default(), WaterSurface::default()].map(|surface| (surface,)));
        // Not everything that is there floats.
        app.world_mut().spawn((RigidBody::Dynamic, Collider::sphere(1.0)));
        let computed = |app: &mut App, seconds: u32| {
            let before = COMPUTED.get();
            for _ in 0..60 * seconds {
                app.update();
            }
            COMPUTED.get() - before
        };
        assert_eq!(computed(&mut app, 10), 0);
        let body = || (RigidBody::Dynamic, Collider::sphere(1.0), Buoyant::default());
        let one = app.world_mut().spawn(body()).id();
        // The first time it is two, to be between.
        computed(&mut app, 1);
        assert!((199..=201).contains(&computed(&mut app, 10)));
        let other = app.world_mut().spawn((body(), Transform::from_xyz(10.0, 0.0, 0.0))).id();
        assert!((39..=41).contains(&computed(&mut app, 2)), "two bodies share the field of their surface");
        app.world_mut().despawn(one);
        app.world_mut().despawn(other);
        assert_eq!(computed(&mut app, 2), 0);
    }
}
