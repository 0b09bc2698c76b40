//! Nothing: the package is its bench, `wetmap.rs`.
