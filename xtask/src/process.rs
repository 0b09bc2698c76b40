//! Starting other programs: with a limit on their time, their output passed on as it comes, and none left behind.
//!
//! Every program gets a process group of its own (on Unix), so that a limit or Ctrl+C ends the compilers and browsers it
//! has started as well. The limit is there so that a hang is a failure with a name instead of a machine that waits.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The groups that are running now: what Ctrl+C has to end.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Set when we have been told to end: what our children do then is no news.
static ENDING: AtomicBool = AtomicBool::new(false);

/// How often a running program is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program may take to end after it has been asked to, before it is made to.
const GRACE: Duration = Duration::from_secs(3);

/// From now on, when this program is interrupted or told to end, so is everything it has started.
pub fn end_children_with_us() -> Result<()> {
    ctrlc::set_handler(|| {
        ENDING.store(true, Ordering::SeqCst);
        let running = RUNNING.lock().map(|r| r.clone()).unwrap_or_default();
        for &group in &running {
            signal(group, "TERM");
        }
        if !running.is_empty() {
            std::thread::sleep(Duration::from_millis(300));
        }
        for &group in &running {
            signal(group, "KILL");
        }
        std::process::exit(130);
    })
    .context("could not listen for Ctrl+C")
}

/// A command that runs in the repository's root, without what Cargo has told *us* about ourselves: a child that is Cargo
/// again must see what it would see from a shell, or it would build things a second time.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(crate::workspace::root());
    for (name, _) in std::env::vars_os() {
        let ours = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"];
        let is_ours = |name: &str| ours.iter().any(|prefix| name.starts_with(prefix));
        if name.to_str().is_some_and(is_ours) {
            command.env_remove(name);
        }
    }
    command
}

/// npm's name differs on Windows.
pub fn npm() -> Command {
    command(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// A command as one would type it, for messages.
pub fn typed(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        line.push(' ');
        if argument.is_empty() || argument.contains(char::is_whitespace) {
            line.push_str(&format!("{argument:?}"));
        } else {
            line.push_str(&argument);
        }
    }
    line
}

/// A running program that is in [`RUNNING`] as long as it runs, and ends when this is dropped.
pub struct Running {
    child: Child,
    line: String,
}

impl Running {
    /// Starts the program.
    pub fn start(mut command: Command) -> Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::null());
        let line = typed(&command);
        let child = command.spawn().with_context(|| format!("could not start `{line}`"))?;
        if let Ok(mut running) = RUNNING.lock() {
            running.push(child.id());
        }
        Ok(Self { child, line })
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        let status = self.child.try_wait();
        while ENDING.load(Ordering::SeqCst) {
            std::thread::sleep(LOOK);
        }
        status.with_context(|| format!("could not wait for `{}`", self.line))
    }

    /// Waits for it, at most until the deadline; what is still running then is ended.
    fn wait(&mut self, started: Instant, limit: Duration) -> Result<ExitStatus> {
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            if started.elapsed() > limit {
                self.end();
                let minutes = limit.as_secs_f64() / 60.0;
                bail!("`{}` was still running after {minutes:.0} minutes, its limit, and has been ended", self.line);
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Ends the program and all it has started: asked first, made to if it does not.
    fn end(&mut self) {
        let group = self.child.id();
        signal(group, "TERM");
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(LOOK);
        }
        signal(group, "KILL");
        // A failure means that it has ended by itself: what was wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.end();
        }
        let group = self.child.id();
        if let Ok(mut running) = RUNNING.lock() {
            running.retain(|&id| id != group);
        }
    }
}

/// Sends a signal to a group. Through the shell, whose `kill` is always there, because the standard library has none.
fn signal(group: u32, name: &str) {
    let done = if cfg!(windows) {
        let id = group.to_string();
        Command::new("taskkill").args(["/T", "/F", "/PID", &id]).stdout(Stdio::null()).stderr(Stdio::null()).status()
    } else {
        Command::new("sh").args(["-c", &format!("kill -{name} -{group} 2>/dev/null")]).status()
    };
    // There is nothing else that could be tried, and the group may have ended by itself.
    drop(done);
}

/// Runs a program to its end with its output going where ours goes.
pub fn run(command: Command, limit: Duration) -> Result<ExitStatus> {
    let started = Instant::now();
    Running::start(command)?.wait(started, limit)
}

/// Runs a program that has to succeed.
pub fn run_ok(command: Command, limit: Duration) -> Result<()> {
    let line = typed(&command);
    let status = run(command, limit)?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs a program to its end, passing on each line of its standard output and showing it to `see`.
pub fn run_seeing(mut command: Command, limit: Duration, mut see: impl FnMut(&str)) -> Result<ExitStatus> {
    let started = Instant::now();
    command.stdout(Stdio::piped());
    let mut running = Running::start(command)?;
    let Some(output) = running.child.stdout.take() else {
        bail!("`{}` has no output to read", running.line);
    };
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    std::thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let mut pass_on = |line: &[u8]| {
        let mut out = std::io::stdout().lock();
        // Nobody may be reading our output any more; what is counted still counts.
        let _ = out.write_all(line).and_then(|()| out.write_all(b"\n"));
        see(String::from_utf8_lossy(line).trim_end());
    };
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(line) => pass_on(&line),
            Err(RecvTimeoutError::Disconnected) => return running.wait(started, limit),
            Err(RecvTimeoutError::Timeout) if started.elapsed() > limit => {
                return running.wait(started, limit);
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(status) = running.ended()? {
                    // Something it started may still hold the pipe open; what was written is here by now.
                    while let Ok(line) = receiver.recv_timeout(Duration::from_millis(500)) {
                        pass_on(&line);
                    }
                    return Ok(status);
                }
            }
        }
    }
}

/// What a program prints on its standard output, if it starts and succeeds: for asking programs about themselves.
pub fn ask(mut command: Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn commands_are_shown_as_typed() {
        let mut command = Command::new("cargo");
        command.args(["test", "a b", ""]);
        assert_eq!(typed(&command), "cargo test \"a b\" \"\"");
    }

    #[test]
    fn every_line_is_seen_and_the_exit_code_kept() {
        let mut command = Command::new("cargo");
        command.arg("--version");
        let mut lines = Vec::new();
        let status = run_seeing(command, LONG, |line| lines.push(line.to_owned())).unwrap();
        assert!(status.success());
        assert!(lines.iter().any(|line| line.starts_with("cargo ")));
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(Command::new("no-such-program-anywhere"), LONG).unwrap_err();
        assert!(format!("{error:#}").contains("no-such-program-anywhere"));
    }

    #[cfg(unix)]
    #[test]
    fn a_hang_is_ended_with_all_it_has_started() {
        let mut command = Command::new("sh");
        // The inner shell's child would hold the pipe open for a minute if it survived.
        command.args(["-c", "sh -c 'echo started; sleep 61; echo never'"]);
        let started = Instant::now();
        let mut lines = Vec::new();
        let error = run_seeing(command, Duration::from_millis(300), |line| {
            lines.push(line.to_owned());
        })
        .unwrap_err();
        assert!(error.to_string().contains("its limit"), "{error}");
        assert_eq!(lines, ["started"]);
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}
