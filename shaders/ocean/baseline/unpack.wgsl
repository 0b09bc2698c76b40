// The classic form, pass 5 of 5: the Jacobian, the foam, and both maps.

override SIZE: u32 = 256u;

// As in modulate.wgsl.
struct Cascade {
    tile: vec2f,
    depth: f32,
    time: f32,
    threshold: f32,
    remains: f32,
    gain: f32,
    padding: f32,
}

@group(0) @binding(0) var<uniform> cascades: array<Cascade, 8>;
@group(0) @binding(1) var<storage, read> fields: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> foam: array<f32>;
// (D_x, h, D_z, s_x^2 + s_z^2) and (s_x, s_z, J, foam).
@group(0) @binding(3) var displacements: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(4) var derivatives: texture_storage_2d_array<rgba16float, write>;

// Square groups, so that 32 neighbouring threads cover two rows: texture stores from one row alone are far slower.
@compute @workgroup_size(16, 16)
fn unpack(@builtin(global_invocation_id) id: vec3u) {
    let area = SIZE * SIZE;
    let texel = id.y * SIZE + id.x;
    let first = id.z * 4u * area + texel;
    let displacement = fields[first];
    let height_and_shear = fields[first + area];
    let slope = fields[first + 2u * area];
    let stretch = fields[first + 3u * area];

    let shear = height_and_shear.y;
    let jacobian = (1.0 + stretch.x) * (1.0 + stretch.y) - shear * shear;
    let cascade = cascades[id.z];
    let breaking = max(0.0, cascade.threshold - jacobian);
    let whiteness = clamp(foam[id.z * area + texel] * cascade.remains + breaking * cascade.gain, 0.0, 1.0);
    foam[id.z * area + texel] = whiteness;

    textureStore(displacements, id.xy, id.z, vec4f(displacement.x, height_and_shear.x, displacement.y, dot(slope, slope)));
    textureStore(derivatives, id.xy, id.z, vec4f(slope, jacobian, whiteness));
}
