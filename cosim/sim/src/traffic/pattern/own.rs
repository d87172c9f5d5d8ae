//! A traffic pattern of a program's own, by its word in scenario files.

use std::fmt::Debug;
use std::sync::Arc;

use crate::installed::Installed;

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, written};

/// A traffic pattern that a program has registered.
#[derive(Debug, Clone)]
pub struct Own(Arc<dyn Erased>);

/// What is in the registry of a pattern.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) word: &'static str,
    pub(crate) shape: Option<&'static str>,
    pub(crate) read: fn(&Field<'_>, &Topology) -> Result<Own, Problem>,
}

/// Patterns that the program has registered.
pub(crate) static INSTALLED: Installed<Entry> = Installed::new();

impl Entry {
    pub(crate) fn of<R: Rule + 'static>() -> Self {
        let read = |field: &Field<'_>, on: &Topology| Ok(Own(Arc::new(R::read(field, on)?)));
        Self { word: R::WORD, shape: R::SHAPE, read }
    }
}

/// A `Rule` without what only its type knows.
trait Erased: Debug + Send + Sync {
    fn written(&self) -> String;
    fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError>;
}

impl<R: Rule + 'static> Erased for R {
    fn written(&self) -> String {
        written(R::WORD, R::SHAPE.map(|_| self.write()))
    }

    fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError> {
        Rule::targets(self, on, random)
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.0.written() == other.0.written()
    }
}

impl Own {
    /// As it is written in a scenario.
    pub(super) fn written(&self) -> String {
        self.0.written()
    }

    pub(super) fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError> {
        let targets = self.0.targets(on, random)?;
        // What another crate says is not believed: a node that is not there would be asked for.
        let nodes = on.nodes();
        let outside = targets.named().find(|node| *node >= nodes);
        let missing = targets.by_sender().find(|senders| *senders != nodes as usize).map(|_| nodes);
        match outside.or(missing) {
            Some(node) => Err(TrafficError::NoSuchTarget { pattern: self.written(), node, nodes }),
            None => Ok(targets),
        }
    }
}
