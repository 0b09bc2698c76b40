//! The stages: what each checks and how.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use super::count::{self, Tally};
use crate::tools::{Purpose, Tools};
use crate::workspace::Metadata;
use crate::{process, site, workspace};

/// What the stages share.
pub struct Context {
    metadata: Metadata,
    /// The site that is tested: apart from `dist/`, which is what was last built to be deployed.
    site: PathBuf,
    tools: Option<Tools>,
}

impl Context {
    /// Before the first stage.
    pub fn new() -> Result<Self> {
        let metadata = Metadata::load()?;
        let site = metadata.target()?.join("tested-site");
        Ok(Self { metadata, site, tools: None })
    }

    /// The tools, whether or not their stage has run.
    fn tools(&mut self) -> Result<&Tools> {
        if self.tools.is_none() {
            self.tools = Some(Tools::ensure(Purpose::Test)?);
        }
        self.tools.as_ref().context("the tools are not there")
    }

    fn site_is_there(&self) -> Result<()> {
        ensure!(
            self.site.join("index.html").is_file(),
            "{} has no site to test. Fix: leave out --only, or run `cargo xtask test wasm` first",
            self.site.display()
        );
        Ok(())
    }
}

/// One stage.
pub struct Stage {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it checks.
    pub what: &'static str,
    /// The stages whose result it uses.
    pub needs: &'static [&'static str],
    /// Whether it runs only where it is named: what needs a GPU, or long.
    pub asked: bool,
    /// After so many minutes it hangs: generous, for two slow cores and nothing built.
    minutes: u64,
    /// Runs it.
    pub run: fn(&mut Context, Duration) -> Result<Tally>,
}

impl Stage {
    /// After this time it hangs.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(self.minutes * 60)
    }
}

/// All stages, in the order in which they run: what is quick to fail first.
pub const STAGES: &[Stage] = &[
    Stage { name: "tools", what: "what the other stages use is there", needs: &[], asked: false, minutes: 60, run: tools },
    Stage { name: "fmt", what: "the code is formatted", needs: &[], asked: false, minutes: 5, run: fmt },
    Stage { name: "clippy", what: "no warnings, here and for the browser", needs: &[], asked: false, minutes: 50, run: clippy },
    Stage {
        name: "doc",
        what: "the documentation builds, and its links lead somewhere",
        needs: &[],
        asked: false,
        minutes: 40,
        run: doc,
    },
    Stage {
        name: "unit",
        what: "unit tests, documentation's examples, and the digest example",
        needs: &[],
        asked: false,
        minutes: 60,
        run: unit,
    },
    Stage { name: "core", what: "the cores are usable without an engine", needs: &[], asked: false, minutes: 20, run: core },
    Stage { name: "wasm", what: "the site builds for the browser", needs: &["tools"], asked: false, minutes: 60, run: wasm },
    Stage {
        name: "pages",
        what: "the pages are valid and their addresses relative",
        needs: &["tools", "wasm"],
        asked: false,
        minutes: 5,
        run: pages,
    },
    Stage {
        name: "browser",
        what: "the site does in a real browser what its pages say",
        needs: &["tools", "wasm"],
        asked: false,
        minutes: 60,
        run: browser,
    },
    Stage {
        name: "gpu",
        what: "the pictures on this machine's GPU, and what takes minutes",
        needs: &[],
        asked: true,
        minutes: 120,
        run: gpu,
    },
];

fn tools(context: &mut Context, _: Duration) -> Result<Tally> {
    context.tools().map(|_| Tally::one(true))
}

/// Runs Cargo and counts it as one check.
fn cargo(arguments: &[&str], limit: Duration) -> Result<Tally> {
    one(cargo_command(arguments), limit)
}

fn cargo_command(arguments: &[&str]) -> Command {
    let mut command = process::command("cargo");
    command.args(arguments);
    command
}

fn one(command: Command, limit: Duration) -> Result<Tally> {
    println!("{}", process::typed(&command));
    Ok(Tally::one(process::run(command, limit)?.success()))
}

