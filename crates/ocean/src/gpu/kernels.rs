//! The two passes of an update as WGSL: the parts in `shaders/ocean/` joined with the straight-line code of one size.

use std::fmt::Write;

use super::plan::{FIELDS, Plan, ScratchPart};
use super::stockham::{Complex, Emitter, Point};

/// What map 0 holds s_x² + s_z² times. A calm lake's are millionths, where f16 has no precision left; a wave as steep as 86° still fits.
pub const SQUARED_SLOPE_SCALE: f32 = 256.0;

const COMMON: &str = include_str!("../../../../shaders/ocean/common.wgsl");
const ROTATION: &str = include_str!("../../../../shaders/ocean/rotation.wgsl");
const ROWS: &str = include_str!("../../../../shaders/ocean/rows.wgsl");
const COLUMNS: &str = include_str!("../../../../shaders/ocean/columns.wgsl");

/// The first binding of the scratch, after the pass's own.
pub const ROWS_SCRATCH_BINDING: u32 = 3;
pub const COLUMNS_SCRATCH_BINDING: u32 = 5;
/// Where [`Output::Fields`] goes.
pub const FIELDS_BINDING: u32 = 9;

/// Pass 1: entry point `rows`, dispatched as [`Plan::rows_workgroups`].
pub fn rows(plan: &Plan) -> String {
    let lines = plan.rows;
    let (e, threads) = (lines.per_thread, lines.threads_per_line());
    let n = plan.resolution;
    let half = n / 2;
    let mut emitter = Emitter::new(lines);
    let mut out = head(plan, &[ROTATION, ROWS], "read_write", ROWS_SCRATCH_BINDING);
    out += &emitter.declaration();
    let scratch = ScratchLayout::new(plan);
    let per_group = plan.row_fields;
    let groups = FIELDS.div_ceil(per_group);

    writeln!(out, "\n@compute @workgroup_size({})", lines.threads()).ok();
    out += "fn rows(@builtin(local_invocation_index) invocation: u32, @builtin(workgroup_id) group: vec3u) {\n";
    writeln!(out, "    let lane = invocation & {}u;", lines.lines - 1).ok();
    writeln!(out, "    let t = invocation >> {}u;", lines.lines.ilog2()).ok();
    writeln!(out, "    let line = group.x * {}u + lane;", lines.lines).ok();
    out += "    let cascade = group.z;\n";
    out += &emitter.prologue();
    out += "    let phase_step = update.cascades[cascade].phase_step;\n";
    out += "    let delta_k = update.cascades[cascade].delta_k;\n";
    out += "    let k_z = f32(line) * delta_k.y;\n";
    writeln!(out, "    let k_unit = {};", k_unit(plan, "delta_k.y")).ok();
    writeln!(out, "    let bins = (cascade * {half}u + line) * {n}u + t;").ok();
    for m in 0..e {
        let signed = i64::from(m * threads) - if m >= e / 2 { i64::from(n) } else { 0 };
        writeln!(out, "    let k_x{m} = (f32(t) + {signed}.0) * delta_k.x;").ok();
        writeln!(
            out,
            "    var g{m} = propagated(amplitudes[bins + {}u], phase_step) * k_unit * inverse_k(k_x{m}, k_z);",
            m * threads
        )
        .ok();
    }
    out += "    let scale = update.cascades[cascade].scratch_scale;\n";
    if groups == 1 {
        out += "    let first_field = 0u;\n";
        writeln!(out, "    for (var field = 0u; field < {FIELDS}u; field += 1u) {{").ok();
    } else {
        writeln!(out, "    let first_field = group.y * {per_group}u;").ok();
        writeln!(out, "    let end_field = min(first_field + {per_group}u, {FIELDS}u);").ok();
        out += "    for (var field = first_field; field < end_field; field += 1u) {\n";
    }
    // From field 3 on, what is held is h.
    out += "    if field == 3u || (field > 3u && field == first_field) {\n";
    for m in 0..e {
        writeln!(out, "        g{m} *= sqrt(fma(k_x{m}, k_x{m}, k_z * k_z)) / k_unit;").ok();
    }
    out += "    }\n    let factor = row_factor(field, 1.0 / k_unit, scale);\n";
    for m in 0..e {
        writeln!(out, "    let x{m} = g{m} * fma(k_x{m}, fma(k_x{m}, factor.z, factor.y), factor.x);").ok();
    }
    let input = (0..e).map(|m| Complex { re: format!("x{m}.x"), im: format!("x{m}.y") }).collect();
    let points = emitter.transform(&mut out, input);
    scratch.stores(&mut out, &points);
    out += "    }\n}\n";
    out
}

