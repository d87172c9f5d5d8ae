//! A routing of a program's own, by its word in scenario files.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use router_core::map::{AnyMap, MapKind};
use router_core::route::{HopKind, Misfit, Needs, Scheme, Vcs};

use super::choice::{Keys, group, keys_of_group, lines_of_group};
use super::model::RoutingSettings;
use crate::document::{Lines, Problem, Section};
use crate::installed::Installed;

/// A routing that a program has registered, with its settings.
#[derive(Debug, Clone)]
pub struct OwnScheme(Arc<dyn Erased>);

/// What is in the registry of a routing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Routing {
    pub(crate) word: &'static str,
    pub(crate) keys: fn() -> Keys,
    pub(crate) map: fn(MapKind) -> Option<MapKind>,
    /// With the settings of a table, or at its defaults.
    pub(crate) read: fn(Option<&Section<'_>>) -> Result<OwnScheme, Problem>,
}

/// Routings that the program has registered.
pub(crate) static INSTALLED: Installed<Routing> = Installed::new();

impl Routing {
    pub(crate) fn of<S: Scheme + Send + Sync + 'static>() -> Self {
        let read = |section: Option<&Section<'_>>| {
            let scheme = section.map_or(Ok(S::default()), |section| group(section, S::default()))?;
            Ok(OwnScheme(Arc::new(Held(scheme))))
        };
        Self { word: S::WORD, keys: keys_of_group::<S>, map: S::map, read }
    }
}

/// A `Scheme` without what only its type knows.
trait Erased: Debug + Send + Sync {
    fn word(&self) -> &'static str;
    fn lines(&self) -> Lines;
    fn at_defaults(&self) -> OwnScheme;
    fn traits(&self, on: MapKind) -> Traits;
    fn vcs_for(&self, hops: u32) -> u32;
    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit>;
    fn fits(&self, map: &AnyMap<'_>, vcs: Vcs) -> bool;
    fn as_any(&self) -> &dyn Any;
}

/// What a scheme says of itself.
#[derive(Debug, Clone)]
struct Traits {
    map: Option<MapKind>,
    needs: Needs,
    default_vcs: Vcs,
    detours: &'static [HopKind],
    trigger: &'static str,
    dimensions: Option<u8>,
    whole_packets: bool,
    bubbles: bool,
    counts_groups: bool,
    draws: bool,
    vc_per_hop_of: u32,
}

#[derive(Debug)]
struct Held<S>(S);

impl<S: Scheme + Send + Sync + 'static> Erased for Held<S> {
    fn word(&self) -> &'static str {
        S::WORD
    }

    fn lines(&self) -> Lines {
        lines_of_group(self.0)
    }

    fn at_defaults(&self) -> OwnScheme {
        OwnScheme(Arc::new(Self(S::default())))
    }

    fn traits(&self, on: MapKind) -> Traits {
        Traits {
            map: S::map(on),
            needs: self.0.needs(on),
            default_vcs: self.0.default_vcs(),
            detours: S::DETOURS,
            trigger: S::TRIGGER,
            dimensions: self.0.dimensions(),
            whole_packets: self.0.whole_packets(),
            bubbles: S::BUBBLES,
            counts_groups: S::COUNTS_GROUPS,
            draws: self.0.draws(),
            vc_per_hop_of: S::VC_PER_HOP_OF,
        }
    }

    fn vcs_for(&self, hops: u32) -> u32 {
        self.0.vcs_for(hops)
    }

    fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        self.0.check(map)
    }

    fn fits(&self, map: &AnyMap<'_>, vcs: Vcs) -> bool {
        self.0.build(map, vcs).is_some()
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}

impl PartialEq for OwnScheme {
    fn eq(&self, other: &Self) -> bool {
        self.word() == other.word() && self.lines() == other.lines()
    }
}

impl OwnScheme {
    /// Its word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        self.0.word()
    }

    /// The scheme itself, where it is of this type.
    #[must_use]
    pub fn downcast<S: Scheme + 'static>(&self) -> Option<S> {
        self.0.as_any().downcast_ref::<S>().copied()
    }

    pub(crate) fn lines(&self) -> Lines {
        self.0.lines()
    }

    pub(crate) fn at_defaults(&self) -> Self {
        self.0.at_defaults()
    }

    /// Whether it is built on a map.
    pub(crate) fn fits(&self, map: &AnyMap<'_>, vcs: Vcs) -> bool {
        self.0.fits(map, vcs)
    }
}