fn fmt(_: &mut Context, limit: Duration) -> Result<Tally> {
    let tally = cargo(&["fmt", "--all", "--check"], limit)?;
    if tally.failed > 0 {
        println!("Fix: cargo fmt --all");
    }
    Ok(tally)
}

fn clippy(context: &mut Context, limit: Duration) -> Result<Tally> {
    let deny = ["--", "-D", "warnings"];
    let mut tally = cargo(&[&["clippy", "--workspace", "--all-targets"], &deny[..]].concat(), limit)?;
    let packages = context.metadata.web_packages();
    ensure!(!packages.is_empty(), "no package is built for the browser");
    // With the profile of the web build: they share what is compiled for this machine, which is half of the work.
    let mut web = cargo_command(&["clippy", "--target", "wasm32-unknown-unknown", "--profile", "web-dev"]);
    for package in &packages {
        web.args(["--package", package]);
    }
    web.args(deny);
    tally += one(web, limit)?;
    Ok(tally)
}

fn doc(_: &mut Context, limit: Duration) -> Result<Tally> {
    let mut command = cargo_command(&["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    one(command, limit)
}

/// `cargo test`, each of its tests counted.
fn cargo_tests(arguments: &[&str], limit: Duration) -> Result<Tally> {
    let mut command = cargo_command(arguments);
    // Without it the Vulkan loader complains at every device that is made.
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    }
    println!("{}", process::typed(&command));
    let mut tally = Tally::default();
    let status = process::run_seeing(command, limit, |line| tally += count::cargo_line(line))?;
    Ok(tally.or_failure(status.success()))
}

/// What the unit stage leaves out: a processor that plays the GPU takes minutes for each. One after the other, since the pictures share the card.
fn gpu(_: &mut Context, limit: Duration) -> Result<Tally> {
    let tests = ["test", "--workspace", "--no-fail-fast", "--test", "gpu", "--test", "buoyancy"];
    cargo_tests(&[&tests[..], &["--", "--ignored", "--test-threads=1"]].concat(), limit)
}

fn unit(context: &mut Context, limit: Duration) -> Result<Tally> {
    let mut tally = cargo_tests(&["test", "--workspace", "--no-fail-fast"], limit)?;
    // As `cargo test` has built it: `cargo run` with other features would build the engine again.
    let example = format!("canvas_digest{}", std::env::consts::EXE_SUFFIX);
    let example = context.metadata.target()?.join("debug").join("examples").join(example);
    println!("{}: exits with 0 only if its claim holds", example.display());
    tally += one(process::command(&example), limit).unwrap_or_else(|error| {
        println!("{error:#}");
        Tally::one(false)
    });
    Ok(tally)
}

/// A core that has to be usable without what stands above it.
struct Core {
    package: &'static str,
    /// Features beyond none with which it still has to be.
    features: &'static [&'static str],
}

const CORES: [Core; 2] = [Core { package: "bevy_wetmap", features: &["script"] }, Core { package: "ocean", features: &[] }];

/// Not `cargo test`: that compiles the dev-dependencies, and with them the engine that must not be needed.
fn core(context: &mut Context, limit: Duration) -> Result<Tally> {
    let mut tally = shared_features(context)?;
    for Core { package, features } in CORES {
        let without = ["--package", package, "--no-default-features"];
        let joined = features.join(",");
        let with: Vec<&str> =
            if features.is_empty() { without.to_vec() } else { [&without[..], &["--features", &joined]].concat() };
        let tree = [&["tree", "--edges", "normal", "--prefix", "none"], &with[..]].concat();
        let Some(tree) = process::ask(cargo_command(&tree)) else {
            bail!("`cargo tree` of {package} failed: does it have the features {features:?}?");
        };
        let engine = engine_in(&tree, package);
        if let Some(engine) = &engine {
            println!("without its default features, {package} still depends on {engine}");
        }
        tally += Tally::one(engine.is_none());
        let mut sets = vec![without.to_vec()];
        sets.extend((!features.is_empty()).then_some(with));
        for features in sets {
            let lint = [&["clippy", "--lib"], &features[..], &["--", "-D", "warnings"]].concat();
            tally += cargo(&lint, limit)?;
        }
    }
    Ok(tally)
}

