// The classic form, passes 2 and 4 of 5: the inverse transform of every row, in place.
//
// Radix-2 Stockham, one row to a workgroup, two buffers of workgroup memory that take turns: 16 bytes a point, so 1024 points
// are WebGPU's whole 16 KiB and 2048 do not fit. The first stage reads global memory and the last writes it, which
// spares a trip through workgroup memory at either end. Stages are spelled out one by one: their strides are then constants,
// and there is no loop for a runtime check to guard.

override SIZE: u32 = 256u;
override LOG_SIZE: u32 = 8u;
override THREADS: u32 = 128u;

// exp(2 pi i m / SIZE), m < SIZE / 2.
@group(0) @binding(0) var<storage, read> twiddles: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> fields: array<vec2f>;

var<workgroup> exchange: array<vec2f, 2u * SIZE>;

fn times(a: vec2f, b: vec2f) -> vec2f {
    return vec2f(fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x));
}

fn from_memory(row: u32, j: u32) {
    let a = fields[row + j];
    let b = fields[row + j + SIZE / 2u];
    exchange[2u * j] = a + b;
    exchange[2u * j + 1u] = a - b;
}

fn turned(stage: u32, j: u32, value: vec2f) -> vec2f {
    return times(value, twiddles[(j & ((1u << stage) - 1u)) << (LOG_SIZE - 1u - stage)]);
}

fn within(stage: u32, j: u32) {
    let source = ((stage - 1u) & 1u) * SIZE;
    let low = j & ((1u << stage) - 1u);
    let target_index = (stage & 1u) * SIZE + ((j >> stage) << (stage + 1u)) + low;
    let a = exchange[source + j];
    let b = turned(stage, j, exchange[source + j + SIZE / 2u]);
    exchange[target_index] = a + b;
    exchange[target_index + (1u << stage)] = a - b;
}

fn to_memory(row: u32, j: u32) {
    let source = ((LOG_SIZE - 2u) & 1u) * SIZE;
    let a = exchange[source + j];
    let b = turned(LOG_SIZE - 1u, j, exchange[source + j + SIZE / 2u]);
    fields[row + j] = a + b;
    fields[row + j + SIZE / 2u] = a - b;
}

fn run_stage(stage: u32, j: u32) {
    if stage < LOG_SIZE - 1u {
        within(stage, j);
        if SIZE > 2u * THREADS {
            within(stage, j + THREADS);
        }
        workgroupBarrier();
    }
}

@compute @workgroup_size(THREADS)
fn rows(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) j: u32) {
    let row = (group.z * SIZE + group.x) * SIZE;
    from_memory(row, j);
    if SIZE > 2u * THREADS {
        from_memory(row, j + THREADS);
    }
    workgroupBarrier();
    run_stage(1u, j);
    run_stage(2u, j);
    run_stage(3u, j);
    run_stage(4u, j);
    run_stage(5u, j);
    run_stage(6u, j);
    run_stage(7u, j);
    run_stage(8u, j);
    to_memory(row, j);
    if SIZE > 2u * THREADS {
        to_memory(row, j + THREADS);
    }
}
