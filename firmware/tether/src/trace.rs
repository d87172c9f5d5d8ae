//! A stored stimulus with what a router made of it: the self-test of a switch.
//!
//! ```text
//! trace   for each cycle: what comes in (as in `wires`), and the folded digest of what goes out and is remembered
//!         (2 bytes)
//! ```

use crate::bytes::{Reader, TooShort};
use crate::machine::Machine;
use crate::setup::SetupError;
use crate::wires;
use router_core::route::Route;

/// A trace that a router did not reproduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Failure {
    /// The router that it is for does not fit here.
    Setup(SetupError),
    /// Its bytes end within a cycle, or it has none.
    TooShort,
    /// The router did something else.
    Differs {
        /// For the first time in this internal cycle, counted from 0.
        cycle: u32,
        /// What the trace says.
        expected: u16,
        /// What the router made of it.
        got: u16,
    },
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl From<TooShort> for Failure {
    fn from(_: TooShort) -> Self {
        Self::TooShort
    }
}

/// Plays a trace back to the router that it was made for, as after reset; says how many internal cycles agreed.
///
/// # Errors
/// Where it differs.
pub fn replay<R: Route, const P: usize, const V: usize, const F: usize>(
    machine: &mut Machine<'_, R, P, V, F>,
    trace: &[u8],
) -> Result<u32, Failure> {
    let mut reader = Reader::new(trace);
    let mut cycle = 0u32;
    while !reader.is_empty() {
        let inputs = wires::read(&mut reader)?;
        let expected = reader.u16()?;
        // Protocol errors are counted in the router, and compared there.
        let (driven, _) = machine.step(&inputs);
        let got = machine.digest(&driven).folded();
        if got != expected {
            return Err(Failure::Differs { cycle, expected, got });
        }
        cycle = cycle.wrapping_add(1);
    }
    if cycle == 0 { Err(Failure::TooShort) } else { Ok(cycle) }
}
