//! What is in a column of a table.

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// Whole numbers from 0, of 64 bits.
    Unsigned,
    /// Whole numbers of 64 bits with a sign.
    Integer,
    /// Any numbers, of double precision.
    Number,
}

impl Kind {
    /// The narrowest that takes all of some values; text where there are none.
    #[must_use]
    pub fn of<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Self {
        let is_all = |fits: fn(&str) -> bool| values.clone().all(fits);
        if values.clone().next().is_none() {
            Self::Text
        } else if is_all(|text| text.parse::<i64>().is_ok()) {
            Self::Integer
        } else if is_all(|text| text.parse::<f64>().is_ok_and(f64::is_finite)) {
            Self::Number
        } else {
            Self::Text
        }
    }
}
