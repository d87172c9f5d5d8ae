//! The description of a topology, and the closed list of topologies.

use std::path::Path;

use router_core::map::{AnyMap, MapKind};
use router_core::units::{PortClass, PortSet};

use super::{TopologyError, Wiring};
use crate::document::{Lines, Problem, Section};

/// A topology: its words, its keys, its defaults, its map. One file each.
///
/// A program of its own registers one with [`crate::registry::Registry::topology`].
pub trait Layout: Clone + std::fmt::Debug + Send + Sync {
    /// Its word in `topology.kind`.
    const WORD: &'static str;
    /// Its keys beside `kind`, in the order in which they are written.
    const KEYS: &'static [&'static str];
    /// The word of the routing that a scenario has if it names none.
    const ROUTING: &'static str;

    /// Its word; [`Layout::WORD`] but for topologies that several words stand for.
    fn word(&self) -> &'static str {
        Self::WORD
    }

    /// The word of the routing that a scenario has if it names none.
    fn default_routing(&self) -> &'static str {
        Self::ROUTING
    }

    /// Reads its keys, all of which are known. A file is looked for from `folder`.
    ///
    /// # Errors
    /// The first key that is missing or wrong.
    fn read(section: &Section<'_>, folder: &Path) -> Result<Self, Problem>;

    /// Its keys and their values; reading them gives the same topology again.
    fn write(&self) -> Lines;

    /// As results name it: a file goes by its name alone.
    fn named(&self) -> Self {
        self.clone()
    }

    /// The file that it is read from, where there is one.
    fn file(&self) -> Option<&Path> {
        None
    }

    /// The names of its classes of links, class 0 (`node`) first; at most [`PortClass::COUNT`].
    fn classes(&self) -> &'static [&'static str];

    /// Whether some port is of a class.
    fn has(&self, class: PortClass) -> bool {
        class.index() < self.classes().len()
    }

    /// Sizes and latencies that hold unless the scenario says otherwise, by class.
    fn defaults(&self) -> Defaults;

    /// How many nodes there are; `None` where only a file that is read later says so.
    fn nodes(&self) -> Option<u32>;

    /// Routers of each group; `None` where there are no groups.
    fn groups(&self) -> Option<Vec<u32>> {
        None
    }

    /// Routers along each dimension, the first of which counts fastest; `None` where there are no dimensions.
    fn dims(&self) -> Option<Vec<u32>> {
        None
    }

    /// Routers of each level, the leaves first, which have all nodes and the lowest numbers; `None` where there are no levels.
    fn levels(&self) -> Option<Vec<u32>> {
        None
    }

    /// The class of links that the occupancy trigger's `global_restriction` is for, if there is one.
    fn restricted(&self) -> Option<PortClass> {
        None
    }

    /// The local ports of a router by which packets may look for another way out of its group: what the policies of OLM
    /// need to know, and only a Dragonfly has.
    fn group_exits(&self, _router: u32) -> PortSet {
        PortSet::EMPTY
    }

    /// The kind of map by which its routers find their way, where no routing asks for a table.
    const MAP: MapKind = MapKind::Graph;

    /// That map; nothing where it is a table, which is made from the wiring.
    ///
    /// # Errors
    /// When there can be no such network.
    fn map_of(&self) -> Result<Option<AnyMap<'_>>, TopologyError> {
        Ok(None)
    }

    /// Its routers, nodes and links.
    ///
    /// # Errors
    /// When there can be no such network.
    fn wire(&self) -> Result<Wiring, TopologyError>;
}

/// Sizes and latencies by class of link, for a topology's defaults: one entry for each.
#[derive(Debug, Clone, Copy)]
pub struct Defaults {
    /// Flits that the buffer of each VC holds.
    pub buffer_flits: &'static [u32],
    /// Link cycles.
    pub latency: &'static [u32],
}

