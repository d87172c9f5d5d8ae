//! What is set.

use super::network::*;
use crate::{Event, HeadLimit, Limits, ManagerError, Settings};
use desvio_sma::mad::attribute;
use desvio_sma::port::PortState;
use desvio_sma::{Agent, Kind};

#[test]
fn only_what_is_different_is_set() {
    let network = torus();
    let mut own = manager(&network, 0, Settings { lanes: 8, ..Settings::default() });
    let Event::Programmed(first) = own.step().unwrap() else { panic!("not programmed") };
    assert_eq!((first.set.blocks, first.set.blocks_set), (16, 16));
    // 16 management ports, 64 ports of links and 16 to ends; each end for its LID and for its state.
    assert_eq!(first.set.ports_set, 16 + 64 + 16 + 2 * 16);
    assert_eq!(first.set.lanes_set, 0, "lanes are by default as they are wanted");
    let before = network.borrow().sent.clone();
    own.is_stale = true;
    let Event::Programmed(again) = own.step().unwrap() else { panic!("not programmed") };
    assert_eq!((again.set.blocks_set, again.set.ports_set), (0, 0));
    for (what, &count) in network.borrow().sent.iter().filter(|(what, _)| what.1) {
        assert_eq!(before[what], count, "attribute {:#x} is set once", what.0);
    }
    for agent in &network.borrow().agents {
        for port in 1..=agent.identity().ports.min(4) {
            assert_eq!(agent.state(port), PortState::Active);
        }
    }
}

/// Of a line of three switches with an end at each: what a manager is configured with, once, and what it is not configured with stays.
#[test]
fn limits_are_set() {
    use desvio_sma::mad::GET;
    use desvio_sma::{Packet, Via};
    let network = line(3);
    let read = |switch: usize, attribute: u16, modifier: u32, byte: usize| {
        let mut packet = Packet::directed(&[], GET, attribute, modifier);
        network.borrow_mut().agents[switch].handle(&mut packet, Via::Itself);
        packet.data()[byte]
    };
    let found = |switch: usize| {
        let ports = [1, 2, 3].map(|port| read(switch, attribute::PORT_INFO, port, 42));
        (ports, read(switch, attribute::SWITCH_INFO, 0, 11) >> 3)
    };
    let limit = |life, stall_count| HeadLimit { life, stall_count };
    let wanted = Limits { to_ends: limit(3, 1), to_switches: limit(5, 2), in_switches: 9 };
    let before = found(1);
    let mut own = manager(&network, 0, Settings::default());
    let Event::Programmed(done) = own.step().unwrap() else { panic!("not programmed") };
    assert_eq!((done.set.limits_set, found(1)), (0, before));
    for (limits, set) in [(wanted, 3 + 3 + 4), (wanted, 0), (Limits { in_switches: 10, ..wanted }, 3)] {
        let mut own = manager(&network, 0, Settings { limits: Some(limits), ..Settings::default() });
        let Event::Programmed(done) = own.step().unwrap() else { panic!("not programmed") };
        assert_eq!(done.set.limits_set, set);
        let to_ends = (0..3).flat_map(|switch| found(switch).0).filter(|&byte| byte == 1 << 5 | 3).count();
        let between = (0..3).flat_map(|switch| found(switch).0).filter(|&byte| byte == 2 << 5 | 5).count();
        assert_eq!((to_ends, between, found(2).1), (3, 4, limits.in_switches));
    }
}

/// Lanes of a switch that have been changed are set right where routes need them.
#[test]
fn lanes_are_set() {
    use desvio_sma::mad::SET;
    use desvio_sma::{Packet, Via};
    for (lanes, expected) in [(1, 0), (8, 1)] {
        let network = torus();
        let mut packet = Packet::directed(&[], SET, attribute::SL_TO_VL_TABLE, 1 << 8 | 2);
        packet.set_data([0x11; 64]);
        network.borrow_mut().agents[3].handle(&mut packet, Via::Itself);
        let mut own = manager(&network, 0, Settings { lanes, ..Settings::default() });
        let Event::Programmed(done) = own.step().unwrap() else { panic!("not programmed") };
        assert_eq!(done.set.lanes_set, expected);
    }
}

#[test]
fn a_table_that_is_too_short_is_named() {
    let network = line(3);
    let mut small: Agent<Vec<u8>, 17> = Agent::new(identity(Kind::Switch, 1, 16), vec![0; 4]);
    (1..=3).for_each(|port| small.handle_link(port, true));
    network.borrow_mut().agents[1] = small;
    let error = manager(&network, 0, Settings::default()).step().unwrap_err();
    assert!(matches!(error, ManagerError::NoRoom { .. }));
    assert_eq!(error.to_string(), "the forwarding table of \"switch 1\" has 4 entries: LIDs go up to 6");
}
