//! The scene's wind, and how seas follow it.
//!
//! What a surface's cascades say is the sea's *shape*: the balance of swell and wind sea, and their bearings to each other. The scene's wind scales and turns that as a whole. Seas follow
//! slowly, as they do, and in steps, since each step builds the spectra anew: a settled sea builds nothing. The turned spectrum weights the same noise anew, so waves die here and
//! rise there; nothing is rotated about the origin.
//!
//! All of it is the same to the bit on every machine, since bodies float on it.

use crate::surface::WaterSurface;
use bevy::prelude::*;
use ocean::SeaState;

/// The scene's wind. Without this resource every sea is as it was authored.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default)]
pub struct WorldWind {
    /// Mean speed, m/s.
    pub speed: f32,
    /// Heading that it blows to, degrees: 0 is +x, 90 is +z.
    pub heading: f32,
    /// How gusty it is: the speed's standard deviation as a share of the mean. Seas take next to no notice.
    pub gusts: f32,
}

/// Speed at which a sea is as it was authored, m/s.
pub const AUTHORED_SPEED: f32 = 12.0;

/// Seconds in which a sea comes to within 1/e of a new wind.
pub const SEA_RESPONSE_SECONDS: f64 = 25.0;

/// Steps of the factor on speeds, and of the turn in degrees.
const SPEED_STEP: f32 = 1.0 / 32.0;
const TURN_STEP: f32 = 2.0;

/// The lowest wind that a cascade is given, m/s.
const LEAST_WIND: f32 = 0.05;

impl Default for WorldWind {
    fn default() -> Self {
        Self { speed: AUTHORED_SPEED, heading: 0.0, gusts: 0.0 }
    }
}

impl WorldWind {
    /// The speed at a moment, m/s: a sum of a few incommensurable gusts around the mean, never negative. Deterministic, so that a replay has the same gusts.
    pub fn speed_at(&self, seconds: f64) -> f32 {
        const PERIODS: [f64; 4] = [3.1, 7.3, 17.9, 41.0];
        // Four sines of this amplitude have a standard deviation of 1.
        let amplitude = std::f64::consts::FRAC_1_SQRT_2;
        let sum: f64 =
            PERIODS.iter().map(|period| amplitude * libm::sin(std::f64::consts::TAU * (seconds / period).fract())).sum();
        (self.speed * (1.0 + self.gusts * sum as f32)).max(0.0)
    }
}

/// The wind that seas feel: the scene's, smoothed.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SeaWind {
    /// Nothing before the first wind, which is taken over at once: a scene begins settled.
    state: Option<State>,
    seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    speed: f64,
    /// Unit vector of the heading, so that the mean of 350° and 10° is north of neither.
    heading: [f64; 2],
}

impl SeaWind {
    /// Follows `wind` for `seconds`. Two halves of a step come to the same as the whole.
    pub fn follow(&mut self, wind: Option<&WorldWind>, seconds: f64) {
        let Some(wind) = wind else {
            *self = Self::default();
            return;
        };
        self.seconds += seconds;
        let radians = f64::from(wind.heading).to_radians();
        let target = State { speed: f64::from(wind.speed_at(self.seconds)), heading: [libm::cos(radians), libm::sin(radians)] };
        if !(wind.speed.is_finite() && target.speed.is_finite() && target.heading[0].is_finite()) {
            return;
        }
        let Some(state) = &mut self.state else {
            self.state = Some(State { speed: f64::from(wind.speed), ..target });
            return;
        };
        let gone = -libm::expm1(-seconds / SEA_RESPONSE_SECONDS);
        state.speed += gone * (target.speed - state.speed);
        // Along the arc, so that it takes the same time whichever way round.
        let between = |axis: usize| state.heading[axis] + gone * (target.heading[axis] - state.heading[axis]);
        let mean = [between(0), between(1)];
        let length = libm::hypot(mean[0], mean[1]);
        // Straight against each other they have no mean; a hair off, they do.
        state.heading = if length > 1e-9 { mean.map(|axis| axis / length) } else { [-state.heading[1], state.heading[0]] };
    }

    /// What a surface's sea is multiplied and turned by.
    pub fn factors(&self, surface: &WaterSurface) -> WindFactors {
        let Some(state) = self.state.filter(|_| surface.follow_world_wind) else { return WindFactors::AUTHORED };
        let speed = state.speed as f32 / AUTHORED_SPEED * surface.wind_response;
        let turn = libm::atan2(state.heading[1], state.heading[0]).to_degrees() as f32;
        WindFactors { speed: (speed / SPEED_STEP).round() * SPEED_STEP, turn: (turn / TURN_STEP).round() * TURN_STEP }
    }
}

/// What the wind makes of a sea, in steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WindFactors {
    /// On every cascade's wind speed.
    pub speed: f32,
    /// Added to every cascade's heading, degrees.
    pub turn: f32,
}

impl WindFactors {
    /// The sea as it was authored, to the bit.
    pub const AUTHORED: Self = Self { speed: 1.0, turn: 0.0 };

    /// The sea in this wind.
    pub fn apply(self, sea: &SeaState) -> SeaState {
        let mut sea = sea.clone();
        if self == Self::AUTHORED {
            return sea;
        }
        for cascade in &mut sea.cascades {
            cascade.wind_speed = (cascade.wind_speed * self.speed).max(LEAST_WIND);
            cascade.wind_direction += self.turn;
        }
        sea.validated().0
    }
}

