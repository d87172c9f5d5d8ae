//! Coverage files, as Verilator writes them.

use std::{collections::HashMap, fmt, fs, path::Path};

use crate::error::CoverageError;

/// One point of the design that is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CoveragePoint {
    /// The source file.
    pub file: String,
    /// The line in it.
    pub line: u32,
    /// What is counted.
    pub kind: CoverageKind,
    /// The instance, top module first.
    pub hierarchy: String,
    /// Which of several at one place: the branch, the bit, the name of the `cover` statement.
    pub comment: String,
    /// How often.
    pub count: u64,
}

/// What a point counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CoverageKind {
    /// A block of lines was executed.
    Line,
    /// A branch was taken.
    Branch,
    /// A bit changed.
    Toggle,
    /// A `cover` statement held.
    Cover,
    /// Another kind, by Verilator's name for it.
    Other(String),
}

impl From<&str> for CoverageKind {
    fn from(name: &str) -> Self {
        match name {
            "line" => Self::Line,
            "branch" => Self::Branch,
            "toggle" => Self::Toggle,
            "user" => Self::Cover,
            other => Self::Other(other.to_owned()),
        }
    }
}

impl fmt::Display for CoverageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Line => "line",
            Self::Branch => "branch",
            Self::Toggle => "toggle",
            Self::Cover => "cover",
            Self::Other(name) => name,
        })
    }
}

/// Reads a file that [`Model::write_coverage`](crate::Model::write_coverage) wrote.
///
/// # Errors
///
/// The file cannot be read, or a line is not one of a coverage file.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<CoveragePoint>, CoverageError> {
    let path = path.as_ref();
    let bytes =
        fs::read(path).map_err(|source| CoverageError::Unreadable { path: path.to_owned(), source })?;
    let mut points = Vec::new();
    for (number, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let point = parse(line)
            .ok_or_else(|| CoverageError::Malformed { path: path.to_owned(), line: number + 1 })?;
        points.push(point);
    }
    Ok(points)
}

/// Adds up the counts of the same point in several runs; the order is that of first appearance.
#[must_use]
pub fn merge(runs: impl IntoIterator<Item = Vec<CoveragePoint>>) -> Vec<CoveragePoint> {
    let mut merged: Vec<CoveragePoint> = Vec::new();
    let mut places = HashMap::new();
    for point in runs.into_iter().flatten() {
        let identity = CoveragePoint { count: 0, ..point.clone() };
        match places.get(&identity) {
            Some(&place) => {
                let known: &mut CoveragePoint = &mut merged[place];
                known.count = known.count.saturating_add(point.count);
            }
            None => {
                places.insert(identity, merged.len());
                merged.push(point);
            }
        }
    }
    merged
}

/// Reads `C '<SOH>f<STX>a.sv<SOH>l<STX>3…' 17`: pairs of key and value between the control characters 1 and 2.
fn parse(line: &str) -> Option<CoveragePoint> {
    let (pairs, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let pairs: HashMap<&str, &str> =
        pairs.split('\u{1}').filter_map(|pair| pair.split_once('\u{2}')).collect();
    let page = pairs.get("page")?;
    let kind = page.split('/').next().unwrap_or(page);
    Some(CoveragePoint {
        file: (*pairs.get("f")?).to_owned(),
        line: pairs.get("l")?.parse().ok()?,
        kind: CoverageKind::from(kind.strip_prefix("v_").unwrap_or(kind)),
        hierarchy: pairs.get("h").unwrap_or(&"").trim_start_matches('.').to_owned(),
        comment: pairs.get("o").unwrap_or(&"").to_string(),
        count: count.trim().parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::{CoverageKind, merge, parse};

    const BRANCH: &str = "C '\u{1}f\u{2}cov.sv\u{1}l\u{2}2\u{1}n\u{2}28\u{1}page\u{2}v_branch/cov\u{1}o\u{2}else\u{1}h\u{2}.cov' 3";

    #[test]
    fn a_line_is_read() {
        let point = parse(BRANCH).unwrap();
        assert_eq!((point.file.as_str(), point.line, point.count), ("cov.sv", 2, 3));
        assert_eq!(
            (point.kind, point.hierarchy.as_str(), point.comment.as_str()),
            (CoverageKind::Branch, "cov", "else")
        );
        assert!(parse("C 'x' many").is_none());
    }

    #[test]
    fn counts_of_the_same_point_add_up() {
        let point = parse(BRANCH).unwrap();
        let other = super::CoveragePoint { line: 9, ..point.clone() };
        let merged = merge([vec![point.clone()], vec![other, point]]);
        assert_eq!(
            merged.iter().map(|point| (point.line, point.count)).collect::<Vec<_>>(),
            [(2, 6), (9, 3)]
        );
    }
}
