//! Numbers in a link, several of one item with commas between them: `sun=120,14`.

/// One number of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    /// What it is of the item.
    pub what: &'static str,
    pub unit: &'static str,
    pub min: f32,
    pub max: f32,
    /// Whether the largest is the smallest again.
    pub circle: bool,
    /// Decimal places that are written: a link is for people, and nobody sees a tenth of a millimetre.
    pub places: i32,
}

impl Number {
    /// The number that is used for the one that is asked for.
    fn admit(&self, given: f64) -> f32 {
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        let used = if self.circle { given.rem_euclid(max) } else { given.clamp(min, max) };
        let used = if self.places == 0 { used.round() } else { used };
        // −0 is written otherwise than 0.
        used as f32 + 0.0
    }

    fn text(&self, value: f32) -> String {
        let scale = 10f64.powi(self.places);
        let round = |value: f32| (f64::from(value) * scale).round() / scale + 0.0;
        let rounded = round(value);
        if self.circle && rounded >= round(self.max) { "0".to_owned() } else { rounded.to_string() }
    }
}

/// Reads as many numbers as there should be, and says which of them were brought into their range.
pub(super) fn read<const N: usize>(text: &str, numbers: &[Number; N]) -> Result<([f32; N], Option<String>), String> {
    let finite = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let given: Option<Vec<f64>> = text.split(',').take(N + 1).map(finite).collect();
    let given: [f64; N] = given.and_then(|given| given.try_into().ok()).ok_or_else(|| expected(numbers))?;
    let mut used = [0.0; N];
    let mut said = Vec::new();
    for ((used, given), number) in used.iter_mut().zip(given).zip(numbers) {
        *used = number.admit(given);
        if !number.circle && f64::from(*used) != f64::from(given as f32) {
            let Number { what, unit, .. } = number;
            let gap = if matches!(*unit, "" | "°") { "" } else { " " };
            said.push(format!("{what} is {used}{gap}{unit} now, the nearest to what was asked for."));
        }
    }
    Ok((used, (!said.is_empty()).then(|| said.join(" "))))
}

fn expected<const N: usize>(numbers: &[Number; N]) -> String {
    match numbers.as_slice() {
        [number] => format!("{} is a number.", number.what),
        _ => format!("it is {N} numbers: {}.", numbers.map(|number| number.what).join(", ")),
    }
}

/// Writes numbers as they are read.
pub(super) fn write<const N: usize>(values: [f32; N], numbers: &[Number; N]) -> String {
    let texts: Vec<_> = values.iter().zip(numbers).map(|(value, number)| number.text(*value)).collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Number = Number { what: "place", unit: "m", min: -10.0, max: 10.0, circle: false, places: 2 };
    const TURN: Number = Number { what: "turn", unit: "°", min: 0.0, max: 360.0, circle: true, places: 2 };
    const COUNT: Number = Number { what: "count", unit: "", min: 1.0, max: 8.0, circle: false, places: 0 };

    #[test]
    fn numbers_are_brought_into_their_ranges_and_circles_go_around() {
        assert_eq!(read("1.5,-90", &[PLACE, TURN]), Ok(([1.5, 270.0], None)));
        assert_eq!(read(" 2 , 720 ", &[PLACE, TURN]), Ok(([2.0, 0.0], None)));
        let (used, said) = read("-1e300,0", &[PLACE, TURN]).expect("two numbers");
        assert_eq!((used, said.as_deref()), ([-10.0, 0.0], Some("place is -10 m now, the nearest to what was asked for.")));
        assert_eq!(read("2.4", &[COUNT]).map(|read| (read.0, read.1.is_some())), Ok(([2.0], true)));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "1", "1,2,3", "1,x", "NaN,1", "inf,1", ",", "1;2", "1e999,0"] {
            assert_eq!(read(text, &[PLACE, TURN]), Err("it is 2 numbers: place, turn.".into()), "{text}");
        }
        assert_eq!(read("many", &[COUNT]), Err("count is a number.".into()));
    }

    #[test]
    fn what_is_written_is_short_and_comes_back() {
        assert_eq!(write([1.5, 359.999], &[PLACE, TURN]), "1.5,0");
        assert_eq!(write([-0.001, 12.3456], &[PLACE, TURN]), "0,12.35");
        for text in ["-10,359.99", "0,0.01", "3.14,180"] {
            let (values, said) = read(text, &[PLACE, TURN]).expect("two numbers");
            assert_eq!((write(values, &[PLACE, TURN]).as_str(), said), (text, None));
        }
    }
}
