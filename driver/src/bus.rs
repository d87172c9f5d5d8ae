//! One register at a time, over a bus that may fail.

use super::{SpiDevice, face};
use crate::error::BusError;
use crate::frame::{Request, answer};
use crate::register::{Indexed, Single, Staged, Writable};
use crate::registers::Answer;

/// How often a frame is sent unless [`Bus::set_attempts`] changes it.
const ATTEMPTS: u8 = 8;

/// The serial register port of a switch.
///
/// To repeat a frame is harmless: no register counts its reads, a write has an absolute value, and a commit has a number. So every
/// frame that is damaged, in either direction, is sent again.
#[derive(Debug)]
pub struct Bus<SPI> {
    spi: SPI,
    attempts: u8,
    repeated: u32,
}

#[face]
impl<SPI: SpiDevice> Bus<SPI> {
    /// Over this SPI: mode 0, `sck` at most an eighth of the switch's clock.
    pub fn new(spi: SPI) -> Self {
        Self { spi, attempts: ATTEMPTS, repeated: 0 }
    }

    /// How often a frame is sent at most, the first time included; 0 counts as 1.
    pub fn set_attempts(&mut self, attempts: u8) {
        self.attempts = attempts.max(1);
    }

    /// How many frames were sent again since the beginning: a measure of the bus.
    pub fn repeated(&self) -> u32 {
        self.repeated
    }

    /// The SPI itself.
    pub fn spi(&mut self) -> &mut SPI {
        &mut self.spi
    }

    /// Gives the SPI back.
    pub fn release(self) -> SPI {
        self.spi
    }

    /// Reads a register; of a staged one, what is staged.
    ///
    /// # Errors
    /// When no frame comes through.
    pub async fn read<R: Single>(&mut self) -> Result<R, BusError<SPI::Error>> {
        self.get(R::ADDRESS).await.map(R::from_bits)
    }

    /// Reads one of several registers.
    ///
    /// # Errors
    /// When there is none of this number, or no frame comes through.
    pub async fn read_at<R: Indexed>(&mut self, index: u16) -> Result<R, BusError<SPI::Error>> {
        self.get(place::<R, _>(R::ADDRESS, index)?).await.map(R::from_bits)
    }

    /// Reads the copy in use of a staged register.
    ///
    /// # Errors
    /// When no frame comes through.
    pub async fn in_use<R: Single + Staged>(&mut self) -> Result<R, BusError<SPI::Error>> {
        self.get(R::IN_USE).await.map(R::from_bits)
    }

    /// Reads the copy in use of one of several staged registers.
    ///
    /// # Errors
    /// When there is none of this number, or no frame comes through.
    pub async fn in_use_at<R: Indexed + Staged>(&mut self, index: u16) -> Result<R, BusError<SPI::Error>> {
        self.get(place::<R, _>(R::IN_USE, index)?).await.map(R::from_bits)
    }

    /// Writes a register, and checks the value that the switch returns.
    ///
    /// # Errors
    /// When it does not hold what was written, or no frame comes through.
    pub async fn write<R: Single + Writable>(&mut self, value: R) -> Result<(), BusError<SPI::Error>> {
        self.put(R::ADDRESS, value.bits()).await
    }

    /// Writes one of several registers, and checks the value that the switch returns.
    ///
    /// # Errors
    /// When there is none of this number, it does not hold what was written, or no frame comes through.
    pub async fn write_at<R: Indexed + Writable>(
        &mut self,
        index: u16,
        value: R,
    ) -> Result<(), BusError<SPI::Error>> {
        self.put(place::<R, _>(R::ADDRESS, index)?, value.bits()).await
    }

    /// Reads whatever is at an address, for tools that go through all registers.
    ///
    /// # Errors
    /// When nothing is there, or no frame comes through.
    pub async fn get(&mut self, address: u16) -> Result<u32, BusError<SPI::Error>> {
        self.exchange(Request { address, write: None }).await
    }

    /// Writes to an address, for tools that go through all registers.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub async fn put(&mut self, address: u16, written: u32) -> Result<(), BusError<SPI::Error>> {
        let held = self.exchange(Request { address, write: Some(written) }).await?;
        if held == written { Ok(()) } else { Err(BusError::NotHeld { address, written, held }) }
    }

    async fn exchange(&mut self, request: Request) -> Result<u32, BusError<SPI::Error>> {
        let mut failure = BusError::Corrupt { attempts: self.attempts };
        for attempt in 0..self.attempts {
            self.repeated = self.repeated.wrapping_add(u32::from(attempt > 0));
            let mut frame = request.frame();
            failure = match self.spi.transfer_in_place(&mut frame).await {
                Err(error) => BusError::Spi(error),
                Ok(()) => match answer(&frame) {
                    Some((Answer::Ok, data)) => return Ok(data),
                    None | Some((Answer::Corrupt, _)) => BusError::Corrupt { attempts: self.attempts },
                    Some((answer, _)) => {
                        return Err(BusError::Refused { address: request.address, answer });
                    }
                },
            };
        }
        Err(failure)
    }
}

/// The address of one of several registers.
fn place<R: Indexed, S>(first: u16, index: u16) -> Result<u16, BusError<S>> {
    if index < R::COUNT {
        Ok(first.wrapping_add(index))
    } else {
        Err(BusError::Refused { address: first, answer: Answer::NoSuchRegister })
    }
}
