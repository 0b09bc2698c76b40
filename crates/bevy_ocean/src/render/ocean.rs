//! One engine on Bevy's device, and an ocean on it for each surface.

use super::spray::RenderSpray;
use super::{ExtractedWater, Report};
use crate::uniform::WaterUniform;
use bevy::log::{error, info};
use bevy::platform::collections::HashMap;
use bevy::prelude::Resource;
use bevy::render::render_resource::encase::UniformBuffer;
use bevy::render::render_resource::{
    Buffer, OwnedBindingResource, Sampler, SamplerBindingType, ShaderType, TextureView, TextureViewDimension,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::sync_world::MainEntity;
use ocean::gpu::{Engine, Ocean, OceanError, OceanOptions, Plan, Precision, Resolution};

/// The oceans of the render world, by their surface.
#[derive(Resource)]
pub struct Oceans {
    device: RenderDevice,
    engine: Result<Engine, OceanError>,
    sampler: Sampler,
    oceans: HashMap<MainEntity, RenderOcean>,
}

/// The maps of both sets, in the order of the bind group.
pub type Maps = [wgpu::Texture; 4];

pub struct RenderOcean {
    ocean: Ocean,
    uniform: Buffer,
    /// What the bind group names, once there is one.
    bound: Option<Maps>,
    /// What the shaders were told last.
    told: WaterUniform,
    spray: Option<RenderSpray>,
    /// Whether the last change failed: not tried again until it is another one.
    failed: Option<OceanOptions>,
}

impl Oceans {
    pub fn new(device: &RenderDevice, queue: &RenderQueue) -> Self {
        let engine = Engine::new(device.wgpu_device(), queue);
        if let Err(error) = &engine {
            error!("no ocean on this device: {error}");
        }
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("water maps"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            // At a grazing angle a pixel is much longer than it is wide, and its width is what can still be seen.
            anisotropy_clamp: 4,
            ..Default::default()
        });
        Self { device: device.clone(), engine, sampler, oceans: HashMap::default() }
    }

    pub fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// The maps that are drawn from, for whoever shows them.
    pub fn latest_maps(&self, surface: MainEntity) -> Option<(&wgpu::Texture, &wgpu::Texture)> {
        let maps = self.oceans.get(&surface)?.ocean.drawn_maps();
        Some(maps.sets[maps.latest])
    }

    /// Makes what is new, changes what has changed, frees what is gone.
    pub fn sync(&mut self, waters: &[ExtractedWater]) {
        self.oceans.retain(|surface, _| waters.iter().any(|water| water.surface == *surface));
        for water in waters {
            let result = match self.oceans.get_mut(&water.surface) {
                Some(ocean) => ocean.change(water),
                None => self.make(water),
            };
            self.sync_spray(water);
            water.feedback.write(|report| report.error = result.err().map(|error| error.to_string()));
        }
    }

    /// Buffers for as many droplets as are wanted, and none without.
    fn sync_spray(&mut self, water: &ExtractedWater) {
        let Some(ocean) = self.oceans.get_mut(&water.surface) else { return };
        let wanted = water.spray.map(|spray| spray.count);
        if ocean.spray.as_ref().map(|spray| spray.count) != wanted {
            ocean.spray = wanted.map(|count| RenderSpray::new(&self.device, count));
            water.feedback.set_stale();
        }
    }

    /// What the spray's material binds: all that the water's does, and the droplets.
    pub fn spray_bindings(&mut self, surface: MainEntity) -> Option<Vec<(u32, OwnedBindingResource)>> {
        let sampler = self.sampler.clone();
        let ocean = self.oceans.get_mut(&surface)?;
        let droplets = ocean.spray.as_ref()?.droplets.clone();
        let mut bindings = ocean.bindings(sampler);
        bindings.push((6, OwnedBindingResource::Buffer(droplets)));
        Some(bindings)
    }

    /// What the water's material binds.
    pub fn bindings(&mut self, surface: MainEntity) -> Option<Vec<(u32, OwnedBindingResource)>> {
        let sampler = self.sampler.clone();
        Some(self.oceans.get_mut(&surface)?.bindings(sampler))
    }

    /// An ocean that has spray, with what its bind groups are made of.
    pub fn with_spray(&mut self, surface: MainEntity) -> Option<(&mut RenderOcean, RenderDevice, Sampler)> {
        let ocean = self.oceans.get_mut(&surface).filter(|ocean| ocean.spray.is_some())?;
        Some((ocean, self.device.clone(), self.sampler.clone()))
    }

    fn make(&mut self, water: &ExtractedWater) -> Result<(), OceanError> {
        let engine = self.engine.as_ref().map_err(Clone::clone)?;
        let ocean = Ocean::new(engine, &water.settings.sea, options(water))?;
        let uniform = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("water"),
            size: WaterUniform::min_size().get(),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        info!("water {}: {} cascades at {}²", water.surface.id(), ocean.sea().cascades.len(), water.settings.wave_resolution);
        self.oceans.insert(
            water.surface,
            RenderOcean { ocean, uniform, bound: None, told: WaterUniform::default(), spray: None, failed: None },
        );
        // After a lost device there may be a material that names the old one's.
        water.feedback.set_stale();
        Ok(())
    }

    /// Prepares the update that is due, if one is. Returns whether there is something to encode.
    pub fn step(&mut self, water: &mut ExtractedWater, encoder: &mut wgpu::CommandEncoder) -> bool {
        let Some(RenderOcean { ocean, .. }) = self.oceans.get_mut(&water.surface) else { return false };
        let Some(step) = water.step.take() else { return false };
        ocean.set_clocks(step.clocks);
        match ocean.prepare(encoder, step.seconds) {
            Ok(()) => true,
            Err(error) => {
                water.feedback.write(|report| report.error = Some(error.to_string()));
                false
            }
        }
    }

    pub fn encode(&self, surface: MainEntity, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(RenderOcean { ocean, .. }) = self.oceans.get(&surface) {
            (0..ocean.steps()).for_each(|step| ocean.encode(step, pass));
        }
    }

    pub fn encode_mips(&self, surface: MainEntity, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(RenderOcean { ocean, .. }) = self.oceans.get(&surface) {
            ocean.encode_mips(pass);
        }
    }

    /// Tells the shaders, and the main world.
    pub fn tell(&mut self, water: &ExtractedWater, queue: &RenderQueue) {
        let Some(ocean) = self.oceans.get_mut(&water.surface) else { return };
        if ocean.is_stale() {
            water.feedback.set_stale();
        }
        ocean.tell(water.uniform, queue);
        let limits = self.device.limits();
        water.feedback.write(|report| ocean.report(report, &limits));
    }
}

