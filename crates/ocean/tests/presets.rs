//! The presets and the sea as files.

use ocean::preset::{ClipmapQuality, MeshMode, Preset, PresetSettings};
use ocean::sea_state::{CASCADE_PARAMETERS, Cascade, SEA_PARAMETERS, SeaState};

#[test]
fn every_preset_is_valid_as_it_is() {
    for preset in Preset::ALL {
        let sea = preset.sea_state();
        let (validated, adjustments) = sea.validated();
        assert_eq!((validated, adjustments), (sea, vec![]), "{}", preset.name());
    }
}

#[test]
fn the_defaults_are_the_ocean() {
    assert_eq!(SeaState::default(), Preset::Ocean.sea_state());
    assert_eq!(Cascade::default(), Preset::Ocean.sea_state().cascades[0]);
    assert_eq!(PresetSettings::default(), Preset::Ocean.settings());
    let sea = SeaState::default();
    assert_eq!((sea.sea_depth, sea.seed, sea.cascades.len()), (20.0, 1234, 3));
}

#[test]
fn the_table_has_the_defaults_of_the_types() {
    let cascade = Cascade::default();
    for parameter in CASCADE_PARAMETERS {
        assert_eq!((parameter.get)(&cascade), parameter.default, "{}", parameter.field);
        assert!(parameter.min <= parameter.default && parameter.default <= parameter.max, "{}", parameter.field);
        assert!(!parameter.label.is_empty() && !parameter.meaning.is_empty(), "{}", parameter.field);
        let mut changed = cascade;
        (parameter.set)(&mut changed, parameter.max);
        assert_eq!((parameter.get)(&changed), parameter.max, "{} sets what it gets", parameter.field);
    }
    assert_eq!((SEA_PARAMETERS[0].get)(&SeaState::default()), SEA_PARAMETERS[0].default);
}

#[test]
fn still_waters_lie_on_a_grid() {
    for preset in [Preset::CalmLake, Preset::River, Preset::Swamp] {
        assert_eq!(preset.settings().mesh, MeshMode::Grid { size: 200.0, subdivisions: 256 });
    }
    assert_eq!(Preset::StormyOcean.settings().mesh, MeshMode::Clipmap(ClipmapQuality::High));
    assert_eq!(Preset::Swamp.settings().wave_resolution, 128);
}

#[test]
fn clipmaps_reach_as_far_as_they_say() {
    let reach = [ClipmapQuality::Low, ClipmapQuality::Medium, ClipmapQuality::High].map(ClipmapQuality::half_extent);
    assert_eq!(reach, [512.0, 896.0, 1024.0]);
}

#[test]
fn a_sea_survives_a_file() {
    for preset in Preset::ALL {
        let sea = preset.sea_state();
        let text = serde_json::to_string(&sea).unwrap();
        assert_eq!(serde_json::from_str::<SeaState>(&text).unwrap(), sea);
        let settings = serde_json::to_string(&preset.settings()).unwrap();
        assert_eq!(serde_json::from_str::<PresetSettings>(&settings).unwrap(), preset.settings());
    }
}

#[test]
fn a_file_may_leave_fields_out_but_not_misspell_them() {
    let sea: SeaState = serde_json::from_str(r#"{"seed": 7, "cascades": [{"wind_speed": 3.0}]}"#).unwrap();
    assert_eq!((sea.seed, sea.sea_depth), (7, 20.0));
    assert_eq!(sea.cascades, [Cascade { wind_speed: 3.0, ..Cascade::DEFAULT }]);
    let misspelt = serde_json::from_str::<SeaState>(r#"{"cascades": [{"windspeed": 3.0}]}"#).unwrap_err();
    assert!(misspelt.to_string().contains("windspeed"), "{misspelt}");
}
