// A pixel of water: what it reflects, what it lets through, what it scatters, and the foam on it.
//
// After *Wakes, Explosions and Lighting* (GDC 2019) and Bruneton, Neyret & Holzschuch (2010), in Bevy's units. Everything finer than a pixel is roughness: the slopes' variance that the
// maps' mip levels have averaged away, and that of the slopes which fade with distance, go into the same lobe that the roughness dial is in.
#define_import_path bevy_ocean::fragment

#import bevy_pbr::mesh_view_bindings::{view, lights}
#import bevy_ocean::bindings::water
#import bevy_ocean::foam
#import bevy_ocean::lights as water_lights
#import bevy_ocean::maps::surface_at
#import bevy_ocean::optics
#import bevy_ocean::underwater
#import bevy_ocean::varyings::WaterVarying
#ifdef DISTANCE_FOG
#import bevy_pbr::pbr_functions::apply_fog
#import bevy_pbr::mesh_view_bindings::fog
#endif
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::tone_mapping
#endif

// Share of the maps' slopes that is left at a distance: the rest is roughness.
fn slope_fade(distance: f32) -> f32 {
    return mix(0.015, 1.0, exp(-0.0175 * distance / water.stretch));
}

fn foam_fade(distance: f32) -> f32 {
    return exp(-0.0075 * distance / water.stretch);
}

// Edges of the mesh's triangles, a pixel wide.
fn line(lattice: vec2<f32>) -> f32 {
    let edges = vec3(lattice, lattice.x - lattice.y);
    let width = max(fwidth(edges), vec3(1e-5));
    let from_edge = abs(fract(edges - 0.5) - 0.5) / width;
    return 1.0 - smoothstep(0.4, 1.2, min(from_edge.x, min(from_edge.y, from_edge.z)));
}

@fragment
fn fragment(in: WaterVarying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    // Derivatives first, where all pixels still go the same way.
    let dx = dpdx(in.rest);
    let dy = dpdy(in.rest);
    let edge = line(in.lattice);

    let distance = length(in.relative);
    let to_eye = -in.relative / max(distance, 1e-4);
    let world = vec4(view.world_position + in.relative, 1.0);
    let view_z = dot(vec3(view.view_from_world[0].z, view.view_from_world[1].z, view.view_from_world[2].z), in.relative);
    let pixel = in.position.xy;

    let sample = surface_at(in.rest, dx, dy);
    let fade = slope_fade(distance) * water.normal_strength;
    let slope = sample.slope * fade;
    // What fades is not gone, only out of sight: its variance is that of the whole sea's slopes, less what is left.
    let faded = max(water.normal_strength * water.normal_strength - fade * fade, 0.0);
    let variance = sample.variance * water.normal_strength * water.normal_strength + faded * dot(sample.slope, sample.slope);
    var normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    // No side of a wave that faces away is seen; where the maps' detail says so, it is turned back to the edge.
    let facing = dot(normal, to_eye);
    if facing < 0.02 && to_eye.y > 0.0 {
        normal = normalize(normal + (0.02 - facing) * to_eye);
    }
    let n_dot_v = clamp(dot(normal, to_eye), 1e-3, 1.0);
    let base = optics::slope_deviation(water.roughness);
    let alpha = clamp(sqrt(2.0 * base * base + variance), 0.02, 1.0);
    let sigma = alpha * 0.70710678;
    let reflectance = optics::fresnel(n_dot_v, sigma);

    let pixel_width = 0.5 * (length(dx) + length(dy));
    var foam_amount = sample.foam * foam_fade(distance);

    let sky = water_lights::surroundings(world, normal, to_eye, alpha, view_z, pixel);
    // Heights as shares of the sea's significant height, which is four deviations.
    let height = in.height / max(4.0 * water.deviation, 0.05);

    var specular = sky.reflected * reflectance;
    // Light on foam and light that the water scatters back, both over π.
    var on_surface = sky.ambient;
    var scattered = sky.ambient * (0.7 + 0.8 * n_dot_v * n_dot_v);
    var to_sun = vec3(0.0, 1.0, 0.0);
    var sun = 0.0;
    for (var id = 0u; id < lights.n_directional_lights; id++) {
        let to_light = lights.directional_lights[id].direction_to_light;
        let illuminance = water_lights::directional_illuminance(id, world, normal, view_z, pixel);
        let half_way = normalize(to_light + to_eye);
        let n_dot_l = max(dot(normal, to_light), 0.0);
        let n_dot_h = max(dot(normal, half_way), 0.0);
        let facet = optics::fresnel(max(dot(half_way, to_eye), 0.0), 0.0);
        specular += illuminance * n_dot_l * facet
            * optics::microfacet_distribution(n_dot_h, alpha) * optics::microfacet_visibility(n_dot_l, n_dot_v, alpha);
        // Wrapped: a bubble shines on its dark side too.
        on_surface += illuminance * (0.25 + 0.75 * n_dot_l) * max(to_light.y, 0.0) / optics::PI;
        let through = dot(to_light, -to_eye);
        let below = smoothstep(-0.02, 0.1, to_light.y);
        scattered += illuminance / optics::PI * below
            * (optics::subsurface(height, dot(normal, to_light), n_dot_v, through) + 0.5 * n_dot_l);
        let brightness = dot(illuminance, vec3(0.2126, 0.7152, 0.0722)) * max(to_light.y, 0.0);
        if brightness > sun {
            sun = brightness;
            to_sun = to_light;
        }
    }
    let sky_brightness = dot(sky.ambient, vec3(0.2126, 0.7152, 0.0722)) * optics::PI;
    let sun_share = sun / max(sun + sky_brightness, 1e-6);

    let below = underwater::under(in.relative, pixel, in.rest, normal, to_eye, to_sun, sun_share);
    // Where the water meets something, it breaks up. The edge is torn by the same noise that all foam is.
    foam_amount += 1.7 * optics::contact_foam(below.distance, water.deviation);
    let foamy = clamp(foam::coverage(foam_amount, in.rest + water.foam_origin, pixel_width, water.foam_turn), 0.0, 1.0);

    let scattered_light = water.water_color * scattered * below.body;
    var color = view.exposure * (specular + (1.0 - reflectance) * scattered_light) + (1.0 - reflectance) * below.light;

    let foam_light = view.exposure * water.foam_color * on_surface;
    color = mix(color, foam_light, foamy);

    var lamp_input = water_lights::lighting_input(
        world.xyz, normal, to_eye, mix(water.water_color, water.foam_color, foamy), mix(alpha, 0.9, foamy));
    color += view.exposure * water_lights::lamps(&lamp_input, world, normal, view_z, pixel);

    if water.lines == 1u {
        color = mix(color, vec3(0.9, 0.95, 1.0), 0.75 * edge);
    }
    var output = vec4(color, 1.0);
#ifdef DISTANCE_FOG
    output = apply_fog(fog, output, world.xyz, view.world_position, pixel);
#endif
#ifdef TONEMAP_IN_SHADER
    output = tone_mapping(output, view.color_grading);
#endif
    return output;
}
