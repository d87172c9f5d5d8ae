//! Words of a program's own, for the whole command.

use std::sync::OnceLock;

use desvio_prove::{Proof, ProveError};
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::registry;
use desvio_sim::topology::Layout;
use desvio_sim::traffic::Rule;
use router_core::route::Scheme;

/// Topologies, routings and traffic patterns of a program's own, for [`crate::main_with`].
#[derive(Debug)]
pub struct Registry {
    words: registry::Registry,
    proofs: Vec<(&'static str, Prove)>,
}

/// Proves a routing of the program's own, the one of the blueprint's scenario.
type Prove = fn(&Blueprint, &(dyn Fn() + Sync)) -> Result<Proof, ProveError>;

static PROOFS: OnceLock<Vec<(&'static str, Prove)>> = OnceLock::new();

impl Registry {
    /// Of a program with this name and version.
    ///
    /// Results of campaigns are kept by both: raise the version with each change of what the words mean, or results of the old meaning
    /// are taken for those of the new one.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        Self { words: registry::Registry::new(name, version), proofs: Vec::new() }
    }

    /// Adds a topology: `topology.kind` has its word.
    #[must_use]
    pub fn topology<L: Layout + 'static>(self) -> Self {
        Self { words: self.words.topology::<L>(), ..self }
    }

    /// Adds a routing: `routing.algorithm` has its word, `[routing]` its keys. The engine and the proof are compiled for it here.
    #[must_use]
    pub fn routing<S: Scheme + Send + Sync + 'static>(mut self) -> Self
    where
        for<'m> S::Routing<'m>: Sync,
    {
        self.proofs.push((S::WORD, prove::<S>));
        Self { words: self.words.routing::<S>(), ..self }
    }

    /// Adds a traffic pattern: `traffic.pattern` has its word.
    #[must_use]
    pub fn pattern<R: Rule + 'static>(self) -> Self {
        Self { words: self.words.pattern::<R>(), ..self }
    }

    pub(crate) fn install(self) -> Result<(), String> {
        self.words.install()?;
        PROOFS.set(self.proofs).map_err(|_| "a registry is installed already".to_owned())
    }
}

fn prove<S: Scheme + 'static>(
    blueprint: &Blueprint,
    progress: &(dyn Fn() + Sync),
) -> Result<Proof, ProveError>
where
    for<'m> S::Routing<'m>: Sync,
{
    let own = blueprint.scenario().routing.own.as_ref();
    let scheme: S = own.and_then(|own| own.downcast()).unwrap_or_default();
    let map = blueprint.map().map_err(ProveError::from)?;
    let routing = scheme.build(&map, blueprint.routing_vcs()).ok_or(BlueprintError::Unfit(S::WORD))?;
    desvio_prove::prove(blueprint, routing, progress)
}

/// Proves the routing of a scenario, whichever list it is in.
pub(crate) fn prove_any(blueprint: &Blueprint, progress: &(dyn Fn() + Sync)) -> Result<Proof, ProveError> {
    let Some(own) = &blueprint.scenario().routing.own else {
        if blueprint.is_wide() {
            return desvio_prove::prove(blueprint, blueprint.wide_routing()?, progress);
        }
        return desvio_prove::prove(blueprint, blueprint.routing()?, progress);
    };
    let proofs = PROOFS.get().map_or(&[][..], Vec::as_slice);
    match proofs.iter().find(|(word, _)| *word == own.word()) {
        Some((_, prove)) => prove(blueprint, progress),
        None => Err(BlueprintError::OwnRouting(own.word()).into()),
    }
}
