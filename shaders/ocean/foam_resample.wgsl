// The foam of one cascade on another grid: a change of resolution keeps it. Finer: linear between the old texels. Coarser: the mean around
// the old texel, half of it to either side.

struct Resample {
    old_resolution: u32,
    new_resolution: u32,
    // Columns whose words lie side by side, see `word_of`.
    old_together: u32,
    new_together: u32,
    // The cascade's place in either buffer.
    old_cascade: u32,
    new_cascade: u32,
    padding_0: u32,
    padding_1: u32,
}

@group(0) @binding(0) var<uniform> resample: Resample;
@group(0) @binding(1) var<storage, read> old_foam: array<u32>;
@group(0) @binding(2) var<storage, read_write> new_foam: array<u32>;

// The word that holds texels (x, z) and (x, z + N/2), z < N/2, in the order of pass 2.
fn word_of(x: u32, z: u32, resolution: u32, together: u32, cascade: u32) -> u32 {
    return ((cascade * (resolution / together) + x / together) * (resolution / 2u) + z) * together + x % together;
}

fn old_texel(at: vec2i) -> f32 {
    let n = resample.old_resolution;
    let wrapped = vec2u(at + vec2i(i32(n) * 4)) % vec2u(n);
    let word = old_foam[word_of(wrapped.x, wrapped.y % (n / 2u), n, resample.old_together, resample.old_cascade)];
    return f32((word >> select(0u, 16u, wrapped.y >= n / 2u)) & 0xffffu);
}

fn value_at(texel: vec2u) -> f32 {
    if resample.new_resolution >= resample.old_resolution {
        let at = vec2f(texel) * (f32(resample.old_resolution) / f32(resample.new_resolution));
        let low = floor(at);
        let part = at - low;
        let corner = vec2i(low);
        let near = mix(old_texel(corner), old_texel(corner + vec2i(1, 0)), part.x);
        let far = mix(old_texel(corner + vec2i(0, 1)), old_texel(corner + vec2i(1, 1)), part.x);
        return mix(near, far, part.y);
    }
    let ratio = i32(resample.old_resolution / resample.new_resolution);
    let half = ratio / 2;
    var sum = 0.0;
    for (var z = -half; z <= half; z += 1) {
        for (var x = -half; x <= half; x += 1) {
            let weight = select(1.0, 0.5, abs(x) == half) * select(1.0, 0.5, abs(z) == half);
            sum += weight * old_texel(vec2i(texel) * ratio + vec2i(x, z));
        }
    }
    return sum / f32(ratio * ratio);
}

@compute @workgroup_size(8, 8)
fn resample_foam(@builtin(global_invocation_id) id: vec3u) {
    let half = resample.new_resolution / 2u;
    let low = u32(value_at(id.xy) + 0.5);
    let high = u32(value_at(id.xy + vec2u(0u, half)) + 0.5);
    new_foam[word_of(id.x, id.y, resample.new_resolution, resample.new_together, resample.new_cascade)] = low | (high << 16u);
}
