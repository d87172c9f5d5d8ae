//! What routers tell each other, beside the state that it is about.

use super::super::Network;
use super::super::tests::{blueprint, with};
use super::*;
use router_core::map::dragonfly::Place;
use router_core::units::VcId;
use router_core::vc::VcState;

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n\
                         pattern = { adversarial = 1 }\n[selection]\ntrigger = \"ectn\"\n";

/// Packets at the front of VCs of nodes and global links, by the other group that they are for: read off the buffers.
fn waiting<const P: usize, const V: usize>(Switch { router, plan, .. }: &Switch<P, V>) -> Vec<u16> {
    let mut found = vec![0; 9];
    for (port, vc) in (0..7).flat_map(|port| (0..V as u8).map(move |vc| (PortId::new(port), VcId::new(vc)))) {
        let is_idle = router.input(port, vc).is_none_or(|input| input.state() == VcState::Idle);
        let local = (2..5).contains(&port.number());
        if let (false, false, Some(packet)) = (is_idle, local, router.front(plan, port, vc)) {
            let group = Place::of(packet.header.to.router).group;
            found[group as usize] += u16::from(group != Place::of(router.here().router).group);
        }
    }
    found
}

/// Each router receives the counts that the others of its group had at the front, a link and a flit later. It takes those ways for
/// contended for which the group has as many packets as the threshold.
#[test]
fn counters_are_those_of_the_group_when_they_were_sent() {
    with(&blueprint(DRAGONFLY, &[]), (0.6, 1), |network| {
        network.run_to(400);
        let sent: Vec<_> = network.shards[0].routers.iter().map(waiting).collect();
        network.run_to(401);
        // Sent in cycle 400, from the state at the end of the cycle before; the router itself knows at once.
        let heard = |network: &Network<'_, 8, 4>, at: usize, from: usize| {
            network.shards[0].ectn.as_ref().unwrap().members[at].heard[from].to_vec()
        };
        let latest = network.shards[0].ectn.as_ref().unwrap().on_way.keys().copied().max().unwrap();
        assert!((412..445).contains(&latest), "behind what waits for the link: {latest}");
        network.run_to(latest + 1);
        let (mut contended, mut free) = (0, 0);
        for at in 0..36 {
            let group = at / 4 * 4;
            let others: Vec<_> = (group..group + 4).filter(|&other| other != at).collect();
            assert_eq!(heard(network, at, 0), sent[at]);
            for (from, other) in (1..).zip(others) {
                assert_eq!(heard(network, at, from), sent[other], "{at} of {other}");
            }
            for to in 0..9u32 {
                let of_group = sent[group..group + 4].iter();
                let sum: u32 = of_group.map(|counters| u32::from(counters[to as usize])).sum();
                let known = network.shards[0].routers[at].router.told_of(to);
                assert_eq!(known, sum >= 10, "router {at}, group {to}: {sum}");
                (contended, free) = (contended + u32::from(known), free + u32::from(!known));
            }
        }
        assert!(contended >= 4 && free > 200, "{contended} {free}");
        assert_eq!(network.violation(), None);
    });
}

/// With 8 other groups and 20 counters in a flit each local link carries a flit each period, with 3 in a flit three of them, and with
/// wires of their own none.
#[test]
fn counters_take_their_flits_of_each_local_link() {
    for (counters, flits) in [(20, 1), (3, 3), (0, 0)] {
        let counters = format!("selection.ectn_counters_per_flit={counters}");
        // No packet is generated so soon.
        with(&blueprint(DRAGONFLY, &[&counters]), (1e-6, 1), |network| {
            network.run_to(1050);
            assert_eq!(network.tally().packets, 0);
            for Switch { links, .. } in &network.shards[0].routers {
                let carried: Vec<_> = links[..7].iter().map(|link| link.carried).collect();
                let each = 10 * flits;
                assert_eq!(carried, [0, 0, each, each, each, 0, 0]);
            }
        });
    }
}
