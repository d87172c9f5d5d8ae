//! Two managers, and three.

use super::network::*;
use crate::{Event, Manager, Settings, State};
use desvio_sma::Packet;
use desvio_sma::mad::{GET, SET, TRAP, TRAP_REPRESS, attribute};

fn with(priority: u8) -> Settings {
    Settings { priority, lmc: 1, ..Settings::default() }
}

fn states(managers: &[&Manager<Host>]) -> Vec<State> {
    managers.iter().map(|manager| manager.state()).collect()
}

#[test]
fn priority_decides_then_the_lower_guid() {
    for (first, second, master) in [(0, 0, 0), (0, 5, 1), (5, 0, 0), (15, 15, 0)] {
        let network = torus();
        let mut managers = [manager(&network, 4, with(first)), manager(&network, 9, with(second))];
        // Both look around before either is anything: in both orders.
        for order in [[0, 1], [1, 0]] {
            for at in order {
                managers[at].step().unwrap();
            }
        }
        for _ in 0..4 {
            for manager in &mut managers {
                manager.step().unwrap();
            }
        }
        let expected = [State::Standby, State::Master];
        assert_eq!(managers[master].state(), State::Master, "{first} and {second}");
        assert_eq!(managers[1 - master].state(), expected[0]);
        network.borrow().check();
    }
}

#[test]
fn a_master_that_is_killed_is_followed_by_the_standby() {
    for network in [ring(6), torus(), fat_tree()] {
        let ends = network.borrow().agents.len() - network.borrow().switches;
        let mut master = manager(&network, 0, with(3));
        let mut standby = manager(&network, ends - 1, with(1));
        assert!(matches!(master.step().unwrap(), Event::Programmed(_)));
        assert!(matches!(standby.step().unwrap(), Event::Standby(info) if info.guid == port_guid(0)));
        for _ in 0..5 {
            assert_eq!(master.step().unwrap(), Event::Quiet);
            assert_eq!(standby.step().unwrap(), Event::Quiet);
        }
        let (lids, tables, blocks) =
            (network.borrow().lids(), network.borrow().tables(), network.borrow().blocks());
        kill(&network, 0);
        assert_eq!(standby.step().unwrap(), Event::Missed(1));
        assert_eq!(standby.step().unwrap(), Event::Missed(2));
        let Event::Programmed(done) = standby.step().unwrap() else { panic!("not taken over") };
        assert_eq!((done.set.blocks_set, standby.state()), (0, State::Master));
        assert_eq!(network.borrow().blocks(), blocks, "no table changes");
        assert_eq!((network.borrow().lids(), network.borrow().tables()), (lids, tables));
        // It is told to the nodes, and there is nothing more to do.
        assert_eq!(
            done.set.ports_set as usize,
            network.borrow().agents.len(),
            "the manager's LID, everywhere"
        );
        assert_eq!(standby.step().unwrap(), Event::Quiet);
        // It manages: a link is routed around.
        network.borrow_mut().cut(0, 1);
        assert!(matches!(standby.step().unwrap(), Event::Programmed(_)));
        network.borrow().check();
    }
}

/// A poll that is lost is missed; one that is answered begins the count anew.
#[test]
fn missed_polls_are_counted_in_succession() {
    let network = ring(4);
    let mut master = manager(&network, 0, with(0));
    let mut standby = manager(&network, 2, Settings { polls: 2, ..with(0) });
    master.step().unwrap();
    standby.step().unwrap();
    for _ in 0..3 {
        let contact = network.borrow_mut().contacts.remove(&4).unwrap();
        assert_eq!(standby.step().unwrap(), Event::Missed(1));
        network.borrow_mut().contacts.insert(4, contact);
        assert_eq!(standby.step().unwrap(), Event::Quiet);
    }
    kill(&network, 0);
    let asked = |network: &Network| network.sent[&(attribute::SM_INFO, false)];
    let before = asked(&network.borrow());
    assert_eq!(standby.step().unwrap(), Event::Missed(1));
    assert_eq!(asked(&network.borrow()) - before, 1, "a poll is one packet");
    assert!(matches!(standby.step().unwrap(), Event::Programmed(_)));
}

