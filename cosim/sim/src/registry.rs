//! Words of a program of its own: topologies, routings and traffic patterns beside those of the closed lists.
//!
//! A program makes a [`Registry`], and installs it before it reads a scenario. From then on scenario files, `--set`, errors and results
//! have its words as they have the others.

use router_core::route::{RoutingScheme, Scheme};
use router_core::settings::Choice as _;

use crate::engine;
use crate::run::{RUNNERS, Runner};
use crate::scenario::own::{self, Routing};
use crate::topology::{self, Layout, Topology, own::Kind};
use crate::traffic::{self, Pattern, Rule, own::Entry};

/// The words of a program of its own.
#[derive(Debug)]
pub struct Registry {
    by: String,
    topologies: Vec<Kind>,
    routings: Vec<Routing>,
    runners: Vec<Runner>,
    patterns: Vec<Entry>,
}

impl Registry {
    /// Of a program with this name and version, which results of campaigns are kept by: raise the version with each change of what the
    /// program's words mean.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        let by = format!("{name} {version}");
        Self { by, topologies: Vec::new(), routings: Vec::new(), runners: Vec::new(), patterns: Vec::new() }
    }

    /// Adds a topology.
    #[must_use]
    pub fn topology<L: Layout + 'static>(mut self) -> Self {
        self.topologies.push(Kind::of::<L>());
        self
    }

    /// Adds a routing. The engine is compiled for it in the crate that calls this.
    #[must_use]
    pub fn routing<S: Scheme + Send + Sync + 'static>(mut self) -> Self
    where
        for<'m> S::Routing<'m>: Sync,
    {
        self.routings.push(Routing::of::<S>());
        self.runners.push(Runner::of::<S>());
        self
    }

    /// Adds a traffic pattern.
    #[must_use]
    pub fn pattern<R: Rule + 'static>(mut self) -> Self {
        self.patterns.push(Entry::of::<R>());
        self
    }

    /// Makes its words known to the whole process, for good.
    ///
    /// # Errors
    /// A word that exists already, or another registry that is installed.
    pub fn install(self) -> Result<(), String> {
        let topologies = Topology::KINDS.iter().map(|(word, _)| *word);
        unique("topology", topologies.chain(self.topologies.iter().map(|kind| kind.word)))?;
        let routings = RoutingScheme::WORDS.iter().copied();
        unique("routing", routings.chain(self.routings.iter().map(|routing| routing.word)))?;
        let patterns = Pattern::WORDS.iter().map(|(word, _)| *word);
        unique("pattern", patterns.chain(self.patterns.iter().map(|entry| entry.word)))?;
        engine::extend(&self.by);
        topology::own::INSTALLED.set(self.topologies)?;
        own::INSTALLED.set(self.routings)?;
        RUNNERS.set(self.runners)?;
        traffic::own::INSTALLED.set(self.patterns)
    }
}

fn unique(what: &str, words: impl Iterator<Item = &'static str>) -> Result<(), String> {
    let mut seen = Vec::new();
    for word in words {
        if seen.contains(&word) {
            return Err(format!("the {what} \"{word}\" exists already: choose another word"));
        }
        seen.push(word);
    }
    Ok(())
}
