// The floor: two dispatches that move what an update with f32 scratch cannot avoid moving, and compute next to nothing.
//
//   first    reads  8 B a texel (spectrum)            writes 20 B (scratch)
//   second   reads 24 B a texel (scratch and foam)    writes 20 B (foam and both maps)      72 B together
//
// A thread has four neighbouring texels, so that everything is a vec4f, and all its loads are independent of one another.
// Each buffer is planes of vec4f, whence the threads of a warp touch one contiguous run per load; scratch and maps are spread
// over several buffers because at 2048 x 2048 x 3 one buffer would pass the 128 MiB that a binding may have.

// Groups of four texels: the length of a plane.
override QUADS: u32 = 1024u;

@group(0) @binding(0) var<storage, read> spectrum: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> scratch_a: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> scratch_b: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> scratch_c: array<vec4f>;

@compute @workgroup_size(256)
fn first(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = spectrum[i];
    let q = spectrum[i + QUADS];
    scratch_a[i] = p;
    scratch_a[i + QUADS] = q;
    scratch_b[i] = p + q;
    scratch_b[i + QUADS] = p - q;
    scratch_c[i] = 0.5 * p;
}

@group(0) @binding(4) var<storage, read> from_a: array<vec4f>;
@group(0) @binding(5) var<storage, read> from_b: array<vec4f>;
@group(0) @binding(6) var<storage, read> from_c: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> foam: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> map_a: array<vec4f>;
@group(0) @binding(9) var<storage, read_write> map_b: array<vec4f>;

@compute @workgroup_size(256)
fn second(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = from_a[i];
    let q = from_a[i + QUADS];
    let r = from_b[i];
    let s = from_b[i + QUADS];
    let t = from_c[i];
    let whiteness = 0.5 * (foam[i] + t);
    foam[i] = whiteness;
    map_a[i] = p + whiteness;
    map_a[i + QUADS] = q + whiteness;
    map_b[i] = r + whiteness;
    map_b[i + QUADS] = s + whiteness;
}

@group(0) @binding(10) var<storage, read_write> unfilled: array<vec4f>;

// Zeros are what memory moves most cheaply, so the spectrum is filled with values that no two neighbours share.
@compute @workgroup_size(256)
fn fill(@builtin(global_invocation_id) id: vec3u) {
    let bits = (vec4u(id.x) * vec4u(747796405u) + vec4u(1u, 2u, 3u, 4u)) * vec4u(2891336453u, 2654435761u, 2246822519u, 3266489917u);
    unfilled[id.x] = vec4f(bits >> vec4u(8u)) * 0x1p-24;
    unfilled[id.x + QUADS] = vec4f((bits ^ (bits << vec4u(13u))) >> vec4u(8u)) * 0x1p-24;
}
