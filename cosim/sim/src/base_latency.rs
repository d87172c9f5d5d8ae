//! Base latencies of switching techniques: how long a message takes in a network that is otherwise empty, by the textbook's equations.
//!
//! The equations are 3.1 to 3.7 of the textbook's chapter on networks (`docs/papers.md`). A message of `bits` bits and a header of one flit cross `links` links, of
//! which each has a router before it. `docs/switching.md` says which times are those of the routers of this project.

use router_core::options::Pipeline;
use router_core::router::{body_cycles, router_cycles};

/// A message on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Links from source to destination: D.
    pub links: u64,
    /// Bits of data, the header not counted: L.
    pub bits: u64,
    /// Bits of the header: W. A flit is as long; but for the `narrow` equations a channel is as wide.
    pub header: u64,
}

/// What a router and a link take, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// To choose an output: t_r.
    pub route: u64,
    /// For a flit to cross the router: t_s.
    pub switch: u64,
    /// For a flit to cross a link: t_w.
    pub wire: u64,
    /// From a flit to the next one: max(t_s, t_w) in the textbook, whose routers hold one flit at a time.
    pub pace: u64,
}

impl Times {
    /// Those of the textbook's router, by t_r, t_s and t_w.
    pub const fn new(route: u64, switch: u64, wire: u64) -> Self {
        Self { route, switch, wire, pace: if switch > wire { switch } else { wire } }
    }

    /// Those of a router of this project, with the pipeline of 4 that circuits have, so many internal cycles per link cycle, and links of one cycle. A later flit takes ⌈3/S⌉ cycles, a
    /// head ⌈4/S⌉; what it takes longer is t_r. Routers are pipelined: a flit follows another in the next cycle.
    pub const fn of_router(speedup: u32) -> Self {
        let (head, body) =
            (router_cycles(Pipeline::Four, speedup) as u64, body_cycles(Pipeline::Four, speedup) as u64);
        Self { route: head - body, switch: body, wire: 1, pace: 1 }
    }

    /// A flit over a router and the link behind it.
    const fn hop(self) -> u64 {
        self.switch + self.wire
    }
}

impl Message {
    /// Flits of data: ⌈L / W⌉.
    const fn flits(self) -> u64 {
        self.bits.div_ceil(self.header)
    }

    /// Until a circuit is held, and its source knows: D·[t_r + 2·(t_s + t_w)].
    pub const fn setup(self, t: Times) -> u64 {
        self.links * (t.route + 2 * t.hop())
    }

    /// Circuit switching (3.1): the setup, then t_w·⌈L/W⌉. The circuit is taken for a single link: the way of the first flit is not counted.
    pub const fn circuit(self, t: Times) -> u64 {
        self.setup(t) + t.wire * self.flits()
    }

    /// Pipelined circuit switching: the setup, then D·(t_s + t_w) + max(t_s, t_w)·(⌈L/W⌉ − 1), since data pass registers at each router. The
    /// textbook names the technique without an equation; this one follows from 3.1 and 3.4.
    pub const fn pipelined_circuit(self, t: Times) -> u64 {
        self.setup(t) + self.links * t.hop() + t.pace * self.flits().saturating_sub(1)
    }

    /// Packet switching, store and forward (3.2): D·{t_r + (t_s + t_w)·⌈(L + W)/W⌉}.
    pub const fn store_and_forward(self, t: Times) -> u64 {
        self.links * (t.route + t.hop() * (self.bits + self.header).div_ceil(self.header))
    }

    /// Virtual cut-through (3.3) and wormhole (3.4): D·(t_r + t_s + t_w) + max(t_s, t_w)·⌈L/W⌉, with buffers at inputs and outputs.
    pub const fn cut_through(self, t: Times) -> u64 {
        self.links * (t.route + t.hop()) + t.pace * self.flits()
    }

    /// Virtual cut-through and wormhole with buffers at inputs alone: a flit follows another after t_s + t_w.
    pub const fn cut_through_without_output_buffers(self, t: Times) -> u64 {
        self.links * (t.route + t.hop()) + t.hop() * self.flits()
    }

