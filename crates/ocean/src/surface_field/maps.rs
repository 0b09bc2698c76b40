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
/// kinks for a hull to knock on, and keeps closer to the waves between texels than a bilinear reading.
pub(super) struct Stencil {
    x: Axis,
    z: Axis,
    resolution: usize,
}

/// One direction of a stencil.
struct Axis {
    texels: [usize; 4],
    weights: [f32; 4],
    /// Where in its cell the point is, 0..=1, and the cells in a metre.
    t: f32,
    per_metre: f32,
}

/// A value between texels and its derivatives along world x and z.
pub(super) struct Slope {
    pub value: [f32; 4],
    pub along_x: [f32; 4],
    pub along_z: [f32; 4],
}

impl Stencil {
    /// Around `point` (world x, z), on maps of `resolution` texels, a power of two.
    pub fn new(point: [f64; 2], texels_per_metre: [f64; 2], resolution: usize) -> Self {
        let axis = |axis: usize| Axis::new(point[axis], texels_per_metre[axis], resolution);
        Self { x: axis(0), z: axis(1), resolution }
    }

    /// The value of `map`.
    #[inline]
    pub fn read(&self, map: &[[f32; 4]]) -> [f32; 4] {
        let rows = self.z.texels.map(|row| weighted(self.texels(map, row), self.x.weights));
        weighted(rows, self.z.weights)
    }

    /// The value of `map` and how it changes: exactly the derivative of [`read`](Self::read).
    #[inline]
    pub fn read_slope(&self, map: &[[f32; 4]]) -> Slope {
        let (x_rates, z_rates) = (self.x.rates(), self.z.rates());
        let texels = self.z.texels.map(|row| self.texels(map, row));
        let rows = texels.map(|texels| weighted(texels, self.x.weights));
        Slope {
            value: weighted(rows, self.z.weights),
            along_x: weighted(texels.map(|texels| weighted(texels, x_rates)), self.z.weights),
            along_z: weighted(rows, z_rates),
        }
    }

    #[inline]
    fn texels(&self, map: &[[f32; 4]], row: usize) -> [[f32; 4]; 4] {
        let row = &map[row * self.resolution..][..self.resolution];
        self.x.texels.map(|column| row[column])
    }
}

impl Axis {
    fn new(position: f64, per_metre: f64, resolution: usize) -> Self {
        let position = position * per_metre;
        let floor = libm::floor(position);
        // Saturates for positions past 2⁶³ texels, where there is no "between" any more.
        let base = floor as i64;
        let mask = resolution as i64 - 1;
        let t = (position - floor) as f32;
        let (t2, t3) = (t * t, t * t * t);
        Self {
            texels: [-1, 0, 1, 2].map(|offset| (base.wrapping_add(offset) & mask) as usize),
            weights: [
                0.5 * (2.0 * t2 - t3 - t),
                0.5 * (3.0 * t3 - 5.0 * t2 + 2.0),
                0.5 * (4.0 * t2 - 3.0 * t3 + t),
                0.5 * (t3 - t2),
            ],
            t,
            per_metre: per_metre as f32,
        }
    }

    /// The weights' derivatives by the world coordinate.
    fn rates(&self) -> [f32; 4] {
        let (t, half) = (self.t, 0.5 * self.per_metre);
        let t2 = t * t;
        [
            half * (4.0 * t - 3.0 * t2 - 1.0),
            half * (9.0 * t2 - 10.0 * t),
            half * (8.0 * t - 9.0 * t2 + 1.0),
            half * (3.0 * t2 - 2.0 * t),
        ]
    }
}

#[inline]
fn weighted(values: [[f32; 4]; 4], weights: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|channel| {
        (values[0][channel] * weights[0] + values[1][channel] * weights[1])
            + (values[2][channel] * weights[2] + values[3][channel] * weights[3])
    })
}
