//! Nothing: the package is its bench, `ocean.rs`.