#[test]
fn a_higher_priority_is_handed_the_fabric() {
    let network = torus();
    let mut old = manager(&network, 0, with(1));
    old.step().unwrap();
    let (lids, tables, blocks) =
        (network.borrow().lids(), network.borrow().tables(), network.borrow().blocks());
    let mut new = manager(&network, 13, with(2));
    assert!(matches!(new.step().unwrap(), Event::Standby(info) if info.state == State::Master));
    assert!(matches!(old.step().unwrap(), Event::HandedOver(info) if info.guid == port_guid(13)));
    assert_eq!(states(&[&old, &new]), [State::Standby, State::Standby]);
    assert!(matches!(new.step().unwrap(), Event::Programmed(done) if done.set.blocks_set == 0));
    assert!(matches!(old.step().unwrap(), Event::Standby(info) if info.guid == port_guid(13)));
    assert_eq!(states(&[&old, &new]), [State::Standby, State::Master]);
    assert_eq!((network.borrow().lids(), network.borrow().tables()), (lids, tables));
    assert_eq!(network.borrow().blocks(), blocks);
    for _ in 0..5 {
        assert_eq!((old.step().unwrap(), new.step().unwrap()), (Event::Quiet, Event::Quiet));
    }
    // And back, when that one is gone.
    kill(&network, 13);
    for _ in 0..3 {
        old.step().unwrap();
    }
    assert_eq!(old.state(), State::Master);
    // One with a lower priority stays what it is.
    let mut low = manager(&network, 5, with(0));
    low.step().unwrap();
    for _ in 0..4 {
        assert_eq!((old.step().unwrap(), low.step().unwrap()), (Event::Quiet, Event::Quiet));
    }
    assert_eq!(states(&[&old, &low]), [State::Master, State::Standby]);
}

/// The one that the fabric was handed to dies before it acknowledges.
#[test]
fn a_hand_over_without_an_acknowledgement_is_taken_back() {
    let network = ring(4);
    let mut old = manager(&network, 0, with(1));
    old.step().unwrap();
    let mut new = manager(&network, 2, with(2));
    new.step().unwrap();
    assert!(matches!(old.step().unwrap(), Event::HandedOver(_)));
    kill(&network, 2);
    for _ in 0..3 {
        assert!(matches!(old.step().unwrap(), Event::HandedOver(_)));
    }
    assert_eq!((old.step().unwrap(), old.state()), (Event::Quiet, State::Master));
}

/// Two fabrics that are joined have two masters: one remains.
#[test]
fn of_two_masters_one_remains() {
    let network = line(4);
    let (near, far) = {
        let port =
            network.borrow().links.iter().find(|(a, b)| (a.0, b.0) == (1, 2)).map(|(a, _)| *a).unwrap();
        network.borrow_mut().cut(port.0, port.1)
    };
    let mut managers = [manager(&network, 0, with(1)), manager(&network, 3, with(7))];
    for manager in &mut managers {
        assert!(matches!(manager.step().unwrap(), Event::Programmed(_)));
        assert_eq!(manager.state(), State::Master);
    }
    network.borrow_mut().join(near, far);
    for _ in 0..8 {
        for manager in &mut managers {
            manager.step().unwrap();
        }
    }
    assert_eq!(managers.each_ref().map(Manager::state), [State::Standby, State::Master]);
    network.borrow().check();
    let [mut low, mut high] = managers;
    assert_eq!((low.step().unwrap(), high.step().unwrap()), (Event::Quiet, Event::Quiet));
}

/// Of three the next one follows, whichever it polls.
#[test]
fn the_next_of_three_follows() {
    let network = torus();
    let mut first = manager(&network, 0, with(9));
    let mut second = manager(&network, 5, with(5));
    let mut third = manager(&network, 9, with(3));
    first.step().unwrap();
    third.step().unwrap();
    second.step().unwrap();
    kill(&network, 0);
    for _ in 0..12 {
        third.step().unwrap();
        second.step().unwrap();
    }
    assert_eq!(states(&[&second, &third]), [State::Master, State::Standby]);
    network.borrow().check();
}

/// A standby whose master has become a standby looks for the new one.
#[test]
fn a_master_that_is_none_any_more_is_left() {
    let network = torus();
    let mut first = manager(&network, 0, with(5));
    let mut waits = manager(&network, 5, with(0));
    first.step().unwrap();
    waits.step().unwrap();
    let mut new = manager(&network, 9, with(9));
    for _ in 0..3 {
        new.step().unwrap();
        first.step().unwrap();
    }
    assert_eq!(states(&[&first, &new]), [State::Standby, State::Master]);
    assert_eq!((waits.step().unwrap(), waits.step().unwrap()), (Event::Missed(1), Event::Missed(2)));
    assert!(matches!(waits.step().unwrap(), Event::Standby(info) if info.guid == port_guid(9)));
}

