// One of the sea's maps, a whole tile of it, as a square in the corner of the picture.
#define_import_path bevy_ocean::map_view

struct MapViewSettings {
    // Corners of the square in clip space: left, bottom, right, top.
    place: vec4<f32>,
    // 1 displacement, 2 slopes, 3 Jacobian, 4 foam: `MapView` in the crate.
    map: u32,
    layer: u32,
    // What is drawn as full red or green: metres, or a slope.
    range: f32,
}

@group(0) @binding(0) var<uniform> settings: MapViewSettings;
@group(0) @binding(1) var displacement: texture_2d_array<f32>;
@group(0) @binding(2) var surface: texture_2d_array<f32>;
@group(0) @binding(3) var linear_sampler: sampler;

struct MapViewVarying {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> MapViewVarying {
    let corner = vec2(f32(index & 1u), f32(index >> 1u));
    let place = mix(settings.place.xy, settings.place.zw, corner);
    // z, the map's second axis, goes down the picture, as it does seen from above with x to the right.
    return MapViewVarying(vec4(place, 0.0, 1.0), vec2(corner.x, 1.0 - corner.y));
}

@fragment
fn fragment(in: MapViewVarying) -> @location(0) vec4<f32> {
    let border = min(min(in.uv.x, 1.0 - in.uv.x), min(in.uv.y, 1.0 - in.uv.y));
    if border < 0.004 {
        return vec4(1.0);
    }
    let layer = min(settings.layer, textureNumLayers(surface) - 1u);
    let moved = textureSampleLevel(displacement, linear_sampler, in.uv, layer, 0.0);
    let shape = textureSampleLevel(surface, linear_sampler, in.uv, layer, 0.0);
    var color = vec3(0.0);
    switch settings.map {
        case 1u: { color = 0.5 + 0.5 * moved.xyz / settings.range; }
        case 2u: { color = vec3(0.5 + 0.5 * shape.xy / settings.range, 0.5); }
        case 3u: { color = select(vec3(0.5 * shape.z), vec3(1.0, 0.1, 0.05), shape.z < 0.0); }
        default: { color = vec3(shape.w); }
    }
    // Numbers, not light: they are meant to look linear on screen.
    return vec4(pow(clamp(color, vec3(0.0), vec3(1.0)), vec3(2.2)), 1.0);
}
