//! The spray's half on the GPU: one set of buffers a surface that has spray, and two dispatches a frame.

use super::timing::{GpuTimer, Section};
use super::{ExtractedWater, Oceans};
use crate::spray::{DROPLET_BYTES, SIMULATION_SHADER, SprayUniform};
use crate::uniform::WaterUniform;
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::{sampler, storage_buffer_sized, texture_2d_array, uniform_buffer};
use bevy::render::render_resource::encase::UniformBuffer;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntry, BindGroupLayoutDescriptor, BindGroupLayoutEntries, Buffer, CachedComputePipelineId,
    ComputePipelineDescriptor, PipelineCache, SamplerBindingType, ShaderStages, ShaderType, TextureSampleType,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::shader::ShaderDefVal;

/// As `MOST_CRESTS` in `spray.wgsl`.
const MOST_CRESTS: u64 = 1024;
/// The two counters, padded to what a place is aligned to, and the places.
const CRESTS_BYTES: u64 = 16 + MOST_CRESTS * 16;

/// Workgroups of 8 × 8 along an edge of the square that is searched for breaking waves.
const SEARCH: u32 = 14;
/// Droplets of a workgroup.
const DROPLETS: u32 = 64;

/// The pipelines, for all surfaces.
#[derive(Resource)]
pub struct SprayPipelines {
    water: BindGroupLayoutDescriptor,
    spray: BindGroupLayoutDescriptor,
    find: CachedComputePipelineId,
    fly: CachedComputePipelineId,
}

impl SprayPipelines {
    pub fn new(cache: &PipelineCache) -> Self {
        let map = || texture_2d_array(TextureSampleType::Float { filterable: true });
        let water = BindGroupLayoutDescriptor::new(
            "water, for its spray",
            &BindGroupLayoutEntries::sequential(
                ShaderStages::COMPUTE,
                (uniform_buffer::<WaterUniform>(false), map(), map(), map(), map(), sampler(SamplerBindingType::Filtering)),
            ),
        );
        let spray = BindGroupLayoutDescriptor::new(
            "spray",
            &BindGroupLayoutEntries::sequential(
                ShaderStages::COMPUTE,
                (uniform_buffer::<SprayUniform>(false), storage_buffer_sized(false, None), storage_buffer_sized(false, None)),
            ),
        );
        let pipeline = |entry_point: &'static str| {
            cache.queue_compute_pipeline(ComputePipelineDescriptor {
                label: Some(format!("spray: {entry_point}").into()),
                layout: vec![water.clone(), spray.clone()],
                shader: SIMULATION_SHADER,
                // What the water's material has its bindings in is group 0 here.
                shader_defs: vec![ShaderDefVal::UInt("MATERIAL_BIND_GROUP".into(), 0)],
                entry_point: Some(entry_point.into()),
                ..default()
            })
        };
        let (find, fly) = (pipeline("find"), pipeline("fly"));
        Self { water, spray, find, fly }
    }
}

/// The spray of one surface.
pub struct RenderSpray {
    pub count: u32,
    uniform: Buffer,
    pub droplets: Buffer,
    crests: Buffer,
    /// The groups, and the maps that the first of them names.
    groups: Option<([BindGroup; 2], super::ocean::Maps)>,
}

impl RenderSpray {
    pub fn new(device: &RenderDevice, count: u32) -> Self {
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        Self {
            count,
            uniform: buffer(
                "spray",
                SprayUniform::min_size().get(),
                wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            ),
            // Zeroed by wgpu: all places are free.
            droplets: buffer("droplets", u64::from(count) * DROPLET_BYTES, storage),
            crests: buffer("crests", CRESTS_BYTES, storage),
            groups: None,
        }
    }

    /// Bytes on the GPU.
    pub fn bytes(&self) -> u64 {
        self.uniform.size() + self.droplets.size() + self.crests.size()
    }
}