/// Whether the demos ask for the same features of what they share: else Bevy is compiled once for each, which doubles a web build.
fn shared_features(context: &Context) -> Result<Tally> {
    let mut first: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut same = true;
    for package in context.metadata.web_packages() {
        let tree =
            ["tree", "--package", &package, "--target", "wasm32-unknown-unknown", "--edges", "normal", "--prefix", "none"];
        let Some(tree) = process::ask(cargo_command(&[&tree[..], &["--format", "{p} [{f}]"]].concat())) else {
            bail!("`cargo tree` of {package} failed");
        };
        // What runs here while it is compiled has features of its own: a crate may be there twice.
        let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, features) in features_in(&tree) {
            crates.entry(name.to_owned()).or_default().insert(features.to_owned());
        }
        if !crates.keys().any(|name| name.starts_with("bevy v")) {
            continue;
        }
        for (name, features) in crates {
            let had = first.entry(name.clone()).or_insert_with(|| features.clone());
            if *had != features {
                same = false;
                println!("{package} has {name} with {features:?}, another demo with {had:?}. Fix: ask for the same in both");
            }
        }
    }
    Ok(Tally::one(same))
}

/// Each registry crate in what `cargo tree` prints, with its features: `glam v0.32.1 [libm,std]`. Those in the workspace are followed by their path.
fn features_in(tree: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines =
        tree.lines().map(|line| line.trim_end_matches(" (*)")).filter(|line| !line.contains(" (/") && !line.contains(":\\"));
    lines.filter_map(|line| line.split_once(" ["))
}

/// The first engine or renderer in what `cargo tree` prints of `package`.
fn engine_in(tree: &str, package: &str) -> Option<String> {
    let mut names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let is_engine = |name: &&str| *name == "bevy" || *name == "wgpu" || (name.starts_with("bevy_") && *name != package);
    names.find(is_engine).map(str::to_owned)
}

/// Builds the site that is tested.
pub fn wasm(context: &mut Context, limit: Duration) -> Result<Tally> {
    let site = context.site.clone();
    let mut command = context.tools()?.trunk()?;
    command.arg("build").arg("--dist").arg(site);
    one(command, limit)
}

fn pages(context: &mut Context, limit: Duration) -> Result<Tally> {
    context.site_is_there()?;
    let problems = site::links::problems(&context.site)?;
    for problem in &problems {
        println!("address: {problem}");
    }
    let mut tally = Tally::one(problems.is_empty());

    let tests = tests_directory();
    let mut validate = process::command("node");
    validate.current_dir(&tests);
    validate.arg(Path::new("node_modules").join("html-validate").join("bin").join("html-validate.mjs"));
    let configuration = [".htmlvalidate.json", ".htmlvalidate.mjs", ".htmlvalidate.cjs"];
    if let Some(file) = configuration.iter().map(|name| tests.join(name)).find(|file| file.is_file()) {
        validate.arg("--config").arg(file);
    }
    let html: Vec<String> =
        site::files_below(&context.site)?.into_iter().filter(|name| site::has_extension(name, &["html"])).collect();
    ensure!(!html.is_empty(), "{} has no pages", context.site.display());
    validate.args(html.iter().map(|name| site::file(&context.site, name)));
    tally += one(validate, limit)?;
    Ok(tally)
}

