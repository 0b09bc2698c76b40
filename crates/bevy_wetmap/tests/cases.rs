//! The published digest cases: what the published model gives, to the byte.
#![cfg(feature = "script")]

use bevy_wetmap::script::Script;

fn cases() -> Vec<Script> {
    serde_json::from_str(include_str!("../../../tests/cases/wetmap-digests.json")).expect("the case file is well-formed")
}

#[test]
fn every_case_gives_its_digests_and_its_hits() {
    let cases = cases();
    assert_eq!(cases.len(), 48, "every case of the file is read");
    for case in cases {
        assert!(!case.expect.is_empty(), "{} checks something", case.id);
        let replay = case.replay().expect("the sizes of the cases are within the limits");
        assert_eq!(replay.states, case.expect, "{}", case.id);
        assert_eq!(replay.hits, case.expect_hits, "{}", case.id);
        assert!(case.is_met_by(&replay));
    }
}

#[test]
fn a_wrong_expectation_is_not_met() {
    let mut case = cases().swap_remove(0);
    let replay = case.replay().expect("a size within the limits");
    case.expect[0].digest.replace_range(..1, "0");
    assert!(!case.is_met_by(&replay));
}

#[test]
fn a_script_survives_being_written_and_read() {
    for case in cases() {
        let text = serde_json::to_string(&case).expect("a script can be written");
        let again: Script = serde_json::from_str(&text).expect("and read");
        // NaN is not equal to itself, so what is compared is the text.
        assert_eq!(serde_json::to_string(&again).expect("a script can be written"), text);
    }
}

#[test]
fn a_script_of_nonsense_is_an_error_and_not_a_panic() {
    for text in ["", "{}", "[]", r#"{"id":"x","size":-1}"#, r#"{"id":"x","size":8,"ticks":1,"gravity":["up",0],"events":[]}"#] {
        assert!(serde_json::from_str::<Script>(text).is_err(), "{text}");
    }
    let huge: Script =
        serde_json::from_str(r#"{"id":"x","size":4000000000,"ticks":1,"gravity":[0,1],"events":[]}"#).expect("well-formed");
    assert!(huge.replay().is_err(), "a canvas that cannot be had");
}
