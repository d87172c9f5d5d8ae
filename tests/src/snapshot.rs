//! Curves kept in the repository as text: results are exact, so a test regenerates the text and compares.

use std::fs;
use std::path::PathBuf;

/// Compares `text` with the snapshot `name`, or writes it when `DESVIO_BLESS=1`.
///
/// # Panics
/// When they differ, or `text` has no table in it.
pub fn check(name: &str, text: &str) {
    assert!(text.lines().count() > 2, "snapshot {name} compares nothing");
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "snapshots", name].iter().collect();
    if std::env::var_os("DESVIO_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{name}: {error}"));
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differing = kept.lines().zip(text.lines()).position(|(kept, new)| kept != new);
    let first = differing.unwrap_or(kept.lines().count().min(text.lines().count()));
    assert!(
        kept == text,
        "{name} has changed from line {} on (DESVIO_BLESS=1 keeps the new one):\n- {}\n+ {}\n\nnow:\n{text}",
        first + 1,
        kept.lines().nth(first).unwrap_or("(end)"),
        text.lines().nth(first).unwrap_or("(end)"),
    );
}

/// A table as text: a title, the heads of the columns, the rows; columns two spaces apart, numbers to the right.
#[must_use]
pub fn table(title: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let mut line = String::new();
        for (column, (cell, &width)) in cells.into_iter().zip(&widths).enumerate() {
            match column {
                0 => line += &format!("{cell:<width$}"),
                _ => line += &format!("  {cell:>width$}"),
            }
        }
        line.trim_end().to_owned() + "\n"
    };
    let mut text = format!("{title}\n\n{}", line(heads.to_vec()));
    for row in rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    text
}
