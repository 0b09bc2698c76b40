//! Maps as the waves they are made of: two maps of different sizes are the same sea where their waves agree.

use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;

/// The Fourier series of one real field on a tile: coefficient k is the mean of value · e^{−ik·x}.
pub struct Waves {
    n: usize,
    coefficients: Vec<Complex64>,
}

impl Waves {
    /// Of an n² field, `[z][x]`.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut plane: Vec<Complex64> = values.into_iter().map(Complex64::from).collect();
        let n = plane.len().isqrt();
        assert_eq!(n * n, plane.len(), "a square field");
        let transform = FftPlanner::new().plan_fft_forward(n);
        transform.process(&mut plane);
        let mut turned = transposed(&plane, n);
        transform.process(&mut turned);
        let mean = 1.0 / (n * n) as f64;
        Self { n, coefficients: turned.into_iter().map(|value| value * mean).collect() }
    }

    /// Of one channel of a map.
    pub fn of_channel(texels: &[[f32; 4]], channel: usize) -> Self {
        Self::of(texels.iter().map(|texel| f64::from(texel[channel])))
    }

    /// The coefficient of the wave with i_x cycles along x and i_z along z.
    pub fn at(&self, [ix, iz]: [i32; 2]) -> Complex64 {
        let wrapped = |index: i32| index.rem_euclid(self.n as i32) as usize;
        self.coefficients[wrapped(ix) * self.n + wrapped(iz)]
    }

    /// The square mean of the field's waves in `band`.
    pub fn energy(&self, band: Band) -> f64 {
        band.indices().map(|index| self.at(index).norm_sqr()).sum()
    }

    /// The RMS of what two fields differ by in `band`, in units of the RMS of `reference` there.
    pub fn difference(&self, reference: &Self, band: Band) -> f64 {
        let unlike: f64 = band.indices().map(|index| (self.at(index) - reference.at(index)).norm_sqr()).sum();
        (unlike / reference.energy(band)).sqrt()
    }
}

/// The waves with fewer than `below` cycles along either side, and at least `from` along one.
#[derive(Clone, Copy)]
pub struct Band {
    pub from: i32,
    pub below: i32,
}

impl Band {
    /// All that an n² grid holds: its Nyquist row and column are empty.
    pub fn of_grid(n: u32) -> Self {
        Self { from: 0, below: (n / 2) as i32 }
    }

    pub fn indices(self) -> impl Iterator<Item = [i32; 2]> {
        let Self { from, below } = self;
        let square = (1 - below..below).flat_map(move |iz| (1 - below..below).map(move |ix| [ix, iz]));
        square.filter(move |[ix, iz]| ix.abs().max(iz.abs()) >= from)
    }
}

fn transposed(plane: &[Complex64], n: usize) -> Vec<Complex64> {
    let mut turned = vec![Complex64::default(); n * n];
    for (z, row) in plane.chunks(n).enumerate() {
        for (x, value) in row.iter().enumerate() {
            turned[x * n + z] = *value;
        }
    }
    turned
}

/// Pearson's correlation.
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let [mean_a, mean_b] = [a, b].map(mean);
    let moment = |p: &[f64], p0: f64, q: &[f64], q0: f64| p.iter().zip(q).map(|(p, q)| (p - p0) * (q - q0)).sum::<f64>();
    moment(a, mean_a, b, mean_b) / (moment(a, mean_a, a, mean_a) * moment(b, mean_b, b, mean_b)).sqrt()
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
