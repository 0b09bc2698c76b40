// What the spray is made of. `spray/` in the crate is the other side; a test compares the two, member by member.
#define_import_path bevy_ocean::spray_types

struct Droplet {
    // World position, m.
    position: vec3<f32>,
    // Seconds since it was thrown.
    age: f32,
    // m/s.
    velocity: vec3<f32>,
    // Seconds that it lives; 0 is a place that is free.
    life: f32,
}

struct Spray {
    // Per cascade: below this Jacobian a wave breaks; −1e9 for a cascade that makes no foam or is not drawn.
    breaks_below: array<vec4<f32>, 2>,
    // The wind over the water, m/s along x and z.
    wind: vec2<f32>,
    // The main camera, x and z from `Water.origin`.
    camera: vec2<f32>,
    // What carries the water, m/s along x and z.
    current: vec2<f32>,
    // How far from it spray is made, m.
    reach: f32,
    // Seconds of sea in this frame.
    seconds: f32,
    // Seconds between the two sets of maps; 0 where there is only one.
    update_seconds: f32,
    // Droplets that may be thrown in this frame.
    births: u32,
    // Droplets there are.
    count: u32,
    // Another number each frame.
    frame: u32,
}
