//! The registers that lockstep compares: their names, and where each is in the words that both twins give.
//!
//! The RTL shows its registers in signals, several in one; the words are these signals one after the other, each from a
//! word of its own on.

use super::Shape;
use router_core::state::{Module, Register, visit};
use router_core::units::{PortId, VcId};

/// One register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its name, as it appears in reports and waveforms.
    pub name: String,
    /// What it is, if `router-core` lists it; otherwise only the RTL and the model on this machine have it.
    pub register: Option<Register>,
    /// The VC whose front it is, if not.
    pub(crate) front: Option<(PortId, VcId)>,
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

    /// Whether it lies in one word.
    pub(crate) const fn is_small(self) -> bool {
        self.lowest % 64 + self.bits as usize <= 64
    }

    /// Its value, of a field that lies in one word.
    #[inline]
    pub fn small(self, words: &[u64]) -> u64 {
        debug_assert!(self.is_small(), "{self:?}");
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

    /// Sets a field of at most 64 bits, and no other bit.
    #[inline]
    pub(crate) fn put_small(self, words: &mut [u64], value: u64) {
        let (word, shift) = (self.lowest / 64, self.lowest % 64);
        let ones = u64::MAX >> (64 - self.bits);
        match words.get_mut(word) {
            Some(to) if self.is_small() => *to = *to & !(ones << shift) | (value & ones) << shift,
            _ => self.put(words, value.into()),
        }
    }

    const fn ones(self) -> u128 {
        u128::MAX >> (128 - self.bits)
    }
}

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
    /// The registers of a router of this shape, in the order of [`router_core::state`]; then the heads at the front of its
    /// buffers.
    pub fn of(shape: &Shape) -> Self {
        let mut probes = Self::default();
        visit(shape.plan(), shape.vcs as u8, &mut |register| probes.add(shape, register));
        for port in (0..shape.ports).map(|port| PortId::new(port as u8)) {
            shape.plan().links.vcs(port).iter().for_each(|vc| probes.add_front(port, vc));
        }
        probes
    }

    /// A head at the front of a buffer.
    fn add_front(&mut self, port: PortId, vc: VcId) {
        let (word, bits) = (self.mask.len(), u32::BITS);
        let name = format!("{}front_probe.value", instance(port, vc));
        self.signals.push(Signal { name: format!("dsv_router.{name}"), bits, word });
        self.mask.push(u32::MAX.into());
        let field = Field { lowest: 64 * word, bits };
        let name = format!("input{}.vc{}.front", port.number(), vc.number());
        self.list.push(Probe { name, register: None, front: Some((port, vc)), field });
    }

    /// The next bits of a signal: a register that is compared, or, where this router has none, any value.
    fn add(&mut self, shape: &Shape, register: Register) {
        let (name, bits) = (signal(register), shape.bits_of(register));
        if self.signals.last().is_none_or(|last| last.name != name) {
            self.signals.push(Signal { name, bits: 0, word: self.mask.len() });
        }
        let Some(signal) = self.signals.last_mut() else { return };
        let lowest = signal.word * 64 + signal.bits as usize;
        signal.bits += bits;
        self.mask.resize(signal.word + signal.bits.div_ceil(64) as usize, 0);
        if !register.is_absent(shape.plan()) {
            let field = Field { lowest, bits };
            field.put(&mut self.mask, u128::MAX);
            self.list.push(Probe {
                name: register.to_string(),
                register: Some(register),
                front: None,
                field,
            });
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
}

/// Where a VC is, seen from the router.
fn instance(port: PortId, vc: VcId) -> String {
    format!("{}vc.", input_vc(port, vc))
}

/// The module around it.
fn input_vc(port: PortId, vc: VcId) -> String {
    format!("g_input[{}].input_port.g_vc[{}].g_here.input_vc.", port.number(), vc.number())
}

/// The signal that shows a register, seen from the router.
fn signal(register: Register) -> String {
    let (module, signal) = register.signal();
    let instance = match register {
        Register::Vc(port, vc, _)
        | Register::Leaving(port, vc)
        | Register::Hops(port, vc)
        | Register::Fresh(port, vc) => instance(port, vc),
        Register::Age(port, vc) => {
            format!("{}g_lifetime.lifetime.", input_vc(port, vc))
        }
        Register::Aged(port, vc) => format!("{}g_ages.ages.", input_vc(port, vc)),
        Register::Queued(port) => format!("g_output[{}].output_port.", port.number()),
        _ => match module {
            Module::Allocator => "allocator.".to_owned(),
            Module::Lfsr => "lfsr.".to_owned(),
            Module::Notices => "group.g_listens.notices.".to_owned(),
            Module::Flags => "group.g_flags.flags.".to_owned(),
            Module::Discards => "g_discards.discards.".to_owned(),
            Module::Stalls => "limits.g_heads.stalls.".to_owned(),
            Module::LifetimeTick => "limits.g_packets.lifetime_tick.".to_owned(),
            Module::Router | Module::Vc | Module::OutputPort | Module::Lifetime | Module::PacketAges => {
                String::new()
            }
        },
    };
    format!("dsv_router.{instance}{signal}_probe.value")
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

    #[test]
    fn a_field_reads_what_it_has_been_put_to() {
        for bits in 1..=128 {
            let mut words = [u64::MAX; 130];
            let value = |n: u64| {
                (u128::from(n) << 64 | u128::from(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))) >> (128 - bits)
            };
            let field = |n: u64| Field { lowest: 64 + n as usize * bits as usize, bits };
            (0..60).for_each(|n| field(n).put(&mut words, value(n)));
            (0..60).for_each(|n| assert_eq!(field(n).of(&words), value(n), "field {n} of {bits} bits"));
            let all = words;
            field(1).put(&mut words, 0);
            assert_eq!(field(1).of(&words), 0);
            field(1).put(&mut words, value(1));
            assert_eq!(words, all, "only the field itself was written");
        }
    }
}
