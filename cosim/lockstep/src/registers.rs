//! The model's registers, in words as the RTL shows them.
//!
//! Most registers keep their value in most cycles: they are written only after a change.

use super::frame::WireFlit;
use super::switch::{Model, Switch, V};
use crate::rtl::{Field, Lanes, Probe, Probes};
use crate::shape::Shape;
use router_core::alloc::arbiter::Arbiter;
use router_core::exchange::Told;
use router_core::plan::Plan;
use router_core::route::Candidates;
use router_core::route::candidates::Packing;
use router_core::state::{Register, VC_STATE, Values, VcRegister};
use router_core::units::{PortId, PortSet, VcId};
use router_core::vc::{InputVc, VcState};

/// The words, and what was last written into them.
pub(crate) struct Registers<const P: usize> {
    words: Vec<u64>,
    packing: Packing,
    vcs: Vec<SeenVc>,
    input_arbiters: Vec<Seen<PortId, Arbiter<V>>>,
    out_vc_arbiters: Vec<Seen<PortId, Arbiter<V>>>,
    input_of_out_vc_arbiters: Vec<Seen<(PortId, VcId), Arbiter<P>>>,
    others: Vec<Seen<Register, u64>>,
    fronts: Vec<SeenFront>,
    /// A lane in which a head is laid out as on the wires.
    lane: Lanes,
}

/// A register in its field, as it was last written.
struct Seen<At, T> {
    at: At,
    field: Field,
    was: Option<T>,
}

/// The head at the front of a VC, as it was last written.
struct SeenFront {
    at: (PortId, VcId),
    field: Field,
    was: Option<u32>,
}

/// The registers of a VC, as they were last written.
struct SeenVc {
    at: (PortId, VcId),
    /// By register.
    fields: [Field; VcRegister::COUNT],
    was: Option<WasVc>,
}

/// What decides whether a VC is written again.
struct WasVc {
    packets: u16,
    candidates: Candidates,
}

impl<const P: usize> Registers<P> {
    /// Those of a router of this shape, before anything has been written.
    pub(crate) fn new(shape: &Shape) -> Self {
        let probes = Probes::of(shape);
        let mut registers = Self {
            words: vec![0; probes.mask.len()],
            packing: shape.packing(),
            vcs: Vec::new(),
            input_arbiters: Vec::new(),
            out_vc_arbiters: Vec::new(),
            input_of_out_vc_arbiters: Vec::new(),
            others: Vec::new(),
            fronts: Vec::new(),
            lane: Lanes::one(shape),
        };
        for Probe { register, front, field, .. } in probes.list {
            match (register, front) {
                (Some(register), _) => registers.add(register, field),
                (None, Some(at)) => registers.fronts.push(SeenFront { at, field, was: None }),
                (None, None) => {}
            }
        }
        registers
    }

    fn add(&mut self, register: Register, field: Field) {
        match register {
            Register::Vc(port, vc, register) => {
                let at = (port, vc);
                if self.vcs.last().is_none_or(|last| last.at != at) {
                    self.vcs.push(SeenVc { at, fields: [field; VcRegister::COUNT], was: None });
                }
                if let Some(vc) = self.vcs.last_mut() {
                    vc.fields[register as usize] = field;
                }
            }
            Register::InputArbiter(at) => self.input_arbiters.push(Seen { at, field, was: None }),
            Register::OutVcArbiter(at) => self.out_vc_arbiters.push(Seen { at, field, was: None }),
            Register::InputOfOutVcArbiter(port, vc) => {
                self.input_of_out_vc_arbiters.push(Seen { at: (port, vc), field, was: None });
            }
            at => self.others.push(Seen { at, field, was: None }),
        }
    }

    /// Everything will be written anew: the router has been replaced.
    pub(crate) fn forget(&mut self) {
        self.vcs.iter_mut().for_each(|seen| seen.was = None);
        self.input_arbiters.iter_mut().for_each(|seen| seen.was = None);
        self.out_vc_arbiters.iter_mut().for_each(|seen| seen.was = None);
        self.input_of_out_vc_arbiters.iter_mut().for_each(|seen| seen.was = None);
        self.fronts.iter_mut().for_each(|seen| seen.was = None);
    }

