//! Sizes of the routers that packets are drawn for.

use super::P;
use router_core::PortClass;
use router_core::links::PortSizes;
use router_core::plan::Plan;
use router_core::route::HopKind;

/// Sizes of a router.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) kinds: [usize; 3],
    pub(super) vcs: [u8; 3],
    pub(super) flits: [u16; 3],
    /// The kind of hop of each set of candidates.
    pub(super) hops: &'static [HopKind],
    /// Whether what draws come to is known before.
    pub(super) draws_ahead: bool,
}

/// One set of each kind, as on-the-fly local misrouting offers them.
pub(super) const ONE_OF_EACH: &[HopKind] =
    &[HopKind::Minimal, HopKind::GlobalMisroute, HopKind::LocalMisroute];
/// Sets of a kind that may share ports.
pub(super) const TWO_MINIMAL: &[HopKind] = &[HopKind::Minimal, HopKind::GlobalMisroute, HopKind::Minimal];
pub(super) const TWO_GLOBAL: &[HopKind] =
    &[HopKind::GlobalMisroute, HopKind::Minimal, HopKind::GlobalMisroute];
pub(super) const TWO_LOCAL: &[HopKind] = &[HopKind::LocalMisroute, HopKind::LocalMisroute, HopKind::Minimal];
/// Two ways of one hop each, by any port, and by the same one, too: UGAL where packets are injected.
pub(super) const TWO_WAYS: &[HopKind] = &[HopKind::Minimal, HopKind::GlobalMisroute];

pub(super) const PAPER: Sizes =
    Sizes { kinds: [2, 3, 2], vcs: [3, 3, 2], flits: [32, 32, 256], hops: ONE_OF_EACH, draws_ahead: true };
pub(super) const TINY: Sizes =
    Sizes { kinds: [1, 1, 1], vcs: [3, 3, 3], flits: [8, 8, 8], hops: ONE_OF_EACH, draws_ahead: true };
pub(super) const ODD: Sizes =
    Sizes { kinds: [4, 7, 4], vcs: [1, 8, 2], flits: [7, 20, 1000], hops: ONE_OF_EACH, draws_ahead: true };
pub(super) const DEEP_LOCALS: Sizes =
    Sizes { kinds: [1, 4, 3], vcs: [2, 2, 4], flits: [16, 50, 12], hops: ONE_OF_EACH, draws_ahead: false };

impl Sizes {
    pub(super) fn ports(&self) -> usize {
        self.kinds.iter().sum()
    }
    pub(super) fn has_two_ways(&self) -> bool {
        self.hops == TWO_WAYS
    }
    pub(super) fn most_vcs(&self) -> usize {
        usize::from(self.vcs.into_iter().max().unwrap_or(1))
    }
    pub(super) fn credit_bits(&self) -> usize {
        let most = self.flits.into_iter().max().unwrap_or(1);
        most.ilog2() as usize + 1
    }
    pub(super) fn kind(&self, port: usize) -> PortClass {
        let [nodes, locals, _] = self.kinds;
        match port {
            port if port < nodes => PortClass::NODE,
            port if port < nodes + locals => PortClass::LOCAL,
            _ => PortClass::GLOBAL,
        }
    }
    pub(super) fn all(&self, kind: PortClass) -> usize {
        (0..self.ports()).filter(|&port| self.kind(port) == kind).fold(0, |bits, port| bits | 1 << port)
    }
    pub(super) fn plan(&self) -> Plan<P> {
        let kinds: Vec<_> = (0..self.ports()).map(|port| self.kind(port)).collect();
        let [node, local, global] = [0, 1, 2].map(|k| PortSizes { vcs: self.vcs[k], buffer: self.flits[k] });
        Plan::new(&kinds, &[node, local, global]).expect("a plan")
    }
}
