//! The registers that lockstep compares: their names, and where each is in the words that both twins give.
//!
//! The RTL shows its registers in signals, several in one; the words are these signals one after the other, each from a
//! word of its own on.

use crate::rtl::Shape;
use router_core::layout;

/// One register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its name, as it appears in reports and waveforms.
    pub name: String,
    /// What it is.
    pub register: Register,
    /// Where it is.
    pub field: Field,
}

/// Where a register is in the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its lowest bit, counted from that of the first word.
    pub lowest: usize,
    /// Its width in bits, at most 128.
    pub bits: u32,
}

impl Field {
    /// Its value.
    #[inline]
    pub fn of(self, words: &[u64]) -> u128 {
        let (word, shift) = (self.lowest / 64, self.lowest % 64);
        let at = |n: usize| words.get(word + n).copied().map_or(0, u128::from);
        let mut value = (at(0) | at(1) << 64) >> shift;
        if shift > 0 {
            value |= at(2).checked_shl(128 - shift as u32).unwrap_or_default();
        }
        value & self.ones()
    }

    /// Its value, of a field that lies in one word.
    #[inline]
    pub fn small(self, words: &[u64]) -> u64 {
        debug_assert!(self.lowest % 64 + self.bits as usize <= 64, "{self:?}");
        words.get(self.lowest / 64).map_or(0, |word| word >> (self.lowest % 64))
            & (u64::MAX >> (64 - self.bits))
    }

    /// Sets it, and no other bit.
    pub fn put(self, words: &mut [u64], value: u128) {
        let (word, shift) = (self.lowest / 64, self.lowest % 64);
        let (ones, value) = (self.ones(), value & self.ones());
        // The field, moved to its place, in three words.
        let above = |of: u128| of.checked_shr(128 - shift as u32).unwrap_or_default() as u64;
        let moved = |of: u128| [(of << shift) as u64, ((of << shift) >> 64) as u64, above(of)];
        for ((to, ones), bits) in words.iter_mut().skip(word).zip(moved(ones)).zip(moved(value)) {
            *to = *to & !ones | bits;
        }
    }

    const fn ones(self) -> u128 {
        u128::MAX >> (128 - self.bits)
    }
}

/// What a probed register is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// A register of VC `vc` of input `port`.
    Vc(usize, usize, VcRegister),
    /// The counter of an output.
    Contention(usize),
    /// Free places of VC `vc` behind output `port`.
    Credits(usize, usize),
    /// Which VCs behind an output packets hold.
    Owned(usize),
    /// Flits in the FIFO of an output.
    Queued(usize),
    /// How often a protocol error occurred.
    Errors(usize),
    /// The arbiter among the VCs of an input.
    InputArbiter(usize),
    /// The arbiter among the VCs behind an output.
    OutVcArbiter(usize),
    /// The arbiter among the inputs for VC `vc` behind output `port`.
    InputOfOutVcArbiter(usize, usize),
    /// The output at which an input that requests several begins its search.
    Choice(usize),
    /// The favoured diagonal.
    Turn,
    /// The random word.
    Lfsr,
    /// The place in the link cycle.
    Phase,
}

/// A register of a VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VcRegister {
    /// Idle, waiting or active.
    State,
    /// Flits in the buffer.
    Flits,
    /// Packets in the buffer.
    Packets,
    /// Flits of the front packet that have yet to leave.
    Left,
    /// Flits of the newest packet that have yet to arrive.
    Expected,
    /// The candidates of the front packet, as `hdl/rtl/route/dsv_routed_head.sv` packs them.
    Candidates,
    /// Where the front packet is counted.
    Minimal,
    /// The outputs that the front packet requests.
    Request,
    /// The VC that the front packet takes; 0 unless it is active.
    OutVc,
}

/// The signals that show a VC's registers (`hdl/probe/dsv_vc_probe.sv`), and the registers in each, from the lowest bit up.
const VC_SIGNALS: [(&str, &[VcRegister]); 3] = [
    (
        "buffered",
        &[
            VcRegister::State,
            VcRegister::Flits,
            VcRegister::Packets,
            VcRegister::Left,
            VcRegister::Expected,
            VcRegister::OutVc,
        ],
    ),
    ("candidates", &[VcRegister::Candidates]),
    ("asked", &[VcRegister::Minimal, VcRegister::Request]),
];

impl VcRegister {
    const fn name(self) -> &'static str {
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

/// Bits of an error counter in the RTL, where it stays at its highest value.
pub(crate) const ERROR_BITS: u32 = 16;

/// A signal that shows registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signal {
    /// Its name in the RTL.
    pub(crate) name: String,
    /// Its width in bits.
    pub(crate) bits: u32,
    /// The first of its words.
    pub(crate) word: usize,
}

/// The registers of a router.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    /// Those that are compared.
    pub list: Vec<Probe>,
    pub(crate) signals: Vec<Signal>,
    pub(crate) mask: Vec<u64>,
}

