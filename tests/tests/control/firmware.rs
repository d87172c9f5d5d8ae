//! The firmware of a switch, with its registers at a serial line and bytes in its flits.

use super::rig::Rig;
use super::traffic::Traffic;
use super::worlds::World;
use desvio_driver::Switch;
use desvio_driver::serial::SerialBus;
use desvio_lockstep::control::Neighbours;
use desvio_lockstep::frame::{Data, Frame, WireFlit};
use desvio_lockstep::mcu::{setup, setup_by_table};
use desvio_switch::control::{Controlled, Programmed, Tabled};
use desvio_switch::link::Link;
use desvio_switch::payload::{Payload, Place};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, OutputPin};
use embedded_io::{ErrorType, Read, ReadReady, Write};
use router_core::header::Flit;
use router_core::pins::{FlitSignal, PortInputs};
use router_core::route::{Route, Routing};
use router_core::units::VcId;
use router_core::vc::Descriptor;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::rc::Rc;
use tether::setup::Setup;

const PORTS: usize = 8;
const VCS: usize = 4;
const FIFO: usize = 4;
/// Bytes of a flit.
const BYTES: usize = size_of::<Data>();

type Inside<R, const ROWS: usize> =
    Controlled<'static, R, Wire, PORTS, VCS, FIFO, ROWS, Payload<'static, BYTES, PORTS, VCS>>;

/// A board with the firmware on it. Handles to it are cheap to clone, and share it.
pub(crate) struct Firmware<R, const ROWS: usize>(Rc<RefCell<Parts<R, ROWS>>>);

struct Parts<R, const ROWS: usize> {
    switch: Inside<R, ROWS>,
    wires: Rc<RefCell<Wires>>,
    traffic: Traffic,
    /// Bytes to the board, and from it.
    line: Line,
}

/// What is on the wires of all links.
struct Wires {
    outputs: Frame,
    inputs: Frame,
}

/// One link.
struct Wire {
    wires: Rc<RefCell<Wires>>,
    port: usize,
}

impl Link for Wire {
    fn receive(&mut self) -> PortInputs {
        let wires = self.wires.borrow();
        let Some(signals) = wires.inputs.ports.get(self.port) else { return PortInputs::default() };
        let flit = signals.flit.map(|flit| FlitSignal { vc: VcId::new(flit.vc), flit: flit.to_flit() });
        PortInputs { flit, credit: signals.credit.map(VcId::new) }
    }

    fn read_payload(&mut self, to: &mut [u8]) {
        let wires = self.wires.borrow();
        let flit = wires.inputs.ports[self.port].flit.unwrap_or_default();
        let bytes: Vec<u8> = flit.data.iter().flat_map(|word| word.to_le_bytes()).collect();
        to.copy_from_slice(&bytes);
    }

    fn send(&mut self, _: PortInputs) {
        panic!("a flit without its bytes");
    }

    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        let mut wires = self.wires.borrow_mut();
        let Some(signals) = wires.outputs.ports.get_mut(self.port) else { return };
        signals.credit = driven.credit.map(VcId::number);
        signals.flit = driven.flit.map(|FlitSignal { vc, flit }| {
            let mut data = Data::default();
            for (word, bytes) in data.iter_mut().zip(payload.chunks(4)) {
                *word = u32::from_le_bytes(bytes.try_into().unwrap());
            }
            let (head, tail) = match flit {
                Flit::Head(packet) => (true, packet.header.length == 1),
                Flit::Body { tail } => (false, tail),
            };
            WireFlit { vc: vc.number(), head, tail, data }
        });
    }
}

impl<const ROWS: usize> Firmware<router_core::map::table::Row<'static>, ROWS> {
    /// Router 0 of a network, by a table of so many rows.
    pub(crate) fn by_table(world: &World, traffic: Traffic) -> Self {
        let setup = setup_by_table(&world.blueprint, 0).unwrap();
        Self::new(&setup, Tabled::new(&setup, true), traffic)
    }
}

impl Firmware<Routing<'static>, 0> {
    /// Router 0 of a network, by the routing of its scenario.
    pub(crate) fn fixed(world: &World, traffic: Traffic) -> Self {
        let setup = setup(&world.blueprint, 0).unwrap();
        let groups = Box::leak(Box::new(setup.groups()));
        Self::new(&setup, Programmed::fixed(&setup, setup.routing(groups).unwrap()), traffic)
    }
}

