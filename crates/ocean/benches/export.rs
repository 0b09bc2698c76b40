//! Writes the engine's pipelines down for a browser, with what has to come out of them: `ocean_engine FOLDER [--preset NAME] SIZE…`, where a
//! SIZE is `256x3`, 256² texels and three cascades.
//!
//! FOLDER gets `shaders.json`, every shader that the crate compiles, and for each size a `256x3.json`: one update from nothing (see
//! `ocean::gpu::proof::Program`) and the maps that the sea has at that moment by its formulas in f64. `tests/browser/ocean_engine/` runs them. Bytes and
//! floats are base64, little-endian.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use ocean::gpu::proof::{self, Program, Resource, Shader, Slot};
use ocean::gpu::{Precision, Resolution, SQUARED_SLOPE_SCALE};
use ocean::{Cascade, CascadeSpectrum, Clock, Clocks, Preset, SeaState};
use serde_json::{Value, json};

#[path = "../tests/gpu/f64_sea.rs"]
#[allow(dead_code)] // The crate's own tests use all of it.
mod f64_sea;

use f64_sea::{Fields, bins_by_formula, rms};

/// What the clocks show, seconds: long past the start, and nothing round.
const MOMENT: f64 = 777.7;
/// What the update has lasted, seconds: longer than a frame, so that there is foam to see.
const STEP: f64 = 0.1;
/// Up to this size every texel is compared, above it as many lines each way as [`SAMPLES`].
const WHOLE: u32 = 256;
const SAMPLES: u32 = 16;

fn main() -> Result<()> {
    let mut folder: Option<PathBuf> = None;
    let mut preset = Preset::Ocean;
    let mut sizes = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--preset" {
            let name = arguments.next().context("--preset needs a name")?;
            let known = Preset::ALL.into_iter().find(|preset| format!("{preset:?}") == name);
            preset = known.with_context(|| format!("there is no preset `{name}`; there are {:?}", Preset::ALL))?;
        } else if folder.is_none() {
            folder = Some(argument.into());
        } else {
            sizes.push(size(&argument)?);
        }
    }
    let folder = folder.context("usage: ocean_engine FOLDER [--preset NAME] SIZE…, a SIZE such as 256x3")?;
    std::fs::create_dir_all(&folder).with_context(|| format!("could not create {}", folder.display()))?;
    write(&folder, "shaders", &Value::from(proof::shaders().iter().map(shader).collect::<Vec<_>>()))?;
    for (resolution, cascades) in sizes {
        let name = format!("{}x{cascades}", resolution.texels());
        write(&folder, &name, &update(&name, &sea(preset, cascades), resolution)?)?;
    }
    Ok(())
}

fn size(text: &str) -> Result<(Resolution, usize)> {
    let parsed = text.split_once('x').and_then(|(n, cascades)| Some((n.parse::<u32>().ok()?, cascades.parse::<usize>().ok()?)));
    let (n, cascades) = parsed.with_context(|| format!("`{text}` is no size; 256x3 is one"))?;
    let Some(resolution) = Resolution::ALL.into_iter().find(|resolution| resolution.texels() == n) else {
        bail!("the engine has no grid of {n}²");
    };
    ensure!((1..=8).contains(&cascades), "a sea has one to eight cascades, not {cascades}");
    Ok((resolution, cascades))
}

/// The preset's cascades, as often as it takes, as in the native benchmark.
fn sea(preset: Preset, cascades: usize) -> SeaState {
    let sea = preset.sea_state();
    let cycle = sea.cascades.iter().cycle().take(cascades).cloned().collect();
    SeaState { cascades: cycle, ..sea }
}

fn write(folder: &Path, name: &str, value: &Value) -> Result<()> {
    let path = folder.join(format!("{name}.json"));
    std::fs::write(&path, value.to_string()).with_context(|| format!("could not write {}", path.display()))
}

fn shader(shader: &Shader) -> Value {
    let slots: Vec<Value> = shader.slots.iter().map(|&slot| self::slot(slot)).collect();
    json!({ "name": shader.name, "source": shader.source, "entry": shader.entry, "slots": slots })
}

fn slot(slot: Slot) -> Value {
    match slot {
        Slot::Uniform(size) => json!({ "kind": "uniform", "size": size }),
        Slot::DynamicUniform(size) => json!({ "kind": "dynamic-uniform", "size": size }),
        Slot::Read => json!({ "kind": "read" }),
        Slot::ReadWrite => json!({ "kind": "read-write" }),
        Slot::Texture => json!({ "kind": "texture" }),
        Slot::Store => json!({ "kind": "store" }),
    }
}

