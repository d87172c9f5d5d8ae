//! What the routers of a group tell each other, cycle by cycle.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::exchange::Exchange;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::layout;
use desvio_core::links::{Links, PortSizes};
use desvio_core::map::dragonfly::{Arrangement, Dragonfly};
use desvio_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use desvio_core::plan::Plan;
use desvio_core::route::olm::{Olm, OlmScheme};
use desvio_core::route::{Here, Routing};
use desvio_core::router::Router;
use desvio_core::select::Selection;
use desvio_core::select::ectn::EctnTrigger;
use desvio_core::state::{Register, Values};
use desvio_core::units::{PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;

/// Port 0 leads to the node, 1 to the other router of the group, 2 to another group.
const KINDS: [PortClass; 3] = [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL];
const PORTS: usize = 4;
const PERIOD: u16 = 5;

/// Router 0 of group 0, of three groups of two.
struct Member {
    plan: Plan<PORTS>,
    routing: Routing<'static>,
    pins: Pins<Vec<Descriptor>, PORTS, 4, 8>,
    exchange: Exchange<Vec<u16>>,
}

impl Member {
    fn new(speedup: u8) -> Self {
        Self::with_rows(speedup, |places| places)
    }

    /// One whose rows are as many words, of as many as there should be.
    fn with_rows(speedup: u8, rows: impl Fn(usize) -> usize) -> Self {
        let trigger = EctnTrigger { combined_threshold: 3, period: PERIOD, ..EctnTrigger::default() };
        let sizes = [3, 3, 2].map(|vcs| PortSizes { vcs, buffer: 16 });
        let mut plan = Plan::new(&KINDS, &sizes).unwrap();
        (plan.selection, plan.groups, plan.options.output_flits) = (Selection::Ectn(trigger), 3, 8);
        let map = Dragonfly::new(1, 1, &[2; 3], Arrangement::Palmtree).unwrap();
        let ports = PortSet::first_n(KINDS.len());
        let here = Here { wired: ports, group_exits: PortSet::only(PortId::new(1)), ..Here::default() };
        let router = Router::new(&plan, here, vec![Descriptor::default(); plan.links.places()], 0, 1);
        let rows = vec![0; rows(Exchange::<Vec<u16>>::places(&plan))];
        Self {
            exchange: Exchange::new(&plan, &trigger, speedup, rows),
            pins: Pins::new(router, speedup),
            routing: Routing::Olm(Olm { map, scheme: OlmScheme::default() }),
            plan,
        }
    }

    /// A cycle in which these heads come, each at a port and for a group, and these counters from the other router.
    fn step(&mut self, heads: &[(u8, u32)], counts: Option<[u16; 3]>) {
        let mut inputs = Bundle::default();
        for &(port, group) in heads {
            let to = Address { router: group << layout::ADDRESS_INDEX_BITS, port: 0 };
            let flit = Flit::Head(Packet { header: Header { to, length: 8, ..Header::default() }, tag: 0 });
            let flit = Some(FlitSignal { vc: VcId::new(0), flit });
            inputs.set(PortId::new(port), PortInputs { flit, credit: None });
        }
        let notices = counts.iter().map(|counts| (0, counts.as_slice()));
        let (_, result) = self.exchange.step(&mut self.pins, &self.plan, &self.routing, &inputs, notices);
        result.unwrap();
    }
}

/// Counters on the wires in cycle 2 are known to selection in cycle 5, and until others have taken their place.
#[test]
fn what_comes_is_known_three_cycles_later() {
    let mut member = Member::new(1);
    let mut known = Vec::new();
    for cycle in 0..12 {
        known.push(member.pins.router().told_of(1));
        assert!(!member.pins.router().told_of(2), "two packets are too few");
        let counts = [(2, [9, 3, 2]), (6, [0, 2, 2])].into_iter().find(|&(at, _)| at == cycle);
        member.step(&[], counts.map(|(_, counts)| counts));
    }
    let expected: Vec<_> = (0..12).map(|cycle| (5..9).contains(&cycle)).collect();
    assert_eq!(known, expected);
}

/// With too few words for the rows some counters are not kept; nothing else happens.
#[test]
fn too_few_words_do_no_harm() {
    let all = Exchange::<Vec<u16>>::places(&Member::new(1).plan);
    for words in 0..all {
        let mut member = Member::with_rows(1, |_| words);
        (0..12).for_each(|cycle| member.step(&[], Some([cycle, 9, 9])));
    }
}

/// Each period the router sends the number of packets that have come from its node and from other groups, on their way out included, but
/// not of those that came from the group. Its own counters add to those that it receives.
#[test]
fn a_router_counts_what_leaves_the_group_by_it() {
    for speedup in 1..=2u8 {
        let mut member = Member::new(speedup);
        member.step(&[(0, 1), (1, 2), (2, 0)], None);
        for _ in 0..4 {
            member.step(&[], None);
            assert!(member.exchange.tells().is_none());
        }
        // The packet from the node leaves for group 1, with a bit above the two of a group's number. The others leave for none.
        let values = Values::of(&member.pins, &member.plan, 3);
        let leaving = [0, 1, 2].map(|port| values.get(Register::Leaving(PortId::new(port), VcId::new(0))));
        assert_eq!(leaving, [0b101, 0, 0]);
        let cycles = u32::from(PERIOD) * u32::from(speedup);
        let told: Vec<_> = (5..=3 * cycles)
            .filter(|&cycle| {
                let told = member.exchange.tells().map(<[u16]>::to_vec);
                assert!(told.as_ref().is_none_or(|counts| counts == &[0, 1, 0]), "{told:?}");
                // Two more are told of by the other router: three are as many as the threshold.
                let other = (cycle == cycles).then_some([0, 2, 0]);
                member.step(&[], other);
                told.is_some()
            })
            .collect();
        assert_eq!(told, [cycles + 1, 2 * cycles + 1], "the first count is due in cycle {cycles}");
        assert_eq!((member.exchange.heard(0, 1), member.exchange.heard(1, 1)), (1, 2));
        assert!(member.pins.router().told_of(1));
    }
}

/// A row of this router, and two for each router behind a local port, however many links lead to other groups.
#[test]
fn there_are_rows_for_the_routers_behind_local_ports() {
    for (locals, globals) in (0..4).flat_map(|locals| (0..4).map(move |globals| (locals, globals))) {
        let mut classes = vec![PortClass::NODE];
        classes.extend(vec![PortClass::LOCAL; locals]);
        classes.extend(vec![PortClass::GLOBAL; globals]);
        let mut plan = Plan::<7>::new(&classes, &[PortSizes { vcs: 1, buffer: 1 }; 3]).unwrap();
        plan.groups = 5;
        assert_eq!(Exchange::<Vec<u16>>::places(&plan), 5 * (1 + 2 * locals), "{locals} {globals}");
    }
}

/// What each of the others sends is kept for itself, and a speed of nothing counts as one.
#[test]
fn each_of_the_others_has_its_row() {
    let Member { mut plan, routing, mut pins, .. } = Member::new(1);
    let classes = [PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL, PortClass::GLOBAL];
    plan.links = Links::new(&classes, &[PortSizes { vcs: 2, buffer: 16 }; 3]).unwrap();
    let trigger = EctnTrigger { period: PERIOD, ..EctnTrigger::default() };
    for from in 0..2 {
        let rows = vec![0; Exchange::<Vec<u16>>::places(&plan)];
        let mut exchange = Exchange::new(&plan, &trigger, 0, rows);
        assert_eq!(exchange.left(), PERIOD.into());
        for counts in [Some([4, 5, 6]), None] {
            let notices = counts.iter().map(|counts| (from, counts.as_slice()));
            exchange.step(&mut pins, &plan, &routing, &Bundle::default(), notices).1.unwrap();
        }
        let heard = [1, 2].map(|other| [0, 1, 2].map(|group| exchange.heard(other, group)));
        let expected = [0, 1].map(|other| if other == from { [4, 5, 6] } else { [0; 3] });
        assert_eq!(heard, expected);
    }
}
