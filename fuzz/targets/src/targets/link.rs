//! The line of a port, with any bytes on it.

use super::{Outcome, Target};
use core::num::NonZeroU32;
use desvio_link::{DataFlit, Port, Setup, Tick, Timing, frame_bytes};
use router_core::header::{Flit, Header, Packet};
use router_core::links::FlowControl;
use router_core::units::VcId;

pub(super) const TARGET: Target = Target {
    name: "link",
    reads: "the line of a port",
    run,
    seeds: trained,
    // A flit, and garbage of no length behind it.
    is_rare: |bytes| bytes.windows(2).any(|window| window == [SEND, GARBAGE]),
};

const FRAME: usize = frame_bytes(2, 4);
type End = Port<2, 4, 8, FRAME>;

// A byte of the input is an action of the end that its highest bit names. Its lowest three bits choose the action: a frame crosses the line
// (0), is lost (1) or is changed (2); garbage is on the line (3). Or time passes (4), a flit is sent (5), a place is freed (6), or the end
// restarts (7).

/// The next bytes of the input are on the line.
const GARBAGE: u8 = 3;
/// A flit is sent.
const SEND: u8 = 5;

fn end(session: u32) -> End {
    let timing = Timing { hello: 2, heartbeat: 3, patience: 12, resend: 5 };
    let session = NonZeroU32::MIN.saturating_add(session);
    let setup = Setup { flow: FlowControl::Vct, buffers: [4; 2], session, timing };
    End::new(&setup).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Two ends come up and exchange flits.
fn trained() -> Vec<Vec<u8>> {
    let both = |action: u8| [action, action | 0x80];
    let come_up = [both(4), both(0), both(4), both(0), both(4), both(0)].concat();
    let carry = [both(SEND), both(SEND + 8), both(0), both(0), both(6), both(4)].concat();
    let lose = [both(SEND), both(1), both(2), both(7), both(GARBAGE | 8)].concat();
    let [long, broken] =
        [[&come_up[..], &carry, &carry].concat(), [&come_up[..], &carry, &lose, &come_up].concat()];
    vec![come_up, long, broken]
}

/// Two ends, whose flits are numbered in the order in which they are sent.
struct Pair<'b> {
    ends: [End; 2],
    bytes: &'b [u8],
    now: u32,
    sessions: u32,
    next: [u32; 2],
    delivered: usize,
}

impl Pair<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn act(&mut self, action: u8) {
        let me = usize::from(action >> 7);
        let mut frame = [0; FRAME];
        match action & 7 {
            kind @ 0..=2 => {
                let length = self.ends[me].poll_transmit(&mut frame);
                if kind == 2 && length > 0 {
                    frame[usize::from(self.byte().unwrap_or_default()) % length] ^= 1 << (action >> 3 & 7);
                }
                self.ends[1 - me].handle(if kind == 1 { &[] } else { &frame[..length] });
            }
            GARBAGE => {
                let length = usize::from(action >> 3 & 15).min(self.bytes.len());
                let (garbage, rest) = self.bytes.split_at(length);
                self.ends[me].handle(garbage);
                self.bytes = rest;
            }
            4 => {
                self.now += 1 + u32::from(action >> 3 & 15);
                self.ends.iter_mut().for_each(|end| end.step(Tick(self.now)));
            }
            SEND => {
                let number = self.next[me];
                let header = Header { length: 1 + u16::from(action >> 4 & 1), ..Header::default() };
                let head = Flit::Head(Packet { header, tag: number });
                let flit = if action & 0x20 == 0 { head } else { Flit::Body { tail: true } };
                let vc = VcId::new(action >> 3 & 3);
                let flit = DataFlit { vc, flit, payload: number.to_le_bytes() };
                self.next[me] += u32::from(self.ends[me].send(flit).is_ok());
            }
            6 => self.ends[me].free(VcId::new(action >> 3 & 3)),
            _ => {
                self.sessions += 1;
                self.ends[me] = end(self.sessions);
            }
        }
        self.fetch();
    }

    fn fetch(&mut self) {
        for end in &mut self.ends {
            while end.poll_arrival().is_some() {
                self.delivered += 1;
            }
            while end.poll_credit().is_some() {}
            while end.poll_lost().is_some() {}
            assert!(end.unacknowledged() <= 8 && end.occupancy(VcId::new(0)) <= 4, "more flits than places");
        }
    }
}

fn run(bytes: &[u8]) -> Outcome {
    let mut pair = Pair { ends: [end(0), end(1)], bytes, now: 0, sessions: 1, next: [0; 2], delivered: 0 };
    while let Some(action) = pair.byte() {
        pair.act(action);
    }
    let states = pair.ends.each_ref().map(Port::state);
    let restarts = pair.ends.each_ref().map(|end| end.counters().restarts.min(3));
    Outcome::taken((format!("{states:?}"), restarts, pair.delivered.min(20)))
}
