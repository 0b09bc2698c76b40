//! The scene's wind, which the sea follows: at first the one at which every preset is as it was authored.

use crate::keys::Action;
use crate::scene::DoActions;
use bevy::prelude::*;
use bevy_ocean::{AUTHORED_SPEED, WorldWind};

/// What the key goes through, m/s, and from the last to the first again.
const SPEEDS: [f32; 3] = [AUTHORED_SPEED, 20.0, 4.0];

/// A turn, degrees.
const TURN: f32 = 45.0;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<WorldWind>().add_systems(PreUpdate, change.after(DoActions));
}

/// A reset takes the wind away for a frame, and with it what the sea has of it: a new one is taken over at once, a changed one slowly.
fn change(mut actions: MessageReader<Action>, mut commands: Commands, wind: Option<ResMut<WorldWind>>) {
    let Some(mut wind) = wind else {
        commands.init_resource::<WorldWind>();
        return;
    };
    for action in actions.read() {
        match action {
            Action::NextWind => wind.speed = next(wind.speed),
            Action::TurnWind => wind.heading = (wind.heading + TURN) % 360.0,
            Action::Reset => commands.remove_resource::<WorldWind>(),
            _ => {}
        }
    }
}

fn next(speed: f32) -> f32 {
    let place = SPEEDS.iter().position(|other| *other == speed).map_or(0, |place| place + 1);
    SPEEDS[place % SPEEDS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_change_it_and_a_reset_takes_it_back() {
        let mut app = App::new();
        app.add_message::<Action>().add_plugins(plugin);
        let mut after = |action: Option<Action>| {
            action.map(|action| app.world_mut().write_message(action));
            app.update();
            app.world().get_resource::<WorldWind>().map(|wind| (wind.speed, wind.heading))
        };
        assert_eq!(after(None), Some((12.0, 0.0)));
        assert_eq!(after(Some(Action::NextWind)), Some((20.0, 0.0)));
        assert_eq!(after(Some(Action::TurnWind)), Some((20.0, 45.0)));
        assert_eq!(after(Some(Action::NextWind)), Some((4.0, 45.0)));
        assert_eq!(after(Some(Action::NextWind)), Some((12.0, 45.0)));
        assert_eq!(after(Some(Action::Reset)), None);
        assert_eq!(after(None), Some((12.0, 0.0)));
    }
}
