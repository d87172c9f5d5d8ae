//! A microcontroller as a twin: the same `router-core`, compiled for another machine, behind a stream of bytes.
//!
//! The other end is the firmware's binary `lockstep`, under an emulator or on a board; `tether` says what is sent.

mod emulated;
mod setup;

pub use emulated::Emulated;
pub use setup::{McuError, setup, setup_by_table};
pub use tether::setup::Setup;

use super::frame::Frame;
use super::payload::Payloads;
use super::settings::Settings;
use super::twin::Twin;
use crate::rtl::{Field, Probe, Probes};
use crate::shape::Shape;
use router_core::pins::{Bundle, FlitSignal, PortInputs};
use router_core::units::VcId;
use setup::PORTS;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tether::bytes::{Reader, Writer};
use tether::digest::Digest;
use tether::frame::{self, FrameError, Stream};
use tether::message::{self, CYCLES, END, READY, REFUSED, REGISTERS, RESET, Refusal, SETUP};
use tether::wires;
use verilated::{Failure, FailureKind};

/// The host's end of a line.
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

/// What a microcontroller made of one cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// What it drove.
    pub outputs: Frame,
    /// A digest of that and of all registers after it.
    pub digest: u32,
}

/// A router on a microcontroller.
#[derive(Debug)]
pub struct McuTwin {
    program: Child,
    line: Line,
    /// Its router as the scenario has it, and the settings that it has now.
    setup: Setup,
    settings: Settings,
    ports: usize,
    /// Most bytes of a payload.
    bytes: usize,
    payloads: Payloads,
    /// The registers, and where each is in the words.
    words: Vec<u64>,
    fields: Vec<Field>,
    buffer: Vec<u8>,
}

impl McuTwin {
    /// Starts a program whose standard input and output lead to the firmware's binary `lockstep` (an emulator, a
    /// debugger, a terminal), and describes a router to it.
    ///
    /// # Errors
    /// When the program does not start, or the firmware has no room for such a router.
    pub fn start(mut program: Command, setup: &Setup, shape: &Shape) -> Result<Self, McuError> {
        let name = program.get_program().to_string_lossy().into_owned();
        let mut program = match program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(McuError::Missing(name)),
            started => started?,
        };
        let (Some(to), Some(from)) = (program.stdin.take(), program.stdout.take()) else {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
        };
        let (ports, probes) = (setup.radix(), Probes::of(shape));
        let mut twin = Self {
            program,
            line: Line { to, from },
            setup: *setup,
            settings: Settings::default(),
            ports,
            bytes: 0,
            payloads: Payloads::new(ports),
            words: vec![0; probes.mask().len()],
            fields: everywhere(&probes.list).map(|probe| probe.field).collect(),
            buffer: vec![0; 1 << 16],
        };
        twin.set_up(setup)?;
        Ok(twin)
    }

    fn set_up(&mut self, setup: &Setup) -> Result<(), McuError> {
        let reply = self.ask(|to| {
            to.u8(SETUP);
            setup.write(to);
        })?;
        match *reply {
            [READY, _, low, high] => self.bytes = usize::from(u16::from_le_bytes([low, high])),
            [REFUSED, why] if why == Refusal::LeftOut as u8 => return Err(McuError::LeftOut),
            [REFUSED, why] => return Err(McuError::Refused(why)),
            _ => return Err(broken().into()),
        }
        Ok(())
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

    /// Cycles that [`McuTwin::run`] takes at most.
    pub fn batch(&self) -> usize {
        message::batch(self.bytes, self.ports)
    }

    /// Many cycles at once, for stimuli that do not depend on what the router drives: because they are known from a model
    /// that ran ahead, say.
    ///
    /// # Errors
    /// When the line is gone.
    pub fn run<'f>(&mut self, inputs: impl IntoIterator<Item = &'f Frame>) -> io::Result<Vec<Made>> {
        let mut count = 0;
        let reply = self.ask(|to| {
            to.u8(CYCLES);
            for frame in inputs {
                wires::write(to, &to_wires(frame));
                count += 1;
            }
        })?;
        let reply = reply.to_vec();
        let [CYCLES, cycles @ ..] = &reply[..] else { return Err(broken()) };
        let mut reader = Reader::new(cycles);
        let mut made = Vec::with_capacity(count);
        for _ in 0..count {
            let driven: Bundle<PORTS> = wires::read(&mut reader).map_err(|_| broken())?;
            let mut outputs = Frame::idle(self.ports);
            self.show(&driven, &mut outputs);
            made.push(Made { outputs, digest: reader.u32().map_err(|_| broken())? });
        }
        Ok(made)
    }

    fn show(&mut self, driven: &Bundle<PORTS>, outputs: &mut Frame) {
        for (port, (signals, driven)) in outputs.ports.iter_mut().zip(driven.iter()).enumerate() {
            signals.credit = driven.credit.map(VcId::number);
            signals.flit = driven.flit.map(|FlitSignal { vc, flit }| self.payloads.wire(port, vc, &flit));
        }
    }

    fn read_registers(&mut self) -> io::Result<()> {
        let reply = self.ask(|to| to.u8(REGISTERS))?.to_vec();
        let [REGISTERS, numbers @ ..] = &reply[..] else { return Err(broken()) };
        let mut reader = Reader::new(numbers);
        for field in &self.fields {
            field.put(&mut self.words, reader.number().map_err(|_| broken())?);
        }
        if reader.is_empty() { Ok(()) } else { Err(broken()) }
    }
}

