//! A topology of a program's own, by its word in scenario files.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use super::layout::{Defaults, Layout};
use super::{TopologyError, Wiring};
use crate::document::{Lines, Problem, Section};
use crate::installed::Installed;

/// A topology that a program has registered.
#[derive(Debug, Clone)]
pub struct Own(Arc<dyn Erased>);

/// What is in the registry of a topology.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) word: &'static str,
    pub(crate) keys: &'static [&'static str],
    pub(crate) read: fn(&Section<'_>, &Path) -> Result<Own, Problem>,
}

/// Topologies that the program has registered.
pub(crate) static INSTALLED: Installed<Kind> = Installed::new();

impl Kind {
    pub(crate) fn of<L: Layout + 'static>() -> Self {
        let read = |section: &Section<'_>, folder: &Path| Ok(Own(Arc::new(L::read(section, folder)?)));
        Self { word: L::WORD, keys: L::KEYS, read }
    }
}

/// A `Layout` without what only its type knows.
trait Erased: Debug + Send + Sync {
    fn word(&self) -> &'static str;
    fn default_routing(&self) -> &'static str;
    fn write(&self) -> Lines;
    fn named(&self) -> Own;
    fn file(&self) -> Option<&Path>;
    fn classes(&self) -> &'static [&'static str];
    fn defaults(&self) -> Defaults;
    fn nodes(&self) -> Option<u32>;
    fn groups(&self) -> Option<Vec<u32>>;
    fn dims(&self) -> Option<Vec<u32>>;
    fn levels(&self) -> Option<Vec<u32>>;
    fn wire(&self) -> Result<Wiring, TopologyError>;
}

impl<L: Layout + 'static> Erased for L {
    fn word(&self) -> &'static str {
        L::WORD
    }

    fn default_routing(&self) -> &'static str {
        L::ROUTING
    }

    fn write(&self) -> Lines {
        Layout::write(self)
    }

    fn named(&self) -> Own {
        Own(Arc::new(Layout::named(self)))
    }

    fn file(&self) -> Option<&Path> {
        Layout::file(self)
    }

    fn classes(&self) -> &'static [&'static str] {
        Layout::classes(self)
    }

    fn defaults(&self) -> Defaults {
        Layout::defaults(self)
    }

    fn nodes(&self) -> Option<u32> {
        Layout::nodes(self)
    }

    fn groups(&self) -> Option<Vec<u32>> {
        Layout::groups(self)
    }

    fn dims(&self) -> Option<Vec<u32>> {
        Layout::dims(self)
    }

    fn levels(&self) -> Option<Vec<u32>> {
        Layout::levels(self)
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        Layout::wire(self)
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.0.word() == other.0.word() && self.0.write() == other.0.write()
    }
}

impl Layout for Own {
    const WORD: &'static str = "own";
    const KEYS: &'static [&'static str] = &[];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        Err(section.need("kind", "a topology")?.refuse("no topology of this program"))
    }

    fn word(&self) -> &'static str {
        self.0.word()
    }

    fn default_routing(&self) -> &'static str {
        self.0.default_routing()
    }

    fn write(&self) -> Lines {
        self.0.write()
    }

    fn named(&self) -> Self {
        self.0.named()
    }

    fn file(&self) -> Option<&Path> {
        self.0.file()
    }

    fn classes(&self) -> &'static [&'static str] {
        self.0.classes()
    }

    fn defaults(&self) -> Defaults {
        self.0.defaults()
    }

    fn nodes(&self) -> Option<u32> {
        self.0.nodes()
    }

    fn groups(&self) -> Option<Vec<u32>> {
        self.0.groups()
    }

    fn dims(&self) -> Option<Vec<u32>> {
        self.0.dims()
    }

    fn levels(&self) -> Option<Vec<u32>> {
        self.0.levels()
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        self.0.wire()
    }
}
