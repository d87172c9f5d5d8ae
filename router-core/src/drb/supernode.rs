//! Supernodes: the routers near an end of a metapath.

use super::Network;
use crate::settings::{Settings, Visit};

/// Which routers round an end are its supernode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SupernodeKind {
    /// The gravity area: all routers that are at most so many hops away. Near the edge of a mesh it is smaller than in the middle.
    #[default]
    Gravity,
    /// The subtopology: in a grid of k routers along each of n dimensions, one of j along each of m of them.
    Subtopology,
}

crate::words!(SupernodeKind {
    "gravity-area" => [Self::Gravity],
    "subtopology" => [Self::Subtopology],
});

/// The settings of a supernode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SupernodeShape {
    /// Which routers.
    pub kind: SupernodeKind,
    /// Hops to the farthest router of a gravity area; routers along each dimension of a subtopology. Range: 0…255.
    pub size: u8,
    /// The first dimensions, in which a subtopology extends; more than there are mean all. Range: 1…8.
    pub dimensions: u8,
}

impl SupernodeShape {
    /// The gravity area of this radius.
    #[must_use]
    pub const fn gravity(size: u8) -> Self {
        Self { kind: SupernodeKind::Gravity, size, dimensions: 8 }
    }
}

impl Default for SupernodeShape {
    fn default() -> Self {
        Self::gravity(1)
    }
}

impl Settings for SupernodeShape {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("kind", &mut self.kind)?;
        visitor.whole("size", 0..=255, &mut self.size)?;
        visitor.whole("dimensions", 1..=8, &mut self.dimensions)
    }
}

/// The supernode of a router, the router itself included.
#[derive(Clone, Copy, Debug)]
pub struct Supernode<'m> {
    /// The network.
    pub network: Network<'m>,
    /// The router in the middle.
    pub centre: u32,
    /// Its shape.
    pub shape: SupernodeShape,
}

impl Supernode<'_> {
    /// Its routers, the nearest first; those as near in the order of their numbers.
    pub fn routers(self) -> impl Iterator<Item = u32> {
        let Self { network, centre, .. } = self;
        let rings = (0..=u32::MAX).flat_map(move |hops| {
            network
                .routers()
                .filter(move |&router| network.distance(centre, router) == hops && self.has(router))
        });
        rings.take(self.size())
    }

    /// How many they are.
    #[must_use]
    pub fn size(self) -> usize {
        self.network.routers().filter(|&router| self.has(router)).count()
    }

    /// Whether a router is one of them.
    fn has(&self, router: u32) -> bool {
        let Self { network, centre, shape: SupernodeShape { kind, size, dimensions } } = *self;
        match (kind, network) {
            (SupernodeKind::Gravity, _) => network.distance(centre, router) <= size.into(),
            (SupernodeKind::Subtopology, Network::Grid(grid)) => {
                grid.is_in_cube(centre, router, size.into(), dimensions)
            }
            // What has no dimensions has none to leave out.
            (SupernodeKind::Subtopology, Network::Table(_)) => router == centre,
        }
    }
}
