//! The node of a board: it sends packets to the other boards, and checks those that come.

use crate::content::{BYTES, Content, Name};
use crate::log::Log;
use crate::order::{Order, Plant};
use crate::record::{Defect, Record};
use crate::sizes::{AHEAD, BUFFER, LONGEST, SHORTEST};
use desvio_switch::link::Link;
use heapless::Deque;
use router_core::header::{Address, Carried, Flit, Header, Packet};
use router_core::lfsr::Lfsr;
use router_core::map::grid::Grid;
use router_core::pins::{FlitSignal, PortInputs};
use router_core::units::VcId;

/// The packet at which a planted defect shows.
const PLANTED_AT: u32 = 50;

/// A packet to send, and the mark of its record.
#[derive(Clone, Copy, Debug)]
struct Offer {
    head: Content,
    mark: u32,
}

/// A packet that comes.
#[derive(Clone, Copy, Debug)]
struct Arriving {
    name: Option<Name>,
    flits: u16,
    came: u16,
    defect: Option<Defect>,
}

/// The link between a node and its router.
#[derive(Debug)]
pub(crate) struct Node {
    order: Order,
    grid: Grid,
    lfsr: Lfsr,
    offers: Deque<Offer, AHEAD>,
    /// Packets offered.
    offered: u32,
    /// The flit to send next, if the packet under way has one.
    next: Option<Content>,
    /// Its bytes, when it has been sent.
    payload: [u8; BYTES],
    /// Free places of the router's buffer.
    credits: u16,
    owed: Option<VcId>,
    arriving: Option<Arriving>,
    delivered: u32,
    /// For the log.
    record: Option<Record>,
    /// That all has been sent is said once.
    is_done: bool,
    repeats: bool,
}

impl Node {
    pub(crate) fn new(order: Order, grid: Grid) -> Self {
        Self {
            order,
            grid,
            lfsr: Lfsr::new(order.seed, order.session().get()),
            offers: Deque::new(),
            offered: 0,
            next: None,
            payload: [0; BYTES],
            credits: BUFFER,
            owed: None,
            arriving: None,
            delivered: 0,
            record: None,
            is_done: false,
            repeats: order.plant == Plant::Repeat,
        }
    }

    /// Between two steps of the switch: records of the one before, packets for the next one.
    pub(crate) fn tend(&mut self, log: &mut Log) {
        if let Some(record) = self.record.take() {
            log.put(&record);
        }
        if self.offered < self.order.packets && !self.offers.is_full() {
            self.offer(log);
        }
        if self.next.is_none() && self.offers.front().is_some_and(|offer| log.has_written(offer.mark)) {
            self.swap();
            self.next = self.offers.front().map(|offer| offer.head);
            // One that is sent twice is offered once.
            let repeats = self.repeats && self.next.is_some_and(|head| head.name.number >= PLANTED_AT);
            self.repeats &= !repeats;
            if !repeats {
                self.offers.pop_front();
            }
        }
        let is_over = self.offered >= self.order.packets && self.offers.is_empty() && self.next.is_none();
        if is_over && !self.is_done {
            self.is_done = true;
            log.put(&Record::Done);
        }
    }

    fn offer(&mut self, log: &mut Log) {
        self.lfsr.step();
        let draw = |below: u8, turn: u8| self.lfsr.tap(turn, 0).below(below.into()) as u8;
        // Any other board.
        let other = draw(self.order.boards().saturating_sub(1), 0);
        let to = if other >= self.order.board { other.saturating_add(1) } else { other };
        let flits = SHORTEST.saturating_add(draw(self.order.longest.min(LONGEST), 1));
        let name = Name { source: self.order.board, life: self.order.life, number: self.offered };
        self.offered = self.offered.saturating_add(1);
        log.put(&Record::Offered { name, to, flits });
        let offer = Offer { head: Content { name, to, index: 0, flits }, mark: log.mark() };
        // There is a place: it was asked for.
        let _ = self.offers.push_back(offer);
    }

