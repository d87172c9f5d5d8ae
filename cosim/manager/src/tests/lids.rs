//! LIDs.

use super::network::*;
use crate::attribute::PortInfo;
use crate::discover::discover;
use crate::lids::{Remembered, assign};
use crate::requests::Requests;
use crate::{Event, Settings};
use desvio_sma::mad::{GET, SET, attribute};
use desvio_sma::{Packet, Via};
use proptest::prelude::*;
use std::rc::Rc;

#[test]
fn each_node_gets_its_own() {
    for lmc in 0..=7 {
        let network = fat_tree();
        let mut own = manager(&network, 3, Settings { lmc, ..Settings::default() });
        own.step().unwrap();
        let mut taken = Vec::new();
        for (place, (first, count)) in network.borrow().lids().into_iter().enumerate() {
            let wanted = if place < 6 { 1 } else { 1 << lmc };
            assert_eq!((count, first % count), (wanted, 0));
            taken.extend(first..first + count);
        }
        taken.sort_unstable();
        let before = taken.len();
        taken.dedup();
        assert!(taken.len() == before && taken[0] > 0 && before == 6 + 8 * (1 << lmc));
        assert!(*taken.last().unwrap() < 16 * (1 << lmc), "the lowest that are free: {taken:?}");
    }
}

/// Not the lowest that is free, but the one that it had.
#[test]
fn a_node_that_forgets_its_lid_gets_it_back() {
    let network = ring(4);
    let mut packet = Packet::directed(&[], GET, attribute::PORT_INFO, 1);
    network.borrow_mut().agents[6].handle(&mut packet, Via::Itself);
    let data = PortInfo(packet.data()).towards(None).with(30, 0, 0).0;
    let mut packet = Packet::directed(&[], SET, attribute::PORT_INFO, 1);
    packet.set_data(data);
    network.borrow_mut().agents[6].handle(&mut packet, Via::Itself);
    let mut own = manager(&network, 0, Settings::default());
    own.step().unwrap();
    assert_eq!(network.borrow().lids()[6], (30, 1));
    network.borrow_mut().agents[6].restart(identity(desvio_sma::Kind::Adapter, 2, 1));
    network.borrow_mut().agents[6].handle_link(1, true);
    own.step().unwrap();
    assert_eq!(network.borrow().lids()[6], (30, 1));
    network.borrow().check();
}

/// A node that comes back has its LID again, and nothing else has it meanwhile.
#[test]
fn a_node_that_was_away_gets_its_lid_back() {
    let network = ring(4);
    let mut own = manager(&network, 0, Settings::default());
    own.step().unwrap();
    let before = network.borrow().lids();
    let gone = network.borrow_mut().cut(6, 1);
    let new = network.borrow_mut().cut(5, 1);
    assert!(matches!(own.step().unwrap(), Event::Programmed(done) if done.ends == 2));
    // Another node at that place, without a LID.
    network.borrow_mut().agents[5].restart(identity(desvio_sma::Kind::Adapter, 77, 1));
    network.borrow_mut().join(new.0, new.1);
    own.step().unwrap();
    let lid = network.borrow().lids()[5].0;
    assert!(lid != 0 && before.iter().all(|&(first, _)| first != lid), "{lid}");
    network.borrow_mut().agents[6].restart(identity(desvio_sma::Kind::Adapter, 2, 1));
    network.borrow_mut().join(gone.0, gone.1);
    own.step().unwrap();
    assert_eq!(network.borrow().lids()[6], before[6]);
    network.borrow().check();
}

proptest! {
    /// Whatever the nodes have: LIDs are legal, and those that fit are kept.
    #[test]
    fn lids_that_are_there_are_kept(has in prop::collection::vec(0u16..40, 8), lmc in 0u8..3) {
        let network = fat_tree();
        let mut requests = Requests::new(Host(Rc::clone(&network), 6), 1);
        let mut subnet = discover(&mut requests, false).unwrap();
        for (node, &lid) in subnet.nodes[6..].iter_mut().zip(&has) {
            let end = node.end();
            let port = node.ports.get_mut(&end).unwrap();
            port.info = port.info.clone().with(lid, lmc, 0);
        }
        let lids = assign(&subnet, lmc, &mut Remembered::new()).unwrap();
        let count = |place: usize| if place < 6 { 1u16 } else { 1 << lmc };
        let mut taken: Vec<u16> = (0..14).flat_map(|place| lids[place]..lids[place] + count(place)).collect();
        taken.sort_unstable();
        let all = taken.len();
        taken.dedup();
        prop_assert!(taken.len() == all && taken[0] > 0);
        let mut kept: Vec<u16> = Vec::new();
        for (place, &lid) in has.iter().enumerate() {
            let fits = lid > 0 && lid % (1 << lmc) == 0 && !kept.contains(&lid);
            prop_assert!(!fits || lids[6 + place] == lid, "{lid} of {has:?}: {lids:?}");
            if fits {
                kept.push(lid);
            }
        }
    }
}
