//! Marks of congestion at one router's pins: roots, victims, thresholds.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::header::{Address, Carried, Flit, Header, Packet};
use desvio_core::links::PortSizes;
use desvio_core::map::grid::Grid;
use desvio_core::mark::{MarkSettings, Marking, limit};
use desvio_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use desvio_core::plan::Plan;
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::{Here, Routing};
use desvio_core::router::{Router, Wires};
use desvio_core::units::{Channel, PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;

const PORTS: usize = 4;
/// Flits of a buffer and of a packet.
const BUFFER: u16 = 16;
const LENGTH: u16 = 4;
/// The way up, from the middle of a line of three.
const UP: PortId = PortId::new(1);

/// A packet as it was injected: flits that waited then, and whether it left with a mark.
#[derive(Debug)]
struct Seen {
    waiting: u16,
    marked: bool,
}

/// The router in the middle of a line of three, with one VC, to which its node and the first router send packets for the last one as
/// fast as they can.
struct Line {
    plan: Plan<PORTS>,
    routing: Routing<'static>,
    pins: Pins<Vec<Descriptor>, PORTS, 1, 16>,
    /// What the senders may send, and what is left of their packets.
    credits: [u16; 2],
    left: [u16; 2],
    seen: Vec<Seen>,
    /// The neighbour has taken so many flits and not returned a credit.
    owed: u32,
}

impl Line {
    /// The ports that the senders are at.
    const SENDERS: [PortId; 2] = [PortId::new(0), PortId::new(2)];

    fn new(marking: Marking<PORTS>, (speedup, output_flits): (u8, u32)) -> Self {
        let sizes = PortSizes { vcs: 1, buffer: BUFFER };
        let kinds = [PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL];
        let mut plan = Plan::new(&kinds, &[sizes; 2]).unwrap();
        (plan.options.output_flits, plan.marking) = (output_flits, marking);
        let here = Here { router: 1, wired: PortSet::first_n(3), ..Here::default() };
        let store = vec![Descriptor::default(); plan.links.places()];
        let pins = Pins::new(Router::new(&plan, here, store, 1, 1), speedup);
        let grid = Grid::new(&[3], 1, false).unwrap();
        let routing = Routing::DimensionOrder(DimensionOrder { grid, vcs: 1 });
        Self { plan, routing, pins, credits: [BUFFER; 2], left: [0; 2], seen: Vec::new(), owed: 0 }
    }

    fn waiting(&self) -> u16 {
        Self::SENDERS.map(|port| self.pins.router().input(port, VcId::new(0)).unwrap().flits()).iter().sum()
    }

    /// A sender's next flit; `starts` if it may start another packet.
    fn flit(&mut self, sender: usize, starts: bool) -> Option<Flit> {
        let left = self.left[sender];
        if self.credits[sender] == 0 || left == 0 && !(starts && self.credits[sender] >= LENGTH) {
            return None;
        }
        self.credits[sender] -= 1;
        if left > 0 {
            self.left[sender] -= 1;
            return Some(Flit::Body { tail: left == 1 });
        }
        self.left[sender] = LENGTH - 1;
        let (to, tag) = (Address { router: 2, port: 0 }, self.seen.len() as u32);
        self.seen.push(Seen { waiting: self.waiting(), marked: false });
        // A packet that answers a congested one, which no router changes.
        let carried = Carried::default().with_marks(false, tag % 2 == 1).with_level(9);
        let header = Header { to, length: LENGTH, carried, ..Header::default() };
        Some(Flit::Head(Packet { header, tag }))
    }

    /// One internal cycle; the neighbour returns a credit if it `returns` them.
    fn cycle(&mut self, starts: bool, returns: bool) {
        let mut inputs = Bundle::<PORTS>::default();
        if self.pins.phase() == 0 {
            for (sender, port) in Self::SENDERS.into_iter().enumerate() {
                let flit = self.flit(sender, starts).map(|flit| FlitSignal { vc: VcId::new(0), flit });
                inputs.set(port, PortInputs { flit, credit: None });
            }
            if returns && self.owed > 0 {
                self.owed -= 1;
                inputs.set(UP, PortInputs { flit: None, credit: Some(VcId::new(0)) });
            }
        }
        let (outputs, result) = self.pins.step(&self.plan, &self.routing, &inputs);
        result.unwrap();
        for (sender, port) in Self::SENDERS.into_iter().enumerate() {
            self.credits[sender] += u16::from(outputs.at(port).credit.is_some());
        }
        let Some(FlitSignal { flit, .. }) = outputs.at(UP).flit else { return };
        self.owed += 1;
        if let Flit::Head(packet) = flit {
            let carried = packet.header.carried;
            assert_eq!((carried.backward_mark(), carried.level()), (packet.tag % 2 == 1, 9));
            self.seen[packet.tag as usize].marked = carried.forward_mark();
        }
    }

    /// Sends with a neighbour that takes everything at once, or nothing until the senders are done.
    fn run(mut self, takes: bool) -> Vec<Seen> {
        (0..400).for_each(|_| self.cycle(true, takes));
        (0..400).for_each(|_| self.cycle(false, true));
        assert_eq!(self.waiting(), 0);
        self.seen
    }
}

fn marking(weight: u8, victims: bool) -> Marking<PORTS> {
    let victims = if victims { PortSet::only(UP) } else { PortSet::EMPTY };
    Marking::new(MarkSettings::default(), victims).with_weight(UP, VcId::new(0), weight)
}

/// A head is marked if more than the limit waits when it is written: what waited when it was sent, but for up to two flits that have come or
/// left since.
fn agrees(seen: &[Seen], weight: u8) {
    let limit = limit(weight, BUFFER.into()).unwrap();
    for (tag, Seen { waiting, marked }) in seen.iter().enumerate() {
        let waiting = u32::from(*waiting);
        let fits = if *marked { waiting + 2 > limit } else { waiting <= limit + 2 };
        assert!(fits, "packet {tag} found {waiting} flits, limit {limit}: {marked}");
    }
}

#[test]
fn a_root_marks_what_finds_a_queue_longer_than_its_limit() {
    for weight in 1..=15 {
        for victims in [false, true] {
            let seen = Line::new(marking(weight, victims), (1, 1)).run(true);
            assert!(
                seen.len() > 80 && seen[60..].iter().all(|seen| seen.marked),
                "weight {weight}: {seen:?}"
            );
            agrees(&seen, weight);
        }
    }
}

#[test]
fn a_victim_marks_by_its_mask_alone() {
    for (weight, speed) in [(15, (1, 1)), (8, (2, 8)), (1, (2, 16))] {
        let seen = Line::new(marking(weight, false), speed).run(false);
        // Credits for four packets: the router is a root until they are used up. The buffers take eight more, the last four as victims.
        assert_eq!(seen.len(), 12);
        assert!(seen[8..].iter().all(|seen| !seen.marked), "{weight}: {seen:?}");
        let seen = Line::new(marking(weight, true), speed).run(false);
        agrees(&seen, weight);
        assert!(seen.last().unwrap().marked, "{weight}: {seen:?}");
    }
}

/// All credits may be in the FIFO of the output, whose link is busy: that is a root.
#[test]
fn a_full_output_fifo_is_no_lack_of_credits() {
    let seen = Line::new(marking(15, false), (2, 16)).run(true);
    assert!(seen.len() > 40 && seen[20..].iter().all(|seen| seen.marked), "{seen:?}");
}

#[test]
fn no_weight_and_no_size_no_mark() {
    let none = |seen: Vec<Seen>| seen.len() > 80 && seen.iter().all(|seen| !seen.marked);
    assert!(none(Line::new(marking(0, true), (1, 1)).run(true)));
    // The weights are those of other ports.
    let other = marking(0, true).with_weight(PortId::new(0), VcId::new(0), 15);
    assert!(none(Line::new(other, (1, 1)).run(true)));
    let mut long = marking(15, true);
    long.settings.packet_size = LENGTH + 1;
    assert!(none(Line::new(long.clone(), (1, 1)).run(true)));
    long.settings.packet_size = LENGTH;
    assert!(!none(Line::new(long, (1, 1)).run(true)));
}

/// Each fourth packet on average, of those that a rate of 0 marks.
#[test]
fn the_rate_thins_the_marks_out() {
    let marks = |rate: u16| {
        let mut thinned = marking(15, false);
        thinned.settings.marking_rate = rate;
        let mut line = Line::new(thinned, (1, 1));
        (0..40_000).for_each(|_| line.cycle(true, true));
        let seen = line.seen.len() as f64;
        (line.seen.iter().filter(|seen| seen.marked).count() as f64, seen)
    };
    let (all, seen) = marks(0);
    assert!(all > 0.99 * seen, "{all} of {seen}");
    for rate in [1, 3, 9] {
        let (marked, seen) = marks(rate);
        let share = 1.0 / (f64::from(rate) + 1.0);
        let deviation = (seen * share * (1.0 - share)).sqrt();
        assert!((marked - seen * share).abs() < 4.0 * deviation, "rate {rate}: {marked} of {seen}");
    }
}

/// Their registers may be written while the router runs.
#[test]
fn marks_begin_and_end_with_their_settings() {
    let mut line = Line::new(marking(0, false), (1, 1));
    let mut marks = |weight: u8| {
        line.plan.marking = marking(weight, false);
        (0..400).for_each(|_| line.cycle(true, true));
        let recent = &line.seen[line.seen.len() - 20..];
        recent.iter().filter(|seen| seen.marked).count()
    };
    assert_eq!(marks(0), 0);
    // What has not left yet has no mark so far.
    assert!(marks(15) >= 10);
    assert_eq!(marks(0), 0);
}

/// What left the router: each packet's tag, and whether it has a mark.
#[derive(Default)]
struct Left(Vec<(u32, bool)>);

impl Wires for Left {
    fn flit(&mut self, _to: Channel, _at: u64, flit: Flit) {
        if let Flit::Head(packet) = flit {
            self.0.push((packet.tag, packet.header.carried.forward_mark()));
        }
    }

    fn credit(&mut self, _from: Channel) {}
}

/// Of the flits in the FIFO those beyond one packet count as room. With so many credits and so many flits there, a packet that finds another one
/// waiting is marked where both together are room for it.
#[test]
fn what_waits_for_the_link_is_room_but_for_one_packet() {
    for (credits, queued) in
        (0..LENGTH).flat_map(|credits| (0..=BUFFER - credits).map(move |queued| (credits, queued)))
    {
        let Line { plan, routing, .. } = Line::new(marking(15, false), (1, BUFFER.into()));
        let here = Here { router: 1, wired: PortSet::first_n(3), ..Here::default() };
        let store = vec![Descriptor::default(); plan.links.places()];
        let mut core = Router::<_, PORTS, 1>::new(&plan, here, store, 1, 1);
        let mut left = Left::default();
        let head = |tag| {
            let to = Address { router: 2, port: 0 };
            Flit::Head(Packet { header: Header { to, length: LENGTH, ..Header::default() }, tag })
        };
        let node = Channel::new(Line::SENDERS[0], VcId::new(0));
        let up = Channel::new(UP, VcId::new(0));
        // Four packets take all credits in one link cycle, and the fifth waits.
        for flit in 0..5 * LENGTH {
            let flit = match flit % LENGTH {
                0 => head(u32::from(flit / LENGTH)),
                at => Flit::Body { tail: at + 1 == LENGTH },
            };
            core.handle_flit(&plan, &routing, node, &flit).unwrap();
            (0..4).for_each(|_| core.step(&plan, &routing, 1, &mut left));
        }
        assert_eq!((left.0.len(), core.output(UP).unwrap().credits.left(up.vc)), (4, 0));
        // So many credits come back, while the link sends all but so many flits.
        (0..credits).for_each(|_| core.handle_credit(&plan, up).unwrap());
        let next = 1 + u64::from(BUFFER - queued);
        assert_eq!(core.queued(UP, next), queued.into());
        let other = Channel::new(Line::SENDERS[1], VcId::new(0));
        core.handle_flit(&plan, &routing, other, &head(5)).unwrap();
        core.step(&plan, &routing, next, &mut left);
        // The others, and the last packet leaves.
        (credits..BUFFER).for_each(|_| core.handle_credit(&plan, up).unwrap());
        for at in 1..LENGTH {
            core.handle_flit(&plan, &routing, other, &Flit::Body { tail: at + 1 == LENGTH }).unwrap();
        }
        (0..40).for_each(|cycle| core.step(&plan, &routing, next + cycle, &mut left));
        let is_root = credits + queued.saturating_sub(LENGTH) >= LENGTH;
        assert!(left.0.contains(&(5, is_root)), "{credits} credits, {queued} in the FIFO");
    }
}
