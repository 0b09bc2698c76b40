//! Opening a link: everything becomes what it says, at once.

use super::Opened;
use crate::camera::Pose;
use crate::input::ReadInput;
use crate::keys::Action;
use crate::parameters;
use crate::quality::{Chosen, Quality};
use crate::scene::{DoActions, Run, Sea, preset_surface};
use crate::sky::Sun;
use crate::weather::Arriving;
use bevy::prelude::*;
use bevy_ocean::{WaterSurface, WaterTime, WaterView, WorldWind};

/// Asks for what a link says.
#[derive(Message, Clone, Debug)]
pub struct OpenLink(pub Opened);

/// Before the actions of the same frame: who asks for more, asks for it on top.
pub(crate) fn plugin(app: &mut App) {
    app.add_message::<OpenLink>().add_systems(PreUpdate, open.after(ReadInput).before(DoActions));
}

fn open(
    mut links: MessageReader<OpenLink>,
    mut actions: MessageWriter<Action>,
    mut run: ResMut<Run>,
    mut quality: ResMut<Quality>,
    mut pose: ResMut<Pose>,
    mut sun: ResMut<Sun>,
    mut water: ResMut<WaterTime>,
    mut view: ResMut<WaterView>,
    mut wind: ResMut<Arriving>,
    mut sea: Query<&mut WaterSurface, With<Sea>>,
) {
    let Some(OpenLink(Opened { state, dials, .. })) = links.read().last() else {
        return;
    };
    let Ok(mut surface) = sea.single_mut() else {
        return;
    };
    run.preset = state.preset;
    // What a link names somebody has chosen. The rest is what this machine makes of the preset.
    quality.chosen = Chosen::default();
    dials.iter().for_each(|(name, _)| quality.chosen.note(name));
    quality.wait();
    let mut asked = preset_surface(state.preset, &quality);
    for (name, value) in dials {
        // It could be set when the link was read.
        let _ = parameters::set(&mut asked, name, value);
    }
    *surface = asked;
    *pose = state.pose;
    *sun = state.sun;
    *view = state.view;
    water.paused = state.paused;
    let (speed, heading) = state.wind;
    wind.0 = Some(WorldWind { speed, heading, ..default() });
    // What floats comes to where the eye is now.
    actions.write(Action::Gather);
}

#[cfg(test)]
mod tests {
    use super::super::{State, read};
    use super::*;

    /// The demo without a picture, after a link was opened.
    fn after(fragment: &str) -> App {
        let mut app = App::new();
        app.add_message::<Action>()
            .init_resource::<Run>()
            .init_resource::<Quality>()
            .insert_resource(State::of(bevy_ocean::Preset::Ocean).pose)
            .init_resource::<Sun>()
            .init_resource::<WaterTime>()
            .init_resource::<WaterView>()
            .init_resource::<Arriving>()
            .add_plugins(plugin);
        app.world_mut().spawn((Sea, WaterSurface::default()));
        app.world_mut().write_message(OpenLink(read(fragment)));
        app.update();
        app
    }

    #[test]
    fn everything_becomes_what_the_link_says() {
        let fragment =
            "v=1&preset=river&sky=sunset&sun=10,20&wind=20,45&camera=1,2,3,0.5,-0.1&map=foam&lines=on&paused=on&roughness=0.25";
        let mut app = after(fragment);
        let wanted = read(fragment).state;
        let world = app.world();
        assert_eq!(world.resource::<Run>().preset, wanted.preset);
        assert_eq!((world.resource::<Pose>(), world.resource::<Sun>()), (&wanted.pose, &wanted.sun));
        assert_eq!((world.resource::<WaterView>(), world.resource::<WaterTime>().paused), (&wanted.view, true));
        assert_eq!(world.resource::<Arriving>().0.map(|wind| (wind.speed, wind.heading)), Some(wanted.wind));
        let surfaces: Vec<_> = app.world_mut().query::<&WaterSurface>().iter(app.world()).cloned().collect();
        assert_eq!(surfaces, [wanted.surface]);
        assert_eq!(surfaces[0].roughness, 0.25);
    }

    #[test]
    fn what_a_link_names_is_chosen_and_is_not_limited() {
        let chosen = |fragment| after(fragment).world().resource::<Quality>().chosen;
        assert_eq!(chosen("v=1&preset=arctic"), Chosen::default());
        assert_eq!(chosen("v=1&wave_resolution=1024"), Chosen { mesh: false, resolution: true });
        assert_eq!(chosen("v=1&wave_mesh_quality=low"), Chosen { mesh: true, resolution: false });
    }
}
