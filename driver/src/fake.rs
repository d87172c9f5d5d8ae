//! A switch in memory, for tests of firmware that has no switch at hand.
//!
//! ```
//! use desvio_driver::{Switch, fake::Fake};
//! use router_core::{route::Here, select::Selection, units::PortSet};
//!
//! // Five ports, two VCs, a routing table of four rows.
//! let fake = Fake::<4>::new(5, 2);
//! let mut switch = Switch::new(fake.spi(), fake.reset_pin(), fake.delay());
//! switch.reset()?;
//! fake.damage(3);                                            // the bus breaks the next three answers
//! switch.program_table([PortSet::first_n(2); 4].into_iter())?;
//! switch.start(&Here::default(), 1, &Selection::NEVER)?;
//! assert_eq!(switch.bus().repeated(), 3);
//! # Ok::<(), desvio_driver::Error<core::convert::Infallible, core::convert::Infallible>>(())
//! ```
//!
//! Registers, frames, staging, commits, events and the interrupt line are those of the RTL: a test sends both of them random
//! frames, and compares every answer. There is no router behind the registers: its counters of contention, credits and errors are 0,
//! and of those the answers' codes alone are compared.

mod parts;
#[cfg(feature = "async")]
mod waiting;

use crate::file::{Built, RegisterFile};
pub use parts::{Spi, Time, Wire};
use router_core::layout::{ROUTING_TABLE, TRIGGER_HYBRID};
#[cfg(feature = "async")]
pub use waiting::Irq;

/// A switch with a routing table of `ROWS` rows. Its pins are handles to it.
#[derive(Debug)]
pub struct Fake<const ROWS: usize>(core::cell::RefCell<State<ROWS>>);

#[derive(Debug)]
struct State<const ROWS: usize> {
    file: RegisterFile<ROWS>,
    in_reset: bool,
    /// Answers that are still to be damaged.
    damaged: u32,
}

impl<const ROWS: usize> State<ROWS> {
    fn frame(&mut self, bytes: &mut [u8]) {
        if self.in_reset {
            return bytes.fill(0);
        }
        self.file.frame(bytes, &mut ());
        if self.damaged > 0 && bytes.len() > ANSWER {
            self.damaged = self.damaged.wrapping_sub(1);
            bytes.iter_mut().skip(ANSWER).for_each(|byte| *byte ^= 0x10);
        }
    }
}

/// The place of the answer in a frame.
const ANSWER: usize = 10;

impl<const ROWS: usize> Fake<ROWS> {
    /// A switch after reset, of so many ports and VCs, that routes by table and has both triggers.
    #[must_use]
    pub fn new(ports: u8, vcs: u8) -> Self {
        let (routing, trigger) = (ROUTING_TABLE as u8, TRIGGER_HYBRID as u8);
        Self::of(Built { ports, vcs, routing, trigger, counter_bits: 8 })
    }

    /// A switch that was built like this.
    #[must_use]
    pub fn of(built: Built) -> Self {
        let file = RegisterFile::new(built);
        Self(core::cell::RefCell::new(State { file, in_reset: false, damaged: 0 }))
    }

    /// Its serial register port.
    pub const fn spi(&self) -> Spi<'_, ROWS> {
        Spi(self)
    }

    /// Its reset line, active high.
    pub const fn reset_pin(&self) -> Wire<'_, ROWS> {
        Wire(self)
    }

    /// Time, which does not pass.
    pub const fn delay(&self) -> Time {
        Time
    }

    /// The level of its interrupt line.
    pub fn irq(&self) -> bool {
        self.with(|state| state.file.irq()).unwrap_or(false)
    }

    /// Its interrupt line, for those that wait for it.
    #[cfg(feature = "async")]
    pub const fn irq_pin(&self) -> Irq<'_, ROWS> {
        Irq(self)
    }

    /// Damages the next answers on their way: a bit of each is flipped.
    pub fn damage(&self, answers: u32) {
        self.with(|state| state.damaged = answers);
    }

    fn with<T>(&self, act: impl FnOnce(&mut State<ROWS>) -> T) -> Option<T> {
        self.0.try_borrow_mut().ok().map(|mut state| act(&mut state))
    }
}
