// The material's bind group, as `material.rs` lays it out.
#define_import_path bevy_ocean::bindings

#import bevy_ocean::types::Water

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> water: Water;
// Two sets of maps, layer = cascade. Map 0 is (D_x, h, D_z, 256 |s|²), map 1 is (s_x, s_z, J, foam).
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var displacement_a: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var surface_a: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var displacement_b: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var surface_b: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(5) var map_sampler: sampler;
