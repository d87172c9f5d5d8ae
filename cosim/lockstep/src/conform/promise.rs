//! What the scenario promises of packets beyond a credit for each flit: room for all of a packet, all of it there, an empty VC.

use super::rule::Rule;
use super::site::Way;
use desvio_sim::scenario::{AllocationUnit, FlowControl, Scenario};
use router_core::links::VcAllocation;
use router_core::route::HopKind;
use router_core::units::PortClass;

/// The promises of a scenario.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    flow: FlowControl,
    vcs: VcAllocation,
    unit: AllocationUnit,
}

impl Promise {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let router = &scenario.router;
        Self {
            flow: router.options.flow_control,
            vcs: router.options.vc_allocation,
            unit: router.options.allocation_unit,
        }
    }

    /// Whether packets start only when the next buffer has room for all of them, on usual hops.
    pub(super) fn is_whole(self) -> bool {
        !self.flow.by_flit()
    }

    /// Whether packets start only when all of them has arrived.
    pub(super) fn has_arrived(self) -> bool {
        self.flow == FlowControl::StoreAndForward
    }

    /// Whether a link has all flits of a packet before those of another, whatever their VCs.
    pub(super) fn is_by_packet(self) -> bool {
        self.unit == AllocationUnit::Packet
    }

    /// Whether a packet starts in a VC behind a port of this class only when its buffer is empty.
    pub(super) fn is_atomic(self, class: PortClass) -> bool {
        self.vcs == VcAllocation::Atomic && class != PortClass::NODE
    }

    /// Whether a switch may wait for an empty VC at any port: towards a node it need not.
    pub(super) fn may_wait_for_empty(self) -> bool {
        self.vcs == VcAllocation::Atomic
    }

    /// Whether packets come on to a ring only where there is room for two.
    pub(super) fn has_bubbles(self) -> bool {
        self.vcs == VcAllocation::Bubble
    }

    /// Free places that a head of a packet of `length` flits needs in a VC of `capacity`, by each rule that asks for more than one.
    pub(super) fn room(
        self,
        way: &Way,
        class: PortClass,
        length: u16,
        capacity: u32,
    ) -> impl Iterator<Item = (Rule, u32)> {
        let whole = u32::from(self.flow.room(length, way.hop == HopKind::Minimal));
        let misroutes = self.is_whole() || way.hop != HopKind::Minimal;
        let asked = [
            (Rule::RoomForAll, misroutes, whole),
            (Rule::RoomForTwo, self.has_bubbles() && way.enters, 2 * u32::from(length)),
            (Rule::VcEmpty, self.is_atomic(class), capacity),
        ];
        asked.into_iter().filter(|(_, asks, _)| *asks).map(|(rule, _, room)| (rule, room))
    }

    /// Free places that a neighbour waits for before it sends a head to a port of this class of the switch.
    pub(super) fn room_to_send(self, class: PortClass, length: u16, capacity: u32) -> u32 {
        if self.is_atomic(class) {
            return capacity;
        }
        if self.is_whole() { u32::from(length).min(capacity) } else { 1 }
    }
}
