//! What is measured: anything that can record an update into a command encoder and say where its passes are.

use crate::gpu::Gpu;

/// What a contestant is in the race, which decides the ratios it takes part in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The engine of this project, in any of its variants.
    Engine,
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
            Role::Classic => "classic",
            Role::Streaming => "streaming",
            Role::Empty => "empty",
            Role::Cufft => "cufft",
        }
    }
}

/// Something that computes a whole update of the ocean, or stands for a bound on one.
///
/// An implementation owns its pipelines and resources, for one resolution and number of cascades. `record` is called thousands of
/// times, often many times into one encoder, so it should record what a running game would and nothing else.
pub trait Contestant {
    /// The row of the table.
    fn name(&self) -> String;

    /// The parts that can be timed on their own, in the order in which they run.
    fn dispatches(&self) -> &[&'static str];

    /// Records one update.
    ///
    /// Who can hand out a `ComputePass` calls [`Stamps::each`]. Who opens its own passes takes the stamps of each from
    /// [`Stamps::next`], exactly once per entry of [`Contestant::dispatches`].
    fn record(&mut self, encoder: &mut wgpu::CommandEncoder, stamps: &mut Stamps<'_>);

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

/// Where the passes of one update write their timestamps.
///
/// Either around the whole update, whose dispatches then share one pass, or around every dispatch, each in a pass of its own. The
/// two are different measurements: a timestamp keeps the work on either side of it apart.
pub struct Stamps<'a> {
    query_set: &'a wgpu::QuerySet,
    plan: Plan,
    passes: u32,
    given: u32,
}

#[derive(Clone, Copy)]
enum Plan {
    Whole { begin: Option<u32>, end: Option<u32> },
    Split { first: u32 },
}

impl<'a> Stamps<'a> {
    /// Around the whole update of `passes` parts: the indices, where wanted, for its beginning and its end.
    pub fn whole(query_set: &'a wgpu::QuerySet, passes: usize, begin: Option<u32>, end: Option<u32>) -> Self {
        Self { query_set, plan: Plan::Whole { begin, end }, passes: passes as u32, given: 0 }
    }

    /// Around each of `passes` parts: two consecutive indices apiece, from `first`.
    pub fn split(query_set: &'a wgpu::QuerySet, passes: usize, first: u32) -> Self {
        Self { query_set, plan: Plan::Split { first }, passes: passes as u32, given: 0 }
    }

    /// Runs `dispatch` for every index of `dispatches`: in one pass, or in a pass each if each is being timed.
    pub fn each(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        dispatches: usize,
        mut dispatch: impl FnMut(usize, &mut wgpu::ComputePass<'_>),
    ) {
        if let Plan::Whole { begin, end } = self.plan {
            self.given += dispatches as u32;
            let timestamp_writes = self.writes(begin, end);
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
            for index in 0..dispatches {
                dispatch(index, &mut pass);
            }
        } else {
            for index in 0..dispatches {
                let timestamp_writes = self.next();
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
                dispatch(index, &mut pass);
            }
        }
    }

    /// The stamps of the next pass.
    pub fn next(&mut self) -> Option<wgpu::ComputePassTimestampWrites<'a>> {
        let index = self.given;
        self.given += 1;
        match self.plan {
            Plan::Whole { begin, end } => self.writes(begin.filter(|_| index == 0), end.filter(|_| index + 1 == self.passes)),
            Plan::Split { first } if index < self.passes => self.writes(Some(first + 2 * index), Some(first + 2 * index + 1)),
            Plan::Split { .. } => None,
        }
    }

    /// Whether every part has taken its stamps. Reading a query that nothing has written can hang a GPU for good.
    pub fn complete(&self) -> bool {
        self.given == self.passes
    }

    fn writes(&self, begin: Option<u32>, end: Option<u32>) -> Option<wgpu::ComputePassTimestampWrites<'a>> {
        // Stamps of neither end are a validation error.
        (begin.is_some() || end.is_some()).then_some(wgpu::ComputePassTimestampWrites {
            query_set: self.query_set,
            beginning_of_pass_write_index: begin,
            end_of_pass_write_index: end,
        })
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

    fn record(&mut self, encoder: &mut wgpu::CommandEncoder, stamps: &mut Stamps<'_>) {
        let (labels, dispatches) = (&self.labels, &self.dispatches);
        stamps.each(encoder, labels.len(), |index, pass| {
            dispatches.iter().filter(|dispatch| dispatch.label == labels[index]).for_each(|dispatch| dispatch.encode(pass));
        });
    }

    fn bytes_per_texel(&self) -> f64 {
        self.bytes_per_texel
    }
}
