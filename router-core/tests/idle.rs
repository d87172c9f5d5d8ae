//! A router is left out of a step where that would change nothing.
#![cfg(not(feature = "small"))]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects)]

use desvio_core::fixed::U8F8;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::PortSizes;
use desvio_core::map::dragonfly::{Arrangement, Dragonfly, Place};
use desvio_core::options::Pipeline;
use desvio_core::plan::Plan;
use desvio_core::route::Here;
use desvio_core::route::olm::{Olm, OlmScheme};
use desvio_core::router::{Router, Wires};
use desvio_core::select::Selection;
use desvio_core::select::contention_average::AverageTrigger;
use desvio_core::units::{Channel, PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;

const PORTS: usize = 7;
const LENGTH: u16 = 2;

fn ports() -> impl Iterator<Item = PortId> {
    (0..PORTS as u8).map(PortId::new)
}

/// What leaves, for whose places credits come back.
#[derive(Default)]
struct Sent(Vec<Channel>);

impl Wires for Sent {
    fn flit(&mut self, to: Channel, _at: u64, _flit: Flit) {
        self.0.push(to);
    }

    fn credit(&mut self, _from: Channel) {}
}

/// Steps behind which a router holds no packet, and is not idle yet.
fn steps_to_rest(pipeline: Pipeline) -> usize {
    let map = Dragonfly::new(2, 2, &[4; 9], Arrangement::Palmtree).unwrap();
    let kinds: Vec<_> = ports().map(|port| map.class(port)).collect();
    let mut plan = Plan::<PORTS>::new(&kinds, &[3, 3, 2].map(|vcs| PortSizes { vcs, buffer: 8 })).unwrap();
    plan.options.pipeline = pipeline;
    plan.selection = Selection::ContentionAverage(AverageTrigger { factor: U8F8::ratio(4, 1) });
    let routing = Olm { map, scheme: OlmScheme::default() };
    let locals = ports().filter(|&port| map.class(port) == PortClass::LOCAL).collect();
    let here = Here { wired: PortSet::first_n(PORTS), group_exits: locals, ..Here::default() };
    let store = vec![Descriptor::default(); plan.links.places()];
    let mut core = Router::<_, PORTS, 3>::new(&plan, here, store, 0, 1);
    let (mut idle, mut at_rest_later) = (0, 0);
    for cycle in 0..2_000u32 {
        // Two packets at once now and then, and time to send them.
        let place = cycle % 40;
        for input in [0, 1].map(PortId::new) {
            let from = Channel::new(input, VcId::new(0));
            let to = Address { router: Place { group: cycle / 40 % 8 + 1, index: 1 }.address(), port: 0 };
            let header = Header { to, length: LENGTH, ..Header::default() };
            match place {
                0 => core.handle_flit(&plan, &routing, from, &Flit::Head(Packet { header, tag: 0 })).unwrap(),
                1 => core.handle_flit(&plan, &routing, from, &Flit::Body { tail: true }).unwrap(),
                _ => {}
            }
        }
        let flits = ports().flat_map(|port| (0..3).map(move |vc| (port, VcId::new(vc))));
        let holds_flit =
            flits.into_iter().any(|(port, vc)| core.input(port, vc).is_some_and(|vc| vc.flits() > 0));
        let (word, mut sent) = (core.lfsr().word(), Sent::default());
        core.step(&plan, &routing, u64::from(cycle) + 1, &mut sent);
        assert_eq!(core.lfsr().word() != word, holds_flit, "{pipeline:?}, cycle {cycle}");
        for to in sent.0 {
            core.handle_credit(&plan, to).unwrap();
        }
        let is_empty = ports().all(|port| core.contention(port) == 0);
        if core.is_idle() {
            idle += 1;
            let mut stepped = core.clone();
            for later in 1..9 {
                stepped.step(&plan, &routing, u64::from(cycle) + 1 + later, &mut Sent::default());
            }
            assert_eq!(format!("{stepped:?}"), format!("{core:?}"), "{pipeline:?}, cycle {cycle}");
        } else if is_empty {
            at_rest_later += 1;
        }
    }
    assert!(idle > 500, "{pipeline:?}: {idle}");
    at_rest_later
}

/// Its random register moves in each cycle in which it holds a flit, and in no other.
#[test]
fn a_step_of_an_idle_router_changes_nothing() {
    assert_eq!(steps_to_rest(Pipeline::Four), 0);
    for pipeline in [Pipeline::Five, Pipeline::Six] {
        // Behind each of 50 pairs of packets the mean takes two or three steps to come to rest.
        let steps = steps_to_rest(pipeline);
        assert!((100..=150).contains(&steps), "{steps}");
    }
}
