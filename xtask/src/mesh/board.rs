//! A board: an emulator, and the line over which it tells what happens.

use super::cable::socket;
use super::shape::Mesh;
use crate::firmware::emulated;
use crate::step::Failure;
use desvio_tile::{Order, Record};
use std::io::{self, BufReader, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use tether::bytes::Reader;
use tether::frame::{self, FrameError, Stream};

/// How long an emulator may take to start.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long bytes gather before they are read.
const GATHER: Duration = Duration::from_millis(2);
/// The number of the control line, behind those of the ports.
const CONTROL: u8 = 5;

/// What a board says, and of which life it is.
#[derive(Debug)]
pub(super) struct News {
    pub(super) board: u8,
    pub(super) life: u8,
    /// Nothing: the board is gone, and this is the last of it.
    pub(super) record: Option<Record>,
}

/// A place for a board.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) order: Order,
    listener: UnixListener,
    folder: PathBuf,
    child: Option<Child>,
}

/// The control line, as the host sees it.
struct Line(BufReader<UnixStream>);

impl Stream for Line {
    type Error = io::Error;

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // The board sends byte by byte: many at a time are read with less effort.
        if self.0.buffer().is_empty() {
            sleep(GATHER);
        }
        match self.0.read(bytes)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.get_mut().write_all(bytes)
    }
}

impl Board {
    /// A place where no board runs yet.
    pub(super) fn new(order: Order, folder: &Path) -> Result<Self, Failure> {
        let path = socket(folder, order.board, CONTROL);
        let listener = UnixListener::bind(&path).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        let listener = listener.map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        Ok(Self { order, listener, folder: folder.to_owned(), child: None })
    }

    /// Starts the board, and gives it its order. What it says comes out of `to`.
    pub(super) fn start(&mut self, to: &Sender<News>) -> Result<(), Failure> {
        let number = self.order.board;
        let failed = |error: io::Error| Failure::new(format!("board {number}: {error}"));
        let child = self.command().spawn().map_err(|error| Failure::new(format!("QEMU: {error}")))?;
        let child = self.child.insert(child);
        let begin = Instant::now();
        let stream = loop {
            match self.listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(failed(error)),
                Err(_) => {}
            }
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Err(Failure::new(format!("board {number}: the emulator ended ({status})")));
            }
            if begin.elapsed() > PATIENCE {
                return Err(Failure::new(format!("board {number}: the emulator does not start")));
            }
            sleep(Duration::from_millis(5));
        };
        stream.set_nonblocking(false).map_err(failed)?;
        let mut line = Line(BufReader::new(stream));
        let order = self.order;
        let failed = |what: &str| Failure::new(format!("board {number} {what}"));
        // What is sent before the board asks for it, it may miss.
        let mut buffer = [0; 64];
        if take_in(&mut line, &mut buffer) != Some(Record::Booted) {
            return Err(failed("does not boot"));
        }
        frame::send(&mut line, &mut buffer, |writer| order.write(writer))
            .map_err(|_| failed("is gone before it has its order"))?;
        if take_in(&mut line, &mut buffer) != Some(Record::Started { life: order.life }) {
            return Err(failed("does not take its order"));
        }
        let to = to.clone();
        thread::spawn(move || listen(&mut line, number, order.life, &to));
        Ok(())
    }

    fn command(&self) -> Command {
        let Order { columns, rows, board, .. } = self.order;
        let mesh = Mesh { columns, rows };
        let mut command = emulated("tile");
        for port in 1..=CONTROL {
            if port == CONTROL || mesh.neighbour(board, port).is_some() {
                let path = socket(&self.folder, board, port);
                let socket = format!("socket,id=line{port},mux=on,path={}", path.display());
                command.args(["-chardev", &socket]);
                command.args(["-serial", &format!("chardev:line{port}")]);
            } else {
                command.args(["-serial", "null"]);
            }
        }
        // A multiplexer keeps some bytes for the board, which spares the emulator a turn for each of them. No byte is its escape.
        command.args(["-echr", "0x100"]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// Takes its power away.
    pub(super) fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Whether it runs, and is not supposed to have ended.
    pub(super) fn has_crashed(&mut self) -> bool {
        self.child.as_mut().is_some_and(|child| !matches!(child.try_wait(), Ok(None)))
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Waits for a record.
fn take_in(line: &mut Line, buffer: &mut [u8]) -> Option<Record> {
    frame::receive(line, buffer).ok().and_then(|payload| Record::read(&mut Reader::new(payload)))
}

/// Hands on records until the line is gone.
fn listen(line: &mut Line, board: u8, life: u8, to: &Sender<News>) {
    let mut buffer = [0; 256];
    loop {
        let record = match frame::receive(line, &mut buffer) {
            Ok(payload) => Record::read(&mut Reader::new(payload)),
            Err(FrameError::Line(_)) => None,
            // A record that is missing is noticed as a packet that is.
            Err(FrameError::Broken) => continue,
        };
        let is_last = record.is_none();
        if to.send(News { board, life, record }).is_err() || is_last {
            return;
        }
    }
}
