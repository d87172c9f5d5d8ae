//! An emulated board with UARTs, from the host.

use desvio_lockstep::mcu::Emulated;
use embedded_hal::delay::DelayNs;
use embedded_io::{ErrorKind, ErrorType, Read, ReadReady, Write};
use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long the emulator may take to start, or be silent.
const PATIENCE: Duration = Duration::from_secs(60);

/// A UART of the board.
pub(super) struct Uart {
    stream: UnixStream,
    pub(super) came: VecDeque<u8>,
}

impl Uart {
    fn accept(listener: &UnixListener) -> io::Result<Self> {
        let begin = Instant::now();
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(true)?;
                    return Ok(Self { stream, came: VecDeque::new() });
                }
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                Err(_) if begin.elapsed() > PATIENCE => return Err(io::ErrorKind::TimedOut.into()),
                Err(_) => sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Takes what has come.
    pub(super) fn look(&mut self) -> io::Result<()> {
        let mut bytes = [0; 256];
        match self.stream.read(&mut bytes) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                self.came.extend(&bytes[..length]);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Waits for a byte.
    pub(super) fn next(&mut self) -> u8 {
        let begin = Instant::now();
        loop {
            if let Some(byte) = self.came.pop_front() {
                return byte;
            }
            self.look().unwrap();
            assert!(begin.elapsed() < PATIENCE, "the board is silent");
            if self.came.is_empty() {
                sleep(Duration::from_millis(1));
            }
        }
    }
}

impl ErrorType for Uart {
    type Error = ErrorKind;
}
impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, ErrorKind> {
        self.look().map_err(|_| ErrorKind::Other)?;
        Ok(!self.came.is_empty())
    }
}
impl Read for Uart {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ErrorKind> {
        Ok(bytes.iter_mut().map_while(|place| self.came.pop_front().map(|byte| *place = byte)).count())
    }
}
impl Write for Uart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        self.stream.write(bytes).map_err(|_| ErrorKind::Other)
    }
    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

/// Time of the host.
pub(super) struct Sleeps;
impl DelayNs for Sleeps {
    fn delay_ns(&mut self, nanoseconds: u32) {
        sleep(Duration::from_nanos(nanoseconds.into()));
    }
}

/// An emulator that ends with the test.
struct Emulator(Child);
impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A board that runs, and some of its UARTs.
pub(super) struct Emulation<const N: usize> {
    pub(super) lines: [Uart; N],
    _emulator: Emulator,
}

impl<const N: usize> Emulation<N> {
    /// Starts it, with these of its five UARTs joined to the host, and these options of the emulator.
    pub(super) fn start(binary: &Path, joined: [usize; N], options: &[&str]) -> Self {
        let sockets = tempfile::tempdir().unwrap();
        let path = |line: usize| sockets.path().join(line.to_string());
        let listeners = joined.map(|line| {
            let listener = UnixListener::bind(path(line)).unwrap();
            listener.set_nonblocking(true).unwrap();
            listener
        });
        let serial = |line: usize| {
            if joined.contains(&line) { format!("unix:{}", path(line).display()) } else { "null".to_owned() }
        };
        let mut command = Emulated::CortexM4F.with_lines(binary, &[0, 1, 2, 3, 4].map(serial));
        command.args(options).stdin(Stdio::null()).stdout(Stdio::null());
        let _emulator = Emulator(command.spawn().unwrap());
        Self { lines: listeners.map(|listener| Uart::accept(&listener).unwrap()), _emulator }
    }
}