/// One update and what comes of it.
fn update(name: &str, sea: &SeaState, resolution: Resolution) -> Result<Value> {
    let mut clocks = Clocks::new();
    (0..sea.cascades.len()).for_each(|cascade| clocks.set(cascade, Clock::at(MOMENT)));
    let program = Program::new(sea, resolution, Precision::Mixed, &clocks, STEP);
    let program = program.with_context(|| format!("{name} does not fit one pair of dispatches"))?;
    let buffers = program.buffers.iter().map(|buffer| {
        json!({ "name": buffer.name, "size": buffer.size, "uniform": buffer.uniform, "contents": base64(&buffer.contents) })
    });
    let stages = program.stages.iter().map(|stage| {
        let dispatches = stage.dispatches.iter().map(|dispatch| {
            let resources: Vec<Value> = dispatch.resources.iter().map(|&resource| self::resource(resource)).collect();
            json!({ "shader": dispatch.shader, "resources": resources, "workgroups": dispatch.workgroups })
        });
        json!({ "name": stage.name, "dispatches": dispatches.collect::<Vec<_>>() })
    });
    let n = resolution.texels();
    let (columns, rows) = samples(n);
    let layers = (0..sea.cascades.len()).map(|cascade| expected(sea, cascade, n, &columns, &rows, clocks.get(cascade)));
    Ok(json!({
        "name": name,
        "resolution": n,
        "cascades": program.cascades,
        "levels": resolution.mip_levels(),
        "shaders": program.shaders.iter().map(shader).collect::<Vec<_>>(),
        "buffers": buffers.collect::<Vec<_>>(),
        "stages": stages.collect::<Vec<_>>(),
        "expected": { "x": columns, "z": rows, "layers": layers.collect::<Vec<_>>() },
    }))
}

fn resource(resource: Resource) -> Value {
    match resource {
        Resource::Buffer(index) => json!({ "buffer": index }),
        Resource::Level { map, level } => json!({ "map": map, "level": level }),
    }
}

/// The x and the z that are compared: all, or some that fall on every thread and every place of a run sooner or later.
fn samples(n: u32) -> (Vec<u32>, Vec<u32>) {
    if n <= WHOLE {
        return ((0..n).collect(), (0..n).collect());
    }
    let stride = n / SAMPLES;
    let spread = |step: u32| (0..SAMPLES).map(|i| i * stride + (i * step + 3) % stride).collect();
    (spread(7), spread(13))
}

/// The eight channels of the two maps at each sample, `[z][x][channel]`, and by how much each may be off beside 2⁻¹⁰ of its value: a
/// thousandth of its RMS.
fn expected(sea: &SeaState, cascade: usize, n: u32, columns: &[u32], rows: &[u32], clock: Clock) -> Value {
    let spectrum = CascadeSpectrum::new(sea, cascade);
    let tile = sea.cascades[cascade].tile_length.map(f64::from);
    let fields = Fields::new(&bins_by_formula(&spectrum, n), n, tile, clock);
    let whole = 0..n as usize;
    let at = |x: usize, z: usize| channels(fields.texel(x, z), &sea.cascades[cascade]);
    let sizes: [f64; 8] = std::array::from_fn(|channel| {
        rms(whole.clone().flat_map(|z| whole.clone().map(move |x| (x, z))).map(|(x, z)| at(x, z)[channel]))
    });
    let mut allowed = sizes.map(|size| 1e-3 * size);
    // Foam is nothing at most texels, and elsewhere this many times the Jacobian, error and all.
    allowed[7] = foam_gain(&sea.cascades[cascade]) * (1.0 / 1024.0 + 1e-3) * sizes[6];
    let values: Vec<u8> = rows
        .iter()
        .flat_map(|&z| columns.iter().map(move |&x| (x as usize, z as usize)))
        .flat_map(|(x, z)| at(x, z))
        .flat_map(|value| (value as f32).to_le_bytes())
        .collect();
    json!({ "rms": sizes, "allowed": allowed, "values": base64(&values) })
}

fn channels([dx, h, dz, squared_slope, sx, sz, jacobian]: [f64; 7], cascade: &Cascade) -> [f64; 8] {
    let breaking = (1.0 - f64::from(cascade.whitecap) - jacobian).max(0.0);
    let foam = (breaking * foam_gain(cascade)).min(1.0);
    [dx, h, dz, (f64::from(SQUARED_SLOPE_SCALE) * squared_slope).min(65504.0), sx, sz, jacobian, foam]
}

/// (g/δ)(1 − exp(−δ Δt)): what foam grows to, per unit of breaking, from none.
fn foam_gain(cascade: &Cascade) -> f64 {
    let amount = f64::from(cascade.foam_amount);
    let decay = 1.15 * (10.0 - amount).max(0.5);
    7.5 * amount / decay * (1.0 - (-decay * STEP).exp())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, i| word << 8 | u32::from(chunk.get(i).copied().unwrap_or(0)));
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i)) as usize & 63];
            text.push(if i > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    text
}
