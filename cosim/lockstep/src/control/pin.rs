//! The reset line as an output pin.

use super::{Board, BoardError, Neighbours};
use embedded_hal::digital::{ErrorType, OutputPin};

/// The input `rst` of a verilated switch.
#[derive(Debug)]
pub struct ResetPin<N> {
    board: Board<N>,
}

impl<N> ResetPin<N> {
    pub(super) fn new(board: Board<N>) -> Self {
        Self { board }
    }
}

impl<N> ErrorType for ResetPin<N> {
    type Error = BoardError;
}

impl<N: Neighbours> OutputPin for ResetPin<N> {
    fn set_low(&mut self) -> Result<(), BoardError> {
        self.board.set_reset(false);
        Ok(())
    }

    /// The clock goes on: the switch has seen it when this returns.
    fn set_high(&mut self) -> Result<(), BoardError> {
        self.board.set_reset(true);
        self.board.run(1)
    }
}
