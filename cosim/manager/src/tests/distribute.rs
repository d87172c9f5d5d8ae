//! What is set.

use super::network::*;
use crate::{Event, ManagerError, Settings};
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
