//! Functions of the shaders, called on a GPU (a software one will do): what cannot be seen in the text.

use super::SHADERS;

const HARNESS: &str = "
@group(0) @binding(0) var<storage, read> inputs: array<mat3x4<f32>>;
@group(0) @binding(1) var<storage, read_write> outputs: array<vec4<f32>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&inputs) {
        outputs[id.x] = call(inputs[id.x]);
    }
}
";

/// Calls `fn call(input: mat3x4<f32>) -> vec4<f32>`, written with the functions of a module that imports nothing.
fn call(module: &str, function: &str, inputs: &[[[f32; 4]; 3]]) -> Vec<[f32; 4]> {
    let shader = SHADERS.iter().find(|shader| shader.name == module).expect("it is embedded");
    let own = shader.source.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
        .expect("this test needs a GPU adapter; without a GPU, on Debian: apt-get install mesa-vulkan-drivers");
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))
        .expect("every adapter gives a device at WebGPU's default limits");
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(module),
        layout: None,
        module: &device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(module),
            source: wgpu::ShaderSource::Wgsl((own + function + HARNESS).into()),
        }),
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let buffer = |size: u64, usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let size = 16 * inputs.len() as u64;
    let given = buffer(3 * size, wgpu::BufferUsages::STORAGE);
    let made = buffer(size, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let staging = buffer(size, wgpu::BufferUsages::MAP_READ);
    queue.write_buffer(&given, 0, bytemuck::cast_slice(inputs));
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: given.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: made.as_entire_binding() },
        ],
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups((inputs.len() as u32).div_ceil(64), 1, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(&made, 0, &staging, 0, size);
    queue.submit([encoder.finish()]);
    staging.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("it maps"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device lives");
    bytemuck::pod_collect_to_vec(&staging.slice(..).get_mapped_range())
}

/// The foam's pattern for a place, a pixel's width and a moment: near, middling and far.
fn pattern(places: impl Iterator<Item = ([f32; 2], f32)>) -> Vec<[f32; 4]> {
    let function = "
fn call(input: mat3x4<f32>) -> vec4<f32> {
    let place = input[0].xy;
    let turn = input[0].z;
    return vec4(coverage(1.1, place, 0.01, turn), coverage(1.1, place, 0.2, turn), coverage(1.1, place, 0.8, turn), 0.0);
}
";
    let inputs: Vec<_> = places.map(|([x, z], turn)| [[x, z, turn, 0.0], [0.0; 4], [0.0; 4]]).collect();
    call("foam.wgsl", function, &inputs)
}

fn furthest_apart(a: &[[f32; 4]], b: &[[f32; 4]]) -> f32 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn the_foams_pattern_repeats_in_space_and_time() {
    // Places that f32 holds exactly a few periods away, too; some of them on the seams.
    let places: Vec<[f32; 2]> = (0..2000)
        .map(|index| {
            let random = |salt: u32| (ocean::noise::pcg3d([index, salt, 5])[0] >> 14) as f32 / 1024.0;
            if index % 20 == 0 { [0.0, random(2)] } else { [random(1), random(2)] }
        })
        .collect();
    let at = |[dx, dz]: [f32; 2], turn: f32| pattern(places.iter().map(move |[x, z]| ([x + dx, z + dz], turn)));
    let here = at([0.0, 0.0], 0.3);
    for (shown, range) in [(0, 0.2), (1, 0.2), (2, 0.05)] {
        let values: Vec<f32> = here.iter().map(|values| values[shown]).collect();
        let (low, high) = values.iter().fold((f32::MAX, f32::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
        assert!(high - low > range, "there is no pattern: {low} to {high}");
    }
    for shift in [[256.0, 0.0], [0.0, 256.0], [-512.0, 256.0], [1024.0, -768.0]] {
        let apart = furthest_apart(&here, &at(shift, 0.3));
        assert!(apart < 5e-3, "{shift:?} m away it differs by {apart}");
    }
    // A seam would be seen on one side of it.
    let apart = furthest_apart(&at([-1.0 / 1024.0, 0.0], 0.3), &here);
    assert!(apart < 0.1, "a millimetre further it differs by {apart}");
    let apart = furthest_apart(&at([0.0, 0.0], 0.0), &at([0.0, 0.0], 1.0));
    assert!(apart < 5e-3, "after its time it differs by {apart}");
    let apart = furthest_apart(&at([0.0, 0.0], 0.0), &at([0.0, 0.0], 0.001));
    assert!(apart > 0.1, "it moves: {apart}");
}

#[test]
fn foam_hugs_what_the_water_meets_and_leaves_what_is_under_it() {
    let function = "
fn call(input: mat3x4<f32>) -> vec4<f32> {
    let distance = contact_distance(input[0].xyz, input[1].xyz, input[2].xyz);
    return vec4(distance, contact_foam(distance, 0.0), contact_foam(distance, 0.5), 0.0);
}
";
    // From the water to what is behind it, and its plane: a bed, a wall across the view, and nothing that is known.
    let bed = |depth: f32| [[3.0 * depth, -depth, 0.0, 0.0], [0.0, 0.0, 0.02, 0.0], [0.03, 0.0, 0.0, 0.0]];
    let wall = |off: f32| [[off, -1.7 * off, 0.0, 0.0], [0.0, 0.0, 0.02, 0.0], [0.0, -0.03, 0.0, 0.0]];
    let unknown = |depth: f32| [[3.0 * depth, -depth, 0.0, 0.0], [0.0; 4], [0.0; 4]];
    // A rope, whose neighbours are far behind: the plane through them has the view in it.
    let edge_on = [[1.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.02, 0.0], [5.0, -5.0, 0.0, 0.0]];
    let inputs = [bed(0.04), bed(0.3), wall(0.04), wall(0.3), unknown(0.3), edge_on, [[0.0; 4]; 3], bed(1e4)];
    let [shallows, hull, side, far_side, guessed, rope, touching, deep] =
        call("optics.wgsl", function, &inputs).try_into().expect("as many");
    let about = |[distance, ..]: [f32; 4], expected: f32| {
        assert!((distance - expected).abs() < 0.01 * expected + 1e-6, "{distance}, not {expected}")
    };
    about(shallows, 0.04);
    about(hull, 0.3);
    about(side, 0.04);
    about(far_side, 0.3);
    about(guessed, 0.3);
    about(rope, 1.0);
    about(touching, 0.0);
    about(deep, 1e4);
    assert_eq!((touching[1], touching[2]), (1.0, 1.0));
    for near in [shallows, side] {
        assert!(near[1] < 0.2 && near[2] > 0.6, "a line on a pond, and a wider one in a sea: {near:?}");
    }
    for under in [hull, far_side, rope, deep] {
        assert_eq!((under[1], under[2]), (0.0, 0.0), "what is 30 cm under the water is seen, not white: {under:?}");
    }
}
