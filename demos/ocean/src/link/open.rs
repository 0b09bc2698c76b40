//! Opening a link: everything becomes what it says, at once.

use super::Opened;
use crate::camera::Pose;
use crate::input::ReadInput;
use crate::keys::Action;
use crate::quality::{Chosen, Quality};
use crate::scene::{DoActions, Notices, Run, Sea, preset_surface};
use crate::sky::Sun;
use crate::weather::Arriving;
use crate::{Machine, memory, parameters};
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
    machine: Res<Machine>,
    mut notices: ResMut<Notices>,
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
        // It could be set when the link was read, and what was not as asked has been said.
        let _ = parameters::set(&mut asked, name, value, Machine::Gpu);
    }
    memory::admit(&mut asked, *machine).into_iter().for_each(|said| notices.say(said));
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
    use crate::scene::original_surface;

    /// The demo without a picture, after a link was opened.
    fn after(fragment: &str) -> App {
        after_on(Machine::Gpu, fragment)
    }

    fn after_on(machine: Machine, fragment: &str) -> App {
        let mut app = App::new();
        app.add_message::<Action>()
            .insert_resource(machine)
            .init_resource::<Notices>()
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
        assert_eq!(chosen("v=1&wave_resolution=1024"), Chosen { resolution: true, ..Chosen::default() });
        assert_eq!(chosen("v=1&wave_mesh_quality=low"), Chosen { mesh: true, ..Chosen::default() });
    }

    fn surface(app: &mut App) -> WaterSurface {
        let surfaces: Vec<_> = app.world_mut().query::<&WaterSurface>().iter(app.world()).cloned().collect();
        surfaces[0].clone()
    }

    #[test]
    fn undoing_a_dial_of_a_link_goes_back_to_its_preset() {
        let mut app = after("#preset=tropical&roughness=.25&c1.wind_speed=3");
        let (run, quality) = (*app.world().resource::<Run>(), app.world().resource::<Quality>().clone());
        let originals = parameters::originals(&original_surface(run.preset, &quality));
        let mut surface = surface(&mut app);
        assert_eq!(surface.roughness, 0.25);
        for name in ["roughness", "cascade1.wind_speed"] {
            assert_eq!(parameters::set(&mut surface, name, &originals[name], Machine::Gpu), Ok(None));
        }
        assert_eq!(surface, WaterSurface::from(bevy_ocean::Preset::Tropical));
    }

    #[test]
    fn a_link_asks_for_no_more_memory_than_there_is() {
        let nine_gigabytes = "v=1&wave_resolution=4096&cascades=8";
        let read = read(nine_gigabytes);
        assert_eq!(
            read.notices.iter().map(|notice| (notice.kind(), notice.name())).collect::<Vec<_>>(),
            [("adjusted", Some("wave_resolution"))]
        );
        assert_eq!(read.link(), "v=1&cascades=8&wave_resolution=2048");
        let mut app = after(nine_gigabytes);
        assert_eq!((surface(&mut app).wave_resolution, app.world().resource::<Notices>().iter().count()), (2048, 0));
        // A program has a lower limit than a GPU, and the reader did not know which of them it is.
        let mut app = after_on(Machine::Software, "v=1&wave_resolution=4096");
        assert_eq!((surface(&mut app).wave_resolution, app.world().resource::<Notices>().iter().count()), (2048, 1));
    }
}
