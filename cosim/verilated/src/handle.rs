//! Pins of a library, by handles: found by name once, used in every cycle.

use crate::ffi::SortedPins;

/// A pin that can be set: a handle that works with every model of the library it was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input(pub(crate) Pin);

/// A pin that can be read: a handle that works with every model of the library it was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Output(pub(crate) Pin);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pin {
    pub(crate) library: u32,
    pub(crate) index: u32,
    pub(crate) bits: u32,
}

impl Input {
    /// Its width.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0.bits
    }
}

impl Output {
    /// Its width.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0.bits
    }
}

/// What was set can also be read back.
impl From<Input> for Output {
    fn from(input: Input) -> Self {
        Self(input.0)
    }
}

/// Pins that are read together, for those who look at many of them in every cycle.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub(crate) library: u32,
    pub(crate) pins: SortedPins,
}

impl Bundle {
    /// Words of 64 bits that [`Model::read`](crate::Model::read) fills.
    #[must_use]
    pub fn words(&self) -> usize {
        self.pins.words
    }
}
