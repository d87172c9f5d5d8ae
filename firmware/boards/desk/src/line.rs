//! A line to a neighbour: a ring of bytes for each direction, and what carries them from and to a UART.

use core::convert::Infallible;
use embassy_futures::join::join;
use embassy_futures::yield_now;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;
use embassy_sync::signal::Signal;
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};

/// Bytes that came and that the switch has not read, at most.
const CAME: usize = 1024;
/// Bytes that the UART has not taken, at most: two frames, so that the switch decides late what it sends.
const LEAVING: usize = 128;
/// Bytes of one transfer.
const CHUNK: usize = 64;

/// Bytes have come.
static NEWS: Signal<CriticalSectionRawMutex, ()> = Signal::new();

/// Waits until bytes have come by any line.
pub(crate) async fn news() {
    NEWS.wait().await;
}

/// A line.
pub struct Line {
    came: Pipe<CriticalSectionRawMutex, CAME>,
    leaving: Pipe<CriticalSectionRawMutex, LEAVING>,
}

impl Line {
    /// A line with nothing on it.
    pub const fn new() -> Self {
        Self { came: Pipe::new(), leaving: Pipe::new() }
    }

    /// The end at the switch.
    pub const fn end(&'static self) -> End {
        End(Some(self))
    }

    /// Carries bytes from and to the two halves of a UART, for ever.
    pub async fn carry(&self, from: impl embedded_io_async::Read, to: impl embedded_io_async::Write) {
        join(self.bring(from), self.send(to)).await;
    }

    async fn bring(&self, mut uart: impl embedded_io_async::Read) {
        let mut bytes = [0; CHUNK];
        loop {
            // What a UART reports, noise or bytes that it had no room for, is a broken frame to the link, which mends it.
            let Ok(length) = uart.read(&mut bytes).await else {
                yield_now().await;
                continue;
            };
            let mut rest = bytes.get(..length).unwrap_or_default();
            while !rest.is_empty() {
                // Where there is no room, bytes wait in the UART's own ring as long as that has some.
                let taken = self.came.write(rest).await;
                rest = rest.get(taken..).unwrap_or_default();
                NEWS.signal(());
            }
        }
    }

    async fn send(&self, mut uart: impl embedded_io_async::Write) {
        let mut bytes = [0; CHUNK];
        loop {
            let length = self.leaving.read(&mut bytes).await;
            // As above: what does not leave is a broken frame at the neighbour.
            let _ = uart.write_all(bytes.get(..length).unwrap_or_default()).await;
        }
    }
}

/// The end of a line at the switch, or none.
pub struct End(Option<&'static Line>);

impl End {
    /// Where a board has no UART.
    pub const NONE: Self = Self(None);
}

impl ErrorType for End {
    type Error = Infallible;
}

impl ReadReady for End {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.is_some_and(|line| !line.came.is_empty()))
    }
}

impl Read for End {
    /// Takes what has come, without waiting.
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        Ok(self.0.and_then(|line| line.came.try_read(bytes).ok()).unwrap_or_default())
    }
}

impl WriteReady for End {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.is_some_and(|line| !line.leaving.is_full()))
    }
}

impl Write for End {
    /// Hands over as much as there is room for, without waiting.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Ok(self.0.and_then(|line| line.leaving.try_write(bytes).ok()).unwrap_or_default())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