    /// The words, as the router is now.
    pub(crate) fn of(&mut self, pins: &Switch<P>, plan: &Plan<P>, told: Option<Told<&[u16]>>) -> &[u64] {
        let (router, allocator) = (pins.router(), pins.router().allocator());
        let Self { words, packing, .. } = self;
        for seen in &mut self.vcs {
            if let Some(vc) = router.input(seen.at.0, seen.at.1) {
                seen.write(words, &vc, *packing);
            }
        }
        for seen in &mut self.fronts {
            seen.write(words, router, plan, &mut self.lane);
        }
        let (vcs, ports, yielding) = (packing.vcs as usize, packing.ports as usize, plan.yielding());
        for seen in &mut self.input_arbiters {
            seen.write(words, allocator.input_arbiter(seen.at), vcs, PortSet::EMPTY);
        }
        for seen in &mut self.out_vc_arbiters {
            seen.write(words, allocator.out_vc_arbiter(seen.at), vcs, PortSet::EMPTY);
        }
        for seen in &mut self.input_of_out_vc_arbiters {
            let (port, vc) = seen.at;
            seen.write(words, allocator.input_of_out_vc_arbiter(port, vc), ports, yielding);
        }
        let values = Values::of(pins, plan, packing.vcs as u8).and(told);
        for seen in &mut self.others {
            let value = values.get(seen.at) as u64;
            if seen.was.replace(value) != Some(value) {
                seen.field.put_small(words, value);
            }
        }
        &self.words
    }
}

impl SeenVc {
    #[inline]
    fn write(&mut self, words: &mut [u64], vc: &InputVc, packing: Packing) {
        let packets = vc.packets();
        // What is empty and was empty has not changed.
        if packets == 0 && self.was.as_ref().is_some_and(|was| was.packets == 0) {
            return;
        }
        let known = self.was.as_ref().is_some_and(|was| was.candidates == *vc.candidates());
        // A signal begins with a word, and has it to itself: registers are put together before they are stored.
        let mut filled = 0;
        for register in VC_STATE {
            let field = self.fields[register as usize];
            match register {
                VcRegister::Candidates if known => {}
                VcRegister::Candidates => field.put(words, register.value(vc, packing)),
                _ => {
                    let (value, shift) = (register.value(vc, packing) as u64, field.lowest % 64);
                    filled = if shift == 0 { value } else { filled | value << shift };
                    debug_assert!(field.is_small(), "{field:?}");
                    words[field.lowest / 64] = filled;
                }
            }
        }
        self.was = Some(WasVc { packets, candidates: *vc.candidates() });
    }
}

impl SeenFront {
    #[inline]
    fn write<const P: usize>(
        &mut self,
        words: &mut [u64],
        router: &Model<P>,
        plan: &Plan<P>,
        lane: &mut Lanes,
    ) {
        let (port, vc) = self.at;
        let Some(input) = router.input(port, vc) else { return };
        let is_leaving = matches!(input.state(), VcState::Active { .. } | VcState::Discarding { .. });
        let is_here = input.packets() > 0 && !is_leaving;
        let packet = if is_here { router.front(plan, port, vc) } else { None };
        let value = packet.map_or(0, |packet| lane.fold(&WireFlit::head(0, &packet).data));
        if self.was.replace(value) != Some(value) {
            self.field.put_small(words, value.into());
        }
    }
}

impl<At, const N: usize> Seen<At, Arbiter<N>> {
    /// The state of the first `requesters` requesters, of which some may yield to the others, as the RTL keeps it.
    fn write(
        &mut self,
        words: &mut [u64],
        arbiter: Option<&Arbiter<N>>,
        requesters: usize,
        yielding: PortSet,
    ) {
        let Some(arbiter) = arbiter else { return };
        if !self.was.as_ref().is_some_and(|was| was.is_copy_of(arbiter)) {
            self.field.put(words, arbiter.registers_among(requesters, yielding));
            self.was = Some(*arbiter);
        }
    }
}
