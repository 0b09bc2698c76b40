//! Every dial of the sea as data: the one place its range, unit, default and meaning are written. Validation, panels and
//! pages read this table.

use super::{Cascade, SeaState};

/// What is done with a value past the ends of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The nearest end is used, and that is reported.
    Clamped,
    /// The range is a circle, `max` is `min` again: the same angle is used, and there is nothing to report.
    Circle,
}

/// One dial of `Owner` ([`Cascade`] or [`SeaState`]).
#[derive(Clone, Copy, Debug)]
pub struct Parameter<Owner: 'static> {
    /// The field's name in code and files; an axis is appended where the field has two.
    pub field: &'static str,
    /// Its name on a panel.
    pub label: &'static str,
    /// Unit, empty for a bare number.
    pub unit: &'static str,
    /// Smallest value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
    /// What holds where nothing is said, and in place of NaN.
    pub default: f32,
    /// Whether the range is an interval or a circle.
    pub wrap: Wrap,
    /// What turning it does, in one sentence.
    pub meaning: &'static str,
    /// Reads the field.
    pub get: fn(&Owner) -> f32,
    /// Writes the field, unchecked.
    pub set: fn(&mut Owner, f32),
}

impl<Owner> Parameter<Owner> {
    /// The meaningful value nearest to `value`: itself where it is in range, an end of the range where it is not (also for
    /// ±∞), the default for NaN, and on a circle the same angle in [min, max).
    pub fn admit(&self, value: f32) -> f32 {
        let admitted = match self.wrap {
            _ if value.is_nan() => self.default,
            Wrap::Clamped => value.clamp(self.min, self.max),
            Wrap::Circle if value.is_infinite() => self.default,
            Wrap::Circle => self.around(value),
        };
        // −0 is in range, and would make the digests of two equal seas differ.
        admitted + 0.0
    }

    fn around(&self, value: f32) -> f32 {
        let turned = self.min + (value - self.min).rem_euclid(self.max - self.min);
        // The remainder of a tiny negative angle rounds up to a whole turn.
        if turned < self.max { turned } else { self.min }
    }

    /// Whether using [`admit`](Self::admit)'s value for `value` is a change that somebody should hear of.
    pub(super) fn changes(&self, value: f32) -> bool {
        match self.wrap {
            Wrap::Clamped => self.admit(value) != value,
            Wrap::Circle => !value.is_finite(),
        }
    }
}

/// The dials of a whole sea that are numbers with a range. The seed may be any `u32`; there are 1 to
/// [`MAX_CASCADES`](super::MAX_CASCADES) cascades.
pub const SEA_PARAMETERS: &[Parameter<SeaState>] = &[Parameter {
    field: "sea_depth",
    label: "Sea Depth",
    unit: "m",
    min: 0.1,
    max: 10_000.0,
    default: 20.0,
    wrap: Wrap::Clamped,
    meaning: "Depth of the water. Shallow water slows, shortens and lowers the long waves.",
    get: |sea| sea.sea_depth,
    set: |sea, value| sea.sea_depth = value,
}];

const DIAL: Parameter<Cascade> = Parameter {
    field: "",
    label: "",
    unit: "",
    min: 0.0,
    max: 1.0,
    default: 0.0,
    wrap: Wrap::Clamped,
    meaning: "",
    get: |_| 0.0,
    set: |_, _| (),
};

