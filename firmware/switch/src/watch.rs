//! Sees decisions and grants by looking at the router before and after a step. Only where a logger is built in.

use crate::event::{Event, Reason, emit};
use router_core::pins::Pins;
use router_core::plan::Plan;
use router_core::route::HopKind;
use router_core::units::{PortId, PortSet, VcId};
use router_core::vc::{Descriptor, InputVc, VcState};

/// What was seen of each VC.
#[derive(Clone, Debug)]
pub struct Watch<const P: usize, const V: usize> {
    seen: [[(VcState, PortSet); V]; P],
}

impl<const P: usize, const V: usize> Watch<P, V> {
    /// All VCs idle.
    pub const fn new() -> Self {
        Self { seen: [[(VcState::Idle, PortSet::EMPTY); V]; P] }
    }

    /// Reports what is new.
    pub fn look<S, const F: usize>(&mut self, cycle: u64, pins: &Pins<S, P, V, F>, plan: &Plan<P>)
    where
        S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
    {
        let router = pins.router();
        for (port, row) in plan.links.each().zip(&mut self.seen) {
            for (vc, seen) in (0u8..).map(VcId::new).zip(row) {
                let Some(state) = router.input(port, vc) else { continue };
                let now = (state.state(), state.request());
                if now == *seen {
                    continue;
                }
                let was = core::mem::replace(seen, now);
                match now.0 {
                    VcState::Active { out, vc: out_vc } if was.0 != now.0 => {
                        emit(cycle, Event::Granted { port, vc, output: out, out_vc });
                    }
                    VcState::Waiting => {
                        if let Some(output) = now.1.minus(was.1).first() {
                            let wanted_by = router.contention(state.minimal());
                            emit(cycle, decided(port, vc, &state, output, wanted_by));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

fn decided(port: PortId, vc: VcId, state: &InputVc, output: PortId, wanted_by: u16) -> Event {
    let candidates = state.candidates();
    let hop = candidates.holding(output).next().map_or(HopKind::Minimal, |set| set.kind);
    let reason = if candidates.is_forced() {
        Reason::Due
    } else if !candidates.has_detours() {
        Reason::NoDetour
    } else if hop == HopKind::Minimal {
        Reason::Calm { wanted_by }
    } else {
        Reason::Congested { wanted_by }
    };
    Event::Decided { port, vc, output, hop, reason }
}
