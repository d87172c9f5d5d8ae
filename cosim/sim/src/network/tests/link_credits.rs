//! Links that lose packets and credits: with pulses places are lost for ever, with absolute credits none are, and everything else adds up.

use super::super::Network;
use super::{blueprint, drain, with};
use crate::blueprint::Blueprint;
use router_core::units::VcId;
use std::ops::Range;

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [1]\n";
const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n";
const ABSOLUTE: &str = "links.credits=absolute";

/// Places that outputs have not been told of.
fn owed(network: &Network<'_, 8, 4>) -> u64 {
    let Some(links) = network.link_credits() else { return 0 };
    let all = (0..36).flat_map(|router| (0..8).map(move |port| (router, port)));
    all.flat_map(|at| (0..4).map(move |vc| (at, VcId::new(vc))))
        .map(|((router, port), vc)| links.owed(router, port, vc))
        .sum()
}

/// Flits that come to their nodes in a cycle of a window, at load 1 and with nothing amiss.
fn carried(blueprint: &Blueprint, window: Range<u64>) -> f64 {
    with(blueprint, (1.0, 1), |network| {
        network.run_to(window.start);
        let before = network.tally().flits;
        network.run_to(window.end);
        network.audit();
        assert_eq!(network.violation(), None);
        (network.tally().flits - before) as f64 / (window.end - window.start) as f64
    })
}

/// Runs a network for 6,000 cycles and audits it every 100: flits injected, delivered and lost, and whether it got stuck.
fn run(text: &str, sets: &[&str]) -> (u64, u64, u64, bool) {
    with(&blueprint(text, sets), (0.3, 2), |network| {
        for end in (100..=6000).step_by(100) {
            network.run_to(end);
            network.audit();
            if network.violation().is_some() {
                return (0, 0, network.flits_lost_by_links(), true);
            }
        }
        drain(network);
        assert_eq!((network.violation(), network.lost_packets(), owed(network)), (None, 0, 0), "{sets:?}");
        let injected = network.injected().iter().map(|&flits| u64::from(flits)).sum();
        (injected, network.tally().flits, network.flits_lost_by_links(), false)
    })
}

#[test]
fn absolute_credits_make_losses_good() {
    let both = ["links.packet_loss=0.01", "links.credit_loss=0.2"];
    let more: [&[&str]; 5] = [
        &["links.credit_period=1"],
        &["links.credit_period=50", "links.latency=7", "router.buffer_flits=200"],
        &["router.flow_control=wormhole", "router.speedup=1", "router.vcs=3"],
        &["traffic.reply_flits=3", "router.allocation_unit=packet"],
        &["router.pipeline=5", "selection.count_at=arrival", "traffic.packet_flits=1"],
    ];
    for sets in more {
        let (injected, delivered, lost, is_stuck) =
            run(TORUS, &[&both[..], &[ABSOLUTE, "links.credit_period=8"], sets].concat());
        assert!(
            !is_stuck && lost > 200 && injected == delivered + lost,
            "{injected} {delivered} {lost}: {sets:?}"
        );
    }
    let descending = ["routing.vc_order=descending", "router.buffer_flits=300", ABSOLUTE];
    let (injected, delivered, lost, _) = run(DRAGONFLY, &[&both[..], &descending].concat());
    assert!(lost > 200 && injected == delivered + lost, "{injected} {delivered} {lost}");
}

#[test]
fn pulses_that_are_lost_are_lost_for_ever() {
    for loss in ["links.packet_loss=0.1", "links.credit_loss=0.1"] {
        assert!(run(TORUS, &[loss]).3, "{loss}: places are fewer and fewer");
        assert!(!run(TORUS, &[loss, ABSOLUTE]).3, "{loss}");
    }
    // So few that it does not show yet.
    with(&blueprint(TORUS, &["links.credit_loss=0.0005"]), (0.1, 1), |network| {
        network.run_to(3000);
        network.audit();
        assert!(network.violation().is_none() && owed(network) > 3, "{}", owed(network));
        assert_eq!((network.flits_lost_by_links(), network.lost_packets()), (0, 0));
    });
}

/// With a period of a cycle a flow control packet of each of two VCs takes a quarter of the link, and of each of four the half that they may take.
#[test]
fn flow_control_packets_take_time_from_links() {
    let accepted = |vcs: u32, period: u32| {
        let (vcs, period) = (format!("router.vcs={vcs}"), format!("links.credit_period={period}"));
        let line = "[topology]\nkind = \"mesh\"\ndims = [2]\n[router]\nbuffer_flits = 200\n\
            [traffic]\nloads = [1]\npattern = { pairs = [[0, 1]] }\n";
        carried(&blueprint(line, &[ABSOLUTE, &vcs, &period]), 5000..15_000)
    };
    for (vcs, period) in [(2, 1), (2, 2), (2, 8), (2, 64), (4, 1)] {
        let (found, share) = (accepted(vcs, period), f64::from(vcs) / 8.0 / f64::from(period));
        assert!(
            (found - (1.0 - share)).abs() < 0.002 + share / 50.0,
            "{found} with {vcs} VCs and a period of {period}"
        );
    }
}

/// A VC of so many flits carries them once in each round trip: over the link, six internal cycles in the router, and back. A credit for several flits
/// waits for the last of them.
#[test]
fn a_virtual_channel_carries_its_buffer_in_each_round_trip() {
    let accepted = |buffer: u32, latency: u32, credits: u32, flits: u32| {
        let line = "[topology]\nkind = \"mesh\"\ndims = [2]\n[router]\nvcs = 1\nspeedup = 1\n\
            [traffic]\nloads = [1]\npattern = { pairs = [[0, 1]] }\n";
        let sets = [
            format!("router.buffer_flits={{ local = {buffer}, node = 64 }}"),
            format!("links.latency={{ local = {latency} }}"),
            format!("links.credit_latency={{ local = {credits} }}"),
            format!("links.credit_flits={flits}"),
            format!("traffic.packet_flits={flits}"),
        ];
        carried(&blueprint(line, &sets.each_ref().map(String::as_str)), 3000..23_000)
    };
    for (latency, credits) in [(10, 10), (10, 3), (10, 40), (1, 25), (30, 1)] {
        for (buffer, flits) in [(4, 1), (9, 1), (8, 8), (16, 8), (12, 4)] {
            let trip = latency + credits + 6 + flits;
            let bound = (f64::from(buffer) / f64::from(trip)).min(1.0);
            let found = accepted(buffer, latency, credits, flits);
            assert!(
                (found - bound).abs() < 0.002,
                "{found}, not {bound}: {buffer} {latency} {credits} {flits}"
            );
        }
    }
}

/// A limit comes a period late: buffers have to be larger for the same.
#[test]
fn without_losses_both_deliver_the_same_where_buffers_are_large() {
    let roomy = ["router.buffer_flits=400", "links.latency=3"];
    let (pulse, absolute) =
        (run(TORUS, &roomy), run(TORUS, &[&roomy[..], &[ABSOLUTE, "links.credit_period=16"]].concat()));
    assert_eq!(pulse.0, pulse.1);
    assert_eq!((absolute.0, absolute.2), (absolute.1, 0));
    assert!(absolute.0.abs_diff(pulse.0) * 50 < pulse.0, "{pulse:?} {absolute:?}");
}
