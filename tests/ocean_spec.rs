//! The notes page of *Ocean* against the program, as far as that goes without a browser. The page is right.

use bevy_ocean::ocean::preset::{MeshMode, Preset};
use bevy_ocean::ocean::sea_state::{Amplitude, CASCADE_PARAMETERS, MAX_CASCADES, Parameter, SEA_PARAMETERS, SeaState, Wrap};
use bevy_ocean::{ParameterKind, ParameterValue, SURFACE_PARAMETERS, SurfaceParameter};
use tests::{Page, Row, documented_legend};

const NOTES: &str = include_str!("../site/notes/ocean.html");
const DEMO: &str = include_str!("../demos/ocean/src/lib.rs");

/// Rows of the legend that are no key of their own: the browser tests perform them.
const GESTURES: [&str; 7] = ["drag", "drag-body", "click", "wheel", "pinch", "two-fingers", "Shift"];

/// The surface's tables, by the heading under which the component's dials say they stand.
const SURFACE_TABLES: [(&str, &str); 5] = [
    ("parameters-appearance", "Appearance"),
    ("parameters-wind", "Following the world wind"),
    ("parameters-performance", "Performance"),
    ("parameters-mesh", "Mesh"),
    ("parameters-current", "Current"),
];

/// All tables of dials, in the order of the page and of the panel.
const TABLES: [&str; 7] = [
    "parameters-appearance",
    "parameters-sea",
    "parameters-cascade",
    "parameters-wind",
    "parameters-performance",
    "parameters-mesh",
    "parameters-current",
];

fn rows(table: &str) -> Vec<Row> {
    let rows = Page::of(NOTES).rows(table);
    assert!(!rows.is_empty(), "the notes page has no table #{table}");
    rows
}

#[test]
fn the_demo_handles_the_legends_keys_and_no_others() {
    let legend = rows("legend-ocean");
    let mut named: Vec<_> = legend
        .iter()
        .filter(|row| !GESTURES.contains(&row.data("key")))
        .map(|row| (row.data("key").to_owned(), row.data("action").to_owned(), row.cells[0].clone()))
        .collect();
    let mut handled: Vec<_> = ocean_demo::KEYS
        .iter()
        .map(|key| (key.event_key.to_owned(), key.action_name.to_owned(), key.name.to_owned()))
        .collect();
    named.sort();
    handled.sort();
    assert_eq!(named, handled, "left: the page; right: demos/ocean/src/keys.rs");
    for gesture in GESTURES {
        assert!(legend.iter().any(|row| row.data("key") == gesture), "{gesture} is in the legend");
    }
}

#[test]
fn the_demos_doc_comment_has_the_legend() {
    let legend: Vec<_> = rows("legend-ocean").into_iter().map(|row| (row.cells[0].clone(), row.cells[1].clone())).collect();
    assert_eq!(documented_legend(DEMO), legend, "left: demos/ocean/src/lib.rs; right: the page");
}

/// A dial as the page has to have it: what a reader sees, and the attributes that tests read.
#[derive(Debug, PartialEq)]
struct Dial {
    /// Label and field, unit, range, default, meaning.
    cells: [String; 5],
    /// By name, sorted.
    data: Vec<(String, String)>,
}

impl Dial {
    fn new(
        field: &str,
        label: &str,
        unit: &str,
        meaning: &str,
        [range, default]: [String; 2],
        data: &[(&str, String)],
    ) -> Self {
        // The page's apostrophes are typographic.
        let meaning = meaning.replace('\'', "’");
        let mut data: Vec<_> = data.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        data.extend([("name".to_owned(), field.to_owned()), ("unit".to_owned(), unit.to_owned())]);
        data.sort();
        Self { cells: [format!("{label} {field}"), unit.to_owned(), range, default, meaning], data }
    }

    fn on_page(row: &Row) -> Self {
        let mut data = row.data.clone();
        data.sort();
        let cells = std::array::from_fn(|i| row.cells.get(i).cloned().unwrap_or_default());
        Self { cells, data }
    }

    /// A dial of numbers from `min` to `max`.
    fn range(field: &str, label: &str, unit: &str, meaning: &str, [min, max, default]: [String; 3], wrap: Wrap) -> Self {
        let circle = wrap == Wrap::Circle;
        let range = format!("{} to {}{}", readable(&min), readable(&max), if circle { ", a circle" } else { "" });
        let mut data = vec![("min", min), ("max", max), ("default", default.clone())];
        data.extend(circle.then(|| ("wrap", "circle".to_owned())));
        Self::new(field, label, unit, meaning, [range, readable(&default)], &data)
    }

    /// A dial of a few named values; `seen` is how a reader sees one.
    fn options(dial: &SurfaceParameter, options: &[String], default: String, seen: impl Fn(&str) -> String) -> Self {
        let range = options.iter().map(|option| seen(option)).collect::<Vec<_>>().join(", ");
        let data = [("options", options.join(" ")), ("default", default.clone())];
        Self::new(dial.field, dial.label, dial.unit, dial.meaning, [range, seen(&default)], &data)
    }

    fn of<Owner>(dial: &Parameter<Owner>) -> Self {
        let numbers = [dial.min, dial.max, dial.default].map(|number| number.to_string());
        Self::range(dial.field, dial.label, dial.unit, dial.meaning, numbers, dial.wrap)
    }

