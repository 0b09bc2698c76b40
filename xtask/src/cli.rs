//! What can be typed after `cargo xtask`, and how it is understood.
//!
//! Written by hand because there is little of it: seven commands and a few options. Anything unknown is an error that names
//! what would have been understood, never ignored.

use std::fmt;

/// What `cargo xtask help` prints.
pub const HELP: &str = "\
cargo xtask COMMAND

  serve [--dev|--release] [--port N] [--open]
          install what is missing, build the site, serve it, rebuild and reload on every change.
          --dev (the default) builds fast; --release builds what visitors get, without wasm-opt
  test [--quick] [--only] [STAGE ...]
          everything that is checked, stage by stage; with names, those stages and what they need
          (--only: without what they need; --quick: without the web build and the browser).
          stages: tools fmt clippy doc unit core wasm pages browser, and, only where named, gpu:
          the pictures that the processor would take minutes for
  build   the deployable site in dist/: optimised, compressed, measured against its budgets
  review [--from FOLDER]
          the notes pages beside what a browser was seen to do, row by row, as one page for people;
          --from: of a record that is there, as the browser tests leave it in tests/artifacts/review
  bench [NAME [ARGUMENT ...]]
          the benchmarks, or one of them with its own arguments
  prove [PART OF A NAME ...]
          the wetmap's digests on every kind of machine that this one can be or imitate
  help    this text";

/// One command with its options.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Print [`HELP`].
    Help,
    /// Build, serve, watch.
    Serve(Serve),
    /// Check everything.
    Test(Test),
    /// Make what is deployed.
    Build,
    /// Show what the notes promise beside what was seen.
    Review(Review),
    /// Run benchmarks; the arguments are a name and what that benchmark takes.
    Bench(Vec<String>),
    /// Compare digests between kinds of machines; the arguments are parts of their names.
    Prove(Vec<String>),
    /// Finish a site that Trunk has just put together: Trunk's hook, not for people.
    Finish,
}

/// The options of `serve`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Serve {
    /// Build what visitors get rather than what builds fast.
    pub release: bool,
    /// The port that was asked for, if one was.
    pub port: Option<u16>,
    /// Open a browser once the site is there.
    pub open: bool,
}

/// The options of `test`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// Leave out the web build and everything that needs it.
    pub quick: bool,
    /// Run the named stages without what they need.
    pub only: bool,
    /// The stages that were named; empty means all of them.
    pub stages: Vec<String>,
}

/// The options of `review`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The folder of a record that is to be shown; without one it is made.
    pub from: Option<String>,
}

/// Why a command line was not understood.
#[derive(Debug, PartialEq, Eq)]
pub enum Misunderstood {
    /// No such command.
    Command(String),
    /// The command has no such option or takes no such argument.
    Argument(&'static str, String),
    /// The option needs a value that is missing or is not one.
    Value(&'static str, String),
    /// Two options that exclude each other.
    Contradiction(&'static str, &'static str),
    /// `--only` without a stage.
    OnlyWhat,
}

impl fmt::Display for Misunderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(name) => write!(f, "there is no command `{name}`"),
            Self::Argument(command, argument) => {
                write!(f, "`{command}` does not take `{argument}`")
            }
            Self::Value(option, value) => write!(f, "`{option}` needs a {value}"),
            Self::Contradiction(one, other) => {
                write!(f, "`{one}` and `{other}` exclude each other")
            }
            Self::OnlyWhat => write!(f, "`--only` needs the name of at least one stage"),
        }
    }
}

/// Understands the arguments that follow `cargo xtask`.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Command, Misunderstood> {
    let mut arguments = arguments.into_iter();
    let Some(command) = arguments.next() else {
        return Ok(Command::Help);
    };
    let rest: Vec<String> = arguments.collect();
    let wants_help = rest.iter().any(|a| a == "--help" || a == "-h");
    match command.as_str() {
        "help" | "--help" | "-h" => Ok(Command::Help),
        "serve" | "test" | "build" | "review" | "finish" | "prove" if wants_help => Ok(Command::Help),
        "serve" => parse_serve(&rest),
        "test" => parse_test(rest),
        "build" => nothing_more("build", &rest).map(|()| Command::Build),
        "finish" => nothing_more("finish", &rest).map(|()| Command::Finish),
        "review" => parse_review(&rest),
        "bench" => Ok(Command::Bench(rest)),
        "prove" => Ok(Command::Prove(rest)),
        _ => Err(Misunderstood::Command(command)),
    }
}

