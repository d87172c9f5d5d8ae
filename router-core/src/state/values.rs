//! What a router's registers hold.

use super::{Register, VcRegister, visit};
use crate::alloc::arbiter::Arbiter;
use crate::exchange::{Exchange, Told};
use crate::layout;
use crate::pins::Pins;
use crate::plan::Plan;
use crate::route::candidates::Packing;
use crate::units::{Channel, PortSet, VcSet};
use crate::vc::{Descriptor, InputVc, VcState};

/// The registers of a router behind its pins, as the RTL has them.
#[derive(Debug)]
pub struct Values<'r, S, const P: usize, const V: usize, const F: usize> {
    pins: &'r Pins<S, P, V, F>,
    plan: &'r Plan<P>,
    /// VCs of the port that has most.
    vcs: u8,
    /// What the router tells its group, and hears, if it does.
    told: Option<Told<&'r [u16]>>,
}

impl<'r, S, const P: usize, const V: usize, const F: usize> Values<'r, S, P, V, F>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Those of a router whose ports have at most `vcs` VCs.
    pub const fn of(pins: &'r Pins<S, P, V, F>, plan: &'r Plan<P>, vcs: u8) -> Self {
        Self { pins, plan, vcs, told: None }
    }

    /// With what the router tells its group, and hears.
    #[must_use]
    pub const fn and(self, told: Option<Told<&'r [u16]>>) -> Self {
        Self { told, ..self }
    }

    /// Calls `see` with each value, in the order of the list.
    pub fn visit(&self, see: &mut dyn FnMut(u128)) {
        visit(self.plan, self.vcs, &mut |register| {
            if !register.is_absent(self.plan) {
                see(self.get(register));
            }
        });
    }

    /// What is in a register; 0 where the router has no such register.
    #[inline]
    pub fn get(&self, register: Register) -> u128 {
        let Self { pins, plan, vcs, told } = *self;
        let counters = told.as_ref().and_then(Told::counters);
        let (router, allocator) = (pins.router(), pins.router().allocator());
        match register {
            Register::Vc(port, vc, register) => {
                let packing = Packing { ports: plan.links.radix() as u32, vcs: vcs.into() };
                router.input(port, vc).map_or(0, |vc| register.value(&vc, packing))
            }
            Register::Contention(port) => router.contention(port).into(),
            Register::Credits(port, vc) => {
                router.output(port).map_or(0, |output| output.credits.left(vc).into())
            }
            Register::Owned(port) => router.owned(port).bits().into(),
            Register::Queued(port) => pins.queued(port) as u128,
            Register::Errors(error) => router.errors(error).into(),
            Register::Want(port, vc) => {
                let wants = router.wants(port, vc).filter(|_| !pins.expires(plan, port, vc));
                wants.map_or(0, |to| <PortSet>::only(to.port).bits() as u128)
            }
            Register::GrantedVc(port) => {
                let granted = router.granted(port);
                granted.map_or(0, |(vc, _)| VcSet::only(vc).bits().into())
            }
            Register::GrantedOutput(port) => {
                router.granted(port).map_or(0, |(_, to)| <PortSet>::only(to.port).bits() as u128)
            }
            Register::InputArbiter(port) => states(allocator.input_arbiter(port), vcs),
            Register::Turn => allocator.turn().into(),
            Register::OutVcArbiter(port) => states(allocator.out_vc_arbiter(port), vcs),
            Register::Choice(port) => allocator.choice(port).number().into(),
            Register::InputOfOutVcArbiter(port, vc) => {
                let arbiter = allocator.input_of_out_vc_arbiter(port, vc);
                arbiter.map_or(0, |arbiter| arbiter.registers_among(plan.links.radix(), plan.yielding()))
            }
            Register::VlArbiter(port) => {
                allocator.vl_arbiter(port).map_or(0, |arbiter| arbiter.registers().into())
            }
            Register::Lfsr => router.lfsr().word().into(),
            Register::Phase => pins.phase().into(),
            Register::Hops(port, vc) => {
                router.input(port, vc).map_or(0, |vc| Packing::pack_hops(vc.candidates()))
            }
            Register::Leaving(port, vc) => {
                let group = router.leaves_for(plan, Channel::new(port, vc));
                let group = group.filter(|&group| group < plan.groups.into());
                // A bit above as many as the numbers of groups have.
                let above = u16::BITS.wrapping_sub(plan.groups.wrapping_sub(1).leading_zeros()).max(1);
                group.map_or(0, |group| u128::from(group) | 1u128.wrapping_shl(above))
            }
            Register::Heard(from, at) | Register::Flag(from, at) => {
                told.map_or(0, |known| known.heard(from, at).into())
            }
            Register::Contended(group) => router.told_of(group.into()).into(),
            Register::NoticeDue => counters.map_or(0, |known| known.left().into()),
            Register::Discards(why) => router.discards(why).into(),
            Register::Age(port, vc) => router.age(port, vc).into(),
            Register::LateDiscards(port, vc) => router.late_discards(port, vc).into(),
            Register::LifetimeTick => pins.lifetime_tick(plan).into(),
            Register::Aged(port, vc) => {
                let width =
                    u32::BITS.wrapping_sub(u32::from(plan.links.ring(port, vc).places).leading_zeros());
                let aged = pins.aged(plan, port, vc);
                aged.iter().rev().fold(0, |all, &count| all.wrapping_shl(width) | u128::from(count))
            }
            Register::StalledFor(port, vc) => pins.stalled_for(port, vc).into(),
            Register::Fresh(port, vc) => router.is_fresh(port, vc).into(),
            Register::NoticeTold => counters.is_some_and(Exchange::has_counted).into(),
        }
    }
}

/// The state of an arbiter, of the first so many requesters.
fn states<const N: usize>(arbiter: Option<&Arbiter<N>>, requesters: u8) -> u128 {
    arbiter.map_or(0, |arbiter| arbiter.registers_of(requesters.into()))
}

impl VcRegister {
    /// What is in this register of a VC.
    #[inline]
    pub fn value(self, vc: &InputVc, packing: Packing) -> u128 {
        match self {
            Self::State => match vc.state() {
                VcState::Idle => layout::VC_STATE_IDLE.into(),
                VcState::Waiting => layout::VC_STATE_WAITING.into(),
                VcState::Active { .. } => layout::VC_STATE_ACTIVE.into(),
                VcState::Discarding { .. } => layout::VC_STATE_DISCARDING.into(),
            },
            Self::Flits => vc.flits().into(),
            Self::Packets => vc.packets().into(),
            Self::Left => vc.left().into(),
            Self::Expected => vc.expected().into(),
            Self::OutVc => match vc.state() {
                VcState::Active { vc, .. } => vc.number().into(),
                VcState::Idle | VcState::Waiting | VcState::Discarding { .. } => 0,
            },
            Self::Candidates => packing.pack(vc.candidates()),
            Self::Minimal => <PortSet>::only(vc.minimal()).bits() as u128,
            Self::Request => vc.request().bits() as u128,
        }
    }
}
