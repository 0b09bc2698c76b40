// What goes from the vertices to the pixels.
#define_import_path bevy_ocean::varyings

struct WaterVarying {
    @builtin(position) position: vec4<f32>,
    // Where the water is, from the camera, along the world's axes, m.
    @location(0) relative: vec3<f32>,
    // Where it rests, x and z from the origin, m.
    @location(1) rest: vec2<f32>,
    // How far it is above the level, m.
    @location(2) height: f32,
    // Place on the tile's lattice, in quads: for drawing lines.
    @location(3) lattice: vec2<f32>,
}
