//! How flits lie on the data wires of all ports, side by side: in each lane the payload, then the header.
//!
//! A lane wider than a header and 32 bits has these 32 bits again, turned by some places in each word; a narrower one has the
//! lowest of them.

use crate::frame::Data;
use crate::shape::Shape;
use router_core::layout;

/// Places by which the payload is turned from one word of a lane to the next.
const TURN: u32 = 5;

/// The data wires of all ports in one direction.
#[derive(Debug)]
pub(crate) struct Lanes {
    width: usize,
    payload: usize,
    pub(super) words: Vec<u32>,
}

impl Lanes {
    pub(super) fn new(shape: &Shape) -> Self {
        Self::of(shape, shape.ports)
    }

    /// Those of one port.
    pub(crate) fn one(shape: &Shape) -> Self {
        Self::of(shape, 1)
    }

    fn of(shape: &Shape, ports: usize) -> Self {
        let width = shape.flit_width() as usize;
        let words = vec![0; (ports * width).div_ceil(32)];
        Self { width, payload: width - layout::HEADER_BITS as usize, words }
    }

    /// The words of a flit as it lies in the first lane, exclusive-or.
    pub(crate) fn fold(&mut self, data: &Data) -> u32 {
        self.put(0, data);
        self.words.iter().fold(0, |all, word| all ^ word)
    }

    /// Puts a flit on the wires of a port.
    pub(super) fn put(&mut self, port: usize, data: &Data) {
        let at = port * self.width;
        for (word, bits) in payload_words(self.payload) {
            self.set(at + 32 * word, bits, data[0].rotate_left(TURN * word as u32));
        }
        for (word, &value) in data[1..].iter().enumerate() {
            self.set(at + self.payload + 32 * word, 32, value);
        }
    }

    /// What is on the wires of a port. Payload that is not the same in all its words gives something else than was put there.
    pub(super) fn take(&self, port: usize) -> Data {
        let at = port * self.width;
        let mut data = Data::default();
        let mut is_one = true;
        for (word, bits) in payload_words(self.payload) {
            let got = self.get(at + 32 * word, bits);
            match word {
                0 => data[0] = got,
                _ => is_one &= got == data[0].rotate_left(TURN * word as u32) & ones(bits),
            }
        }
        if !is_one {
            data[0] = !data[0];
        }
        for (word, value) in data[1..].iter_mut().enumerate() {
            *value = self.get(at + self.payload + 32 * word, 32);
        }
        data
    }

    /// Whether all wires of a port are 0.
    pub(super) fn is_idle(&self, port: usize) -> bool {
        let (from, to) = (port * self.width, (port + 1) * self.width);
        match (from % 32, to % 32) {
            (0, 0) => self.words[from / 32..to / 32].iter().all(|&word| word == 0),
            _ => (from..to).step_by(32).all(|at| self.get(at, (to - at).min(32)) == 0),
        }
    }

    fn get(&self, at: usize, bits: usize) -> u32 {
        let word = |n: usize| self.words.get(at / 32 + n).copied().map_or(0, u64::from);
        (((word(0) | word(1) << 32) >> (at % 32)) as u32) & ones(bits)
    }

    fn set(&mut self, at: usize, bits: usize, value: u32) {
        let (mask, shift) = (u64::from(ones(bits)) << (at % 32), at % 32);
        let value = (u64::from(value) << shift) & mask;
        for (n, word) in self.words.iter_mut().skip(at / 32).take(2).enumerate() {
            *word = *word & !((mask >> (32 * n)) as u32) | (value >> (32 * n)) as u32;
        }
    }
}

/// The words of a payload of so many bits, each with its bits.
fn payload_words(bits: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..bits.div_ceil(32)).map(move |word| (word, (bits - 32 * word).min(32)))
}

const fn ones(bits: usize) -> u32 {
    u32::MAX >> (32 - bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(width: usize, ports: usize) -> Lanes {
        let payload = width - layout::HEADER_BITS as usize;
        Lanes { width, payload, words: vec![0; (ports * width).div_ceil(32)] }
    }

    #[test]
    fn what_is_put_on_a_lane_is_taken_off_it() {
        let flit = |n: u32| Data::from([n.wrapping_mul(0x9e37_79b9), !n, n << 20, n ^ 0x5555_5555]);
        for width in [96, 97, 127, 128, 129, 160, 193, 256] {
            let mut lanes = lanes(width, 5);
            let kept = u32::MAX.checked_shl(width as u32 - 96).map_or(u32::MAX, |above| !above);
            (0..5).for_each(|port| lanes.put(port, &flit(port as u32 + 1)));
            for port in 0..5 {
                let mut expected = flit(port as u32 + 1);
                expected[0] &= kept;
                assert_eq!(lanes.take(port), expected, "port {port} of {width} bits");
            }
        }
    }

    #[test]
    fn each_bit_of_a_lane_is_seen() {
        for width in [96, 97, 128, 161] {
            let whole = Data::from([0x1234_5678, 1, 2, 3]);
            for bit in 0..width {
                let mut lanes = lanes(width, 3);
                assert!(lanes.is_idle(1));
                lanes.words[(width + bit) / 32] ^= 1 << ((width + bit) % 32);
                assert!(!lanes.is_idle(1) && lanes.is_idle(0) && lanes.is_idle(2), "bit {bit} of {width}");
                lanes.words.fill(0);
                lanes.put(1, &whole);
                let expected = lanes.take(1);
                lanes.words[(width + bit) / 32] ^= 1 << ((width + bit) % 32);
                assert_ne!(lanes.take(1), expected, "bit {bit} of {width}");
            }
        }
    }
}