fn options(water: &ExtractedWater) -> OceanOptions {
    OceanOptions {
        resolution: Resolution::nearest(water.settings.wave_resolution),
        // Nothing to blend from where every frame updates.
        history: water.settings.updates_per_second > 0.0,
        precision: Precision::Mixed,
    }
}

impl RenderOcean {
    pub fn uniform_buffer(&self) -> &Buffer {
        &self.uniform
    }

    pub fn spray_mut(&mut self) -> Option<&mut RenderSpray> {
        self.spray.as_mut()
    }

    /// The water's bindings, in the order of `bindings.wgsl`; the materials count as naming these maps from now on.
    fn bindings(&mut self, sampler: Sampler) -> Vec<(u32, OwnedBindingResource)> {
        let (maps, views) = self.named_maps();
        self.bound = Some(maps);
        let texture = |view| OwnedBindingResource::TextureView(TextureViewDimension::D2Array, view);
        let mut bindings = vec![(0, OwnedBindingResource::Buffer(self.uniform.clone()))];
        bindings.extend((1..).zip(views.map(texture)));
        bindings.push((5, OwnedBindingResource::Sampler(SamplerBindingType::Filtering, sampler)));
        bindings
    }

    /// The maps that are drawn from, and views of them for a bind group.
    pub fn named_maps(&self) -> (Maps, [TextureView; 4]) {
        let maps = self.maps();
        let views = maps.clone().map(|map| {
            TextureView::from(map.create_view(&wgpu::TextureViewDescriptor {
                // One layer is an array too.
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            }))
        });
        (maps, views)
    }

    fn maps(&self) -> Maps {
        let [(displacement, surface), (other_displacement, other_surface)] = self.ocean.drawn_maps().sets;
        [displacement, surface, other_displacement, other_surface].map(Clone::clone)
    }

    fn is_stale(&self) -> bool {
        self.bound.as_ref().is_some_and(|bound| *bound != self.maps())
    }

    fn change(&mut self, water: &ExtractedWater) -> Result<(), OceanError> {
        let options = options(water);
        if self.ocean.options() != options && self.failed != Some(options) {
            let changed = self.ocean.set_options(options);
            self.failed = changed.is_err().then_some(options);
            changed?;
        }
        self.ocean.set_sea(&water.settings.sea).map(drop)
    }

    fn tell(&mut self, mut uniform: WaterUniform, queue: &RenderQueue) {
        let drawn = self.ocean.drawn_maps();
        uniform.latest = drawn.latest as u32;
        if !drawn.has_previous {
            uniform.blend = 1.0;
        }
        // The real resolution, where the one that was asked for could not be had.
        uniform.resolution = self.ocean.options().resolution.texels() as f32;
        if self.is_stale() {
            // The bind group still names the old maps, which nothing updates any more: they are drawn as they last were.
            let WaterUniform { cascades, cascade_count, resolution, latest, .. } = self.told;
            uniform = WaterUniform { cascades, cascade_count, resolution, latest, blend: 1.0, ..uniform };
        }
        self.told = uniform;
        let mut bytes = UniformBuffer::new(Vec::new());
        // The buffer has the struct's size.
        if bytes.write(&uniform).is_ok() {
            queue.write_buffer(&self.uniform, 0, &bytes.into_inner());
        }
    }

    fn report(&self, report: &mut Report, limits: &wgpu::Limits) {
        let memory = self.ocean.memory();
        let resolution = self.ocean.options().resolution;
        report.resolution = resolution.texels();
        report.cascades = self.ocean.sea().cascades.len() as u32;
        report.map_bytes = memory.maps + memory.mips;
        report.gpu_bytes = memory.total() + self.spray.as_ref().map_or(0, RenderSpray::bytes);
        let bytes = Plan::of(resolution, Precision::Mixed).workgroups().map(|(_, bytes)| bytes);
        report.workgroup_bytes = (bytes[0].max(bytes[1]), limits.max_compute_workgroup_storage_size);
    }
}
