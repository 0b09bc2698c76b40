//! From a sea as given to a sea that the formulas can take, with an account of every difference.

use std::fmt;

use super::{CASCADE_PARAMETERS, Cascade, MAX_CASCADES, Parameter, SEA_PARAMETERS, SeaState};

/// One value that was not used as given. Its `Display` is a sentence for the sea's author.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjustment {
    /// The field, as in [`Parameter::field`]; "cascades" for their number.
    pub field: &'static str,
    /// Index of the cascade, from 0; none for a field of the sea itself.
    pub cascade: Option<usize>,
    /// The value as given.
    pub given: f32,
    /// The value used instead.
    pub used: f32,
    /// Smallest value the field takes.
    pub min: f32,
    /// Largest value the field takes.
    pub max: f32,
    /// Unit of all four, empty for a bare number.
    pub unit: &'static str,
}

impl fmt::Display for Adjustment {
    /// Cascades are counted from 1 here, as on the panel.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, given, used, min, max, .. } = self;
        let gap = if self.unit.is_empty() { "" } else { " " };
        let unit = self.unit;
        if let Some(cascade) = self.cascade {
            write!(f, "cascade {}, ", cascade + 1)?;
        }
        if given.is_nan() {
            write!(f, "{field} is not a number; the default, {used}{gap}{unit}, is used.")?;
        } else {
            write!(f, "{field} is {given}{gap}{unit}; {used}{gap}{unit} is used.")?;
        }
        write!(f, " Set it from {min} to {max}{gap}{unit}.")
    }
}

impl SeaState {
    /// This sea with every value in range, and what had to change for that: out of range becomes the nearest end, NaN the
    /// default, no cascade one default cascade, more than [`MAX_CASCADES`] the first of them. Headings are turned into
    /// [0, 360), which is the same heading and not reported. A validated sea comes back as it is, with nothing to report.
    pub fn validated(&self) -> (SeaState, Vec<Adjustment>) {
        let mut sea = self.clone();
        let mut adjustments = Vec::new();
        admit_all(SEA_PARAMETERS, &mut sea, None, &mut adjustments);
        sea.admit_number_of_cascades(&mut adjustments);
        for (index, cascade) in sea.cascades.iter_mut().enumerate() {
            admit_all(CASCADE_PARAMETERS, cascade, Some(index), &mut adjustments);
        }
        (sea, adjustments)
    }

    fn admit_number_of_cascades(&mut self, adjustments: &mut Vec<Adjustment>) {
        let given = self.cascades.len();
        if given == 0 {
            self.cascades.push(Cascade::DEFAULT);
        }
        self.cascades.truncate(MAX_CASCADES);
        let used = self.cascades.len();
        if used != given {
            adjustments.push(Adjustment {
                field: "cascades",
                cascade: None,
                given: given as f32,
                used: used as f32,
                min: 1.0,
                max: MAX_CASCADES as f32,
                unit: "",
            });
        }
    }
}

impl Cascade {
    /// This cascade with every value in range, unreported: what the formulas apply to whatever they are given.
    pub(crate) fn admitted(mut self) -> Self {
        for parameter in CASCADE_PARAMETERS {
            let used = parameter.admit((parameter.get)(&self));
            (parameter.set)(&mut self, used);
        }
        self
    }
}

fn admit_all<Owner>(
    parameters: &[Parameter<Owner>],
    owner: &mut Owner,
    cascade: Option<usize>,
    adjustments: &mut Vec<Adjustment>,
) {
    for parameter in parameters {
        let given = (parameter.get)(owner);
        let used = parameter.admit(given);
        (parameter.set)(owner, used);
        if parameter.changes(given) {
            let Parameter { field, unit, min, max, .. } = *parameter;
            adjustments.push(Adjustment { field, cascade, given, used, min, max, unit });
        }
    }
}
