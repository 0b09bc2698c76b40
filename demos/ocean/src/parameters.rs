//! The panel's dials as data: what there are, what they stand at, and setting one by its name.
//!
//! Nothing is described here. Ranges, units, defaults and meanings are those of the crates ([`SURFACE_PARAMETERS`],
//! [`SEA_PARAMETERS`], [`CASCADE_PARAMETERS`]); this module names them for the page and reads what the page sends, of which it
//! trusts nothing. Names are the fields' own; those of a cascade have its number in front, from 1: `cascade2.wind_speed`.

use crate::{Machine, memory};
use bevy_ocean::ocean::sea_state::{
    Amplitude, CASCADE_PARAMETERS, Cascade, MAX_CASCADES, Parameter, SEA_PARAMETERS, SeaState, Wrap,
};
use bevy_ocean::{ParameterKind, ParameterValue, SURFACE_PARAMETERS, SurfaceParameter, WaterSurface};
use serde_json::{Map, Value, json};

/// The names of the two amplitudes.
const AMPLITUDES: [(&str, Amplitude); 2] = [("artistic", Amplitude::Artistic), ("physical", Amplitude::Physical)];

/// A golden section: the tile of an added cascade, as a share of the last one's. Their repeats then coincide as late as can be.
const NEXT_TILE: f32 = 0.618;

/// Every dial, in the order of a panel: `[{group, name, label, unit, kind, min, max, step, default, meaning, options}]`. A cascade's are
/// listed once, without a number in front.
pub fn describe() -> Value {
    let surface = WaterSurface::default();
    let appearance = |dial: &&SurfaceParameter| group_of(dial) == "appearance";
    let mut dials: Vec<Value> = SURFACE_PARAMETERS.iter().filter(appearance).map(describe_surface).collect();
    dials.extend(SEA_PARAMETERS.iter().map(|dial| describe_number("sea", dial)));
    dials.push(json!({
        "group": "sea", "name": "seed", "label": "Seed", "unit": "", "kind": "integer", "min": 0, "max": u32::MAX, "step": 1,
        "default": surface.sea.seed, "meaning": "Another sea with the same statistics.",
    }));
    dials.push(json!({
        "group": "sea", "name": "amplitude", "label": "Amplitude", "unit": "", "kind": "choice", "default": amplitude(&surface.sea),
        "options": AMPLITUDES.map(|(name, _)| json!({ "value": name, "label": capital(name) })),
        "meaning": "Artistic is √8 times as high as measured seas, which the presets are tuned for; physical is metres.",
    }));
    dials.push(json!({
        "group": "sea", "name": "cascades", "label": "Cascades", "unit": "", "kind": "integer", "min": 1, "max": MAX_CASCADES,
        "step": 1, "default": surface.sea.cascades.len(), "meaning": "How many cascades are live.",
    }));
    dials.extend(CASCADE_PARAMETERS.iter().map(|dial| describe_number("cascade", dial)));
    dials.extend(SURFACE_PARAMETERS.iter().filter(|dial| !appearance(dial)).map(describe_surface));
    dials.into()
}

/// What every dial stands at: `{name: value}`, the cascades' with their numbers in front.
pub fn values(surface: &WaterSurface) -> Value {
    let mut values = Map::new();
    for dial in SURFACE_PARAMETERS {
        values.insert(dial.field.into(), value_json(dial, (dial.get)(surface)));
    }
    for dial in SEA_PARAMETERS {
        values.insert(dial.field.into(), number((dial.get)(&surface.sea)));
    }
    values.insert("seed".into(), surface.sea.seed.into());
    values.insert("amplitude".into(), amplitude(&surface.sea).into());
    values.insert("cascades".into(), surface.sea.cascades.len().into());
    for (index, cascade) in surface.sea.cascades.iter().enumerate() {
        for dial in CASCADE_PARAMETERS {
            values.insert(format!("cascade{}.{}", index + 1, dial.field), number((dial.get)(cascade)));
        }
    }
    values.into()
}

/// What undoing each dial goes back to, from the surface that the preset is: [`values`], with those of every further cascade as it would be added.
pub fn originals(preset: &WaterSurface) -> Value {
    let mut all = preset.clone();
    resize(&mut all.sea, MAX_CASCADES);
    let mut originals = values(&all);
    originals["cascades"] = preset.sea.cascades.len().into();
    originals
}

