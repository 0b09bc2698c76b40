//! One tick in one sweep over the rows, in place.
//!
//! The plain passes read a snapshot each. Here a row is dripped into a small buffer, and once the buffers hold a row and both its
//! neighbours as they are after the drip, spread and time write that row back for good: the canvas is read and written once a tick
//! instead of three times, and needs no second copy. The drip of the next row reads the row itself and at most one that is not yet written
//! back, because spread lags one row behind.
//!
//! Only the blocks of [`Reached`] are walked. Beside them stands blood that nothing can reach this tick, or none; their neighbours see
//! [`NEVER_WET`] there, through which nothing flows: exactly what the formula gives.

use super::blocks::{BLOCK, Reached, WetBlocks, runs};
use super::exact::{AnySoak, Flux, Fluxes, Soak, StepSoak};
use super::gravity::Step;
use super::kernels::{Cross, Kept, Limits, Loose, LooseMut, NEVER_WET, Settled, age, drip_along, drip_down, loosen, spread};
use super::lanes::Lanes;
use super::settings::Dials;
use super::shade::Picture;
use super::state::State;
use std::ops::Range;

/// Room before the first texel of a buffered row: a run may look one texel past either end.
const GUARD: usize = BLOCK;

/// One row after the drip.
#[derive(Debug, Default)]
struct Row {
    amounts: Vec<u16>,
    ages: Vec<i16>,
}

impl Row {
    fn resize(&mut self, stride: usize) {
        self.amounts.resize(stride + 2 * GUARD, 0);
        self.ages.resize(stride + 2 * GUARD, NEVER_WET);
    }

    /// The texels `run`.
    fn run(&self, run: &Range<usize>) -> Loose<'_> {
        let range = run.start + GUARD..run.end + GUARD;
        Loose { amounts: &self.amounts[range.clone()], ages: &self.ages[range] }
    }

    /// The texels `run`, with one more on either side.
    fn around(&self, run: &Range<usize>) -> Loose<'_> {
        let range = run.start + GUARD - 1..run.end + GUARD + 1;
        Loose { amounts: &self.amounts[range.clone()], ages: &self.ages[range] }
    }

    fn run_mut(&mut self, run: &Range<usize>) -> LooseMut<'_> {
        let start = run.start + GUARD;
        LooseMut { amounts: &mut self.amounts[start..][..run.len()], ages: &mut self.ages[start..][..run.len()] }
    }

    /// Lets nothing flow in or out of these texels.
    fn close(&mut self, run: Range<usize>) {
        let range = run.start + GUARD..run.end + GUARD;
        self.amounts[range.clone()].fill(0);
        self.ages[range].fill(NEVER_WET);
    }

    /// The same for the texel before a run and the one after it.
    fn close_beside(&mut self, run: &Range<usize>) {
        for at in [run.start + GUARD - 1, run.end + GUARD] {
            self.amounts[at] = 0;
            self.ages[at] = NEVER_WET;
        }
    }
}

/// What a tick works with. Holds nothing between ticks; kept to spare allocations.
#[derive(Debug, Default)]
pub(crate) struct Workbench {
    reached: Reached,
    rows: [Row; 3],
    /// A row before the drip, when it drips along itself.
    before: Row,
    /// A row that gives nothing: what drips in over the canvas's edge.
    nothing: (Vec<u8>, Vec<u16>),
    /// The run that is settled, between spread and time.
    between: Row,
    /// What the texels of the run that was settled last are.
    classes: Vec<u8>,
    /// Which fluxes belong to the last spread rate.
    fluxes: Option<Fluxes>,
}

impl Workbench {
    fn prepare(&mut self, stride: usize, dials: &Dials) {
        for row in self.rows.iter_mut().chain([&mut self.before, &mut self.between]) {
            row.resize(stride);
        }
        self.nothing.0.resize(stride, 0);
        self.nothing.1.resize(stride, 0);
        self.classes.resize(stride, 0);
        if self.fluxes.as_ref().is_none_or(|fluxes| fluxes.edge_rate() != dials.edge_rate) {
            self.fluxes = Some(Fluxes::at(dials.edge_rate));
        }
    }
}

/// What a tick changes.
pub(crate) struct Canvas<'a> {
    pub state: &'a mut State,
    pub wet: &'a mut WetBlocks,
    pub picture: &'a mut Picture,
}

/// Runs one tick. Returns whether a byte of the picture changed.
pub(crate) fn tick(canvas: Canvas, bench: &mut Workbench, step: Option<Step>, dials: &Dials) -> bool {
    bench.prepare(canvas.state.stride(), dials);
    let rows = canvas.wet.reached(step.map_or(0, |step| step.y as isize), &mut bench.reached);
    let fluxes = bench.fluxes.take();
    let soak = StepSoak::of(dials);
    let lanes = Lanes::here();
    let creeps = fluxes.as_ref().map_or(u16::MAX, Fluxes::least);
    let limits = Limits { span: dials.span, creeps, drips: u16::from(dials.threshold) + 1 };
    let sweep = Sweep { canvas, bench, step, dials, lanes, limits };
    let changed = match fluxes.as_ref().filter(|_| dials.edge_rate > 0.0) {
        None => match soak {
            Some(soak) => sweep.run(rows, Still(soak)),
            None => sweep.run(rows, Still(AnySoak::of(dials))),
        },
        Some(fluxes) => match (fluxes.line(), soak) {
            (Some(line), Some(soak)) => sweep.run(rows, Creep(line, soak)),
            (Some(line), None) => sweep.run(rows, Creep(line, AnySoak::of(dials))),
            (None, Some(soak)) => sweep.run(rows, Creep(fluxes.table(), soak)),
            (None, None) => sweep.run(rows, Creep(fluxes.table(), AnySoak::of(dials))),
        },
    };
    bench.fluxes = fluxes;
    changed
}

