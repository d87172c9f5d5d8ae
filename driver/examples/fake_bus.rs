//! The driver against registers in memory: what a test of firmware does that has no switch at hand.
//!
//! ```sh
//! cargo run -p desvio-driver --example fake_bus
//! ```

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use core::convert::Infallible;
use desvio_driver::checksum::Checksum;
use desvio_driver::register::Register as _;
use desvio_driver::registers::{Address, MAGIC, MAJOR, Shape, Version, WRITE};
use desvio_driver::{Bus, Switch};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};
use std::collections::BTreeMap;

/// The status of an answer to a request that was followed.
const OK: u8 = 0x5a;

/// Registers behind frames of 17 bytes: command, address, data, checksum, a pause; then status, data, checksum.
#[derive(Default)]
struct Registers {
    held: BTreeMap<u16, u32>,
    /// Frames to damage before the bus is quiet.
    noise: u32,
}

impl Registers {
    fn new() -> Self {
        let mut registers = Self::default();
        registers.held.insert(Version::ADDRESS, MAGIC << 16 | MAJOR << 8);
        registers.held.insert(Shape::ADDRESS, 2 << 8 | 5);
        registers
    }

    fn answer(&mut self, frame: &mut [u8]) {
        let address = u16::from_be_bytes([frame[1], frame[2]]);
        if frame[0] == WRITE {
            self.held.insert(address, u32::from_be_bytes([frame[3], frame[4], frame[5], frame[6]]));
        }
        let held = self.held.get(&address).copied().unwrap_or_default();
        frame[10] = OK;
        frame[11..15].copy_from_slice(&held.to_be_bytes());
        let sum = Checksum::new().with_bytes(&frame[10..15]).value();
        frame[15..17].copy_from_slice(&sum.to_be_bytes());
        if self.noise > 0 {
            self.noise -= 1;
            frame[12] ^= 0x10;
        }
    }
}

impl spi::ErrorType for Registers {
    type Error = Infallible;
}

impl SpiDevice for Registers {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        for operation in operations {
            if let Operation::TransferInPlace(frame) = operation {
                self.answer(frame);
            }
        }
        Ok(())
    }
}

/// A reset line to nowhere.
struct Line;

impl digital::ErrorType for Line {
    type Error = Infallible;
}

impl OutputPin for Line {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Time that does not pass.
struct NoDelay;

impl DelayNs for NoDelay {
    fn delay_ns(&mut self, _nanoseconds: u32) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut switch = Switch::new(Registers::new(), Line, NoDelay);
    let shape = switch.reset()?;
    assert_eq!((shape.ports(), shape.vcs()), (5, 2));
    println!("a switch of {} ports with up to {} VCs", shape.ports(), shape.vcs());

    // One register at a time, over a bus that damages two frames.
    let bus: &mut Bus<_> = switch.bus();
    bus.spi().noise = 2;
    bus.write(Address::default().with_router(5))?;
    let address: Address = bus.read()?;
    assert_eq!(address.router(), 5);
    assert_eq!(bus.repeated(), 2);
    println!("it is router {}, {} frames were sent again", address.router(), bus.repeated());
    Ok(())
}
