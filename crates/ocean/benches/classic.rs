//! Baseline (a): an FFT ocean in the form in which it is usually written, and as well as that form can be written.
//!
//! Five dispatches: modulate, rows, transpose, rows, unpack, over complex f32 planes in global memory. All cascades and all
//! fields of a pass go in one dispatch, eight real fields are packed into four complex ones, spectra lie in an order that needs
//! no centring and no second transpose, reads and writes are contiguous, and the kernels carry no loops. What it cannot shed is
//! the form: each point crosses global memory ten times and workgroup memory once per radix-2 stage, and a line needs 16 bytes
//! a point there, which ends at 1024.

use crate::contestant::{Dispatch, Entry, Recorded, Role};
use crate::gpu::{Gpu, RuntimeChecks};
use crate::sea::Sea;

const MODULATE: &str = include_str!("../../../shaders/ocean/baseline/modulate.wgsl");
const ROWS: &str = include_str!("../../../shaders/ocean/baseline/rows.wgsl");
const TRANSPOSE: &str = include_str!("../../../shaders/ocean/baseline/transpose.wgsl");
const UNPACK: &str = include_str!("../../../shaders/ocean/baseline/unpack.wgsl");

/// Complex planes a cascade.
const FIELDS: u32 = 4;
/// Modulate 16 + 32, rows 32 + 32, transpose 32 + 32, rows 32 + 32, unpack 32 + 4 + 4 + 16.
const BYTES_PER_TEXEL: f64 = 296.0;

/// The pipelines and resources of the classic form.
pub struct Classic {
    pub contestant: Recorded,
    /// (D_x, h, D_z, s_x² + s_z²) and (s_x, s_z, J, foam), a layer a cascade.
    pub maps: [wgpu::Texture; 2],
}

/// The row of the table.
pub fn name(checks: RuntimeChecks) -> &'static str {
    match checks {
        RuntimeChecks::On => "classic form",
        RuntimeChecks::Off => "classic form, no runtime checks",
    }
}

/// Its entry in the race.
pub fn entry(gpu: &Gpu, size: u32, cascades: u32, checks: RuntimeChecks) -> Entry {
    match beyond_limits(&gpu.device.limits(), size, cascades) {
        Some(reason) => Entry::Unable { name: name(checks).into(), role: Role::Classic, reason },
        None => Entry::Ready(Role::Classic, Box::new(build(gpu, &Sea::new(size, cascades), checks).contestant)),
    }
}

/// Which of the device's limits the form would pass, if one. wgpu does not check workgroup memory; browsers do.
pub fn beyond_limits(limits: &wgpu::Limits, size: u32, cascades: u32) -> Option<String> {
    let line = 16 * size;
    if line > limits.max_compute_workgroup_storage_size {
        let most = limits.max_compute_workgroup_storage_size;
        return Some(format!("a line needs {line} bytes of workgroup memory, of which a group may have {most}"));
    }
    let binding = plane_bytes(size) * u64::from(FIELDS * cascades);
    let most = limits.max_storage_buffer_binding_size;
    (binding > most).then(|| format!("the fields of all cascades are {binding} bytes, of which a binding may have {most}"))
}

fn plane_bytes(size: u32) -> u64 {
    u64::from(size).pow(2) * 8
}

/// Builds it. The caller has asked [`beyond_limits`].
pub fn build(gpu: &Gpu, sea: &Sea, checks: RuntimeChecks) -> Classic {
    let (size, planes) = (sea.size, FIELDS * sea.cascades);
    let fields_bytes = plane_bytes(size) * u64::from(planes);
    let fields = gpu.storage("fields", fields_bytes);
    let transposed = gpu.storage("fields transposed", fields_bytes);
    let foam = gpu.storage("foam", plane_bytes(size) / 2 * u64::from(sea.cascades));
    let spectrum = gpu.filled("spectrum", wgpu::BufferUsages::STORAGE, bytemuck::cast_slice(&sea.spectrum));
    let twiddles = gpu.filled("twiddles", wgpu::BufferUsages::STORAGE, bytemuck::cast_slice(&twiddles(size)));
    let cascades = gpu.filled("cascades", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&sea.parameters));
    let maps = ["displacements", "derivatives"].map(|label| map(gpu, sea, label));
    // Said outright, because the default view of a single layer is no array.
    let layers = wgpu::TextureViewDescriptor { dimension: Some(wgpu::TextureViewDimension::D2Array), ..Default::default() };
    let views = maps.each_ref().map(|map| map.create_view(&layers));

    let threads = (size / 2).min(256);
    let n = f64::from(size);
    let modulate = gpu.pipeline(MODULATE, "modulate", &[("SIZE", n)], checks);
    let line = [("SIZE", n), ("LOG_SIZE", f64::from(size.ilog2())), ("THREADS", f64::from(threads))];
    let rows = gpu.pipeline(ROWS, "rows", &line, checks);
    let transpose = gpu.pipeline(TRANSPOSE, "transpose_planes", &[("SIZE", n)], checks);
    let unpack = gpu.pipeline(UNPACK, "unpack", &[("SIZE", n)], checks);

    let [fields, transposed, foam] = [&fields, &transposed, &foam].map(wgpu::Buffer::as_entire_binding);
    let [spectrum, twiddles, cascades] = [&spectrum, &twiddles, &cascades].map(wgpu::Buffer::as_entire_binding);
    let [displacements, derivatives] = views.each_ref().map(wgpu::BindingResource::TextureView);
    let dispatches = vec![
        Dispatch::new(
            gpu,
            "modulate",
            &modulate,
            0,
            &[cascades.clone(), spectrum, fields.clone()],
            [size * size / 256, 1, sea.cascades],
        ),
        Dispatch::new(gpu, "rows along z", &rows, 0, &[twiddles.clone(), fields.clone()], [size, 1, planes]),
        Dispatch::new(gpu, "transpose", &transpose, 0, &[fields, transposed.clone()], [size / 32, size / 32, planes]),
        Dispatch::new(gpu, "rows along x", &rows, 0, &[twiddles, transposed.clone()], [size, 1, planes]),
        Dispatch::new(
            gpu,
            "unpack",
            &unpack,
            0,
            &[cascades, transposed, foam, displacements, derivatives],
            [size / 16, size / 16, sea.cascades],
        ),
    ];
    Classic { contestant: Recorded::new(name(checks), BYTES_PER_TEXEL, dispatches), maps }
}

fn map(gpu: &Gpu, sea: &Sea, label: &str) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: sea.size, height: sea.size, depth_or_array_layers: sea.cascades },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

fn twiddles(size: u32) -> Vec<[f32; 2]> {
    let turn = |m| (std::f64::consts::TAU * f64::from(m) / f64::from(size)).sin_cos();
    (0..size / 2).map(turn).map(|(sin, cos)| [cos as f32, sin as f32]).collect()
}
