//! Questions to the surface at one moment: how high is the water *here*, which way is up, how does it move.
//!
//! A texel belongs to a rest point x, and is drawn at x + D(x). What stands at a world point X is therefore found by solving
//! x + D(x) = X first, once for all cascades together.

use super::layer::Layer;
use super::maps::{Maps, Slope, Stencil};

/// The most steps that [`Moment`] takes to invert x + D(x) = X. A gentle sea needs two, a rough one four; the rest is for
/// places where the surface is about to fold.
pub const INVERSION_STEPS: usize = 12;

/// An inversion ends early at this distance from the point asked for, m.
pub const INVERSION_TOLERANCE: f64 = 1e-3;

/// Small beside the Jacobian's square, which is about 1 where nothing folds.
const INITIAL_DAMPING: f64 = 0.01;

/// The water at one world point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// From the water's rest point to where it is now (x, y, z), m; y is the height over the water level.
    pub displacement: [f32; 3],
    /// Unit normal of the displaced surface; never points down.
    pub normal: [f32; 3],
    /// Velocity of the water there, m/s of real time.
    pub velocity: [f32; 3],
}

/// The surface at one moment between two updates.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    pub(super) layers: &'a [Layer],
    pub(super) resolution: usize,
    /// 0 is the previous update, 1 the last.
    pub(super) blend: f32,
}

impl Moment<'_> {
    /// Height of the water over the water level at a world point (x, z), m. Flat where the point is not finite.
    pub fn height_at(&self, world: [f32; 2]) -> f32 {
        self.displacement_at(world)[1]
    }

    /// The displacement (x, y, z) of the water that is at a world point now, m: it came from (X − D_x, Z − D_z).
    pub fn displacement_at(&self, world: [f32; 2]) -> [f32; 3] {
        self.invert(world).1
    }

    /// Unit normal of the displaced surface at a world point; never points down, also where the surface has folded.
    pub fn normal_at(&self, world: [f32; 2]) -> [f32; 3] {
        self.normal_of(self.invert(world).0)
    }

    /// Velocity (x, y, z) of the water at a world point, m/s of real time: what drags a body along.
    pub fn velocity_at(&self, world: [f32; 2]) -> [f32; 3] {
        self.velocity_of(self.invert(world).0)
    }

    /// All of them at once, for one inversion.
    pub fn sample_at(&self, world: [f32; 2]) -> Sample {
        let (rest, displacement) = self.invert(world);
        Sample { displacement, normal: self.normal_of(rest), velocity: self.velocity_of(rest) }
    }

    /// The displacement (x, y, z) of the water whose rest point is (x, z), m. No inversion.
    pub fn displacement_of(&self, rest: [f64; 2]) -> [f32; 3] {
        let [x, y, z, _] = self.sum(rest, Maps::displacement, |layer| layer.displacement_scale);
        [x, y, z]
    }

    /// Unit normal at the water whose rest point is (x, z): of the tangents ∂(x + D)/∂x and ∂(x + D)/∂z.
    fn normal_of(&self, rest: [f64; 2]) -> [f32; 3] {
        let [_, _, _, shear] = self.sum(rest, Maps::displacement, |layer| layer.displacement_scale);
        let [slope_x, slope_z, stretch_x, stretch_z] = self.sum(rest, Maps::gradient, |layer| layer.displacement_scale);
        let (along_x, along_z) = (1.0 + stretch_x, 1.0 + stretch_z);
        upright([slope_z * shear - along_z * slope_x, along_x * along_z - shear * shear, slope_x * shear - along_x * slope_z])
    }

    fn velocity_of(&self, rest: [f64; 2]) -> [f32; 3] {
        let [x, y, z, _] = self.sum(rest, Maps::velocity, |layer| layer.displacement_scale * layer.time_scale);
        [x, y, z]
    }

    /// The rest point x with x + D(x) = `world`, and its displacement.
    ///
    /// Newton's steps, damped after Levenberg and Marquardt: plain ones run away where the surface is about to fold and the
    /// Jacobian of x + D vanishes. Where damping leads nowhere either, on the brink of a fold, a leap starts afresh from
    /// X − D(x). Where the surface has folded, any of the up to three answers will do. The best point found is the answer in
    /// any case, and always finite.
    fn invert(&self, world: [f32; 2]) -> ([f64; 2], [f32; 3]) {
        if !world[0].is_finite() || !world[1].is_finite() {
            return ([0.0; 2], [0.0; 3]);
        }
        let world = world.map(f64::from);
        let mut best = Attempt::new(self, world, world);
        let mut from = best;
        let mut damping = INITIAL_DAMPING;
        for _ in 1..INVERSION_STEPS {
            if best.error < INVERSION_TOLERANCE * INVERSION_TOLERANCE {
                break;
            }
            if damping > 1.0 {
                from = Attempt::new(self, world, from.leap());
                damping = INITIAL_DAMPING;
            } else {
                let next = Attempt::new(self, world, from.step(damping));
                if next.error < from.error {
                    from = next;
                    damping *= 0.1;
                } else {
                    damping = 10.0 * damping + 0.1;
                }
            }
            if from.error < best.error {
                best = from;
            }
        }
        (best.rest, best.displacement)
    }

    /// The displacement of a rest point, with its derivatives.
    fn slope_of(&self, rest: [f64; 2]) -> Slope {
        let mut sum = Slope { value: [0.0; 4], along_x: [0.0; 4], along_z: [0.0; 4] };
        for layer in self.layers.iter().filter(|layer| layer.displacement_scale != 0.0) {
            let stencil = Stencil::new(rest, layer.texels_per_metre, self.resolution);
            for (maps, share) in self.shares(layer) {
                if share > 0.0 {
                    let read = stencil.read_slope(maps.displacement());
                    let factor = layer.displacement_scale * share;
                    accumulate(&mut sum.value, read.value, factor);
                    accumulate(&mut sum.along_x, read.along_x, factor);
                    accumulate(&mut sum.along_z, read.along_z, factor);
                }
            }
        }
        sum
    }

    /// One of the maps at a rest point, over all cascades.
    fn sum(&self, rest: [f64; 2], map: fn(&Maps) -> &[[f32; 4]], factor: fn(&Layer) -> f32) -> [f32; 4] {
        let mut sum = [0.0; 4];
        for layer in self.layers.iter().filter(|layer| layer.displacement_scale != 0.0) {
            let stencil = Stencil::new(rest, layer.texels_per_metre, self.resolution);
            for (maps, share) in self.shares(layer) {
                if share > 0.0 {
                    accumulate(&mut sum, stencil.read(map(maps)), factor(layer) * share);
                }
            }
        }
        sum
    }

    fn shares<'a>(&self, layer: &'a Layer) -> [(&'a Maps, f32); 2] {
        [(&layer.current, self.blend), (&layer.previous, 1.0 - self.blend)]
    }
}

