// Pass 1: the sea at this moment, transformed along x.
//
// A line is one k_z ≥ 0; the fields are real, so the other half is its conjugate and is never computed. Each bin is moved in time
// as it is loaded, then five fields leave it, whose derivatives along z are multiples by i k_z that pass 2 forms:
//   0: H = h/k    1: k_x H    2: −k_x² H    3: h    4: k_x h
// The i of the derivatives 1 and 4 is left to pass 2 as well, where it is only a matter of which part is which.
//
// `rotation()` is in `rotation.wgsl`; `rows()` is written by `crates/ocean/src/gpu/kernels.rs`.

// Four numbers a bin, for k and −k at once: with a = h₀(k), b = h₀(−k): Re a + Re b, Im a + Im b, Im a − Im b, Re a − Re b. The
// lowest four bits of each are not theirs: together they are the bin's frequency index.
@group(0) @binding(2) var<storage, read> amplitudes: array<vec4u>;

// h(k, t) = h₀(k) e^{−iωt} + conj(h₀(−k)) e^{iωt}.
fn propagated(bin: vec4u, phase_step: u32) -> vec2f {
    let low = bin & vec4u(15u);
    let index = low.x | (low.y << 4u) | (low.z << 8u) | (low.w << 12u);
    let p = bitcast<vec4f>(bin & vec4u(0xfffffff0u));
    let turn = rotation(index * phase_step);
    return vec2f(fma(p.x, turn.x, p.y * turn.y), fma(p.z, turn.x, -(p.w * turn.y)));
}

// 1/k. At k = 0 any finite number does, as h is 0 there.
fn inverse_k(k_x: f32, k_z: f32) -> f32 {
    return inverseSqrt(max(fma(k_x, k_x, k_z * k_z), 1e-20));
}

// What field multiplies the held value by, as a polynomial of k_x. Fields 0 to 2 start from H, times the unit of k; 3 and 4 from h. Fields 2 and 4
// are slopes, the others lengths.
fn row_factor(field: u32, inverse_unit: f32, scale: vec2f) -> vec3f {
    switch field {
        case 0u: { return vec3f(scale.x, 0.0, 0.0); }
        case 1u: { return vec3f(0.0, inverse_unit * scale.x, 0.0); }
        case 2u: { return vec3f(0.0, 0.0, -inverse_unit * scale.y); }
        case 3u: { return vec3f(scale.x, 0.0, 0.0); }
        default: { return vec3f(0.0, scale.y, 0.0); }
    }
}
