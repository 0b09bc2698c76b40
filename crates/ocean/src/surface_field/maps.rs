//! One cascade's fields at one moment, and how they are read between their texels.

/// The fields of a cascade on its tile, before Displacement Scale and Time Scale.
///
/// Texel (a, b) is at index `b * resolution + a` and stands for the world point x = a·L_x/N, z = b·L_z/N (and all its repeats),
/// with no half-texel offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Maps {
    pub(super) displacement: Vec<[f32; 4]>,
    pub(super) gradient: Vec<[f32; 4]>,
    pub(super) velocity: Vec<[f32; 4]>,
}

impl Maps {
    pub(super) fn flat(resolution: usize) -> Self {
        let still = vec![[0.0; 4]; resolution * resolution];
        Self { displacement: still.clone(), gradient: still.clone(), velocity: still }
    }

    /// (D_x, h, D_z, ∂D_x/∂z), m and 1.
    pub fn displacement(&self) -> &[[f32; 4]] {
        &self.displacement
    }

    /// (∂h/∂x, ∂h/∂z, ∂D_x/∂x, ∂D_z/∂z).
    pub fn gradient(&self) -> &[[f32; 4]] {
        &self.gradient
    }

    /// (∂D_x/∂t, ∂h/∂t, ∂D_z/∂t, 0), m per second of the cascade's clock.
    pub fn velocity(&self) -> &[[f32; 4]] {
        &self.velocity
    }
}

/// The sixteen texels around a point, and their weights: Catmull-Rom in both directions. It goes through the texels, has no
/// kinks for a hull to knock on, and is several times closer to the waves between texels than a bilinear reading.
pub(super) struct Stencil {
    columns: [usize; 4],
    rows: [usize; 4],
    column_weights: [f32; 4],
    row_weights: [f32; 4],
}

impl Stencil {
    /// Around `point` (world x, z) on tiles of `tile_length` with `resolution` texels, a power of two.
    pub fn new(point: [f64; 2], texels_per_metre: [f64; 2], resolution: usize) -> Self {
        let (columns, column_weights) = axis(point[0] * texels_per_metre[0], resolution);
        let (rows, row_weights) = axis(point[1] * texels_per_metre[1], resolution);
        Self { columns, rows: rows.map(|row| row * resolution), column_weights, row_weights }
    }

    /// The weighted sum over `map`.
    #[inline]
    pub fn read(&self, map: &[[f32; 4]]) -> [f32; 4] {
        let mut sum = [0.0; 4];
        for (row, row_weight) in self.rows.into_iter().zip(self.row_weights) {
            let mut along = [0.0; 4];
            for (column, weight) in self.columns.into_iter().zip(self.column_weights) {
                let texel = map[row + column];
                for channel in 0..4 {
                    along[channel] += weight * texel[channel];
                }
            }
            for channel in 0..4 {
                sum[channel] += row_weight * along[channel];
            }
        }
        sum
    }
}

fn axis(position: f64, resolution: usize) -> ([usize; 4], [f32; 4]) {
    let floor = libm::floor(position);
    let t = (position - floor) as f32;
    // Saturates for positions past 2⁶³ texels, where there is no "between" any more.
    let base = floor as i64;
    let mask = resolution as i64 - 1;
    let indices = [-1, 0, 1, 2].map(|offset| (base.wrapping_add(offset) & mask) as usize);
    let (t2, t3) = (t * t, t * t * t);
    let weights =
        [0.5 * (2.0 * t2 - t3 - t), 0.5 * (3.0 * t3 - 5.0 * t2 + 2.0), 0.5 * (4.0 * t2 - 3.0 * t3 + t), 0.5 * (t3 - t2)];
    (indices, weights)
}
