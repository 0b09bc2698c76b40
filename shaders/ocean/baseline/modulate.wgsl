// The classic form, pass 1 of 5: the spectrum at this moment, as four packed complex fields.
//
// Eight real fields share four complex planes: where P and Q are spectra of real fields, P + iQ transforms to p + iq.
// The planes are Dx + i Dz, h + i dDx/dz, dh/dx + i dh/dz and dDx/dx + i dDz/dz.

override SIZE: u32 = 256u;

struct Cascade {
    // Metres along x and z.
    tile: vec2f,
    depth: f32,
    time: f32,
    // 1 - whitecap.
    threshold: f32,
    // What remains of the foam after the step, and what one unit of breaking adds during it.
    remains: f32,
    gain: f32,
    padding: f32,
}

// (h0(k), conj h0(-k)), one column of k_x after another, so that the rows' transform runs along k_z first and one
// transpose puts x along the map's rows. Frequencies are in the transform's own order: nothing has to be centred later.
@group(0) @binding(0) var<uniform> cascades: array<Cascade, 8>;
@group(0) @binding(1) var<storage, read> spectrum: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> fields: array<vec2f>;

const TAU: f32 = 6.283185307179586;
const GRAVITY: f32 = 9.81;

fn signed_frequency(index: vec2u) -> vec2f {
    return vec2f(vec2i(index) - select(vec2i(0), vec2i(i32(SIZE)), index >= vec2u(SIZE / 2u)));
}

@compute @workgroup_size(256)
fn modulate(@builtin(global_invocation_id) id: vec3u) {
    let texel = id.x;
    let cascade = cascades[id.z];
    let area = SIZE * SIZE;
    let k = TAU * signed_frequency(vec2u(texel / SIZE, texel % SIZE)) / cascade.tile;
    let length_squared = max(dot(k, k), 1e-12);
    let per_length = inverseSqrt(length_squared);
    let k_length = length_squared * per_length;

    // Some drivers' tanh overflows; beyond 20 it is 1 to the last bit.
    let omega = sqrt(GRAVITY * k_length * tanh(min(k_length * cascade.depth, 20.0)));
    // Within half a turn, where WGSL says how exact sin and cos are.
    let turns = omega * cascade.time / TAU;
    let angle = (turns - round(turns)) * TAU;
    let c = cos(angle);
    let s = sin(angle);

    let pair = spectrum[id.z * area + texel];
    let h = vec2f(
        pair.x * c + pair.y * s + pair.z * c - pair.w * s,
        pair.y * c - pair.x * s + pair.w * c + pair.z * s,
    );
    let ih = vec2f(-h.y, h.x);
    let unit = k * per_length;

    let first = id.z * 4u * area + texel;
    fields[first] = unit.x * ih - unit.y * h;
    fields[first + area] = h - k.x * unit.y * ih;
    fields[first + 2u * area] = k.x * ih - k.y * h;
    fields[first + 3u * area] = -k.x * unit.x * h - k.y * unit.y * ih;
}
