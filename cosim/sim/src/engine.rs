//! The engine by name: results of one engine are never taken for those of another.

use std::sync::OnceLock;

/// The version of this crate and, where it is built from a checkout, the digest of its sources and of the core's.
const BUILT_IN: &str = concat!("desvio ", env!("CARGO_PKG_VERSION"), env!("DESVIO_SOURCES"));

static NAME: OnceLock<String> = OnceLock::new();

/// The engine whose results these are: as in `desvio 0.1.0, sources e3818ab93bb0a5d1`.
///
/// A program with routings, topologies or patterns of its own has its version behind it, as [`extend`] was given it.
#[must_use]
pub fn name() -> &'static str {
    NAME.get().map_or(BUILT_IN, String::as_str)
}

/// Adds the name and the version of a program with words of its own: its results are its own from then on.
///
/// Only the first call counts. It belongs before the first result.
pub fn extend(by: &str) {
    let _ = NAME.set(format!("{BUILT_IN}, {by}"));
}
