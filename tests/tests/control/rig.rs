//! What a driver programs in these tests: the switch in SystemVerilog, or the firmware of one.

use super::traffic::Traffic;
use super::worlds::driver;
use desvio_driver::Switch;
use desvio_lockstep::control::{Board, Delay, ResetPin, Spi};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;

/// A switch with a register port, and traffic at its links.
pub(crate) trait Rig {
    type Spi: SpiDevice;
    type Pin: OutputPin;
    type Delay: DelayNs;

    /// A driver of it.
    fn driver(&self) -> Switch<Self::Spi, Self::Pin, Self::Delay>;

    /// Lets it run for so many cycles.
    fn run(&self, cycles: u64);

    /// What is at its links.
    fn traffic<T>(&self, look: impl FnOnce(&mut Traffic) -> T) -> T;

    /// Lets traffic flow until all of it has left.
    fn settle(&self) {
        for _ in 0..2_000 {
            if self.traffic(|traffic| traffic.is_over()) {
                break;
            }
            self.run(100);
        }
        let (fault, account, is_over) =
            self.traffic(|traffic| (traffic.fault.clone(), traffic.account(), traffic.is_over()));
        assert_eq!(fault, None);
        assert!(is_over && account.sent == account.received && account.sent > 0, "{account:?}");
    }
}

impl Rig for Board<Traffic> {
    type Spi = Spi<Traffic>;
    type Pin = ResetPin<Traffic>;
    type Delay = Delay<Traffic>;

    fn driver(&self) -> Switch<Self::Spi, Self::Pin, Self::Delay> {
        driver(self)
    }

    fn run(&self, cycles: u64) {
        Board::run(self, cycles).unwrap();
    }

    fn traffic<T>(&self, look: impl FnOnce(&mut Traffic) -> T) -> T {
        self.neighbours(look)
    }
}
