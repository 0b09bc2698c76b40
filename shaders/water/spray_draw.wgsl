// Drawing the spray: a square for each droplet, drawn out along its way, lit as foam is, and soft where it meets the water.
#define_import_path bevy_ocean::spray_draw

#import bevy_pbr::mesh_view_bindings::{view, lights}
#import bevy_ocean::bindings::water
#import bevy_ocean::foam::{PERIOD, value_noise}
#import bevy_ocean::lights as water_lights
#import bevy_ocean::maps::displacement_at
#import bevy_ocean::optics
#import bevy_ocean::spray_types::Droplet
#ifdef DISTANCE_FOG
#import bevy_pbr::pbr_functions::apply_fog
#import bevy_pbr::mesh_view_bindings::fog
#endif
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::tone_mapping
#endif

@group(#{MATERIAL_BIND_GROUP}) @binding(6) var<storage, read> droplets: array<Droplet>;

struct SprayVarying {
    @builtin(position) position: vec4<f32>,
    // From the camera, along the world's axes, m.
    @location(0) relative: vec3<f32>,
    // −1 to 1 across the square.
    @location(1) corner: vec2<f32>,
    @location(2) opacity: f32,
    @location(3) seed: f32,
}

// Seconds of its way that a droplet is drawn out by.
const SHUTTER: f32 = 0.025;

@vertex
fn vertex(@location(0) position: vec3<f32>) -> SprayVarying {
    // A mesh's vertices may lie anywhere in a buffer, so the droplet's number and corner come with them.
    let index = u32(position.z);
    var out: SprayVarying;
    out.position = vec4(0.0, 0.0, 0.0, 1.0);
    if index >= arrayLength(&droplets) {
        return out;
    }
    let droplet = droplets[index];
    if droplet.age >= droplet.life {
        return out;
    }
    let share = droplet.age / droplet.life;
    let seed = fract(f32(index) * 0.618034);
    let relative = droplet.position - view.world_position;
    let distance = length(relative);
    // What would be less than a pixel is a pixel, and paler.
    let true_radius = mix(0.02, 0.05 + 0.11 * seed * seed, sqrt(share));
    let radius = max(true_radius, 0.0009 * distance);

    let rest = droplet.position.xz - water.origin;
    let above = droplet.position.y - water.level - displacement_at(rest, 0.5).y;
    // Into view at once, out of it slowly; not in the eye, and not where it is less than a pixel.
    out.opacity = 0.6 * (true_radius / radius) * smoothstep(0.0, 0.06, share) * (1.0 - share) * smoothstep(-0.5 * radius, radius, above)
        * smoothstep(0.4, 1.5, distance);

    let rotation = mat3x3<f32>(view.view_from_world[0].xyz, view.view_from_world[1].xyz, view.view_from_world[2].xyz);
    let center = rotation * relative;
    let way = (rotation * droplet.velocity).xy * SHUTTER;
    let length_of_way = length(way);
    let along = select(vec2(1.0, 0.0), way / max(length_of_way, 1e-5), length_of_way > 1e-4);
    let across = vec2(-along.y, along.x);
    let offset = along * position.x * (radius + length_of_way) + across * position.y * radius;
    out.position = view.clip_from_view * vec4(center + vec3(offset, 0.0), 1.0);
    out.relative = relative;
    out.corner = position.xy;
    out.seed = seed;
    return out;
}

@fragment
fn fragment(in: SprayVarying) -> @location(0) vec4<f32> {
    let r2 = dot(in.corner, in.corner);
    // A cluster of drops, not a disc.
    let grain = value_noise(in.corner * 3.0 + 91.0 * in.seed, PERIOD) * 0.6 + value_noise(in.corner * 7.0 + 37.0 * in.seed, PERIOD) * 0.4;
    let opacity = in.opacity * smoothstep(1.0, 0.1, r2) * smoothstep(0.25, 0.65, grain);
    if opacity < 0.004 {
        discard;
    }
    let world = vec4(view.world_position + in.relative, 1.0);
    let to_eye = -normalize(in.relative);
    let view_z = dot(vec3(view.view_from_world[0].z, view.view_from_world[1].z, view.view_from_world[2].z), in.relative);
    let pixel = in.position.xy;
    let sky = water_lights::surroundings(world, vec3(0.0, 1.0, 0.0), to_eye, 0.9, view_z, pixel);
    var light = sky.ambient;
    for (var id = 0u; id < lights.n_directional_lights; id++) {
        let to_light = lights.directional_lights[id].direction_to_light;
        let illuminance = water_lights::directional_illuminance(id, world, vec3(0.0, 1.0, 0.0), view_z, pixel);
        // Drops send light on more than back.
        let forward = pow(max(dot(to_light, -to_eye), 0.0), 4.0);
        light += illuminance / optics::PI * (0.25 + 0.4 * forward) * smoothstep(-0.05, 0.1, to_light.y);
    }
    var output = vec4(view.exposure * max(water.foam_color, vec3(0.5)) * light, opacity);
#ifdef DISTANCE_FOG
    output = apply_fog(fog, output, world.xyz, view.world_position, pixel);
#endif
#ifdef TONEMAP_IN_SHADER
    output = tone_mapping(output, view.color_grading);
#endif
    return output;
}
