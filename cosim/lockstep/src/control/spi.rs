//! The serial register port as an SPI device.

use super::{Board, BoardError, Neighbours};
use embedded_hal::spi::{ErrorType, Operation, SpiDevice};

/// Nanoseconds of a cycle of the switch's clock: 100 MHz.
pub(super) const CYCLE_NS: u32 = 10;

/// SPI mode 0, the most significant bit first, on the pins of a verilated switch.
#[derive(Debug)]
pub struct Spi<N> {
    board: Board<N>,
    half_period: u32,
}

impl<N: Neighbours> Spi<N> {
    pub(super) fn new(board: Board<N>, half_period: u32) -> Self {
        Self { board, half_period: half_period.max(4) }
    }

    fn wait(&self) -> Result<(), BoardError> {
        self.board.run(self.half_period.into())
    }

    /// One byte in each direction.
    fn byte(&self, out: u8) -> Result<u8, BoardError> {
        let mut found = 0;
        for bit in (0..u8::BITS).rev() {
            self.board.set_sck(false);
            self.board.set_mosi(out >> bit & 1 == 1);
            self.wait()?;
            found = found << 1 | u8::from(self.board.miso());
            self.board.set_sck(true);
            self.wait()?;
        }
        self.board.set_sck(false);
        Ok(found)
    }

    fn operate(&self, operation: &mut Operation<'_, u8>) -> Result<(), BoardError> {
        match operation {
            Operation::Read(bytes) => {
                bytes.iter_mut().try_for_each(|byte| self.byte(0).map(|found| *byte = found))
            }
            Operation::Write(bytes) => bytes.iter().try_for_each(|&byte| self.byte(byte).map(drop)),
            Operation::TransferInPlace(bytes) => {
                bytes.iter_mut().try_for_each(|byte| self.byte(*byte).map(|found| *byte = found))
            }
            Operation::Transfer(found, bytes) => (0..found.len().max(bytes.len())).try_for_each(|at| {
                let byte = self.byte(bytes.get(at).copied().unwrap_or(0))?;
                if let Some(place) = found.get_mut(at) {
                    *place = byte;
                }
                Ok(())
            }),
            Operation::DelayNs(ns) => self.board.run(ns.div_ceil(CYCLE_NS).into()),
        }
    }
}

impl<N> ErrorType for Spi<N> {
    type Error = BoardError;
}

impl<N: Neighbours> SpiDevice for Spi<N> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), BoardError> {
        self.board.set_sck(false);
        self.board.set_cs_n(false);
        let done = self
            .wait()
            .and_then(|()| operations.iter_mut().try_for_each(|operation| self.operate(operation)));
        // Whatever happened, the frame ends.
        let waited = self.wait();
        self.board.set_cs_n(true);
        done.and(waited).and(self.wait())
    }
}
