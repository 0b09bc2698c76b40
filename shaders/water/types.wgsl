// What the CPU tells the water's shaders, once a frame and surface. `uniform.rs` in the crate is the other side; a test compares the two, member by member.
#define_import_path bevy_ocean::types

struct WaterCascade {
    // 1 / tile length along x and z.
    inverse_tile: vec2<f32>,
    // Where `Water.origin` lies in the tile, in tiles, with the current's drift taken off and half a texel added.
    phase: vec2<f32>,
    displacement_scale: f32,
    normal_scale: f32,
    // The longer edge of a texel, m.
    texel: f32,
    // Standard deviation of the drawn height of this cascade alone, m.
    deviation: f32,
}

struct Water {
    cascades: array<WaterCascade, 8>,
    // Linear colours.
    water_color: vec3<f32>,
    roughness: f32,
    foam_color: vec3<f32>,
    normal_strength: f32,
    // 1/m.
    extinction: vec3<f32>,
    // Height of the undisturbed surface, world y.
    level: f32,
    // A point near the main camera, world x and z. Positions in these shaders are relative to it, so that they keep their digits far from the world's origin.
    origin: vec2<f32>,
    // Distance from the middle to the edge of what is drawn, m.
    half_extent: f32,
    // How far the fade distances are stretched: 1 to 3.
    stretch: f32,
    // Grid mode: the entity's place relative to `origin`, and its local x and z axes.
    grid_center: vec2<f32>,
    grid_x: vec2<f32>,
    grid_z: vec2<f32>,
    // Where `origin` lies on the water's foam, m: the current's drift is taken off, and whole periods of the foam's noise.
    foam_origin: vec2<f32>,
    // From the update before last (0) to the last (1).
    blend: f32,
    // Which of the two sets of maps is the last update's.
    latest: u32,
    cascade_count: u32,
    resolution: f32,
    // Edge of the finest quad, m (of every quad, in grid mode).
    quad_size: f32,
    quads: u32,
    rings: u32,
    // 0 clipmap, 1 grid.
    mesh_mode: u32,
    // 1 draws the triangles' edges.
    lines: u32,
    // Standard deviation of the drawn height, m.
    deviation: f32,
    // For what moves on its own in the foam: the share that has passed of the time after which all of it is where it was.
    foam_turn: f32,
    // Depth of the water where nothing shows its bed, m.
    sea_depth: f32,
}
