//! A bus that breaks things, around any SPI device.

use embedded_hal::spi::{ErrorKind, ErrorType, Operation, SpiDevice};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;

/// Bytes of a frame up to the end of the request.
const REQUEST: usize = 9;

/// Flips bits in both directions, ends frames early, fails, or sends a few bits without a request.
pub(crate) struct Flaky<S> {
    spi: S,
    chance: Xoshiro256PlusPlus,
    /// Frames that are damaged, of 1000.
    per_mille: u64,
    /// Frames that come through before the first is damaged.
    quiet: usize,
    /// Frames that were.
    pub(crate) damaged: u64,
    /// Requests that arrived with flipped bits, and frames that ended within the request: what the switch should count.
    pub(crate) corrupt: u32,
    pub(crate) short: u32,
}

/// The bus says that it failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FlakyError<E> {
    /// It says so, and that is all.
    Broken,
    /// What is behind it.
    Inner(E),
}

impl<E: fmt::Debug> embedded_hal::spi::Error for FlakyError<E> {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl<S> Flaky<S> {
    pub(crate) fn new(spi: S, seed: u64, per_mille: u64, quiet: usize) -> Self {
        Self {
            spi,
            chance: Xoshiro256PlusPlus::seed_from_u64(seed),
            per_mille,
            quiet,
            damaged: 0,
            corrupt: 0,
            short: 0,
        }
    }

    fn below(&mut self, n: usize) -> usize {
        (self.chance.next_u64() % n as u64) as usize
    }

    /// Few flipped bits most of the time, now and then a great many.
    fn flip(&mut self, bytes: &mut [u8]) {
        let most = [1, 2, 5, 40][self.below(4)];
        for _ in 0..=self.below(most) {
            let bit = self.below(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

impl<S: ErrorType> ErrorType for Flaky<S> {
    type Error = FlakyError<S::Error>;
}

impl<S: SpiDevice> Flaky<S> {
    fn transfer(&mut self, bytes: &mut [u8]) -> Result<(), FlakyError<S::Error>> {
        if self.quiet > 0 || self.chance.next_u64() % 1000 >= self.per_mille {
            self.quiet = self.quiet.saturating_sub(1);
            return self.spi.transfer_in_place(bytes).map_err(FlakyError::Inner);
        }
        self.damaged += 1;
        match self.below(6) {
            0 | 1 => {
                let request = bytes[..REQUEST].to_vec();
                self.flip(bytes);
                self.corrupt += u32::from(bytes[..REQUEST] != request);
                self.spi.transfer_in_place(bytes).map_err(FlakyError::Inner)
            }
            2 | 3 => {
                self.spi.transfer_in_place(bytes).map_err(FlakyError::Inner)?;
                self.flip(bytes);
                Ok(())
            }
            4 => {
                // The frame ends early, at any byte; the rest of the answer is never read, and no error is reported.
                let end = self.below(bytes.len());
                self.short += u32::from((1..REQUEST).contains(&end));
                let (sent, unsent) = bytes.split_at_mut(end);
                unsent.fill([0x00, 0xff][self.below(2)]);
                self.spi.transfer_in_place(sent).map_err(FlakyError::Inner)
            }
            _ => {
                // The same, and the bus says so: the switch may have understood all the same.
                let end = self.below(bytes.len() + 1);
                self.short += u32::from((1..REQUEST).contains(&end));
                self.spi.transfer_in_place(&mut bytes[..end]).map_err(FlakyError::Inner)?;
                Err(FlakyError::Broken)
            }
        }
    }
}

impl<S: SpiDevice> SpiDevice for Flaky<S> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Self::Error> {
        match operations {
            [Operation::TransferInPlace(bytes)] => self.transfer(bytes),
            _ => panic!("the driver sends and receives at once"),
        }
    }
}
