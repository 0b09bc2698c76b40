//! The water on the clock of the physics: where each surface is at the current step, and its field while something rides it.
//!
//! Frames come as they come, steps of the physics are all alike. A body's path may depend only on the latter, so the surfaces' clocks are counted here a second time, step by step.
//! They run as far behind as the picture does, which shows one update period ago, and where the two come apart (the sea was stepped while paused, a tab was hidden), these are
//! set to those.

use crate::field::SteppedField;
use crate::surface::{MeshMode, WaterSurface};
use crate::time::{self, WaterTime};
use crate::water::Water;
use crate::wind::{SeaWind, WindFactors};
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
pub struct RiddenWaters(EntityHashMap<RiddenWater>);

/// One surface.
pub struct RiddenWater {
    surface: WaterSurface,
    wind: WindFactors,
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
            wind: WindFactors::AUTHORED,
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

    /// Where the picture will be at this step, `later` seconds of sea after what it showed last.
    fn align(&mut self, water: &Water, later: f64, exactly: bool) {
        let wanted = water.timeline.elapsed() + later;
        if (self.elapsed - wanted).abs() > if exactly { 1e-9 } else { APART } {
            self.clocks = water.timeline.shown(&self.sea, later);
            self.elapsed = wanted;
            self.drift = water.timeline.drift() + self.surface.current() * later;
        }
    }

    fn follow_settings(&mut self, surface: &Ref<WaterSurface>, wind: &SeaWind) {
        let changed = surface.is_changed();
        if changed {
            self.surface = surface.admitted();
        }
        let factors = wind.factors(&self.surface);
        if changed || factors != self.wind {
            self.wind = factors;
            self.sea = factors.apply(&self.surface.sea);
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
        self.0.get(&surface)
    }

    /// The water that is nearest to a point; of equally near ones that with the lowest entity, whatever order they lie in.
    pub fn nearest(&self, world: Vec3) -> Option<Entity> {
        let by_distance = self.0.iter().map(|(entity, water)| (water.distance(world), *entity));
        by_distance.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, entity)| entity)
    }
}

/// Moves every surface on by a step of the physics.
pub fn advance(
    mut waters: ResMut<RiddenWaters>,
    surfaces: Query<(Entity, Ref<WaterSurface>, Option<&Water>)>,
    transforms: TransformHelper,
    wind: Res<SeaWind>,
    water_time: Res<WaterTime>,
    step: Res<Time>,
    frame: Res<Time<Virtual>>,
) {
    waters.0.retain(|entity, _| surfaces.contains(*entity));
    let seconds = step.delta_secs_f64() * water_time.rate();
    // What the frame before this one showed is where its clock stood then.
    let since_shown = step.elapsed_secs_f64() - (frame.elapsed_secs_f64() - frame.delta_secs_f64());
    for (entity, surface, shown) in &surfaces {
        let water = waters.0.entry(entity).or_insert_with(|| RiddenWater::new(&surface));
        water.follow_settings(&surface, &wind);
        if let Ok(transform) = transforms.compute_global_transform(entity) {
            water.place(&transform);
        }
        let before = water.elapsed;
        water.step(seconds);
        if let Some(shown) = shown {
            water.align(shown, since_shown.max(0.0) * water_time.rate(), water_time.paused);
        }
        water.moved = water.elapsed - before;
    }
}

/// Computes the fields of the surfaces that are ridden, and forgets the others'.
pub fn compute(mut waters: ResMut<RiddenWaters>, riders: Query<&super::Afloat, With<super::Buoyant>>) {
    for (entity, water) in &mut waters.0 {
        let ridden = riders.iter().any(|rider| rider.surface == Some(*entity));
        water.compute(ridden);
    }
}
