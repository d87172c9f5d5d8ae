//! Bytes to and from the host, by semihosting: a debugger carries them as well as an emulator does.

use core::fmt;
use semihosting::io::{Read, Stdin, Stdout, Write};
use tether::frame::Stream;

/// The console.
#[derive(Debug)]
pub struct Console {
    input: Stdin,
    output: Stdout,
}

/// The host does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoHost;

impl Console {
    /// The console.
    ///
    /// # Errors
    /// When there is no host.
    pub fn open() -> Result<Self, NoHost> {
        let input = semihosting::io::stdin().map_err(|_| NoHost)?;
        let output = semihosting::io::stdout().map_err(|_| NoHost)?;
        Ok(Self { input, output })
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// When the host does not take them.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), NoHost> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let written = self.output.write(rest).map_err(|_| NoHost)?;
            rest = rest.get(written..).filter(|_| written > 0).ok_or(NoHost)?;
        }
        Ok(())
    }

    /// Waits for at least one byte; returns how many came.
    ///
    /// # Errors
    /// When the host has closed the line.
    pub fn read(&mut self, bytes: &mut [u8]) -> Result<usize, NoHost> {
        match self.input.read(bytes) {
            Ok(read) if read > 0 => Ok(read),
            _ => Err(NoHost),
        }
    }
}

impl Stream for Console {
    type Error = NoHost;

    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, NoHost> {
        Self::read(self, bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), NoHost> {
        Self::write(self, bytes)
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text.as_bytes()).map_err(|NoHost| fmt::Error)
    }
}
