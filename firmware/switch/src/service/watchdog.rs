//! What restarts a board whose program no longer works.

/// A timer that resets the board unless it is fed in time.
pub trait Watchdog {
    /// The board is well: the time begins anew.
    fn feed(&mut self);
}

/// A board without one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoWatchdog;

impl Watchdog for NoWatchdog {
    fn feed(&mut self) {}
}

impl<W: Watchdog> Watchdog for &mut W {
    fn feed(&mut self) {
        (**self).feed();
    }
}
