//! What tests look at: the WGSL as it is compiled, and the transform alone.

use super::engine::Engine;
use super::kernels::{self, COLUMNS_SCRATCH_BINDING, FIELDS_BINDING, Output, ROWS_SCRATCH_BINDING};
use super::pipelines::{Passes, bind};
use super::plan::{Plan, Precision};
use super::resolution::Resolution;
use super::resources::{roots_of_unity, slot};
use super::update::{CascadeUpdate, SLOT_BYTES, Update};
use super::{foam, mips, spectrum_pass};

/// A shader, its entry point, and what its workgroups are said to take.
#[derive(Clone, Debug)]
pub struct Shader {
    pub name: String,
    pub source: String,
    pub entry: &'static str,
    pub invocations: u32,
    pub workgroup_bytes: u32,
}

/// Every shader that this crate compiles.
pub fn shaders() -> Vec<Shader> {
    let mut all = Vec::new();
    for resolution in Resolution::ALL {
        for precision in [Precision::Mixed, Precision::Full] {
            let plan = Plan::of(resolution, precision);
            let [rows, columns] = plan.workgroups();
            let sources = [("rows", kernels::rows(&plan), rows), ("columns", kernels::columns(&plan, Output::Maps), columns)];
            all.extend(sources.map(|(entry, source, (invocations, workgroup_bytes))| Shader {
                name: format!("{entry} {resolution:?} {precision:?}"),
                source,
                entry,
                invocations,
                workgroup_bytes,
            }));
        }
    }
    let other = |name: &str, source, entry, invocations, workgroup_bytes| Shader {
        name: name.to_owned(),
        source,
        entry,
        invocations,
        workgroup_bytes,
    };
    all.push(other("spectrum", spectrum_pass::source(), "amplitudes_of_cascade", 64, 0));
    all.push(other("foam resample", foam::source().to_owned(), "resample_foam", 64, 0));
    all.extend(
        (1..=mips::LEVELS_TOGETHER).map(|levels| other(&format!("mips {levels}"), mips::source(levels), "mips", 256, 4096)),
    );
    all
}

/// Size in bytes of the uniform of an update, and of one cascade in it, as Rust has them.
pub fn update_layout() -> (usize, usize) {
    (size_of::<Update>(), size_of::<CascadeUpdate>())
}

/// The two passes with the eight fields as they come out of them, in f32: what the transform is proven on.
///
/// `amplitudes` are the words of h₀ of one cascade (see `rows.wgsl`); the result is a buffer of f32, `[x][z][field]`, the fields in the order ∂D_x/∂x, ∂D_z/∂z, h, ∂D_x/∂z,
/// ∂h/∂x, ∂h/∂z, D_x, D_z.
pub fn fields(
    engine: &Engine,
    encoder: &mut wgpu::CommandEncoder,
    resolution: Resolution,
    precision: Precision,
    delta_k: [f32; 2],
    phase_step: u32,
    scratch_scale: [f32; 2],
    amplitudes: &wgpu::Buffer,
) -> wgpu::Buffer {
    let device = engine.device();
    let plan = Plan::of(resolution, precision);
    let passes = Passes::new(device, &plan, Output::Fields);
    let buffer = |size, usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("ocean proof"),
            size,
            usage: usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    };
    let n = plan.resolution;
    let result = buffer(u64::from(n) * u64::from(n) * 32, wgpu::BufferUsages::STORAGE);
    let uniform = buffer(SLOT_BYTES, wgpu::BufferUsages::UNIFORM);
    let twiddles = buffer(u64::from(n) * 8, wgpu::BufferUsages::STORAGE);
    let scratch: Vec<_> =
        plan.scratch_parts().iter().map(|part| buffer(part.bytes(&plan, 1), wgpu::BufferUsages::STORAGE)).collect();
    let mut update = Update::default();
    update.cascades[0] = CascadeUpdate { delta_k, phase_step, scratch_scale, ..CascadeUpdate::default() };
    engine.queue().write_buffer(&uniform, 0, bytemuck::bytes_of(&update));
    engine.queue().write_buffer(&twiddles, 0, bytemuck::cast_slice(&roots_of_unity(n)));

    let shared = [(0, slot(&uniform)), (1, twiddles.as_entire_binding())];
    let scratch_from = |first: u32| (first..).zip(scratch.iter().map(wgpu::Buffer::as_entire_binding));
    let mut rows = shared.to_vec();
    rows.push((2, amplitudes.as_entire_binding()));
    rows.extend(scratch_from(ROWS_SCRATCH_BINDING));
    let mut columns = shared.to_vec();
    columns.push((FIELDS_BINDING, result.as_entire_binding()));
    columns.extend(scratch_from(COLUMNS_SCRATCH_BINDING));
    let rows = bind(device, "ocean proof rows", &passes.rows, &rows);
    let columns = bind(device, "ocean proof columns", &passes.columns, &columns);

    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    for (pipeline, bindings, [x, y, z]) in
        [(&passes.rows, &rows, plan.rows_workgroups(1)), (&passes.columns, &columns, plan.columns_workgroups(1))]
    {
        pass.set_pipeline(&pipeline.pipeline);
        pass.set_bind_group(0, bindings, &[0]);
        pass.dispatch_workgroups(x, y, z);
    }
    drop(pass);
    result
}