/// Makes the closed list of topologies: `module::Type`, a line for each. Scenario files can name those in the list; programs
/// can make a `Custom` one, too.
macro_rules! topologies {
    ($($module:ident::$name:ident,)+) => {
        topologies! { all: $($module::$name,)+ custom::Custom, own::Own, }

        impl Topology {
            /// The words of `topology.kind`, and the keys that belong to each beside `kind`.
            pub(crate) const KINDS: &'static [(&'static str, &'static [&'static str])] =
                &[$(($name::WORD, $name::KEYS),)+];

            /// Those, then the words that the program has registered.
            pub(crate) fn kinds() -> Vec<(&'static str, &'static [&'static str])> {
                let own = own::INSTALLED.all().iter().map(|kind| (kind.word, kind.keys));
                Self::KINDS.iter().copied().chain(own).collect()
            }

            /// Reads the topology with that word.
            pub(crate) fn read(word: &str, section: &Section<'_>, folder: &Path) -> Option<Result<Self, Problem>> {
                match word {
                    $($name::WORD => Some($name::read(section, folder).map(Self::$name)),)+
                    _ => {
                        let own = own::INSTALLED.all().iter().find(|kind| kind.word == word)?;
                        Some((own.read)(section, folder).map(Self::Own))
                    }
                }
            }
        }
    };
    (all: $($module:ident::$name:ident,)+) => {
        $(pub(crate) mod $module; pub use $module::$name;)+

        /// `[topology]`: which routers there are and how they are joined.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs, reason = "each variant is documented by its type")]
        pub enum Topology { $($name($name),)+ }

        $(impl From<$name> for Topology {
            fn from(one: $name) -> Self { Self::$name(one) }
        })+

        impl Topology {
            /// Its word in `topology.kind`.
            #[must_use]
            pub fn word(&self) -> &'static str {
                match self { $(Self::$name(one) => Layout::word(one),)+ }
            }

            /// The word of the routing that a scenario has if it names none.
            #[must_use]
            pub fn default_routing(&self) -> &'static str {
                match self { $(Self::$name(one) => Layout::default_routing(one),)+ }
            }

            pub(crate) fn write(&self) -> Lines {
                match self { $(Self::$name(one) => one.write(),)+ }
            }

            pub(crate) fn named(&self) -> Self {
                match self { $(Self::$name(one) => Self::$name(one.named()),)+ }
            }

            pub(crate) fn file(&self) -> Option<&Path> {
                match self { $(Self::$name(one) => one.file(),)+ }
            }

            /// The names of its classes of links, class 0 (`node`) first.
            #[must_use]
            pub fn classes(&self) -> &'static [&'static str] {
                match self { $(Self::$name(one) => one.classes(),)+ }
            }

            /// Whether some port is of a class.
            #[must_use]
            pub fn has(&self, class: PortClass) -> bool {
                match self { $(Self::$name(one) => one.has(class),)+ }
            }

            pub(crate) fn defaults(&self) -> Defaults {
                match self { $(Self::$name(one) => one.defaults(),)+ }
            }

            /// How many nodes there are; `None` where only a file that is read later says so.
            #[must_use]
            pub fn nodes(&self) -> Option<u32> {
                match self { $(Self::$name(one) => one.nodes(),)+ }
            }

            /// Routers of each group; `None` where there are no groups.
            #[must_use]
            pub fn groups(&self) -> Option<Vec<u32>> {
                match self { $(Self::$name(one) => one.groups(),)+ }
            }

            /// Routers along each dimension; `None` where there are no dimensions.
            #[must_use]
            pub fn dims(&self) -> Option<Vec<u32>> {
                match self { $(Self::$name(one) => one.dims(),)+ }
            }

            /// Routers of each level, the leaves first; `None` where there are no levels.
            #[must_use]
            pub fn levels(&self) -> Option<Vec<u32>> {
                match self { $(Self::$name(one) => one.levels(),)+ }
            }

            pub(crate) fn restricted(&self) -> Option<PortClass> {
                match self { $(Self::$name(one) => one.restricted(),)+ }
            }

            pub(crate) fn group_exits(&self, router: u32) -> PortSet {
                match self { $(Self::$name(one) => one.group_exits(router),)+ }
            }

            /// The kind of map by which its routers find their way, where no routing asks for a table.
            #[must_use]
            pub fn map_kind(&self) -> MapKind {
                match self { $(Self::$name(_) => $name::MAP,)+ }
            }

            /// That map; nothing where it is a table.
            pub(crate) fn map(&self) -> Result<Option<AnyMap<'_>>, TopologyError> {
                match self { $(Self::$name(one) => one.map_of(),)+ }
            }

            pub(super) fn wire(&self) -> Result<Wiring, TopologyError> {
                match self { $(Self::$name(one) => one.wire(),)+ }
            }
        }
    };
}
pub(super) use topologies;
