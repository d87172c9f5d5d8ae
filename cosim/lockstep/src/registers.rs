//! The model's registers, in words as the RTL shows them.
//!
//! Most registers keep their value in most cycles: those of VCs and arbiters are written only after a change.

use super::model::{Switch, V};
use super::probe::{ERROR_BITS, Field, Probes, Register, VcRegister};
use crate::rtl::{Shape, port};
use router_core::alloc::Allocator;
use router_core::alloc::arbiter::Arbiter;
use router_core::event::ProtocolError;
use router_core::layout;
use router_core::units::{PortId, VcId};
use router_core::vc::{InputVc, VcState};

/// The words, and what was last written into them.
pub(crate) struct Registers<const P: usize> {
    words: Vec<u64>,
    shape: Shape,
    vcs: Vec<SeenVc>,
    input_arbiters: Vec<Seen<PortId, Arbiter<V>>>,
    out_vc_arbiters: Vec<Seen<PortId, Arbiter<V>>>,
    input_of_out_vc_arbiters: Vec<Seen<(PortId, VcId), Arbiter<P>>>,
    /// The first word of each signal.
    contention: usize,
    credits: usize,
    owned: usize,
    queued: usize,
    errors: usize,
    choices: Option<usize>,
    turn: Option<usize>,
    lfsr: usize,
    phase: usize,
}

/// A register in its field, as it was last written.
struct Seen<At, T> {
    at: At,
    field: Field,
    was: Option<T>,
}

/// The registers of a VC, as they were last written.
struct SeenVc {
    port: PortId,
    vc: VcId,
    /// The first word of its first signal, and the widths of the registers in that.
    buffered: usize,
    widths: [u32; 6],
    candidates: Field,
    /// The word of its last signal.
    asked: usize,
    was: Option<InputVc>,
}

/// The registers that a VC's first signal shows.
const BUFFERED: [VcRegister; 6] = [
    VcRegister::State,
    VcRegister::Flits,
    VcRegister::Packets,
    VcRegister::Left,
    VcRegister::Expected,
    VcRegister::OutVc,
];

impl<const P: usize> Registers<P> {
    /// Those of a router of this shape, before anything has been written.
    pub(crate) fn new(shape: &Shape) -> Self {
        let probes = Probes::of(shape);
        let word_of = |register| probes.word_of(register);
        let mut registers = Self {
            words: vec![0; probes.mask.len()],
            shape: shape.clone(),
            vcs: Vec::new(),
            input_arbiters: Vec::new(),
            out_vc_arbiters: Vec::new(),
            input_of_out_vc_arbiters: Vec::new(),
            contention: word_of(Register::Contention(0)),
            credits: word_of(Register::Credits(0, 0)),
            owned: word_of(Register::Owned(0)),
            queued: word_of(Register::Queued(0)),
            errors: word_of(Register::Errors(0)),
            choices: shape.has_choices().then(|| word_of(Register::Choice(0))),
            turn: shape.is_wavefront().then(|| word_of(Register::Turn)),
            lfsr: word_of(Register::Lfsr),
            phase: word_of(Register::Phase),
        };
        for probe in probes.list {
            registers.add(probe.register, probe.field);
        }
        registers
    }

    fn add(&mut self, register: Register, field: Field) {
        match register {
            Register::Vc(at, vc, VcRegister::State) => {
                let buffered = field.lowest / 64;
                let widths = BUFFERED.map(|register| self.shape.bits_of(at, register));
                let (port, vc) = (port(at), VcId::new(vc as u8));
                self.vcs.push(SeenVc { port, vc, buffered, widths, candidates: field, asked: 0, was: None });
            }
            Register::Vc(_, _, register) => {
                let Some(seen) = self.vcs.last_mut() else { return };
                match register {
                    VcRegister::Candidates => seen.candidates = field,
                    VcRegister::Minimal => seen.asked = field.lowest / 64,
                    _ => {}
                }
            }
            Register::InputArbiter(at) => {
                self.input_arbiters.push(Seen { at: port(at), field, was: None });
            }
            Register::OutVcArbiter(at) => {
                self.out_vc_arbiters.push(Seen { at: port(at), field, was: None });
            }
            Register::InputOfOutVcArbiter(at, vc) => {
                let at = (port(at), VcId::new(vc as u8));
                self.input_of_out_vc_arbiters.push(Seen { at, field, was: None });
            }
            _ => {}
        }
    }

    /// Everything will be written anew: the router has been replaced.
    pub(crate) fn forget(&mut self) {
        self.vcs.iter_mut().for_each(|seen| seen.was = None);
        self.input_arbiters.iter_mut().for_each(|seen| seen.was = None);
        self.out_vc_arbiters.iter_mut().for_each(|seen| seen.was = None);
        self.input_of_out_vc_arbiters.iter_mut().for_each(|seen| seen.was = None);
    }

    /// The words, as the router is now.
    pub(crate) fn of(&mut self, pins: &Switch<P>) -> &[u64] {
        self.write_vcs(pins);
        self.write_outputs(pins);
        self.write_arbiters(pins.router().allocator());
        self.write_rest(pins);
        &self.words
    }

    fn write_vcs(&mut self, pins: &Switch<P>) {
        for seen in &mut self.vcs {
            if let Some(vc) = pins.router().input(seen.port, seen.vc) {
                seen.write(&mut self.words, &vc, &self.shape);
            }
        }
    }

