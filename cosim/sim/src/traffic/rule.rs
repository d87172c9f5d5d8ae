//! The description of a traffic pattern, and the closed list of patterns.

use super::error::TrafficError;
use super::node_map::NodeMap;
use super::targets::Targets;
use crate::document::{Field, Problem};
use crate::random::Stream;
use crate::topology::Topology;

/// A traffic pattern: its word, its parameter, what it needs of the network, its rule. One file each.
///
/// A program of its own registers one with [`crate::registry::Registry::pattern`].
pub trait Rule: Clone + std::fmt::Debug + Send + Sync {
    /// Its word in `traffic.pattern`.
    const WORD: &'static str;
    /// How it is written where it has a parameter: as a table with the word as its key. `None`: it is the word alone.
    const SHAPE: Option<&'static str> = None;

    /// Reads its parameter from `field`, or the word itself where it has none, and refuses a network that has not what it
    /// needs.
    ///
    /// # Errors
    /// What is wrong with the parameter, or what the network lacks.
    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem>;

    /// Its parameter; reading that gives the same pattern again.
    fn write(&self) -> String {
        String::new()
    }

    /// Who sends to whom on this network. What is drawn once for the whole run is drawn from `random`.
    ///
    /// # Errors
    /// What the network lacks.
    fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError>;
}

/// Makes the closed list of patterns: `module::Type`, a line for each. One pattern is made of two others, and so not in it.
macro_rules! patterns {
    ($($module:ident::$name:ident,)+) => {
        $(mod $module; pub use $module::$name;)+

        /// Who sends to whom.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs, reason = "each variant is documented by its type")]
        pub enum Pattern {
            $($name($name),)+
            /// One that the program has registered.
            Own(own::Own),
            /// One pattern before a cycle, another from then on.
            SwitchAt {
                /// The first cycle of the second pattern.
                cycle: u64,
                /// Before.
                from: Box<Pattern>,
                /// From then on.
                to: Box<Pattern>,
            },
        }

        $(impl From<$name> for Pattern {
            fn from(one: $name) -> Self { Self::$name(one) }
        })+

        impl Pattern {
            /// The words of all patterns but `switch-at`, and how each is written if not as that word.
            pub(crate) const WORDS: &'static [(&'static str, Option<&'static str>)] =
                &[$(($name::WORD, $name::SHAPE),)+];

            /// Those, then the words that the program has registered.
            pub(crate) fn words() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
                let own = own::INSTALLED.all().iter().map(|entry| (entry.word, entry.shape));
                Self::WORDS.iter().copied().chain(own)
            }

            /// Reads the parameter of the pattern with that word.
            fn named(word: &str, field: &Field<'_>, on: &Topology) -> Option<Result<Self, Problem>> {
                match word {
                    $($name::WORD => Some($name::read(field, on).map(Self::$name)),)+
                    _ => {
                        let own = own::INSTALLED.all().iter().find(|entry| entry.word == word)?;
                        Some((own.read)(field, on).map(Self::Own))
                    }
                }
            }

            /// As it is written in a scenario.
            pub(crate) fn write(&self) -> String {
                match self {
                    $(Self::$name(one) => written($name::WORD, $name::SHAPE.map(|_| one.write())),)+
                    Self::Own(one) => one.written(),
                    Self::SwitchAt { cycle, from, to } => {
                        let (from, to) = (from.write(), to.write());
                        format!("{{ {SWITCH_AT} = {cycle}, from = {from}, to = {to} }}")
                    }
                }
            }

            /// Appends its phases from the first cycle of `time` until its second; none that lasts no cycle.
            fn add_phases(
                &self,
                phases: &mut Vec<Phase>,
                (start, end): (u64, u64),
                on: &NodeMap,
                random: &mut Stream,
            ) -> Result<(), TrafficError> {
                if start >= end {
                    return Ok(());
                }
                let targets = match self {
                    Self::SwitchAt { cycle, from, to } => {
                        from.add_phases(phases, (start, end.min(*cycle)), on, random)?;
                        return to.add_phases(phases, (start.max(*cycle), end), on, random);
                    }
                    $(Self::$name(one) => one.targets(on, random)?,)+
                    Self::Own(one) => one.targets(on, random)?,
                };
                phases.push(Phase { end, targets });
                Ok(())
            }
        }
    };
}
pub(super) use patterns;
