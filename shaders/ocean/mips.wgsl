// Up to four levels of a map from the level above them, in one dispatch: each a mean of four, which is what filtering a periodic power-of-two map needs, and
// what makes the variance of the slopes that a level has lost: mean of s² minus square of mean s.
//
// `level_1` to `level_4`, and how many of them there are, are declared by `crates/ocean/src/gpu/mips.rs`; `store` writes one of them.

@group(0) @binding(0) var source: texture_2d_array<f32>;

var<workgroup> tile: array<vec4f, 256>;

fn mean_of_tile(at: vec2u) -> vec4f {
    let first = at.y * 32u + at.x * 2u;
    return 0.25 * (tile[first] + tile[first + 1u] + tile[first + 16u] + tile[first + 17u]);
}

@compute @workgroup_size(16, 16)
fn mips(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(workgroup_id) group: vec3u,
) {
    let size = textureDimensions(source).x / 2u;
    let corner = min(id.xy, vec2u(size - 1u)) * 2u;
    var mean = 0.25 * (textureLoad(source, corner, id.z, 0) + textureLoad(source, corner + vec2u(1u, 0u), id.z, 0)
        + textureLoad(source, corner + vec2u(0u, 1u), id.z, 0) + textureLoad(source, corner + vec2u(1u, 1u), id.z, 0));
    if all(id.xy < vec2u(size)) {
        store(1u, id.xy, id.z, mean);
    }
    for (var level = 2u; level <= LEVELS; level += 1u) {
        let edge = 32u >> level;
        let inside = all(local.xy < vec2u(edge));
        tile[local.y * 16u + local.x] = mean;
        workgroupBarrier();
        if inside {
            mean = mean_of_tile(local.xy);
            let texel = group.xy * edge + local.xy;
            if all(texel < vec2u(max(size >> (level - 1u), 1u))) {
                store(level, texel, id.z, mean);
            }
        }
        workgroupBarrier();
    }
}
