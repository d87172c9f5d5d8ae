//! A quantity per class of link.

use router_core::units::PortClass;
use std::ops::Index;

/// A quantity per class of link: as many entries as the topology has classes, links to nodes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerClass<T> {
    /// Entries beyond `len` hold the default.
    of: [T; PortClass::COUNT],
    len: usize,
}

impl<T: Copy + Default> PerClass<T> {
    /// These quantities by number of class, no more than [`PortClass::COUNT`].
    #[must_use]
    pub fn new(of: &[T]) -> Self {
        let entry = |class: usize| of.get(class).copied().unwrap_or_default();
        Self { of: std::array::from_fn(entry), len: of.len().min(PortClass::COUNT) }
    }

    /// The same quantity for each of so many classes.
    #[must_use]
    pub fn all(classes: usize, of: T) -> Self {
        Self::new(&vec![of; classes])
    }

    /// The quantities, by number of class.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.of[..self.len]
    }

    /// Each class and its quantity.
    pub fn iter(&self) -> impl Iterator<Item = (PortClass, T)> + '_ {
        (0..).map(PortClass::new).zip(self.as_slice().iter().copied())
    }
}

impl<T: Copy + Default + Ord> PerClass<T> {
    /// The highest of all classes.
    #[must_use]
    pub fn highest(&self) -> T {
        self.as_slice().iter().copied().max().unwrap_or_default()
    }
}

/// A class that the topology has not has the default.
impl<T> Index<PortClass> for PerClass<T> {
    type Output = T;
    fn index(&self, class: PortClass) -> &T {
        &self.of[class.index()]
    }
}