/// Sets a dial by its name, within what a machine can take. Returns a sentence for people where that brought a value into range, and as an error where the value
/// could not be used at all and nothing has changed.
pub fn set(surface: &mut WaterSurface, name: &str, value: &Value, machine: Machine) -> Result<Option<String>, String> {
    let notice = set_one(surface, name, value)?;
    let sentences: Vec<_> = notice.into_iter().chain(memory::admit(surface, machine)).collect();
    Ok((!sentences.is_empty()).then(|| sentences.join(" ")))
}

fn set_one(surface: &mut WaterSurface, name: &str, value: &Value) -> Result<Option<String>, String> {
    if let Some(dial) = SURFACE_PARAMETERS.iter().find(|dial| dial.field == name) {
        return set_surface(surface, dial, value);
    }
    if let Some(dial) = SEA_PARAMETERS.iter().find(|dial| dial.field == name) {
        return set_number(&mut surface.sea, dial, name, value);
    }
    match name {
        "seed" => {
            let (seed, notice) = integer(name, value, 0, u32::MAX)?;
            surface.sea.seed = seed;
            Ok(notice)
        }
        "amplitude" => {
            let known = AMPLITUDES.iter().find(|(name, _)| value.as_str() == Some(*name));
            let (_, amplitude) = known.ok_or_else(|| format!("{name} is artistic or physical, not {value}."))?;
            surface.sea.amplitude = *amplitude;
            Ok(None)
        }
        "cascades" => {
            let (count, notice) = integer(name, value, 1, MAX_CASCADES as u32)?;
            resize(&mut surface.sea, count as usize);
            Ok(notice)
        }
        _ => set_cascade(&mut surface.sea, name, value),
    }
}

fn set_cascade(sea: &mut SeaState, name: &str, value: &Value) -> Result<Option<String>, String> {
    let unknown = || format!("There is no parameter {name:?}.");
    let (number, field) = name.strip_prefix("cascade").and_then(|rest| rest.split_once('.')).ok_or_else(unknown)?;
    let number: usize = number.parse().map_err(|_| unknown())?;
    let dial = CASCADE_PARAMETERS.iter().find(|dial| dial.field == field).ok_or_else(unknown)?;
    let count = sea.cascades.len();
    let cascade = number.checked_sub(1).and_then(|index| sea.cascades.get_mut(index));
    let cascade = cascade.ok_or_else(|| format!("{name}: this sea has {count} cascades."))?;
    set_number(cascade, dial, name, value)
}

/// More cascades are finer ones than the last, in the shading alone: they add detail and leave the sea as high as it was.
pub(crate) fn resize(sea: &mut SeaState, count: usize) {
    sea.cascades.truncate(count);
    while sea.cascades.len() < count {
        let last = sea.cascades.last().copied().unwrap_or(Cascade::DEFAULT);
        let tile_length = last.tile_length.map(|length| (length * NEXT_TILE).max(1.0));
        sea.cascades.push(Cascade { tile_length, displacement_scale: 0.0, normal_scale: last.normal_scale.min(0.25), ..last });
    }
}

fn set_number<Owner>(owner: &mut Owner, dial: &Parameter<Owner>, name: &str, value: &Value) -> Result<Option<String>, String> {
    let given = finite(name, value)?;
    let used = dial.admit(given);
    (dial.set)(owner, used);
    let clamped = dial.wrap == Wrap::Clamped && used != given;
    Ok(clamped.then(|| clamp_notice(dial.label, given, used, dial.unit)))
}