    /// A planted defect: two packets to one board in the wrong order.
    fn swap(&mut self) {
        if self.order.plant != Plant::Swap {
            return;
        }
        let mut offers = self.offers.iter_mut();
        if let (Some(one), Some(other)) = (offers.next(), offers.next())
            && one.head.to == other.head.to
            && one.head.name.number >= PLANTED_AT
        {
            core::mem::swap(one, other);
            self.order.plant = Plant::None;
        }
    }

    fn address(&self, board: u8) -> Address {
        Address { router: self.grid.address(&self.order.coordinates(board)), port: 0 }
    }

    fn packet(&self, head: &Content) -> Packet {
        let carried = Carried::default().with_source(self.address(self.order.board));
        let header =
            Header { to: self.address(head.to), length: head.flits.into(), carried, ..Header::default() };
        Packet { header, tag: head.name.number }
    }

    fn next_flit(&mut self) -> Option<Flit> {
        if self.credits == 0 {
            return None;
        }
        let content = self.next?;
        self.credits = self.credits.saturating_sub(1);
        self.payload = content.write();
        let index = content.index.saturating_add(1);
        let tail = index >= content.flits;
        self.next = (!tail).then_some(Content { index, ..content });
        Some(if content.index == 0 { Flit::Head(self.packet(&content)) } else { Flit::Body { tail } })
    }

    /// Looks at a flit that came.
    fn take(&mut self, flit: Flit, payload: &[u8]) {
        let content = Content::read(payload);
        if let Flit::Head(packet) = flit {
            let name = content.map(|content| content.name);
            let flits = packet.header.length;
            // A head before the tail of another one: that one never ends.
            let defect = self.arriving.map(|_| Defect::Wrong);
            self.arriving = Some(Arriving { name, flits, came: 0, defect });
        }
        let Some(mut arriving) = self.arriving else { return };
        let expected = content.is_some_and(|content| {
            Some(content.name) == arriving.name
                && u16::from(content.index) == arriving.came
                && u16::from(content.flits) == arriving.flits
                && content.to == self.order.board
        });
        if !expected {
            // Zeros are what a link ends a packet with.
            let is_filler = arriving.came > 0 && payload.iter().all(|&byte| byte == 0);
            let defect = if is_filler { Defect::CutShort } else { Defect::Wrong };
            arriving.defect = arriving.defect.or(Some(defect));
        }
        arriving.came = arriving.came.saturating_add(1);
        self.arriving = Some(arriving);
        if flit.is_tail() {
            self.arriving = None;
            self.judge(&arriving);
        }
    }

    fn judge(&mut self, came: &Arriving) {
        let whole = came.came == came.flits;
        self.record = Some(match (came.defect, came.name) {
            (None, Some(name)) if whole => Record::Delivered { name },
            (defect, name) => Record::Broken { name, defect: defect.unwrap_or(Defect::Wrong) },
        });
        self.delivered = self.delivered.saturating_add(1);
        if self.order.plant == Plant::Swallow && self.delivered == PLANTED_AT {
            self.record = None;
        }
    }
}

impl Link for Node {
    fn receive(&mut self) -> PortInputs {
        let flit = self.next_flit().map(|flit| FlitSignal { vc: VcId::new(0), flit });
        PortInputs { flit, credit: self.owed.take() }
    }

    fn read_payload(&mut self, to: &mut [u8]) {
        to.iter_mut().zip(&self.payload).for_each(|(place, byte)| *place = *byte);
    }

    fn send(&mut self, driven: PortInputs) {
        self.send_with(driven, &[]);
    }

    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        if let Some(FlitSignal { vc, flit }) = driven.flit {
            self.owed = Some(vc);
            self.take(flit, payload);
        }
        if driven.credit.is_some() {
            self.credits = self.credits.saturating_add(1);
        }
    }
}
