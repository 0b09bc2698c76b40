//! Down on the texture: four directions and none, which is all that the model tells apart.

use bevy::prelude::*;

/// Down on the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gravity {
    /// Towards +v, which on the sphere is down.
    #[default]
    Down,
    /// Towards +u.
    Right,
    /// Towards −v.
    Up,
    /// Towards −u.
    Left,
    /// Nowhere: blood creeps and dries, and does not run.
    None,
}

impl Gravity {
    /// Their names on screen.
    pub const NAMES: [&str; 5] = ["down", "right", "up", "left", "none"];

    const ALL: [Self; 5] = [Self::Down, Self::Right, Self::Up, Self::Left, Self::None];

    /// The next of the four directions.
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Down => Self::Right,
            Self::Right => Self::Up,
            Self::Up => Self::Left,
            Self::Left | Self::None => Self::Down,
        }
    }

    /// As the model takes it.
    pub fn uv(self) -> Vec2 {
        match self {
            Self::Down => Vec2::Y,
            Self::Right => Vec2::X,
            Self::Up => Vec2::NEG_Y,
            Self::Left => Vec2::NEG_X,
            Self::None => Vec2::ZERO,
        }
    }

    /// What the model makes of any gravity: its stronger axis, sideways where they are equal, and nowhere if it is zero or not finite.
    pub fn of([x, y]: [f32; 2]) -> Self {
        if !x.is_finite() || !y.is_finite() || (x == 0.0 && y == 0.0) {
            Self::None
        } else if x.abs() >= y.abs() {
            if x > 0.0 { Self::Right } else { Self::Left }
        } else if y > 0.0 {
            Self::Down
        } else {
            Self::Up
        }
    }

    /// The name on screen.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().zip(Self::NAMES).find(|(gravity, _)| *gravity == self).map_or("", |(_, name)| name)
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().zip(Self::NAMES).find(|(_, known)| *known == name).map(|(gravity, _)| gravity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_wetmap::{StainShape, WetSettings, Wetmap};

    #[test]
    fn four_turns_of_gravity_are_none() {
        let mut gravity = Gravity::default();
        let mut names = Vec::new();
        for _ in 0..4 {
            names.push(gravity.name());
            gravity = gravity.turned();
        }
        assert_eq!(names, ["down", "right", "up", "left"]);
        assert_eq!(gravity, Gravity::Down);
    }

    #[test]
    fn every_gravity_is_to_the_model_the_one_of_these_that_it_is_taken_for() {
        let digest = |gravity: [f32; 2]| {
            let mut map = Wetmap::new(32, [0.5; 3], 0.5).expect("32 is a size");
            let shape = StainShape { major: 0.3, minor: 0.2, spines: 5, satellites: 2, direction: [0.6, 0.8], seed: 7 };
            map.paint_uv([0.4, 0.5], &shape, 0);
            for tick in 0..20 {
                map.tick(tick, gravity, &WetSettings::default());
            }
            map.digest()
        };
        let awkward = [0.0, -0.0, 1.0, -1.0, 0.3, -0.3, 1e-30, -1e30, f32::NAN, f32::INFINITY];
        for gravity in awkward.iter().flat_map(|&x| awkward.map(|y| [x, y])) {
            assert_eq!(digest(gravity), digest(Gravity::of(gravity).uv().to_array()), "{gravity:?}");
        }
        for gravity in Gravity::ALL {
            assert_eq!(Gravity::of(gravity.uv().to_array()), gravity);
            assert_eq!(Gravity::named(gravity.name()), Some(gravity));
        }
    }
}
