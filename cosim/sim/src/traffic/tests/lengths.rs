//! Packets of several lengths.

use super::*;
use crate::traffic::LengthShare;

const SHARES: [(u16, f64); 3] = [(1, 0.5), (4, 0.3), (30, 0.2)];
const MEAN: f64 = 0.5 + 1.2 + 6.0;

fn mixed(process: Process, load: f64, nodes: u32) -> Traffic {
    let shares = SHARES.map(|(flits, share)| LengthShare { flits: flits.into(), share });
    let packet_flits = PacketFlits::Mixed(shares.to_vec());
    Traffic::new(&TrafficSettings { process, packet_flits, ..settings(Uniform) }, &graph(nodes), load, 7)
        .unwrap()
}

#[test]
fn lengths_have_their_shares() {
    for process in [Process::Bernoulli, Process::Exponential, Process::Burst] {
        let packets = first(50_000, 0, &mixed(process, 0.4, 1000));
        let count = |flits| packets.iter().filter(|packet| packet.flits == flits).count() as u64;
        assert_frequencies(
            &SHARES.map(|(flits, _)| count(flits)),
            &SHARES.map(|(_, share)| share * packets.len() as f64),
        );
    }
}

/// In each stretch of time, the first cycles included, as many packets begin as the load says.
#[test]
fn the_load_is_that_of_the_flits_from_the_first_cycle_on() {
    const NODES: u32 = 4000;
    for process in [Process::Bernoulli, Process::Exponential, Process::Burst] {
        for load in [0.1, 0.5, 0.9] {
            let traffic = mixed(process, load, NODES);
            for (from, to) in [(0, 10), (10, 200), (200, 2000)] {
                let of = |node| {
                    let packets = before(to, node, &traffic);
                    packets.iter().filter(|packet| packet.at >= from).count() as f64
                };
                let counts: Vec<f64> = (0..NODES).map(of).collect();
                let mean = counts.iter().sum::<f64>() / f64::from(NODES);
                let variance = counts.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / f64::from(NODES - 1);
                let expected = load / MEAN * (to - from) as f64;
                assert_near(mean, expected, (variance / f64::from(NODES)).sqrt());
            }
        }
    }
}

/// In a burst each packet begins when the one before has been sent.
#[test]
fn packets_of_a_burst_follow_each_other_without_a_gap() {
    let packets = first(10_000, 3, &mixed(Process::Burst, 1.0, 50));
    assert!(packets.windows(2).all(|pair| pair[1].at == pair[0].at + u64::from(pair[0].flits)));
}
