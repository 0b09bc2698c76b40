//! Results that take minutes to get, kept in the cache by the digest of what they were made from.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::workspace;

/// How many results of a kind are kept: some weeks of one person's builds.
const KEEP: usize = 24;

/// A SHA-256 digest in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where results of one kind are kept.
pub struct Shelf {
    directory: PathBuf,
}

impl Shelf {
    /// The shelf of that name, in the cache.
    pub fn open(name: &str) -> Result<Self> {
        Self::at(&workspace::cache()?.join(name))
    }

    fn at(directory: &Path) -> Result<Self> {
        std::fs::create_dir_all(directory).with_context(|| format!("could not create {}", directory.display()))?;
        let directory = directory.to_owned();
        Ok(Self { directory })
    }

    /// What is kept under a key, if anything is. Touched, so that what is used is not what is thrown away.
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.directory.join(key);
        let bytes = std::fs::read(&path).ok()?;
        let touch = std::fs::File::options().append(true).open(&path);
        // A cache that cannot be touched only forgets too soon.
        drop(touch.and_then(|file| file.set_modified(std::time::SystemTime::now())));
        Some(bytes)
    }

    /// Keeps a result. Written aside first: an interrupted write must not look like a result.
    pub fn put(&self, key: &str, bytes: &[u8]) -> Result<()> {
        let path = self.directory.join(key);
        let aside = self.directory.join(format!("{key}.{}.part", std::process::id()));
        std::fs::write(&aside, bytes)
            .and_then(|()| std::fs::rename(&aside, &path))
            .with_context(|| format!("could not write {}", path.display()))?;
        self.forget_the_oldest();
        Ok(())
    }

    fn forget_the_oldest(&self) {
        let Ok(entries) = std::fs::read_dir(&self.directory) else {
            return;
        };
        let mut files: Vec<_> =
            entries.flatten().filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
        files.sort();
        let surplus = files.len().saturating_sub(KEEP);
        for (_, path) in files.into_iter().take(surplus) {
            // What cannot be removed stays: a cache may be too large.
            drop(std::fs::remove_file(path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_as_everybody_writes_them() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
    }

    #[test]
    fn what_is_put_is_got_and_there_is_an_end_to_it() {
        let directory = std::env::temp_dir().join(format!("xtask-shelf-{}", std::process::id()));
        let shelf = Shelf::at(&directory).unwrap();
        for i in 0..KEEP + 3 {
            shelf.put(&format!("key-{i}"), b"result").unwrap();
        }
        let count = std::fs::read_dir(&directory).unwrap().count();
        let newest = shelf.get(&format!("key-{}", KEEP + 2));
        std::fs::remove_dir_all(&directory).unwrap();
        assert_eq!(count, KEEP);
        assert_eq!(newest.as_deref(), Some(b"result".as_slice()));
    }
}
