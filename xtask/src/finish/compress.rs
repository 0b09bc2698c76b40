//! `.br` and `.gz` beside every file that is worth it, for servers that hand them out as they are.
//!
//! At the highest levels: it is done once and downloaded often. That is slow for megabytes, so several files are done at
//! once and large results are kept by the digest of what they were made from.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result};

use super::kept::{Shelf, sha256};
use crate::site;

/// What compresses; pictures and fonts are compressed already.
const EXTENSIONS: [&str; 12] = ["html", "css", "js", "mjs", "json", "svg", "txt", "wasm", "webmanifest", "wgsl", "xml", "map"];
/// Below this length a response fits in a packet or two either way.
const WORTH_IT: u64 = 1000;
/// Above this length a result is kept in the cache.
const WORTH_KEEPING: usize = 200_000;

/// A way to compress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    fn extension(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gz",
        }
    }

    fn compress(self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        match self {
            Self::Brotli => {
                let parameters =
                    brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, size_hint: bytes.len(), ..Default::default() };
                let mut input = bytes;
                brotli::BrotliCompress(&mut input, &mut out, &parameters)?;
            }
            Self::Gzip => {
                let mut writer = flate2::write::GzEncoder::new(&mut out, flate2::Compression::best());
                writer.write_all(bytes)?;
                writer.finish()?;
            }
        }
        Ok(out)
    }
}

/// Compresses everything in the site that is worth it.
pub fn compress_all(directory: &Path) -> Result<()> {
    let started = Instant::now();
    let mut todo: Vec<(u64, PathBuf)> = Vec::new();
    for name in site::files_below(directory)? {
        let path = site::file(directory, &name);
        let length = path.metadata().map(|m| m.len()).unwrap_or(0);
        if length >= WORTH_IT && site::has_extension(&name, &EXTENSIONS) {
            todo.push((length, path));
        }
    }
    // The longest first from the end: the last thread to finish should not have just begun the largest file.
    todo.sort();
    let count = todo.len();
    let jobs = todo.into_iter().flat_map(|(_, path)| {
        let other = path.clone();
        [(path, Coding::Gzip), (other, Coding::Brotli)]
    });
    let jobs = Mutex::new(jobs.collect::<Vec<_>>());
    let shelf = Shelf::open("compressed")?;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            loop {
                let job = jobs.lock().ok().and_then(|mut jobs| jobs.pop());
                let Some((path, coding)) = job else {
                    return Ok(());
                };
                compress(&path, coding, &shelf).with_context(|| format!("compressing {}", path.display()))?;
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().map(|worker| {
            let result = worker.join();
            result.unwrap_or_else(|_| Err(anyhow::anyhow!("a thread that compresses has panicked")))
        });
        ended.collect::<Result<Vec<()>>>()
    })?;
    println!("compressed {count} files; {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn compress(path: &Path, coding: Coding, shelf: &Shelf) -> Result<()> {
    let bytes = std::fs::read(path).context("could not read it")?;
    let large = bytes.len() >= WORTH_KEEPING;
    let key = format!("{}.{}", sha256(&bytes), coding.extension());
    let kept = if large { shelf.get(&key) } else { None };
    let compressed = match kept {
        Some(kept) => kept,
        None => {
            let compressed = coding.compress(&bytes)?;
            if large {
                shelf.put(&key, &compressed)?;
            }
            compressed
        }
    };
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}", coding.extension()));
    std::fs::write(&name, compressed).context("could not write the compressed form")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn what_is_compressed_can_be_read() {
        let bytes = "all work and no play ".repeat(500).into_bytes();
        let mut back = Vec::new();
        let gzip = Coding::Gzip.compress(&bytes).unwrap();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_end(&mut back).unwrap();
        assert_eq!(back, bytes);
        back.clear();
        let brotli = Coding::Brotli.compress(&bytes).unwrap();
        brotli::Decompressor::new(&brotli[..], 4096).read_to_end(&mut back).unwrap();
        assert_eq!(back, bytes);
        assert!(brotli.len() < gzip.len() && gzip.len() < bytes.len() / 20);
    }
}
