//! The bytes of flits leave with their flits: through a switch in memory, and through two switches that a bad
//! line joins.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use core::cell::{Cell, RefCell};
use core::convert::Infallible;
use core::num::NonZeroU32;
use desvio_link::{Port, Setup as LinkSetup, Tick, Timing, frame_bytes};
use desvio_switch::Switch;
use desvio_switch::link::Link;
use desvio_switch::neighbour::{Anywhere, Neighbour};
use desvio_switch::payload::{Payload, Place};
use desvio_switch::serial::SerialLink;
use desvio_switch::standard::{self, BUFFER, FIFO, PACKET};
use router_core::header::Flit;
use router_core::links::FlowControl;
use router_core::pins::PortInputs;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::vc::Descriptor;
use std::collections::{BTreeMap, VecDeque};
use tether::setup::SetupError;

const BYTES: usize = 6;
const PACKETS: u32 = 20;
/// Flits of all buffers and FIFOs, and a head for each VC.
const PLACES: usize = 5 * 2 * BUFFER as usize + 5 * FIFO as usize + 5 * 2;

/// A neighbour whose flits say which neighbour, packet and flit they are.
struct Loaded {
    inner: Neighbour,
    number: u8,
    payload: [u8; BYTES],
    /// Flits that came of the packet under way in each VC: its sender, its number, its flits.
    came: BTreeMap<u8, (u8, u16, u16)>,
    flits: u32,
}

impl Loaded {
    fn new(number: u8, packets: u32) -> Self {
        let to = Anywhere { groups: 1, routers: 16, nodes: 1 };
        let inner = Neighbour::new(number.into(), to, packets, PACKET, BUFFER);
        Self { inner, number, payload: [0; BYTES], came: BTreeMap::new(), flits: 0 }
    }
}

impl Link for Loaded {
    fn receive(&mut self) -> PortInputs {
        let inputs = self.inner.receive();
        if let Some(signal) = inputs.flit {
            let index = match signal.flit {
                Flit::Head(_) => 0,
                Flit::Body { .. } => self.payload[3] + 1,
            };
            let [low, high] = (self.inner.sent() as u16).to_le_bytes();
            self.payload = [self.number, low, high, index, 0x5a, !index];
        }
        inputs
    }

    fn read_payload(&mut self, to: &mut [u8]) {
        to.copy_from_slice(&self.payload);
    }

    fn send(&mut self, _: PortInputs) {
        panic!("a flit without its bytes");
    }

    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        if let Some(signal) = driven.flit {
            let &[number, low, high, index, 0x5a, check] = payload else { panic!("{payload:?}") };
            assert_eq!(check, !index);
            let packet = u16::from_le_bytes([low, high]);
            let vc = signal.vc.number();
            match signal.flit {
                Flit::Head(head) => {
                    assert_eq!(index, 0);
                    // The neighbour numbers its packets by their tags.
                    assert_eq!((head.tag as u16, head.header.carried.level()), (packet, number));
                    self.came.insert(vc, (number, packet, 1));
                }
                Flit::Body { .. } => {
                    let came = self.came.get_mut(&vc).unwrap();
                    assert_eq!((came.0, came.1, came.2), (number, packet, index.into()));
                    came.2 += 1;
                }
            }
            self.flits += 1;
        }
        self.inner.send(driven);
    }
}

#[test]
fn bytes_leave_with_their_flits() {
    let setup = standard::mesh();
    let groups = setup.groups();
    let routing = setup.only::<DimensionOrderScheme>(&groups).unwrap();
    let mut store = [Descriptor::default(); 50];
    let mut places = [Place::<BYTES>::EMPTY; PLACES];
    let links = [0, 1, 2, 3, 4].map(|port| Loaded::new(port, PACKETS));
    let payload = Payload::<BYTES, 5, 2>::new(&mut places);
    let mut switch =
        Switch::<_, _, 5, 2, { FIFO as usize }, _>::with_payload(&setup, routing, &mut store, links, payload)
            .unwrap();
    (0..6_000).for_each(|_| switch.step());
    let came: u32 = switch.links().iter().map(|link| link.flits).sum();
    assert_eq!(came, 5 * PACKETS * u32::from(PACKET));
    assert_eq!(switch.payloads().overruns(), 0);
}

#[test]
fn too_few_places_are_refused() {
    let setup = standard::mesh();
    let groups = setup.groups();
    let routing = setup.only::<DimensionOrderScheme>(&groups).unwrap();
    let mut store = [Descriptor::default(); 50];
    let mut places = [Place::<BYTES>::EMPTY; PLACES - 1];
    let links = [0, 1, 2, 3, 4].map(|port| Loaded::new(port, 1));
    let payload = Payload::<BYTES, 5, 2>::new(&mut places);
    assert!(Switch::<_, _, 5, 2, 4, _>::with_payload(&setup, routing, &mut store, links, payload).is_err());
}

/// A packet that is discarded would keep its places.
#[test]
fn discards_are_refused() {
    for discards in [false, true] {
        let mut setup = standard::mesh();
        setup.options.discards = discards;
        let groups = setup.groups();
        let routing = setup.only::<DimensionOrderScheme>(&groups).unwrap();
        let mut store = [Descriptor::default(); 50];
        let mut places = [Place::<BYTES>::EMPTY; PLACES];
        let links = [0, 1, 2, 3, 4].map(|port| Loaded::new(port, 1));
        let payload = Payload::<BYTES, 5, 2>::new(&mut places);
        let made = Switch::<_, _, 5, 2, { FIFO as usize }, _>::with_payload(
            &setup, routing, &mut store, links, payload,
        );
        assert_eq!(made.err(), discards.then_some(SetupError::LeftOut));
    }
}