/// Records the spray of all surfaces.
pub fn encode(
    oceans: &mut Oceans,
    waters: &[ExtractedWater],
    pipelines: &SprayPipelines,
    cache: &PipelineCache,
    queue: &RenderQueue,
    timer: &mut GpuTimer,
    encoder: &mut wgpu::CommandEncoder,
) {
    let (Some(find), Some(fly)) = (cache.get_compute_pipeline(pipelines.find), cache.get_compute_pipeline(pipelines.fly))
    else {
        return;
    };
    let mut groups = Vec::new();
    for water in waters {
        let Some(told) = water.spray.filter(|told| told.seconds > 0.0) else { continue };
        let Some((ocean, device, sampler)) = oceans.with_spray(water.surface) else { continue };
        let (maps, views) = ocean.named_maps();
        let water_uniform = ocean.uniform_buffer().clone();
        // Maps that are not filled yet are no moment to count a speed from.
        let told = if ocean.has_previous() { told } else { SprayUniform { update_seconds: 0.0, ..told } };
        let Some(spray) = ocean.spray_mut() else { continue };
        if spray.groups.as_ref().is_none_or(|(_, named)| *named != maps) {
            let mut entries = vec![BindGroupEntry { binding: 0, resource: water_uniform.as_entire_binding() }];
            let textures = views.iter().map(|view| wgpu::BindingResource::TextureView(view));
            entries.extend((1..).zip(textures).map(|(binding, resource)| BindGroupEntry { binding, resource }));
            entries.push(BindGroupEntry { binding: 5, resource: wgpu::BindingResource::Sampler(&sampler) });
            let first =
                device.create_bind_group("water, for its spray", &cache.get_bind_group_layout(&pipelines.water), &entries);
            let buffers = [&spray.uniform, &spray.droplets, &spray.crests];
            let entries: Vec<_> = (0..)
                .zip(buffers)
                .map(|(binding, buffer)| BindGroupEntry { binding, resource: buffer.as_entire_binding() })
                .collect();
            let second = device.create_bind_group("spray", &cache.get_bind_group_layout(&pipelines.spray), &entries);
            spray.groups = Some(([first, second], maps));
        }
        let mut bytes = UniformBuffer::new(Vec::new());
        if bytes.write(&told).is_ok() {
            queue.write_buffer(&spray.uniform, 0, &bytes.into_inner());
        }
        encoder.clear_buffer(&spray.crests, 0, Some(16));
        groups.extend(spray.groups.as_ref().map(|(groups, _)| (groups.clone(), spray.count)));
    }
    if groups.is_empty() {
        return;
    }
    let mut pass = timer.compute_pass(encoder, "spray", Section::Spray);
    for ([first, second], count) in &groups {
        pass.set_bind_group(0, &**first, &[]);
        pass.set_bind_group(1, &**second, &[]);
        pass.set_pipeline(find);
        pass.dispatch_workgroups(SEARCH, SEARCH, 1);
        pass.set_pipeline(fly);
        pass.dispatch_workgroups(count.div_ceil(DROPLETS), 1, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crests_are_laid_out_as_the_buffer_is() {
        let source = include_str!("../../../../shaders/water/spray.wgsl");
        let declared = source.split("struct Crests {").nth(1).and_then(|rest| rest.split('}').next()).expect("struct Crests");
        let module = naga::front::wgsl::parse_str(&format!(
            "struct Crests {{{declared}}}\n@group(0) @binding(0) var<storage, read_write> crests: Crests;"
        ))
        .expect("it parses");
        let (_, ty) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Crests")).expect("it is used");
        let naga::TypeInner::Struct { members, .. } = &ty.inner else { panic!("{ty:?}") };
        let places = members.last().expect("members");
        let naga::TypeInner::Array { stride, .. } = module.types[places.ty].inner else { panic!("{places:?}") };
        assert_eq!(u64::from(places.offset) + MOST_CRESTS * u64::from(stride), CRESTS_BYTES);
    }

    #[test]
    fn what_is_looked_at_first_lies_all_over_the_square() {
        let source = include_str!("../../../../shaders/water/spray.wgsl");
        let constant = |name: &str| -> u32 {
            let value = source.split(&format!("const {name}: u32 = ")).nth(1).and_then(|rest| rest.split("u;").next());
            value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("const {name}"))
        };
        let (stride, frame_stride, edge) = (constant("STRIDE"), constant("FRAME_STRIDE"), SEARCH * 8);
        let cells = edge * edge;
        let mut starts = std::collections::HashSet::new();
        for frame in 0..64u32 {
            let cell = |index: u32| index.wrapping_mul(stride).wrapping_add(frame.wrapping_mul(frame_stride)) % cells;
            starts.insert(cell(0));
            // Every cell is looked at once.
            let all: std::collections::HashSet<_> = (0..cells).map(cell).collect();
            assert_eq!(all.len() as u32, cells);
            // As many as there is room for in the list, if all of it breaks: each sixteenth of the square has its share of them.
            let mut shares = [0u32; 16];
            for cell in (0..MOST_CRESTS as u32).map(cell) {
                let (x, z) = (cell % edge, cell / edge);
                shares[(x * 4 / edge + 4 * (z * 4 / edge)) as usize] += 1;
            }
            let fair = MOST_CRESTS as u32 / 16;
            assert!(shares.iter().all(|share| share.abs_diff(fair) < fair / 4), "frame {frame}: {shares:?}");
        }
        assert_eq!(starts.len(), 64, "another first in each frame");
    }

    #[test]
    fn the_shader_knows_the_same_sizes() {
        let source = include_str!("../../../../shaders/water/spray.wgsl");
        assert!(source.contains(&format!("const MOST_CRESTS: u32 = {MOST_CRESTS}u;")));
        assert!(source.contains(&format!("@workgroup_size({DROPLETS})")));
    }
}
