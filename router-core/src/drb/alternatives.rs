//! Which multi-step path is opened next.

use super::{MultiStep, Network, Supernode, SupernodeShape};
use crate::units::{PortId, PortSet};

/// The order in which the multi-step paths of a network are opened. Each time it is the one that shares fewest links with those that are open;
/// of several, the shortest. Of several such, it is the one whose *i* is nearest to the source, then the one whose *j* is nearest to the
/// destination.
///
/// It depends on nothing but the ends: path 2 of a metapath is the same one whenever it is opened. Paths may overlap, and where supernodes
/// are small they have to: the steps in the supernodes may use links that another path's long step uses.
#[derive(Clone, Copy, Debug)]
pub struct Alternatives<'m> {
    /// The network, of up to 512 addresses.
    pub network: Network<'m>,
    /// The supernode of the source.
    pub source: SupernodeShape,
    /// The supernode of the destination.
    pub destination: SupernodeShape,
    /// Whether paths that lead through a router twice, or have no link which the open ones have not, are never opened.
    pub own_links: bool,
}

/// Routers whose addresses fit half of a header's `via`.
const ROUTERS: usize = 1 << super::POINT_BITS;

/// Links of a network, by router: outputs.
struct Links([PortSet; ROUTERS]);

impl Links {
    /// Those of open paths.
    fn of(network: Network<'_>, from: u32, to: u32, open: impl Iterator<Item = MultiStep>) -> Self {
        let mut links = Self([PortSet::EMPTY; ROUTERS]);
        for (router, port) in open.flat_map(|path| ways(network, from, to, path)) {
            if let Some(outputs) = links.0.get_mut(router as usize) {
                outputs.insert(port);
            }
        }
        links
    }

    fn contains(&self, (router, port): (u32, PortId)) -> bool {
        self.0.get(router as usize).is_some_and(|outputs| outputs.contains(port))
    }
}

/// The links of a path: a router and its output.
fn ways(
    network: Network<'_>,
    from: u32,
    to: u32,
    MultiStep { first, second }: MultiStep,
) -> impl Iterator<Item = (u32, PortId)> {
    let steps = [(from, first), (first, second), (second, to)];
    steps.into_iter().flat_map(move |(a, b)| network.links(a, b))
}

/// Whether a path leads through a router twice: it would only load links.
fn comes_back(network: Network<'_>, from: u32, to: u32, path: MultiStep) -> bool {
    let mut seen = [0u32; ROUTERS / u32::BITS as usize];
    let mut is_new = |router: u32| {
        let Some(word) = seen.get_mut((router / u32::BITS) as usize) else { return false };
        let bit = 1u32.wrapping_shl(router);
        core::mem::replace(word, *word | bit) & bit == 0
    };
    let mut routers = ways(network, from, to, path).map(|(router, _)| router);
    !(is_new(to) && routers.all(is_new))
}

impl<'m> Alternatives<'m> {
    /// The links of a path from one router to another: a router and its output.
    pub fn links(
        &self,
        from: u32,
        to: u32,
        path: MultiStep,
    ) -> impl Iterator<Item = (u32, PortId)> + use<'m> {
        ways(self.network, from, to, path)
    }

    /// Links of a path from one router to another \[2\].
    #[must_use]
    pub fn length(&self, from: u32, to: u32, path: MultiStep) -> u32 {
        let [first, middle, last] = [(from, path.first), (path.first, path.second), (path.second, to)]
            .map(|(a, b)| self.network.distance(a, b));
        first.saturating_add(middle).saturating_add(last)
    }

    /// The path that is opened after these, which are those of the same ends; `None` where there is none.
    #[must_use]
    pub fn next(
        &self,
        from: u32,
        to: u32,
        open: impl Iterator<Item = MultiStep> + Clone,
    ) -> Option<MultiStep> {
        if from == to {
            return None;
        }
        let Self { network, source, destination, own_links } = *self;
        let taken = Links::of(network, from, to, open.clone());
        let around = |centre, shape| Supernode { network, centre, shape }.routers();
        let pairs = around(from, source)
            .flat_map(|first| around(to, destination).map(move |second| MultiStep { first, second }));
        let paths = pairs.filter(|&path| !open.clone().any(|other| other == path));
        let paths = paths.filter(|&path| !(own_links && comes_back(network, from, to, path)));
        let judged = paths.filter_map(|path| {
            let length = self.length(from, to, path);
            let shared = ways(network, from, to, path).filter(|&link| taken.contains(link)).count() as u32;
            (shared < length || !own_links).then_some((shared, length, path))
        });
        // The first one of the least, in the order of `pairs`.
        judged.min_by_key(|&(shared, length, _)| (shared, length)).map(|(_, _, path)| path)
    }
}