/// The dials of one cascade, in the order of a panel.
pub const CASCADE_PARAMETERS: &[Parameter<Cascade>] = &[
    Parameter {
        field: "tile_length.x",
        label: "Tile Length X",
        unit: "m",
        min: 1.0,
        max: 10_000.0,
        default: Cascade::DEFAULT.tile_length[0],
        meaning: "Size of the repeating tile along world x.",
        get: |cascade| cascade.tile_length[0],
        set: |cascade, value| cascade.tile_length[0] = value,
        ..DIAL
    },
    Parameter {
        field: "tile_length.z",
        label: "Tile Length Y",
        unit: "m",
        min: 1.0,
        max: 10_000.0,
        default: Cascade::DEFAULT.tile_length[1],
        meaning: "Size of the repeating tile along world z, the map's second axis.",
        get: |cascade| cascade.tile_length[1],
        set: |cascade, value| cascade.tile_length[1] = value,
        ..DIAL
    },
    Parameter {
        field: "time_scale",
        label: "Time Scale",
        max: 10.0,
        default: Cascade::DEFAULT.time_scale,
        meaning: "How fast this cascade's clock runs: 1 is real time, 0 freezes it. Rebuilds nothing.",
        get: |cascade| cascade.time_scale,
        set: |cascade, value| cascade.time_scale = value,
        ..DIAL
    },
    Parameter {
        field: "wind_speed",
        label: "Wind Speed",
        unit: "m/s",
        max: 60.0,
        default: Cascade::DEFAULT.wind_speed,
        meaning: "Average wind over the water. The formulas take at least 0.05 m/s.",
        get: |cascade| cascade.wind_speed,
        set: |cascade, value| cascade.wind_speed = value,
        ..DIAL
    },
    Parameter {
        field: "wind_direction",
        label: "Wind Direction",
        unit: "°",
        max: 360.0,
        default: Cascade::DEFAULT.wind_direction,
        wrap: Wrap::Circle,
        meaning: "Heading the wind blows to: 0 is +x, 90 is +z.",
        get: |cascade| cascade.wind_direction,
        set: |cascade, value| cascade.wind_direction = value,
        ..DIAL
    },
    Parameter {
        field: "fetch_length",
        label: "Fetch Length",
        unit: "km",
        max: 10_000.0,
        default: Cascade::DEFAULT.fetch_length,
        meaning: "Distance the wind has blown over: longer is higher and longer waves. The formulas take at least 1 m.",
        get: |cascade| cascade.fetch_length,
        set: |cascade, value| cascade.fetch_length = value,
        ..DIAL
    },
    Parameter {
        field: "swell",
        label: "Swell",
        max: 2.0,
        default: Cascade::DEFAULT.swell,
        meaning: "Gathers the long waves around the wind's heading.",
        get: |cascade| cascade.swell,
        set: |cascade, value| cascade.swell = value,
        ..DIAL
    },
    Parameter {
        field: "detail",
        label: "Detail",
        default: Cascade::DEFAULT.detail,
        meaning: "1 keeps every wave, less takes the shortest away.",
        get: |cascade| cascade.detail,
        set: |cascade, value| cascade.detail = value,
        ..DIAL
    },
    Parameter {
        field: "spread",
        label: "Spread",
        default: Cascade::DEFAULT.spread,
        meaning: "0 follows the wind, 1 goes evenly in all directions.",
        get: |cascade| cascade.spread,
        set: |cascade, value| cascade.spread = value,
        ..DIAL
    },
    Parameter {
        field: "whitecap",
        label: "Whitecap",
        max: 2.0,
        default: Cascade::DEFAULT.whitecap,
        meaning: "How steep a wave must get before it foams: lower is sooner, at 1 the surface must fold.",
        get: |cascade| cascade.whitecap,
        set: |cascade, value| cascade.whitecap = value,
        ..DIAL
    },
    Parameter {
        field: "foam_amount",
        label: "Foam Amount",
        max: 10.0,
        default: Cascade::DEFAULT.foam_amount,
        meaning: "How much foam a breaking wave makes, and how long it lingers.",
        get: |cascade| cascade.foam_amount,
        set: |cascade, value| cascade.foam_amount = value,
        ..DIAL
    },
    Parameter {
        field: "displacement_scale",
        label: "Displacement Scale",
        max: 4.0,
        default: Cascade::DEFAULT.displacement_scale,
        meaning: "Factor on the displacement as drawn; 0 leaves the cascade in the shading only.",
        get: |cascade| cascade.displacement_scale,
        set: |cascade, value| cascade.displacement_scale = value,
        ..DIAL
    },
    Parameter {
        field: "normal_scale",
        label: "Normal Scale",
        max: 4.0,
        default: Cascade::DEFAULT.normal_scale,
        meaning: "Factor on the shading normal.",
        get: |cascade| cascade.normal_scale,
        set: |cascade, value| cascade.normal_scale = value,
        ..DIAL
    },
];
