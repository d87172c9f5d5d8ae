//! Circuits: what is held is held by one packet, and let go; what is lost is found.

use super::{blueprint, with};
use crate::network::violation::Violation;
use crate::network::{Network, Partition};
use crate::traffic::Traffic;
use router_core::units::{PortId, VcId};
use router_core::vc::VcState;

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[routing]\nalgorithm = \"multipath\"
[router]\nflow_control = \"pipelined-circuit\"\nvcs = 2\n[traffic]\npacket_flits = 12\nloads = [1]\n";
const WAITING: [&str; 2] = ["router.flow_control=circuit", "routing.algorithm=dimension-order"];

/// VCs behind outputs that are held, each by the one packet that leaves by it.
fn held(network: &Network<'_, 8, 4>) -> usize {
    let mut count = 0;
    for switch in &network.shards[0].routers {
        let router = &switch.router;
        let channels = || (0..8).flat_map(|port| (0..4).map(move |vc| (PortId::new(port), VcId::new(vc))));
        let states = channels().filter_map(|(port, vc)| router.input(port, vc)).map(|input| input.state());
        let mut holders: Vec<_> = states
            .filter_map(|state| match state {
                VcState::Active { out, vc } => Some((out, vc)),
                _ => None,
            })
            .collect();
        let mut owned: Vec<_> = channels().filter(|&(port, vc)| router.owned(port).contains(vc)).collect();
        holders.sort_unstable();
        owned.sort_unstable();
        assert_eq!(holders, owned, "cycle {}", network.cycle);
        count += owned.len();
    }
    count
}

#[test]
fn each_vc_has_one_holder_and_is_let_go() {
    for sets in [&WAITING[..], &[], &["router.speedup=1"]] {
        let blueprint = blueprint(TORUS, sets);
        // Heavy traffic, and so little that the network is empty again and again.
        let held_at = |load: f64| {
            with(&blueprint, (load, 1), |network| {
                let at = |n: u64| {
                    network.run_to(n * 37);
                    assert_eq!(network.violation(), None);
                    let (held, live) = (held(network), network.live);
                    assert!(live > 0 || held == 0, "{held} VCs are held by nothing");
                    let credits = network.shards[0].nodes.iter().flat_map(|node| node.credits);
                    assert!(live > 0 || credits.min() == Some(32), "credits of nodes are lost");
                    network.audit();
                    (held, live)
                };
                (1..150).map(at).collect::<Vec<_>>()
            })
        };
        assert!(held_at(0.9).iter().any(|&(held, _)| held > 30));
        let idle = held_at(0.01);
        assert!(idle.iter().any(|&(_, live)| live == 0) && idle.iter().any(|&(held, _)| held > 0));
    }
}

/// One way, whose last link is held for most of the time: a probe does not try it again from the router before, but comes back to its node.
#[test]
fn a_probe_comes_back_to_its_node() {
    let sets = [
        "topology.kind=mesh",
        "topology.dims=[4]",
        "routing.algorithm=dimension-order",
        "router.vcs=1",
        "traffic.packet_flits=60",
        "traffic.pattern={pairs=[[0,3],[1,3]]}",
    ];
    with(&blueprint(TORUS, &sets), (1.0, 1), |network| {
        network.run_to(5000);
        assert_eq!(network.violation(), None);
        let (pauses, packets) =
            (network.shards[0].circuits.as_ref().unwrap().pauses, network.tally().packets);
        assert!(pauses > 10 && packets > 40, "{pauses} pauses, {packets} packets");
    });
}

/// A probe that is on its way back is a flit.
#[test]
fn a_probe_that_is_lost_is_found() {
    let blueprint = blueprint(TORUS, &["router.vcs=1"]);
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.5, 1).unwrap();
    let mut network =
        Network::<8, 4>::new(&blueprint, &traffic, &Partition::with(&blueprint, 1), &|| false).unwrap();
    network.run_to(500);
    while !network.shards[0].circuits.as_mut().unwrap().lose_probe() {
        assert!(network.violation().is_none() && network.cycle < 20_000);
        network.run_to(network.cycle + 1);
    }
    network.audit();
    assert!(matches!(network.violation(), Some(Violation::FlitsLost { .. })), "{:?}", network.violation());
}

#[test]
fn results_do_not_depend_on_how_a_run_is_cut() {
    let blueprint = blueprint(TORUS, &[]);
    let run = |ends: &[u64]| {
        with(&blueprint, (0.3, 4), |network| {
            assert_eq!(network.shards.len(), 1, "probes go back to where their records are");
            ends.iter().for_each(|&end| network.run_to(end));
            format!("{:?} {:?}", network.tally(), network.injected())
        })
    };
    assert_eq!(run(&[3000]), run(&[1, 2, 3, 700, 701, 2048, 3000]));
}
