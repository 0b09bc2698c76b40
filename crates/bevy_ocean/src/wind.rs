//! The scene's wind, and how seas follow it.
//!
//! What a surface's cascades say is the sea's *shape*: the balance of swell and wind sea, and their bearings to each other. The scene's wind scales and turns that as a whole. Seas follow
//! slowly, as they do, and in steps, since each step builds the spectra anew: a settled sea builds nothing. The turned spectrum weights the same noise anew, so waves die here and
//! rise there; nothing is rotated about the origin.
//!
//! Seas follow the mean. Of gusts, 25 seconds leave next to nothing, which would still be a step now and then, for ever; the spray feels them at once.
//!
//! All of it is the same to the bit on every machine, since bodies float on it. There are two of it: the picture's goes by frames, the physics' by steps (`buoyancy::ridden`).

use crate::surface::WaterSurface;
use crate::time::WaterFrame;
use bevy::prelude::*;
use ocean::SeaState;

/// The scene's wind. Without this resource every sea is as it was authored.
///
/// Seas follow it on the water's time ([`WaterTime`](crate::WaterTime)): a paused one waits. Inserted anew, after it was not there, it is taken over at once; changed, slowly.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default)]
pub struct WorldWind {
    /// Mean speed, m/s.
    pub speed: f32,
    /// Heading that it blows to, degrees: 0 is +x, 90 is +z.
    pub heading: f32,
    /// How gusty it is: the speed's standard deviation as a share of the mean. Spray drifts with the gusts. Seas follow the mean: however gusty the wind, a settled sea is not built again.
    pub gusts: f32,
}

/// Speed at which a sea is as it was authored, m/s.
pub const AUTHORED_SPEED: f32 = 12.0;

/// Seconds in which a sea comes to within 1/e of a new wind.
pub const SEA_RESPONSE_SECONDS: f64 = 25.0;

/// Steps of the factor on speeds, and of the turn in degrees.
const SPEED_STEP: f64 = 1.0 / 32.0;
const TURN_STEP: f64 = 2.0;

/// How far off, in steps, the wind may be before another step is taken. More than a half, or a wind between two steps would go to and fro between them.
const DEAD_BAND: f64 = 0.75;

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

/// The wind that seas feel: the mean of the scene's, smoothed.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SeaWind {
    /// Nothing before the first wind, which is taken over at once: a scene begins settled.
    state: Option<State>,
    /// Seconds of sea since then: where the gusts are.
    seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    speed: f64,
    /// Degrees in (−180, 180].
    heading: f64,
}

/// The same angle in (−180, 180], degrees.
fn on_circle(degrees: f64) -> f64 {
    let turned = degrees.rem_euclid(360.0);
    if turned > 180.0 { turned - 360.0 } else { turned }
}

impl SeaWind {
    /// Follows `wind` for `seconds`, headings the shorter way round. While the wind is the same, any split of the seconds comes to the same.
    pub fn follow(&mut self, wind: Option<&WorldWind>, seconds: f64) {
        let Some(wind) = wind else {
            *self = Self::default();
            return;
        };
        if !(wind.speed.is_finite() && wind.heading.is_finite()) {
            return;
        }
        self.seconds += seconds;
        let (speed, heading) = (f64::from(wind.speed.max(0.0)), f64::from(wind.heading));
        let state = self.state.get_or_insert(State { speed, heading: on_circle(heading) });
        let gone = -libm::expm1(-seconds / SEA_RESPONSE_SECONDS);
        state.speed += gone * (speed - state.speed);
        state.heading = on_circle(state.heading + gone * on_circle(heading - state.heading));
    }

    /// The same in an app, where a wind that was not there before is taken over at once.
    pub fn follow_resource(&mut self, wind: Option<Res<WorldWind>>, seconds: f64) {
        if wind.as_ref().is_none_or(DetectChanges::is_added) {
            *self = Self::default();
        }
        self.follow(wind.as_deref(), seconds);
    }

    /// What a gust makes of `wind`'s mean speed now.
    pub fn gust(&self, wind: &WorldWind) -> f32 {
        let gust = wind.speed_at(self.seconds) / wind.speed;
        if gust.is_finite() && wind.gusts.is_finite() { gust } else { 1.0 }
    }

    /// What a surface's sea is multiplied and turned by, if it was `before`: another step only where that is too far off.
    pub fn factors(&self, surface: &WaterSurface, before: Option<WindFactors>) -> Option<WindFactors> {
        let state = self.state.filter(|_| surface.follow_world_wind)?;
        let speed = state.speed / f64::from(AUTHORED_SPEED) * f64::from(surface.wind_response);
        let turned = before.map_or(0.0, |before| f64::from(before.turn));
        let turn = turned + on_circle(state.heading - turned);
        Some(WindFactors {
            speed: quantise(speed, SPEED_STEP, before.map(|before| before.speed)),
            turn: on_circle(f64::from(quantise(turn, TURN_STEP, before.map(|before| before.turn)))) as f32,
        })
    }
}

