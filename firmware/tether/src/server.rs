//! The microcontroller's end of the line.

use crate::bytes::{Reader, Writer};
use crate::frame::{self, FrameError, OVERHEAD, Stream};
use crate::machine::Machine;
use crate::message::{CYCLES, END, READY, REFUSED, REGISTERS, RESET, Refusal, SETUP};
use crate::setup::{Setup, SetupError};
use crate::wires;
use router_core::route::Route;
use router_core::vc::Descriptor;

/// What comes after a router.
enum Next {
    /// Another one.
    Router(Setup),
    /// Nothing.
    End,
}

/// Steps routers as a host requests, until the host requests the end. Frames have up to `B` bytes.
///
/// # Errors
/// When the line is gone.
pub fn serve<S: Stream, const P: usize, const V: usize, const F: usize, const D: usize, const B: usize>(
    stream: &mut S,
) -> Result<(), S::Error> {
    let mut request = [0; B];
    let mut reply = [0; B];
    let mut store = [Descriptor::default(); D];
    let mut next = None;
    loop {
        let setup = match next.take() {
            Some(setup) => setup,
            None => match first::<S, B>(stream, &mut request, &mut reply)? {
                Next::Router(setup) => setup,
                Next::End => return Ok(()),
            },
        };
        let groups = setup.groups();
        match setup
            .routing(&groups)
            .and_then(|routing| Machine::<_, P, V, F>::new(&setup, routing, &mut store))
        {
            Ok(mut machine) => {
                let ports = setup.radix() as u8;
                answer(stream, &mut reply, |to| {
                    to.u8(READY);
                    to.u8(ports);
                    to.u16(B.saturating_sub(OVERHEAD) as u16);
                })?;
                match attend(stream, &mut machine, &setup, &mut request, &mut reply)? {
                    Next::Router(setup) => next = Some(setup),
                    Next::End => return Ok(()),
                }
            }
            Err(SetupError::TooLarge) => refuse(stream, &mut reply, Refusal::TooLarge)?,
            Err(SetupError::LeftOut) => refuse(stream, &mut reply, Refusal::LeftOut)?,
            Err(_) => refuse(stream, &mut reply, Refusal::Senseless)?,
        }
    }
}

/// Waits until a router is described.
fn first<S: Stream, const B: usize>(
    stream: &mut S,
    request: &mut [u8; B],
    reply: &mut [u8; B],
) -> Result<Next, S::Error> {
    loop {
        let mut reader = Reader::new(next_request(stream, request)?);
        let refusal = match reader.u8() {
            Ok(SETUP) => match Setup::read(&mut reader) {
                Ok(setup) => return Ok(Next::Router(setup)),
                Err(_) => Refusal::Senseless,
            },
            Ok(END) => return Ok(Next::End),
            Ok(RESET | CYCLES | REGISTERS) => Refusal::NoRouter,
            _ => Refusal::Unknown,
        };
        refuse(stream, reply, refusal)?;
    }
}

/// Serves the requests for one router.
fn attend<S: Stream, R: Route, const P: usize, const V: usize, const F: usize, const B: usize>(
    stream: &mut S,
    machine: &mut Machine<'_, R, P, V, F>,
    setup: &Setup,
    request: &mut [u8; B],
    reply: &mut [u8; B],
) -> Result<Next, S::Error> {
    loop {
        let mut reader = Reader::new(next_request(stream, request)?);
        match reader.u8() {
            Ok(SETUP) => match Setup::read(&mut reader) {
                Ok(setup) => return Ok(Next::Router(setup)),
                Err(_) => refuse(stream, reply, Refusal::Senseless)?,
            },
            Ok(RESET) => return Ok(Next::Router(*setup)),
            Ok(CYCLES) => answer(stream, reply, |to| {
                to.u8(CYCLES);
                run(machine, &mut reader, to);
            })?,
            Ok(REGISTERS) => answer(stream, reply, |to| {
                to.u8(REGISTERS);
                machine.values().visit(&mut |value| to.number(value));
            })?,
            Ok(END) => return Ok(Next::End),
            _ => refuse(stream, reply, Refusal::Unknown)?,
        }
    }
}

/// Steps through all cycles of a request. One that is cut short ends the answer there: the host misses its cycles.
fn run<R: Route, const P: usize, const V: usize, const F: usize>(
    machine: &mut Machine<'_, R, P, V, F>,
    cycles: &mut Reader<'_>,
    to: &mut Writer<'_>,
) {
    while !cycles.is_empty() {
        let Ok(inputs) = wires::read(cycles) else { return };
        // Protocol errors are counted in the router, and compared there.
        let (driven, _) = machine.step(&inputs);
        wires::write(to, &driven);
        to.u32(machine.digest(&driven).value());
    }
}

/// The payload of the next frame that is whole. Bytes that are lost are the host's to notice: it gets no answer.
fn next_request<'b, S: Stream>(stream: &mut S, buffer: &'b mut [u8]) -> Result<&'b [u8], S::Error> {
    let length = loop {
        match frame::receive(stream, buffer) {
            Ok(payload) => break payload.len(),
            Err(FrameError::Broken) => {}
            Err(FrameError::Line(error)) => return Err(error),
        }
    };
    Ok(buffer.get(..length).unwrap_or_default())
}

fn answer<S: Stream>(
    stream: &mut S,
    buffer: &mut [u8],
    payload: impl FnOnce(&mut Writer<'_>),
) -> Result<(), S::Error> {
    match frame::send(stream, buffer, payload) {
        Ok(()) => Ok(()),
        Err(FrameError::Broken) => refuse(stream, buffer, Refusal::TooLong),
        Err(FrameError::Line(error)) => Err(error),
    }
}

fn refuse<S: Stream>(stream: &mut S, buffer: &mut [u8], why: Refusal) -> Result<(), S::Error> {
    match frame::send(stream, buffer, |to| to.bytes(&[REFUSED, why as u8])) {
        Err(FrameError::Line(error)) => Err(error),
        _ => Ok(()),
    }
}