/// What holds of the routing of a scenario, whichever list it is in.
impl RoutingSettings {
    fn own(&self, on: MapKind) -> Option<Traits> {
        self.own.as_ref().map(|own| own.0.traits(on))
    }

    /// Its traits where no map matters.
    fn anywhere(&self) -> Option<Traits> {
        self.own(MapKind::Graph)
    }

    /// Its word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        self.own.as_ref().map_or_else(|| router_core::settings::Choice::word(&self.scheme), OwnScheme::word)
    }

    /// The map by which it finds its way on a topology with a map of kind `on`; nothing where it does not fit.
    #[must_use]
    pub fn map(&self, on: MapKind) -> Option<MapKind> {
        self.own(on).map_or_else(|| self.scheme.map(on), |own| own.map)
    }

    /// The VCs that it needs on a map.
    #[must_use]
    pub fn needs(&self, on: MapKind) -> Needs {
        self.own(on).map_or_else(|| self.scheme.needs(on), |own| own.needs)
    }

    /// The VCs of a router when no others are chosen.
    #[must_use]
    pub fn default_vcs(&self) -> Vcs {
        self.anywhere().map_or_else(|| self.scheme.default_vcs(), |own| own.default_vcs)
    }

    /// The non-minimal hops that it offers.
    #[must_use]
    pub fn detours(&self) -> &'static [HopKind] {
        self.anywhere().map_or_else(|| self.scheme.detours(), |own| own.detours)
    }

    /// The word of the trigger that decides about them unless another is chosen.
    #[must_use]
    pub fn trigger(&self) -> &'static str {
        self.anywhere().map_or_else(|| self.scheme.trigger(), |own| own.trigger)
    }

    /// The dimensions that a grid must have; nothing where it may have any number of them.
    #[must_use]
    pub fn dimensions(&self) -> Option<u8> {
        self.anywhere().map_or_else(|| self.scheme.dimensions(), |own| own.dimensions)
    }

    /// Whether a head may move only where its whole packet has room.
    #[must_use]
    pub fn whole_packets(&self) -> bool {
        self.anywhere().map_or_else(|| self.scheme.whole_packets(), |own| own.whole_packets)
    }

    /// Whether it has an escape ring.
    #[must_use]
    pub fn bubbles(&self) -> bool {
        self.anywhere().map_or_else(|| self.scheme.bubbles(), |own| own.bubbles)
    }

    /// Whether the routers of a group count together which group its packets leave for.
    #[must_use]
    pub fn counts_groups(&self) -> bool {
        self.anywhere().map_or_else(|| self.scheme.counts_groups(), |own| own.counts_groups)
    }

    /// Whether new packets draw at random.
    #[must_use]
    pub fn draws(&self) -> bool {
        self.anywhere().map_or_else(|| self.scheme.draws(), |own| own.draws)
    }

    /// Of how many shortest routes, one after the other, each hop takes the next VC.
    #[must_use]
    pub fn vc_per_hop_of(&self) -> u32 {
        self.anywhere().map_or_else(|| self.scheme.vc_per_hop_of(), |own| own.vc_per_hop_of)
    }

    /// The VCs that it needs where the longest shortest route has so many hops.
    #[must_use]
    pub fn vcs_for(&self, hops: u32) -> u32 {
        self.own.as_ref().map_or_else(|| self.scheme.vcs_for(hops), |own| own.0.vcs_for(hops))
    }

    /// What keeps it from a network although the network has a map of the right kind.
    ///
    /// # Errors
    /// When there is something.
    pub fn check(&self, map: &AnyMap<'_>) -> Result<(), Misfit> {
        self.own.as_ref().map_or_else(|| self.scheme.check(map), |own| own.0.check(map))
    }

    /// The keys of its settings, and their values.
    pub(crate) fn lines(&self) -> Lines {
        self.own.as_ref().map_or_else(|| super::choice::lines(self.scheme), OwnScheme::lines)
    }

    /// With the settings that a file leaves out.
    pub(crate) fn at_defaults(&self) -> Self {
        use router_core::settings::Choice as _;
        Self {
            scheme: self.scheme.at_defaults(),
            own: self.own.as_ref().map(OwnScheme::at_defaults),
            ..self.clone()
        }
    }
}
