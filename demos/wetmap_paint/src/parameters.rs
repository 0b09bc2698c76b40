//! The panel's dials as data: what there are, what they stand at, and setting one by its name.
//!
//! One table, [`PARAMETERS`], describes every dial, and the panel, the links and the test of the notes page's tables all read it. What the page
//! sends is read here too, and nothing of it is trusted: numbers are brought into their range, anything else is refused with a sentence.

use crate::dials::Dials;
use crate::gravity::Gravity;
use serde_json::{Map, Value, json};

/// What kind of value a dial has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number in a range.
    Number {
        /// The least.
        min: f32,
        /// The most.
        max: f32,
    },
    /// A whole number in a range.
    Integer {
        /// The least.
        min: u32,
        /// The most.
        max: u32,
    },
    /// On or off.
    Flag,
    /// One of some names.
    Choice(&'static [&'static str]),
}

/// A dial's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// Of a [`Kind::Number`].
    Number(f32),
    /// Of a [`Kind::Integer`].
    Integer(u32),
    /// Of a [`Kind::Flag`].
    Flag(bool),
    /// Of a [`Kind::Choice`].
    Choice(&'static str),
}

/// One dial.
pub struct Parameter {
    /// The group it stands in.
    pub group: &'static str,
    /// Its name, for programs and links.
    pub name: &'static str,
    /// Its name, for people.
    pub label: &'static str,
    /// Empty where it has none.
    pub unit: &'static str,
    /// What values it has.
    pub kind: Kind,
    /// What it does.
    pub meaning: &'static str,
    /// Whether digests depend on it, so that a recording has its changes and a replay sets it.
    pub recorded: bool,
    /// What it stands at.
    pub get: fn(&Dials) -> Setting,
    /// Sets it, to a value of its kind and in its range.
    pub set: fn(&mut Dials, Setting),
}

/// A dial that is a field of [`Dials`], with how its values are told apart.
macro_rules! parameter {
    ($group:literal, $($field:ident).+, $name:literal, $label:literal, $unit:literal, $variant:ident, $kind:expr, $recorded:literal, $meaning:literal) => {
        Parameter {
            group: $group,
            name: $name,
            label: $label,
            unit: $unit,
            kind: $kind,
            meaning: $meaning,
            recorded: $recorded,
            get: |dials| Setting::$variant(dials.$($field).+),
            set: |dials, setting| {
                if let Setting::$variant(value) = setting {
                    dials.$($field).+ = value;
                }
            },
        }
    };
}

const UNIT: Kind = Kind::Number { min: 0.0, max: 1.0 };

const fn numbers(min: f32, max: f32) -> Kind {
    Kind::Number { min, max }
}

const fn integers(min: u32, max: u32) -> Kind {
    Kind::Integer { min, max }
}

