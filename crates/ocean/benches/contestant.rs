//! What is measured: anything that can record the parts of an update into a compute pass.

use crate::gpu::Gpu;

/// What a contestant is in the race, which decides the ratios it takes part in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The engine of this project, in any of its variants.
    Engine,
    /// The maps' mip levels, which are no part of an update.
    Mips,
    /// The technique as it is usually written.
    Classic,
    /// The bytes an update cannot avoid, moved and nothing else.
    Streaming,
    /// Dispatches that do nothing.
    Empty,
    /// cuFFT's bare transforms, which another process times.
    Cufft,
}

impl Role {
    /// How it is spelled in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Role::Engine => "engine",
            Role::Mips => "mips",
            Role::Classic => "classic",
            Role::Streaming => "streaming",
            Role::Empty => "empty",
            Role::Cufft => "cufft",
        }
    }
}

/// Something that computes a whole update of the ocean, or stands for a bound on one.
///
/// An implementation owns its pipelines and resources, for one resolution and number of cascades. It is asked for thousands of
/// updates, so it should record what a running game would and nothing else.
pub trait Contestant {
    /// The row of the table.
    fn name(&self) -> String;

    /// The parts that can be timed on their own, in the order in which they run.
    fn dispatches(&self) -> &[&'static str];

    /// Uploads of an update, before its dispatches and outside of what is timed.
    fn prepare(&mut self, _encoder: &mut wgpu::CommandEncoder) {}

    /// Records part `index` of [`Contestant::dispatches`].
    fn encode(&self, index: usize, pass: &mut wgpu::ComputePass<'_>);

    /// The traffic of an update that finds nothing in a cache, in bytes a texel and cascade.
    fn bytes_per_texel(&self) -> f64;
}

/// A contestant and its part, or why it cannot take part.
pub enum Entry {
    /// It can run.
    Ready(Role, Box<dyn Contestant>),
    /// It cannot, at this size on this device.
    Unable {
        /// The row of the table.
        name: String,
        /// The part it would have had.
        role: Role,
        /// For a footnote.
        reason: String,
    },
}

impl Entry {
    /// The row of the table.
    pub fn name(&self) -> String {
        match self {
            Entry::Ready(_, contestant) => contestant.name(),
            Entry::Unable { name, .. } => name.clone(),
        }
    }
}

/// Dispatches that never change, which is what every baseline is.
pub struct Recorded {
    name: String,
    labels: Vec<&'static str>,
    dispatches: Vec<Dispatch>,
    bytes_per_texel: f64,
}

/// One dispatch with all it needs.
pub struct Dispatch {
    /// For the table of single dispatches. Consecutive dispatches of one label are timed as one.
    pub label: &'static str,
    pub pipeline: wgpu::ComputePipeline,
    pub bindings: wgpu::BindGroup,
    pub workgroups: [u32; 3],
}

impl Dispatch {
    /// Binds `resources` in the order of their bindings, from `first_binding`.
    pub fn new(
        gpu: &Gpu,
        label: &'static str,
        pipeline: &wgpu::ComputePipeline,
        first_binding: u32,
        resources: &[wgpu::BindingResource<'_>],
        workgroups: [u32; 3],
    ) -> Self {
        let entries: Vec<_> = (first_binding..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
            .collect();
        let layout = pipeline.get_bind_group_layout(0);
        let descriptor = wgpu::BindGroupDescriptor { label: Some(label), layout: &layout, entries: &entries };
        Self { label, pipeline: pipeline.clone(), bindings: gpu.device.create_bind_group(&descriptor), workgroups }
    }

    /// Records it.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        let [x, y, z] = self.workgroups;
        pass.dispatch_workgroups(x, y, z);
    }
}

impl Recorded {
    /// A contestant that records `dispatches` at every update.
    pub fn new(name: impl Into<String>, bytes_per_texel: f64, dispatches: Vec<Dispatch>) -> Self {
        let mut labels: Vec<&'static str> = dispatches.iter().map(|dispatch| dispatch.label).collect();
        labels.dedup();
        Self { name: name.into(), labels, dispatches, bytes_per_texel }
    }
}

impl Contestant for Recorded {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn dispatches(&self) -> &[&'static str] {
        &self.labels
    }

    fn encode(&self, index: usize, pass: &mut wgpu::ComputePass<'_>) {
        let label = self.labels[index];
        self.dispatches.iter().filter(|dispatch| dispatch.label == label).for_each(|dispatch| dispatch.encode(pass));
    }

    fn bytes_per_texel(&self) -> f64 {
        self.bytes_per_texel
    }
}
