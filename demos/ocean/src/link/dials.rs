//! The panel's dials in a link: their own names, a cascade's with `c1.` to `c8.` in front, and their values as people write them.
//!
//! Each goes through [`parameters::set`], as if it had been typed into the panel, so ranges are known in one place. A link is read before it is known what
//! draws: as for a GPU, and what a program cannot do of it is said when it is opened.

use crate::{Machine, parameters};
use bevy_ocean::WaterSurface;
use bevy_ocean::ocean::sea_state::MAX_CASCADES;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use web::link::Notice;

/// The longest value, bytes: three numbers with every digit they can have. What is longer is no dial's.
const MAX_VALUE_BYTES: usize = 256;

/// Sets the dials of a link, and says which could not be set as they stand there. Returns them in the order in which they were set.
pub(super) fn read<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    surface: &mut WaterSurface,
    notices: &mut Vec<Notice>,
) -> Vec<(String, Value)> {
    let mut dials = Vec::new();
    for (name, text) in pairs {
        match parameter(name) {
            None => notices.push(Notice::Unknown(name.to_owned())),
            Some(_) if text.len() > MAX_VALUE_BYTES => {
                notices.push(Notice::Refused { name: name.to_owned(), why: "its value is too long for one.".into() });
            }
            Some(parameter) => dials.push((name, parameter, value(text))),
        }
    }
    // The number of cascades decides which others there are.
    dials.sort_by_key(|(name, ..)| *name != "cascades");
    let mut set = Vec::new();
    for (name, parameter, value) in dials {
        let in_links_words = |sentence: String| {
            let sentence = sentence.replace(&parameter, name);
            // A notice begins with the name already.
            sentence.strip_prefix(&format!("{name}: ")).map(str::to_owned).unwrap_or(sentence)
        };
        match parameters::set(surface, &parameter, &value, Machine::Gpu) {
            Ok(None) => {}
            Ok(Some(what)) => notices.push(Notice::Adjusted { name: name.to_owned(), what: in_links_words(what) }),
            Err(why) => {
                notices.push(Notice::Refused { name: name.to_owned(), why: in_links_words(why) });
                continue;
            }
        }
        set.push((parameter, value));
    }
    set
}

/// The dials in which a surface differs from another that has as many cascades, as names and values of a link.
pub(super) fn different(surface: &WaterSurface, base: &WaterSurface) -> Vec<(String, String)> {
    let mut base = base.clone();
    let count = surface.sea.cascades.len();
    let mut pairs = Vec::new();
    if count != base.sea.cascades.len() {
        pairs.push(("cascades".to_owned(), count.to_string()));
        // As a reader does before everything else.
        parameters::resize(&mut base.sea, count);
    }
    let (values, usual) = (object(surface), object(&base));
    let other = values.iter().filter(|(name, value)| usual.get(*name) != Some(*value));
    pairs.extend(other.map(|(name, value)| (name_in_link(name), text(value))));
    pairs
}

/// Every dial of a surface, as names and values of a link.
#[cfg(test)]
pub(super) fn all(surface: &WaterSurface) -> Vec<(String, String)> {
    object(surface).iter().map(|(name, value)| (name_in_link(name), text(value))).collect()
}

/// Every name that a dial can have. Made once: it is dearer than all else that reading a link takes.
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut surface = WaterSurface::default();
    surface.sea.cascades.resize(MAX_CASCADES, surface.sea.cascades[0]);
    object(&surface).into_iter().map(|(name, _)| name).collect()
});

fn object(surface: &WaterSurface) -> Map<String, Value> {
    match parameters::values(surface) {
        Value::Object(values) => values,
        _ => Map::new(),
    }
}

/// The parameter's name for a name in a link.
fn parameter(name: &str) -> Option<String> {
    // Only a cascade's names have a dot.
    let parameter = match name.strip_prefix('c').filter(|_| name.contains('.')) {
        Some(rest) => format!("cascade{rest}"),
        None => name.to_owned(),
    };
    (name != parameter || !name.contains('.')).then_some(parameter).filter(|parameter| NAMES.contains(parameter))
}

fn name_in_link(parameter: &str) -> String {
    match parameter.strip_prefix("cascade") {
        Some(rest) if rest.contains('.') => format!("c{rest}"),
        _ => parameter.to_owned(),
    }
}

/// What a text means, before anybody knows for which dial.
fn value(text: &str) -> Value {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from);
    match text {
        "on" => true.into(),
        "off" => false.into(),
        _ if text.contains(',') => {
            text.split(',').map(number).collect::<Option<Vec<_>>>().map_or_else(|| text.into(), Value::from)
        }
        _ => number(text).unwrap_or_else(|| text.into()),
    }
}

/// The text of a value: what [`value`] makes it of.
fn text(value: &Value) -> String {
    match value {
        Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
        Value::Number(number) => number.as_f64().map(|number| number.to_string()).unwrap_or_default(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        Value::String(text) => text.clone(),
        Value::Null | Value::Object(_) => String::new(),
    }
}
