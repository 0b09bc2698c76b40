// The classic form, pass 3 of 5: every plane transposed, in tiles, so that both the reads and the writes are contiguous.

override SIZE: u32 = 256u;

@group(0) @binding(0) var<storage, read> source: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> transposed: array<vec2f>;

// A column more than the tile has, so that reading down a column meets a different bank at each step.
var<workgroup> tile: array<vec2f, 32 * 33>;

fn pick_up(plane: u32, corner: vec2u, local: vec2u) {
    tile[local.y * 33u + local.x] = source[plane + (corner.y + local.y) * SIZE + corner.x + local.x];
}

fn put_down(plane: u32, corner: vec2u, local: vec2u) {
    transposed[plane + (corner.x + local.y) * SIZE + corner.y + local.x] = tile[local.x * 33u + local.y];
}

@compute @workgroup_size(32, 8)
fn transpose_planes(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
    let plane = group.z * SIZE * SIZE;
    let corner = group.xy * 32u;
    pick_up(plane, corner, local.xy);
    pick_up(plane, corner, local.xy + vec2u(0u, 8u));
    pick_up(plane, corner, local.xy + vec2u(0u, 16u));
    pick_up(plane, corner, local.xy + vec2u(0u, 24u));
    workgroupBarrier();
    put_down(plane, corner, local.xy);
    put_down(plane, corner, local.xy + vec2u(0u, 8u));
    put_down(plane, corner, local.xy + vec2u(0u, 16u));
    put_down(plane, corner, local.xy + vec2u(0u, 24u));
}
