//! Everything that a router remembers, in one order.
//!
//! It is the order of the lockstep's probes: the VCs of each input, then the counters, credits, held VCs and FIFOs of all
//! outputs, the error counters, the allocator, the random word, the place in the link cycle.

use crate::digest::Digest;
use router_core::alloc::arbiter::Arbiter;
use router_core::event::ProtocolError;
use router_core::layout;
use router_core::pins::Pins;
use router_core::plan::Plan;
use router_core::route::candidates::Packing;
use router_core::units::{PortId, VcId};
use router_core::vc::{Descriptor, InputVc, VcState};

/// Calls `see` with the value of each register.
pub fn visit<S, const P: usize, const V: usize, const F: usize>(
    pins: &Pins<S, P, V, F>,
    plan: &Plan<P>,
    see: &mut dyn FnMut(u128),
) where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    let router = pins.router();
    let ports = || (0..plan.radix()).map(PortId::new);
    let vcs = ports().map(|port| plan.vcs(port).len()).max().unwrap_or_default();
    for port in ports() {
        for vc in plan.vcs(port) {
            if let Some(vc) = router.input(port, vc) {
                visit_vc(&vc, plan.radix(), vcs, see);
            }
        }
    }
    for port in ports() {
        see(router.contention(port).into());
    }
    for port in ports() {
        let Some(output) = router.output(port) else { continue };
        for vc in plan.vcs(port) {
            see(output.credits.left(vc).into());
        }
    }
    for port in ports() {
        see(router.owned(port).bits().into());
    }
    for port in ports() {
        see(pins.queued(port) as u128);
    }
    for error in ProtocolError::ALL {
        see(router.errors(error).min(u32::from(u16::MAX)).into());
    }
    let allocator = router.allocator();
    for port in ports() {
        see(arbiter(allocator.input_arbiter(port), vcs));
    }
    if plan.allocation.kind.has_diagonals() {
        see(allocator.turn().into());
    } else {
        for port in ports() {
            see(arbiter(allocator.out_vc_arbiter(port), vcs));
        }
        // The hardware has them where packets ask for several outputs at once.
        if plan.selection.asks_all() {
            for port in ports() {
                see(allocator.choice(port).number().into());
            }
        }
        for port in ports() {
            for vc in (0..vcs as u8).map(VcId::new) {
                see(arbiter(allocator.input_of_out_vc_arbiter(port, vc), plan.radix().into()));
            }
        }
    }
    see(router.lfsr().word().into());
    see(pins.phase().into());
}

/// One number for all of them.
pub fn digest<S, const P: usize, const V: usize, const F: usize>(
    pins: &Pins<S, P, V, F>,
    plan: &Plan<P>,
) -> Digest
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    let mut digest = Digest::EMPTY;
    visit(pins, plan, &mut |value| digest.add_number(value));
    digest
}

fn arbiter<const N: usize>(arbiter: Option<&Arbiter<N>>, requesters: usize) -> u128 {
    arbiter.map_or(0, |arbiter| arbiter.registers_of(requesters))
}

fn visit_vc(vc: &InputVc, ports: u8, vcs: usize, see: &mut dyn FnMut(u128)) {
    let (state, out_vc) = match vc.state() {
        VcState::Idle => (layout::VC_STATE_IDLE, 0),
        VcState::Waiting => (layout::VC_STATE_WAITING, 0),
        VcState::Active { vc, .. } => (layout::VC_STATE_ACTIVE, vc.number()),
    };
    see(state.into());
    see(vc.flits().into());
    see(vc.packets().into());
    see(vc.left().into());
    see(vc.expected().into());
    see(out_vc.into());
    see(Packing { ports: ports.into(), vcs: vcs as u32 }.pack(vc.candidates()));
    see(1u128.wrapping_shl(vc.minimal().number().into()));
    see(vc.request().bits() as u128);
}
