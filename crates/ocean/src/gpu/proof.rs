//! What tests look at: the WGSL as it is compiled, the transform alone, and a whole update for whoever runs it elsewhere.

mod program;

use super::engine::Engine;
use super::foam::Resample;
use super::kernels::{self, COLUMNS_SCRATCH_BINDING, FIELDS_BINDING, Output, ROWS_SCRATCH_BINDING};
use super::pipelines::{Passes, bind};
use super::plan::{Plan, Precision};
use super::resolution::Resolution;
use super::resources::{roots_of_unity, slot};
use super::spectrum_pass::SpectrumParameters;
use super::update::{CascadeUpdate, SLOT_BYTES, Update};
use super::{foam, mips, spectrum_pass};

pub use super::pipelines::Slot;
pub use program::{Buffer, Dispatch, Program, Resource, Stage};

/// A shader, its entry point, and what its workgroups are said to take.
#[derive(Clone, Debug)]
pub struct Shader {
    /// For messages.
    pub name: String,
    /// The WGSL, whole.
    pub source: String,
    /// The entry point.
    pub entry: &'static str,
    /// Invocations a workgroup.
    pub invocations: u32,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// What is bound, from binding 0 without a gap.
    pub slots: Vec<Slot>,
}

/// Every shader that this crate compiles.
pub fn shaders() -> Vec<Shader> {
    let mut all = Vec::new();
    for resolution in Resolution::ALL {
        for precision in [Precision::Mixed, Precision::Full] {
            all.extend(pass_shaders(resolution, precision));
        }
    }
    all.push(spectrum_shader());
    all.push(Shader {
        name: "foam resample".to_owned(),
        source: foam::source().to_owned(),
        entry: "resample_foam",
        invocations: 64,
        workgroup_bytes: 0,
        slots: vec![Slot::Uniform(size_of::<Resample>() as u64), Slot::Read, Slot::ReadWrite],
    });
    all.extend((1..=mips::LEVELS_TOGETHER).map(mips_shader));
    all
}

/// Rows and columns, with the layouts of [`Passes`].
fn pass_shaders(resolution: Resolution, precision: Precision) -> [Shader; 2] {
    let plan = Plan::of(resolution, precision);
    let update = Slot::DynamicUniform(size_of::<Update>() as u64);
    let parts = plan.scratch_parts().len();
    let rows = [&[update, Slot::Read, Slot::Read][..], &vec![Slot::ReadWrite; parts]].concat();
    let columns = [&[update, Slot::Read, Slot::ReadWrite, Slot::Store, Slot::Store][..], &vec![Slot::Read; parts]].concat();
    let [rows_workgroup, columns_workgroup] = plan.workgroups();
    [
        ("rows", kernels::rows(&plan), rows_workgroup, rows),
        ("columns", kernels::columns(&plan, Output::Maps), columns_workgroup, columns),
    ]
    .map(|(entry, source, (invocations, workgroup_bytes), slots)| Shader {
        name: format!("{entry} {resolution:?} {precision:?}"),
        source,
        entry,
        invocations,
        workgroup_bytes,
        slots,
    })
}

fn spectrum_shader() -> Shader {
    Shader {
        name: "spectrum".to_owned(),
        source: spectrum_pass::source(),
        entry: "amplitudes_of_cascade",
        invocations: spectrum_pass::WORKGROUP,
        workgroup_bytes: 0,
        slots: vec![Slot::Uniform(size_of::<SpectrumParameters>() as u64), Slot::Read, Slot::ReadWrite],
    }
}

fn mips_shader(levels: u32) -> Shader {
    Shader {
        name: format!("mips {levels}"),
        source: mips::source(levels),
        entry: "mips",
        invocations: 256,
        workgroup_bytes: mips::WORKGROUP_BYTES,
        slots: [&[Slot::Texture; 2][..], &vec![Slot::Store; 2 * levels as usize]].concat(),
    }
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