/// Every dial, in the order of the panel and of the notes page.
pub static PARAMETERS: [Parameter; 19] = [
    parameter! { "blood", blood.drip_rate, "drip_rate", "Drip threshold", "coverage", Number, UNIT, true,
    "How much a wet texel keeps before it runs. It sheds only what is above, so a run leaves a trail. As a byte: 89 of 255, and never below 1." },
    parameter! { "blood", blood.spread_rate, "spread_rate", "Spread", "per tick", Number, UNIT, true,
    "How fast blood creeps between wet neighbours. A quarter of it goes across each of a texel's four edges, times the difference. 0 stops it." },
    parameter! { "blood", blood.dry_ticks, "dry_ticks", "Drying time", "ticks", Integer, integers(1, 65_535), true,
    "How long blood stays wet: 30 s at 60 ticks a second. The whole timeline, colour and gloss included, stretches with it." },
    parameter! { "blood", blood.absorbency, "absorbency", "Absorbency", "of full coverage, per wet life", Number, UNIT, true,
    "What the surface soaks up over the whole of dry_ticks, in even integer steps. Faint spatter vanishes; a pool loses 15 % of full coverage and stays." },
    parameter! { "blood", blood.max_canvas_updates_per_tick, "max_canvas_updates_per_tick", "Canvas updates", "canvases per frame", Integer, integers(0, u32::MAX), false,
    "How many changed canvases are uploaded in one frame, the one that waited longest first. 0 uploads nothing. It never touches a digest." },
    parameter! { "blood", blood.humidity, "humidity", "Humidity", "relative", Number, UNIT, true,
    "Passed to the blood model. There it moves only the halo around a stain, which a texel does not draw, so today it changes no byte." },
    parameter! { "shot", shot.drop_diameter, "drop_diameter", "Drop diameter", "mm", Number, numbers(1.0, 20.0), false,
    "How large an aimed drop is; each is up to a quarter larger. The drops of a drag and of a burst are larger and smaller by the same factor." },
    parameter! { "shot", shot.impact_speed, "impact_speed", "Impact speed", "m/s", Number, numbers(0.5, 20.0), false,
    "How fast an aimed drop lands, and by the same factor those of a drag and of a burst. A faster drop spreads wider and throws more spines and satellites." },
    parameter! { "shot", shot.angle_as_aimed, "angle_as_aimed", "Angle as aimed", "", Flag, Kind::Flag, false,
    "On, a drop lands at the angle at which the shot meets the sphere: round in its middle, long at its rim. Off, at the angle below." },
    parameter! { "shot", shot.impact_angle, "impact_angle", "Impact angle", "°", Number, numbers(5.0, 90.0), false,
    "The angle of every drop while it is not as aimed: 90 is straight on. A stain is as wide as the sine of it is of its length." },
    parameter! { "shot", shot.burst_count, "burst_count", "Burst", "drops", Integer, integers(1, 60), false,
    "How many drops a burst throws." },
    parameter! { "shot", shot.burst_spread, "burst_spread", "Burst spread", "of the radius", Number, numbers(0.05, 0.95), false,
    "How far from its middle a burst reaches, as a share of the sphere's radius." },
    Parameter {
        group: "run",
        name: "gravity",
        label: "Gravity",
        unit: "",
        kind: Kind::Choice(&Gravity::NAMES),
        meaning: "Down on the texture, as seen on the sphere. None: blood creeps and dries, and does not run.",
        recorded: true,
        get: |dials| Setting::Choice(dials.gravity.name()),
        set: |dials, setting| {
            if let Setting::Choice(name) = setting {
                dials.gravity = Gravity::named(name).unwrap_or_default();
            }
        },
    },
    parameter! { "run", fast_forward, "fast_forward", "Fast-forward", "times", Integer, integers(2, 20), false,
    "How many ticks fast-forward makes of one. The blood is the same, only sooner." },
    parameter! { "looks", looks.edge_samples, "edge_samples", "Edge smoothing", "samples", Integer, integers(1, 4), true,
    "Samples along an edge of a texel when a stain is stamped: with more than 1, edges are smooth. What is stamped is the state, so digests change with it, the same way everywhere." },
    parameter! { "looks", looks.film_by_thickness, "film_by_thickness", "Colour by thickness", "", Flag, Kind::Flag, false,
    "Off, fresh blood has one red. On, its colour follows from how thick it lies: a smear is lighter, a pool darker. The picture only; no digest changes." },
    parameter! { "looks", looks.film.thickness_mm, "film_thickness", "Film thickness", "mm", Number, numbers(0.01, 5.0), false,
    "How thick full coverage is, while colour goes by thickness. A smear is 0.05, a drip 0.5, a pool 2 to 5." },
    parameter! { "looks", looks.film.so2, "film_so2", "Oxygen saturation", "of haemoglobin", Number, UNIT, false,
    "Of the film: 0.97 is arterial blood, scarlet; 0.75 and less is venous, towards purple." },
    parameter! { "looks", looks.film.substrate, "film_substrate", "Ground under the film", "reflectance", Number, UNIT, false,
    "How light what the film lies on is. It shows through where the film is thin." },
];

/// The heading of each group, in the order of the panel.
pub const GROUPS: [(&str, &str); 4] =
    [("blood", "The blood"), ("shot", "The shot"), ("run", "Gravity and time"), ("looks", "How it is drawn")];

