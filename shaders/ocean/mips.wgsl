// One or two levels of both maps from the level above them, in one dispatch: each a mean of four, which is what filtering a periodic power-of-two map needs, and
// what makes the variance of the slopes that a level has lost: mean of s² minus square of mean s.
//
// Both maps at once, so that twice as much is in flight while memory is waited for; two levels, as four storage textures are what WebGPU promises. How many
// levels there are, the textures they go to and `store`, which writes one level of both, are declared by `crates/ocean/src/gpu/mips.rs`.

@group(0) @binding(0) var displacement: texture_2d_array<f32>;
@group(0) @binding(1) var surface: texture_2d_array<f32>;

// A texel of both maps.
struct Texel {
    displacement: vec4f,
    surface: vec4f,
}

var<workgroup> displacement_tile: array<vec4f, 256>;
var<workgroup> surface_tile: array<vec4f, 256>;

fn mean_above(corner: vec2u, layer: u32) -> Texel {
    let right = corner + vec2u(1u, 0u);
    let below = corner + vec2u(0u, 1u);
    let across = corner + vec2u(1u, 1u);
    return Texel(
        0.25 * (textureLoad(displacement, corner, layer, 0) + textureLoad(displacement, right, layer, 0)
            + textureLoad(displacement, below, layer, 0) + textureLoad(displacement, across, layer, 0)),
        0.25 * (textureLoad(surface, corner, layer, 0) + textureLoad(surface, right, layer, 0)
            + textureLoad(surface, below, layer, 0) + textureLoad(surface, across, layer, 0)),
    );
}

fn mean_of_tiles(at: vec2u) -> Texel {
    let first = at.y * 32u + at.x * 2u;
    return Texel(
        0.25 * (displacement_tile[first] + displacement_tile[first + 1u] + displacement_tile[first + 16u] + displacement_tile[first + 17u]),
        0.25 * (surface_tile[first] + surface_tile[first + 1u] + surface_tile[first + 16u] + surface_tile[first + 17u]),
    );
}

@compute @workgroup_size(16, 16)
fn mips(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(workgroup_id) group: vec3u,
) {
    let size = textureDimensions(displacement).x / 2u;
    let mean = mean_above(min(id.xy, vec2u(size - 1u)) * 2u, id.z);
    if all(id.xy < vec2u(size)) {
        store(1u, id.xy, id.z, mean);
    }
    if LEVELS == 2u {
        let place = local.y * 16u + local.x;
        displacement_tile[place] = mean.displacement;
        surface_tile[place] = mean.surface;
        workgroupBarrier();
        let texel = group.xy * 8u + local.xy;
        if all(local.xy < vec2u(8u)) && all(texel < vec2u(size / 2u)) {
            store(2u, texel, id.z, mean_of_tiles(local.xy));
        }
    }
}
