//! The scene's wind, which the sea follows: at first the one at which every preset is as it was authored.

use crate::keys::Action;
use crate::scene::DoActions;
use bevy::prelude::*;
use bevy_ocean::{AUTHORED_SPEED, WorldWind};

/// What the key goes through, m/s, and from the last to the first again.
const SPEEDS: [f32; 3] = [AUTHORED_SPEED, 20.0, 4.0];

/// A turn, degrees.
const TURN: f32 = 45.0;

/// The wind that comes with a link, until it is there.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Arriving(pub Option<WorldWind>);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<WorldWind>().init_resource::<Arriving>().add_systems(PreUpdate, change.after(DoActions));
}

/// A reset and a link take the wind away for a frame, and with it what the sea has of it: a new one is taken over at once, a changed one
/// slowly.
fn change(
    mut actions: MessageReader<Action>,
    mut arriving: ResMut<Arriving>,
    mut commands: Commands,
    wind: Option<ResMut<WorldWind>>,
) {
    let Some(mut wind) = wind else {
        commands.insert_resource(arriving.0.take().unwrap_or_default());
        return;
    };
    if arriving.0.is_some() {
        commands.remove_resource::<WorldWind>();
        return;
    }
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

    #[test]
    fn the_wind_of_a_link_comes_as_a_new_one() {
        let mut app = App::new();
        app.add_message::<Action>().add_plugins(plugin);
        app.update();
        app.world_mut().resource_mut::<Arriving>().0 = Some(WorldWind { speed: 20.0, heading: 45.0, ..default() });
        let mut after = || {
            app.update();
            app.world().get_resource::<WorldWind>().map(|wind| (wind.speed, wind.heading))
        };
        assert_eq!([after(), after(), after()], [None, Some((20.0, 45.0)), Some((20.0, 45.0))]);
    }
}
