//! `pkg/manifest.json`: the length and digest of everything that a demo's loader fetches.
//!
//! The length is that of the file as the browser sees it, whatever compression it came in: the total of a progress bar
//! that counts bytes as they arrive. The digest lets the loader check what it got without giving up the bar.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::kept::sha256;
use crate::site;

const NAME: &str = "manifest.json";

/// Writes the manifest of a directory, if that is there.
pub fn write(directory: &Path) -> Result<()> {
    if !directory.is_dir() {
        return Ok(());
    }
    let mut files = Vec::new();
    for name in site::files_below(directory)? {
        if site::has_extension(&name, &["js", "wasm"]) {
            let path = site::file(directory, &name);
            let bytes = std::fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
            files.push((name, bytes));
        }
    }
    let path = directory.join(NAME);
    std::fs::write(&path, manifest(&files)).with_context(|| format!("could not write {}", path.display()))
}

fn manifest(files: &[(String, Vec<u8>)]) -> String {
    let entry = |(name, bytes): &(String, Vec<u8>)| {
        let entry = json!({ "bytes": bytes.len(), "sha256": sha256(bytes) });
        (name.clone(), entry)
    };
    let files: Map<String, Value> = files.iter().map(entry).collect();
    format!("{:#}\n", json!({ "version": 1, "files": files }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_digests() {
        let text = manifest(&[("a.js".into(), b"abc".to_vec()), ("a_bg.wasm".into(), vec![])]);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["version"], 1);
        assert_eq!(value["files"]["a.js"]["bytes"], 3);
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(value["files"]["a.js"]["sha256"], digest);
        assert_eq!(value["files"]["a_bg.wasm"]["bytes"], 0);
    }
}
