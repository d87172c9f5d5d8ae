//! A port on a line of `embedded-io` that says when it is ready: for a main loop, or an interrupt that calls
//! it.

use crate::port::{Port, Tick};
use embedded_io::{Read, ReadReady, Write, WriteReady};

/// Bytes that are read at a time.
const CHUNK: usize = 32;
/// Reads and writes of one step, so that a step ends however fast the line is.
const TURNS: usize = 8;

/// A port with its line.
#[derive(Debug)]
pub struct Wire<T, const V: usize, const N: usize, const W: usize, const M: usize> {
    port: Port<V, N, W, M>,
    line: T,
    /// The frame under way, of which the bytes from `sent` to `length` have yet to be written.
    frame: [u8; M],
    sent: usize,
    length: usize,
}

impl<T, const V: usize, const N: usize, const W: usize, const M: usize> Wire<T, V, N, W, M>
where
    T: Read + ReadReady + Write + WriteReady,
{
    /// A port on a line.
    pub const fn new(port: Port<V, N, W, M>, line: T) -> Self {
        Self { port, line, frame: [0; M], sent: 0, length: 0 }
    }

    /// The port.
    pub const fn port(&self) -> &Port<V, N, W, M> {
        &self.port
    }

    /// The port, for its flits.
    pub const fn port_mut(&mut self) -> &mut Port<V, N, W, M> {
        &mut self.port
    }

    /// Reads what is there, says what time it is, and writes what the line takes. Never waits.
    ///
    /// # Errors
    /// When the line fails. The port stays as it is; the owner may go on with the next step.
    pub fn step(&mut self, now: Tick) -> Result<(), T::Error> {
        self.read()?;
        self.port.step(now);
        self.write()
    }

    fn read(&mut self) -> Result<(), T::Error> {
        let mut bytes = [0; CHUNK];
        for _ in 0..TURNS {
            if !self.line.read_ready()? {
                break;
            }
            let length = self.line.read(&mut bytes)?;
            self.port.handle(bytes.get(..length).unwrap_or_default());
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), T::Error> {
        for _ in 0..TURNS {
            if self.sent >= self.length {
                self.length = self.port.poll_transmit(&mut self.frame);
                self.sent = 0;
            }
            let rest = self.frame.get(self.sent..self.length).unwrap_or_default();
            if rest.is_empty() || !self.line.write_ready()? {
                break;
            }
            self.sent = self.sent.saturating_add(self.line.write(rest)?);
        }
        Ok(())
    }
}
