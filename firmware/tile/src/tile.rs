//! The board as a whole.

use crate::cable::{Cable, Serial};
use crate::content::BYTES;
use crate::log::Log;
use crate::node::Node;
use crate::order::{CABLES, Order};
use crate::record::Record;
use crate::side::Side;
use crate::sizes::{BUFFER, PORTS, SHORTEST, VCS};
use desvio_link::{Port, Setup as LinkSetup, Tick, Timing};
use desvio_switch::Switch;
use desvio_switch::payload::{Payload, Place};
use desvio_switch::standard::{self, FIFO};
use embedded_io::{Read, ReadReady, Write, WriteReady};
use router_core::links::{FlowControl, PortSizes};
use router_core::options::Options;
use router_core::route::Here;
use router_core::route::dimension_order::{DimensionOrder, DimensionOrderScheme};
use router_core::units::{PortId, PortSet};
use router_core::vc::Descriptor;
use tether::setup::{GridMap, MAX_DIMENSIONS, MapSetup, Setup, SetupError};

/// Descriptors: as many as flits, which is enough for packets of any length.
const DESCRIPTORS: usize = PORTS * VCS * BUFFER as usize;
/// Flits of all buffers and FIFOs, and a head for each VC.
const PLACES: usize = PORTS * (VCS * BUFFER as usize + FIFO as usize + VCS);

/// Milliseconds: a neighbour that is emulated on a busy machine may be silent for a while.
const TIMING: Timing = Timing { hello: 100, heartbeat: 300, patience: 3_000, resend: 1_000 };
/// Milliseconds from one record of the counters to the next.
const REPORT: u32 = 1_000;

/// Where a board keeps its packets and its links, which are too large to be moved.
#[derive(Debug)]
pub struct Store<T, C> {
    descriptors: [Descriptor; DESCRIPTORS],
    places: [Place<BYTES>; PLACES],
    sides: [Side<T, C>; PORTS],
}

impl<T, C> Store<T, C> {
    /// Empty.
    pub fn new() -> Self {
        Self {
            descriptors: [Descriptor::default(); DESCRIPTORS],
            places: [Place::EMPTY; PLACES],
            sides: [const { Side::Open }; PORTS],
        }
    }
}

type Router<'s, T, C> = Switch<
    's,
    DimensionOrder,
    &'s mut Side<T, C>,
    PORTS,
    VCS,
    { FIFO as usize },
    Payload<'s, BYTES, PORTS, VCS>,
>;

/// A board: a switch, its node and its links. `T` is a line to a neighbour, `C` a clock of milliseconds.
#[derive(Debug)]
pub struct Tile<'s, T, C> {
    switch: Router<'s, T, C>,
    log: Log,
    clock: C,
    reported: Tick,
    refused: u32,
}

impl<'s, T, C> Tile<'s, T, C>
where
    T: Read + ReadReady + Write + WriteReady,
    C: Fn() -> Tick + Clone,
{
    /// A board with an order, its lines in the order of [`Order::has_neighbour`].
    ///
    /// # Errors
    /// When there is no such place in a mesh.
    pub fn new(
        order: &Order,
        lines: [T; CABLES],
        clock: C,
        store: &'s mut Store<T, C>,
    ) -> Result<Self, SetupError> {
        let grid = order.grid().map_err(SetupError::Grid)?;
        let setup = setup(order, grid.address(&order.coordinates(order.board)));
        let routing = setup.only::<DimensionOrderScheme>(&setup.groups())?;
        let link = LinkSetup {
            flow: FlowControl::Vct,
            buffers: [BUFFER; VCS],
            session: order.session(),
            timing: TIMING,
        };
        let Store { descriptors, places, sides } = store;
        let cables = sides.iter_mut().skip(1).zip(lines);
        for (cable, (side, line)) in cables.enumerate().filter(|&(cable, _)| order.has_neighbour(cable)) {
            if let Ok(end) = Port::new(&link) {
                let serial = Serial::new(end, line, clock.clone());
                *side = Side::Cable(Cable::new(serial, cable.saturating_add(1) as u8, order.plant));
            }
        }
        if let Some(side) = sides.first_mut() {
            *side = Side::Node(Node::new(*order, grid));
        }
        let payload = Payload::new(places);
        let switch = Switch::with_payload(&setup, routing, descriptors, sides.each_mut(), payload)?;
        let mut log = Log::new();
        log.put(&Record::Started { life: order.life });
        let reported = clock();
        Ok(Self { switch, log, clock, reported, refused: 0 })
    }

    /// One step: of the switch, unless its records have no room, and of the control line. Says whether a flit, a credit or a record
    /// moved: after some steps without, nothing will happen before bytes come or time passes.
    ///
    /// # Errors
    /// When the control line fails.
    pub fn step<W: Write + WriteReady>(&mut self, control: &mut W) -> Result<bool, W::Error> {
        let mark = self.log.mark();
        let mut moved = false;
        if self.log.has_room() {
            let before = self.switch.counters().total();
            self.switch.step();
            moved = self.switch.counters().total() != before;
            for side in self.switch.links_mut() {
                side.tend(&mut self.log);
            }
            self.report();
        }
        if !self.log.is_empty() && control.write_ready()? {
            self.log.drain(|bytes| control.write(bytes))?;
            moved = true;
        }
        Ok(moved || self.log.mark() != mark)
    }

    fn report(&mut self) {
        let of_links = self.switch.links().iter().map(|side| side.refused());
        let count = of_links.fold(self.switch.pins().router().error_count(), u32::saturating_add);
        if count != self.refused {
            self.refused = count;
            self.log.put(&Record::Refused { count });
        }
        let now = (self.clock)();
        if now.0.wrapping_sub(self.reported.0) >= REPORT {
            self.reported = now;
            for side in self.switch.links() {
                side.count(&mut self.log);
            }
        }
    }
}

/// The router of a board.
fn setup(order: &Order, router: u32) -> Setup {
    let sizes = PortSizes { vcs: VCS as u8, buffer: BUFFER };
    let mut along = [0; MAX_DIMENSIONS];
    // 0 where there is no dimension: one row has one.
    let rows = if order.rows == 1 { 0 } else { order.rows };
    for (place, size) in along.iter_mut().zip([order.columns, rows]) {
        *place = size.into();
    }
    let mut wired = PortSet::only(PortId::new(0));
    for cable in (0..CABLES).filter(|&cable| order.has_neighbour(cable)) {
        wired.insert(PortId::new(cable.saturating_add(1) as u8));
    }
    let mesh = standard::mesh();
    Setup {
        node: sizes,
        local: sizes,
        global: sizes,
        reserved: [BUFFER; 2],
        shortest: SHORTEST.into(),
        options: Options { speedup: 1, ..mesh.options },
        map: MapSetup::Grid(GridMap { sizes: along, wraps: false }),
        here: Here { router, wired, ..mesh.here },
        number: order.board.into(),
        seed: order.seed,
        ..mesh
    }
}
