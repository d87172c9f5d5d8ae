//! Credits that are held back, beside the rule.

use super::super::wheel::End;
use super::super::{Network, Partition};
use super::*;
use crate::scenario::Scenario;
use crate::topology::Peer;
use crate::traffic::Traffic;
use router_core::header::Flit;
use router_core::units::VcId;
use std::path::Path;

const CRT: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n\
                   pattern = { adversarial = 1 }\n[routing]\nalgorithm = \"ugal-dragonfly\"\nknowledge = \"credits\"\n";

fn blueprint(sets: &[&str]) -> Blueprint {
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    Blueprint::new(Scenario::parse(CRT, "net.toml", Path::new("."), &sets).unwrap()).unwrap()
}

/// A router, its delays, and the clock: signals that leave it and those that come back.
struct World<'b> {
    blueprint: &'b Blueprint,
    delays: CreditDelays,
}

impl World<'_> {
    /// Puts a signal on the wire of a port and says how much later than it would it arrives.
    fn pass(&mut self, router: usize, port: u8, at: u64, signal: Signal) -> u64 {
        let to = match self.blueprint.wiring().peer(router, port.into()) {
            Some(Peer::Router { router, port }) => End::port::<8>(router as usize, port.into()),
            _ => End::node(0),
        };
        let from = End::port::<8>(router, port.into());
        let way = Way { router, port: PortId::new(port), from, on_wire: at, when: at + 21, to: to.tapped() };
        self.delays.pass::<8>(&way, signal) - way.when
    }

    /// A flit leaves by `out` in cycle `at`, and the credit for it by `input`: how long that is held.
    fn forward(&mut self, router: usize, (input, out): (u8, u8), at: u64) -> u64 {
        self.pass(router, out, at, Signal::Flit(VcId::new(0), Flit::Body { tail: false }));
        self.pass(router, input, at, Signal::Credit(VcId::new(0)))
    }

    /// The router behind a port sends a credit back in cycle `at`.
    fn give_back(&mut self, router: usize, port: u8, at: u64) {
        let Some(Peer::Router { router, port }) = self.blueprint.wiring().peer(router, port.into()) else {
            panic!("no router")
        };
        // What it sent last does not matter: nothing is known of its own outputs.
        self.pass(router as usize, port, at, Signal::Credit(VcId::new(0)));
    }
}

/// Ports 2 to 4 are local, 5 and 6 global. A credit is held by as much as that of the output took longer than its shortest, less the least
/// of the other outputs. It is not held over a global link, and comes no earlier than the one before.
#[test]
fn credits_are_held_by_the_delay_of_the_output() {
    let blueprint = blueprint(&[]);
    let delays = CreditDelays::new(&blueprint).unwrap();
    let mut world = World { blueprint: &blueprint, delays };
    // The credits of the first flits take as long as they must, those of the next ones by 5 and, at port 6, by 47 cycles longer.
    for (port, longer) in [(2, 5), (3, 5), (4, 5), (5, 5), (6, 47)] {
        assert_eq!(world.forward(0, (0, port), 100), 0);
        world.give_back(0, port, 150);
        assert_eq!(world.forward(0, (0, port), 200), 0);
        world.give_back(0, port, 250 + longer);
    }
    assert_eq!(world.forward(0, (2, 6), 290), 0, "the last credit has yet to come");
    assert_eq!(world.forward(0, (2, 6), 400), 42);
    assert_eq!(world.forward(0, (2, 6), 401), 42);
    assert_eq!(world.forward(0, (2, 5), 402), 42, "behind the one before");
    assert_eq!(world.forward(0, (3, 5), 403), 0, "port 5 is as the others");
    assert_eq!(world.forward(0, (5, 6), 404), 0, "over a global link");
    assert_eq!(world.forward(0, (3, 0), 405), 0, "to a node");
}

/// Nothing is held where nothing waits: UGAL-L, to the cycle. Under load it is another network, and its books add up.
#[test]
fn where_nothing_waits_nothing_is_held() {
    let run = |knowledge: &str, load: f64, cycles: u64| {
        let blueprint = blueprint(&[&format!("routing.knowledge={knowledge}")]);
        let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), load, 1).unwrap();
        let partition = Partition::with(&blueprint, 2);
        let mut network = Network::<8, 4>::new(&blueprint, &traffic, &partition, &|| true).unwrap();
        network.run_to(cycles);
        network.audit();
        assert_eq!(network.violation(), None);
        format!("{:?}", network.tally())
    };
    assert_eq!(run("credits", 0.001, 4000), run("router", 0.001, 4000));
    assert_ne!(run("credits", 0.5, 2000), run("router", 0.5, 2000));
}
