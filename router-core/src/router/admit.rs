//! Stage 5, before allocation: which requests still hold against this cycle's credits.

use crate::plan::FlowControl;
use crate::select::Outputs;
use crate::units::PortSet;
use crate::vc::{Descriptor, InputVc, VcState};

/// The outputs by which a VC could send its next flit now, out of those in its request register.
#[inline(always)]
pub(super) fn sendable<const P: usize, const V: usize>(
    vc: &InputVc,
    store: &[Descriptor],
    outputs: &Outputs<'_, P, V>,
) -> PortSet {
    match vc.state() {
        VcState::Idle => PortSet::EMPTY,
        VcState::Active { out, vc: out_vc } => {
            let credited = outputs.ports.get(out).is_some_and(|port| port.credits.left(out_vc) > 0);
            if credited && outputs.accepts(out) { vc.request() } else { PortSet::EMPTY }
        }
        VcState::Waiting => admissible(vc, store, outputs),
    }
}

/// The requested outputs that can take the waiting front packet.
#[inline]
fn admissible<const P: usize, const V: usize>(
    vc: &InputVc,
    store: &[Descriptor],
    outputs: &Outputs<'_, P, V>,
) -> PortSet {
    if outputs.plan.flow == FlowControl::StoreAndForward && !vc.is_whole() {
        return PortSet::EMPTY;
    }
    let Some(packet) = vc.front_packet(store) else { return PortSet::EMPTY };
    let mut found = vc.request();
    for port in vc.request() {
        let set = vc.candidates().holding(port);
        if set.is_none_or(|set| outputs.open(port, &set, packet.header.length).is_empty()) {
            found.remove(port);
        }
    }
    found
}