#[inline]
fn accumulate(sum: &mut [f32; 4], value: [f32; 4], factor: f32) {
    for (sum, value) in sum.iter_mut().zip(value) {
        *sum += factor * value;
    }
}

/// One guess at a rest point.
#[derive(Clone, Copy)]
struct Attempt {
    rest: [f64; 2],
    displacement: [f32; 3],
    /// What is missing to the world point, and its square.
    residual: [f64; 2],
    error: f64,
    /// ∂(x + D)/∂x, by rows.
    jacobian: [[f64; 2]; 2],
}

impl Attempt {
    fn new(moment: &Moment<'_>, world: [f64; 2], rest: [f64; 2]) -> Self {
        let Slope { value: [dx, height, dz, _], along_x, along_z } = moment.slope_of(rest);
        let residual = [world[0] - rest[0] - f64::from(dx), world[1] - rest[1] - f64::from(dz)];
        Self {
            rest,
            displacement: [dx, height, dz],
            residual,
            error: residual[0] * residual[0] + residual[1] * residual[1],
            jacobian: [
                [1.0 + f64::from(along_x[0]), f64::from(along_z[0])],
                [f64::from(along_x[2]), 1.0 + f64::from(along_z[2])],
            ],
        }
    }

    /// Somewhere else to start from: X − D(x), which is a solution's neighbour where D is not steep.
    fn leap(&self) -> [f64; 2] {
        [self.rest[0] + self.residual[0], self.rest[1] + self.residual[1]]
    }

    /// Where to look next: rest + (JᵀJ + damping)⁻¹ Jᵀ residual.
    fn step(&self, damping: f64) -> [f64; 2] {
        let [[a, b], [c, d]] = self.jacobian;
        let [rx, rz] = self.residual;
        let [gx, gz] = [a * rx + c * rz, b * rx + d * rz];
        let (xx, xz, zz) = (a * a + c * c + damping, a * b + c * d, b * b + d * d + damping);
        // At least damping², since JᵀJ has no negative eigenvalue.
        let determinant = xx * zz - xz * xz;
        [self.rest[0] + (zz * gx - xz * gz) / determinant, self.rest[1] + (xx * gz - xz * gx) / determinant]
    }
}

/// `v` at unit length, turned up where it points down; straight up where it has no length.
fn upright(v: [f32; 3]) -> [f32; 3] {
    let length = libm::sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if length < 1e-12 {
        return [0.0, 1.0, 0.0];
    }
    let scale = if v[1] < 0.0 { -1.0 / length } else { 1.0 / length };
    v.map(|component| component * scale)
}
