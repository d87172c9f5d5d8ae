//! A quantity per class of link.

use std::ops::{Index, RangeInclusive};

use router_core::units::PortClass;

use crate::document::{Data, Problem, Section};

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

    /// One quantity for all of so many classes.
    #[must_use]
    pub fn all(classes: usize, of: T) -> Self {
        Self::new(&vec![of; classes])
    }

    /// The quantities with another one for one class.
    #[must_use]
    pub fn with(mut self, class: PortClass, of: T) -> Self {
        self.of[class.index()] = of;
        self
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

impl PerClass<u32> {
    /// A whole number for every class of link, or a table with one each, by the names that the topology gives them.
    pub(super) fn read(
        section: &Section<'_>,
        key: &str,
        classes: &[&str],
        range: RangeInclusive<u32>,
        default: Self,
    ) -> Result<Self, Problem> {
        let Some(field) = section.get(key) else { return Ok(default) };
        match &field.value.data {
            Data::Table(_) => {
                let table = field.section(classes)?;
                let named = classes.iter().zip(default.as_slice());
                let each = named.map(|(name, &default)| table.whole(name, range.clone(), default));
                Ok(Self::new(&each.collect::<Result<Vec<_>, _>>()?))
            }
            Data::Integer(_) => field.whole(range).map(|n| Self::all(classes.len(), n)),
            _ => {
                let names: Vec<_> = classes.iter().map(|name| format!("{name} = …")).collect();
                Err(field.wrong(format!("a whole number or {{ {} }}", names.join(", "))))
            }
        }
    }

    /// `{ node = 4, local = 4, global = 4 }`, with the names of the topology's classes.
    pub(super) fn write(&self, classes: &[&str]) -> String {
        let each = classes.iter().zip(self.as_slice()).map(|(name, of)| format!("{name} = {of}"));
        format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
    }
}
