// Pass 2: transformed along z, and unpacked to the maps.
//
// A column is one x. Its eight real fields go through four complex transforms, two to a transform, A + iB, which are formed on loading from
// two of the five fields of pass 1. With A and B real, A + iB at −k_z is conj(A) + i conj(B). Every one of the four comes out as P + i c Q at
// k_z and as ±conj(P − i c Q) at −k_z, with c = k_z (α + β k_z):
//
//   step    A, B                  P, Q                  α, β      at −k_z
//   0       ∂D_x/∂x, ∂D_z/∂z      −k_x² H, H            0, −1     +
//   1       h, ∂D_x/∂z            h, k_x H              −1, 0     +
//   2       ∂h/∂x, ∂h/∂z          k_x h, h              1, 0      −       times i: A is −Im, B is Re
//   3       D_x, D_z              k_x H, H              1, 0      −       times i
//
// in this order, so that what has to be kept from one to the next is little: the Jacobian's first product, then the Jacobian and
// the foam that it makes, then height and slope variance.
//
// `columns()` is written by `crates/ocean/src/gpu/kernels.rs`.

@group(0) @binding(2) var<storage, read_write> foam: array<u32>;
@group(0) @binding(3) var displacement_map: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(4) var surface_map: texture_storage_2d_array<rgba16float, write>;

// The fields of pass 1 that a step mixes.
fn column_p(step: u32) -> u32 {
    switch step {
        case 0u: { return 2u; }
        case 1u: { return 3u; }
        case 2u: { return 4u; }
        default: { return 1u; }
    }
}

fn column_q(step: u32) -> u32 {
    switch step {
        case 0u: { return 0u; }
        case 1u: { return 1u; }
        case 2u: { return 3u; }
        default: { return 0u; }
    }
}

// (α, β). Field 0 is held times the unit of k; slopes and lengths have each their scale, and P's is the result's.
fn column_mix(step: u32, inverse_unit: f32, scale: vec2f) -> vec2f {
    switch step {
        case 0u: { return vec2f(0.0, -inverse_unit * scale.y / scale.x); }
        case 1u: { return vec2f(-1.0, 0.0); }
        case 2u: { return vec2f(scale.y / scale.x, 0.0); }
        default: { return vec2f(inverse_unit, 0.0); }
    }
}

fn column_unscale(step: u32, scale: vec2f) -> f32 {
    return 1.0 / select(scale.x, scale.y, (step & 1u) == 0u);
}

// A and B of what a step's transform gave.
fn real_pair(step: u32, value: vec2f) -> vec2f {
    return select(value, vec2f(-value.y, value.x), step >= 2u);
}

fn jacobian(straight: vec2f, across: f32) -> f32 {
    return (1.0 + straight.x) * (1.0 + straight.y) - across * across;
}

// P + i c Q, with `mix` = (α, β).
fn mixed(p: vec2f, q: vec2f, k_z: f32, mix: vec2f) -> vec2f {
    let c = k_z * fma(mix.y, k_z, mix.x);
    return vec2f(fma(-c, q.y, p.x), fma(c, q.x, p.y));
}

// sign·conj(P − i c Q).
fn mirrored(p: vec2f, q: vec2f, k_z: f32, mix: vec2f, sign: f32) -> vec2f {
    let c = k_z * fma(mix.y, k_z, mix.x);
    return vec2f(fma(c, q.y, p.x) * sign, fma(c, q.x, -p.y) * sign);
}

// As map 0 holds it: scaled, and within f16.
fn squared_slope(slope: vec2f) -> f32 {
    return min(SQUARED_SLOPE_SCALE * dot(slope, slope), 65504.0);
}

fn hash(value: u32) -> u32 {
    let state = value * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// One step of the foam of two texels, whose values share a word of `foam`, each in units of 1/65535. Rounded up or down at random in proportion: to
// the nearest, a step of less than half a unit would never be taken, and old foam would stay for ever.
fn foam_step(word: u32, jacobian: vec2f, sea: CascadeUpdate) -> vec2f {
    let old = vec2f(f32(foam[word] & 0xffffu), f32(foam[word] >> 16u));
    let source = max(vec2f(0.0), vec2f(sea.foam_threshold) - jacobian);
    let grown = min(fma(old, vec2f(sea.foam_keep), min(source * sea.foam_gain, vec2f(1.0)) * 65535.0), vec2f(65535.0));
    let random = hash(word ^ sea.dither);
    // Eight bits of chance: with more, a whole number near 65535 would be rounded up by the addition itself.
    let chance = vec2f(f32(random & 0xffu), f32((random >> 8u) & 0xffu)) * (1.0 / 256.0);
    let drawn = vec2u(grown + chance);
    foam[word] = drawn.x | (drawn.y << 16u);
    return grown * (1.0 / 65535.0);
}
