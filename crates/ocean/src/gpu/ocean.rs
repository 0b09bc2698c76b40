//! One ocean on the GPU: a sea state that can change at any time, and the maps that follow it.

use crate::clock::Clocks;
use crate::sea_state::{Adjustment, SeaState};
use crate::spectrum::CascadeSpectrum;

use super::engine::Engine;
use super::error::OceanError;
use super::foam::{self, FoamPlace};
use super::limits;
use super::memory::MemoryUse;
use super::plan::{Plan, Precision};
use super::resolution::Resolution;
use super::resources::{MapSet, Resources, Size};
use super::scopes::Scopes;
use super::spectrum_pass::{self, FrequencyKey, SpectrumParameters};
use super::update::{CascadeUpdate, SLOT_BYTES, UPDATES_IN_FLIGHT, Update, scratch_scale};

/// What an ocean can be asked for beside its sea.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OceanOptions {
    /// Points along a side of each cascade's grid.
    pub resolution: Resolution,
    /// Keep the maps of the update before as well, for a renderer that blends between updates. Twice the maps' memory.
    pub history: bool,
    /// For proofs: [`Precision::Mixed`] is what to draw with. [`Precision::Full`] passes the default limits at 4096².
    pub precision: Precision,
}

/// Timestamps of an update, for whoever measures: two consecutive queries a pass, from `first`, rows then columns for each group of
/// cascades. One group, four queries, unless the cascades pass a binding's limit: see [`Ocean::groups`].
#[derive(Clone, Copy, Debug)]
pub struct UpdateTimestamps<'a> {
    /// A set of timestamps.
    pub query_set: &'a wgpu::QuerySet,
    /// The first query to write.
    pub first: u32,
}

/// The maps to draw from; see [`Ocean::drawn_maps`].
#[derive(Clone, Copy, Debug)]
pub struct DrawnMaps<'a> {
    /// Maps 0 and 1 of both sets; without [`OceanOptions::history`] twice the same.
    pub sets: [(&'a wgpu::Texture, &'a wgpu::Texture); 2],
    /// Which set is the last update's.
    pub latest: usize,
    /// Whether the other set holds the update before.
    pub has_previous: bool,
}

/// A sea on the GPU.
///
/// It records into the caller's encoder, submits nothing and reads nothing back. Its maps hold the raw sea: Displacement Scale and Normal Scale are
/// the renderer's to apply, as foam is decided before them.
#[derive(Debug)]
pub struct Ocean {
    engine: Engine,
    sea: SeaState,
    resources: Resources,
    cascades: Vec<CascadeState>,
    clocks: Clocks,
    slot: u32,
    updates: u32,
    set: usize,
    /// What was there before the last change of size.
    outgrown: Option<Outgrown>,
    /// Updates since the maps there are were made.
    filled: u32,
    /// Of making the resources.
    making: Scopes,
    /// Of making h₀.
    rebuilding: Scopes,
    /// Whether the last update was put off because it is not known yet if the resources are there, and the seconds that it owes the foam.
    waiting: bool,
    owed: f64,
}

/// What a change of size has replaced: drawn until the next update, which carries its foam over, and gone back to if the change turns out to have failed.
#[derive(Debug)]
struct Outgrown {
    resources: Resources,
    set: usize,
    slot: u32,
    sea: SeaState,
}

/// What a cascade's h₀ was made from. It is made anew when that is no longer what it should be made from, so a rebuild cannot get lost.
#[derive(Clone, Debug, Default)]
struct CascadeState {
    built: Option<CascadeSpectrum>,
    frequencies: Option<FrequencyKey>,
    scratch_scale: [f32; 2],
}

impl Ocean {
    /// A sea at its start: clocks at 120 s + πi, flat maps until the first [`update`](Self::update). `sea` is validated; see [`SeaState::validated`] for
    /// what became of it.
    ///
    /// # Errors
    /// [`OceanError::Limit`] if the device does not allow this resolution, [`OceanError::OutOfMemory`] if it does not fit, [`OceanError::DeviceLost`]. In a browser
    /// the latter two become known a little later: [`is_ready`](Self::is_ready) says when they have not come, and [`update`](Self::update) returns them.
    pub fn new(engine: &Engine, sea: &SeaState, options: OceanOptions) -> Result<Self, OceanError> {
        engine.health().check()?;
        let (sea, _) = sea.validated();
        let size = size_of_sea(&sea, options);
        check(engine, size)?;
        let making = Scopes::default();
        let resources = making.within(engine.device(), || Resources::new(engine, size));
        making.check().inspect_err(|_| engine.forget_passes(size.resolution, size.precision))?;
        let cascades = vec![CascadeState::default(); sea.cascades.len()];
        Ok(Self {
            engine: engine.clone(),
            sea,
            resources,
            cascades,
            clocks: Clocks::new(),
            slot: 0,
            updates: 0,
            set: 0,
            outgrown: None,
            filled: 0,
            making,
            rebuilding: Scopes::default(),
            waiting: false,
            owed: 0.0,
        })
    }

