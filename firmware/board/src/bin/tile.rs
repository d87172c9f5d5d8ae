//! A board of a mesh: four UARTs lead to its neighbours, the fifth to a host, which gives it its order and gets its records. Nothing in it
//! can panic, or it would not link.
#![no_std]
#![no_main]

use board::uart::{self, Uart};
use board::uptime::Uptime;
use board::{Status, exit};
use core::convert::Infallible;
use desvio_link::Tick;
use desvio_tile::{Order, Record, Store, Tile};
use embedded_io::{Read as _, Write as _};
use panic_never as _;
use tether::bytes::Reader;
use tether::frame::{self, Stream};

/// Steps that a flit takes at most from one port to the next, where nothing else is in its way.
const PATIENCE: u8 = 6;

/// The line to the host.
struct Control(Uart);

impl Stream for Control {
    type Error = Infallible;

    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        self.0.read(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let taken = self.0.write(rest)?;
            rest = rest.get(taken..).unwrap_or_default();
        }
        Ok(())
    }
}

/// Asks for an order, and waits for it.
fn order(control: &mut Control) -> Order {
    let mut buffer = [0; 64];
    loop {
        let _ = frame::send(control, &mut buffer, |to| Record::Booted.write(to));
        if let Ok(payload) = frame::receive(control, &mut buffer)
            && let Some(order) = Order::read(&mut Reader::new(payload))
        {
            return order;
        }
    }
}

/// Serves for ever, unless there is no such place in a mesh.
fn serve() -> Option<()> {
    let [east, west, north, south, control] = Uart::take_all()?;
    let uptime = Uptime::start()?;
    let mut control = Control(control);
    let order = order(&mut control);
    let mut store = Store::new();
    let clock = || Tick(uptime.now());
    let mut tile = Tile::new(&order, [east, west, north, south], clock, &mut store).ok()?;
    // Steps without anything that happened.
    let mut idle = 0u8;
    loop {
        let Ok(moved) = tile.step(&mut control.0);
        idle = if moved || uart::take_frame() { 0 } else { idle.saturating_add(1) };
        if idle > PATIENCE {
            uart::sleep();
        }
    }
}

#[board::entry]
fn main() -> ! {
    let _ = serve();
    exit(Status::NoBoard)
}
