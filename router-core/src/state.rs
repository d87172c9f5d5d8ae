//! Everything that a router remembers: one list, in one order.
//!
//! Digests, the registers that lockstep compares, their names and the coverage of them follow the list; `cargo xtask generate`
//! writes the probes of the RTL (`hdl/probe/dsv_probe_bind.sv`) from it.

mod signal;
mod values;

use crate::discard::Discard;
use crate::event::ProtocolError;
use crate::layout;
use crate::plan::Plan;
use crate::select::Selection;
use crate::units::{PortClass, PortId, VcId};
use core::fmt;
pub use signal::Module;
pub use values::Values;

/// The list. Registers that share a signal of the RTL stand in it from the signal's lowest bit up.
const STATE: [Block; 31] = [
    Block::InputVcs,
    Block::Ports(Register::Contention),
    Block::OutVcs(Register::Credits),
    Block::Ports(Register::Owned),
    Block::Ports(Register::Queued),
    Block::Errors(Register::Errors),
    Block::InVcs(Register::Want),
    Block::Ports(Register::GrantedVc),
    Block::Ports(Register::GrantedOutput),
    Block::Ports(Register::InputArbiter),
    Block::Router(Register::Turn),
    Block::Ports(Register::OutVcArbiter),
    Block::Ports(Register::Choice),
    Block::OutVcs(Register::InputOfOutVcArbiter),
    Block::Ports(Register::VlArbiter),
    Block::Router(Register::Lfsr),
    Block::Router(Register::Phase),
    Block::Vcs(Register::Hops),
    Block::CountedVcs(Register::Leaving),
    Block::Notices(Register::Heard),
    Block::Groups(Register::Contended),
    Block::Router(Register::NoticeDue),
    Block::Router(Register::NoticeTold),
    Block::Flags(Register::Flag),
    Block::Vcs(Register::Fresh),
    Block::Discards(Register::Discards),
    Block::Vcs(Register::Age),
    Block::OutVcs(Register::LateDiscards),
    Block::OutVcs(Register::StalledFor),
    Block::Router(Register::LifetimeTick),
    Block::Vcs(Register::Aged),
];

/// Those of a VC.
pub const VC_STATE: [VcRegister; VcRegister::COUNT] = [
    VcRegister::State,
    VcRegister::Flits,
    VcRegister::Packets,
    VcRegister::Left,
    VcRegister::Expected,
    VcRegister::OutVc,
    VcRegister::Candidates,
    VcRegister::Minimal,
    VcRegister::Request,
];