/// What pass 2 does with the fields it has transformed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The two maps, foam included.
    Maps,
    /// The eight fields as they are, f32, for the proof of the transform: `fields[((cascade·N + x)·N + z)·8 + i]`, in the order of the transforms.
    Fields,
}

/// Pass 2: entry point `columns`, dispatched as [`Plan::columns_workgroups`].
pub fn columns(plan: &Plan, output: Output) -> String {
    let lines = plan.columns;
    let (e, threads) = (lines.per_thread, lines.threads_per_line());
    let together = plan.columns_together();
    let side_by_side = plan.column_steps == 4;
    let mut emitter = Emitter::new(lines);
    let mut out = head(plan, &[COLUMNS], "read", COLUMNS_SCRATCH_BINDING);
    if output == Output::Fields {
        writeln!(out, "@group(0) @binding({FIELDS_BINDING}) var<storage, read_write> fields: array<f32>;").ok();
    }
    out += &emitter.declaration();
    let scratch = ScratchLayout::new(plan);

    writeln!(out, "\n@compute @workgroup_size({})", lines.threads()).ok();
    out += "fn columns(@builtin(local_invocation_index) invocation: u32, @builtin(workgroup_id) group: vec3u) {\n";
    writeln!(out, "    let lane = invocation & {}u;", lines.lines - 1).ok();
    writeln!(out, "    let t = invocation >> {}u;", lines.lines.ilog2()).ok();
    writeln!(out, "    let x = group.x * {together}u + (lane & {}u);", together - 1).ok();
    out += "    let cascade = group.z;\n";
    out += &emitter.prologue();
    out += "    let sea = update.cascades[cascade];\n";
    writeln!(out, "    let mirror_t = {threads}u - t;").ok();
    scratch.load_places(&mut out);
    if output == Output::Maps {
        out += "    let layer = update.first_layer + cascade;\n";
    }
    if side_by_side {
        writeln!(out, "    let step = lane >> {}u;", together.ilog2()).ok();
    } else {
        if output == Output::Maps {
            for m in 0..e {
                writeln!(out, "    var p{m}: f32;\n    var q{m}: u32;").ok();
            }
        }
        out += "    for (var step = 0u; step < 4u; step += 1u) {\n";
    }
    load(&mut out, plan, &scratch);
    let input = (0..e).map(|m| Complex { re: format!("x{m}.x"), im: format!("x{m}.y") }).collect();
    let points = emitter.transform(&mut out, input);
    match (output, side_by_side) {
        (Output::Fields, _) => fields(&mut out, plan, &points),
        (Output::Maps, false) => maps(&mut out, plan, &points),
        (Output::Maps, true) => maps_side_by_side(&mut out, plan, &points),
    }
    out += if side_by_side { "}\n" } else { "    }\n}\n" };
    out
}

/// The two fields of one step, mixed to one complex line.
fn load(out: &mut String, plan: &Plan, scratch: &ScratchLayout) {
    let lines = plan.columns;
    let (e, threads) = (lines.per_thread, lines.threads_per_line());
    scratch.load_bases(out);
    writeln!(out, "    let mix = column_mix(step, 1.0 / ({}), sea.scratch_scale);", k_unit(plan, "sea.delta_k.y")).ok();
    out.push_str("    let sign = select(1.0, -1.0, step >= 2u);\n    let unscale = column_unscale(step, sea.scratch_scale);\n");
    for m in 0..e {
        let (place, constant, function, sign) = if m >= e / 2 {
            ("mirror", (e - 1 - m) * threads, "mirrored", ", sign")
        } else {
            ("direct", m * threads, "mixed", "")
        };
        let k = if m >= e / 2 { "mirror_t" } else { "t" };
        let k = format!("f32({k} + {constant}u) * sea.delta_k.y");
        let p = scratch.load("p", place, constant);
        let q = scratch.load("q", place, constant);
        let value = format!("{function}({p}, {q}, {k}, mix{sign})");
        // The Nyquist line is not stored: it is 0.
        let value = if m == e / 2 { format!("select(vec2f(0.0), {value}, t != 0u)") } else { value };
        writeln!(out, "    let x{m} = {value};").ok();
    }
}

