//! The inverse 2D Fourier transform of the CPU field.
//!
//! Of our own because it has to give the same bits everywhere: plain `f32` sums in a fixed order and twiddles from `libm`,
//! where libraries take sines from the platform and pick kernels by processor. It is quick because it transforms [`LANES`]
//! neighbouring columns at a time, which compilers turn into vector instructions without changing a single rounding.

/// Columns transformed side by side.
const LANES: usize = 8;

/// A complex square grid in two planes, row by row.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub re: Vec<f32>,
    pub im: Vec<f32>,
}

impl Plane {
    pub fn new(resolution: usize) -> Self {
        let texels = resolution * resolution;
        Self { re: vec![0.0; texels], im: vec![0.0; texels] }
    }
}

/// One complex number in each of [`LANES`] columns.
#[derive(Clone, Copy, Debug)]
struct Lanes {
    re: [f32; LANES],
    im: [f32; LANES],
}

impl Lanes {
    const ZERO: Self = Self { re: [0.0; LANES], im: [0.0; LANES] };

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self {
            re: std::array::from_fn(|lane| self.re[lane] + other.re[lane]),
            im: std::array::from_fn(|lane| self.im[lane] + other.im[lane]),
        }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self {
            re: std::array::from_fn(|lane| self.re[lane] - other.re[lane]),
            im: std::array::from_fn(|lane| self.im[lane] - other.im[lane]),
        }
    }

    #[inline(always)]
    fn times_i(self) -> Self {
        Self { re: std::array::from_fn(|lane| -self.im[lane]), im: self.re }
    }

    #[inline(always)]
    fn times(self, [re, im]: [f32; 2]) -> Self {
        Self {
            re: std::array::from_fn(|lane| self.re[lane] * re - self.im[lane] * im),
            im: std::array::from_fn(|lane| self.re[lane] * im + self.im[lane] * re),
        }
    }
}

/// Tables and scratch for one grid size.
#[derive(Clone, Debug)]
pub(super) struct InverseFft {
    resolution: usize,
    /// e^{+2πi j/N}.
    twiddles: Vec<[f32; 2]>,
    columns: Vec<Lanes>,
    other: Vec<Lanes>,
    transposed: Plane,
}

impl InverseFft {
    /// For grids of `resolution`², a power of two of at least [`LANES`].
    pub fn new(resolution: usize) -> Self {
        let twiddle = |index: usize| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * index as f64 / resolution as f64);
            [cos as f32, sin as f32]
        };
        Self {
            resolution,
            twiddles: (0..resolution).map(twiddle).collect(),
            columns: vec![Lanes::ZERO; resolution],
            other: vec![Lanes::ZERO; resolution],
            transposed: Plane::new(resolution),
        }
    }

    /// Replaces `plane` by Σ_k plane(k) e^{+ik·x}, not divided by anything. Rows stay rows and columns stay columns.
    pub fn transform(&mut self, plane: &mut Plane) {
        let mut transposed = std::mem::replace(&mut self.transposed, Plane { re: Vec::new(), im: Vec::new() });
        self.columns_to_rows(plane, &mut transposed);
        self.columns_to_rows(&transposed, plane);
        self.transposed = transposed;
    }

    /// Transforms each column of `from` into the row of the same number of `to`: twice, and both axes are done and back.
    fn columns_to_rows(&mut self, from: &Plane, to: &mut Plane) {
        let n = self.resolution;
        for first in (0..n).step_by(LANES) {
            for (row, lanes) in self.columns.iter_mut().enumerate() {
                let at = row * n + first;
                lanes.re.copy_from_slice(&from.re[at..at + LANES]);
                lanes.im.copy_from_slice(&from.im[at..at + LANES]);
            }
            self.transform_columns();
            for lane in 0..LANES {
                let row = (first + lane) * n..(first + lane + 1) * n;
                for (out, lanes) in to.re[row.clone()].iter_mut().zip(&self.columns) {
                    *out = lanes.re[lane];
                }
                for (out, lanes) in to.im[row].iter_mut().zip(&self.columns) {
                    *out = lanes.im[lane];
                }
            }
        }
    }

    /// Stockham's autosort by fours, with a last pass by two where N is not a power of four.
    fn transform_columns(&mut self) {
        let (mut length, mut stride) = (self.resolution, 1);
        while length >= 4 {
            pass_by_four(&self.columns, &mut self.other, &self.twiddles, length, stride);
            std::mem::swap(&mut self.columns, &mut self.other);
            length /= 4;
            stride *= 4;
        }
        if length == 2 {
            pass_by_two(&self.columns, &mut self.other);
            std::mem::swap(&mut self.columns, &mut self.other);
        }
    }
}