fn set_surface(surface: &mut WaterSurface, dial: &SurfaceParameter, value: &Value) -> Result<Option<String>, String> {
    let name = dial.field;
    let (given, mut notice) = match dial.kind {
        ParameterKind::Number { .. } => (ParameterValue::Number(finite(name, value)?), None),
        ParameterKind::Integer { min, max } => {
            let (value, notice) = integer(name, value, min, max)?;
            (ParameterValue::Integer(value), notice)
        }
        ParameterKind::Size(_) => {
            // The page's menus send text.
            let text = value.as_str().and_then(|text| text.trim().parse::<f64>().ok());
            let size = value.as_f64().or(text).filter(|size| size.is_finite());
            let size = size.ok_or_else(|| format!("{name} is a number, not {value}."))?;
            (ParameterValue::Integer(size.clamp(0.0, f64::from(u32::MAX)) as u32), None)
        }
        ParameterKind::Flag => {
            let flag = value.as_bool().ok_or_else(|| format!("{name} is true or false, not {value}."))?;
            (ParameterValue::Flag(flag), None)
        }
        ParameterKind::Choice(names) => {
            let known = names.iter().find(|name| value.as_str() == Some(**name));
            let known = known.ok_or_else(|| format!("{name} is one of {}, not {value}.", names.join(", ")))?;
            (ParameterValue::Choice(known), None)
        }
        ParameterKind::Rgb { .. } => {
            let three = value.as_array().filter(|array| array.len() == 3);
            let three = three.ok_or_else(|| format!("{name} is three numbers, not {value}."))?;
            let mut channels = [0.0; 3];
            for (channel, value) in channels.iter_mut().zip(three) {
                *channel = finite(name, value)?;
            }
            (ParameterValue::Rgb(channels), None)
        }
    };
    let used = dial.admit(given);
    (dial.set)(surface, used);
    if notice.is_none() && used != given {
        notice = Some(match (given, used) {
            (ParameterValue::Number(given), ParameterValue::Number(used)) => clamp_notice(dial.label, given, used, dial.unit),
            (_, used) => format!("{} is {} now, the nearest to what was asked for.", dial.label, value_json(dial, used)),
        });
    }
    Ok(notice)
}

fn clamp_notice(label: &str, given: f32, used: f32, unit: &str) -> String {
    let gap = if unit.is_empty() { "" } else { " " };
    format!("{label} is {used}{gap}{unit} now: {given} is out of its range.")
}

/// A number as it is sent. JSON has no NaN and no infinity, but a number may be too large for one.
fn finite(name: &str, value: &Value) -> Result<f32, String> {
    let number = value.as_f64().filter(|number| number.is_finite());
    number
        .map(|number| number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32)
        .ok_or_else(|| format!("{name} is a number, not {value}."))
}

/// A whole number in a range, and what to say if it was another.
fn integer(name: &str, value: &Value, min: u32, max: u32) -> Result<(u32, Option<String>), String> {
    let given = value.as_f64().filter(|given| given.is_finite()).ok_or_else(|| format!("{name} is a number, not {value}."))?;
    let used = given.round().clamp(f64::from(min), f64::from(max)) as u32;
    let notice =
        (f64::from(used) != given).then(|| format!("{name} is {used} now: it takes whole numbers from {min} to {max}."));
    Ok((used, notice))
}

fn amplitude(sea: &SeaState) -> &'static str {
    AMPLITUDES.iter().find(|(_, amplitude)| *amplitude == sea.amplitude).map_or("", |(name, _)| name)
}

fn describe_number<Owner>(group: &str, dial: &Parameter<Owner>) -> Value {
    let Parameter { field, label, unit, min, max, default, meaning, .. } = *dial;
    json!({
        "group": group, "name": field, "label": label, "unit": unit, "kind": "float", "min": number(min), "max": number(max),
        "step": step(max - min), "default": number(default), "meaning": meaning,
    })
}

fn describe_surface(dial: &SurfaceParameter) -> Value {
    let options = |names: Vec<String>| {
        names.into_iter().map(|name| json!({ "value": name, "label": capital(&name) })).collect::<Vec<_>>()
    };
    let kind = match dial.kind {
        ParameterKind::Number { min, max } => {
            json!({ "kind": "float", "min": number(min), "max": number(max), "step": step(max - min) })
        }
        ParameterKind::Integer { min, max } => json!({ "kind": "integer", "min": min, "max": max, "step": 1 }),
        ParameterKind::Size(sizes) => {
            json!({ "kind": "choice", "options": options(sizes.iter().map(u32::to_string).collect()) })
        }
        ParameterKind::Flag => json!({ "kind": "toggle" }),
        ParameterKind::Choice(names) => {
            json!({ "kind": "choice", "options": options(names.iter().map(ToString::to_string).collect()) })
        }
        ParameterKind::Rgb { max } => {
            let kind = if is_color(dial) { "color" } else { "vector" };
            json!({ "kind": kind, "min": 0, "max": number(max), "step": 0.001 })
        }
    };
    let mut described = json!({
        "group": group_of(dial), "name": dial.field, "label": dial.label, "unit": dial.unit,
        "default": value_json(dial, dial.default_value()), "meaning": dial.meaning,
    });
    if let (Value::Object(described), Value::Object(kind)) = (&mut described, kind) {
        described.extend(kind);
    }
    described
}

