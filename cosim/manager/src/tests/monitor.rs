//! Light sweeps, and what they lead to.

use super::network::*;
use crate::{Event, Settings};
use desvio_sma::mad::attribute;

#[test]
fn a_quiet_fabric_is_asked_and_left_alone() {
    let network = torus();
    let mut own = manager(&network, 0, Settings::default());
    own.step().unwrap();
    let before = network.borrow().sent.clone();
    for _ in 0..3 {
        assert_eq!(own.step().unwrap(), Event::Quiet);
    }
    let now = network.borrow().sent.clone();
    let asked = |what: u16| now[&(what, false)] - before[&(what, false)];
    assert_eq!((asked(attribute::SWITCH_INFO), asked(attribute::PORT_INFO)), (48, 48));
    assert_eq!(now.values().sum::<usize>() - before.values().sum::<usize>(), 96, "nothing else");
}

#[test]
fn a_link_that_fails_is_routed_around_and_used_again() {
    for (network, at) in [(ring(5), (1, 2)), (torus(), (5, 1)), (fat_tree(), (0, 1))] {
        for lmc in [0, 2] {
            for agent in &mut network.borrow_mut().agents {
                // As after power-on.
                let identity = *agent.identity();
                agent.restart(identity);
            }
            let links: Vec<_> = network.borrow().links.keys().copied().collect();
            for (node, port) in links {
                network.borrow_mut().agents[node].handle_link(port, true);
            }
            let mut own = manager(&network, 0, Settings { lmc, ..Settings::default() });
            own.step().unwrap();
            let (lids, tables) = (network.borrow().lids(), network.borrow().tables());
            let (near, far) = network.borrow_mut().cut(at.0, at.1);
            assert!(matches!(own.step().unwrap(), Event::Programmed(_)));
            network.borrow().check();
            assert_eq!(network.borrow().lids(), lids);
            assert_ne!(network.borrow().tables(), tables);
            assert_eq!(own.step().unwrap(), Event::Quiet);
            network.borrow_mut().join(near, far);
            assert!(matches!(own.step().unwrap(), Event::Programmed(_)));
            network.borrow().check();
            assert_eq!(network.borrow().tables(), tables, "as before");
            assert_eq!(own.step().unwrap(), Event::Quiet);
        }
    }
}

#[test]
fn a_switch_that_fails_is_left_out_and_comes_back() {
    let network = ring(5);
    let mut own = manager(&network, 0, Settings::default());
    own.step().unwrap();
    let links: Vec<_> =
        network.borrow().links.iter().filter(|(near, _)| near.0 == 2).map(|(&a, &b)| (a, b)).collect();
    network.borrow_mut().fail(2);
    assert!(matches!(own.step().unwrap(), Event::Programmed(done) if (done.switches, done.ends) == (4, 4)));
    network.borrow_mut().gone.clear();
    network.borrow_mut().agents[2].restart(identity(desvio_sma::Kind::Switch, 2, 16));
    for (near, far) in links {
        network.borrow_mut().join(near, far);
    }
    assert!(matches!(own.step().unwrap(), Event::Programmed(done) if (done.switches, done.ends) == (5, 5)));
    network.borrow().check();
}

/// An agent that forgets its LID without its link going down, and one that begins to answer late.
#[test]
fn what_no_change_bit_tells_is_found() {
    let network = line(3);
    let mut own = manager(&network, 0, Settings::default());
    network.borrow_mut().gone.insert(2);
    assert!(matches!(own.step().unwrap(), Event::Programmed(done)
        if done.silent == [("switch 1".to_owned(), 2)] && done.switches == 2));
    assert_eq!(own.step().unwrap(), Event::Quiet);
    network.borrow_mut().gone.clear();
    assert!(matches!(own.step().unwrap(), Event::Programmed(done) if done.silent.is_empty()));
    network.borrow().check();
    let lids = network.borrow().lids();
    network.borrow_mut().agents[5].restart(identity(desvio_sma::Kind::Adapter, 2, 1));
    network.borrow_mut().agents[5].handle_link(1, true);
    assert!(matches!(own.step().unwrap(), Event::Programmed(_)));
    assert_eq!(network.borrow().lids(), lids);
    network.borrow().check();
}

/// The manager's own link.
#[test]
fn a_manager_that_is_cut_off_comes_back() {
    let network = ring(3);
    let mut own = manager(&network, 0, Settings::default());
    own.step().unwrap();
    let (near, far) = network.borrow_mut().cut(3, 1);
    assert!(matches!(own.step().unwrap(), Event::Programmed(done) if done.switches == 0));
    assert_eq!(own.step().unwrap(), Event::Quiet);
    network.borrow_mut().join(near, far);
    assert!(matches!(own.step().unwrap(), Event::Programmed(done) if done.switches == 3));
    network.borrow().check();
}
