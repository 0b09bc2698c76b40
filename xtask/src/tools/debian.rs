//! Packages of Debian and its relatives, for what the tests need and the system does not have.

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use super::on_path;
use crate::process;

const LIMIT: Duration = Duration::from_secs(20 * 60);

/// Installs `packages`, without what they only recommend, and says so. `what` is missing, and `why` it is needed.
pub fn install(what: &str, why: &str, packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    if on_path("apt-get").is_none() {
        bail!("{what} is missing, and without apt-get it cannot be installed from here (Debian's packages: {names}). {why}");
    }
    let Some(prefix) = root_prefix() else {
        bail!("{what} is missing, and installing it needs root. {why} Run `sudo apt-get install {names}`");
    };
    let apt = |arguments: &[&str]| {
        let mut words = prefix.iter().copied().chain(["apt-get"]).chain(arguments.iter().copied());
        let mut command = process::command(words.next().unwrap_or("apt-get"));
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let install = apt(&[&["install", "-y", "--no-install-recommends"], packages].concat());
    super::announce(what, why, &install);
    process::run_ok(apt(&["update", "-q"]), LIMIT).and_then(|()| process::run_ok(install, LIMIT))
}

/// What to put before a command so that it runs as root, if that is possible without asking for a password.
fn root_prefix() -> Option<&'static [&'static str]> {
    let answer = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments);
        process::ask(command)
    };
    if answer("id", &["-u"]).as_deref() == Some("0") {
        return Some(&[]);
    }
    answer("sudo", &["-n", "true"]).map(|_| &["sudo", "-n"] as &[&str])
}
