//! The register port over a serial line, such as a UART: for switches that have no SPI, as the firmware of a board.
//!
//! A request goes over the line as its nine bytes, an answer as its seven. Nothing marks where a request begins: the receiver looks for nine
//! bytes whose command and checksum are right. It finds the next request behind lost or damaged bytes, and answers no
//! damaged one. The driver then sends that again. Of random bytes one in 8 million passes for a request.

use crate::checksum::Checksum;
use crate::frame::BYTES;
use crate::registers::{READ, WRITE};
use core::fmt;
use embedded_hal::delay::DelayNs;
use embedded_hal::spi::{self, ErrorKind, Operation, SpiDevice};
use embedded_io::{Read, ReadReady, Write};

/// Bytes of a request.
const REQUEST: usize = 9;
/// Where the answer begins in a frame, and its bytes.
const ANSWER: usize = 10;
const ANSWER_BYTES: usize = BYTES - ANSWER;

/// Between two looks at the line, in microseconds.
const POLL_US: u32 = 20;

/// A serial line as the driver's bus: each transfer in place is a request, and then its answer.
#[derive(Debug)]
pub struct SerialBus<T, D> {
    line: T,
    delay: D,
    patience: u32,
}

/// A serial line failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineError<E>(pub E);

impl<E: fmt::Debug> fmt::Display for LineError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the serial line failed: {:?}", self.0)
    }
}

impl<E: fmt::Debug> spi::Error for LineError<E> {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl<T: Read + ReadReady + Write, D: DelayNs> SerialBus<T, D> {
    /// Over this line. An answer that has not come within `patience` microseconds is taken for lost: the bus sends the request again.
    pub const fn new(line: T, delay: D, patience: u32) -> Self {
        Self { line, delay, patience }
    }

    /// Gives back the line and the delay.
    pub fn release(self) -> (T, D) {
        (self.line, self.delay)
    }

    fn exchange(&mut self, frame: &mut [u8]) -> Result<(), T::Error> {
        let Some((request, rest)) = frame.split_first_chunk_mut::<REQUEST>() else { return Ok(()) };
        rest.fill(0);
        // What came late of an earlier answer.
        let mut late = [0; ANSWER_BYTES];
        while self.line.read_ready()? {
            if self.line.read(&mut late)? == 0 {
                break;
            }
        }
        send(&mut self.line, request)?;
        let mut place = rest.get_mut(ANSWER.wrapping_sub(REQUEST)..).unwrap_or_default();
        let mut waited = 0u32;
        while !place.is_empty() {
            if self.line.read_ready()? {
                let came = self.line.read(place)?;
                place = place.get_mut(came..).unwrap_or_default();
            } else if waited >= self.patience {
                break;
            } else {
                self.delay.delay_us(POLL_US);
                waited = waited.saturating_add(POLL_US);
            }
        }
        Ok(())
    }
}

impl<T: Read + ReadReady + Write, D> spi::ErrorType for SerialBus<T, D> {
    type Error = LineError<T::Error>;
}

impl<T: Read + ReadReady + Write, D: DelayNs> SpiDevice for SerialBus<T, D> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Self::Error> {
        for operation in operations {
            if let Operation::TransferInPlace(frame) = operation {
                self.exchange(frame).map_err(LineError)?;
            }
        }
        Ok(())
    }
}

/// The requests among the bytes that a serial line brings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Requests {
    last: [u8; REQUEST],
    came: usize,
}

impl Requests {
    /// None so far.
    #[must_use]
    pub const fn new() -> Self {
        Self { last: [0; REQUEST], came: 0 }
    }

    /// Answers the requests among the bytes that have come over a line, each by `follow`, which writes the answer into its frame, as a
    /// [`RegisterFile`](crate::file::RegisterFile) does. Says whether there was one.
    ///
    /// # Errors
    /// When the line fails.
    pub fn serve<T: Read + ReadReady + Write>(
        &mut self,
        line: &mut T,
        mut follow: impl FnMut(&mut [u8]),
    ) -> Result<bool, T::Error> {
        let mut served = false;
        let mut byte = [0];
        while line.read_ready()? && line.read(&mut byte)? > 0 {
            let [byte] = byte;
            if let Some(mut frame) = self.take(byte) {
                follow(&mut frame);
                send(line, frame.get(ANSWER..).unwrap_or_default())?;
                served = true;
            }
        }
        Ok(served)
    }

    /// A byte has come: the frame of a request, if it is the last one of such.
    fn take(&mut self, byte: u8) -> Option<[u8; BYTES]> {
        self.last.rotate_left(1);
        if let Some(place) = self.last.last_mut() {
            *place = byte;
        }
        self.came = self.came.saturating_add(1);
        let [command, a, b, c, d, e, f, first, second] = self.last;
        if self.came < REQUEST || (command != READ && command != WRITE) {
            return None;
        }
        let sum = Checksum::new().with_bytes(&[command, a, b, c, d, e, f]).value();
        if sum != u16::from_be_bytes([first, second]) {
            return None;
        }
        self.came = 0;
        Some([command, a, b, c, d, e, f, first, second, 0, 0, 0, 0, 0, 0, 0, 0])
    }
}

/// Sends all bytes. (`write_all` of `embedded-io` can panic.)
fn send<T: Write>(line: &mut T, bytes: &[u8]) -> Result<(), T::Error> {
    let mut left = bytes;
    while !left.is_empty() {
        let written = line.write(left)?;
        left = left.get(written.max(1)..).unwrap_or_default();
    }
    line.flush()
}

#[cfg(test)]
#[path = "serial/tests.rs"]
mod tests;