    /// The sea as it is computed, validated.
    pub fn sea(&self) -> &SeaState {
        &self.sea
    }

    /// Changes the sea. Cascades whose spectrum stays are not rebuilt; time scale, whitecap, foam amount and the two scales rebuild nothing. Foam
    /// and clocks go on. Returns what had to be adjusted.
    ///
    /// # Errors
    /// As [`new`](Self::new), if the number of cascades changes; the sea is then as it was.
    pub fn set_sea(&mut self, sea: &SeaState) -> Result<Vec<Adjustment>, OceanError> {
        let (sea, adjustments) = sea.validated();
        let size = Size { cascades: sea.cascades.len() as u32, ..self.resources.size };
        self.resize(size)?;
        self.cascades.resize(sea.cascades.len(), CascadeState::default());
        self.sea = sea;
        Ok(adjustments)
    }

    /// Changes the resolution (or the other options): the same sea with more or fewer of its waves, its foam resampled.
    ///
    /// # Errors
    /// As [`new`](Self::new); the ocean is then as it was. That is so too where the error comes later, from an [`update`](Self::update): until it is known that the new maps are
    /// there, the old ones stay.
    pub fn set_options(&mut self, options: OceanOptions) -> Result<(), OceanError> {
        self.resize(size_of_sea(&self.sea, options))
    }

    /// What it was made with.
    pub fn options(&self) -> OceanOptions {
        let Size { resolution, precision, history, .. } = self.resources.size;
        OceanOptions { resolution, history, precision }
    }

    fn resize(&mut self, size: Size) -> Result<(), OceanError> {
        if size == self.resources.size {
            return Ok(());
        }
        self.engine.health().check()?;
        check(&self.engine, size)?;
        let making = Scopes::default();
        let resources = making.within(self.engine.device(), || Resources::new(&self.engine, size));
        making.check().inspect_err(|_| self.engine.forget_passes(size.resolution, size.precision))?;
        self.making = making;
        let resources = std::mem::replace(&mut self.resources, resources);
        // Two changes before one update: the foam is still in the first, and what lay between has never been filled.
        let (set, slot) = (self.set, self.slot);
        self.outgrown.get_or_insert_with(|| Outgrown { resources, set, slot, sea: self.sea.clone() });
        self.cascades.fill(CascadeState::default());
        // The new ring is another buffer, and may be a shorter one.
        self.slot = 0;
        self.set = 0;
        self.filled = 0;
        Ok(())
    }

    /// Whether the maps there are to draw from are known to be there. Natively always; in a browser some frames after the ocean was made. Until then they must not be bound: what is
    /// bound and turns out not to be there takes the frame that it is drawn in along.
    pub fn is_ready(&self) -> bool {
        self.outgrown.is_some() || self.making.settled() == Ok(true)
    }

    /// Whether updates have filled all of the maps there are. Before that, what is drawn is nothing yet, or what there was before a change of size: who makes no updates while the sea
    /// stands has to make these, one for each set of maps, and more where [`prepare`](Self::prepare) put one off.
    pub fn is_filled(&self) -> bool {
        self.outgrown.is_none() && self.filled as usize >= self.resources.sets.len()
    }

    /// Whether the resources are known to be there. Where they have turned out not to be, what they replaced is put back.
    fn settle(&mut self) -> Result<bool, OceanError> {
        self.making.settled().map_err(|error| {
            self.go_back();
            self.lost_or(error)
        })
    }

    fn go_back(&mut self) {
        let Some(Outgrown { resources, set, slot, sea }) = self.outgrown.take() else { return };
        let Size { resolution, precision, .. } = self.resources.size;
        self.engine.forget_passes(resolution, precision);
        // Changes of the sea that needed no other size stay.
        if self.sea.cascades.len() != resources.size.cascades as usize {
            self.sea = sea;
        }
        self.cascades = vec![CascadeState::default(); self.sea.cascades.len()];
        (self.resources, self.set, self.slot, self.filled) = (resources, set, slot, 0);
        self.making = Scopes::default();
    }

