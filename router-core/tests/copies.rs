//! A packet for a group leaves by all branches of its tree, one copy after the other.
#![cfg(not(feature = "small"))]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use desvio_core::header::{Flit, Header, Packet};
use desvio_core::links::PortSizes;
use desvio_core::map::trees::{TreeRow, Trees};
use desvio_core::plan::Plan;
use desvio_core::route::{Arrival, Candidates, Full, Grouped, Here, Route};
use desvio_core::router::{Router, Wires};
use desvio_core::units::{Channel, PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;

const PORTS: usize = 4;
const LENGTH: u16 = 5;
/// Ports 1 and 2 lead to routers, 0 and 3 to members.
const TREE: [u8; PORTS] = [1, 2, 0, 3];
const FIRST: u32 = 100;

/// No routes: all packets are for groups.
#[derive(Clone, Copy, Debug)]
struct Nowhere;

impl Route for Nowhere {
    fn offer(&self, _: &Here, _: Arrival, _: &Header) -> Result<Candidates, Full> {
        Ok(Candidates::NONE)
    }
}

#[derive(Default)]
struct Seen {
    /// Output, its VC, link cycle, tag of a head.
    flits: Vec<(u8, u8, u64, Option<u32>)>,
    /// Flits that had left when each credit went back.
    credits: Vec<usize>,
    kept: usize,
    copies: u32,
}

impl Wires for Seen {
    fn flit(&mut self, to: Channel, at: u64, flit: Flit) {
        let tag = if let Flit::Head(packet) = flit { Some(packet.tag) } else { None };
        self.flits.push((to.port.number(), to.vc.number(), at, tag));
    }
    fn credit(&mut self, from: Channel) {
        assert_eq!(from, Channel::new(PortId::new(0), VcId::new(0)));
        self.credits.push(self.flits.len());
    }
    fn copy(&mut self, packet: &Packet) -> u32 {
        assert_eq!(packet.tag, 7);
        self.copies += 1;
        70 + self.copies
    }
    fn keep(&mut self) {
        self.kept += 1;
    }
}

/// Two packets come by port 0, flit by flit, to a router whose outputs of `full` have no room in the first 100 cycles.
fn run(full: &[u8]) -> Seen {
    let ports = TREE.map(PortId::new);
    let rows = [TreeRow { group: 2, router: 9, first: 0, links: 2, members: 2 }];
    let trees = Trees::load(&rows, &ports, FIRST, (VcId::new(1), true)).unwrap();
    let routing = Grouped::new(Nowhere, Some(trees));
    let kinds = [PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL, PortClass::NODE];
    let mut plan = Plan::<PORTS>::new(
        &kinds,
        &[PortSizes { vcs: 2, buffer: 2 * LENGTH }, PortSizes { vcs: 2, buffer: LENGTH }],
    )
    .unwrap();
    plan.groups_from = Some(FIRST);
    let here = Here { router: 9, wired: PortSet::first_n(PORTS), ..Here::default() };
    let store = vec![Descriptor::default(); plan.links.places()];
    let mut core = Router::<_, PORTS, 2>::new(&plan, here, store, 0, 1);
    let mut seen = Seen::default();
    let from = Channel::new(PortId::new(0), VcId::new(0));
    let header = Header { to: trees.address(2), length: LENGTH, ..Header::default() };
    let mut held: Vec<Channel> = Vec::new();
    for cycle in 0..300u64 {
        let before = seen.flits.len();
        core.step(&plan, &routing, cycle + 1, &mut seen);
        held.extend(
            seen.flits
                .iter()
                .skip(before)
                .map(|&(port, vc, ..)| Channel::new(PortId::new(port), VcId::new(vc))),
        );
        held.retain(|&to| {
            let waits = full.contains(&to.port.number()) && cycle < 100;
            waits || core.handle_credit(&plan, to).is_err()
        });
        if cycle < 2 * u64::from(LENGTH) {
            let flit = match cycle % u64::from(LENGTH) {
                0 => Flit::Head(Packet { header, tag: 7 }),
                place => Flit::Body { tail: place + 1 == LENGTH.into() },
            };
            core.handle_flit(&plan, &routing, from, &flit).unwrap();
        }
        let whole = core.input(from.port, from.vc).unwrap().flits() + core.kept(&plan, from.port, from.vc);
        let written = (cycle + 1).min(2 * u64::from(LENGTH)) as usize;
        assert_eq!(
            usize::from(whole),
            written - seen.credits.len(),
            "cycle {cycle}: a flit without a credit is in the buffer"
        );
    }
    assert_eq!(core.error_count(), 0);
    assert!((0..PORTS as u8).all(|port| core.contention(PortId::new(port)) == 0));
    seen
}

/// Three copies each, in a row without a gap; tags and credits but for the last one are those of copies.
#[test]
fn copies_leave_in_a_row_and_the_last_one_frees_the_buffer() {
    let seen = run(&[]);
    let length = usize::from(LENGTH);
    assert_eq!(seen.flits.len(), 6 * length);
    for (number, copy) in seen.flits.chunks(length).enumerate() {
        assert!(
            copy.iter().all(|flit| (flit.0, flit.1) == (copy[0].0, copy[0].1)),
            "no copy leaves inside another"
        );
        let is_last = number % 3 == 2;
        assert_eq!(copy[0].3.unwrap() == 7, is_last);
        assert_eq!(copy[0].1 == 1, [1, 2].contains(&copy[0].0), "the trees' own VC on links alone");
    }
    for message in seen.flits.chunks(3 * length) {
        let mut outputs: Vec<_> = message.chunks(length).map(|copy| copy[0].0).collect();
        outputs.sort_unstable();
        assert_eq!(outputs, [1, 2, 3], "not back to where it came from");
    }
    let times: Vec<_> = seen.flits.iter().map(|flit| flit.2).collect();
    assert_eq!(
        times[3 * length - 1] - times[0],
        3 * u64::from(LENGTH) - 1,
        "no cycle is lost between copies"
    );
    assert_eq!((seen.kept, seen.copies as usize), (4 * length, 4));
    let expected = (2 * length + 1..=3 * length).chain(5 * length + 1..=6 * length);
    assert_eq!(seen.credits, expected.collect::<Vec<_>>());
}

/// The buffer behind a branch holds one packet: the second one leaves by the others first, and waits for it alone.
#[test]
fn a_branch_without_room_is_served_last() {
    for full in [1, 2] {
        let seen = run(&[full]);
        let copies: Vec<_> =
            seen.flits.chunks(usize::from(LENGTH)).map(|copy| (copy[0].0, copy[0].2)).collect();
        let (last, others) = copies.split_last().unwrap();
        assert_eq!((copies.len(), last.0), (6, full));
        assert!(last.1 > 100 && others.iter().all(|copy| copy.1 < 50), "{copies:?}");
    }
}