fn nothing_more(command: &'static str, rest: &[String]) -> Result<(), Misunderstood> {
    match rest.first() {
        None => Ok(()),
        Some(argument) => Err(Misunderstood::Argument(command, argument.clone())),
    }
}

fn parse_serve(rest: &[String]) -> Result<Command, Misunderstood> {
    let (mut dev, mut options) = (false, Serve::default());
    let mut rest = rest.iter();
    while let Some(argument) = rest.next() {
        let (name, attached) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (argument.as_str(), None),
        };
        match name {
            "--dev" if attached.is_none() => dev = true,
            "--release" if attached.is_none() => options.release = true,
            "--open" if attached.is_none() => options.open = true,
            "--port" | "-p" => {
                let value = attached.or_else(|| rest.next().cloned());
                let port = value.and_then(|v| v.parse().ok()).filter(|&p| p != 0);
                let missing = || Misunderstood::Value("--port", "number from 1 to 65535".into());
                options.port = Some(port.ok_or_else(missing)?);
            }
            _ => return Err(Misunderstood::Argument("serve", argument.clone())),
        }
    }
    if dev && options.release {
        return Err(Misunderstood::Contradiction("--dev", "--release"));
    }
    Ok(Command::Serve(options))
}

fn parse_test(rest: Vec<String>) -> Result<Command, Misunderstood> {
    let mut options = Test::default();
    for argument in rest {
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--only" => options.only = true,
            name if crate::check::is_stage(name) => options.stages.push(argument),
            _ => return Err(Misunderstood::Argument("test", argument)),
        }
    }
    if options.only && options.stages.is_empty() {
        return Err(Misunderstood::OnlyWhat);
    }
    Ok(Command::Test(options))
}

fn parse_review(rest: &[String]) -> Result<Command, Misunderstood> {
    let mut options = Review::default();
    let mut rest = rest.iter();
    while let Some(argument) = rest.next() {
        let value = match argument.split_once('=') {
            Some(("--from", value)) => Some(value.to_owned()),
            None if argument == "--from" => rest.next().cloned(),
            _ => return Err(Misunderstood::Argument("review", argument.clone())),
        };
        let folder = value.filter(|folder| !folder.is_empty());
        options.from = Some(folder.ok_or_else(|| Misunderstood::Value("--from", "folder".into()))?);
    }
    Ok(Command::Review(options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn understand(line: &str) -> Result<Command, Misunderstood> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn commands_and_options() {
        assert_eq!(understand(""), Ok(Command::Help));
        assert_eq!(understand("test --help"), Ok(Command::Help));
        assert_eq!(understand("build"), Ok(Command::Build));
        assert_eq!(
            understand("serve --release --port=9000 --open"),
            Ok(Command::Serve(Serve { release: true, port: Some(9000), open: true }))
        );
        assert_eq!(
            understand("test fmt clippy --only"),
            Ok(Command::Test(Test { only: true, quick: false, stages: vec!["fmt".into(), "clippy".into()] }))
        );
        let from = |folder: &str| Ok(Command::Review(Review { from: Some(folder.into()) }));
        assert_eq!(understand("review"), Ok(Command::Review(Review { from: None })));
        assert_eq!(understand("review --from a"), from("a"));
        assert_eq!(understand("review --from=a"), from("a"));
        assert_eq!(understand("prove wasm32 i686"), Ok(Command::Prove(vec!["wasm32".into(), "i686".into()])));
        assert_eq!(understand("bench wetmap --help"), Ok(Command::Bench(vec!["wetmap".into(), "--help".into()])));
    }

    #[test]
    fn what_is_unknown_is_said() {
        for line in [
            "sevre",
            "serve --fast",
            "serve --dev=1",
            "serve --dev --release",
            "serve --port",
            "serve --port 70000",
            "serve --port 0",
            "build --release",
            "test fmtt",
            "test --only",
            "finish now",
            "review now",
            "review --from",
            "review --from=",
        ] {
            let error = understand(line).expect_err(line).to_string();
            assert!(error.contains('`'), "{line}: {error}");
        }
    }

    #[test]
    fn every_stage_is_in_the_help() {
        for stage in crate::check::stage_names() {
            assert!(HELP.contains(stage), "{stage}");
        }
    }
}