/// What a router has one of, or one for each port, VC or error.
enum Block {
    Router(Register),
    Ports(fn(PortId) -> Register),
    /// For each output as many as the port with most VCs needs.
    OutVcs(fn(PortId, VcId) -> Register),
    /// For each input as many as the port with most VCs needs.
    InVcs(fn(PortId, VcId) -> Register),
    /// All of one VC before the next one's.
    InputVcs,
    Errors(fn(ProtocolError) -> Register),
    /// Where the routers of a group count together: each VC whose packets are counted, each group, and each group for each router that tells.
    CountedVcs(fn(PortId, VcId) -> Register),
    /// Each VC of each input.
    Vcs(fn(PortId, VcId) -> Register),
    Groups(fn(u16) -> Register),
    Notices(fn(u8, u16) -> Register),
    /// Where they tell each other flags of their global links: each flag for each router that tells.
    Flags(fn(u8, u16) -> Register),
    Discards(fn(Discard) -> Register),
}

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// A register of a VC of an input.
    Vc(PortId, VcId, VcRegister),
    /// The counter of an output.
    Contention(PortId),
    /// Free places of a VC behind an output.
    Credits(PortId, VcId),
    /// Which VCs behind an output packets hold.
    Owned(PortId),
    /// Flits in the FIFO of an output.
    Queued(PortId),
    /// How often a protocol error occurred.
    Errors(ProtocolError),
    /// The output that is allocated to a VC of an input in the next cycle if it is its turn, where requests are registered.
    Want(PortId, VcId),
    /// The VC of an input of which a flit leaves in the next cycle, where grants are registered,
    GrantedVc(PortId),
    /// and the output by which it does.
    GrantedOutput(PortId),
    /// The arbiter among the VCs of an input.
    InputArbiter(PortId),
    /// The favoured diagonal of a wavefront.
    Turn,
    /// The arbiter among the VCs behind an output.
    OutVcArbiter(PortId),
    /// The output at which an input that requests several begins its search.
    Choice(PortId),
    /// The arbiter among the inputs for a VC behind an output.
    InputOfOutVcArbiter(PortId, VcId),
    /// The turns and the count of VL arbitration at an output.
    VlArbiter(PortId),
    /// The random word.
    Lfsr,
    /// The place in the link cycle.
    Phase,
    /// Hops to the destination by each set of candidates of the front packet of a VC, where they are compared.
    Hops(PortId, VcId),
    /// The group that the front packet of a VC is leaving for, with a bit above its number; 0 where it leaves for none.
    Leaving(PortId, VcId),
    /// Packets for a group that a router has broadcast last: 0 is this one, then those behind the local ports.
    Heard(u8, u16),
    /// Whether the way to a group is contended.
    Contended(u16),
    /// Internal cycles until the router counts again what it tells its group.
    NoticeDue,
    /// Whether it tells it in the next cycle.
    NoticeTold,
    /// Whether a VC of a global link is flagged, as a router has broadcast last: 0 is this one, then those behind the local ports.
    Flag(u8, u16),
    /// Whether the head of the newest packet of a VC was written in the cycle before, where packets are marked.
    Fresh(PortId, VcId),
    /// How many packets have been discarded for a reason, where they are.
    Discards(Discard),
    /// Internal cycles that the front packet of a VC has waited, where its output has a lifetime limit.
    Age(PortId, VcId),
    /// Cycles in succession in which a packet for a VC behind an output has been discarded, since its time was up.
    LateDiscards(PortId, VcId),
    /// Link cycles for which a VC behind an output is stalled.
    StalledFor(PortId, VcId),
    /// The place of the link cycle between two ticks, where packets have a lifetime limit in the router.
    LifetimeTick,
    /// Packets of a VC that have seen one tick, two, and so on, from the lowest bits up.
    Aged(PortId, VcId),
}

/// A register of a VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VcRegister {
    /// Idle, waiting, active or discarding.
    State,
    /// Flits in the buffer.
    Flits,
    /// Packets in the buffer.
    Packets,
    /// Flits of the front packet that have yet to leave.
    Left,
    /// Flits of the newest packet that have yet to arrive.
    Expected,
    /// The VC that the front packet takes; 0 unless it is active.
    OutVc,
    /// The candidates of the front packet, as [`crate::route::candidates::Packing`] packs them.
    Candidates,
    /// Where the front packet is counted.
    Minimal,
    /// The outputs that the front packet requests.
    Request,
}

impl VcRegister {
    /// How many there are.
    pub const COUNT: usize = Self::Request as usize + 1;

    /// Its name, in the RTL and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Flits => "flits",
            Self::Packets => "packets",
            Self::Left => "left",
            Self::Expected => "expected",
            Self::OutVc => "out_vc",
            Self::Candidates => "candidates",
            Self::Minimal => "minimal",
            Self::Request => "request",
        }
    }
}

impl Register {
    /// Whether such a router has it.
    fn is_built<const P: usize>(self, plan: &Plan<P>) -> bool {
        let kind = plan.options.allocator;
        let (has_diagonals, has_one_arbiter) = (kind.has_diagonals(), kind.has_one_arbiter());
        match self {
            Self::Turn => has_diagonals,
            Self::OutVcArbiter(_) => !has_diagonals && !has_one_arbiter && plan.vl_arbitration.is_none(),
            // One has the turns of all VCs.
            Self::InputOfOutVcArbiter(_, vc) => !has_diagonals && (!has_one_arbiter || vc.index() == 0),
            Self::VlArbiter(_) => plan.vl_arbitration.is_some(),
            Self::Want(..) => plan.options.pipeline.registers_requests(),
            Self::GrantedVc(_) | Self::GrantedOutput(_) => plan.options.pipeline.registers_grants(),
            // The hardware has it where packets ask for several outputs at once.
            Self::Choice(_) => !has_diagonals && plan.asks_all(),
            Self::NoticeDue | Self::NoticeTold => plan.groups > 0 && plan.flags.is_none(),
            Self::Fresh(..) => plan.marking.is_on(),
            Self::Discards(_) => plan.options.discards || plan.lifetimes.is_on(),
            Self::Age(..) | Self::LateDiscards(..) | Self::StalledFor(..) => plan.lifetimes.limits_heads(),
            Self::LifetimeTick | Self::Aged(..) => plan.lifetimes.limits_packets(),
            Self::Hops(..) => matches!(plan.selection, Selection::Ugal(_)),
            _ => true,
        }
    }