/// What H = h/k is held times, rad/m: the first wave number of which the scratch may hold f16. It keeps H within the size of h there.
fn k_unit(plan: &Plan, delta_k_z: &str) -> String {
    format!("{}.0 * {delta_k_z}", plan.columns.threads_per_line())
}

fn unscaled(part: &str) -> String {
    format!("({part} * unscale)")
}

fn fields(out: &mut String, plan: &Plan, points: &[Point]) {
    let n = plan.resolution;
    for (i, point) in points.iter().enumerate() {
        let z = point.offset;
        let (re, im) = (unscaled(&point.value.re), unscaled(&point.value.im));
        writeln!(out, "    let pair{i} = real_pair(step, vec2f({re}, {im}));").ok();
        writeln!(out, "    let field{i} = ((cascade * {n}u + x) * {n}u + t + {z}u) * 8u + step * 2u;").ok();
        writeln!(out, "    fields[field{i}] = pair{i}.x;\n    fields[field{i} + 1u] = pair{i}.y;").ok();
    }
}

/// The word of `foam` that belongs to texel (x, `z`), z < N/2.
fn foam_word(plan: &Plan, z: &str) -> String {
    let (n, together) = (plan.resolution, plan.columns_together());
    format!("((cascade * {}u + group.x) * {}u + {z}) * {together}u", n / together, n / 2)
}

/// Steps 0 to 3 of what becomes of the fields, one after the other: see `columns.wgsl`.
fn maps(out: &mut String, plan: &Plan, points: &[Point]) {
    let pairs = points.len() / 2;
    let value = |i: usize| (unscaled(&points[i].value.re), unscaled(&points[i].value.im));
    let texel = |i: usize| format!("vec2u(x, t + {}u), layer", points[i].offset);
    writeln!(out, "    let foam_word = {} + lane;", foam_word(plan, "t")).ok();
    out.push_str("    switch step {\n    case 0u: {\n");
    for i in 0..points.len() {
        let (xx, zz) = value(i);
        writeln!(out, "        p{i} = (1.0 + {xx}) * (1.0 + {zz});").ok();
    }
    out.push_str("    }\n    case 1u: {\n");
    for (i, point) in points.iter().enumerate().take(pairs) {
        let j = i + pairs;
        let ((h_i, xz_i), (h_j, xz_j)) = (value(i), value(j));
        writeln!(out, "        let jacobian{i} = vec2f(p{i} - {xz_i} * {xz_i}, p{j} - {xz_j} * {xz_j});").ok();
        let word = point.offset * plan.columns.lines;
        writeln!(out, "        let foam{i} = foam_step(foam_word + {word}u, jacobian{i}, sea);").ok();
        writeln!(out, "        q{i} = pack2x16float(vec2f(jacobian{i}.x, foam{i}.x));").ok();
        writeln!(out, "        q{j} = pack2x16float(vec2f(jacobian{i}.y, foam{i}.y));").ok();
        writeln!(out, "        p{i} = {h_i};\n        p{j} = {h_j};").ok();
    }
    out.push_str("    }\n    case 2u: {\n");
    for i in 0..points.len() {
        let (re, im) = value(i);
        writeln!(out, "        let slope{i} = vec2f(-{im}, {re});").ok();
        writeln!(out, "        textureStore(surface_map, {}, vec4f(rounded(slope{i}), unpack2x16float(q{i})));", texel(i)).ok();
        writeln!(out, "        q{i} = pack2x16float(vec2f(p{i}, squared_slope(slope{i})));").ok();
    }
    out.push_str("    }\n    default: {\n");
    for i in 0..points.len() {
        let (re, im) = value(i);
        writeln!(
            out,
            "        let sideways{i} = rounded(vec2f(-{im}, {re}));\n        let upright{i} = unpack2x16float(q{i});"
        )
        .ok();
        writeln!(
            out,
            "        textureStore(displacement_map, {}, vec4f(sideways{i}.x, upright{i}.x, sideways{i}.y, upright{i}.y));",
            texel(i)
        )
        .ok();
    }
    out.push_str("    }\n    }\n");
}