/// Three numbers with a unit are no colour.
fn is_color(dial: &SurfaceParameter) -> bool {
    dial.unit.is_empty()
}

/// The page's short name of a group.
fn group_of(dial: &SurfaceParameter) -> &'static str {
    match dial.group {
        "Following the world wind" => "wind",
        "Performance" => "performance",
        "Mesh" => "mesh",
        "Current" => "current",
        _ => "appearance",
    }
}

fn value_json(dial: &SurfaceParameter, value: ParameterValue) -> Value {
    match value {
        ParameterValue::Number(value) => number(value),
        // A menu's values are text.
        ParameterValue::Integer(value) if matches!(dial.kind, ParameterKind::Size(_)) => value.to_string().into(),
        ParameterValue::Integer(value) => value.into(),
        ParameterValue::Flag(value) => value.into(),
        ParameterValue::Choice(name) => name.into(),
        ParameterValue::Rgb(channels) => channels.map(number).to_vec().into(),
    }
}

/// An f32 as people write it: 0.65, not 0.6499999761581421.
fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// The step of a slider over a range: fine enough for the presets' own numbers.
fn step(range: f32) -> Value {
    if range <= 400.0 { 0.01 } else { 0.1 }.into()
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ocean::Preset;

    const GPU: Machine = Machine::Gpu;

    /// What a dial is called in [`values`].
    fn full_name(dial: &Value) -> String {
        let prefix = if dial["group"] == "cascade" { "cascade1." } else { "" };
        format!("{prefix}{}", dial["name"].as_str().unwrap_or_default())
    }

    fn dials() -> Vec<Value> {
        describe().as_array().cloned().unwrap_or_default()
    }

    #[test]
    fn every_dial_says_what_a_panel_needs_and_stands_at_its_default() {
        let values = values(&WaterSurface::default());
        for dial in dials() {
            let name = full_name(&dial);
            for field in ["group", "name", "label", "unit", "kind", "default", "meaning"] {
                assert!(!dial[field].is_null(), "{name} has no {field}");
            }
            match dial["kind"].as_str() {
                Some("float" | "integer" | "color" | "vector") => {
                    assert!(["min", "max", "step"].iter().all(|field| dial[field].is_number()), "{name}")
                }
                Some("choice") => assert!(dial["options"].as_array().is_some_and(|options| options.len() > 1), "{name}"),
                kind => assert_eq!(kind, Some("toggle"), "{name}"),
            }
            // The first cascade of the default sea is the default cascade.
            assert_eq!(values[&name], dial["default"], "{name}");
        }
        let listed = dials().iter().filter(|dial| dial["group"] != "cascade").count();
        assert_eq!(listed + 3 * CASCADE_PARAMETERS.len(), values.as_object().map_or(0, Map::len));
    }

    #[test]
    fn what_was_read_can_be_set_on_any_preset() {
        for from in Preset::ALL {
            let wanted = WaterSurface::from(from);
            let values = values(&wanted);
            for to in Preset::ALL {
                let mut surface = WaterSurface::from(to);
                let Some(object) = values.as_object() else { panic!("values are an object") };
                // The number of cascades first, as it decides which others there are.
                assert_eq!(set(&mut surface, "cascades", &object["cascades"], GPU), Ok(None));
                for (name, value) in object {
                    assert_eq!(set(&mut surface, name, value, GPU), Ok(None), "{name}");
                }
                assert_eq!(surface, wanted);
            }
        }
    }

    #[test]
    fn what_is_out_of_range_is_brought_into_it_and_said() {
        let mut surface = WaterSurface::default();
        let cases = [
            ("roughness", json!(7), json!(1.0)),
            ("sea_depth", json!(-3.5), json!(0.1)),
            ("cascade2.wind_speed", json!(1e300), json!(60.0)),
            ("cascades", json!(99), json!(8)),
            ("wave_resolution", json!("700"), json!("512")),
            ("clipmap_rings", json!(2.4), json!(2)),
            ("water_color", json!([0.5, 2, -1]), json!([0.5, 1.0, 0.0])),
            ("seed", json!(-1), json!(0)),
        ];
        for (name, given, used) in cases {
            let notice = set(&mut surface, name, &given, GPU);
            assert!(matches!(&notice, Ok(Some(sentence)) if sentence.ends_with('.')), "{name}: {notice:?}");
            assert_eq!(values(&surface)[name], used, "{name}");
        }
        assert_eq!(set(&mut surface, "cascade1.wind_direction", &json!(-90), GPU), Ok(None), "the same heading is no change");
        assert_eq!(values(&surface)["cascade1.wind_direction"], json!(270.0));
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() {
        let before = WaterSurface::default();
        let cases = [
            ("rougness", json!(1)),
            ("roughness", json!("wet")),
            ("roughness", json!(null)),
            ("cascade9.wind_speed", json!(1)),
            ("cascade0.wind_speed", json!(1)),
            ("cascade1.", json!(1)),
            ("cascadeone.wind_speed", json!(1)),
            ("mesh_mode", json!("sphere")),
            ("amplitude", json!(3)),
            ("water_color", json!([1, 2])),
            ("extinction", json!([1, "x", 2])),
            ("enable_sea_spray", json!(1)),
            ("wave_resolution", json!("many")),
            ("", json!({})),
        ];
        for (name, value) in cases {
            let mut surface = before.clone();
            assert!(set(&mut surface, name, &value, GPU).is_err(), "{name} = {value}");
            assert_eq!(surface, before, "{name} = {value}");
        }
    }

    #[test]
    fn more_cascades_leave_the_sea_as_high_as_it_was() {
        let mut surface = WaterSurface::default();
        assert_eq!(set(&mut surface, "cascades", &json!(8), GPU), Ok(None));
        assert!(surface.sea.cascades[3..].iter().all(|cascade| cascade.displacement_scale == 0.0));
        assert_eq!(surface.admitted().sea, surface.sea);
        assert_eq!(set(&mut surface, "cascades", &json!(3), GPU), Ok(None));
        assert_eq!(surface, WaterSurface::default());
    }

    #[test]
    fn no_dial_asks_for_more_memory_than_there_is() {
        let finest = |sets: [(&str, Value); 2], machine| {
            let mut surface = WaterSurface::default();
            let said: Vec<_> = sets.iter().map(|(name, value)| set(&mut surface, name, value, machine)).collect();
            (values(&surface)["wave_resolution"].clone(), said)
        };
        let (resolution, cascades) = (("wave_resolution", json!("4096")), ("cascades", json!(8)));
        // Whichever is set last.
        for sets in [[resolution.clone(), cascades.clone()], [cascades, resolution.clone()]] {
            let (finest, said) = finest(sets, GPU);
            assert_eq!((finest, &said[0]), (json!("2048"), &Ok(None)));
            assert!(matches!(&said[1], Ok(Some(sentence)) if sentence.contains("8.7 GB")), "{said:?}");
        }
        let three = ("cascades", json!(3));
        assert_eq!(finest([three.clone(), resolution.clone()], GPU), (json!("4096"), vec![Ok(None), Ok(None)]));
        assert_eq!(finest([three, resolution], Machine::Software).0, json!("2048"));
    }

    #[test]
    fn undoing_everything_gives_the_preset_back_whatever_was_set() {
        for preset in Preset::ALL {
            let original = WaterSurface::from(preset);
            let originals = originals(&original);
            let mut surface = original.clone();
            let set = |surface: &mut WaterSurface, name: &str, value: &Value| {
                assert_eq!(set(surface, name, value, GPU), Ok(None), "{name}");
            };
            // A cascade that was added is undone to what it was added as.
            let more = original.sea.cascades.len() + 1;
            set(&mut surface, "cascades", &json!(more));
            let (name, added) = (format!("cascade{more}.wind_speed"), surface.clone());
            set(&mut surface, &name, &json!(3.5));
            set(&mut surface, &name, &originals[&name]);
            assert_eq!(surface, added);
            set(&mut surface, "roughness", &json!(0.123));
            set(&mut surface, "roughness", &originals["roughness"]);
            set(&mut surface, "cascades", &originals["cascades"]);
            assert_eq!(surface, original, "{preset:?}");
        }
    }
}