impl<R: Route, const ROWS: usize> Firmware<R, ROWS> {
    fn new(setup: &Setup, routing: Programmed<R, ROWS>, traffic: Traffic) -> Self {
        let idle = || Frame::idle(setup.radix());
        let wires = Rc::new(RefCell::new(Wires { outputs: idle(), inputs: idle() }));
        let links = std::array::from_fn(|port| Wire { wires: Rc::clone(&wires), port });
        let store = vec![Descriptor::default(); 512].leak();
        let payload = Payload::new(vec![Place::<BYTES>::EMPTY; 1024].leak());
        let switch = Controlled::new(setup, routing, store, links, payload).unwrap();
        Self(Rc::new(RefCell::new(Parts { switch, wires, traffic, line: Line::default() })))
    }

    fn handle(&self) -> Handle<R, ROWS> {
        Handle(Rc::clone(&self.0))
    }
}

impl<R: Route, const ROWS: usize> Parts<R, ROWS> {
    /// As the firmware's loop does: what came over the line, then a step.
    fn cycle(&mut self) {
        let Ok(_) = self.switch.serve(&mut self.line);
        {
            let mut wires = self.wires.borrow_mut();
            let Wires { outputs, inputs } = &mut *wires;
            inputs.clear();
            self.traffic.step(outputs, inputs);
        }
        self.switch.step();
    }
}

/// The board's side of its serial line.
#[derive(Default)]
struct Line {
    to_board: VecDeque<u8>,
    from_board: VecDeque<u8>,
}

impl ErrorType for Line {
    type Error = Infallible;
}
impl ReadReady for Line {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.to_board.is_empty())
    }
}
impl Read for Line {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        Ok(take(&mut self.to_board, bytes))
    }
}
impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.from_board.extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

fn take(from: &mut VecDeque<u8>, bytes: &mut [u8]) -> usize {
    bytes.iter_mut().map_while(|place| from.pop_front().map(|byte| *place = byte)).count()
}

/// The driver's side of the line, the board's reset, and time, which lets the board run.
pub(crate) struct Handle<R, const ROWS: usize>(Rc<RefCell<Parts<R, ROWS>>>);

impl<R, const ROWS: usize> ErrorType for Handle<R, ROWS> {
    type Error = Infallible;
}
impl<R: Route, const ROWS: usize> ReadReady for Handle<R, ROWS> {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.borrow().line.from_board.is_empty())
    }
}
impl<R: Route, const ROWS: usize> Read for Handle<R, ROWS> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        Ok(take(&mut self.0.borrow_mut().line.from_board, bytes))
    }
}
impl<R: Route, const ROWS: usize> Write for Handle<R, ROWS> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.0.borrow_mut().line.to_board.extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
impl<R, const ROWS: usize> digital::ErrorType for Handle<R, ROWS> {
    type Error = Infallible;
}
impl<R: Route, const ROWS: usize> OutputPin for Handle<R, ROWS> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().switch.reset();
        Ok(())
    }
}
impl<R: Route, const ROWS: usize> DelayNs for Handle<R, ROWS> {
    /// A cycle for each microsecond that has begun.
    fn delay_ns(&mut self, nanoseconds: u32) {
        (0..nanoseconds.div_ceil(1_000)).for_each(|_| self.0.borrow_mut().cycle());
    }
}

impl<R: Route, const ROWS: usize> Rig for Firmware<R, ROWS> {
    type Spi = SerialBus<Handle<R, ROWS>, Handle<R, ROWS>>;
    type Pin = Handle<R, ROWS>;
    type Delay = Handle<R, ROWS>;

    fn driver(&self) -> Switch<Self::Spi, Self::Pin, Self::Delay> {
        Switch::new(SerialBus::new(self.handle(), self.handle(), 1_000), self.handle(), self.handle())
    }

    fn run(&self, cycles: u64) {
        (0..cycles).for_each(|_| self.0.borrow_mut().cycle());
    }

    fn traffic<T>(&self, look: impl FnOnce(&mut Traffic) -> T) -> T {
        look(&mut self.0.borrow_mut().traffic)
    }
}
