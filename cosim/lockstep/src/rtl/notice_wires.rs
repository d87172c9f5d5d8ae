//! The wires by which the routers of a group tell each other how many packets they have for each group, or which of their global links are
//! flagged. Every router has them, and a switch with a control plane has not; where a group tells nothing, nothing is on them.

use crate::frame::{Frame, Notice};
use crate::shape::Shape;
use verilated::{Input, Model, Output, PortError};

/// The wire that says whether a router tells something.
const VALID: &str = "notice_out_valid";

/// Those of one router.
#[derive(Debug)]
pub(super) struct NoticeWires {
    in_valid: Input,
    in_counts: Input,
    out_valid: Output,
    out_counts: Output,
    /// Routers that tell this one something.
    others: usize,
    /// Counters, or flags of one bit, that each of them tells.
    told: usize,
    bits: usize,
    /// What is on the input wires: they keep their last counters where none come.
    driven: Vec<u32>,
    sensed: Vec<u32>,
}

impl NoticeWires {
    /// The wires of a model, if it has some.
    pub(super) fn bind(model: &Model, shape: &Shape) -> Result<Option<Self>, PortError> {
        if !model.ports().iter().any(|port| port.name == VALID) {
            return Ok(None);
        }
        let groups = shape.parameter("GROUPS").map_or(1, |groups| groups as usize);
        // As wide as for counters where nothing is broadcast.
        let (wires, told) = (shape.others().max(1), if shape.told() > 0 { shape.told() } else { groups });
        let bits = shape.notice_bits().max(1) as usize;
        let row = told * bits;
        Ok(Some(Self {
            in_valid: model.input("notice_in_valid", wires as u32)?,
            in_counts: model.input("notice_in_counts", (wires * row) as u32)?,
            out_valid: model.output(VALID, 1)?,
            out_counts: model.output("notice_out_counts", row as u32)?,
            others: if shape.told() > 0 { shape.others() } else { 0 },
            told,
            bits,
            driven: vec![0; (wires * row).div_ceil(32)],
            sensed: vec![0; row.div_ceil(32)],
        }))
    }

    pub(super) fn drive(&mut self, model: &mut Model, notices: &[Notice]) {
        let mut valid = 0u64;
        for Notice { from, counts } in notices {
            valid |= 1 << from;
            for (at, &count) in counts.iter().enumerate() {
                put(&mut self.driven, (from * self.told + at) * self.bits, self.bits, count);
            }
        }
        model.set(self.in_valid, valid);
        if valid != 0 {
            model.set_words(self.in_counts, &self.driven);
        }
    }

    /// Counters from all of the group that mean nothing.
    pub(super) fn junk(&self, junk: u64, to: &mut Frame) {
        let count = |at: usize| (junk.rotate_left(at as u32 * 7) & ((1 << self.bits) - 1)) as u16;
        for from in 0..self.others {
            let counts = (0..self.told).map(|at| count(from + at)).collect();
            to.notices.push(Notice { from, counts });
        }
    }

    /// What the router tells; wires that are not 0 of which `valid` says that nothing is on them are a notice without a sender.
    pub(super) fn sense(&mut self, model: &Model, to: &mut Frame) {
        let is_valid = model.get(self.out_valid) == 1;
        model.get_words(self.out_counts, &mut self.sensed);
        if is_valid || self.sensed.iter().any(|&word| word != 0) {
            let counts = (0..self.told).map(|at| get(&self.sensed, at * self.bits, self.bits)).collect();
            to.notices.push(Notice { from: usize::from(!is_valid), counts });
        }
    }
}

fn put(words: &mut [u32], at: usize, bits: usize, value: u16) {
    for bit in 0..bits {
        let (word, place) = ((at + bit) / 32, (at + bit) % 32);
        words[word] = words[word] & !(1 << place) | u32::from(value >> bit & 1) << place;
    }
}

fn get(words: &[u32], at: usize, bits: usize) -> u16 {
    (0..bits).fold(0, |value, bit| value | ((words[(at + bit) / 32] >> ((at + bit) % 32) & 1) as u16) << bit)
}
