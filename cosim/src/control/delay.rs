//! Time that passes.

use super::spi::CYCLE_NS;
use super::{Board, BoardError, Neighbours};
use embedded_hal::delay::DelayNs;

/// The clock of a verilated switch as a delay: at 100 MHz, rounded up.
#[derive(Debug)]
pub struct Delay<N> {
    board: Board<N>,
    /// A delay cannot fail: the first assertion that did is kept.
    failure: Option<BoardError>,
}

impl<N> Delay<N> {
    pub(super) fn new(board: Board<N>) -> Self {
        Self { board, failure: None }
    }

    /// The first assertion of the RTL that failed while time passed, if one did.
    pub fn failure(&self) -> Option<&BoardError> {
        self.failure.as_ref()
    }
}

impl<N: Neighbours> DelayNs for Delay<N> {
    fn delay_ns(&mut self, ns: u32) {
        if let Err(failure) = self.board.run(ns.div_ceil(CYCLE_NS).into()) {
            self.failure.get_or_insert(failure);
        }
    }
}
