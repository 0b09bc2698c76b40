// What lies under the water: the opaque world as it was drawn before the water, seen through it.
//
// Colour is the copy that Bevy makes in front of its transmissive pass; depth is the prepass's, in which no water is. Both are of the same camera, and a
// bent ray is looked up where it comes out on screen, if what is there lies under the water at all.
#define_import_path bevy_ocean::underwater

#import bevy_pbr::mesh_view_bindings as view_bindings
#import bevy_pbr::mesh_view_bindings::view
#import bevy_pbr::view_transformations::depth_ndc_to_view_z
#import bevy_ocean::bindings::water
#import bevy_ocean::maps::curvature_at
#import bevy_ocean::optics::{WATER_IOR, caustic, contact_distance, transmittance}
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::approximate_inverse_tone_mapping
#endif

struct Underwater {
    // Light that comes up from below through the surface, exposed as the screen is; what was absorbed on the way is taken off.
    light: vec3<f32>,
    // Share of the body colour that is not hidden by the bed: 0 where there is no water in between, 1 where no bed is seen.
    body: vec3<f32>,
    // From the water to the surface of what lies behind this very pixel, m; large where nothing does.
    distance: f32,
}

#ifdef DEPTH_PREPASS
// What the depth at a pixel, or at the one nearest to it on screen, is from the camera, along the world's axes; and whether there is anything. With several samples a pixel, the
// first of them speaks for it.
fn opaque_position(pixel: vec2<f32>) -> vec4<f32> {
    let on_screen = clamp(pixel, view.viewport.xy + 0.5, view.viewport.xy + view.viewport.zw - 0.5);
    let depth = textureLoad(view_bindings::depth_prepass_texture, vec2<i32>(on_screen), 0);
    if depth <= 0.0 {
        return vec4(0.0);
    }
    let uv = (on_screen - view.viewport.xy) / view.viewport.zw;
    let ndc = vec3(uv * vec2(2.0, -2.0) + vec2(-1.0, 1.0), depth);
    let from_view = view.view_from_clip * vec4(ndc, 1.0);
    let rotation = mat3x3<f32>(view.world_from_view[0].xyz, view.world_from_view[1].xyz, view.world_from_view[2].xyz);
    return vec4(rotation * (from_view.xyz / from_view.w), 1.0);
}

// From what is seen at a pixel to its neighbour a `step` further on screen, or a step back if that is the nearer of the two: a neighbour beyond an edge is of something else. Zero
// where there is none.
fn to_neighbour(here: vec3<f32>, pixel: vec2<f32>, step: vec2<f32>) -> vec3<f32> {
    let next = opaque_position(pixel + step);
    let last = opaque_position(pixel - step);
    let forth = next.xyz - here;
    let back = here - last.xyz;
    let is_back = last.w > 0.0 && (next.w == 0.0 || dot(back, back) < dot(forth, forth));
    return select(forth * next.w, back, is_back);
}

fn pixel_of(relative: vec3<f32>) -> vec2<f32> {
    let rotation = mat3x3<f32>(view.view_from_world[0].xyz, view.view_from_world[1].xyz, view.view_from_world[2].xyz);
    let clip = view.clip_from_view * vec4(rotation * relative, 1.0);
    let uv = clip.xy / max(clip.w, 1e-5) * vec2(0.5, -0.5) + 0.5;
    return view.viewport.xy + clamp(uv, vec2(0.0), vec2(1.0)) * view.viewport.zw;
}
#endif

fn opaque_color(pixel: vec2<f32>) -> vec3<f32> {
    let uv = pixel / vec2<f32>(textureDimensions(view_bindings::view_transmission_texture));
    var color = textureSampleLevel(view_bindings::view_transmission_texture, view_bindings::view_transmission_sampler, uv, 0.0);
#ifdef TONEMAP_IN_SHADER
    color = approximate_inverse_tone_mapping(color, view.color_grading);
#endif
    return color.rgb;
}

// `surface` is the point on the water, from the camera; `to_sun` and `sun_share` say from where, and how much of, the light on the bed comes in one direction.
fn under(
    surface: vec3<f32>,
    pixel: vec2<f32>,
    rest: vec2<f32>,
    normal: vec3<f32>,
    to_eye: vec3<f32>,
    to_sun: vec3<f32>,
    sun_share: f32,
) -> Underwater {
#ifdef DEPTH_PREPASS
    let straight = opaque_position(pixel);
    if straight.w == 0.0 {
        return Underwater(vec3(0.0), vec3(1.0), 1e4);
    }
    let across = to_neighbour(straight.xyz, pixel, vec2(1.0, 0.0));
    let down_screen = to_neighbour(straight.xyz, pixel, vec2(0.0, 1.0));
    let off = contact_distance(straight.xyz - surface, across, down_screen);
    // As far as the bed is straight on, the bent ray is followed.
    let along = distance(straight.xyz, surface);
    let bent = refract(-to_eye, normal, 1.0 / WATER_IOR);
    let bent_pixel = pixel_of(surface + bent * min(along, 8.0));
    var seen = straight;
    var seen_pixel = pixel;
    let there = opaque_position(bent_pixel);
    // Not what stands in front of the water.
    if there.w > 0.0 && dot(there.xyz, there.xyz) > dot(surface, surface) && there.y < surface.y + 0.05 {
        seen = there;
        seen_pixel = bent_pixel;
    }
    let path = distance(seen.xyz, surface);
    let depth = max(surface.y - seen.y, 0.0);
    // Down to the bed, along the refracted sun, and up again to the eye.
    let sun_down = refract(-to_sun, vec3(0.0, 1.0, 0.0), 1.0 / WATER_IOR);
    let down = depth / max(-sun_down.y, 0.5);
    let left = transmittance(water.extinction, path + down);
    if max(left.x, max(left.y, left.z)) < 0.004 {
        return Underwater(vec3(0.0), vec3(1.0), off);
    }
    var light = opaque_color(seen_pixel) * left;
    if sun_share > 0.0 && depth > 0.02 {
        // The patch of the surface that the sun shines through onto this point of the bed.
        let offset = seen.xz - surface.xz - sun_down.xz / max(-sun_down.y, 0.3) * depth;
        let focus = caustic(curvature_at(rest + offset, 0.03 + 0.09 * depth), depth);
        light *= mix(1.0, focus, sun_share * smoothstep(0.02, 0.4, depth));
    }
    return Underwater(light, 1.0 - transmittance(water.extinction, path), off);
#else
    return Underwater(vec3(0.0), vec3(1.0), 1e4);
#endif
}