/// One end of a line in memory that flips a bit now and then.
struct Line<'l> {
    from: &'l RefCell<VecDeque<u8>>,
    to: &'l RefCell<VecDeque<u8>>,
    sent: u32,
}

impl embedded_io::ErrorType for Line<'_> {
    type Error = Infallible;
}

impl embedded_io::Read for Line<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let mut from = self.from.borrow_mut();
        let length = bytes.len().min(from.len());
        bytes.iter_mut().zip(from.drain(..length)).for_each(|(place, byte)| *place = byte);
        Ok(length)
    }
}

impl embedded_io::ReadReady for Line<'_> {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.from.borrow().is_empty())
    }
}

impl embedded_io::Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        for &byte in bytes {
            self.sent += 1;
            self.to.borrow_mut().push_back(if self.sent.is_multiple_of(2_003) { byte ^ 0x10 } else { byte });
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl embedded_io::WriteReady for Line<'_> {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.to.borrow().len() < 100)
    }
}

const WINDOW: usize = 2 * BUFFER as usize;
type Serial<'l> = SerialLink<Line<'l>, &'l dyn Fn() -> Tick, 2, BYTES, WINDOW, { frame_bytes(2, BYTES) }>;

/// A port of a switch: packets in memory, or a cable.
enum Side<'l> {
    Memory(Loaded),
    Cable(Box<Serial<'l>>),
}

impl Link for Side<'_> {
    fn receive(&mut self) -> PortInputs {
        match self {
            Self::Memory(link) => link.receive(),
            Self::Cable(link) => link.receive(),
        }
    }
    fn read_payload(&mut self, to: &mut [u8]) {
        match self {
            Self::Memory(link) => link.read_payload(to),
            Self::Cable(link) => link.read_payload(to),
        }
    }
    fn send(&mut self, driven: PortInputs) {
        self.send_with(driven, &[]);
    }
    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        match self {
            Self::Memory(link) => link.send_with(driven, payload),
            Self::Cable(link) => link.send_with(driven, payload),
        }
    }
}

#[test]
fn a_bad_line_between_two_switches_loses_no_byte() {
    let (there, back) = (RefCell::default(), RefCell::default());
    let now = Cell::new(0u32);
    let clock = || Tick(now.get());
    let cable = |session, from, to| {
        let timing = Timing { hello: 50, heartbeat: 100, patience: 2_000, resend: 400 };
        let session = NonZeroU32::new(session).unwrap();
        let setup = LinkSetup { flow: FlowControl::Vct, buffers: [BUFFER; 2], session, timing };
        let clock: &dyn Fn() -> Tick = &clock;
        Side::Cable(Box::new(SerialLink::new(Port::new(&setup).unwrap(), Line { from, to, sent: 0 }, clock)))
    };
    // Router (1, 1) and its neighbour (2, 1): the first dimension's positive port of one is the negative one
    // of the other.
    let setups = [0b0101, 0b0110].map(|router| {
        let mut setup = standard::mesh();
        setup.here.router = router;
        setup
    });
    let groups = setups.map(|setup| setup.groups());
    let mut stores = [[Descriptor::default(); 50]; 2];
    let mut places = [[Place::<BYTES>::EMPTY; PLACES]; 2];
    let [store_one, store_other] = &mut stores;
    let [places_one, places_other] = &mut places;
    let (east, west) = (1, 2);
    let mut sides = [cable(1, &back, &there), cable(2, &there, &back)].into_iter();
    let mut links = |at: u8, first: u8| {
        [0, 1, 2, 3, 4].map(|port| {
            if port == at { sides.next().unwrap() } else { Side::Memory(Loaded::new(first + port, PACKETS)) }
        })
    };
    let (links_one, links_other) = (links(east, 0), links(west, 5));
    let routing = |which: usize| setups[which].only::<DimensionOrderScheme>(&groups[which]).unwrap();
    let mut one = Switch::<_, _, 5, 2, { FIFO as usize }, _>::with_payload(
        &setups[0],
        routing(0),
        store_one,
        links_one,
        Payload::<BYTES, 5, 2>::new(places_one),
    )
    .unwrap();
    let mut other = Switch::<_, _, 5, 2, { FIFO as usize }, _>::with_payload(
        &setups[1],
        routing(1),
        store_other,
        links_other,
        Payload::<BYTES, 5, 2>::new(places_other),
    )
    .unwrap();
    for _ in 0..40_000 {
        now.set(now.get() + 1);
        one.step();
        other.step();
    }
    let flits = |links: &[Side<'_>; 5]| {
        links.iter().map(|link| if let Side::Memory(link) = link { link.flits } else { 0 }).sum::<u32>()
    };
    assert_eq!(flits(one.links()) + flits(other.links()), 8 * PACKETS * u32::from(PACKET));
    let Side::Cable(serial) = &one.links()[usize::from(east)] else { panic!("no cable") };
    assert!(
        serial.port().counters().resent > 0 && serial.port().counters().sent > 100,
        "{:?}",
        serial.port().counters()
    );
    assert_eq!(serial.refused() + serial.severed() + serial.fillers(), 0);
}
