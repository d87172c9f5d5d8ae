//! The map of any graph for paths of several steps: one shortest route for each pair of routers, and the VCs of each step.

use super::forwarding::Entry;
use super::table::TableError;
use crate::units::{Bits, PortId, PortSet, VcId, VcSet};

/// The tables of all routers of a network.
///
/// An address is the number of a router. What router `here` does with packets for router `there` is entry `here · routers + there`: the
/// port, and the VCs that a step from `here` to `there` may take. A packet keeps the VC of a step's first hop for the whole step.
///
/// VCs form a class for each step, the first one lowest. The tables exclude deadlock where the routes that they let on to each VC have a
/// channel dependency graph without a cycle, since a packet takes a higher VC for each further step.
#[derive(Clone, Copy, Debug)]
pub struct StepTable<'t> {
    parts: StepParts<'t>,
}

/// What a [`StepTable`] is made of.
#[derive(Clone, Copy, Debug)]
pub struct StepParts<'t> {
    /// Ports and VCs.
    pub entries: &'t [Entry],
    /// Entry `here · routers + there`: the hops of the route; more than 255 are 255.
    pub hops: &'t [u8],
    /// Entry `router · width + port`: the router behind a port; any other number where there is none.
    pub peers: &'t [u32],
    /// Ports of a router.
    pub width: u32,
    /// Routers.
    pub routers: u32,
    /// The first VC of each class but the lowest.
    pub classes: [u8; 2],
}

impl<'t> StepTable<'t> {
    /// Loads and verifies the tables; `wired(r)` are the ports of router `r` that lead to other routers.
    ///
    /// # Errors
    /// Names the first entry that cannot be right.
    pub fn load<B: Bits>(
        parts: StepParts<'t>,
        wired: impl Fn(u32) -> PortSet<B>,
    ) -> Result<Self, TableError> {
        let StepParts { entries, hops, peers, width, routers, .. } = parts;
        let [pairs, ends] =
            [routers, width].map(|columns| u64::from(routers).wrapping_mul(u64::from(columns)));
        let sizes = [(entries.len(), pairs), (hops.len(), pairs), (peers.len(), ends)];
        if routers == 0 || sizes.iter().any(|&(found, expected)| found as u64 != expected) {
            return Err(TableError::Size);
        }
        for (here, row) in (0u32..).zip(entries.chunks_exact(routers as usize)) {
            let known = wired(here);
            for (there, entry) in (0u32..).zip(row) {
                match entry.port() {
                    None if here != there => return Err(TableError::NoPort { here, there }),
                    Some(_) if !entry.ports().minus(known).is_empty() => {
                        return Err(TableError::WrongPort { here, there });
                    }
                    _ => {}
                }
            }
        }
        Ok(Self { parts })
    }

    /// Routers of the network.
    #[must_use]
    pub const fn routers(&self) -> u32 {
        self.parts.routers
    }

    /// What router `here` does with packets for router `there`.
    #[must_use]
    pub fn entry(&self, here: u32, there: u32) -> Entry {
        self.place(here, there)
            .and_then(|place| self.parts.entries.get(place))
            .copied()
            .unwrap_or(Entry::NONE)
    }

    /// The first hop of the route between two routers: the output, and the router behind it.
    pub(crate) fn next_hop(&self, here: u32, there: u32) -> Option<(PortId, u32)> {
        let port = self.entry(here, there).port()?;
        let place = (here as usize).wrapping_mul(self.parts.width as usize).wrapping_add(port.index());
        Some((port, *self.parts.peers.get(place)?))
    }

    /// Hops of the route between two routers; 0 where there is no such router.
    pub(crate) fn distance(&self, here: u32, there: u32) -> u32 {
        self.place(here, there).and_then(|place| self.parts.hops.get(place)).map_or(0, |&hops| hops.into())
    }

    /// The VCs of step `step` of a path by an entry, for a packet that has come from another step on this VC, if it has.
    pub(crate) fn step_vcs(&self, entry: Entry, came: Option<VcId>, step: u8) -> VcSet {
        let first = came.map_or(0, |came| came.number().wrapping_add(1));
        entry.vcs.and(VcSet::range(first.into(), self.end(step).into()))
    }

    /// The VC behind the last one of a step: those from there on are for the steps after it.
    pub(crate) fn end(&self, step: u8) -> u8 {
        self.parts.classes.get(usize::from(step)).copied().unwrap_or(VcSet::CAPACITY as u8)
    }

    fn place(&self, here: u32, there: u32) -> Option<usize> {
        let Self { parts: StepParts { routers, .. } } = *self;
        let place = (here as usize).wrapping_mul(routers as usize).wrapping_add(there as usize);
        (there < routers).then_some(place)
    }
}
