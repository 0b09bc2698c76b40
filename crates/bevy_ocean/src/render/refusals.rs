//! What could not be had, so that it is not asked for again in every frame: a size that does not fit the GPU's memory takes a moment to be refused, and what there is goes on.

use super::ocean::options;
use crate::surface::WaterSurface;
use bevy::platform::collections::HashMap;
use bevy::render::sync_world::MainEntity;
use ocean::gpu::{OceanError, OceanOptions};

/// All of a surface that takes memory, and so may be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub options: OceanOptions,
    pub cascades: usize,
}

impl Request {
    pub fn of(surface: &WaterSurface) -> Self {
        Self { options: options(surface), cascades: surface.sea.cascades.len() }
    }
}

/// What each surface last asked for in vain, and why.
#[derive(Debug, Default)]
pub struct Refusals(HashMap<MainEntity, (Request, OceanError)>);

impl Refusals {
    /// Forgets surfaces that are gone, and all refusals where something was freed: there may be room now.
    pub fn keep(&mut self, is_wanted: impl Fn(&MainEntity) -> bool, freed: bool) {
        self.0.retain(|surface, _| !freed && is_wanted(surface));
    }

    /// Whether to try for what is wanted: it is another size than what there is, and has not just been refused. Who has what he wants, or wants something else, has no refusal any more.
    pub fn is_to_be_tried(&mut self, surface: MainEntity, wanted: Request, had: Option<Request>) -> bool {
        self.0.retain(|refused, (request, _)| *refused != surface || (*request == wanted && had != Some(wanted)));
        had != Some(wanted) && !self.0.contains_key(&surface)
    }

    pub fn note(&mut self, surface: MainEntity, wanted: Request, error: OceanError) {
        self.0.insert(surface, (wanted, error));
    }

    /// Why a surface is not as it was asked for.
    pub fn reason(&self, surface: MainEntity) -> Option<&OceanError> {
        self.0.get(&surface).map(|(_, error)| error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::*;

    fn error() -> OceanError {
        OceanError::OutOfMemory("why".to_owned())
    }

    fn sized(wave_resolution: u32, cascades: usize) -> Request {
        let mut surface = WaterSurface { wave_resolution, ..default() };
        surface.sea.cascades = vec![surface.sea.cascades[0]; cascades];
        Request::of(&surface)
    }

    #[test]
    fn what_was_refused_is_tried_once() {
        let surface = MainEntity::from(Entity::from_bits(7));
        let (small, large) = (sized(256, 3), sized(4096, 3));
        let mut refusals = Refusals::default();
        assert!(refusals.is_to_be_tried(surface, large, Some(small)));
        refusals.note(surface, large, error());
        for _ in 0..3 {
            assert!(!refusals.is_to_be_tried(surface, large, Some(small)));
            assert_eq!(refusals.reason(surface), Some(&error()), "the reason is told for as long as it is asked for");
        }
        // With as many cascades more it is another request, and no more is known of it.
        assert!(refusals.is_to_be_tried(surface, sized(4096, 1), Some(small)));
        assert_eq!(refusals.reason(surface), None);
    }

    #[test]
    fn who_turns_back_may_ask_again() {
        let surface = MainEntity::from(Entity::from_bits(7));
        let (small, large) = (sized(256, 3), sized(256, 8));
        let mut refusals = Refusals::default();
        refusals.note(surface, large, error());
        assert!(!refusals.is_to_be_tried(surface, small, Some(small)), "it is what there is");
        assert_eq!(refusals.reason(surface), None);
        assert!(refusals.is_to_be_tried(surface, large, Some(small)));
    }

    #[test]
    fn a_surface_that_has_nothing_does_not_ask_in_every_frame_either() {
        let surface = MainEntity::from(Entity::from_bits(7));
        let large = sized(4096, 8);
        let mut refusals = Refusals::default();
        assert!(refusals.is_to_be_tried(surface, large, None));
        refusals.note(surface, large, error());
        assert!(!refusals.is_to_be_tried(surface, large, None));
        // Another surface's memory has been freed.
        refusals.keep(|_| true, true);
        assert!(refusals.is_to_be_tried(surface, large, None));
    }

    #[test]
    fn spray_has_two_sets_of_maps_to_know_the_waters_speed_by() {
        let with = |updates_per_second, enable_sea_spray| {
            let surface = WaterSurface { updates_per_second, enable_sea_spray, ..default() };
            Request::of(&surface).options.history
        };
        assert_eq!([with(0.0, false), with(0.0, true), with(50.0, false), with(50.0, true)], [false, true, true, true]);
    }
}
