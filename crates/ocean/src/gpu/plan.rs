//! How each resolution is cut into passes, workgroups and buffers, within WebGPU's default limits.
//!
//! The choices in [`Plan::of`] are measured ones, on an NVIDIA H200 (the table is in the crate's documentation). What decides between them: registers a
//! thread, which bound how many workgroups a processor keeps in flight (8 points a thread take 79 registers, 16 take up to 150, and
//! memory is waited for rather than hidden), and the length of the runs in which the scratch is written, which must be a memory sector or more.
//!
//! What lost, at 1024² × 3 unless said otherwise, back to back against this plan's 88 µs: 16 points a thread in both passes (93); runs of 2 x, half a sector (107); runs of 8 (92);
//! two fields, or three, a workgroup of pass 1 instead of all five (96, 92); a split exchange (93); one line a workgroup (145); f16 in all lines (88, and an error that fails the proof now and then); at
//! 256² the four transforms of a column one after the other (11.7 instead of 10.4).

use super::resolution::Resolution;
use super::stockham::Lines;

/// The half-plane fields that pass 1 leaves for pass 2.
pub const FIELDS: u32 = 5;

/// How the scratch between the passes holds a complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Two f32, 8 bytes: for the proof of the transform, up to 2048.
    Full,
    /// Two f32 in the lowest lines, which hold nearly all of the sea's energy, and two f16 in the others: half the traffic, and a half (slopes) to
    /// a hundredth (heights) of the rounding error that f16 everywhere would have.
    #[default]
    Mixed,
}

/// One resolution's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// N.
    pub resolution: u32,
    /// How pass 1 transforms its lines, along x.
    pub rows: Lines,
    /// How pass 2 transforms its lines, along z.
    pub columns: Lines,
    /// Fields that a workgroup of pass 1 transforms, one after the other.
    pub row_fields: u32,
    /// Transforms of a column that a workgroup of pass 2 does at once: 1, one after the other, or all 4 side by side.
    pub column_steps: u32,
    /// Neighbouring x that lie together in the scratch: at least the columns of a workgroup of pass 2.
    pub run: u32,
    /// How the scratch holds its values.
    pub precision: Precision,
}

const fn lines(radices: &'static [u32], per_thread: u32, lines: u32) -> Lines {
    Lines { radices, per_thread, lines, split_exchange: false }
}

const fn split(radices: &'static [u32], per_thread: u32, lines: u32) -> Lines {
    Lines { radices, per_thread, lines, split_exchange: true }
}

impl Plan {
    /// The plan of a resolution.
    ///
    /// Small grids are bound by latency, so their four column transforms run side by side and the fields of a row in several workgroups; large ones
    /// by memory and registers, so one after the other.
    pub const fn of(resolution: Resolution, precision: Precision) -> Self {
        let (rows, row_fields, columns, column_steps, run) = match resolution {
            Resolution::R128 => (lines(&[4, 4, 4, 2], 4, 2), 2, lines(&[8, 8, 2], 8, 8), 4, 4),
            Resolution::R256 => (lines(&[4, 4, 4, 4], 4, 2), 2, lines(&[8, 8, 4], 8, 8), 4, 4),
            Resolution::R512 => (lines(&[8, 8, 8], 8, 2), 5, lines(&[8, 8, 8], 8, 2), 1, 4),
            Resolution::R1024 => (lines(&[8, 8, 8, 2], 8, 2), 5, lines(&[8, 8, 8, 2], 8, 2), 1, 4),
            Resolution::R2048 => (split(&[16, 16, 8], 16, 2), 5, split(&[16, 16, 8], 16, 2), 1, 4),
            Resolution::R4096 => (split(&[16, 16, 16], 16, 1), 5, split(&[16, 16, 16], 16, 1), 1, 4),
        };
        Self { resolution: resolution.texels(), rows, columns, row_fields, column_steps, run, precision }
    }

    /// Invocations and bytes of workgroup memory of the two passes, as `[rows, columns]`.
    pub const fn workgroups(&self) -> [(u32, u32); 2] {
        [(self.rows.threads(), self.rows.workgroup_bytes()), (self.columns.threads(), self.columns.workgroup_bytes())]
    }

    /// The size of pass 1's dispatch.
    pub fn rows_workgroups(&self, cascades: u32) -> [u32; 3] {
        [self.resolution / 2 / self.rows.lines, FIELDS.div_ceil(self.row_fields), cascades]
    }

    /// The size of pass 2's dispatch.
    pub fn columns_workgroups(&self, cascades: u32) -> [u32; 3] {
        [self.resolution / self.columns_together(), 1, cascades]
    }

    /// Columns that a workgroup of pass 2 does: its lines are these, or four transforms of each.
    pub fn columns_together(&self) -> u32 {
        self.columns.lines / self.column_steps
    }

    /// Lines k_z from 0 that are held in f32: those that a thread of pass 2 loads as its first and, mirrored, as its last point, so that which
    /// is which is known when the code is written. With them comes one run more, whose first line the mirrored point of thread 0 is.
    pub fn low_lines(&self) -> u32 {
        match self.precision {
            Precision::Full => self.resolution / 2,
            Precision::Mixed => self.columns.threads_per_line() + self.rows.lines,
        }
    }

    /// The first of the lines held in f16, which go on to the last, N/2 − 1.
    pub fn first_high_line(&self) -> u32 {
        match self.precision {
            Precision::Full => self.resolution / 2,
            Precision::Mixed => self.columns.threads_per_line(),
        }
    }

    /// The buffers of the scratch, in the order of their bindings.
    pub fn scratch_parts(&self) -> Vec<ScratchPart> {
        let low = ScratchPart { first_field: 0, fields: FIELDS, first_line: 0, lines: self.low_lines(), value_bytes: 8 };
        let mut parts = vec![low];
        let high = self.resolution / 2 - self.first_high_line();
        if high > 0 {
            let part = |first_field, fields| ScratchPart {
                first_field,
                fields,
                first_line: self.first_high_line(),
                lines: high,
                value_bytes: 4,
            };
            if part(0, FIELDS).bytes(self, 1) <= super::limits::DEFAULT_BINDING_BYTES {
                parts.push(part(0, FIELDS));
            } else {
                parts.extend([part(0, 3), part(3, 2)]);
            }
        }
        parts
    }
}

/// One buffer of the scratch: some of the fields, some of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScratchPart {
    /// The first of its fields.
    pub first_field: u32,
    /// How many fields it holds.
    pub fields: u32,
    /// The first of its lines k_z.
    pub first_line: u32,
    /// How many lines it holds.
    pub lines: u32,
    /// 8 for two f32, 4 for two f16.
    pub value_bytes: u64,
}

impl ScratchPart {
    /// Its size for so many cascades, with the run that the mirrored point of thread 0 reads past the last field, and does not use.
    pub fn bytes(&self, plan: &Plan, cascades: u32) -> u64 {
        let values = u64::from(self.fields) * u64::from(self.lines) * u64::from(plan.resolution) * u64::from(cascades);
        (values + u64::from(plan.rows.lines * plan.run)) * self.value_bytes
    }
}
