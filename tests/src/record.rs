//! Results as data, of which `cargo xtask test --slow` makes its tables.

use std::path::Path;

/// Names the folder for them; without it nothing is kept.
pub const FOLDER: &str = "DESVIO_RECORD";

/// Keeps a file of results where they are asked for.
///
/// # Panics
/// When it cannot be written.
pub fn record(name: &str, text: &str) {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let path = Path::new(&folder).join(name);
    std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
