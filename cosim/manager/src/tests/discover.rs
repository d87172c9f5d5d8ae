//! The sweep.

use super::network::*;
use crate::discover::discover;
use crate::requests::Requests;
use crate::{ManagerError, Subnet};
use desvio_sma::Kind;
use desvio_sma::mad::attribute;
use std::cell::RefCell;
use std::rc::Rc;

fn sweep(network: &Rc<RefCell<Network>>, end: usize) -> Result<Subnet, ManagerError> {
    let place = network.borrow().switches + end;
    discover(&mut Requests::new(Host(Rc::clone(network), place), 3), false)
}

/// Nodes by name, and links between them, as they are found.
fn picture(subnet: &Subnet) -> Vec<(String, u8, String, u8)> {
    let name = |place: usize| subnet.nodes[place].description.clone();
    let links = subnet.nodes.iter().enumerate().flat_map(|(place, node)| {
        node.links().map(move |(port, far)| (name(place), port, name(far.node), far.port))
    });
    links.collect()
}

#[test]
fn everything_is_found_from_every_node_alike() {
    for network in [line(4), ring(5), torus(), fat_tree(), complete(5)] {
        let all = network.borrow().agents.len();
        let ends = all - network.borrow().switches;
        let first = sweep(&network, 0).unwrap();
        assert_eq!((first.nodes.len(), first.switches()), (all, all - ends));
        assert_eq!(picture(&first).len(), network.borrow().links.len());
        for (near, far) in &network.borrow().links {
            let end = |&(node, port): &(usize, u8)| (first.nodes[node].description.clone(), port);
            let ((a, p), (b, q)) = (end(near), end(far));
            assert!(picture(&first).contains(&(a, p, b, q)), "{near:?} to {far:?}");
        }
        for end in 1..ends {
            let other = sweep(&network, end).unwrap();
            assert_eq!(picture(&other), picture(&first));
            assert_eq!(other.nodes[other.own].description, format!("end {end}"));
        }
        assert!(!first.is_torn && first.silent.is_empty());
        assert!(network.borrow().sent.keys().all(|&(_, sets)| !sets), "a sweep of a stranger sets nothing");
    }
}

#[test]
fn routes_are_the_shortest() {
    let network = line(6);
    let subnet = sweep(&network, 0).unwrap();
    for (place, node) in subnet.nodes.iter().enumerate() {
        let hops = if place < 6 { place + 1 } else { place - 6 + 2 };
        assert_eq!(node.route.0.len(), if place == 6 { 0 } else { hops }, "{}", node.description);
    }
}

#[test]
fn a_change_bit_is_cleared_by_a_master_alone() {
    let network = ring(3);
    let has_changed = |network: &Rc<RefCell<Network>>| {
        let place = network.borrow().switches;
        let subnet = discover(&mut Requests::new(Host(Rc::clone(network), place), 3), false).unwrap();
        subnet.nodes[..3].iter().filter(|node| node.switch.as_ref().unwrap().has_changed()).count()
    };
    assert_eq!(has_changed(&network), 3);
    assert_eq!(has_changed(&network), 3);
    discover(&mut Requests::new(Host(Rc::clone(&network), 3), 3), true).unwrap();
    assert_eq!(has_changed(&network), 0);
    assert_eq!(network.borrow().sets(attribute::SWITCH_INFO), 3);
}

/// Two fabrics with the same GUIDs, joined by a link; two switches, two ends.
#[test]
fn nodes_with_one_guid_are_refused_by_name() {
    let duplicate = |links: &[(usize, usize)], switches: usize, is_end: bool, (a, b): (usize, usize)| {
        let network = everywhere(switches, links);
        let kind = if is_end { Kind::Adapter } else { Kind::Switch };
        let place = if is_end { switches + b } else { b };
        let own = identity(kind, b, if is_end { 1 } else { 16 });
        let other = identity(kind, a, own.ports);
        network.borrow_mut().agents[place]
            .restart(desvio_sma::Identity { description: own.description, ..other });
        let ports: Vec<u8> =
            network.borrow().links.keys().filter(|end| end.0 == place).map(|end| end.1).collect();
        for port in ports {
            network.borrow_mut().agents[place].handle_link(port, true);
        }
        let error = sweep(&network, 0).unwrap_err();
        let ManagerError::Duplicate { guid, first, second, .. } = &error else { panic!("{error}") };
        assert_eq!(*guid, other.port_guid, "{error}");
        let name = if is_end { "end" } else { "switch" };
        let mut names = [first.clone(), second.clone()];
        names.sort();
        assert_eq!(names, [format!("{name} {a}"), format!("{name} {b}")], "{error}");
        assert!(error.to_string().contains("belongs to two nodes"), "{error}");
    };
    let line = [(0, 1), (1, 2), (2, 3)];
    duplicate(&line, 4, false, (1, 3));
    duplicate(&line, 4, false, (0, 3));
    duplicate(&line, 4, false, (1, 2));
    duplicate(&line, 4, true, (1, 3));
    duplicate(&line, 4, true, (0, 3));
    duplicate(&[(0, 1), (1, 2), (2, 0), (2, 3)], 4, false, (1, 3));
    // A fabric and its copy.
    let links = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
    let network = everywhere(6, &links);
    for copy in 3..6 {
        for (kind, place, ports) in [(Kind::Switch, copy, 16), (Kind::Adapter, 6 + copy, 1)] {
            network.borrow_mut().agents[place].restart(identity(kind, copy - 3, ports));
        }
    }
    let ends: Vec<_> = network.borrow().links.keys().copied().filter(|end| end.0 % 6 > 2).collect();
    for (node, port) in ends {
        network.borrow_mut().agents[node].handle_link(port, true);
    }
    let error = sweep(&network, 0).unwrap_err();
    assert!(matches!(error, ManagerError::Duplicate { .. }), "{error}");
}

/// A second switch with the GUID of the first one, at a port that the first one has no link at, or has not at all.
#[test]
fn a_second_node_is_seen_by_a_link_that_the_first_has_not() {
    for ports in [16, 4] {
        let network = line(4);
        {
            let mut network = network.borrow_mut();
            let (near, far) = network.cut(3, 1);
            let description = desvio_sma::Identity::describe("switch 3");
            let other = desvio_sma::Identity { description, ..identity(Kind::Switch, 1, 16) };
            network.agents[3].restart(other);
            network.join((near.0, 9), far);
            network.agents[1].restart(identity(Kind::Switch, 1, ports));
            (1..=3).for_each(|port| network.agents[1].handle_link(port, true));
        }
        let error = sweep(&network, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "GUID 0x0000000000000101 belongs to two nodes: \"switch 1\" (route 1,1) and \"switch 3\" (route 1,1,2,2)"
        );
    }
}

#[test]
fn a_manager_without_a_node_says_so() {
    let network = line(2);
    network.borrow_mut().gone.insert(2);
    assert_eq!(sweep(&network, 0).unwrap_err().to_string(), "the manager's own node does not answer");
    // Without a link it is alone.
    let network = line(2);
    network.borrow_mut().fail(0);
    assert_eq!(sweep(&network, 0).unwrap().nodes.len(), 1);
}

#[test]
fn a_silent_node_is_left_out() {
    let network = ring(4);
    network.borrow_mut().gone.insert(2);
    let subnet = sweep(&network, 0).unwrap();
    assert_eq!(subnet.nodes.len(), 6, "neither the switch nor its end");
    let names: Vec<_> = subnet.silent.iter().map(|end| &subnet.nodes[end.node].description[..]).collect();
    assert_eq!(names, ["switch 1", "switch 3"]);
}