    /// Mad postman, with channels of `width` bits (3.6; 3.5 for 1): D·(t_s + t_w) + max(t_s, t_w)·(⌈W/C⌉ + ⌈L/C⌉). A router sends the
    /// header straight on before it has read it, so that no time for routing is seen.
    pub const fn mad_postman(self, width: u64, t: Times) -> u64 {
        self.links * t.hop() + t.pace * (self.header.div_ceil(width) + self.bits.div_ceil(width))
    }

    /// Wormhole with channels of `width` bits (3.7): D·{t_r + (t_s + t_w)·⌈W/C⌉} + max(t_s, t_w)·⌈L/C⌉. A router waits for the whole header.
    pub const fn narrow_wormhole(self, width: u64, t: Times) -> u64 {
        self.links * (t.route + t.hop() * self.header.div_ceil(width)) + t.pace * self.bits.div_ceil(width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D, L, W, t_r, then 3.1, 3.2, 3.3 = 3.4, 3.6 and 3.7 with channels of 1, 2, 4 and 8 bits; t_s = t_w = 1. Worked out by hand from
    /// the equations.
    type Row = ([u64; 4], [u64; 3], [u64; 4], [u64; 4]);
    const GOLDEN: [Row; 4] = [
        ([5, 128, 8, 1], [41, 175, 31], [146, 78, 44, 27], [213, 109, 57, 31]),
        ([3, 128, 16, 1], [23, 57, 17], [150, 78, 42, 24], [227, 115, 59, 31]),
        ([10, 256, 16, 2], [76, 360, 56], [292, 156, 88, 54], [596, 308, 164, 92]),
        ([15, 256, 16, 1], [91, 525, 61], [302, 166, 98, 64], [751, 383, 199, 107]),
    ];

    #[test]
    fn the_equations_give_the_golden_values() {
        for ([links, bits, header, route], wide, postman, narrow) in GOLDEN {
            let (message, t) = (Message { links, bits, header }, Times::new(route, 1, 1));
            let found = [message.circuit(t), message.store_and_forward(t), message.cut_through(t)];
            assert_eq!(found, wide, "{message:?}");
            assert_eq!([1, 2, 4, 8].map(|width| message.mad_postman(width, t)), postman, "{message:?}");
            assert_eq!([1, 2, 4, 8].map(|width| message.narrow_wormhole(width, t)), narrow, "{message:?}");
        }
    }

    #[test]
    fn the_equations_agree_where_they_should() {
        for (links, bits, header, route, switch, wire) in
            [(1, 8, 8, 1, 1, 1), (5, 1000, 16, 3, 1, 2), (7, 96, 32, 0, 4, 1), (12, 4096, 8, 2, 2, 2)]
        {
            let (message, t) = (Message { links, bits, header }, Times::new(route, switch, wire));
            assert_eq!(message.narrow_wormhole(header, t), message.cut_through(t), "3.7 with C = W is 3.4");
            let serial = links * (switch + wire) + switch.max(wire) * (header + bits);
            assert_eq!(message.mad_postman(1, t), serial, "3.6 with C = 1 is 3.5");
            let flight = message.pipelined_circuit(t) - message.setup(t) + switch.max(wire);
            let flight = flight - switch.max(wire) * bits.div_ceil(header);
            assert_eq!(flight, links * (switch + wire), "the way that 3.1 does not count");
        }
        // SAF over cut-through, as messages grow: D·(t_s + t_w) / max(t_s, t_w).
        let (long, t) = (Message { links: 6, bits: 1 << 30, header: 16 }, Times::new(1, 1, 2));
        let ratio = long.store_and_forward(t) as f64 / long.cut_through(t) as f64;
        assert!((ratio - 6.0 * 3.0 / 2.0).abs() < 1e-3, "{ratio}");
    }

    /// The textbook's example: a serial channel, a header of 16 bits, three links, a cycle to choose an output: the header of a wormhole takes
    /// 51 cycles, the mad postman's 18. Its equation 3.5 gives 19: the text counts the first link as part of the header's length.
    #[test]
    fn the_textbooks_header() {
        // A cycle for switch and wire together.
        let (header, t) = (Message { links: 3, bits: 0, header: 16 }, Times::new(1, 0, 1));
        assert_eq!(header.narrow_wormhole(1, t), 51);
        assert_eq!(header.mad_postman(1, t), 18 + 1);
    }
}
