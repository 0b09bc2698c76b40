//! The water's height for programs: a CPU field of a surface, in step with the picture.
//!
//! Mark a surface with [`WaterHeights`], and it gets a [`WaterField`]. The field is computed 20 times a second, ahead of the picture by up to a twentieth of a second, so that what is
//! read in between is interpolated to the very moment that is on screen. It holds the sea's longer waves (64² points a cascade), needs no GPU and reads nothing back from one.

use crate::surface::WaterSurface;
use crate::water::Water;
use bevy::math::DVec2;
use bevy::prelude::*;
use ocean::SurfaceField;

/// Put it on a [`WaterSurface`] to have a [`WaterField`] kept beside it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct WaterHeights;

/// Seconds between two computations.
const PERIOD: f64 = 1.0 / 20.0;

/// A surface's shape on the CPU. Positions are world positions.
#[derive(Component)]
pub struct WaterField {
    field: SurfaceField,
    /// How many seconds after the moment that is shown the last computation is.
    ahead: f64,
    drift: DVec2,
    level: f32,
    started: bool,
    /// The moment that was shown last: to notice a jump.
    last_shown: f64,
}

impl WaterField {
    fn new(water: &Water) -> Self {
        Self {
            field: SurfaceField::new(&water.settings.sea),
            ahead: 0.0,
            drift: DVec2::ZERO,
            level: 0.0,
            started: false,
            last_shown: 0.0,
        }
    }

    /// World y of the water above (or below) a point, m.
    pub fn height_at(&self, world: Vec2) -> f32 {
        self.level + self.moment().height_at(self.at(world))
    }

    /// The displacement of the water that is at a point: from where it rests to where it is, m.
    pub fn displacement_at(&self, world: Vec2) -> Vec3 {
        Vec3::from_array(self.moment().displacement_at(self.at(world)))
    }

    /// Unit normal of the surface.
    pub fn normal_at(&self, world: Vec2) -> Vec3 {
        Vec3::from_array(self.moment().normal_at(self.at(world)))
    }

    /// Velocity of the water at the surface, m/s; without the current that carries it all.
    pub fn velocity_at(&self, world: Vec2) -> Vec3 {
        Vec3::from_array(self.moment().velocity_at(self.at(world)))
    }

    fn moment(&self) -> ocean::surface_field::Moment<'_> {
        self.field.at((1.0 - self.ahead / PERIOD) as f32)
    }

    fn at(&self, world: Vec2) -> [f32; 2] {
        (world.as_dvec2() - self.drift).as_vec2().to_array()
    }

    fn follow(&mut self, water: &Water, level: f32) {
        let (sea, timeline) = (&water.settings.sea, &water.timeline);
        self.level = level;
        self.drift = timeline.drift();
        self.field.set_sea(sea);
        let shown = timeline.elapsed();
        self.ahead -= shown - self.last_shown;
        self.last_shown = shown;
        let jumped = !self.started || self.ahead < -PERIOD || self.ahead > PERIOD;
        if jumped {
            self.field.update(&timeline.shown(sea, 0.0));
            self.field.update(&timeline.shown(sea, PERIOD));
            self.ahead = PERIOD;
            self.started = true;
        } else if self.ahead < 0.0 {
            self.ahead += PERIOD;
            self.field.update(&timeline.shown(sea, self.ahead));
        }
    }
}

pub(crate) fn follow_marks(
    mut commands: Commands,
    marked: Query<(Entity, &Water), (With<WaterHeights>, Without<WaterField>)>,
    unmarked: Query<Entity, (With<WaterField>, Or<(Without<WaterHeights>, Without<WaterSurface>)>)>,
) {
    for (entity, water) in &marked {
        commands.entity(entity).insert(WaterField::new(water));
    }
    for entity in &unmarked {
        commands.entity(entity).remove::<WaterField>();
    }
}

pub(crate) fn follow_time(mut fields: Query<(&mut WaterField, &Water, &GlobalTransform)>) {
    for (mut field, water, transform) in &mut fields {
        field.follow(water, transform.translation().y);
    }
}