impl Probes {
    /// The registers of a router of this shape: VCs first, then outputs, the allocator, and the rest.
    pub fn of(shape: &Shape) -> Self {
        let mut probes = Self::default();
        for port in 0..shape.ports {
            for vc in 0..shape.vcs_of(port) {
                probes.add_vc(shape, port, vc);
            }
        }
        probes.add_outputs(shape);
        probes.signal("probe.error_count");
        for (number, name) in layout::PROTOCOL_ERROR_NAMES.iter().enumerate() {
            probes.add(&format!("errors.{name}"), Register::Errors(number), ERROR_BITS);
        }
        probes.add_allocator(shape);
        probes.signal("lfsr.probe.value");
        probes.add("lfsr", Register::Lfsr, 32);
        probes.signal("probe.phase");
        probes.add("phase", Register::Phase, shape.phase_bits());
        probes
    }

    fn add_vc(&mut self, shape: &Shape, port: usize, vc: usize) {
        let path = format!("g_input[{port}].input_port.g_vc[{vc}].g_here.vc.probe");
        for (signal, registers) in VC_SIGNALS {
            self.signal(&format!("{path}.{signal}"));
            for &register in registers {
                let name = format!("input{port}.vc{vc}.{}", register.name());
                self.add(&name, Register::Vc(port, vc, register), shape.bits_of(port, register));
            }
        }
    }

    fn add_outputs(&mut self, shape: &Shape) {
        self.signal("probe.contention_count");
        for port in 0..shape.ports {
            self.add(&format!("contention{port}"), Register::Contention(port), shape.counter_width);
        }
        self.signal("probe.credits");
        for port in 0..shape.ports {
            for vc in 0..shape.vcs {
                let name = format!("output{port}.vc{vc}.credits");
                let there = vc < shape.vcs_of(port);
                self.add_if(there, &name, Register::Credits(port, vc), shape.credit_bits());
            }
        }
        self.signal("probe.owned");
        for port in 0..shape.ports {
            self.add(&format!("output{port}.owned"), Register::Owned(port), shape.vcs as u32);
        }
        for port in 0..shape.ports {
            self.signal(&format!("g_output[{port}].output_port.probe.count"));
            self.add(&format!("output{port}.queued"), Register::Queued(port), shape.queued_bits());
        }
    }

    fn add_allocator(&mut self, shape: &Shape) {
        let (vc_arbiter, port_arbiter) = (shape.arbiter_bits(shape.vcs), shape.arbiter_bits(shape.ports));
        self.signal("allocator.probe.input_states");
        for port in 0..shape.ports {
            self.add(&format!("allocator.input{port}"), Register::InputArbiter(port), vc_arbiter);
        }
        if shape.is_wavefront() {
            self.signal("allocator.probe.turn");
            self.add("allocator.turn", Register::Turn, shape.port_bits());
            return;
        }
        self.signal("allocator.probe.out_vc_states");
        for port in 0..shape.ports {
            self.add(&format!("allocator.output{port}"), Register::OutVcArbiter(port), vc_arbiter);
        }
        if shape.has_choices() {
            self.signal("allocator.probe.choices");
            for port in 0..shape.ports {
                self.add(&format!("allocator.choice{port}"), Register::Choice(port), shape.port_bits());
            }
        }
        self.signal("allocator.probe.input_of_out_vc_states");
        for port in 0..shape.ports {
            for vc in 0..shape.vcs {
                let name = format!("allocator.output{port}.vc{vc}");
                self.add(&name, Register::InputOfOutVcArbiter(port, vc), port_arbiter);
            }
        }
    }

    /// What follows is in this signal, from its lowest bit up.
    /// The signal of this name, seen from the router.
    fn signal(&mut self, name: &str) {
        self.signals.push(Signal { name: format!("dsv_router.{name}"), bits: 0, word: self.mask.len() });
    }

    fn add(&mut self, name: &str, register: Register, bits: u32) {
        self.add_if(true, name, register, bits);
    }

    /// The next bits of the signal: a register that is compared, or, where this router has none, any value.
    fn add_if(&mut self, there: bool, name: &str, register: Register, bits: u32) {
        let Some(signal) = self.signals.last_mut() else { return };
        let lowest = signal.word * 64 + signal.bits as usize;
        signal.bits += bits;
        self.mask.resize(signal.word + signal.bits.div_ceil(64) as usize, 0);
        if there {
            for bit in lowest..lowest + bits as usize {
                self.mask[bit / 64] |= 1 << (bit % 64);
            }
            self.list.push(Probe { name: name.to_owned(), register, field: Field { lowest, bits } });
        }
    }

    /// The signals that show the registers: name in the RTL, lowest bit in the words, and width.
    pub fn signals(&self) -> impl Iterator<Item = (&str, usize, u32)> {
        self.signals.iter().map(|signal| (signal.name.as_str(), 64 * signal.word, signal.bits))
    }

    /// The bits of the words that are registers.
    pub fn mask(&self) -> &[u64] {
        &self.mask
    }

    /// The first word of the signal that the registers from this one on are in.
    pub(crate) fn word_of(&self, register: Register) -> usize {
        let found = self.list.iter().find(|probe| probe.register == register);
        found.map_or(usize::MAX, |probe| probe.field.lowest / 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_lie_across_three_words() {
        let words = [u64::MAX, 0, u64::MAX, 0];
        assert_eq!(Field { lowest: 0, bits: 1 }.of(&words), 1);
        assert_eq!(Field { lowest: 60, bits: 8 }.of(&words), 0b1111);
        assert_eq!(Field { lowest: 63, bits: 128 }.of(&words), 1 | (u128::MAX << 65));
        assert_eq!(Field { lowest: 192, bits: 64 }.of(&words), 0);
    }
}
