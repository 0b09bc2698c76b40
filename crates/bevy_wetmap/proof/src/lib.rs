//! Lists of scripts, and one number for each: what has to be the same on every kind of machine.
//!
//! A number folds, with FNV-1a, the digest of every script after every tick, what its rays hit, and the bytes of both textures and of the
//! saved canvas at its end. The lists are in [`lists`]; `numbers.txt` says what has to come out. `cargo xtask prove` runs this on all the
//! targets that a machine can run; the test beside it holds the quick part in `cargo test`; the module that it makes for wasm32 is called
//! by Node.js and in Chromium.

pub mod lists;

use bevy_wetmap::bloodstain::spectral::Film;
use bevy_wetmap::script::Script;
use bevy_wetmap::{Looks, SizeError, WetSettings, Wetmap};

/// FNV-1a, 64 bits, written out again: a proof that used what it proves would prove less.
#[derive(Clone, Copy, Debug)]
struct Fold(u64);

impl Fold {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Why a list has no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// A published case gives other digests, sums or hits than were published.
    Case(String),
    /// At the end of this script a canvas that was saved and loaded, or rolled back, went another way than the one it is of.
    Forked(String),
    /// A script's canvas cannot be had.
    Size(SizeError),
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Case(id) => write!(f, "the published case `{id}` does not give here what was published"),
            Self::Forked(id) => write!(f, "after `{id}` a canvas that was saved and loaded, or rolled back, goes another way"),
            Self::Size(error) => write!(f, "a script cannot be played: {error}"),
        }
    }
}

impl std::error::Error for Broken {}

/// Folds a list, and what `afterwards` makes of each canvas at its end.
fn fold(scripts: &[Script], afterwards: fn(&mut Fold, &Script, &Wetmap) -> Result<(), Broken>) -> Result<u64, Broken> {
    let mut fold = Fold(0xcbf2_9ce4_8422_2325);
    for script in scripts {
        let mut end: Option<Wetmap> = None;
        let shown = script.play(|after, map| {
            fold.bytes(&map.digest().to_le_bytes());
            if after == script.ticks {
                end = Some(map.clone());
            }
        });
        shown.map_err(Broken::Size)?.iter().for_each(|&hit| fold.bytes(&[hit.into()]));
        if let Some(map) = end {
            fold.bytes(map.albedo_bytes());
            fold.bytes(map.roughness_bytes());
            fold.bytes(&map.save());
            fold.bytes(&map.wetted_area().to_bits().to_le_bytes());
            afterwards(&mut fold, script, &map)?;
        }
    }
    Ok(fold.0)
}

/// Three ticks on: saved and resumed, or rolled back, a canvas goes the way it would have gone; under a film it has its own colours.
fn go_on(fold: &mut Fold, script: &Script, end: &Wetmap) -> Result<(), Broken> {
    const FILM: Film = Film { thickness_mm: 0.75, so2: 0.875, substrate: 0.5 };
    // Its table of colours takes an interpreter many minutes.
    let film = (script.size > lists::SMALL).then_some(FILM);
    let settings = WetSettings::from(script.settings);
    let gone_on = |mut map: Wetmap| {
        (0..3).for_each(|tick| map.tick(tick, [0.0, 1.0], &settings));
        map
    };
    let parts = |map: &Wetmap| (map.digest(), map.albedo_bytes().to_vec(), map.roughness_bytes().to_vec());
    let mut filmed = end.clone();
    filmed.set_looks(Looks { film, ..end.looks() }, 0);
    // Elsewhere first: other dials, another gravity, dry before long, and other colours.
    let mut back = filmed.clone();
    (0..2).for_each(|tick| back.tick(tick, [1.0, 0.0], &WetSettings { spread_rate: 1.0, dry_ticks: 2, ..settings }));
    back.restore(end, 0);

    let straight = gone_on(end.clone());
    let resumed = Wetmap::load(&end.save()).map(gone_on);
    let filmed = gone_on(filmed);
    let same = resumed.is_ok_and(|resumed| parts(&resumed) == parts(&straight)) && parts(&gone_on(back)) == parts(&straight);
    if !same || filmed.digest() != straight.digest() {
        return Err(Broken::Forked(script.id.clone()));
    }
    fold.bytes(&straight.digest().to_le_bytes());
    fold.bytes(filmed.albedo_bytes());
    fold.bytes(filmed.roughness_bytes());
    Ok(())
}

/// How much of the lists is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// How many scripts are generated.
    pub generated: u32,
    /// Scripts of more texels times ticks are left out of all lists but the last. For interpreters.
    pub largest: u32,
}

impl Amount {
    /// All there is.
    pub const ALL: Self = Self { generated: 1000, largest: u32::MAX };
}

/// The lists, in the order of their numbers.
pub const LISTS: [&str; 5] = ["published", "corners", "generated", "features", "borders"];

