//! A GPU for the tests of the ocean's engine: on Linux a Vulkan driver, a software one if there is no other. Elsewhere the system has its own.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::debian;

const FIX: &str = "Fix: install a Vulkan driver; without a GPU, Mesa's lavapipe";

/// Where the Vulkan loader looks for drivers.
const DRIVERS: [&str; 4] =
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/local/etc/vulkan/icd.d"];

/// Sees to it that there is a driver, and says which.
pub fn ensure() -> Result<String> {
    if !cfg!(target_os = "linux") {
        return Ok("the system's GPU".to_owned());
    }
    if let Some(named) = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().find_map(std::env::var_os) {
        return Ok(format!("Vulkan driver {}", Path::new(&named).display()));
    }
    if found().is_empty() {
        let why = "The ocean's engine is tested on a GPU, and a software one will do.";
        debian::install("A Vulkan driver", why, &["mesa-vulkan-drivers", "libvulkan1"]).map_err(|error| error.context(FIX))?;
    }
    let names: Vec<String> = found().iter().filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned())).collect();
    Ok(format!("{} Vulkan drivers", names.len()))
}

fn found() -> Vec<PathBuf> {
    let entries = DRIVERS.iter().filter_map(|directory| std::fs::read_dir(directory).ok()).flatten().flatten();
    entries.map(|entry| entry.path()).filter(|file| file.extension().is_some_and(|extension| extension == "json")).collect()
}