/// A manager that takes the fabric and does not acknowledge it, as programs of others may.
#[test]
fn a_hand_over_is_over_when_the_other_one_manages() {
    let network = ring(4);
    let mut old = manager(&network, 0, with(1));
    old.step().unwrap();
    let mut new = manager(&network, 2, with(2));
    new.step().unwrap();
    assert!(matches!(old.step().unwrap(), Event::HandedOver(_)));
    assert!(matches!(old.step().unwrap(), Event::HandedOver(_)), "it is a standby as yet");
    network.borrow().contacts[&6].change(|info| info.state = State::Master);
    assert!(matches!(old.step().unwrap(), Event::Standby(info) if info.guid == port_guid(2)));
    assert_eq!(old.state(), State::Standby);
}

/// By SMInfo from outside.
#[test]
fn orders_are_for_states() {
    let network = ring(3);
    let mut master = manager(&network, 0, with(1));
    let mut standby = manager(&network, 1, with(0));
    master.step().unwrap();
    standby.step().unwrap();
    let route = |subnet: &crate::Subnet, name: &str| {
        subnet.nodes.iter().find(|node| node.description == name).unwrap().route.0.clone()
    };
    let way = route(master.subnet(), "end 1");
    let mut host = Host(std::rc::Rc::clone(&network), 3);
    let mut send = |method: u8, modifier: u32, way: &[u8]| {
        use crate::Transport as _;
        let packet = Packet::directed(way, method, attribute::SM_INFO, modifier);
        host.exchange(&packet).unwrap().unwrap()
    };
    let info = crate::SmInfo::read(&send(GET, 0, &way).data());
    assert_eq!((info.guid, info.priority, info.state), (port_guid(1), 0, State::Standby));
    // STANDBY, DISCOVER: not now. Unknown ones never.
    assert_eq!(send(SET, 2, &way).status(), 0);
    for order in [0, 6, 77] {
        assert_eq!(send(SET, order, &way).status(), 7 << 2, "{order}");
    }
    assert_eq!(send(SET, 3, &way).status(), 0, "DISABLE");
    assert_eq!((standby.step().unwrap(), standby.state()), (Event::NotActive, State::NotActive));
    assert_eq!(send(SET, 1, &way).status(), 7 << 2, "no hand-over to one that is not active");
    assert_eq!(send(SET, 5, &way).status(), 7 << 2);
    kill(&network, 0);
    for _ in 0..5 {
        assert_eq!(standby.step().unwrap(), Event::NotActive, "it does not take over");
    }
    assert_eq!(send(SET, 4, &way).status(), 0, "STANDBY");
    assert_eq!((standby.step().unwrap(), standby.state()), (Event::Missed(1), State::Standby));
    assert_eq!(send(SET, 5, &way).status(), 0, "DISCOVER");
    assert!(matches!(standby.step().unwrap(), Event::Programmed(_)));
    // A master takes none of these.
    for order in [3, 4, 5] {
        assert_eq!(send(SET, order, &way).status(), 7 << 2, "{order}");
    }
    assert_eq!(send(0x09, 0, &way).status(), 2 << 2, "no such method");
}

/// A master that looks for others only when it is told, as OpenSM, is told at each poll.
#[test]
fn a_master_is_told_that_another_one_goes_before_it() {
    let network = ring(4);
    let traps = |network: &Network| network.sent.get(&(attribute::NOTICE, false)).copied().unwrap_or(0);
    let mut old = manager(&network, 0, with(1));
    old.step().unwrap();
    let mut new = manager(&network, 2, with(2));
    for told in 1..4 {
        new.step().unwrap();
        assert_eq!(traps(&network.borrow()), told);
    }
    old.step().unwrap();
    new.step().unwrap();
    old.step().unwrap();
    assert_eq!(states(&[&old, &new]), [State::Standby, State::Master]);
    // One with a lower priority has nothing to tell.
    for _ in 0..3 {
        old.step().unwrap();
    }
    assert_eq!(traps(&network.borrow()), 3);
}

/// OpenSM waits for this answer before it goes on, for ever.
#[test]
fn a_master_represses_traps() {
    use crate::Transport as _;
    let network = ring(4);
    let mut master = manager(&network, 0, with(1));
    let mut standby = manager(&network, 2, with(0));
    master.step().unwrap();
    standby.step().unwrap();
    let lid = |at: usize| network.borrow().agents[4 + at].lids().0;
    let mut host = Host(std::rc::Rc::clone(&network), 5);
    let mut trap = |to: usize| {
        let mut packet = Packet::by_lid((lid(1), lid(to)), TRAP, attribute::NOTICE);
        packet.set_transaction(99);
        host.exchange(&packet).unwrap()
    };
    let answer = trap(0).unwrap();
    assert_eq!((answer.method(), answer.transaction(), answer.status()), (TRAP_REPRESS, 99, 0));
    assert_eq!(trap(2), None, "a standby does not");
}