    /// The clocks, one a cascade, which every update moves. A [`SurfaceField`](crate::SurfaceField) beside this ocean has none of its own: `field.update(ocean.clocks())` after each update.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Sets the clocks: to join a running sea, or to put one at a moment.
    pub fn set_clocks(&mut self, clocks: Clocks) {
        self.clocks = clocks;
    }

    /// Records one update: `dt` seconds later (0 is fine, negative and non-finite count as 0), whatever the rate.
    ///
    /// At most 64 updates of one ocean may be recorded between two submissions. Encoders have to be submitted, in the order in which they were recorded: what was recorded counts as done. Who
    /// drops one, because a surface was lost for instance, calls [`invalidate`](Self::invalidate). A change of depth or tile makes (N/2 + 1)² frequencies on the CPU in here, 2 ms a cascade at 1024².
    ///
    /// # Errors
    /// [`OceanError::DeviceLost`], and what has become known of earlier calls; nothing is recorded then.
    pub fn update(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        dt: f64,
        timestamps: Option<UpdateTimestamps<'_>>,
    ) -> Result<(), OceanError> {
        self.prepare(encoder, dt)?;
        let Some(UpdateTimestamps { query_set, first }) = timestamps else {
            let mut pass =
                encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("ocean"), timestamp_writes: None });
            for step in 0..self.steps() {
                self.encode(step, &mut pass);
            }
            return Ok(());
        };
        for step in 0..self.steps() {
            let index = first.saturating_add(2 * step);
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("ocean"),
                timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                    query_set,
                    beginning_of_pass_write_index: Some(index),
                    end_of_pass_write_index: Some(index + 1),
                }),
            });
            self.encode(step, &mut pass);
        }
        Ok(())
    }

    /// The first half of [`update`](Self::update), for whoever opens the passes: moves the clocks, rebuilds what changed, and writes the parameters.
    /// [`encode`](Self::encode) is the second.
    ///
    /// While it is not known yet whether the maps are there, which only browsers take time for, it moves the clocks alone; [`steps`](Self::steps) is 0 then, and the foam gets
    /// its time with the next update.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, dt: f64) -> Result<(), OceanError> {
        self.engine.health().check()?;
        self.waiting = !self.settle()?;
        self.check_rebuild()?;
        let dt = if dt.is_finite() { dt.max(0.0) } else { 0.0 };
        self.clocks.advance(dt, &self.sea);
        self.owed += dt;
        if self.waiting {
            return Ok(());
        }
        if self.outgrown.is_some() || self.pending_rebuilds() > 0 {
            let rebuilding = std::mem::take(&mut self.rebuilding);
            rebuilding.within(&self.engine.device().clone(), || {
                self.carry_foam(encoder);
                self.rebuild(encoder);
            });
            self.rebuilding = rebuilding;
            self.check_rebuild()?;
        }
        let dt = std::mem::take(&mut self.owed);
        self.filled = self.filled.saturating_add(1);
        self.set = (self.set + 1) % self.resources.sets.len();
        self.updates = self.updates.wrapping_add(1);
        self.write_parameters(dt);
        Ok(())
    }

    /// A rebuild that has failed is made again by the next update.
    fn check_rebuild(&mut self) -> Result<(), OceanError> {
        self.rebuilding.check().map_err(|error| {
            self.rebuilding = Scopes::default();
            self.invalidate();
            self.lost_or(error)
        })
    }

    /// Makes every cascade's h₀ anew at the next update: for when the encoder of an update was dropped instead of submitted. (A change of size that was in it has
    /// lost its foam.)
    pub fn invalidate(&mut self) {
        self.cascades.fill(CascadeState::default());
    }

    /// A device that is lost refuses things before its callback says that it is.
    fn lost_or(&self, error: OceanError) -> OceanError {
        self.engine.device().poll(wgpu::PollType::Poll).ok();
        self.engine.health().check().err().unwrap_or(error)
    }

    /// Dispatches of an update: two for each group of cascades. 0 if the last one was put off: see [`prepare`](Self::prepare).
    pub fn steps(&self) -> u32 {
        if self.waiting { 0 } else { 2 * self.groups() }
    }

    /// Groups of cascades that are dispatched together: 1, unless a binding would pass the device's limit.
    pub fn groups(&self) -> u32 {
        self.resources.groups.len() as u32
    }

    /// Dispatches step `step` of the update that was prepared last, in order: rows and columns of each group.
    pub fn encode(&self, step: u32, pass: &mut wgpu::ComputePass<'_>) {
        let Some(group) = self.resources.groups.get(step as usize / 2).filter(|_| !self.waiting) else { return };
        let count = group.cascades.end - group.cascades.start;
        let slot = (self.slot + self.slots() - self.groups() + step / 2) % self.slots();
        let (pipeline, bindings, [x, y, z]) = if step.is_multiple_of(2) {
            (&self.resources.passes.rows, &group.rows, self.resources.plan.rows_workgroups(count))
        } else {
            (&self.resources.passes.columns, &group.columns[self.set], self.resources.plan.columns_workgroups(count))
        };
        pass.set_pipeline(&pipeline.pipeline);
        pass.set_bind_group(0, bindings, &[slot * SLOT_BYTES as u32]);
        pass.dispatch_workgroups(x, y, z);
    }

    /// Dispatches the mip levels of the maps of the last update. A step of its own: measure it apart, leave it out where nobody samples them.
    pub fn encode_mips(&self, pass: &mut wgpu::ComputePass<'_>) {
        if self.waiting {
            return;
        }
        for step in &self.resources.sets[self.set].mips {
            step.encode(self.engine.mips(), pass);
        }
    }

    /// Records [`encode_mips`](Self::encode_mips) in a pass of its own.
    pub fn update_mips(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass =
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("ocean mips"), timestamp_writes: None });
        self.encode_mips(&mut pass);
    }

    /// Map 0 of the last update, `rgba16float`, a layer a cascade: (D_x, h, D_z, q), metres, and q = [`SQUARED_SLOPE_SCALE`](super::SQUARED_SLOPE_SCALE)
    /// (s_x² + s_z²), from which mip levels know how rough was what they average: the slopes' variance is the mean of s² less the square of the mean s. Texel (i, j) is the point x = i L_x/N, z = j L_z/N of the tile.
    ///
    /// After [`set_options`](Self::set_options), or [`set_sea`](Self::set_sea) with another number of cascades, and the next update, it is another texture: make views and bind groups anew.
    /// With [`OceanOptions::history`] two textures take turns.
    pub fn displacement_map(&self) -> &wgpu::Texture {
        &self.current().displacement
    }

    /// Map 1: (s_x, s_z, J, foam): slopes ∂h/∂x and ∂h/∂z, the Jacobian of the horizontal displacement, and the foam, 0 to 1.
    pub fn surface_map(&self) -> &wgpu::Texture {
        &self.current().surface
    }

    /// What was drawn last: after a change of size the old maps, until an update has filled the new ones.
    fn current(&self) -> &MapSet {
        match &self.outgrown {
            Some(Outgrown { resources, set, .. }) => &resources.sets[*set],
            None => &self.resources.sets[self.set],
        }
    }

    /// Maps 0 and 1 of the update before, with [`OceanOptions::history`]. While there has been no more than one since the maps were made, they are those of
    /// the last: there is nothing to blend from.
    pub fn previous_maps(&self) -> Option<(&wgpu::Texture, &wgpu::Texture)> {
        let sets = &self.resources.sets;
        let other = sets.get(1 - self.set.min(1)).filter(|_| sets.len() == 2)?;
        let MapSet { displacement, surface, .. } =
            if self.filled < 2 || self.outgrown.is_some() { self.current() } else { other };
        Some((displacement, surface))
    }

    /// All maps that are drawn from, with the part each has now: for a renderer that binds both sets once and is told each update which is which.
    ///
    /// The textures stay the same from update to update; after a change of size they are others, from the next update on.
    pub fn drawn_maps(&self) -> DrawnMaps<'_> {
        let (resources, latest, filled) = match &self.outgrown {
            // Frozen: nothing updates the old maps any more.
            Some(Outgrown { resources, set, .. }) => (resources, *set, 0),
            None => (&self.resources, self.set, self.filled),
        };
        let set = |index: usize| {
            let MapSet { displacement, surface, .. } = &resources.sets[index];
            (displacement, surface)
        };
        let last = resources.sets.len() - 1;
        DrawnMaps { sets: [set(0), set(last)], latest, has_previous: last > 0 && filled >= 2 }
    }

    /// What it takes on the GPU. Between a change of size and the next update, the old size's share comes on top.
    pub fn memory(&self) -> MemoryUse {
        let Size { resolution, precision, cascades, history } = self.resources.size;
        MemoryUse::of(resolution, precision, cascades, history, &self.engine.device().limits())
    }

    /// The same, counted from the buffers and textures there are.
    pub fn allocated_bytes(&self) -> u64 {
        self.resources.allocated_bytes()
    }

    /// Cascades whose h₀ the next update will make anew.
    pub fn pending_rebuilds(&self) -> usize {
        let due =
            |(index, state): (usize, &CascadeState)| state.built.as_ref() != Some(&CascadeSpectrum::new(&self.sea, index));
        self.cascades.iter().enumerate().filter(|&entry| due(entry)).count()
    }

    /// The buffer of h₀ that holds `cascade`, and where it begins in it, bytes: for tests.
    #[doc(hidden)]
    pub fn amplitudes(&self, cascade: u32) -> Option<(&wgpu::Buffer, u64)> {
        let (group, place) = self.resources.place(cascade)?;
        Some((&group.amplitudes, u64::from(place) * self.cascade_texels() * limits::AMPLITUDE_BYTES))
    }

    fn cascade_texels(&self) -> u64 {
        u64::from(self.resources.plan.resolution).pow(2)
    }

    fn rebuild(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let n = self.resources.plan.resolution;
        for (index, state) in self.cascades.iter_mut().enumerate() {
            let spectrum = CascadeSpectrum::new(&self.sea, index);
            if state.built == Some(spectrum) {
                continue;
            }
            let Some((group, place)) = self.resources.place(index as u32) else { continue };
            let key = FrequencyKey::new(&self.sea, index);
            let new_key = (state.frequencies != Some(key)).then_some(key);
            // Two bins to a 16-byte element: k and −k.
            let first_bin = place * (n * (n / 2));
            let parameters = SpectrumParameters::new(&spectrum, n, first_bin, new_key.is_none());
            spectrum_pass::record(&self.engine, encoder, &parameters, new_key, &group.amplitudes);
            *state = CascadeState { built: Some(spectrum), frequencies: Some(key), scratch_scale: scratch_scale(&spectrum, n) };
        }
    }

    fn carry_foam(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Some(Outgrown { resources: old, .. }) = self.outgrown.take() else { return };
        for cascade in 0..self.resources.size.cascades.min(old.size.cascades) {
            let places = old.place(cascade).zip(self.resources.place(cascade));
            let Some(((old_group, old_place), (new_group, new_place))) = places else { continue };
            let from = FoamPlace { buffer: &old_group.foam, cascade: old_place, plan: &old.plan };
            let to = FoamPlace { buffer: &new_group.foam, cascade: new_place, plan: &self.resources.plan };
            foam::record(&self.engine, encoder, from, to);
        }
    }

    fn write_parameters(&mut self, dt: f64) {
        let (mut slot, slots) = (self.slot, self.slots());
        for group in &self.resources.groups {
            let mut update = Update { first_layer: group.cascades.start, ..Update::default() };
            for (place, index) in group.cascades.clone().enumerate() {
                let index = index as usize;
                let dither = crate::noise::pcg3d([self.updates, index as u32, self.sea.seed])[0];
                update.cascades[place] =
                    CascadeUpdate::new(&self.sea, index, &self.clocks, dt, self.cascades[index].scratch_scale, dither);
            }
            let offset = u64::from(slot) * SLOT_BYTES;
            self.engine.queue().write_buffer(&self.resources.ring, offset, bytemuck::bytes_of(&update));
            slot = (slot + 1) % slots;
        }
        self.slot = slot;
    }

    /// Slots of the ring: every group of every update in flight has its own.
    fn slots(&self) -> u32 {
        UPDATES_IN_FLIGHT * self.groups()
    }
}

fn size_of_sea(sea: &SeaState, options: OceanOptions) -> Size {
    let OceanOptions { resolution, history, precision } = options;
    Size { resolution, precision, history, cascades: sea.cascades.len() as u32 }
}

fn check(engine: &Engine, size: Size) -> Result<(), OceanError> {
    limits::check(&Plan::of(size.resolution, size.precision), size.cascades, &engine.device().limits())
}

#[cfg(test)]
mod late;
