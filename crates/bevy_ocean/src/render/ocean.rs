//! One engine on Bevy's device, and an ocean on it for each surface.

use super::refusals::{Refusals, Request};
use super::spray::RenderSpray;
use super::{ExtractedWater, Report};
use crate::spray;
use crate::surface::WaterSurface;
use crate::uniform::WaterUniform;
use bevy::log::{error, info, warn};
use bevy::platform::collections::HashMap;
use bevy::prelude::Resource;
use bevy::render::render_resource::encase::UniformBuffer;
use bevy::render::render_resource::{
    Buffer, OwnedBindingResource, Sampler, SamplerBindingType, ShaderType, TextureView, TextureViewDimension,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::sync_world::MainEntity;
use ocean::SeaState;
use ocean::gpu::{Engine, Ocean, OceanError, OceanOptions, Plan, Precision, Resolution};

/// The oceans of the render world, by their surface.
#[derive(Resource)]
pub struct Oceans {
    device: RenderDevice,
    engine: Result<Engine, OceanError>,
    sampler: Sampler,
    oceans: HashMap<MainEntity, RenderOcean>,
    refusals: Refusals,
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
        Self { device: device.clone(), engine, sampler, oceans: HashMap::default(), refusals: Refusals::default() }
    }

    pub fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// The maps that are drawn from, for whoever shows them.
    pub fn latest_maps(&self, surface: MainEntity) -> Option<(&wgpu::Texture, &wgpu::Texture)> {
        let maps = self.oceans.get(&surface).filter(|ocean| ocean.ocean.is_ready())?.ocean.drawn_maps();
        Some(maps.sets[maps.latest])
    }

    /// Makes what is new, changes what has changed, frees what is gone.
    pub fn sync(&mut self, waters: &[ExtractedWater]) {
        let is_wanted = |surface: &MainEntity| waters.iter().any(|water| water.surface == *surface);
        let before = self.oceans.len();
        self.oceans.retain(|surface, _| is_wanted(surface));
        self.refusals.keep(is_wanted, self.oceans.len() < before);
        for water in waters {
            let wanted = Request::of(&water.settings);
            let had = self.oceans.get(&water.surface).map(RenderOcean::had);
            if self.refusals.is_to_be_tried(water.surface, wanted, had) {
                let result = match self.oceans.get_mut(&water.surface) {
                    Some(ocean) => ocean.resize(water),
                    None => self.make(water),
                };
                if let Err(error) = result {
                    self.refuse(water, error);
                }
            }
            if let Some(ocean) = self.oceans.get_mut(&water.surface) {
                ocean.follow(&water.settings.sea);
            }
            self.sync_spray(water);
            let error = self.refusals.reason(water.surface).map(|error| error.to_string());
            water.feedback.write(|report| report.error = error);
        }
    }

    fn refuse(&mut self, water: &ExtractedWater, error: OceanError) {
        warn!("water {}: {error}", water.surface.id());
        self.refusals.note(water.surface, Request::of(&water.settings), error);
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
        let ocean = self.oceans.get_mut(&surface).filter(|ocean| ocean.ocean.is_ready())?;
        let droplets = ocean.spray.as_ref()?.droplets.clone();
        let mut bindings = ocean.bindings(sampler);
        bindings.push((6, OwnedBindingResource::Buffer(droplets)));
        Some(bindings)
    }

    /// What the water's material binds; nothing until the maps are known to be there.
    pub fn bindings(&mut self, surface: MainEntity) -> Option<Vec<(u32, OwnedBindingResource)>> {
        let sampler = self.sampler.clone();
        Some(self.oceans.get_mut(&surface).filter(|ocean| ocean.ocean.is_ready())?.bindings(sampler))
    }

    /// An ocean that has spray, with what its bind groups are made of.
    pub fn with_spray(&mut self, surface: MainEntity) -> Option<(&mut RenderOcean, RenderDevice, Sampler)> {
        let ocean = self.oceans.get_mut(&surface).filter(|ocean| ocean.spray.is_some() && ocean.ocean.is_ready())?;
        Some((ocean, self.device.clone(), self.sampler.clone()))
    }

    fn make(&mut self, water: &ExtractedWater) -> Result<(), OceanError> {
        let engine = self.engine.as_ref().map_err(Clone::clone)?;
        let ocean = Ocean::new(engine, &water.settings.sea, options(&water.settings))?;
        let uniform = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("water"),
            size: WaterUniform::min_size().get(),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        info!("water {}: {} cascades at {}²", water.surface.id(), ocean.sea().cascades.len(), water.settings.wave_resolution);
        self.oceans
            .insert(water.surface, RenderOcean { ocean, uniform, bound: None, told: WaterUniform::default(), spray: None });
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
            Ok(()) => ocean.steps() > 0,
            Err(error) => {
                water.feedback.write(|report| report.error = Some(error.to_string()));
                // In a browser this may be what a change of some frames ago has come to. Who had nothing before it has nothing.
                let is_nothing = !ocean.is_ready();
                if is_nothing {
                    self.oceans.remove(&water.surface);
                }
                let had = self.oceans.get(&water.surface).map(RenderOcean::had);
                if had != Some(Request::of(&water.settings)) {
                    self.refuse(water, error);
                }
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
        // A browser puts updates off until it knows that there was room for the maps, which takes it some frames: it is asked for until it is done.
        if !ocean.ocean.is_filled() {
            water.feedback.set_empty();
        }
        ocean.tell(water.uniform, queue);
        water.feedback.write(|report| ocean.report(report));
    }
}

/// Whether a surface has two sets of maps: to blend between updates, and for the spray, which knows by them how fast the water moves.
pub(crate) fn has_history(surface: &WaterSurface) -> bool {
    surface.updates_per_second > 0.0 || spray::budget(surface) > 0
}

pub(super) fn options(surface: &WaterSurface) -> OceanOptions {
    OceanOptions {
        resolution: Resolution::nearest(surface.wave_resolution),
        history: has_history(surface),
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

    /// What it was last given.
    fn had(&self) -> Request {
        Request { options: self.ocean.options(), cascades: self.ocean.sea().cascades.len() }
    }

    fn resize(&mut self, water: &ExtractedWater) -> Result<(), OceanError> {
        self.ocean.set_options(options(&water.settings))?;
        self.ocean.set_sea(&water.settings.sea).map(drop)
    }

    /// Follows the sea, with as many of its cascades as there is room for. That needs nothing from the GPU, so it cannot fail.
    fn follow(&mut self, sea: &SeaState) {
        let had = self.ocean.sea().cascades.len();
        if sea.cascades.len() == had {
            self.ocean.set_sea(sea).ok();
        } else if sea.cascades.len() > had {
            self.ocean.set_sea(&SeaState { cascades: sea.cascades[..had].to_vec(), ..sea.clone() }).ok();
        }
    }

    /// Whether both sets of maps are filled.
    pub fn has_previous(&self) -> bool {
        self.ocean.drawn_maps().has_previous
    }

    fn tell(&mut self, mut uniform: WaterUniform, queue: &RenderQueue) {
        let drawn = self.ocean.drawn_maps();
        uniform.latest = drawn.latest as u32;
        if !drawn.has_previous {
            uniform.blend = 1.0;
        }
        // What is drawn, where what was asked for could not be had, or is still to be filled.
        let (map, _) = drawn.sets[drawn.latest];
        uniform.resolution = map.width() as f32;
        uniform.cascade_count = uniform.cascade_count.min(map.depth_or_array_layers());
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

    fn report(&self, report: &mut Report) {
        let memory = self.ocean.memory();
        let resolution = self.ocean.options().resolution;
        report.resolution = resolution.texels();
        report.cascades = self.ocean.sea().cascades.len() as u32;
        report.map_bytes = memory.maps + memory.mips;
        report.gpu_bytes = memory.total() + self.spray.as_ref().map_or(0, RenderSpray::bytes);
        let bytes = Plan::of(resolution, Precision::Mixed).workgroups().map(|(_, bytes)| bytes);
        // Of what every WebGPU device allows, whatever this one does: the kernels use no more anywhere.
        report.workgroup_bytes = (bytes[0].max(bytes[1]), wgpu::Limits::default().max_compute_workgroup_storage_size);
    }
}