/// `before`, a multiple of `step`, if `value` is still about there; else the multiple that is nearest.
fn quantise(value: f64, step: f64, before: Option<f32>) -> f32 {
    let stays = |before: &f32| (value - f64::from(*before)).abs() <= DEAD_BAND * step;
    before.filter(stays).unwrap_or_else(|| ((value / step).round() * step) as f32)
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
    /// No change.
    const ONE: Self = Self { speed: 1.0, turn: 0.0 };
}

/// A sea in the wind; where there is none, as it was authored, to the bit.
pub(crate) fn sea_in(wind: Option<WindFactors>, sea: &SeaState) -> SeaState {
    let mut sea = sea.clone();
    let Some(wind) = wind.filter(|wind| *wind != WindFactors::ONE) else { return sea };
    for cascade in &mut sea.cascades {
        cascade.wind_speed = (cascade.wind_speed * wind.speed).max(LEAST_WIND);
        cascade.wind_direction += wind.turn;
    }
    sea.validated().0
}

/// Moves the picture's wind on by a frame of the water's time.
pub(crate) fn follow(mut sea_wind: ResMut<SeaWind>, wind: Option<Res<WorldWind>>, frame: Res<WaterFrame>) {
    sea_wind.follow_resource(wind, frame.seconds);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headless;
    use crate::surface::MeshMode;
    use crate::time::WaterTime;
    use ocean::spectrum::CascadeSpectrum;
    use ocean::{Clocks, Preset, SurfaceField};

    fn settled(wind: WorldWind) -> SeaWind {
        let mut sea = SeaWind::default();
        sea.follow(Some(&wind), 0.0);
        sea
    }

    fn toward(heading: f32) -> WorldWind {
        WorldWind { heading, ..default() }
    }

    /// A sea that follows, and how often its spectra are built anew.
    struct Follower {
        surface: WaterSurface,
        wind: SeaWind,
        factors: Option<WindFactors>,
        spectra: Vec<CascadeSpectrum>,
    }

    impl Follower {
        fn new(wind: WorldWind) -> Self {
            let mut follower =
                Self { surface: WaterSurface::default(), wind: SeaWind::default(), factors: None, spectra: Vec::new() };
            follower.follow(&wind, 0.0);
            follower
        }

        /// Goes on by a frame. Returns whether anything is built.
        fn follow(&mut self, wind: &WorldWind, seconds: f64) -> bool {
            self.wind.follow(Some(wind), seconds);
            let factors = self.wind.factors(&self.surface, self.factors);
            if std::mem::replace(&mut self.factors, factors) == factors {
                return false;
            }
            let spectra = CascadeSpectrum::all(&sea_in(factors, &self.surface.sea));
            std::mem::replace(&mut self.spectra, spectra.clone()) != spectra
        }

        /// How often it is built in so many seconds.
        fn builds(&mut self, wind: &WorldWind, seconds: u32) -> usize {
            (0..seconds * 20).filter(|_| self.follow(wind, 0.05)).count()
        }

        fn factors(&self) -> WindFactors {
            self.factors.expect("it follows")
        }
    }

    #[test]
    fn without_a_wind_or_without_following_nothing_changes() {
        let mut surface = WaterSurface::from(Preset::StormyOcean);
        assert_eq!(SeaWind::default().factors(&surface, None), None);
        let gale = settled(WorldWind { speed: 30.0, heading: 77.0, gusts: 0.0 });
        let factors = gale.factors(&surface, None);
        assert_eq!(factors, Some(WindFactors { speed: 2.5, turn: 78.0 }));
        assert_ne!(sea_in(factors, &surface.sea), surface.sea);
        surface.follow_world_wind = false;
        assert_eq!(sea_in(gale.factors(&surface, factors), &surface.sea), surface.sea);
    }

    #[test]
    fn the_authored_wind_is_no_change() {
        for preset in Preset::ALL {
            let surface = WaterSurface::from(preset);
            let sea = settled(WorldWind::default());
            assert_eq!(sea_in(sea.factors(&surface, None), &surface.sea), surface.sea, "{preset:?}");
        }
    }

    #[test]
    fn a_sea_follows_exponentially_whatever_the_frames() {
        let left = (-1.0_f64).exp();
        for (from, by) in [(0.0, 90.0), (0.0, 180.0), (350.0, 20.0), (10.0, -20.0), (120.0, 170.0), (200.0, -170.0)] {
            for steps in [1, 2, 100, 1500, 3600] {
                let mut sea = settled(WorldWind { heading: from, ..default() });
                let wind = WorldWind { speed: 24.0, heading: from + by, gusts: 0.7 };
                for _ in 0..steps {
                    sea.follow(Some(&wind), SEA_RESPONSE_SECONDS / f64::from(steps));
                }
                let state = sea.state.expect("there is wind");
                assert!((state.speed - (24.0 - 12.0 * left)).abs() < 1e-9, "{steps} steps: {} m/s", state.speed);
                let expected = f64::from(from) + f64::from(by) * (1.0 - left);
                let off = on_circle(state.heading - expected);
                assert!(off.abs() < 1e-9, "{from}° by {by}° in {steps} steps: {}°, {expected}° expected", state.heading);
            }
        }
    }

    #[test]
    fn headings_go_the_short_way_round() {
        let mut sea = Follower::new(toward(350.0));
        for _ in 0..2000 {
            sea.follow(&toward(10.0), 0.1);
            assert!(sea.factors().turn.abs() <= 10.0, "{}", sea.factors().turn);
        }
        assert_eq!(sea.factors().turn, 10.0);
        // Over the seam of the circle.
        sea.builds(&toward(170.0), 300);
        sea.builds(&toward(-150.0), 10);
        assert!(sea.factors().turn.abs() > 170.0);
        sea.builds(&toward(-150.0), 300);
        assert_eq!(sea.factors().turn, -150.0);
    }

    #[test]
    fn a_settled_sea_builds_nothing() {
        let mut sea = Follower::new(WorldWind::default());
        let wind = WorldWind { speed: 17.0, heading: 34.0, gusts: 0.0 };
        // 12 to 17 m/s is 13 steps of 1/32, 0 to 34 degrees 17 of 2.
        let builds = sea.builds(&wind, 300);
        assert!((17..=30).contains(&builds), "{builds}");
        assert_eq!(sea.builds(&wind, 600), 0);
        assert!((sea.factors().speed - 17.0 / 12.0).abs() <= 0.75 / 32.0, "{:?}", sea.factors());
        // Between two steps, from either side: an odd number of degrees, and 32.5 steps of speed.
        for heading in [45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0, 0.0, 315.0, 225.0, 135.0, 45.0] {
            let wind = WorldWind { speed: 12.1875, heading, gusts: 0.0 };
            sea.builds(&wind, 200);
            assert_eq!(sea.builds(&wind, 600), 0, "toward {heading}°");
            let off = on_circle(f64::from(sea.factors().turn - heading));
            assert!(off.abs() <= 1.5, "{:?} toward {heading}°", sea.factors());
        }
        // And one that begins there.
        for heading in [45.0, 135.0, 181.0] {
            let wind = WorldWind { speed: 12.1875, heading, gusts: 0.0 };
            assert_eq!(Follower::new(wind).builds(&wind, 600), 0, "toward {heading}°");
        }
    }

    #[test]
    fn gusts_build_nothing() {
        for gusts in [0.1, 0.3, 1.0] {
            let wind = WorldWind { gusts, ..default() };
            assert_eq!(Follower::new(wind).builds(&wind, 600), 0, "gusts of {gusts}");
        }
    }

    #[test]
    fn gusts_have_the_strength_that_is_asked_for() {
        let wind = WorldWind { speed: 10.0, heading: 0.0, gusts: 0.3 };
        let speeds: Vec<f64> = (0..200_000).map(|step| f64::from(wind.speed_at(0.05 * f64::from(step)))).collect();
        let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
        let deviation = (speeds.iter().map(|speed| (speed - mean).powi(2)).sum::<f64>() / speeds.len() as f64).sqrt();
        assert!((mean - 10.0).abs() < 0.2 && (deviation - 3.0).abs() < 0.1, "{mean} ± {deviation}");
        let mut sea = settled(wind);
        sea.follow(Some(&wind), 33.0);
        assert_eq!(sea.gust(&wind) * wind.speed, wind.speed_at(33.0));
        assert_eq!(sea.gust(&WorldWind { speed: 0.0, ..wind }), 1.0);
    }

    #[test]
    fn nonsense_is_calm_weather() {
        let mut sea = settled(WorldWind::default());
        for (speed, heading) in [(f32::NAN, 0.0), (f32::INFINITY, 0.0), (5.0, f32::NAN), (5.0, f32::INFINITY)] {
            sea.follow(Some(&WorldWind { speed, heading, gusts: f32::NAN }), 1.0);
        }
        assert_eq!(sea.factors(&WaterSurface::default(), None), Some(WindFactors::ONE));
        assert_eq!(sea.gust(&WorldWind { gusts: f32::NAN, ..default() }), 1.0);
    }

    /// Waves of a sea in such a wind: heights on a grid around the origin, turned about it by `angle`.
    fn heights(turn: f32, angle: f32) -> Vec<f64> {
        let sea = sea_in(Some(WindFactors { speed: 1.0, turn }), &Preset::Ocean.sea_state());
        let mut field = SurfaceField::new(&sea);
        field.update(&Clocks::new());
        let (sin, cos) = angle.to_radians().sin_cos();
        let places = (0..32 * 32).map(|index| [(index % 32) as f32 - 15.5, (index / 32) as f32 - 15.5].map(|at| 3.0 * at));
        places.map(|[x, z]| f64::from(field.height_at([cos * x + sin * z, cos * z - sin * x]))).collect()
    }

    fn correlation(a: &[f64], b: &[f64]) -> f64 {
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        product(a, b) / (product(a, a) * product(b, b)).sqrt()
    }

    #[test]
    fn a_new_heading_weights_the_same_noise_anew_and_rotates_nothing() {
        let before = heights(0.0, 0.0);
        let after = |turn| correlation(&before, &heights(turn, 0.0));
        assert!(after(2.0) > 0.98, "a step shows: {}", after(2.0));
        for turn in [45.0, 90.0] {
            let turned = heights(turn, 0.0);
            // The sea before, turned either way about the origin, is no more like the new one than another throw of the dice.
            for angle in [turn, -turn] {
                let rotated = correlation(&turned, &heights(0.0, angle));
                assert!(rotated.abs() < 0.25, "rotated by {angle}°: {rotated}");
            }
        }
        assert!(after(45.0) > 0.3, "waves that both winds raise stay where they are: {}", after(45.0));
        // Wave by wave: the phases are those of the noise, whatever the wind.
        let [before, after] = [0.0, 45.0]
            .map(|turn| CascadeSpectrum::new(&sea_in(Some(WindFactors { speed: 1.0, turn }), &Preset::Ocean.sea_state()), 0));
        for (ix, iz) in (-12..=12).flat_map(|ix| (-12..=12).map(move |iz| (ix, iz))).filter(|bin| *bin != (0, 0)) {
            let ([a, b], [c, d]) = (before.h0(ix, iz), after.h0(ix, iz));
            let (length, turned) = (libm::hypot(a, b) * libm::hypot(c, d), a * d - b * c);
            assert!(turned.abs() <= 1e-9 * length && a * c + b * d >= 0.0, "wave {ix}, {iz}: {a}, {b} and {c}, {d}");
        }
    }

    #[test]
    fn the_wind_waits_for_a_paused_sea_and_goes_with_its_steps() {
        let mut app = headless::app();
        app.init_resource::<WorldWind>();
        app.world_mut().spawn(WaterSurface { mesh_mode: MeshMode::Grid, ..WaterSurface::from(Preset::Ocean) });
        app.update();
        let authored = headless::sea(&app);
        assert_eq!(authored, Preset::Ocean.sea_state());
        app.world_mut().resource_mut::<WaterTime>().paused = true;
        app.insert_resource(WorldWind { speed: 24.0, ..default() });
        headless::run_long(&mut app, 10);
        assert_eq!(headless::sea(&app), authored);
        app.world_mut().resource_mut::<WaterTime>().step(SEA_RESPONSE_SECONDS);
        app.update();
        let stepped = headless::sea(&app).cascades[0].wind_speed;
        let expected = 10.0 * (2.0 - (-1.0_f32).exp());
        assert!((stepped - expected).abs() <= 10.0 * 0.75 / 32.0, "{stepped} m/s, {expected} expected");
        app.world_mut().resource_mut::<WaterTime>().paused = false;
        headless::run_long(&mut app, 200);
        assert_eq!(headless::sea(&app).cascades[0].wind_speed, 20.0);
        app.world_mut().remove_resource::<WorldWind>();
        app.update();
        assert_eq!(headless::sea(&app), authored);
    }

    #[test]
    fn seas_in_an_app_settle() {
        let mut app = headless::app();
        app.insert_resource(WorldWind { gusts: 0.3, ..default() });
        app.world_mut().spawn(WaterSurface { mesh_mode: MeshMode::Grid, ..WaterSurface::from(Preset::StormyOcean) });
        app.update();
        let builds = |app: &mut App, seconds: u32| {
            let seas = (0..seconds).map(|_| {
                headless::run_long(app, 1);
                headless::sea(app)
            });
            let seas: Vec<_> = seas.collect();
            seas.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        app.world_mut().resource_mut::<WorldWind>().heading = 45.0;
        assert!(builds(&mut app, 120) > 10);
        assert_eq!(builds(&mut app, 120), 0, "a settled sea is built again");
    }
}
