//! The driver, on a bus that answers anything.

use super::{Outcome, Target};
use desvio_driver::Switch;
use desvio_driver::checksum::Checksum;
use desvio_driver::register::Register as _;
use desvio_driver::registers::{MAGIC, MAJOR, Version};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};
use router_core::event::ProtocolError;
use router_core::route::Here;
use router_core::select::Selection;
use router_core::units::{PortId, PortSet, VcId};

pub(super) const TARGET: Target = Target {
    name: "driver",
    reads: "answers on the bus of the driver",
    run,
    seeds: || {
        let good = |call: u8| [&[call][..], &[ECHO; 40], &[call + 1], &[ECHO; 8]].concat();
        let bad = vec![0, WRONG, 1, 2, 3, FAILS, 2, VALUE, 0, 0, 0, 0, 9, RAW, 1, 2, 3, 4, 5, 6, 7, 5];
        (0..10).map(good).chain([bad]).collect()
    },
    // A reset, and later a frame that fails before one that is answered with a value.
    is_rare: |bytes| bytes.first() == Some(&0) && bytes.windows(2).any(|window| window == [FAILS, VALUE]),
};

/// Frames that a call may take: a commit is looked at a thousand times, each frame is sent eight times.
const FRAMES: u32 = 20_000;

/// What a byte of the input makes the bus do: fail, put any bytes into the frame, answer with a status and any value, damage the checksum
/// of such an answer. Any other byte answers as a switch with the written values would.
const FAILS: u8 = 1;
const RAW: u8 = 2;
const VALUE: u8 = 3;
const WRONG: u8 = 4;
const ECHO: u8 = 5;

#[derive(Debug)]
struct Fault;

impl spi::Error for Fault {
    fn kind(&self) -> spi::ErrorKind {
        spi::ErrorKind::Other
    }
}

/// The bytes that are left.
struct Garbage<'b> {
    bytes: &'b [u8],
    frames: u32,
}

impl Garbage<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else { return ECHO };
        self.bytes = rest;
        first
    }

    fn answer(&mut self, frame: &mut [u8]) -> Result<(), Fault> {
        let Some(at) = frame.len().checked_sub(7) else { return Ok(()) };
        let (request, answer) = frame.split_at_mut(at);
        let mut content = [0; 5];
        match self.next() % 8 {
            FAILS => return Err(Fault),
            RAW => {
                answer.fill_with(|| self.next());
                return Ok(());
            }
            kind @ (VALUE | WRONG) => {
                content.fill_with(|| self.next());
                content[0] %= 7;
                if kind == WRONG {
                    content[4] ^= 1;
                }
            }
            _ => {
                let version = (MAGIC << 16 | MAJOR << 8).to_be_bytes();
                let is_version = request.get(1..3) == Some(&Version::ADDRESS.to_be_bytes()[..]);
                let held = request.get(3..7).unwrap_or_default();
                content[1..].copy_from_slice(if is_version { &version } else { held });
            }
        }
        let [high, low] = Checksum::new().with_bytes(&content).value().to_be_bytes();
        answer[..5].copy_from_slice(&content);
        answer[5..].copy_from_slice(&[high, low]);
        Ok(())
    }
}

impl spi::ErrorType for Garbage<'_> {
    type Error = Fault;
}

impl SpiDevice for Garbage<'_> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Fault> {
        self.frames += 1;
        assert!(self.frames < FRAMES, "a call has sent {FRAMES} frames and does not end");
        operations.iter_mut().try_for_each(|operation| match operation {
            Operation::TransferInPlace(frame) | Operation::Transfer(frame, _) | Operation::Read(frame) => {
                self.answer(frame)
            }
            Operation::Write(_) | Operation::DelayNs(_) => Ok(()),
        })
    }
}

struct NoWires;

impl DelayNs for NoWires {
    fn delay_ns(&mut self, _ns: u32) {}
}

impl digital::ErrorType for NoWires {
    type Error = core::convert::Infallible;
}

impl OutputPin for NoWires {
    fn set_low(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

fn run(bytes: &[u8]) -> Outcome {
    let mut switch = Switch::new(Garbage { bytes, frames: 0 }, NoWires, NoWires);
    let mut told = String::new();
    while !switch.bus().spi().bytes.is_empty() && told.len() < 400 {
        let call = switch.bus().spi().next();
        switch.bus().spi().frames = 0;
        let answer = call_one(&mut switch, call);
        told.extend(answer.chars().take_while(|c| c.is_alphabetic() || *c == '('));
    }
    Outcome::taken(told)
}

/// One call of the driver, and what it returned.
fn call_one(switch: &mut Switch<Garbage<'_>, NoWires, NoWires>, call: u8) -> String {
    let here = Here {
        router: u32::from(call),
        wired: PortSet::first_n(3),
        group_exits: PortSet::first_n(1),
        ..Here::default()
    };
    let rows = [PortSet::first_n(2); 4];
    let (port, vc) = (PortId::new(call / 16), VcId::new(call % 16));
    match call % 10 {
        0 => format!("{:?}", switch.reset()),
        1 => format!("{:?}", switch.shape()),
        2 => format!("{:?}", switch.start(&here, u32::from(call), &Selection::NEVER)),
        3 => format!("{:?}", switch.configure(&Selection::default())),
        4 => format!("{:?}", switch.program_table(rows.into_iter())),
        5 => format!("{:?}", switch.table_row(u16::from(call))),
        6 => format!("{:?}", switch.contention(port)),
        7 => format!("{:?}", switch.credits(port, vc)),
        8 => format!("{:?}", switch.errors(ProtocolError::NoRoute)),
        _ => format!("{:?}", switch.health()),
    }
}