    /// Whether it only fills its place in a signal: what an output has for a VC that it lacks.
    pub fn is_absent<const P: usize>(self, plan: &Plan<P>) -> bool {
        use Register::{Credits, LateDiscards, StalledFor};
        matches!(self, Credits(port, vc) | LateDiscards(port, vc) | StalledFor(port, vc) if !plan.links.vcs(port).contains(vc))
    }
}

/// Its name in reports and waveforms: `input0.vc1.flits`.
impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Vc(port, vc, register) => {
                write!(f, "input{}.vc{}.{}", port.number(), vc.number(), register.name())
            }
            Self::Contention(port) => write!(f, "contention{}", port.number()),
            Self::Credits(port, vc) => write!(f, "output{}.vc{}.credits", port.number(), vc.number()),
            Self::Owned(port) => write!(f, "output{}.owned", port.number()),
            Self::Queued(port) => write!(f, "output{}.queued", port.number()),
            Self::Errors(error) => {
                let name = layout::PROTOCOL_ERROR_NAMES.get(error.index()).copied().unwrap_or_default();
                write!(f, "errors.{name}")
            }
            Self::Want(port, vc) => write!(f, "input{}.vc{}.want", port.number(), vc.number()),
            Self::GrantedVc(port) => write!(f, "input{}.granted_vc", port.number()),
            Self::GrantedOutput(port) => write!(f, "input{}.granted_output", port.number()),
            Self::InputArbiter(port) => write!(f, "allocator.input{}", port.number()),
            Self::Turn => f.write_str("allocator.turn"),
            Self::OutVcArbiter(port) => write!(f, "allocator.output{}", port.number()),
            Self::Choice(port) => write!(f, "allocator.choice{}", port.number()),
            Self::InputOfOutVcArbiter(port, vc) => {
                write!(f, "allocator.output{}.vc{}", port.number(), vc.number())
            }
            Self::VlArbiter(port) => write!(f, "allocator.output{}.lanes", port.number()),
            Self::Lfsr => f.write_str("lfsr"),
            Self::Phase => f.write_str("phase"),
            Self::Hops(port, vc) => write!(f, "input{}.vc{}.hops", port.number(), vc.number()),
            Self::Leaving(port, vc) => write!(f, "input{}.vc{}.leaving", port.number(), vc.number()),
            Self::Heard(from, group) => write!(f, "notices.from{from}.group{group}"),
            Self::Contended(group) => write!(f, "notices.contended{group}"),
            Self::NoticeDue => f.write_str("notices.due"),
            Self::NoticeTold => f.write_str("notices.told"),
            Self::Flag(from, flag) => write!(f, "flags.from{from}.flag{flag}"),
            Self::Fresh(port, vc) => write!(f, "input{}.vc{}.fresh", port.number(), vc.number()),
            Self::Discards(why) => {
                let name = layout::DISCARD_NAMES.get(why.index()).copied().unwrap_or_default();
                write!(f, "discards.{name}")
            }
            Self::Age(port, vc) => write!(f, "input{}.vc{}.age", port.number(), vc.number()),
            Self::LifetimeTick => f.write_str("lifetime_tick"),
            Self::Aged(port, vc) => write!(f, "input{}.vc{}.aged", port.number(), vc.number()),
            Self::LateDiscards(port, vc) => {
                write!(f, "output{}.vc{}.late_discards", port.number(), vc.number())
            }
            Self::StalledFor(port, vc) => {
                write!(f, "output{}.vc{}.stalled_for", port.number(), vc.number())
            }
        }
    }
}

