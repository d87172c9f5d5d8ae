//! Errors of the driver on a bus without a device, and with an unknown device.

use desvio_driver::checksum::Checksum;
use desvio_driver::{BusError, Error, Switch};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{ErrorKind, ErrorType, Operation, SpiDevice};
use router_core::route::Here;
use router_core::select::Selection;

/// The other end: what comes back for the last seven bytes of a frame, or that the bus fails.
struct End {
    answer: Result<[u8; 7], ErrorKind>,
    frames: u32,
}

impl ErrorType for End {
    type Error = ErrorKind;
}

impl SpiDevice for End {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
        self.frames = self.frames.wrapping_add(1);
        for operation in operations {
            if let Operation::TransferInPlace(bytes) = operation {
                for (byte, came) in bytes.iter_mut().rev().zip(self.answer?.iter().rev()) {
                    *byte = *came;
                }
            }
        }
        Ok(())
    }
}

struct Line;

impl digital::ErrorType for Line {
    type Error = core::convert::Infallible;
}

impl OutputPin for Line {
    fn set_low(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

struct NoTime;

impl DelayNs for NoTime {
    fn delay_ns(&mut self, _: u32) {}
}

fn switch(answer: Result<[u8; 7], ErrorKind>) -> Switch<End, Line, NoTime> {
    Switch::new(End { answer, frames: 0 }, Line, NoTime)
}

/// A frame that says that all is well, and that every register holds this.
fn holding(value: u32) -> [u8; 7] {
    let [a, b, c, d] = value.to_be_bytes();
    let [first, second] = Checksum::new().with_bytes(&[0x5a, a, b, c, d]).value().to_be_bytes();
    [0x5a, a, b, c, d, first, second]
}

#[test]
fn a_wire_that_is_stuck_is_corrupt_after_bounded_attempts() {
    for level in [0x00, 0xff] {
        let mut switch = switch(Ok([level; 7]));
        switch.bus().set_attempts(5);
        assert_eq!(switch.reset(), Err(Error::Bus(BusError::Corrupt { attempts: 5 })));
        assert_eq!((switch.bus().spi().frames, switch.bus().repeated()), (5, 4));
    }
}

#[test]
fn a_bus_that_fails_says_how() {
    let mut switch = switch(Err(ErrorKind::Overrun));
    assert_eq!(switch.reset(), Err(Error::Bus(BusError::Spi(ErrorKind::Overrun))));
    assert_eq!(switch.bus().spi().frames, 8);
}

#[test]
fn what_is_no_switch_is_told_from_one_of_another_version() {
    assert_eq!(switch(Ok(holding(0x1234_0100))).reset(), Err(Error::NoSwitch { found: 0x1234_0100 }));
    assert_eq!(switch(Ok(holding(0xde50_0700))).reset(), Err(Error::OtherMap { major: 7 }));
}

#[test]
fn what_cannot_be_is_refused_before_it_is_sent() {
    let mut switch = switch(Ok(holding(0)));
    assert_eq!(switch.start(&Here::default(), 0, &Selection::NEVER), Err(Error::ZeroSeed));
    assert_eq!(switch.bus().spi().frames, 0);
}
