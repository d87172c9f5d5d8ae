//! The serial line of a microcontroller that steps routers as a host asks.

use super::{Outcome, Target, seeds};
use desvio_lockstep::mcu;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use router_core::pins::{Bundle, PortInputs};
use tether::bytes::Writer;
use tether::frame::{self, Stream};
use tether::message::{CYCLES, END, REGISTERS, RESET, SETUP};
use tether::{server, wires};

pub(super) const TARGET: Target = Target {
    name: "tether",
    reads: "requests on the serial line of a microcontroller",
    run,
    seeds: written,
    // The registers are asked for three times in a row.
    is_rare: |bytes| bytes.windows(9).any(|window| window == [1, 0, REGISTERS].repeat(3)),
};

/// Bytes of a frame, as of the program for the smallest board.
const BYTES: usize = 512;

/// Sends the payloads of an input as frames: the length of each in two bytes, then its bytes. With a length of 0 the next byte is sent bare.
struct Line {
    bytes: Vec<u8>,
    at: usize,
    sent: usize,
}

/// All bytes have been read.
struct Over;

impl Line {
    fn new(mut rest: &[u8]) -> Self {
        let mut line = Self { bytes: Vec::new(), at: 0, sent: 0 };
        let mut buffer = [0; 2 * BYTES];
        while let Some((&[low, high], after)) = rest.split_first_chunk() {
            let length = usize::from(u16::from_le_bytes([low, high])).min(after.len());
            let (payload, next) = after.split_at(length);
            if length == 0 {
                line.bytes.push(low);
            }
            let mut sealed = Sealed(&mut line.bytes);
            // What does not fit into a frame is left out.
            let _ = frame::send(&mut sealed, &mut buffer, |to| to.bytes(payload));
            rest = next;
        }
        line
    }
}

/// Keeps what is sent.
struct Sealed<'b>(&'b mut Vec<u8>);

impl Stream for Sealed<'_> {
    type Error = Over;
    fn read(&mut self, _: &mut [u8]) -> Result<usize, Over> {
        Err(Over)
    }
    fn write(&mut self, bytes: &[u8]) -> Result<(), Over> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

impl Stream for Line {
    type Error = Over;
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Over> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = bytes.len().min(rest.len());
        bytes[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        if length == 0 { Err(Over) } else { Ok(length) }
    }
    fn write(&mut self, bytes: &[u8]) -> Result<(), Over> {
        self.sent += bytes.len();
        Ok(())
    }
}

/// A payload with its length before it.
fn payload(write: impl FnOnce(&mut Writer<'_>)) -> Vec<u8> {
    let mut buffer = [0; BYTES];
    let mut writer = Writer::new(&mut buffer);
    write(&mut writer);
    let length = writer.length().unwrap_or_else(|_| panic!("a payload is too long"));
    let head = u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    [&head, &buffer[..length]].concat()
}

/// A router is described, stepped, asked for its registers, reset and left.
fn written() -> Vec<Vec<u8>> {
    let of = |name: &str| {
        let file = seeds::root().join("scenarios").join(name);
        let scenario = Scenario::load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
        let blueprint = Blueprint::new(scenario).unwrap_or_else(|error| panic!("{error}"));
        let setup = mcu::setup(&blueprint, 0).unwrap_or_else(|error| panic!("{error}"));
        let mut idle = Bundle::<7>::default();
        idle.set(
            router_core::units::PortId::new(1),
            PortInputs { flit: None, credit: Some(router_core::units::VcId::new(0)) },
        );
        let requests = [
            payload(|to| {
                to.u8(SETUP);
                setup.write(to);
            }),
            payload(|to| {
                to.u8(CYCLES);
                wires::write(to, &idle);
                wires::write(to, &idle);
            }),
            payload(|to| to.u8(REGISTERS)),
            payload(|to| to.u8(RESET)),
            payload(|to| to.u8(END)),
        ];
        requests.concat()
    };
    vec![of("tiny.toml"), of("mesh.toml")]
}

fn run(bytes: &[u8]) -> Outcome {
    let mut line = Line::new(bytes);
    let ended = server::serve::<_, 7, 3, 4, 95, BYTES>(&mut line).is_ok();
    Outcome::taken((ended, line.sent / 8))
}