/// The wind without the water, for an app that only floats things. What draws the water has it too; it is added once.
pub(crate) struct WindPlugin;

impl Plugin for WindPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<WorldWind>().init_resource::<SeaWind>().add_systems(PostUpdate, follow.in_set(WindFollowed));
    }
}

/// The seas' wind has been moved on by a frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WindFollowed;

fn follow(mut sea_wind: ResMut<SeaWind>, wind: Option<Res<WorldWind>>, time: Res<Time>) {
    sea_wind.follow(wind.as_deref(), time.delta_secs_f64().min(ocean::schedule::LONGEST_FRAME));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ocean::Preset;

    fn settled(wind: WorldWind) -> SeaWind {
        let mut sea = SeaWind::default();
        sea.follow(Some(&wind), 0.0);
        sea
    }

    #[test]
    fn without_a_wind_or_without_following_nothing_changes() {
        let mut surface = WaterSurface::from(Preset::StormyOcean);
        assert_eq!(SeaWind::default().factors(&surface), WindFactors::AUTHORED);
        let gale = settled(WorldWind { speed: 30.0, heading: 77.0, gusts: 0.0 });
        assert_ne!(gale.factors(&surface), WindFactors::AUTHORED);
        assert_ne!(gale.factors(&surface).apply(&surface.sea), surface.sea);
        surface.follow_world_wind = false;
        assert_eq!(gale.factors(&surface).apply(&surface.sea), surface.sea);
    }

    #[test]
    fn the_authored_wind_is_no_change() {
        for preset in Preset::ALL {
            let surface = WaterSurface::from(preset);
            let sea = settled(WorldWind::default());
            assert_eq!(sea.factors(&surface).apply(&surface.sea), surface.sea, "{preset:?}");
        }
    }

    #[test]
    fn a_sea_follows_in_25_seconds_whatever_the_frames() {
        let ends = [1.0, 0.25, 1.0 / 60.0, 1.0 / 144.0].map(|step: f64| {
            let mut sea = settled(WorldWind::default());
            let wind = WorldWind { speed: 24.0, heading: 90.0, gusts: 0.0 };
            for _ in 0..(25.0 / step).round() as u32 {
                sea.follow(Some(&wind), step);
            }
            sea.state.expect("there is wind")
        });
        for end in ends {
            let expected = 24.0 - 12.0 * (-1.0_f64).exp();
            assert!((end.speed - expected).abs() < 0.05, "{} m/s, {expected} expected", end.speed);
            assert!((end.heading[1] - ends[3].heading[1]).abs() < 0.02);
        }
    }

    #[test]
    fn headings_go_the_short_way_round() {
        let mut sea = settled(WorldWind { heading: 350.0, ..default() });
        let wind = WorldWind { heading: 10.0, ..default() };
        let surface = WaterSurface::default();
        for _ in 0..2000 {
            sea.follow(Some(&wind), 0.1);
            let turn = sea.factors(&surface).turn;
            assert!(turn.abs() <= 10.0, "{turn}");
        }
        assert_eq!(sea.factors(&surface).turn, 10.0);
    }

    #[test]
    fn a_settled_sea_is_built_once() {
        let wind = WorldWind { speed: 17.0, heading: 34.0, gusts: 0.0 };
        let mut sea = settled(WorldWind::default());
        let surface = WaterSurface::default();
        let mut builds = 0;
        let mut before = sea.factors(&surface);
        let mut run = |sea: &mut SeaWind, seconds: u32| {
            let mut builds_now = 0;
            for _ in 0..seconds * 60 {
                sea.follow(Some(&wind), 1.0 / 60.0);
                let now = sea.factors(&surface);
                builds_now += u32::from(now != before);
                before = now;
            }
            builds_now
        };
        builds += run(&mut sea, 300);
        // 12 to 17 m/s is 13 steps of 1/32, 0 to 34 degrees 17 of 2.
        assert!((15..=32).contains(&builds), "{builds}");
        assert_eq!(run(&mut sea, 600), 0, "a settled sea is built again");
    }

    #[test]
    fn gusts_have_the_strength_that_is_asked_for() {
        let wind = WorldWind { speed: 10.0, heading: 0.0, gusts: 0.3 };
        let speeds: Vec<f64> = (0..200_000).map(|step| f64::from(wind.speed_at(0.05 * f64::from(step)))).collect();
        let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
        let deviation = (speeds.iter().map(|speed| (speed - mean).powi(2)).sum::<f64>() / speeds.len() as f64).sqrt();
        assert!((mean - 10.0).abs() < 0.2 && (deviation - 3.0).abs() < 0.1, "{mean} ± {deviation}");
    }

    #[test]
    fn nonsense_is_calm_weather() {
        let mut sea = settled(WorldWind::default());
        for (speed, heading) in [(f32::NAN, 0.0), (f32::INFINITY, 0.0), (5.0, f32::NAN)] {
            sea.follow(Some(&WorldWind { speed, heading, gusts: 0.0 }), 1.0);
        }
        assert_eq!(sea.factors(&WaterSurface::default()), WindFactors::AUTHORED);
    }
}
