// h₀ of one cascade: the sea's random amplitudes, once per change of what they depend on.
//
// The formulas are those of `crates/ocean/src/spectrum.rs`, in f32, and the constants come from there: `crates/ocean/src/gpu/spectrum_pass.rs` puts
// them in front. Every exp, pow, sqrt and tanh is kept within its arguments: an overflow is an infinity on one GPU and NaN on the next.

struct Spectrum {
    // Spacing of the wave numbers, rad/m.
    delta_k: vec2f,
    // Unit vector of the wind's heading, x and z.
    downwind: vec2f,
    depth: f32,
    alpha: f32,
    peak_omega: f32,
    // The factor a on h₀.
    amplitude: f32,
    swell: f32,
    spread: f32,
    detail: f32,
    // The exponent of Hasselmann's s above the peak: −2.33 − 1.45 (U ω_p/g − 1.17).
    young: f32,
    seed: u32,
    // Where the cascade's bins begin.
    first_bin: u32,
    // 1: the bins hold the right frequencies already, and `frequencies` nothing.
    keep_frequencies: u32,
    resolution: u32,
}

@group(0) @binding(0) var<uniform> spectrum: Spectrum;
// A quarter grid of (N/2 + 1)² frequency indices, two to a word: row |i_z|, column |i_x|. Made on the CPU, as both sides must have the very same.
@group(0) @binding(1) var<storage, read> frequencies: array<u32>;
// See `rows.wgsl`.
@group(0) @binding(2) var<storage, read_write> amplitudes: array<vec4u>;

// Jarzynski & Olano, Hash Functions for GPU Rendering (2020).
fn pcg3d(value: vec3u) -> vec3u {
    var v = value * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3u(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

// Two independent unit normals for a wave, which depend on its signed index and on nothing else: a finer grid draws the same for the same wave.
fn unit_normals(index: vec2i) -> vec2f {
    let random = pcg3d(vec3u(bitcast<vec2u>(index), spectrum.seed));
    let uniform_part = f32((random.x >> 8u) + 1u) * (1.0 / 16777216.0);
    return sqrt(max(-2.0 * log(uniform_part), 0.0)) * rotation(random.y);
}

fn power(base: f32, exponent: f32) -> f32 {
    return exp2(clamp(exponent * log2(max(base, 1e-37)), -126.0, 126.0));
}

fn decay(exponent: f32) -> f32 {
    return exp(-min(exponent, 87.0));
}

fn guarded_tanh(x: f32) -> f32 {
    if x < 0.35 {
        let x2 = x * x;
        return x * fma(x2, fma(x2, fma(x2, -17.0 / 315.0, 2.0 / 15.0), -1.0 / 3.0), 1.0);
    }
    let e = exp(-2.0 * min(x, 20.0));
    return (1.0 - e) / (1.0 + e);
}

fn depth_attenuation(omega_h: f32) -> f32 {
    if omega_h <= 1.0 {
        return 0.5 * omega_h * omega_h;
    }
    let lack = max(2.0 - omega_h, 0.0);
    return 1.0 - 0.5 * lack * lack;
}

// S_J(ω): JONSWAP.
fn jonswap(omega: f32) -> f32 {
    let ratio = spectrum.peak_omega / omega;
    let falloff = 1.25 * (ratio * ratio) * (ratio * ratio);
    if falloff >= 80.0 {
        return 0.0;
    }
    let sigma = select(SIGMA_ABOVE, SIGMA_BELOW, omega <= spectrum.peak_omega);
    let distance = (omega - spectrum.peak_omega) / (sigma * spectrum.peak_omega);
    let enhancement = power(GAMMA, decay(0.5 * distance * distance));
    let g_over_omega = GRAVITY / omega;
    return spectrum.alpha * (g_over_omega * g_over_omega) / (omega * omega * omega) * decay(falloff) * enhancement;
}

fn spreading_exponent(omega: f32) -> f32 {
    let ratio = omega / spectrum.peak_omega;
    var wind_sea: f32;
    if ratio <= 1.0 {
        wind_sea = 6.97 * power(ratio, 4.06);
    } else {
        wind_sea = 9.77 * power(ratio, spectrum.young);
    }
    return wind_sea + 16.0 * guarded_tanh(spectrum.peak_omega / omega) * spectrum.swell * spectrum.swell;
}

fn normalisation(s: f32) -> f32 {
    if s < 0.4 {
        return INVERSE_TAU + s * (0.220636 + s * (-0.109 + s * 0.090));
    }
    let root = sqrt(s);
    return (root * 0.5 + 1.0 / (16.0 * root)) * INVERSE_SQRT_PI;
}

// Θ without the detail factor, for a wave at this cosine from the wind.
fn share(s: f32, cosine: f32) -> f32 {
    let base = min((1.0 + cosine) * 0.5, 1.0);
    let towards = select(power(base, s), 0.0, base < MIN_COS_SQUARED);
    return spectrum.spread * INVERSE_TAU + (1.0 - spectrum.spread) * normalisation(s) * towards;
}

@compute @workgroup_size(64)
fn amplitudes_of_cascade(@builtin(global_invocation_id) id: vec3u) {
    let n = spectrum.resolution;
    let half = n / 2u;
    let column = i32(id.x);
    let index = vec2i(select(column, column - i32(n), id.x >= half), i32(id.y));
    let bin = spectrum.first_bin + id.y * n + id.x;

    var frequency: u32;
    if spectrum.keep_frequencies == 1u {
        let low = amplitudes[bin] & vec4u(15u);
        frequency = low.x | (low.y << 4u) | (low.z << 8u) | (low.w << 12u);
    } else {
        let place = id.y * (half + 1u) + u32(abs(index.x));
        frequency = (frequencies[place / 2u] >> (16u * (place & 1u))) & 0xffffu;
    }

    // At the origin, and in the Nyquist column, which has no mirror image, the sea has nothing.
    var values = vec4f(0.0);
    if (id.x | id.y) != 0u && id.x != half {
        let k = vec2f(index) * spectrum.delta_k;
        let length_k = length(k);
        let kh = length_k * spectrum.depth;
        let tanh_kh = guarded_tanh(kh);
        let omega = sqrt(GRAVITY * length_k * tanh_kh);
        let group_speed = GRAVITY * (tanh_kh + min(kh, 1e4) * max(1.0 - tanh_kh * tanh_kh, 0.0)) / (2.0 * omega);
        let lack = (1.0 - spectrum.detail) * length_k;
        let energy = jonswap(omega) * depth_attenuation(omega * sqrt(spectrum.depth / GRAVITY)) * group_speed / length_k
            * decay(lack * lack) * (spectrum.delta_k.x * spectrum.delta_k.y);
        let s = spreading_exponent(omega);
        let cosine = dot(k, spectrum.downwind) / length_k;
        let along = sqrt(max(2.0 * energy * share(s, cosine), 0.0)) * spectrum.amplitude * unit_normals(index);
        let against = sqrt(max(2.0 * energy * share(s, -cosine), 0.0)) * spectrum.amplitude * unit_normals(-index);
        values = vec4f(along + against, along.y - against.y, along.x - against.x);
    }

    // To the nearest of the 20 bits that remain.
    let nibbles = vec4u(frequency, frequency >> 4u, frequency >> 8u, frequency >> 12u) & vec4u(15u);
    amplitudes[bin] = ((bitcast<vec4u>(values) + vec4u(8u)) & vec4u(0xfffffff0u)) | nibbles;
}
