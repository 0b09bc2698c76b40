//! `cargo xtask serve`: what is missing, then `trunk serve`, then the address.
//!
//! Trunk does the work and watches for changes; here it gets its tools and a port that is free, and the address is said
//! when it answers, which is after the first build.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::cli;
use crate::process::Running;
use crate::tools::{Purpose, Tools};

/// The port that Trunk would take, too.
const PORT: u16 = 8080;
/// How many ports after it are tried.
const MORE: u16 = 20;

/// What the server answers.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Nothing,
    Page,
    NoPage,
}

/// Serves until it is interrupted.
pub fn run(options: &cli::Serve) -> Result<bool> {
    let tools = Tools::ensure(Purpose::Serve)?;
    let port = port(options.port)?;
    let mut command = tools.trunk()?;
    command.args(["serve", "--port", &port.to_string()]);
    if options.release {
        command.arg("--release");
    }
    if options.open {
        command.arg("--open");
    }
    println!("building the site; the first time, that takes many minutes");
    let started = Instant::now();
    let mut trunk = Running::start(command)?;
    let mut said = false;
    loop {
        if let Some(status) = trunk.ended()? {
            bail!("trunk serve has ended ({status}). Fix: see its last lines above");
        }
        if !said {
            said = say(&ask(port), port, started);
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Says where the site is, once there is something to say; whether there was.
fn say(answer: &Answer, port: u16, started: Instant) -> bool {
    let seconds = started.elapsed().as_secs();
    match answer {
        Answer::Nothing => return false,
        Answer::Page => {
            println!("\n    the site is at http://localhost:{port}/  (after {seconds} s; Ctrl+C ends it)\n");
        }
        Answer::NoPage => println!(
            "\n    http://localhost:{port}/ answers, but there is no page yet: the build has failed, see above.\n    \
             It is tried again when a file is saved.\n"
        ),
    }
    true
}

/// The port that was asked for, or the first one free.
fn port(asked: Option<u16>) -> Result<u16> {
    match asked {
        Some(port) if is_free(port) => Ok(port),
        Some(port) => bail!(
            "port {port} is taken. Fix: end what listens there, name another with --port, or leave it out to get a free one"
        ),
        None => {
            let port = (PORT..=PORT + MORE)
                .find(|&port| is_free(port))
                .with_context(|| format!("ports {PORT} to {} are all taken. Fix: name another with --port", PORT + MORE))?;
            if port != PORT {
                println!("port {PORT} is taken; {port} is free");
            }
            Ok(port)
        }
    }
}

/// Whether Trunk could listen there: on every loopback address that this machine has.
fn is_free(port: u16) -> bool {
    let v6_works = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok();
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
        && (!v6_works || TcpListener::bind((Ipv6Addr::LOCALHOST, port)).is_ok())
}

/// Asks the server for the site's first page.
fn ask(port: u16) -> Answer {
    let status = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        let request = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        // To its end: a server that is hung up on would say so among what people read. How that ends does not matter.
        let mut answer = Vec::new();
        let _ = stream.take(1 << 20).read_to_end(&mut answer);
        let start = answer.get(..12).unwrap_or_default();
        Ok(String::from_utf8_lossy(start).into_owned())
    };
    match status() {
        Err(_) => Answer::Nothing,
        Ok(start) if start.is_empty() => Answer::Nothing,
        Ok(start) if start.ends_with(" 200") => Answer::Page,
        Ok(_) => Answer::NoPage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_not_free() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let taken = listener.local_addr().unwrap().port();
        assert!(!is_free(taken));
        assert!(port(Some(taken)).unwrap_err().to_string().contains("--port"));
    }

    #[test]
    fn what_answers_is_told_apart() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            for status in ["200 OK", "404 Not Found"] {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 16];
                stream.read_exact(&mut request).unwrap();
                write!(stream, "HTTP/1.1 {status}\r\n\r\n").unwrap();
            }
        });
        assert_eq!(ask(port), Answer::Page);
        assert_eq!(ask(port), Answer::NoPage);
        server.join().unwrap();
        assert_eq!(ask(port), Answer::Nothing);
    }
}
