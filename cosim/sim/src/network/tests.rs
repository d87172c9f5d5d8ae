//! What must never happen is made to happen, and found.

mod ack_lane;
mod balance;
mod behind_tails;
mod carried;
mod circuits;
mod congestion;
mod depths;
mod discards;
mod down;
mod endpoints;
mod fat_tree;
mod idle;
mod lids;
mod lifetimes;
mod link_credits;
mod link_waits;
mod local_links;
mod multicast;
mod rates;
mod reservation;
mod shards;
mod shared_places;
mod static_rates;

use super::audit::ports;
use super::signal::Signal;
use super::tally::Series;
use super::violation::Violation;
use super::wheel::{End, NODES, ROUTERS, Slot};
use super::{Network, Partition};
use crate::blueprint::Blueprint;
use crate::scenario::Scenario;
use crate::traffic::Traffic;
use router_core::event::ProtocolError;
use router_core::header::{Flit, Packet};
use router_core::route::Route;
use router_core::units::{Bits, VcId};
use std::path::Path;

const OLM: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n";

pub(super) fn blueprint(text: &str, sets: &[&str]) -> Blueprint {
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    Blueprint::new(Scenario::parse(text, "net.toml", Path::new("."), &sets).unwrap()).unwrap()
}

/// Does something with a network in so many shards.
pub(super) fn with<T>(
    blueprint: &Blueprint,
    run: (f64, usize),
    test: impl FnOnce(&mut Network<'_, 8, 4>) -> T,
) -> T {
    with_size(blueprint, run, test)
}

/// The same for routers of up to `P` ports and `V` VCs: a size that the engine is compiled for in any case.
fn with_size<const P: usize, const V: usize, T>(
    blueprint: &Blueprint,
    (load, shards): (f64, usize),
    test: impl FnOnce(&mut Network<'_, P, V>) -> T,
) -> T {
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), load, 1).unwrap();
    let partition = Partition::with(blueprint, shards);
    test(&mut Network::<P, V>::new(blueprint, &traffic, &partition, &|| true).unwrap())
}

/// The nodes generate nothing more, and all that is inside comes to its end.
fn drain<const P: usize, const V: usize>(network: &mut Network<'_, P, V>) {
    assert_eq!(network.drained(), (None, 0));
}

impl<const P: usize, const V: usize, R: Route<B> + Sync, B: Bits> Network<'_, P, V, R, B> {
    /// What is wrong, and how many packets are inside, when the nodes have generated nothing for a long time.
    pub(crate) fn drained(&mut self) -> (Option<Violation>, usize) {
        let nodes = self.shards.iter_mut().flat_map(|shard| &mut shard.nodes);
        nodes.for_each(|node| node.source.request = None);
        self.run_to(self.cycle() + 10_000);
        self.audit();
        let routers = self.shards.iter().flat_map(|shard| &shard.routers).map(|switch| &switch.router);
        let counted = routers.flat_map(|router| ports::<P>().map(|port| router.contention(port)));
        assert!(
            self.live > 0 || counted.into_iter().all(|count| count == 0),
            "an empty router counts nothing"
        );
        (self.violation().cloned(), self.live)
    }
}

/// Runs a small busy network to cycle 1,000, does something to it, and runs on; says what was found.
fn after(harm: impl Fn(&mut Network<'_, 8, 4>)) -> Option<Violation> {
    let blueprint = blueprint(OLM, &[]);
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.3, 1).unwrap();
    let mut network =
        Network::<8, 4>::new(&blueprint, &traffic, &Partition::with(&blueprint, 1), &|| false).unwrap();
    network.run_to(1000);
    assert_eq!(network.violation(), None);
    harm(&mut network);
    network.run_to(6000);
    network.audit();
    network.violation().cloned()
}

/// The first internal cycle after the present one in which something of a kind arrives.
fn next_slot(network: &Network<'_, 8, 4>, has: impl Fn(Slot) -> bool) -> u64 {
    let now = network.cycle * network.constants.speedup;
    let wheel = &network.shards[0].wheel;
    (now..now + 500).find(|&when| has(wheel.slot(when))).unwrap()
}

#[test]
fn a_run_in_pieces_is_the_same_run() {
    let blueprint = blueprint(OLM, &[]);
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.7, 1).unwrap();
    let run = |ends: &[u64]| {
        let mut network =
            Network::<8, 4>::new(&blueprint, &traffic, &Partition::with(&blueprint, 1), &|| false).unwrap();
        ends.iter().for_each(|&end| network.run_to(end));
        format!("{:?} {:?}", network.tally(), network.injected())
    };
    assert_eq!(run(&[3000]), run(&[1, 2, 3, 700, 701, 2048, 3000]));
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    assert_eq!(after(|_| ()), None);
}