/// How a row is finished once it and its neighbours have dripped.
trait Finish: Copy {
    fn settle(self, lanes: Lanes, cross: Cross, between: LooseMut, out: Settled, limits: Limits);
}

/// With spread.
#[derive(Clone, Copy)]
struct Creep<F, S>(F, S);

impl<F: Flux, S: Soak> Finish for Creep<F, S> {
    fn settle(self, lanes: Lanes, cross: Cross, between: LooseMut, out: Settled, limits: Limits) {
        let LooseMut { amounts, ages } = between;
        spread(lanes, cross, LooseMut { amounts, ages }, self.0, limits.span);
        age(lanes, Loose { amounts, ages }, out, self.1, limits);
    }
}

/// Without.
#[derive(Clone, Copy)]
struct Still<S>(S);

impl<S: Soak> Finish for Still<S> {
    fn settle(self, lanes: Lanes, cross: Cross, between: LooseMut, out: Settled, limits: Limits) {
        age(lanes, cross.own.part(1, between.amounts.len()), out, self.0, limits);
    }
}

struct Sweep<'a, 'b> {
    canvas: Canvas<'a>,
    bench: &'b mut Workbench,
    step: Option<Step>,
    dials: &'b Dials,
    lanes: Lanes,
    limits: Limits,
}

/// The buffer of a row; rows before the first and after the last have one too.
fn slot(y: isize) -> usize {
    (y + 3) as usize % 3
}

impl Sweep<'_, '_> {
    fn run(mut self, rows: Range<usize>, finish: impl Finish) -> bool {
        let (first, end) = (rows.start as isize, rows.end as isize);
        let mut changed = false;
        self.drip(first - 1);
        self.drip(first);
        for y in first..end {
            self.drip(y + 1);
            changed |= self.finish(y, finish);
        }
        self.canvas.wet.keep_rows(rows);
        changed
    }

    /// Fills the buffer of row `y`: what its walked blocks hold after the drip, and closed blocks where only a neighbour looks.
    fn drip(&mut self, y: isize) {
        let Workbench { reached, rows, before, nothing, .. } = &mut *self.bench;
        let row = &mut rows[slot(y)];
        runs((0..reached.words()).map(|w| (reached.word(y - 1, w) | reached.word(y + 1, w)) & !reached.word(y, w)), |run| {
            row.close(run);
        });
        let state = &*self.canvas.state;
        runs(reached.row(y), |run| {
            let own = state.run(y, &run);
            match self.step {
                None => loosen(self.lanes, own, row.run_mut(&run)),
                Some(Step { y: 0, x }) => {
                    loosen(self.lanes, own, before.run_mut(&run));
                    before.close_beside(&run);
                    let around = before.around(&run);
                    let from = if x > 0 { 0 } else { 2 };
                    let (own, source) = (around.part(1, run.len()), around.part(from, run.len()));
                    drip_along(self.lanes, own, source, row.run_mut(&run), self.dials);
                }
                Some(Step { y: step, .. }) => {
                    let source = y - step as isize;
                    let source = if (0..state.size() as isize).contains(&source) {
                        state.run(source, &run)
                    } else {
                        Kept { amounts: &nothing.0[run.clone()], ages: &nothing.1[run.clone()] }
                    };
                    drip_down(self.lanes, own, source, row.run_mut(&run), self.dials);
                }
            }
            row.close_beside(&run);
            if run.end > state.size() {
                // A parcel that stepped off the canvas is lost, and nothing flows over its edge.
                row.close(state.size()..run.end);
            }
        });
    }

    /// Writes row `y` back: spread, time, shade.
    fn finish(&mut self, y: isize, finish: impl Finish) -> bool {
        let Workbench { reached, rows, between, classes, .. } = &mut *self.bench;
        let [above, own, below] = [y - 1, y, y + 1].map(|y| &rows[slot(y)]);
        let Canvas { state, wet: marks, picture } = &mut self.canvas;
        let row = y as usize;
        let mut changed = false;
        marks.clear_row(row);
        runs(reached.row(y), |run| {
            let cross = Cross { own: own.around(&run), above: above.run(&run), below: below.run(&run) };
            let classes = &mut classes[run.clone()];
            let (amounts, ages) = state.run_mut(row, &run);
            finish.settle(
                self.lanes,
                cross,
                between.run_mut(&run),
                Settled { amounts, ages, classes: &mut *classes },
                self.limits,
            );
            marks.note(self.lanes, row, run.start / BLOCK, classes);
            let texels = state.run(y, &run);
            changed |= picture.shade(self.lanes, row, run.start, texels, self.dials);
        });
        changed
    }
}
