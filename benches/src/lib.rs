//! How fast, against what.