fn pass_by_four(from: &[Lanes], to: &mut [Lanes], twiddles: &[[f32; 2]], length: usize, stride: usize) {
    let quarter = from.len() / 4;
    let (a, rest) = from.split_at(quarter);
    let (b, rest) = rest.split_at(quarter);
    let (c, d) = rest.split_at(quarter);
    for p in 0..length / 4 {
        // N / length is the stride.
        let [w1, w2, w3] = [1, 2, 3].map(|power| twiddles[power * p * stride]);
        let inputs = p * stride..(p + 1) * stride;
        let outputs = &mut to[4 * p * stride..4 * (p + 1) * stride];
        let (out0, rest) = outputs.split_at_mut(stride);
        let (out1, rest) = rest.split_at_mut(stride);
        let (out2, out3) = rest.split_at_mut(stride);
        for (q, at) in inputs.enumerate() {
            let (even, odd) = (a[at].plus(c[at]), b[at].plus(d[at]));
            let (even_turned, odd_turned) = (a[at].minus(c[at]), b[at].minus(d[at]).times_i());
            out0[q] = even.plus(odd);
            out1[q] = even_turned.plus(odd_turned).times(w1);
            out2[q] = even.minus(odd).times(w2);
            out3[q] = even_turned.minus(odd_turned).times(w3);
        }
    }
}

fn pass_by_two(from: &[Lanes], to: &mut [Lanes]) {
    let half = from.len() / 2;
    let (a, b) = from.split_at(half);
    let (sum, difference) = to.split_at_mut(half);
    for at in 0..half {
        sum[at] = a[at].plus(b[at]);
        difference[at] = a[at].minus(b[at]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(plane: &Plane, n: usize, x: usize, z: usize) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for kz in 0..n {
            for kx in 0..n {
                let turns = ((kx * x + kz * z) % n) as f64 / n as f64;
                let (sin, cos) = libm::sincos(std::f64::consts::TAU * turns);
                let (re, im) = (f64::from(plane.re[kz * n + kx]), f64::from(plane.im[kz * n + kx]));
                sum[0] += re * cos - im * sin;
                sum[1] += re * sin + im * cos;
            }
        }
        sum
    }

    #[test]
    fn equals_the_sum_it_stands_for_at_every_size() {
        for n in [16, 32, 64, 128, 256] {
            let mut plane = Plane::new(n);
            for at in 0..n * n {
                let [re, im] = crate::noise::unit_normals(at as i32, n as i32, 1);
                (plane.re[at], plane.im[at]) = (re as f32, im as f32);
            }
            let spectrum = plane.clone();
            InverseFft::new(n).transform(&mut plane);
            for (x, z) in [(0, 0), (1, 0), (0, 1), (3, 5), (n / 2, 7), (n - 1, n - 2)] {
                let expected = naive(&spectrum, n, x, z);
                // Each value is a sum of N² terms of size 1: N in size.
                let tolerance = 1e-6 * n as f64;
                assert!((f64::from(plane.re[z * n + x]) - expected[0]).abs() < tolerance, "{n}: ({x}, {z})");
                assert!((f64::from(plane.im[z * n + x]) - expected[1]).abs() < tolerance, "{n}: ({x}, {z})");
            }
        }
    }
}