#[test]
fn every_head_carries_the_address_of_its_source() {
    let found = after(|network| {
        let (addresses, mut from_nodes) = (&network.constants.addresses, 0);
        for head in network.shards[0].wheel.all_heads() {
            let source = head.packet.header.carried.source();
            assert!(addresses.contains(&source), "{source:?}");
            let (router, port) = head.to.as_port::<8>();
            if head.to.as_node().is_none() && port.index() < 2 {
                assert_eq!(source, addresses[2 * router + port.index()]);
                from_nodes += 1;
            }
        }
        assert!(from_nodes > 0, "no head is on its way from a node");
    });
    assert_eq!(found, None);
}

#[test]
fn a_lost_body_flit_is_missed() {
    let found = after(|network| {
        let when = next_slot(network, |slot| !slot.bodies[ROUTERS].is_empty());
        network.shards[0].wheel.edit_bodies(when, ROUTERS, Vec::pop);
    });
    assert!(
        matches!(
            found,
            Some(
                Violation::FlitsLost { .. }
                    | Violation::CreditsLost { .. }
                    | Violation::Protocol { .. }
                    | Violation::Misdelivered { .. }
            )
        ),
        "{found:?}"
    );
}

#[test]
fn a_flit_twice_is_one_too_many() {
    let found = after(|network| {
        let when = next_slot(network, |slot| !slot.bodies[ROUTERS].is_empty());
        let body = network.shards[0].wheel.edit_bodies(when, ROUTERS, |bodies| bodies[0]);
        network.shards[0].wheel.body(when + 1, body);
    });
    assert!(found.is_some(), "it went unnoticed");
}

#[test]
fn a_lost_credit_is_missed() {
    let found = after(|network| {
        let when = next_slot(network, |slot| !slot.credits[ROUTERS].is_empty());
        network.shards[0].wheel.edit_credits(when, ROUTERS, Vec::clear);
    });
    assert!(matches!(found, Some(Violation::CreditsLost { .. })), "{found:?}");
}

#[test]
fn a_credit_too_many_is_refused_by_name() {
    let found = after(|network| {
        let when = network.cycle * network.constants.speedup + 1;
        for _ in 0..300 {
            network.shards[0].wheel.put(when, End::port::<8>(3, 2), Signal::Credit(VcId::new(0)));
        }
    });
    assert!(
        matches!(
            found,
            Some(Violation::Protocol { error: ProtocolError::CreditOverflow, router: 3, port: 2, .. })
        ),
        "{found:?}"
    );
}

#[test]
fn a_packet_at_the_wrong_node_is_noticed() {
    let found = after(|network| {
        let when = next_slot(network, |slot| !slot.heads[NODES].is_empty());
        let tag = network.shards[0].wheel.edit_heads(when, NODES, |heads| heads[0].packet.tag);
        network.shards[0].packets.get_mut(tag).to ^= 1;
    });
    assert!(
        matches!(found, Some(Violation::Misdelivered { what: "a packet for another node", .. })),
        "{found:?}"
    );
}

#[test]
fn a_packet_with_nowhere_to_go_is_told() {
    let found = after(|network| {
        let mut packet = Packet::default();
        packet.header.length = 1;
        packet.header.to.router = 1 << 16;
        let when = network.cycle * network.constants.speedup + 1;
        let head = Signal::Flit(VcId::new(2), Flit::Head(packet));
        network.shards[0].wheel.put(when, End::port::<8>(0, 3), head);
    });
    assert!(matches!(found, Some(Violation::Protocol { .. } | Violation::VcOrder { .. })), "{found:?}");
}

#[test]
fn a_network_without_credits_comes_to_a_halt_and_says_so() {
    let found = after(|network| {
        for _ in 0..2000 {
            for when in 0..1024 {
                for at in [ROUTERS, NODES] {
                    network.shards[0].wheel.edit_credits(when, at, Vec::clear);
                }
            }
            let Network { constants, shards, shadows, .. } = network;
            shards[0].link_cycle(constants, &mut [], shadows);
            network.cycle = shards[0].cycle;
        }
        // The books are wrong now, of course: the watchdog is to find it first.
        network.violation = None;
        while network.violation.is_none() {
            network.run_to(network.cycle + 1);
        }
    });
    assert!(matches!(found, Some(Violation::Deadlock { .. } | Violation::CreditsLost { .. })), "{found:?}");
}

#[test]
fn series_count_packets_by_their_injection() {
    let mut series = Series::new(10, 105);
    let record =
        super::packets::Record { generated: 3, injected: 25, global_misroutes: 1, ..Default::default() };
    series.deliver(&record, 103);
    let windows: Vec<_> = series.windows().map(|(at, w)| (at, w.packets, w.latency, w.misrouted)).collect();
    assert_eq!(windows, [(-5, 0, 0, 0), (5, 0, 0, 0), (15, 0, 0, 0), (25, 1, 100, 1)]);
}
