//! A switch whose table a host programs over a UART, by `desvio-driver`, as it programs the switch in SystemVerilog.
//!
//! Its neighbours are in memory; their flits have bytes. Over a second UART goes a byte for each packet that arrives at a neighbour: the
//! router that it is for, and in the upper bits the port that it left by. Nothing in it can panic, or it would not link.
#![no_std]
#![no_main]

use board::uart::Uart;
use board::{Status, exit};
use embedded_io::{Write as _, WriteReady as _};
use panic_never as _;
use router_core::header::Flit;
use router_core::pins::PortInputs;
use router_core::vc::Descriptor;
use switch::control::{Controlled, Tabled};
use switch::link::Link;
use switch::neighbour::{Anywhere, Neighbour};
use switch::payload::{Payload, Place};
use switch::standard::{self, BUFFER, FIFO, PACKET};

/// A router of a torus of 4 × 4.
const PORTS: usize = 5;
const VCS: usize = 2;
const ROUTERS: usize = 16;
const DESCRIPTORS: usize = 50;
/// Bytes of a flit, and places for the flits of all buffers and FIFOs, with a head for each VC.
const BYTES: usize = 4;
const PLACES: usize = PORTS * (VCS * BUFFER as usize + FIFO as usize + VCS);

/// The last byte of each flit.
const MARK: u8 = 0xa5;
/// What is reported of a packet whose bytes are wrong.
const WRONG: u8 = 0xff;

/// A neighbour whose flits have bytes: the router that their packet is for, their number, and the mark.
struct Carrier {
    inner: Neighbour,
    port: u8,
    payload: [u8; BYTES],
    /// Of the packet that arrives in each VC: the router that it is for, and the number of its next flit.
    arriving: [(u8, u8); VCS],
    /// What is to be reported.
    report: Option<u8>,
}

impl Link for Carrier {
    fn receive(&mut self) -> PortInputs {
        let inputs = self.inner.receive();
        match inputs.flit.map(|signal| signal.flit) {
            Some(Flit::Head(packet)) => self.payload = [packet.header.to.router as u8, 0, self.port, MARK],
            Some(Flit::Body { .. }) => {
                let [_, number, ..] = &mut self.payload;
                *number = number.wrapping_add(1);
            }
            None => {}
        }
        inputs
    }

    fn read_payload(&mut self, to: &mut [u8]) {
        to.iter_mut().zip(self.payload).for_each(|(place, byte)| *place = byte);
    }

    fn send(&mut self, driven: PortInputs) {
        self.inner.send(driven);
    }

    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        if let Some(signal) = driven.flit
            && let Some((to, number)) = self.arriving.get_mut(signal.vc.index())
        {
            if let Flit::Head(packet) = signal.flit {
                (*to, *number) = (packet.header.to.router as u8, 0);
            }
            let is_whole = matches!(payload, [a, b, _, MARK] if (a, b) == (to, number));
            *number = number.wrapping_add(1);
            let (is_tail, place) = match signal.flit {
                Flit::Body { tail } => (tail, self.port.wrapping_shl(4) | *to & 0xf),
                Flit::Head(_) => (false, 0),
            };
            if !is_whole {
                self.report = Some(WRONG);
            } else if is_tail && self.report != Some(WRONG) {
                self.report = Some(place);
            }
        }
        self.inner.send(driven);
    }
}

/// Serves for ever, unless there is no such board.
fn serve() -> Option<()> {
    let [mut reports, _, _, _, mut control] = Uart::take_all()?;
    let setup = standard::mesh();
    let to = Anywhere { groups: 1, routers: ROUTERS as u32, nodes: 1 };
    let links = [0, 1, 2, 3, 4].map(|port| Carrier {
        inner: Neighbour::new(port, to, u32::MAX, PACKET, BUFFER),
        port: port as u8,
        payload: [0; BYTES],
        arriving: [(0, 0); VCS],
        report: None,
    });
    let mut store = [Descriptor::default(); DESCRIPTORS];
    let mut places = [Place::<BYTES>::EMPTY; PLACES];
    let payload = Payload::<BYTES, PORTS, VCS>::new(&mut places);
    let routing = Tabled::<ROUTERS>::new(&setup, true);
    let switch = Controlled::<_, _, PORTS, VCS, { FIFO as usize }, ROUTERS, _>::new(
        &setup, routing, &mut store, links, payload,
    );
    let mut switch = switch.ok()?;
    loop {
        let Ok(_) = switch.serve(&mut control);
        switch.step();
        for link in switch.links_mut() {
            if let Ok(true) = reports.write_ready()
                && let Some(report) = link.report.take()
            {
                let Ok(_) = reports.write(&[report]);
            }
        }
    }
}

#[board::entry]
fn main() -> ! {
    let _ = serve();
    exit(Status::NoBoard)
}
