//! The water's height for programs: a CPU field of a surface, in step with the picture.
//!
//! Mark a surface with [`WaterHeights`], and it gets a [`WaterField`]. The field is computed 20 times a second, ahead of the picture by up to a twentieth of a second, so that what is
//! read in between is interpolated to the very moment that is on screen. It holds the sea's longer waves (64² points a cascade), needs no GPU and reads nothing back from one.

use crate::surface::WaterSurface;
use crate::water::Water;
use bevy::math::DVec2;
use bevy::prelude::*;
use ocean::surface_field::Moment;
use ocean::{Clocks, SeaState, SurfaceField};

/// Put it on a [`WaterSurface`] to have a [`WaterField`] kept beside it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct WaterHeights;

/// Seconds between two computations.
const PERIOD: f64 = 1.0 / 20.0;

/// A CPU field that is computed every twentieth of a second, ahead of whoever follows it, and interpolated to the moment that has been reached.
#[derive(Clone, Debug)]
pub(crate) struct SteppedField {
    field: SurfaceField,
    /// How many seconds after the moment that has been reached the last computation is.
    ahead: f64,
    started: bool,
}

impl SteppedField {
    pub fn new(sea: &SeaState) -> Self {
        Self { field: SurfaceField::new(sea), ahead: 0.0, started: false }
    }

    /// Goes on by `seconds` of `sea`. `clocks` says what the clocks show so many seconds after the moment that is then reached. A jump, forwards or
    /// backwards, starts afresh, and so does another sea while time stands: nothing would bring its waves otherwise.
    pub fn follow(&mut self, sea: &SeaState, seconds: f64, clocks: impl Fn(f64) -> Clocks) {
        let another_sea = self.field.set_sea(sea);
        self.ahead -= seconds;
        let stale = another_sea && seconds == 0.0;
        if !self.started || stale || !(-PERIOD..=PERIOD).contains(&self.ahead) {
            self.compute(&clocks(0.0));
            self.compute(&clocks(PERIOD));
            self.ahead = PERIOD;
            self.started = true;
        } else if self.ahead < 0.0 {
            self.ahead += PERIOD;
            self.compute(&clocks(self.ahead));
        }
    }

    fn compute(&mut self, clocks: &Clocks) {
        self.field.update(clocks);
        #[cfg(test)]
        tests::COMPUTED.set(tests::COMPUTED.get() + 1);
    }

    /// The surface at the moment that has been reached.
    pub fn moment(&self) -> Moment<'_> {
        self.field.at((1.0 - self.ahead / PERIOD) as f32)
    }
}

/// A surface's shape on the CPU. Positions are world positions.
#[derive(Component)]
pub struct WaterField {
    field: SteppedField,
    drift: DVec2,
    level: f32,
    /// The moment that was shown last.
    last_shown: f64,
}

impl WaterField {
    fn new(water: &Water) -> Self {
        let field = SteppedField::new(&water.settings.sea);
        Self { field, drift: DVec2::ZERO, level: 0.0, last_shown: 0.0 }
    }

    /// World y of the water above (or below) a point, m.
    pub fn height_at(&self, world: Vec2) -> f32 {
        self.level + self.field.moment().height_at(self.at(world))
    }

    /// The displacement of the water that is at a point: from where it rests to where it is, m.
    pub fn displacement_at(&self, world: Vec2) -> Vec3 {
        Vec3::from_array(self.field.moment().displacement_at(self.at(world)))
    }

    /// Unit normal of the surface.
    pub fn normal_at(&self, world: Vec2) -> Vec3 {
        Vec3::from_array(self.field.moment().normal_at(self.at(world)))
    }

    /// Velocity of the water at the surface, m/s; without the current that carries it all.
    pub fn velocity_at(&self, world: Vec2) -> Vec3 {
        Vec3::from_array(self.field.moment().velocity_at(self.at(world)))
    }

    /// The field itself, as it was last computed: up to a twentieth of a second ahead of the picture, without level and drift.
    pub fn surface_field(&self) -> &SurfaceField {
        &self.field.field
    }

    fn at(&self, world: Vec2) -> [f32; 2] {
        (world.as_dvec2() - self.drift).as_vec2().to_array()
    }

    fn follow(&mut self, water: &Water, level: f32) {
        let (sea, timeline) = (&water.settings.sea, &water.timeline);
        self.level = level;
        self.drift = timeline.drift();
        let shown = timeline.elapsed();
        self.field.follow(sea, shown - self.last_shown, |later| timeline.shown(sea, later));
        self.last_shown = shown;
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::headless;
    use ocean::Preset;
    use std::cell::Cell;

    thread_local! {
        /// Fields that this thread has computed.
        pub static COMPUTED: Cell<u32> = const { Cell::new(0) };
    }

    #[test]
    fn a_field_is_computed_twenty_times_a_second_and_only_where_it_is_asked_for() {
        let mut app = headless::app();
        let surface = app.world_mut().spawn(WaterSurface::default()).id();
        app.world_mut().spawn(WaterSurface::default());
        let computed = |app: &mut App| {
            let before = COMPUTED.get();
            headless::run(app, 10.0);
            COMPUTED.get() - before
        };
        assert_eq!(computed(&mut app), 0);
        app.world_mut().entity_mut(surface).insert(WaterHeights);
        // The first time it is two, to be between.
        app.update();
        assert!((199..=201).contains(&computed(&mut app)));
        app.world_mut().entity_mut(surface).remove::<WaterHeights>();
        app.update();
        assert_eq!(computed(&mut app), 0);
    }

    #[test]
    fn another_sea_shows_while_time_stands() {
        let [storm, lake] = [Preset::StormyOcean, Preset::CalmLake].map(|preset| WaterSurface::from(preset).sea);
        let clocks = |sea: &SeaState| {
            let sea = sea.clone();
            move |later: f64| crate::time::moved(&Clocks::new(), &sea, 10.0 + later)
        };
        let heights = |field: &SteppedField| {
            let at = |index: u16| field.moment().height_at([3.0 * f32::from(index), 0.0]);
            (0..50).map(at).collect::<Vec<_>>()
        };
        let mut field = SteppedField::new(&storm);
        field.follow(&storm, 0.0, clocks(&storm));
        let rough = heights(&field);
        field.follow(&lake, 0.0, clocks(&lake));
        let mut afresh = SteppedField::new(&lake);
        afresh.follow(&lake, 0.0, clocks(&lake));
        assert_eq!(heights(&field), heights(&afresh));
        assert_ne!(heights(&field), rough);
        // And it stays what it is.
        field.follow(&lake, 0.0, clocks(&lake));
        assert_eq!(heights(&field), heights(&afresh));
    }
}