/// All four steps are there at once, in different threads: they meet in workgroup memory, and each thread finishes whole texels.
fn maps_side_by_side(out: &mut String, plan: &Plan, points: &[Point]) {
    let together = plan.columns_together();
    let plane = plan.resolution * together;
    // A part that differs by step keeps the four steps of a texel out of each other's memory banks.
    let place = |step: &str, texel: &str| format!("exchange[{step} * {plane}u + (({texel}) ^ ({step} * 4u))]");
    for point in points {
        let texel = format!("(t + {}u) * {together}u + (lane & {}u)", point.offset, together - 1);
        let (re, im) = (unscaled(&point.value.re), unscaled(&point.value.im));
        writeln!(out, "    {} = real_pair(step, vec2f({re}, {im}));", place("step", &texel)).ok();
    }
    out.push_str("    workgroupBarrier();\n");
    let per_thread = plane / plan.columns.threads();
    for i in 0..per_thread / 2 {
        let low = format!("invocation + {}u", i * plan.columns.threads());
        let texels = [low.clone(), format!("{low} + {}u", plane / 2)];
        for (half, texel) in texels.iter().enumerate() {
            for step in 0..4 {
                writeln!(out, "    let f{i}_{half}_{step} = {};", place(&format!("{step}u"), texel)).ok();
            }
            writeln!(out, "    let j{i}_{half} = jacobian(f{i}_{half}_0, f{i}_{half}_1.y);").ok();
        }
        let word = format!("(cascade * {}u + group.x) * {}u + {low}", plan.resolution / together, plane / 2);
        writeln!(out, "    let foam{i} = foam_step({word}, vec2f(j{i}_0, j{i}_1), sea);").ok();
        for (half, texel) in texels.iter().enumerate() {
            let part = ["x", "y"][half];
            let z = format!("({texel}) >> {}u", together.ilog2());
            let x = format!("group.x * {together}u + (({texel}) & {}u)", together - 1);
            writeln!(out, "    let texel{i}_{half} = vec2u({x}, {z});").ok();
            writeln!(out, "    let slope{i}_{half} = f{i}_{half}_2;\n    let upright{i}_{half} = rounded(vec2f(f{i}_{half}_1.x, squared_slope(slope{i}_{half})));").ok();
            writeln!(out, "    let sideways{i}_{half} = rounded(f{i}_{half}_3);").ok();
            writeln!(out, "    textureStore(surface_map, texel{i}_{half}, layer, vec4f(rounded(slope{i}_{half}), rounded(vec2f(j{i}_{half}, foam{i}.{part}))));").ok();
            writeln!(out, "    textureStore(displacement_map, texel{i}_{half}, layer, vec4f(sideways{i}_{half}.x, upright{i}_{half}.x, sideways{i}_{half}.y, upright{i}_{half}.y));").ok();
        }
    }
}

fn head(plan: &Plan, parts: &[&str], access: &str, binding: u32) -> String {
    let mut out = format!("const SQUARED_SLOPE_SCALE: f32 = {SQUARED_SLOPE_SCALE:?};\n");
    out += COMMON;
    out.extend(parts.iter().copied());
    for (i, part) in plan.scratch_parts().iter().enumerate() {
        let value = if part.value_bytes == 8 { "vec2f" } else { "u32" };
        writeln!(out, "@group(0) @binding({}) var<storage, {access}> scratch_{i}: array<{value}>;", binding + i as u32).ok();
    }
    out
}

/// Where a value of the scratch lies: `[cascade][x / R][field][k_z / L][x mod R][k_z mod L]`, with `L` the lines that a workgroup of pass 1
/// holds and `R` the plan's run, at least the columns of a workgroup of pass 2. Both write and read whole runs, a memory sector or more; a plain row
/// or column order would give one of the passes single values.
struct ScratchLayout {
    n: u32,
    /// `L`.
    lines: u32,
    /// `R`.
    run: u32,
    first_high_line: u32,
    low_lines: u32,
    parts: Vec<ScratchPart>,
}

