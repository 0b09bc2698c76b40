// Spray, in two dispatches a frame: which waves break near the camera, and where each droplet is.
//
// `find` looks at the sea around the camera, densest near it, and writes down the places where a wave is breaking. `fly` moves what flies, and lets what is free be thrown from one
// of these places: so droplets come from crests, and none is thrown away for having been tried where nothing breaks.
#define_import_path bevy_ocean::spray

#import bevy_ocean::bindings::water
#import bevy_ocean::foam::hash
#import bevy_ocean::maps::{load_surface_level, displacement_at, displacement_change_at}
#import bevy_ocean::spray_types::{Droplet, Spray}

const GRAVITY: f32 = 9.81;
// Places that are written down, at most; the crate makes the buffer for as many.
const MOST_CRESTS: u32 = 1024u;
// Steps through the cells of the square that is searched, and how far it is from one frame's first to the next's: neither has a divisor in common with their number.
const STRIDE: u32 = 7919u;
const FRAME_STRIDE: u32 = 5003u;
// Waves shorter than this break without throwing anything, m.
const SHORTEST: f32 = 0.4;
// How fast a droplet takes on the air's velocity, 1/s.
const AIR_DRAG: f32 = 1.4;

struct Crests {
    found: atomic<u32>,
    thrown: atomic<u32>,
    // x and z of the water at rest, from the origin; how hard it breaks; nothing.
    places: array<vec4<f32>>,
}

@group(1) @binding(0) var<uniform> spray: Spray;
@group(1) @binding(1) var<storage, read_write> droplets: array<Droplet>;
@group(1) @binding(2) var<storage, read_write> crests: Crests;

fn chances(index: u32, salt: u32) -> vec2<f32> {
    return hash(vec2<i32>(vec2(index, spray.frame * 16u + salt)));
}

// How far the sea is past breaking at a place: 0 where it is not.
fn breaking(rest: vec2<f32>) -> f32 {
    var sum = 0.0;
    for (var cascade = 0u; cascade < water.cascade_count; cascade++) {
        let limit = spray.breaks_below[cascade / 4u][cascade % 4u];
        if limit > -1e8 {
            let its = water.cascades[cascade];
            let level = log2(max(SHORTEST / its.texel, 1.0));
            let surface = load_surface_level(rest * its.inverse_tile + its.phase, cascade, level);
            // Where foam grows, the water is breaking; and it is the front of the wave that throws, which is steep.
            let steep = smoothstep(0.08, 0.3, length(surface.xy));
            sum += max(limit - surface.z, 0.0) * steep;
        }
    }
    return sum;
}

@compute @workgroup_size(8, 8)
fn find(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let edge = groups.x * 8u;
    let index = (workgroup.y * groups.x + workgroup.x) * 64u + local;
    // In a storm more is found than can be written down, and a GPU begins with the first. So the first are scattered over the whole square, in another way each frame.
    let shuffled = (index * STRIDE + spray.frame * FRAME_STRIDE) % (edge * edge);
    let place_of_cell = vec2<f32>(vec2(shuffled % edge, shuffled / edge));
    let cell = (place_of_cell + chances(index, 1u)) / f32(edge) * 2.0 - 1.0;
    // Twice as near, four times as dense.
    let rest = spray.camera + spray.reach * cell * abs(cell);
    let strength = breaking(rest);
    if strength > 0.02 {
        let place = atomicAdd(&crests.found, 1u);
        if place < MOST_CRESTS {
            crests.places[place] = vec4(rest, strength, 0.0);
        }
    }
}

// A droplet that is thrown from one of the crests.
fn launch(index: u32, found: u32) -> Droplet {
    let which = chances(index, 2u);
    let crest = crests.places[min(u32(which.x * f32(found)), found - 1u)];
    let scatter = chances(index, 3u) - 0.5;
    let rest = crest.xy + 0.6 * scatter;
    let now = displacement_at(rest, 0.3);
    var surface_velocity = vec3(0.0);
    if spray.update_seconds > 0.0 {
        surface_velocity = displacement_change_at(rest, 0.3) / spray.update_seconds;
        // Maps that were made anew have nothing to do with those before.
        if length(surface_velocity) > 15.0 {
            surface_velocity = vec3(0.0);
        }
    }
    // The maps move with the water that the current carries.
    surface_velocity += vec3(spray.current.x, 0.0, spray.current.y);
    let vigour = clamp(1.7 * sqrt(water.deviation), 0.3, 2.6) * (0.5 + clamp(crest.z, 0.0, 1.0));
    let up = chances(index, 4u);
    let side = chances(index, 5u) - 0.5;
    let thrown = vec3(side.x, 0.35 + 1.25 * up.x * up.x, side.y) * vigour;
    var droplet: Droplet;
    droplet.position = vec3(water.origin.x + rest.x + now.x, water.level + now.y + 0.03, water.origin.y + rest.y + now.z);
    droplet.velocity = surface_velocity * 1.05 + thrown + 0.12 * vec3(spray.wind.x, 0.0, spray.wind.y);
    droplet.age = 0.0;
    droplet.life = 0.5 + 1.1 * up.y;
    return droplet;
}

// Whether the water has closed over a droplet.
fn is_drowned(position: vec3<f32>) -> bool {
    let rest = position.xz - water.origin;
    // One step towards where that water came from is enough for what is a splash.
    let first = displacement_at(rest, 0.5);
    let there = displacement_at(rest - first.xz, 0.5);
    return position.y < water.level + there.y - 0.05;
}

@compute @workgroup_size(64)
fn fly(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index >= spray.count {
        return;
    }
    var droplet = droplets[index];
    if droplet.age < droplet.life {
        let air = 0.6 * vec3(spray.wind.x, 0.0, spray.wind.y);
        droplet.velocity += (vec3(0.0, -GRAVITY, 0.0) + AIR_DRAG * (air - droplet.velocity)) * spray.seconds;
        droplet.position += droplet.velocity * spray.seconds;
        droplet.age += spray.seconds;
        if droplet.velocity.y < 0.0 && is_drowned(droplet.position) {
            droplet.life = 0.0;
        }
        droplets[index] = droplet;
        return;
    }
    let found = min(atomicLoad(&crests.found), MOST_CRESTS);
    if found == 0u || atomicAdd(&crests.thrown, 1u) >= min(spray.births, found * 8u) {
        return;
    }
    droplets[index] = launch(index, found);
}