/// Calls `see` with each register of a router whose ports have at most `vcs` VCs, in the order of the list; also with those
/// that are [absent](Register::is_absent).
pub fn visit<const P: usize>(plan: &Plan<P>, vcs: u8, see: &mut dyn FnMut(Register)) {
    let mut see = |register: Register| {
        if register.is_built(plan) {
            see(register);
        }
    };
    let ports = || plan.links.each();
    for block in &STATE {
        match *block {
            Block::Router(register) => see(register),
            Block::Ports(register) => ports().for_each(|port| see(register(port))),
            Block::OutVcs(register) | Block::InVcs(register) => {
                ports().for_each(|port| (0..vcs).for_each(|vc| see(register(port, VcId::new(vc)))));
            }
            Block::InputVcs => {
                for port in ports() {
                    for vc in plan.links.vcs(port) {
                        VC_STATE.iter().for_each(|&register| see(Register::Vc(port, vc, register)));
                    }
                }
            }
            Block::Discards(register) => Discard::ALL.iter().for_each(|&why| see(register(why))),
            Block::Errors(register) => ProtocolError::ALL.iter().for_each(|&error| see(register(error))),
            Block::Vcs(register) => {
                for port in ports() {
                    plan.links.vcs(port).iter().for_each(|vc| see(register(port, vc)));
                }
            }
            Block::CountedVcs(register) if plan.groups > 0 => {
                for port in ports().filter(|&port| plan.links.class(port) != PortClass::LOCAL) {
                    plan.links.vcs(port).iter().for_each(|vc| see(register(port, vc)));
                }
            }
            Block::CountedVcs(_) => {}
            Block::Groups(register) => (0..plan.groups).for_each(|group| see(register(group))),
            Block::Notices(register) if plan.flags.is_none() => told(plan, register, &mut see),
            Block::Flags(register) if plan.flags.is_some() => told(plan, register, &mut see),
            Block::Notices(_) | Block::Flags(_) => {}
        }
    }
}

/// What this router and each of those behind its local ports have broadcast.
fn told<const P: usize>(plan: &Plan<P>, register: fn(u8, u16) -> Register, see: &mut impl FnMut(Register)) {
    let ports = plan.links.each();
    let others = ports.filter(|&port| plan.links.class(port) == PortClass::LOCAL).count() as u8;
    for from in 0..=others {
        (0..plan.told()).for_each(|at| see(register(from, at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alloc::AllocatorKind;
    use crate::links::PortSizes;
    use crate::options::Pipeline;
    use std::collections::BTreeSet;

    fn names(vcs: [u8; 2], kind: AllocatorKind, pipeline: Pipeline) -> Vec<String> {
        let classes = [PortClass::NODE, PortClass::LOCAL];
        let mut plan = Plan::<2>::new(&classes, &vcs.map(|vcs| PortSizes { vcs, buffer: 8 })).unwrap();
        (plan.options.allocator, plan.options.pipeline) = (kind, pipeline);
        let mut found = Vec::new();
        visit(&plan, vcs[0].max(vcs[1]), &mut |register| {
            if !register.is_absent(&plan) {
                found.push(register.to_string());
            }
        });
        found
    }

    /// Stored traces, reports and waveforms rely on it.
    #[test]
    fn the_order_is_this() {
        let vc = "state flits packets left expected out_vc candidates minimal request";
        let expected = ["input0.vc0", "input1.vc0", "input1.vc1"]
            .map(|at| vc.split(' ').map(move |name| format!("{at}.{name}")));
        let rest = "contention0 contention1 output0.vc0.credits output1.vc0.credits output1.vc1.credits output0.owned \
            output1.owned output0.queued output1.queued errors.no_such_vc errors.overflow errors.too_many_packets \
            errors.body_without_head errors.head_inside_packet errors.wrong_length errors.no_flits errors.credit_overflow \
            errors.no_route errors.too_many_sets allocator.input0 allocator.input1 allocator.output0 allocator.output1 \
            allocator.output0.vc0 allocator.output0.vc1 allocator.output1.vc0 allocator.output1.vc1 lfsr phase";
        let expected: Vec<_> = expected
            .into_iter()
            .flatten()
            .chain(rest.split(' ').filter(|name| !name.is_empty()).map(str::to_owned))
            .collect();
        assert_eq!(names([1, 2], AllocatorKind::default(), Pipeline::Four), expected);
    }

    #[test]
    fn each_register_has_its_own_name() {
        let (four, five, six) = (Pipeline::Four, Pipeline::Five, Pipeline::Six);
        for (kind, pipeline, count) in [
            (AllocatorKind::Wavefront, four, 51),
            (AllocatorKind::SeparableOneArbiter, four, 52),
            (AllocatorKind::SeparableInputFirst, four, 56),
            (AllocatorKind::SeparableInputFirst, five, 60),
            (AllocatorKind::SeparableInputFirst, six, 64),
        ] {
            let names = names([2, 1], kind, pipeline);
            assert_eq!(names.len(), count);
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), count);
        }
    }
}