impl ScratchLayout {
    fn new(plan: &Plan) -> Self {
        Self {
            n: plan.resolution,
            lines: plan.rows.lines,
            run: plan.run,
            first_high_line: plan.first_high_line(),
            low_lines: plan.low_lines(),
            parts: plan.scratch_parts(),
        }
    }

    fn plane(&self, part: &ScratchPart) -> u32 {
        part.lines * self.run
    }

    /// In pass 1: writes the points, of the loop's `field`, to each part that holds the workgroup's lines.
    fn stores(&self, out: &mut String, points: &[Point]) {
        let Self { n, lines, run, .. } = self;
        for (i, part) in self.parts.iter().enumerate() {
            let mut conditions = Vec::new();
            if part.first_line > 0 {
                conditions.push(format!("line >= {}u", part.first_line));
            }
            if part.first_line + part.lines < n / 2 {
                conditions.push(format!("line < {}u", part.first_line + part.lines));
            }
            if part.fields < FIELDS {
                conditions.push(format!("field - {}u < {}u", part.first_field, part.fields));
            }
            let condition = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" && ") };
            writeln!(out, "    if {condition} {{").ok();
            let block = format!("(cascade * {}u + t / {run}u) * {}u + field - {}u", n / run, part.fields, part.first_field);
            let within =
                format!("(line - {}u) / {lines}u * {}u + (t & {}u) * {lines}u + lane", part.first_line, lines * run, run - 1);
            writeln!(out, "        let first = ({block}) * {}u + {within};", self.plane(part)).ok();
            for point in points {
                let Complex { re, im } = &point.value;
                let along = point.offset / run * part.fields * self.plane(part);
                let value = if part.value_bytes == 8 {
                    format!("vec2f({re}, {im})")
                } else {
                    format!("pack2x16float(vec2f({re}, {im}))")
                };
                writeln!(out, "        scratch_{i}[first + {along}u] = {value};").ok();
            }
            out.push_str("    }\n");
        }
    }

    /// In pass 2: the place of the thread's lines k_z = t and T − t in their column, counted from the first line.
    fn load_places(&self, out: &mut String) {
        let Self { lines, run, .. } = self;
        for (name, k) in [("direct", "t"), ("mirror", "mirror_t")] {
            writeln!(
                out,
                "    let {name} = (x & {}u) * {lines}u + ({k} / {lines}u) * {}u + ({k} & {}u);",
                run - 1,
                lines * run,
                lines - 1
            )
            .ok();
        }
    }

    /// In pass 2: where the two fields of the step begin in each part.
    fn load_bases(&self, out: &mut String) {
        writeln!(out, "    let block = cascade * {}u + x / {}u;", self.n / self.run, self.run).ok();
        for which in ["p", "q"] {
            writeln!(out, "    let {which}_field = column_{which}(step);").ok();
            for (i, part) in self.parts.iter().enumerate() {
                // Where a part lacks the field, another is loaded and not used.
                let field = if part.fields == FIELDS {
                    format!("{which}_field")
                } else {
                    let (first, last) = (part.first_field, part.first_field + part.fields - 1);
                    format!("(clamp({which}_field, {first}u, {last}u) - {first}u)")
                };
                writeln!(out, "    let {which}_{i} = (block * {}u + {field}) * {}u;", part.fields, self.plane(part)).ok();
            }
        }
    }

    /// In pass 2: the value of line `place` + `offset`, an offset that is a multiple of T.
    fn load(&self, which: &str, place: &str, offset: u32) -> String {
        let at = |i: usize| {
            let along = (offset - self.parts[i].first_line) * self.run;
            format!("scratch_{i}[{which}_{i} + {place} + {along}u]")
        };
        // The mirrored point of thread 0 is one line further on.
        let furthest = offset + if place == "mirror" { self.first_high_line } else { self.first_high_line - 1 };
        if furthest < self.low_lines || self.parts.len() == 1 {
            at(0)
        } else if self.parts.len() == 2 {
            format!("unpack2x16float({})", at(1))
        } else {
            format!("unpack2x16float(select({}, {}, {which}_field >= {}u))", at(1), at(2), self.parts[2].first_field)
        }
    }
}
