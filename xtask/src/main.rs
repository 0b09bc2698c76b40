//! The project's own commands: `cargo xtask serve · test · build · review · bench · prove`.
//!
//! Everything that a person or a machine has to do with this repository beyond `cargo` itself is one of these commands, so
//! that there is one way to do it and it is the same everywhere. `cargo xtask help` lists them. Each file here says in
//! its first lines what it is for; `cli` is where to start reading.

mod bench;
mod check;
mod cli;
mod deploy;
mod finish;
mod process;
mod prove;
mod review;
mod serve;
mod site;
mod tools;
mod workspace;

use std::process::ExitCode;

/// The exit code for a command line that cannot be understood, as most tools use it.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let command = match cli::parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("xtask: {error}\n\n{}", cli::HELP);
            return ExitCode::from(USAGE);
        }
    };
    if let Err(error) = process::end_children_with_us() {
        eprintln!("xtask: Ctrl+C will not end what this command starts: {error:#}");
    }
    let done = match command {
        cli::Command::Help => {
            println!("{}", cli::HELP);
            Ok(true)
        }
        cli::Command::Serve(options) => serve::run(&options),
        cli::Command::Test(options) => check::run(&options),
        cli::Command::Build => deploy::run(),
        cli::Command::Review(options) => review::run(&options),
        cli::Command::Bench(arguments) => bench::run(&arguments),
        cli::Command::Prove(arguments) => prove::run(&arguments),
        cli::Command::Finish => finish::run(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
