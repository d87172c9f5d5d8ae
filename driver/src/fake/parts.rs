//! The pins of a switch in memory, by the traits of `embedded-hal`.

use super::Fake;
use core::convert::Infallible;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};

/// The serial register port. A frame is one transfer in place, as the driver sends it.
#[derive(Clone, Copy, Debug)]
pub struct Spi<'a, const ROWS: usize>(pub(super) &'a Fake<ROWS>);

/// The reset line.
#[derive(Clone, Copy, Debug)]
pub struct Wire<'a, const ROWS: usize>(pub(super) &'a Fake<ROWS>);

/// Time, which does not pass.
#[derive(Clone, Copy, Debug)]
pub struct Time;

impl<const ROWS: usize> spi::ErrorType for Spi<'_, ROWS> {
    type Error = Infallible;
}

impl<const ROWS: usize> SpiDevice for Spi<'_, ROWS> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        for operation in operations {
            if let Operation::TransferInPlace(bytes) = operation {
                self.0.with(|state| state.frame(bytes));
            }
        }
        Ok(())
    }
}

impl<const ROWS: usize> digital::ErrorType for Wire<'_, ROWS> {
    type Error = Infallible;
}

impl<const ROWS: usize> OutputPin for Wire<'_, ROWS> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.with(|state| state.in_reset = false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.with(|state| {
            state.file.reset();
            state.in_reset = true;
        });
        Ok(())
    }
}

impl DelayNs for Time {
    fn delay_ns(&mut self, _nanoseconds: u32) {}
}
