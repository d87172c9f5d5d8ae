//! Where something stands.

/// A part of one of the texts, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Which text: 0 is the file, `n` the n-th `--set`.
    pub(crate) source: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}
