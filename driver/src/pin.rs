//! Reset lines that are not as the driver takes them.

use core::convert::Infallible;
use embedded_hal::digital::{ErrorType, OutputPin};

/// A pin whose wire the board inverts: high and low change places.
///
/// The switch is in reset while its input `rst` is high. Where the board's reset line is active low,
/// `Switch::new(spi, ActiveLow(pin), delay)`.
#[derive(Clone, Copy, Debug)]
pub struct ActiveLow<PIN>(pub PIN);

impl<PIN: ErrorType> ErrorType for ActiveLow<PIN> {
    type Error = PIN::Error;
}

impl<PIN: OutputPin> OutputPin for ActiveLow<PIN> {
    fn set_low(&mut self) -> Result<(), PIN::Error> {
        self.0.set_high()
    }

    fn set_high(&mut self) -> Result<(), PIN::Error> {
        self.0.set_low()
    }
}

/// A reset line that is not connected: the switch is reset by hand, or with the power of its board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unconnected;

impl ErrorType for Unconnected {
    type Error = Infallible;
}

impl OutputPin for Unconnected {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
