//! Groups of ends: what switches replicate.

use super::network::*;
use crate::{Event, ManagerError, Settings};
use desvio_sma::mad::attribute;
use desvio_sma::{FIRST_GROUP, Via};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How often a packet from an end comes to each end, and the links between switches that it crosses, by the tables of the agents alone.
fn spread(network: &Rc<RefCell<Network>>, from: usize, lid: u16) -> (BTreeMap<usize, usize>, usize) {
    let network = network.borrow();
    let first = network.links[&(network.switches + from, 1)];
    let (mut came, mut crossed, mut next) = (BTreeMap::new(), 0, vec![first]);
    while let Some((at, port)) = next.pop() {
        assert!(crossed <= network.links.len(), "a packet goes round");
        if at >= network.switches {
            *came.entry(at - network.switches).or_default() += 1;
            continue;
        }
        let agent = &network.agents[at];
        for out in (1..=agent.identity().ports).filter(|&out| agent.replicates(lid, Via::Port(port), out)) {
            let far = network.links[&(at, out)];
            crossed += usize::from(far.0 < network.switches);
            next.push(far);
        }
    }
    (came, crossed)
}

/// Each member gets one copy of a message of another member, and no other node gets any. Each row is sent to a switch once.
#[test]
fn each_member_gets_one_copy() {
    for network in [line(5), ring(6), torus(), fat_tree(), complete(5)] {
        let ends = network.borrow().agents.len() - network.borrow().switches;
        let groups: Vec<Vec<usize>> =
            vec![(0..ends).collect(), vec![0, ends - 1], vec![1, 2, ends - 1], vec![ends / 2, ends / 2 + 1]];
        let mut own = manager(&network, 0, Settings { lanes: 8, ..Settings::default() });
        own.set_groups(
            groups.iter().map(|group| group.iter().map(|&end| port_guid(end)).collect()).collect(),
        );
        let Event::Programmed(first) = own.step().unwrap() else { panic!("not programmed") };
        assert!(first.set.masks_set > 0 && !first.is_torn);
        for (lid, members) in (FIRST_GROUP..).zip(&groups) {
            for &from in members {
                let others = members.iter().filter(|&&to| to != from).map(|&to| (to, 1)).collect();
                let (came, crossed) = spread(&network, from, lid);
                assert_eq!(came, others, "group {lid:#x}, from {from}");
                let (_, again) = spread(&network, members[0], lid);
                assert_eq!(crossed, again, "the links of the tree, whoever sends");
            }
        }
        own.is_stale = true;
        let Event::Programmed(again) = own.step().unwrap() else { panic!("not programmed") };
        assert_eq!(again.set.masks_set, 0);
        own.set_groups(Vec::new());
        assert!(matches!(own.step().unwrap(), Event::Programmed(_)));
        assert_eq!(spread(&network, 0, FIRST_GROUP).0, BTreeMap::new(), "no group is left");
    }
}

/// Between the two ends of a line all links are crossed; between two at one leaf of a fat tree none.
#[test]
fn trees_reach_no_further_than_their_members() {
    for (network, group, links) in [(line(5), [0, 4], 4), (fat_tree(), [2, 3], 0), (fat_tree(), [0, 7], 2)] {
        let mut own = manager(&network, 0, Settings::default());
        own.set_groups(vec![group.iter().map(|&end| port_guid(end)).collect()]);
        own.step().unwrap();
        assert_eq!(spread(&network, group[0], FIRST_GROUP).1, links, "{group:?}");
    }
}

#[test]
fn more_groups_than_rows_are_refused() {
    let network = line(2);
    let mut own = manager(&network, 0, Settings::default());
    own.set_groups(vec![vec![port_guid(0), port_guid(1)]; 129]);
    let refused = own.step().unwrap_err();
    assert!(matches!(refused, ManagerError::NoRoomForGroups { room: 128, groups: 129, .. }), "{refused}");
    assert_eq!(network.borrow().sets(attribute::MULTICAST_FORWARDING_TABLE), 0);
}
