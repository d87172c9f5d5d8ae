#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

pub mod checksum;
pub mod fake;
pub mod file;
pub mod register;
pub mod registers;
#[cfg(feature = "serial")]
pub mod serial;
pub mod sum;

/// The code of the page about the control plane compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/control.md")]
struct ControlPage;

mod error;
mod frame;
mod pin;
mod readings;

pub use blocking::{Bus, Switch};
pub use error::{BusError, Error};
pub use pin::{ActiveLow, Unconnected};
pub use readings::{Happened, Health};

/// The driver of a program that waits for each frame: `embedded-hal`.
#[allow(clippy::duplicate_mod)] // one source for both
#[path = "."]
mod blocking {
    mod bus;
    mod switch;
    mod thresholds;

    pub use bus::Bus;
    use embedded_hal::{delay::DelayNs, spi::SpiDevice};
    use maybe_async::must_be_sync as face;
    pub use switch::Switch;
}

/// The driver of a program with other tasks: `embedded-hal-async`.
///
/// It has one source with the blocking driver. A future may be dropped at any place: the configuration in use is the old one or the new
/// one, and the next call works.
#[allow(clippy::duplicate_mod)] // one source for both
#[cfg(feature = "async")]
#[path = "."]
pub mod asynchronous {
    mod bus;
    mod interrupt;
    mod switch;
    mod thresholds;

    pub use bus::Bus;
    use embedded_hal_async::{delay::DelayNs, spi::SpiDevice};
    use maybe_async::must_be_async as face;
    pub use switch::Switch;
}