/// What the firmware would give as the digest of a cycle with these outputs, after which the registers are as in these words.
pub(crate) fn digest(outputs: &Frame, words: &[u64], probes: &[Probe]) -> u32 {
    let mut bytes = [0; wires::longest(PORTS)];
    let mut writer = Writer::new(&mut bytes);
    wires::write(&mut writer, &to_wires(outputs));
    let length = writer.length().unwrap_or_default();
    let mut digest = Digest::of(bytes.get(..length).unwrap_or_default());
    everywhere(probes).for_each(|probe| digest.add_number(probe.field.of(words)));
    digest.value()
}

/// Those that a microcontroller has, too.
pub(crate) fn everywhere(probes: &[Probe]) -> impl Iterator<Item = &Probe> {
    probes.iter().filter(|probe| probe.register.is_some())
}

/// The wires of a frame, as the firmware has them.
fn to_wires(frame: &Frame) -> Bundle<PORTS> {
    Bundle::from_fn(|port| {
        let signals = frame.ports.get(port).copied().unwrap_or_default();
        let flit = signals.flit.map(|signal| FlitSignal { vc: VcId::new(signal.vc), flit: signal.to_flit() });
        PortInputs { flit, credit: signals.credit.map(VcId::new) }
    })
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "bytes were lost, or the firmware answers something else")
}

/// A line that is gone, as the failure of a twin.
fn gone(error: &io::Error) -> Failure {
    Failure {
        kind: FailureKind::Internal,
        file: String::new(),
        line: 0,
        hierarchy: String::new(),
        message: format!("the line to the microcontroller: {error}"),
        time: 0,
        others: 0,
    }
}

impl Twin for McuTwin {
    /// It has one place, and refuses thresholds that no scenario could have.
    fn reset(&mut self, settings: &Settings) -> Result<(), Failure> {
        self.payloads.clear();
        if settings.router.is_some_and(|router| router as u32 != self.setup.number) {
            return Err(gone(&io::Error::other("a microcontroller stays where it is in the network")));
        }
        if *settings != self.settings {
            self.settings = *settings;
            let (seed, selection) =
                (settings.seed(self.setup.seed), settings.selection(self.setup.selection));
            let setup = Setup { seed, selection, ..self.setup };
            return self.set_up(&setup).map_err(|error| gone(&io::Error::other(error)));
        }
        match self.ask(|to| to.u8(RESET)) {
            Ok([READY, ..]) => Ok(()),
            Ok(_) => Err(gone(&broken())),
            Err(error) => Err(gone(&error)),
        }
    }

    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), Failure> {
        let made = self.run([inputs]).map_err(|error| gone(&error))?;
        let [Made { outputs: driven, .. }] = &made[..] else { return Err(gone(&broken())) };
        outputs.clone_from(driven);
        Ok(())
    }

    /// None when the line is gone, so that nothing compares equal; the next step returns the error.
    fn registers(&mut self) -> &[u64] {
        match self.read_registers() {
            Ok(()) => &self.words,
            Err(_) => &[],
        }
    }
}

impl Drop for McuTwin {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = frame::send(&mut self.line, &mut self.buffer, |to| to.u8(END));
        let _ = self.program.wait();
    }
}