fn browser(context: &mut Context, limit: Duration) -> Result<Tally> {
    // Before the minutes that what follows may take.
    context.site_is_there()?;
    let artifacts = artifacts()?;
    let tap = context.metadata.target()?.join("browser-tests.tap");
    // What is left of the last run must not be counted if this one writes nothing.
    if tap.exists() {
        std::fs::remove_file(&tap).with_context(|| format!("could not remove {}", tap.display()))?;
    }
    let pipelines = ocean_pipelines(context, limit)?;
    let field = ocean_field(context, limit)?;
    let mut command = node_tests(context, &artifacts)?;
    command.args(["--test-reporter-destination=stdout", "--test-reporter=tap"]);
    command.arg(format!("--test-reporter-destination={}", tap.display()));
    command.env("OCEAN_ENGINE", pipelines).env("OCEAN_FIELD", field);
    println!("{}", process::typed(&command));
    let status = process::run(command, limit)?;
    let output = std::fs::read_to_string(&tap).with_context(|| format!("Node.js has not written {}", tap.display()))?;
    Ok(count::tap(&output).or_failure(status.success()))
}

/// Where the tests in the browser put pictures and records.
pub fn artifacts() -> Result<PathBuf> {
    let artifacts = workspace::root().join("tests").join("artifacts");
    std::fs::create_dir_all(&artifacts).with_context(|| format!("could not create {}", artifacts.display()))?;
    Ok(artifacts)
}

/// Node.js about to run tests on the tested site, one file at a time: each has a browser that draws with the processor.
pub fn node_tests(context: &mut Context, artifacts: &Path) -> Result<Command> {
    context.site_is_there()?;
    let mut command = process::command("node");
    command.current_dir(tests_directory());
    command.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]);
    command.env("DIST", &context.site).env("ARTIFACTS", artifacts);
    if let Some(chromium) = &context.tools()?.chromium {
        command.env("CHROMIUM", chromium);
    }
    Ok(command)
}

/// The ocean's compute pipelines, written down for a browser, with what has to come out of them: the folder they are in.
fn ocean_pipelines(context: &Context, limit: Duration) -> Result<PathBuf> {
    // Of the whole workspace, like the unit tests: with the features of one package alone, wgpu would be built a second time.
    let build = cargo_command(&["build", "--workspace", "--example", "ocean_engine"]);
    println!("{}", process::typed(&build));
    process::run_ok(build, limit)?;
    let target = context.metadata.target()?;
    let folder = target.join("ocean-pipelines");
    let program = format!("ocean_engine{}", std::env::consts::EXE_SUFFIX);
    let mut export = process::command(target.join("debug").join("examples").join(program));
    export.arg(&folder).args(["128x3", "256x1"]);
    println!("{}", process::typed(&export));
    process::run_ok(export, limit)?;
    Ok(folder)
}

/// The ocean's CPU field as a wasm module.
fn ocean_field(context: &Context, limit: Duration) -> Result<PathBuf> {
    let build =
        cargo_command(&["build", "--package", "ocean_field", "--target", "wasm32-unknown-unknown", "--profile", "web-dev"]);
    println!("{}", process::typed(&build));
    process::run_ok(build, limit)?;
    Ok(context.metadata.target()?.join("wasm32-unknown-unknown").join("web-dev").join("ocean_field.wasm"))
}

fn tests_directory() -> PathBuf {
    workspace::root().join("tests").join("browser")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_seen() {
        let plain = "bevy_wetmap v0.1.0 (/x/crates/bevy_wetmap)\nbloodstain v0.3.0\nserde v1.0.2\n";
        assert_eq!(engine_in(plain, "bevy_wetmap"), None);
        let with = format!("{plain}bevy_ecs v0.19.1\n");
        assert_eq!(engine_in(&with, "bevy_wetmap").as_deref(), Some("bevy_ecs"));
    }

    #[test]
    fn features_are_read() {
        let tree = "web v0.1.0 (/x/web) []\nglam v0.32.1 [libm,std]\nlibm v0.2.11 [] (*)\n";
        assert_eq!(features_in(tree).collect::<Vec<_>>(), [("glam v0.32.1", "libm,std]"), ("libm v0.2.11", "]")]);
    }
}
