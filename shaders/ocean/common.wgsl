// What the passes of one update share: the parameters, and the rounding of what is stored.
//
// The file is a part: `crates/ocean/src/gpu/kernels.rs` puts it in front of a pass, after the constants of the size.

struct CascadeUpdate {
    // Spacing of the wave numbers, 2π/L, rad/m: along x, along z.
    delta_k: vec2f,
    // The clock as a fraction of the loop, 2³² = 4096 s. A wave of frequency index n stands at phase n·step mod 2³².
    phase_step: u32,
    // What the foam's rounding draws from: another number each update.
    dither: u32,
    // exp(−δ Δt), and (g/δ)(1 − exp(−δ Δt)): the exact solution of foam' = −δ foam + g s over a step with s held.
    foam_keep: f32,
    foam_gain: f32,
    // The Jacobian under which foam grows: 1 − whitecap.
    foam_threshold: f32,
    padding_0: f32,
    // Powers of two that bring lengths, and slopes, into the middle of what an f16 of the scratch can hold.
    scratch_scale: vec2f,
    padding_1: vec2f,
}

struct Update {
    cascades: array<CascadeUpdate, 8>,
    // The layer of the maps that belongs to cascade 0 of this dispatch.
    first_layer: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

@group(0) @binding(0) var<uniform> update: Update;
@group(0) @binding(1) var<storage, read> twiddles: array<vec2f>;

// To the nearest f16: implementations of textureStore truncate.
fn rounded(value: vec2f) -> vec2f {
    return unpack2x16float(pack2x16float(value));
}
