//! Structural coverage: which lines, branches and bits of each source file a run has reached.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use verilated::{CoverageKind, CoveragePoint};

/// What is counted of a design, file by file. All instances of a module count together.
#[derive(Clone, Debug, Default)]
pub struct Structural {
    /// By the name of the file, as Verilator was given it.
    files: BTreeMap<String, Source>,
}

/// The points of one file by line; of each line by what it is, then by which of several.
type Source = BTreeMap<u32, BTreeMap<(CoverageKind, String), u64>>;

/// How many there are, and how many of them were reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Reached.
    pub reached: usize,
    /// All.
    pub all: usize,
}

impl Share {
    fn of<'p>(points: impl Iterator<Item = &'p u64>) -> Self {
        points.fold(Self::default(), |sum, &count| Self {
            reached: sum.reached + usize::from(count > 0),
            all: sum.all + 1,
        })
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.all == 0 { f.write_str("none") } else { write!(f, "{} of {}", self.reached, self.all) }
    }
}

/// Kinds of points, and what they are called.
const KINDS: [(CoverageKind, &str, &str); 3] = [
    (CoverageKind::Line, "lines", "not executed"),
    (CoverageKind::Branch, "branches", "not taken"),
    (CoverageKind::Toggle, "bits", "never changed"),
];

impl Structural {
    /// Sorts what Verilator has counted.
    pub fn of(points: &[CoveragePoint]) -> Self {
        let mut files = BTreeMap::<String, Source>::new();
        for CoveragePoint { file, line, kind, comment, count, .. } in points {
            let line = files.entry(file.clone()).or_default().entry(*line).or_default();
            *line.entry((kind.clone(), comment.clone())).or_default() += count;
        }
        Self { files }
    }

    /// Each file, and how many of its lines, branches and bits were reached.
    pub fn shares(&self) -> impl Iterator<Item = (&str, [Share; 3])> {
        let share = |source: &Source, kind: &CoverageKind| {
            let all = source.values().flatten();
            Share::of(all.filter(|((is, _), _)| is == kind).map(|(_, count)| count))
        };
        self.files.iter().map(move |(file, source)| {
            (file.as_str(), KINDS.each_ref().map(|(kind, ..)| share(source, kind)))
        })
    }

    /// Writes `coverage.csv`, a row for each file, and the files themselves below `annotated/`, with how often each line was
    /// reached and below it what was not.
    ///
    /// # Errors
    /// A source file has gone, or the folder takes no files.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let mut csv = "file,lines_reached,lines,branches_reached,branches,bits_reached,bits\n".to_owned();
        for (file, shares) in self.shares() {
            let numbers = shares.map(|Share { reached, all }| format!(",{reached},{all}")).concat();
            // Writing to a `String` cannot fail.
            let _ = writeln!(csv, "\"{}\"{numbers}", file.replace('"', "\"\""));
        }
        fs::write(folder.join("coverage.csv"), csv)?;
        for (file, source) in &self.files {
            let path = folder.join("annotated").join(inside(Path::new(file)));
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, annotated(&String::from_utf8_lossy(&fs::read(file)?), source))?;
        }
        Ok(())
    }
}

/// A table, a line for each file.
impl fmt::Display for Structural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<_> = self
            .shares()
            .map(|(file, shares)| {
                let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
                (name, shares.map(|share| share.to_string()))
            })
            .collect();
        let names = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(8);
        let widths: [usize; 3] = std::array::from_fn(|at| {
            rows.iter().map(|(_, shares)| shares[at].len()).max().unwrap_or(0).max(KINDS[at].1.len())
        });
        let mut line = |name: &str, cells: [&str; 3]| {
            write!(f, "\n  {name:<names$}")?;
            cells.iter().zip(widths).try_for_each(|(cell, width)| write!(f, "  {cell:>width$}"))
        };
        line("coverage", KINDS.each_ref().map(|(_, word, _)| *word))?;
        rows.iter().try_for_each(|(name, shares)| line(name, shares.each_ref().map(String::as_str)))
    }
}

/// A path that leads nowhere but below a folder.
fn inside(path: &Path) -> PathBuf {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        })
        .collect()
}

/// A source with the count of each line before it, and below it what was not reached of it.
fn annotated(text: &str, source: &Source) -> String {
    let mut out = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let points = source.get(&number);
        let executed = points.into_iter().flatten().filter(|((kind, _), _)| *kind != CoverageKind::Toggle);
        let count = executed.map(|(_, count)| *count).max().map_or(String::new(), |count| count.to_string());
        let never = points.into_iter().flatten().filter(|(_, count)| **count == 0);
        let mut never: Vec<_> = never.map(|((kind, comment), _)| (kind, comment.as_str())).collect();
        never.sort();
        let mark = if never.is_empty() { ' ' } else { '!' };
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{count:>10} {mark} {line}");
        for (kind, _, what) in &KINDS {
            let these: Vec<_> =
                never.iter().filter(|(is, _)| *is == kind).map(|(_, comment)| *comment).collect();
            if !these.is_empty() {
                let _ = writeln!(out, "{:>10} !   {what}: {}", "", these.join(", "));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(line: u32, kind: CoverageKind, comment: &str, hierarchy: &str, count: u64) -> CoveragePoint {
        let (file, comment) = ("a.v".to_owned(), comment.to_owned());
        CoveragePoint { file, line, kind, hierarchy: hierarchy.to_owned(), comment, count }
    }

    #[test]
    fn instances_count_together_and_what_was_not_reached_stands_below_its_line() {
        use CoverageKind::{Branch, Toggle};
        let points = [
            point(1, Toggle, "x[0]", "top.a", 0),
            point(1, Toggle, "x[0]", "top.b", 3),
            point(1, Toggle, "x[1]", "top.a", 0),
            point(2, Branch, "if", "top.a", 7),
            point(2, Branch, "else", "top.a", 0),
        ];
        let found = Structural::of(&points);
        let (file, [lines, branches, bits]) = found.shares().next().unwrap();
        assert_eq!((file, lines.to_string().as_str()), ("a.v", "none"));
        assert_eq!([branches, bits], [Share { reached: 1, all: 2 }; 2]);
        let text = annotated("reg [1:0] x;\nif (x) y;\nend\n", &found.files["a.v"]);
        let expected = [
            "           ! reg [1:0] x;",
            "           !   never changed: x[1]",
            "         7 ! if (x) y;",
            "           !   not taken: else",
            "             end",
            "",
        ];
        assert_eq!(text, expected.join("\n"));
        assert_eq!(inside(Path::new("/a/../b/./c.v")), Path::new("a/b/c.v"));
    }
}
