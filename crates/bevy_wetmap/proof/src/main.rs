//! Prints the numbers of [`wetmap_proof::numbers`], in hexadecimal, on one line; fails where a list has none.
//!
//! The arguments are how many scripts are generated, and how many texels times ticks a script may have to be
//! played; without them, all are.

use std::process::ExitCode;
use wetmap_proof::Amount;

fn main() -> ExitCode {
    let mut amount = Amount::ALL;
    for (argument, part) in std::env::args().skip(1).zip([&mut amount.generated, &mut amount.largest]) {
        match argument.parse() {
            Ok(count) => *part = count,
            Err(error) => {
                eprintln!("wetmap_proof: the arguments are two counts, and `{argument}` is none: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    match wetmap_proof::numbers(amount) {
        Ok(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:016x}")).collect();
            println!("{}", numbers.join(" "));
            ExitCode::SUCCESS
        }
        Err(broken) => {
            eprintln!("wetmap_proof: {broken}");
            ExitCode::FAILURE
        }
    }
}
