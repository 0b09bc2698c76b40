// Bevy's lights on the water: sun and moon with their shadows and what the atmosphere leaves of them, lamps, and what the sky and the surroundings give.
#define_import_path bevy_ocean::lights

#import bevy_pbr::mesh_view_bindings as view_bindings
#import bevy_pbr::mesh_view_bindings::{view, lights}
#import bevy_pbr::mesh_view_types::{DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT, POINT_LIGHT_FLAGS_SHADOWS_ENABLED_BIT}
#import bevy_pbr::lighting
#import bevy_pbr::lighting::{LightingInput, LAYER_BASE}
#import bevy_pbr::shadows
#import bevy_pbr::clustered_forward as clustering
#ifdef ENVIRONMENT_MAP
#import bevy_pbr::environment_map
#endif
#ifdef ATMOSPHERE
#import bevy_pbr::lighting::sample_transmittance_lut
#import bevy_pbr::atmosphere::functions::{calculate_visible_sun_ratio, clamp_to_surface}
#endif

// Illuminance of a directional light at a point, lux per channel, with shadow and air in between.
fn directional_illuminance(id: u32, world: vec4<f32>, normal: vec3<f32>, view_z: f32, pixel: vec2<f32>) -> vec3<f32> {
    let light = &lights.directional_lights[id];
    var color = (*light).color.rgb;
    if ((*light).flags & DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT) != 0u {
        color *= shadows::fetch_directional_shadow(id, world, normal, view_z, pixel);
    }
#ifdef ATMOSPHERE
    let atmosphere = view_bindings::atmosphere;
    let position = clamp_to_surface(atmosphere, (atmosphere.world_to_atmosphere * vec4(world.xyz, 1.0)).xyz);
    let radius = length(position);
    let mu = dot((*light).direction_to_light, normalize(position));
    color *= sample_transmittance_lut(radius, mu) * calculate_visible_sun_ratio(atmosphere, radius, mu, (*light).sun_disk_angular_size);
#endif
    return color;
}

// What Bevy's lighting functions want to know of the water.
fn lighting_input(world: vec3<f32>, normal: vec3<f32>, to_eye: vec3<f32>, albedo: vec3<f32>, alpha: f32) -> LightingInput {
    var input: LightingInput;
    let n_dot_v = max(dot(normal, to_eye), 1e-4);
    let perceptual = sqrt(alpha);
    input.layers[LAYER_BASE].N = normal;
    input.layers[LAYER_BASE].R = reflect(-to_eye, normal);
    input.layers[LAYER_BASE].NdotV = n_dot_v;
    input.layers[LAYER_BASE].perceptual_roughness = perceptual;
    input.layers[LAYER_BASE].roughness = alpha;
    input.P = world;
    input.V = to_eye;
    input.diffuse_color = albedo;
    input.metallic = 0.0;
    input.F0_dielectric = vec3(0.02);
    input.F0_metallic = vec3(0.0);
    input.F_ab = lighting::F_AB(perceptual, n_dot_v);
    return input;
}

// Lamps in reach, as radiance.
fn lamps(input: ptr<function, LightingInput>, world: vec4<f32>, normal: vec3<f32>, view_z: f32, pixel: vec2<f32>) -> vec3<f32> {
    let cluster = clustering::view_fragment_cluster_index(pixel, view_z, false);
    let ranges = clustering::unpack_clusterable_object_index_ranges(cluster);
    var sum = vec3(0.0);
    for (var i = ranges.first_point_light_index_offset; i < ranges.first_spot_light_index_offset; i++) {
        let id = clustering::get_clusterable_object_id(i);
        var shadow = 1.0;
        if (view_bindings::clustered_lights.data[id].flags & POINT_LIGHT_FLAGS_SHADOWS_ENABLED_BIT) != 0u {
            shadow = shadows::fetch_point_shadow(id, world, normal, pixel);
        }
        sum += shadow * lighting::point_light(id, input, true, true);
    }
    for (var i = ranges.first_spot_light_index_offset; i < ranges.first_reflection_probe_index_offset; i++) {
        let id = clustering::get_clusterable_object_id(i);
        var shadow = 1.0;
        if (view_bindings::clustered_lights.data[id].flags & POINT_LIGHT_FLAGS_SHADOWS_ENABLED_BIT) != 0u {
            let near = view_bindings::clustered_lights.data[id].shadow_map_near_z;
            shadow = shadows::fetch_spot_shadow(id, world, normal, near, pixel);
        }
        sum += shadow * lighting::spot_light(id, input, true);
    }
    return sum;
}

struct Surroundings {
    // Radiance in the reflected direction, as rough as the surface is.
    reflected: vec3<f32>,
    // Irradiance over π from above.
    ambient: vec3<f32>,
}

// What comes from the sky and from whatever is around.
fn surroundings(world: vec4<f32>, normal: vec3<f32>, to_eye: vec3<f32>, alpha: f32, view_z: f32, pixel: vec2<f32>) -> Surroundings {
    let ambient = lights.ambient_color.rgb;
    var out = Surroundings(ambient, ambient);
#ifdef ENVIRONMENT_MAP
    var ranges = clustering::unpack_clusterable_object_index_ranges(clustering::view_fragment_cluster_index(pixel, view_z, false));
    var input = lighting_input(world.xyz, normal, to_eye, vec3(0.0), alpha);
    // A ray that goes down meets other water, which is about as bright as what it reflects.
    var reflected = input.layers[LAYER_BASE].R;
    reflected.y = abs(reflected.y) + 0.02;
    input.layers[LAYER_BASE].R = normalize(reflected);
    // The map below the horizon is the ground's; water is lit from above.
    input.layers[LAYER_BASE].N = normalize(vec3(normal.x, max(normal.y, 0.3), normal.z));
    let radiances = environment_map::compute_radiances(input.layers[LAYER_BASE], &ranges, world.xyz, false);
    out.reflected += radiances.radiance;
    out.ambient += radiances.irradiance;
#endif
    return out;
}
