//! Widths of the RTL's registers.

use super::Shape;
use desvio_sim::topology::PortClass;
use router_core::layout;
use router_core::lifetime::TICKS;
use router_core::state::{Register, VcRegister};

impl Shape {
    /// Width of a register.
    pub(crate) fn bits_of(&self, register: Register) -> u32 {
        match register {
            Register::Vc(port, _, register) => self.bits_of_vc(port.index(), register),
            Register::Contention(_) => self.counter_width,
            Register::Credits(..) => self.credit_bits(),
            Register::Owned(_) | Register::GrantedVc(_) => self.vcs as u32,
            Register::Queued(_) => bits(self.plan.options.output_flits),
            Register::Errors(_) | Register::Discards(_) => u16::BITS,
            Register::Want(..) | Register::GrantedOutput(_) => self.ports as u32,
            Register::VlArbiter(_) => layout::VL_STATE_BITS,
            Register::InputArbiter(_) | Register::OutVcArbiter(_) => self.arbiter_bits(self.vcs),
            Register::InputOfOutVcArbiter(..) => self.arbiter_bits(self.ports),
            Register::Turn | Register::Choice(_) => bits(self.ports as u32 - 1).max(1),
            Register::Lfsr => u32::BITS,
            Register::Phase => bits(self.speedup as u32 - 1).max(1),
            Register::Hops(..) => layout::HOPS_BITS * self.set_kinds().len() as u32,
            Register::Leaving(..) => bits(u32::from(self.plan.groups) - 1).max(1) + 1,
            Register::Heard(..) => self.notice_bits(),
            Register::Contended(_) | Register::NoticeTold | Register::Fresh(..) | Register::Flag(..) => 1,
            Register::Age(..) => self.plan.lifetimes.width() + bits(self.speedup as u32 - 1),
            Register::LateDiscards(..) => layout::VL_STALL_BITS,
            Register::StalledFor(..) => self.plan.lifetimes.width() + bits(layout::VL_STALL_LIMITS - 1),
            Register::LifetimeTick => bits(self.plan.lifetimes.tick() - 1).max(1),
            Register::Aged(port, _) => TICKS as u32 * bits(self.places_of(port.index()).into()),
            Register::NoticeDue => bits(self.notice_cycles),
        }
    }

    fn bits_of_vc(&self, port: usize, register: VcRegister) -> u32 {
        match register {
            VcRegister::State => 2,
            VcRegister::Flits => bits(self.depth_of(port).into()),
            VcRegister::Packets => bits(self.places_of(port).into()),
            VcRegister::Left | VcRegister::Expected => bits(self.longest.into()),
            VcRegister::Candidates => self.packing().bits(self.set_kinds().len() as u32),
            VcRegister::Minimal | VcRegister::Request => self.ports as u32,
            VcRegister::OutVc => self.vc_bits(),
        }
    }

    /// Groups of the network, if the routers of each count together; else 0.
    pub(crate) fn groups(&self) -> usize {
        if self.plan.flags.is_some() { 0 } else { self.plan.groups.into() }
    }

    /// Counters or flags that a router tells the others of its group at once; 0 where it tells nothing.
    pub(crate) fn told(&self) -> usize {
        self.plan.told().into()
    }

    /// Routers that tell this one something: those behind its local ports.
    pub(crate) fn others(&self) -> usize {
        self.kinds.locals as usize
    }

    /// Width of what routers tell each other: a flag, or a counter, which counts each VC to a node or to another group.
    pub(crate) fn notice_bits(&self) -> u32 {
        if self.plan.flags.is_some() {
            return 1;
        }
        let vcs = |class| u32::from(self.plan.links.sizes(class).vcs);
        bits(self.kinds.nodes * vcs(PortClass::NODE) + self.kinds.globals * vcs(PortClass::GLOBAL))
    }

    /// Width of the number of a VC.
    pub fn vc_bits(&self) -> u32 {
        bits(self.vcs as u32 - 1).max(1)
    }

    fn credit_bits(&self) -> u32 {
        let kinds = [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL];
        bits(kinds.iter().map(|&kind| u32::from(self.plan.links.sizes(kind).buffer)).max().unwrap_or(0))
    }

    /// Width of an arbiter's state.
    fn arbiter_bits(&self, requesters: usize) -> u32 {
        self.plan.options.arbiter.width(requesters as u32)
    }
}

/// Bits of a number up to `highest`.
const fn bits(highest: u32) -> u32 {
    u32::BITS - highest.leading_zeros()
}