/// Every dial, in the order of a panel: `[{group, name, label, unit, kind, min, max, step, default, meaning, options}]`.
pub fn describe() -> Value {
    PARAMETERS.iter().map(describe_one).collect::<Vec<_>>().into()
}

/// What every dial stands at: `{name: value}`.
pub fn values(dials: &Dials) -> Value {
    PARAMETERS.iter().map(|dial| (dial.name.to_owned(), json_of((dial.get)(dials)))).collect::<Map<_, _>>().into()
}

/// The dial of a name.
pub fn named(name: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|dial| dial.name == name)
}

/// Sets a dial by its name. Returns a sentence for people where the value was brought into range, and as an error where it could not
/// be used at all and nothing has changed.
pub fn set(dials: &mut Dials, name: &str, value: &Value) -> Result<Option<String>, String> {
    let dial = named(name).ok_or_else(|| format!("There is no parameter {name:?}."))?;
    let (setting, notice) = dial.admit(value)?;
    (dial.set)(dials, setting);
    Ok(notice)
}

impl Parameter {
    /// What it stands at by default.
    pub fn default_value(&self) -> Setting {
        (self.get)(&Dials::default())
    }

    /// A value of its kind and in its range from what somebody sent, with a sentence where that is another.
    fn admit(&self, value: &Value) -> Result<(Setting, Option<String>), String> {
        let Self { name, label, unit, .. } = *self;
        match self.kind {
            Kind::Number { min, max } => {
                let given = number(name, value)?;
                // As the dial has it: 0.05 is less than the same as an f32.
                let asked = given.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
                let used = asked.clamp(min, max);
                let gap = if unit.is_empty() { "" } else { " " };
                let notice = (used != asked).then(|| format!("{label} is {used}{gap}{unit} now: {given} is out of its range."));
                Ok((Setting::Number(used), notice))
            }
            Kind::Integer { min, max } => {
                let given = number(name, value)?;
                let used = given.round().clamp(f64::from(min), f64::from(max)) as u32;
                let other = f64::from(used) != given;
                let notice = other.then(|| format!("{label} is {used} now: it takes whole numbers from {min} to {max}."));
                Ok((Setting::Integer(used), notice))
            }
            Kind::Flag => {
                let flag = value.as_bool().ok_or_else(|| format!("{name} is true or false, not {value}."))?;
                Ok((Setting::Flag(flag), None))
            }
            Kind::Choice(names) => {
                let known = names.iter().find(|name| value.as_str() == Some(**name));
                let known = known.ok_or_else(|| format!("{name} is one of {}, not {value}.", names.join(", ")))?;
                Ok((Setting::Choice(known), None))
            }
        }
    }
}

/// A number as it is sent. JSON has no NaN and no infinity.
fn number(name: &str, value: &Value) -> Result<f64, String> {
    value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| format!("{name} is a number, not {value}."))
}

fn describe_one(dial: &Parameter) -> Value {
    let mut described = json!({
        "group": dial.group, "name": dial.name, "label": dial.label, "unit": dial.unit, "default": json_of(dial.default_value()),
        "meaning": dial.meaning,
    });
    let kind = match dial.kind {
        Kind::Number { min, max } => json!({ "kind": "float", "min": float(min), "max": float(max), "step": 0.01 }),
        Kind::Integer { min, max } => json!({ "kind": "integer", "min": min, "max": max, "step": 1 }),
        Kind::Flag => json!({ "kind": "toggle" }),
        Kind::Choice(names) => {
            let option = |name: &&str| json!({ "value": name, "label": capital(name) });
            json!({ "kind": "choice", "options": names.iter().map(option).collect::<Vec<_>>() })
        }
    };
    if let (Value::Object(described), Value::Object(kind)) = (&mut described, kind) {
        described.extend(kind);
    }
    described
}

fn json_of(setting: Setting) -> Value {
    match setting {
        Setting::Number(value) => float(value),
        Setting::Integer(value) => value.into(),
        Setting::Flag(value) => value.into(),
        Setting::Choice(name) => name.into(),
    }
}

