//! How many ports of each kind a router has, and what follows for its counters.

use super::PORTS;
use super::written::NotInRtl;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::topology::PortClass;
use router_core::links::{PortSizes, descriptors};
use router_core::plan::{CountAt, Plan};

/// How many ports of each kind a router has.
#[derive(Debug, Clone, Copy)]
pub(super) struct KindCounts {
    pub(super) nodes: u32,
    pub(super) locals: u32,
    pub(super) globals: u32,
}

impl KindCounts {
    pub(super) fn of(blueprint: &Blueprint, router: usize) -> Result<Self, NotInRtl> {
        let wiring = blueprint.wiring();
        let kinds: Vec<_> = (0..wiring.ports()).map(|port| wiring.class(router, port)).collect();
        let count = |kind| kinds.iter().filter(|&&other| other == kind).count() as u32;
        let (nodes, locals, globals) =
            (count(PortClass::NODE), count(PortClass::LOCAL), count(PortClass::GLOBAL));
        let is_known = kinds.is_sorted() && nodes + locals + globals == wiring.ports() as u32;
        if is_known { Ok(Self { nodes, locals, globals }) } else { Err(NotInRtl::Ports) }
    }

    /// Bits of a counter that can count every packet that is counted at all, and one more: every front packet, or
    /// every packet of every buffer; at most as many as the model has.
    pub(super) fn counter_width(&self, plan: &Plan<PORTS>, shortest: u32) -> u32 {
        let of = |ports: u32, kind: PortClass| {
            let PortSizes { vcs, buffer } = plan.links.sizes(kind);
            let packets = match plan.count_at {
                CountAt::Head => 1,
                CountAt::Arrival => descriptors(buffer, shortest as u16),
            };
            ports * u32::from(vcs) * u32::from(packets)
        };
        let most = of(self.nodes, PortClass::NODE)
            + of(self.locals, PortClass::LOCAL)
            + of(self.globals, PortClass::GLOBAL);
        (u32::BITS - (most + 1).leading_zeros()).min(u16::BITS)
    }
}