    fn of_surface(dial: &SurfaceParameter) -> Self {
        let SurfaceParameter { field, label, unit, meaning, .. } = *dial;
        let default = dial.default_value();
        let one = match default {
            ParameterValue::Number(value) => value.to_string(),
            ParameterValue::Integer(value) => value.to_string(),
            ParameterValue::Flag(value) => if value { "on" } else { "off" }.to_owned(),
            ParameterValue::Choice(value) => value.to_owned(),
            ParameterValue::Rgb(channels) => channels.map(|channel| channel.to_string()).join(" "),
        };
        match dial.kind {
            ParameterKind::Number { min, max } => {
                Self::range(field, label, unit, meaning, [min.to_string(), max.to_string(), one], Wrap::Clamped)
            }
            ParameterKind::Integer { min, max } => {
                Self::range(field, label, unit, meaning, [min.to_string(), max.to_string(), one], Wrap::Clamped)
            }
            ParameterKind::Size(sizes) => {
                Self::options(dial, &sizes.iter().map(u32::to_string).collect::<Vec<_>>(), one, str::to_owned)
            }
            ParameterKind::Flag => Self::options(dial, &["off".to_owned(), "on".to_owned()], one, str::to_owned),
            ParameterKind::Choice(names) => {
                Self::options(dial, &names.iter().map(ToString::to_string).collect::<Vec<_>>(), one, capital)
            }
            ParameterKind::Rgb { max } => {
                let cells = [format!("0 to {max}, each"), one.replace(' ', ", ")];
                let data = [("channels", "3".into()), ("min", "0".into()), ("max", max.to_string()), ("default", one)];
                Self::new(field, label, unit, meaning, cells, &data)
            }
        }
    }
}

/// A number with its thousands set apart.
fn readable(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn on_page(table: &str) -> Vec<Dial> {
    rows(table).iter().map(Dial::on_page).collect()
}

#[test]
fn the_surfaces_dials_stand_as_the_page_says() {
    let mut seen = 0;
    for (table, group) in SURFACE_TABLES {
        let dials: Vec<_> = SURFACE_PARAMETERS.iter().filter(|dial| dial.group == group).map(Dial::of_surface).collect();
        assert_eq!(on_page(table), dials, "left: #{table}; right: crates/bevy_ocean/src/surface/parameters.rs");
        seen += dials.len();
    }
    assert_eq!(seen, SURFACE_PARAMETERS.len(), "every dial has a table");
}

#[test]
fn the_cascades_dials_stand_as_the_page_says() {
    let dials: Vec<_> = CASCADE_PARAMETERS.iter().map(Dial::of).collect();
    assert_eq!(on_page("parameters-cascade"), dials, "left: the page; right: crates/ocean/src/sea_state/parameters.rs");
}

#[test]
fn the_seas_dials_stand_as_the_page_says() {
    let page = rows("parameters-sea");
    let (dials, others) = page.split_at(SEA_PARAMETERS.len());
    let sea: Vec<_> = SEA_PARAMETERS.iter().map(Dial::of).collect();
    assert_eq!(dials.iter().map(Dial::on_page).collect::<Vec<_>>(), sea);

    let sea = SeaState::default();
    let [seed, amplitude, cascades] = others else {
        panic!("seed, amplitude and cascades follow the depth");
    };
    let is = |row: &Row, keys: [&str; 4]| keys.map(|key| row.data(key).to_owned());
    let number = ["name", "min", "max", "default"];
    assert_eq!(is(seed, number), ["seed", "0", &u32::MAX.to_string(), &sea.seed.to_string()]);
    assert_eq!(is(cascades, number), ["cascades", "1", &MAX_CASCADES.to_string(), &sea.cascades.len().to_string()]);
    assert_eq!(sea.amplitude, Amplitude::Artistic);
    assert_eq!(is(amplitude, ["name", "options", "default", "unit"]), ["amplitude", "artistic physical", "artistic", ""]);
    for row in [seed, cascades] {
        let [min, max, default] = ["min", "max", "default"].map(|key| readable(row.data(key)));
        assert_eq!(row.cells[2..4], [format!("{min} to {max}"), default], "what a reader sees");
    }
}

#[test]
fn the_panel_has_the_pages_dials_in_its_order() {
    let described = ocean_demo::parameters::describe();
    let panel: Vec<_> = described
        .as_array()
        .into_iter()
        .flatten()
        .map(|dial| ["name", "label", "unit", "meaning"].map(|key| dial[key].as_str().unwrap_or_default().replace('\'', "’")))
        .collect();
    let page: Vec<_> = TABLES
        .iter()
        .flat_map(|table| rows(table))
        .map(|row| {
            let name = row.data("name").to_owned();
            let label = row.cells[0].strip_suffix(&format!(" {name}")).unwrap_or_default().to_owned();
            [name, label, row.data("unit").to_owned(), row.cells[4].clone()]
        })
        .collect();
    assert_eq!(panel, page, "left: demos/ocean/src/parameters.rs; right: the page");
}

#[test]
fn the_presets_are_those_of_the_page() {
    let page: Vec<_> = rows("presets-ocean").iter().map(|row| (row.cells[0].clone(), row.cells[1].clone())).collect();
    let presets: Vec<_> = Preset::ALL
        .iter()
        .map(|preset| {
            let mesh = match preset.settings().mesh {
                MeshMode::Clipmap(_) => "clipmap",
                MeshMode::Grid { .. } => "grid",
            };
            (preset.name().to_owned(), mesh.to_owned())
        })
        .collect();
    assert_eq!(page, presets);
}