/// An f32 as people write it: 0.65, not 0.6499999761581421.
fn float(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dial_says_what_a_panel_needs_and_stands_at_its_default() {
        let values = values(&Dials::default());
        let described = describe();
        for dial in described.as_array().into_iter().flatten() {
            let name = dial["name"].as_str().unwrap_or_default();
            for field in ["group", "name", "label", "unit", "kind", "default", "meaning"] {
                assert!(!dial[field].is_null(), "{name} has no {field}");
            }
            match dial["kind"].as_str() {
                Some("float" | "integer") => {
                    assert!(["min", "max", "step"].iter().all(|field| dial[field].is_number()), "{name}")
                }
                Some("choice") => assert!(dial["options"].as_array().is_some_and(|options| options.len() > 1), "{name}"),
                kind => assert_eq!(kind, Some("toggle"), "{name}"),
            }
            assert_eq!(values[name], dial["default"], "{name}");
            assert!(GROUPS.iter().any(|(group, _)| dial["group"] == *group), "{name} stands in a group with a heading");
        }
        let names: std::collections::BTreeSet<_> = PARAMETERS.iter().map(|dial| dial.name).collect();
        assert_eq!(names.len(), PARAMETERS.len(), "names are unique");
    }

    #[test]
    fn each_dial_is_set_by_its_name_and_sets_nothing_else() {
        for dial in &PARAMETERS {
            let other = match dial.kind {
                Kind::Number { min, max } => float(0.25 * min + 0.75 * max),
                Kind::Integer { min, max } => (if dial.default_value() == Setting::Integer(max) { min } else { max }).into(),
                Kind::Flag => (dial.default_value() == Setting::Flag(false)).into(),
                Kind::Choice(names) => names[names.len() - 1].into(),
            };
            let mut dials = Dials::default();
            assert_eq!(set(&mut dials, dial.name, &other), Ok(None), "{}", dial.name);
            let (before, now) = (values(&Dials::default()), values(&dials));
            for each in &PARAMETERS {
                let wanted = if each.name == dial.name { &other } else { &before[each.name] };
                assert_eq!(&now[each.name], wanted, "{} after setting {}", each.name, dial.name);
            }
        }
    }

    #[test]
    fn both_ends_of_a_range_are_in_it_as_people_write_them() {
        for dial in &PARAMETERS {
            if let Kind::Number { min, max } = dial.kind {
                for end in [min, max] {
                    assert_eq!(set(&mut Dials::default(), dial.name, &float(end)), Ok(None), "{} at {end}", dial.name);
                }
            }
        }
    }

    #[test]
    fn what_is_out_of_range_is_brought_into_it_and_said() {
        let mut dials = Dials::default();
        let cases = [
            ("drip_rate", json!(7), json!(1.0)),
            ("absorbency", json!(-1e300), json!(0.0)),
            ("impact_speed", json!(1e300), json!(20.0)),
            ("dry_ticks", json!(0), json!(1)),
            ("dry_ticks", json!(30.4), json!(30)),
            ("burst_count", json!(1e99), json!(60)),
        ];
        for (name, given, used) in cases {
            let notice = set(&mut dials, name, &given);
            assert!(matches!(&notice, Ok(Some(sentence)) if sentence.ends_with('.')), "{name}: {notice:?}");
            assert_eq!(values(&dials)[name], used, "{name}");
        }
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() {
        let cases = [
            ("driprate", json!(1)),
            ("drip_rate", json!("wet")),
            ("drip_rate", json!(null)),
            ("dry_ticks", json!([1])),
            ("angle_as_aimed", json!(1)),
            ("gravity", json!("sideways")),
            ("gravity", json!(3)),
            ("", json!({})),
        ];
        for (name, value) in cases {
            let mut dials = Dials::default();
            assert!(set(&mut dials, name, &value).is_err(), "{name} = {value}");
            assert_eq!(dials, Dials::default(), "{name} = {value}");
        }
    }
}
