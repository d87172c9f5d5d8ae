//! Packets that are lost, and nodes that vanish at any moment.

use super::network::*;
use crate::{Event, Settings, State};
use proptest::prelude::*;

/// Each request three times: of packets and of answers one in twenty is lost, so that about one request in a thousand is not answered.
#[test]
fn lost_packets_are_sent_again() {
    for seed in 1..=10 {
        let network = torus();
        network.borrow_mut().losses = (50, seed);
        let mut own = manager(&network, 0, Settings { lmc: 1, tries: 8, ..Settings::default() });
        let Event::Programmed(done) = own.step().unwrap() else { panic!("not programmed") };
        assert!(!done.is_torn && (done.switches, done.ends) == (16, 16), "{done:?}");
        assert!(own.counts().unanswered > 20, "{:?}", own.counts());
        network.borrow().check();
    }
}

/// What could not be set in one step is set in the next one.
#[test]
fn what_is_not_done_is_done_later() {
    use desvio_sma::mad::attribute;
    for what in [attribute::LINEAR_FORWARDING_TABLE, attribute::PORT_INFO] {
        let network = ring(4);
        network.borrow_mut().deaf = Some(what);
        let mut own = manager(&network, 0, Settings::default());
        for _ in 0..2 {
            assert!(matches!(own.step().unwrap(), Event::Programmed(done) if done.is_torn));
        }
        network.borrow_mut().deaf = None;
        assert!(matches!(own.step().unwrap(), Event::Programmed(done) if !done.is_torn));
        network.borrow().check();
        assert_eq!(own.step().unwrap(), Event::Quiet);
    }
}

/// With so many losses that nodes are missed, the fabric is whole in the end.
#[test]
fn what_was_missed_is_found_later() {
    for seed in 1..=10 {
        let network = ring(6);
        network.borrow_mut().losses = (250, seed);
        let mut own = manager(&network, 0, Settings { tries: 2, ..Settings::default() });
        for _ in 0..10 {
            // The own node may seem to be gone.
            let _ = own.step();
        }
        network.borrow_mut().losses.0 = 0;
        (0..3).for_each(|_| drop(own.step().unwrap()));
        assert_eq!((own.step().unwrap(), own.state()), (Event::Quiet, State::Master));
        network.borrow().check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// A node vanishes after any number of packets: no panic, no endless loop, and the next steps have what is left.
    #[test]
    fn a_node_that_vanishes_is_left_out(after in 0usize..260, node in 0usize..20, lmc in 0u8..2) {
        prop_assume!(node != 0 && node != 10);
        let network = everywhere(10, &[
            (0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5), (5, 6), (6, 7), (7, 0), (2, 8), (8, 9), (9, 6),
        ]);
        network.borrow_mut().doomed = Some((after, node));
        let mut own = manager(&network, 0, Settings { lmc, ..Settings::default() });
        for _ in 0..3 {
            own.step().unwrap();
        }
        let sent = network.borrow().sent.values().sum::<usize>();
        prop_assert!(sent < 3000, "{sent} packets");
        if network.borrow().doomed.is_none() {
            prop_assert_eq!(own.step().unwrap(), Event::Quiet);
            let mut network = network.borrow_mut();
            // An end whose switch is gone is not there either.
            if node < 10 {
                network.gone.insert(10 + node);
            }
            network.check_rest();
        }
    }
}