/// The number of one of [`LISTS`], or of none for another index.
///
/// # Errors
/// [`Broken`] when something is wrong that is known without another machine to compare with.
pub fn number(list: usize, amount: Amount) -> Result<Option<u64>, Broken> {
    let fits = |script: &Script| u64::from(script.size).pow(2) * u64::from(script.ticks) <= u64::from(amount.largest);
    let some = |list: Vec<Script>| -> Vec<Script> { list.into_iter().filter(fits).collect() };
    let nothing = |_: &mut Fold, _: &Script, _: &Wetmap| Ok(());
    let number = match LISTS.get(list).copied() {
        Some("published") => fold(&as_published(some(lists::published()))?, nothing)?,
        Some("corners") => fold(&some(lists::corners()), nothing)?,
        Some("generated") => fold(&some(lists::generated(amount.generated)), nothing)?,
        Some("features") => fold(&some(lists::features()), go_on)?,
        Some("borders") => fold(&lists::borders(), nothing)?,
        _ => return Ok(None),
    };
    Ok(Some(number))
}

/// The cases, if they give what they say.
fn as_published(cases: Vec<Script>) -> Result<Vec<Script>, Broken> {
    for case in &cases {
        if !case.is_met_by(&case.replay().map_err(Broken::Size)?) {
            return Err(Broken::Case(case.id.clone()));
        }
    }
    Ok(cases)
}

/// The numbers of all [`LISTS`].
///
/// # Errors
/// As of [`number`].
pub fn numbers(amount: Amount) -> Result<Vec<u64>, Broken> {
    (0..LISTS.len()).filter_map(|list| number(list, amount).transpose()).collect()
}

/// For wasm32: number `list`, or 0 where there is none.
// SAFETY: the name is this module's only one, and nothing else is linked into it.
#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn wetmap_proof(list: u32, generated: u32, largest: u32) -> u64 {
    number(list as usize, Amount { generated, largest }).ok().flatten().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_wetmap::script::{Event, IndexFormat};

    /// Computed on x86-64 and, by `cargo xtask prove`, on the others. They change when the model does, which it must not, or these lists.
    #[test]
    fn the_numbers_are_those_of_every_machine() {
        let numbers = numbers(Amount { generated: 100, ..Amount::ALL }).expect("every list has a number");
        let line: String = numbers.iter().map(|number| format!(" {number:016x}")).collect();
        let pinned = include_str!("../numbers.txt");
        let pinned = pinned.lines().find_map(|line| line.strip_prefix("100 4294967295"));
        assert_eq!(Some(line.as_str()), pinned, "left: this machine; right: numbers.txt");
    }

    #[test]
    fn another_script_is_another_number() {
        let scripts = lists::generated(40);
        let mut fewer = scripts.clone();
        fewer.pop();
        let number = |scripts: &[Script]| fold(scripts, |_, _, _| Ok(())).expect("these can be played");
        assert_ne!(number(&scripts), number(&fewer));
        assert!(scripts.iter().any(|script| script.mesh.is_some()));
    }

    #[test]
    fn a_case_that_is_not_met_is_no_number() {
        let mut cases = lists::published();
        cases.truncate(3);
        assert!(as_published(cases.clone()).is_ok());
        cases[1].expect[0].digest = "0000000000000000".into();
        assert_eq!(as_published(cases.clone()).err(), Some(Broken::Case(cases[1].id.clone())));
        assert_eq!(number(LISTS.len(), Amount::ALL), Ok(None));
    }

    #[test]
    fn the_features_are_what_they_are_called() {
        let scripts = lists::features();
        let has = |what: fn(&Script) -> bool| scripts.iter().filter(|script| what(script)).count();
        assert!(has(|script| script.size > 512) >= 2 && has(|script| script.size > 79 && script.size < 513) > 20);
        assert!(has(|script| script.settings.edge_samples > Some(1)) > 10);
        assert!(has(|script| script.ends_painted) > 5);
        assert!(has(|script| script.events.iter().any(|event| matches!(event, Event::Settings { .. }))) > 10);
        let meshes = |format| scripts.iter().filter_map(|s| s.mesh.as_ref()).filter(|mesh| mesh.index_format == format).count();
        assert!([None, Some(IndexFormat::U16), Some(IndexFormat::U32)].into_iter().all(|format| meshes(format) > 2));
        assert!(has(|script| u64::from(script.size).pow(2) * u64::from(script.ticks) <= 300) > 5, "for interpreters");
        let hits: Vec<bool> = scripts.iter().flat_map(|script| script.play(|_, _| {}).expect("these can be played")).collect();
        assert!(hits.contains(&true) && hits.contains(&false));
    }

    #[test]
    fn borders_are_crossed() {
        for script in lists::borders() {
            let mut crossed = [false; 2];
            let played = script.play(|_, map| {
                let wet = |x: u32| (0..map.size()).any(|y| map.amount_at(x, y) > 0);
                crossed = [crossed[0] || wet(7) && wet(8), crossed[1] || wet(map.size() - 1)];
            });
            assert!(played.is_ok());
            assert_eq!(crossed, [true; 2], "{}", script.id);
        }
    }
}
