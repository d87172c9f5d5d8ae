//! A switch whose agent is firmware, behind a line.

use crate::managed::Managed;
use desvio_sma::{Handled, Identity, Packet, Via};
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tether::agent::{self, DONE, END, FRAME, IDENTITY, LINK, MANAGER, PACKET, RETRAINED};
use tether::bytes::{Reader, Writer};
use tether::frame::{self, FrameError, Stream};

/// The host's end of the line.
#[derive(Debug)]
struct Line {
    to: ChildStdin,
    from: ChildStdout,
}

impl Stream for Line {
    type Error = io::Error;

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.from.read(bytes)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(bytes)?;
        self.to.flush()
    }
}

/// The agent of a switch on a microcontroller: the firmware's binary `agent`, under an emulator or on a board.
#[derive(Debug)]
pub struct Board {
    program: Child,
    line: Line,
    buffer: [u8; FRAME],
}

impl Board {
    /// Starts a program whose standard input and output lead to the firmware, and tells it what it is.
    ///
    /// # Errors
    /// When the program does not start, or something else answers.
    pub fn start(mut program: Command, identity: &Identity) -> io::Result<Self> {
        let mut program = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(to), Some(from)) = (program.stdin.take(), program.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut board = Self { program, line: Line { to, from }, buffer: [0; FRAME] };
        board.tell(|to| {
            to.u8(IDENTITY);
            agent::write_identity(to, identity);
        })?;
        Ok(board)
    }

    /// Sends a request; waits for the answer.
    fn ask(&mut self, request: impl FnOnce(&mut Writer<'_>)) -> io::Result<&[u8]> {
        let told = |error| match error {
            FrameError::Line(error) => error,
            FrameError::Broken => broken(),
        };
        frame::send(&mut self.line, &mut self.buffer, request).map_err(told)?;
        frame::receive(&mut self.line, &mut self.buffer).map_err(told)
    }

    fn tell(&mut self, request: impl FnOnce(&mut Writer<'_>)) -> io::Result<()> {
        if self.ask(request)? == [DONE] { Ok(()) } else { Err(broken()) }
    }
}

impl Managed for Board {
    fn handle(&mut self, packet: &mut Packet, via: Via) -> io::Result<Handled> {
        let answer = self.ask(|to| {
            to.u8(PACKET);
            agent::write_via(to, via);
            agent::write_packet(to, packet);
        })?;
        let mut reader = Reader::new(answer);
        let mut read = || {
            let is_packet = reader.u8()? == PACKET;
            let handled = agent::read_handled(&mut reader)?;
            Ok::<_, tether::bytes::TooShort>((is_packet, handled, agent::read_packet(&mut reader)?))
        };
        let (is_packet, handled, became) = read().map_err(|_| broken())?;
        *packet = became;
        if is_packet { Ok(handled) } else { Err(broken()) }
    }

    fn handle_link(&mut self, port: u8, is_up: bool) -> io::Result<()> {
        self.tell(|to| to.bytes(&[LINK, port, is_up.into()]))
    }

    fn handle_retraining(&mut self, port: u8, own: bool) -> io::Result<()> {
        self.tell(|to| to.bytes(&[RETRAINED, port, own.into()]))
    }

    fn set_manager(&mut self, runs: bool) -> io::Result<()> {
        self.tell(|to| to.bytes(&[MANAGER, runs.into()]))
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = frame::send(&mut self.line, &mut self.buffer, |to| to.u8(END));
        let _ = self.program.wait();
    }
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the firmware answers something else, or bytes were lost")
}