    fn write_outputs(&mut self, pins: &Switch<P>) {
        let (router, shape) = (pins.router(), &self.shape);
        let (vcs, credit_bits) = (shape.vcs as u8, shape.credit_bits());
        let mut contention = Pen::new(&mut self.words, self.contention);
        for at in 0..shape.ports {
            contention.put(router.contention(port(at)).into(), shape.counter_width);
        }
        contention.lift();
        let mut credits = Pen::new(&mut self.words, self.credits);
        for at in 0..shape.ports {
            let Some(output) = router.output(port(at)) else { continue };
            for vc in 0..vcs {
                // A port has no registers for VCs that it lacks.
                let there = usize::from(vc) < shape.vcs_of(at);
                let left = if there { output.credits.left(VcId::new(vc)) } else { 0 };
                credits.put(left.into(), credit_bits);
            }
        }
        credits.lift();
        let mut owned = Pen::new(&mut self.words, self.owned);
        for at in 0..shape.ports {
            owned.put(router.owned(port(at)).bits().into(), vcs.into());
        }
        owned.lift();
        for at in 0..shape.ports {
            self.words[self.queued + at] = pins.queued(port(at)) as u64;
        }
    }

    fn write_arbiters(&mut self, allocator: &Allocator<P, V>) {
        let Self { words, shape, .. } = self;
        for seen in &mut self.input_arbiters {
            seen.write(words, allocator.input_arbiter(seen.at), shape.vcs);
        }
        for seen in &mut self.out_vc_arbiters {
            seen.write(words, allocator.out_vc_arbiter(seen.at), shape.vcs);
        }
        for seen in &mut self.input_of_out_vc_arbiters {
            let (port, vc) = seen.at;
            seen.write(words, allocator.input_of_out_vc_arbiter(port, vc), shape.ports);
        }
    }

    fn write_rest(&mut self, pins: &Switch<P>) {
        let (router, allocator) = (pins.router(), pins.router().allocator());
        let mut errors = Pen::new(&mut self.words, self.errors);
        for &error in &ProtocolError::ALL {
            errors.put(router.errors(error).min((1 << ERROR_BITS) - 1).into(), ERROR_BITS);
        }
        errors.lift();
        if let Some(at) = self.choices {
            let mut choices = Pen::new(&mut self.words, at);
            for at in 0..self.shape.ports {
                choices.put(allocator.choice(port(at)).number().into(), self.shape.port_bits());
            }
            choices.lift();
        }
        if let Some(at) = self.turn {
            self.words[at] = allocator.turn().into();
        }
        self.words[self.lfsr] = router.lfsr().word().into();
        self.words[self.phase] = pins.phase();
    }
}

impl SeenVc {
    fn write(&mut self, words: &mut [u64], vc: &InputVc, shape: &Shape) {
        let was = self.was.replace(*vc);
        // What is empty and was empty has not changed.
        if was.is_some_and(|was| was.packets() == 0 && vc.packets() == 0) {
            return;
        }
        let (state, out_vc) = match vc.state() {
            VcState::Idle => (layout::VC_STATE_IDLE, 0),
            VcState::Waiting => (layout::VC_STATE_WAITING, 0),
            VcState::Active { vc, .. } => (layout::VC_STATE_ACTIVE, vc.number()),
        };
        let counts = [vc.flits(), vc.packets(), vc.left(), vc.expected(), out_vc.into()];
        let mut pen = Pen::new(words, self.buffered);
        for (value, bits) in [state as u16].into_iter().chain(counts).zip(self.widths) {
            pen.put(value.into(), bits);
        }
        pen.lift();
        if !was.is_some_and(|was| was.candidates() == vc.candidates()) {
            self.candidates.put(words, shape.packing().pack(vc.candidates()));
        }
        let request = (vc.request().bits() as u64) << shape.ports;
        words[self.asked] = request | 1 << vc.minimal().number();
    }
}

impl<At, const N: usize> Seen<At, Arbiter<N>> {
    /// The state of the first `requesters` requesters, as the RTL keeps it.
    fn write(&mut self, words: &mut [u64], arbiter: Option<&Arbiter<N>>, requesters: usize) {
        let Some(arbiter) = arbiter else { return };
        if !self.was.as_ref().is_some_and(|was| was.is_copy_of(arbiter)) {
            self.field.put(words, arbiter.registers_of(requesters));
            self.was = Some(*arbiter);
        }
    }
}

/// Writes registers side by side, from the lowest bit of a word up.
struct Pen<'w> {
    words: &'w mut [u64],
    word: usize,
    pending: u64,
    filled: u32,
}

impl<'w> Pen<'w> {
    fn new(words: &'w mut [u64], word: usize) -> Self {
        Self { words, word, pending: 0, filled: 0 }
    }

    /// The next `bits` bits, at most 63.
    #[inline]
    fn put(&mut self, value: u64, bits: u32) {
        self.pending |= value << self.filled;
        self.filled += bits;
        if self.filled >= 64 {
            self.words[self.word] = self.pending;
            self.word += 1;
            self.filled -= 64;
            self.pending = value.checked_shr(bits - self.filled).unwrap_or_default();
        }
    }

    /// What has not filled a word is written, too.
    fn lift(self) {
        if self.filled > 0 {
            self.words[self.word] = self.pending;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pen_writes_what_fields_read() {
        for bits in 1..64 {
            let (mut words, count) = ([u64::MAX; 64], 60);
            let value = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits);
            let mut pen = Pen::new(&mut words, 1);
            (0..count).for_each(|n| pen.put(value(n), bits));
            pen.lift();
            for n in 0..count {
                let field = Field { lowest: 64 + n as usize * bits as usize, bits };
                assert_eq!(field.of(&words), u128::from(value(n)), "field {n} of {bits} bits");
            }
            let mut others = words;
            let field = Field { lowest: 64 + bits as usize, bits };
            field.put(&mut others, 0);
            assert_eq!(field.of(&others), 0);
            field.put(&mut others, value(1).into());
            assert_eq!(others, words, "only the field itself was written");
        }
    }
}
