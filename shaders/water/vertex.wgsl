// The water's vertices: on the clipmap around the camera that draws, or on the grid around its entity, moved by the sea's displacement.
#define_import_path bevy_ocean::vertex

#import bevy_pbr::mesh_functions::get_tag
#import bevy_pbr::mesh_view_bindings::view
#import bevy_ocean::bindings::water
#import bevy_ocean::clipmap::clipmap_vertex
#import bevy_ocean::maps::displacement_at
#import bevy_ocean::varyings::WaterVarying

// How much of the displacement is drawn at a distance, m: waves that the coarse rings cannot carry would crawl.
fn displacement_fade(distance: f32) -> f32 {
    let faded = min(exp(-(distance - 150.0 * water.stretch) * 0.007 / water.stretch), 1.0);
    if water.mesh_mode == 1u {
        return faded;
    }
    // Flat where the skirt begins.
    return faded * (1.0 - smoothstep(0.8, 1.0 - 4.0 / f32(water.quads), distance / water.half_extent));
}

@vertex
fn vertex(
    @builtin(instance_index) instance: u32,
    @location(0) position: vec3<f32>,
) -> WaterVarying {
    let camera = view.world_position.xz - water.origin;
    var rest: vec2<f32>;
    var spacing = water.quad_size;
    if water.mesh_mode == 0u {
        let placed = clipmap_vertex(position, get_tag(instance), camera, water.quad_size, water.quads, water.rings);
        rest = placed.rel_xz;
        spacing = placed.spacing;
    } else {
        rest = water.grid_center + water.grid_x * position.x + water.grid_z * position.z;
    }

    var displacement = vec3(0.0);
    let from_camera = rest - camera;
    // The fade has to be that of both tiles that meet here, so it is by what they share: the place.
    let distance = length(vec3(from_camera.x, water.level - view.world_position.y, from_camera.y));
    let reach = max(abs(from_camera.x), abs(from_camera.y));
    let fade = displacement_fade(max(distance, select(0.0, reach, water.mesh_mode == 0u)));
    if spacing > 0.0 && fade > 0.0 {
        displacement = fade * displacement_at(rest, spacing);
    }

    // Relative to the camera all the way: world coordinates far from the origin have no digits to spare.
    let relative = vec3(
        from_camera.x + displacement.x,
        water.level - view.world_position.y + displacement.y,
        from_camera.y + displacement.z,
    );
    let rotation = mat3x3<f32>(view.view_from_world[0].xyz, view.view_from_world[1].xyz, view.view_from_world[2].xyz);
    var out: WaterVarying;
    out.position = view.clip_from_view * vec4(rotation * relative, 1.0);
    out.relative = relative;
    out.rest = rest;
    out.height = displacement.y;
    out.lattice = select(position.xz, vec2(position.x, position.z) / water.quad_size, water.mesh_mode == 1u);
    return out;
}
