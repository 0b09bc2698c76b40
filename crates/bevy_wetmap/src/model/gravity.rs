//! Which way blood drips.

/// Which way a drip steps, in texels: exactly one of the two is ±1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub x: i32,
    pub y: i32,
}

impl Step {
    /// The dominant axis of a gravity vector in UV space. `None` for exactly zero or non-finite gravity: nothing drips.
    ///
    /// Quantised because a fractional step would need interpolation, and that is a second model of movement. A tie goes to `x`.
    pub fn along(gravity_uv: [f32; 2]) -> Option<Self> {
        let [x, y] = gravity_uv;
        if !x.is_finite() || !y.is_finite() || (x == 0.0 && y == 0.0) {
            return None;
        }
        Some(if x.abs() >= y.abs() {
            Self { x: if x > 0.0 { 1 } else { -1 }, y: 0 }
        } else {
            Self { x: 0, y: if y > 0.0 { 1 } else { -1 } }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_is_quantised_to_the_dominant_axis() {
        let step = |x, y| Step::along([x, y]).map(|s| (s.x, s.y));
        assert_eq!(step(0.0, 1.0), Some((0, 1)));
        assert_eq!(step(0.0, -0.1), Some((0, -1)));
        assert_eq!(step(-2.0, 1.0), Some((-1, 0)));
        assert_eq!(step(1.0, -1.0), Some((1, 0)), "a tie goes to x");
        assert_eq!(step(1e-30, 0.0), Some((1, 0)), "however small");
        for (x, y) in [(0.0, 0.0), (-0.0, 0.0), (f32::NAN, 1.0), (1.0, f32::INFINITY)] {
            assert_eq!(step(x, y), None, "({x}, {y})");
        }
    }
}
