//! Time that passes.

use super::spi::CYCLE_NS;
use super::{Board, Neighbours};
use embedded_hal::delay::DelayNs;

/// The clock of a verilated switch as a delay: at 100 MHz, rounded up.
#[derive(Debug)]
pub struct Delay<N> {
    board: Board<N>,
}

impl<N> Delay<N> {
    pub(super) fn new(board: Board<N>) -> Self {
        Self { board }
    }
}

impl<N: Neighbours> DelayNs for Delay<N> {
    fn delay_ns(&mut self, ns: u32) {
        // A delay cannot fail: the pin or the frame that comes next does.
        let _ = self.board.run(ns.div_ceil(CYCLE_NS).into());
    }
}
