//! Where something stands.

/// A part of one of the texts, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which text: 0 is the file, `n` the n-th `--set`.
    pub source: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}
