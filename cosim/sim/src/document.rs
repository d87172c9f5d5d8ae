//! A document: one TOML text, values of `--set` put over it, and everything in it at its place.
//!
//! `source` keeps the texts and quotes them in a refusal. `value` and `set` build one tree in which everything knows its place. `section`
//! reads the tables of that tree key by key, for the files that know the meaning of keys. `write` is the way back.

pub(crate) mod file;
mod place;
mod problem;
mod section;
mod set;
mod source;
mod value;
pub(crate) mod write;

pub use place::Place;
pub use problem::{Expected, Problem, Refusal};
pub(crate) use section::nearest;
pub use section::{Field, Section, Whole, listed, unknown_key};
pub use source::Sources;
pub use value::{Data, Entry, Value};
pub use write::Lines;

/// A tree of values, and what may be in it.
#[derive(Debug)]
pub struct Document {
    root: Value,
    tables: Tables,
}

/// The tables that there may be, in their order, and the keys of each.
pub(crate) type Tables = Vec<(&'static str, Vec<&'static str>)>;

impl Document {
    /// Reads a text; each of `sets` is a `key=value` that replaces what it says, the last one for a key winning.
    pub(crate) fn read(text: &str, sets: &[String], tables: Tables) -> Result<Self, Problem> {
        let mut root = Value::document(text)?;
        for (index, set) in sets.iter().enumerate() {
            set::apply(&mut root, set, index + 1)?;
        }
        Ok(Self { root, tables })
    }

    /// Refuses every table but these.
    pub(crate) fn only(&self, tables: &[&str], whose: &str) -> Result<(), Problem> {
        match self.root.entries().iter().find(|entry| !tables.contains(&entry.key.as_str())) {
            Some(entry) => Err(unknown_key(entry, tables, self.other_with(&entry.key, ""), whose)),
            None => Ok(()),
        }
    }

    /// Refuses a text without an entry.
    pub(crate) fn not_empty(&self, message: &str) -> Result<(), Problem> {
        if self.root.entries().is_empty() { Err(Problem::new(self.root.at, message)) } else { Ok(()) }
    }

    /// A table, without entries if it is not written.
    pub(crate) fn section(&self, name: &str) -> Result<Section<'_>, Problem> {
        Section::open(self, name)
    }

    /// The place to show for a combination of keys that does not work: see [`Value::blame`].
    pub(crate) fn blame(&self, paths: &[&str]) -> Place {
        self.root.blame(paths)
    }

    /// The keys of a table.
    fn keys(&self, table: &str) -> &[&'static str] {
        self.tables.iter().find(|(name, _)| *name == table).map_or(&[], |(_, keys)| keys)
    }

    /// The first table but `table` that has this key.
    fn other_with(&self, key: &str, table: &str) -> Option<&'static str> {
        let other = self.tables.iter().find(|(name, keys)| *name != table && keys.contains(&key));
        other.map(|(name, _)| *name)
    }
}

/// Most cycles a value may be: longer than any practical run, and sums of a few of them fit 64 bits.
pub(crate) const MOST_CYCLES: u64 = 1_000_000_000_000;
