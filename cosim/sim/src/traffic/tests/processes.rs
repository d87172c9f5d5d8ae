//! When packets are generated, against theory.

use super::*;

fn traffic(process: Process, packet_flits: u32, load: f64, nodes: u32) -> Traffic {
    let packet_flits = PacketFlits::Same(packet_flits);
    let settings = TrafficSettings { packet_flits, process, ..settings(Uniform) };
    Traffic::new(&settings, &graph(nodes), load, 7).unwrap()
}

/// Packets of each node in `cycles` cycles: their mean and their variance over the nodes.
fn mean_and_variance(traffic: &Traffic, nodes: u32, cycles: u64) -> (f64, f64) {
    let counts: Vec<f64> = (0..nodes).map(|node| before(cycles, node, traffic).len() as f64).collect();
    let mean = counts.iter().sum::<f64>() / f64::from(nodes);
    let variance = counts.iter().map(|c| (c - mean).powi(2)).sum::<f64>() / f64::from(nodes - 1);
    (mean, variance)
}

#[track_caller]
fn assert_mean_and_variance(process: Process, flits: u32, load: f64, variance_per_cycle: f64) {
    const NODES: u32 = 2000;
    const CYCLES: u64 = 40_000;
    let (mean, variance) = mean_and_variance(&traffic(process, flits, load, NODES), NODES, CYCLES);
    let expected = variance_per_cycle * CYCLES as f64;
    assert_near(mean, load / f64::from(flits) * CYCLES as f64, (expected / f64::from(NODES)).sqrt());
    assert_near(variance, expected, expected * (2.0 / f64::from(NODES)).sqrt());
}

#[test]
fn bernoulli_counts_are_binomial() {
    for (flits, load) in [(1, 0.5), (8, 0.3), (8, 1.0), (100, 0.02)] {
        let q = load / f64::from(flits);
        assert_mean_and_variance(Process::Bernoulli, flits, load, q * (1.0 - q));
    }
}

#[test]
fn exponential_counts_are_those_of_poisson() {
    for (flits, load) in [(1, 0.5), (8, 0.3), (8, 1.0), (100, 0.02)] {
        assert_mean_and_variance(Process::Exponential, flits, load, load / f64::from(flits));
    }
}

#[test]
fn burst_counts_are_those_of_a_renewal_process() {
    // One renewal: L packets, then G idle cycles. Packets less rate times cycles have the variance
    // var(L·(1 − λ)) + var(q·G), once every mean L·F / λ cycles.
    let mean_packets = 4.0;
    for (flits, load) in [(1, 0.5), (8, 0.3), (8, 0.9), (3, 0.05)] {
        let f = f64::from(flits);
        let idle = mean_packets * f * (1.0 - load) / load;
        let of_packets = mean_packets * (mean_packets - 1.0) * (1.0 - load).powi(2);
        let of_idle = idle * (idle + 1.0) * (load / f).powi(2);
        let per_cycle = (of_packets + of_idle) * load / (mean_packets * f);
        assert_mean_and_variance(Process::Burst, flits, load, per_cycle);
    }
}

#[test]
fn bernoulli_gaps_are_geometric() {
    for q in [0.9, 0.3, 0.05] {
        let traffic = traffic(Process::Bernoulli, 1, q, 2);
        const PACKETS: usize = 200_000;
        let packets = first(PACKETS + 1, 0, &traffic);
        let longest = (1..).find(|&k| PACKETS as f64 * q * (1.0_f64 - q).powi(k) < 20.0).unwrap() as usize;
        let mut counts = vec![0; longest + 1];
        for pair in packets.windows(2) {
            counts[(pair[1].at - pair[0].at - 1).min(longest as u64) as usize] += 1;
        }
        let expected: Vec<f64> = (0..=longest)
            .map(|k| (1.0 - q).powi(k as i32) * if k < longest { q } else { 1.0 } * PACKETS as f64)
            .collect();
        assert_frequencies(&counts, &expected);
    }
}

#[test]
fn exponential_packets_per_cycle_are_those_of_poisson() {
    const CYCLES: u64 = 200_000;
    let mut per_cycle = vec![0_usize; CYCLES as usize];
    let mut last = 0;
    for packet in before(CYCLES, 1, &traffic(Process::Exponential, 1, 1.0, 2)) {
        assert!(packet.at >= last, "time runs backwards");
        last = packet.at;
        per_cycle[packet.at as usize] += 1;
    }
    let mut counts = [0; 7];
    per_cycle.iter().for_each(|&n| counts[n.min(6)] += 1);
    let mut probability = (-1.0_f64).exp();
    let mut expected = [0.0; 7];
    for (n, expected) in expected[..6].iter_mut().enumerate() {
        *expected = probability * CYCLES as f64;
        probability /= (n + 1) as f64;
    }
    expected[6] = CYCLES as f64 - expected.iter().sum::<f64>();
    assert_frequencies(&counts, &expected);
}

#[test]
fn successive_exponential_cycles_are_independent() {
    let mut per_cycle = vec![0.0_f64; 200_000];
    for packet in before(200_000, 1, &traffic(Process::Exponential, 1, 0.5, 2)) {
        per_cycle[packet.at as usize] += 1.0;
    }
    let product: f64 = per_cycle.windows(2).map(|pair| (pair[0] - 0.5) * (pair[1] - 0.5)).sum();
    assert_near(product / 200_000.0 / 0.5, 0.0, 1.0 / 200_000_f64.sqrt());
}

#[test]
fn bursts_are_geometric_back_to_back_and_to_one_node() {
    const FLITS: u64 = 5;
    let (load, mean_packets) = (0.4, 4.0);
    // So many nodes that two bursts in a row hardly ever have the same destination.
    let traffic = traffic(Process::Burst, FLITS as u32, load, 1 << 20);
    let packets = first(400_000, 0, &traffic);
    let mut lengths = [0; 24];
    let (mut length, mut bursts, mut idle) = (1, 0, 0);
    for pair in packets.windows(2).skip_while(|pair| pair[0].to == pair[1].to).skip(1) {
        let gap = pair[1].at - pair[0].at;
        assert!(gap >= FLITS, "packets overlap");
        if pair[1].to == pair[0].to {
            assert_eq!(gap, FLITS, "not back to back");
            length += 1;
        } else {
            lengths[length.min(24) - 1] += 1;
            length = 1;
            bursts += 1;
            idle += gap - FLITS;
        }
    }
    let stay: f64 = 1.0 - 1.0 / mean_packets;
    let expected: Vec<f64> =
        (0..24).map(|k| f64::from(bursts) * stay.powi(k) * if k < 23 { 1.0 - stay } else { 1.0 }).collect();
    assert_frequencies(&lengths, &expected);
    let mean_idle = mean_packets * FLITS as f64 * (1.0 - load) / load;
    let deviation = (mean_idle * (mean_idle + 1.0) / f64::from(bursts)).sqrt();
    assert_near(idle as f64 / f64::from(bursts), mean_idle, deviation);
}

#[test]
fn every_cycle_from_the_first_has_the_same_rate() {
    const NODES: u32 = 40_000;
    for process in [Process::Bernoulli, Process::Exponential, Process::Burst] {
        for (flits, load) in [(6, 0.6), (6, 1.0)] {
            let traffic = traffic(process, flits, load, NODES);
            let mut counts = [0; 40];
            for node in 0..NODES {
                before(40, node, &traffic).iter().for_each(|packet| counts[packet.at as usize] += 1);
            }
            let expected = f64::from(NODES) * load / f64::from(flits);
            for count in counts {
                assert_near(f64::from(count), expected, expected.sqrt());
            }
        }
    }
}

#[test]
fn full_load_of_single_flits_is_a_packet_in_each_cycle() {
    for process in [Process::Bernoulli, Process::Burst] {
        let traffic = traffic(process, 1, 1.0, 9);
        for node in 0..9 {
            assert!(first(1000, node, &traffic).iter().zip(0..).all(|(packet, cycle)| packet.at == cycle));
        }
    }
}

#[test]
fn full_load_in_bursts_leaves_no_idle_cycle() {
    let traffic = traffic(Process::Burst, 7, 1.0, 50);
    for node in 0..50 {
        let packets = first(100, node, &traffic);
        assert!(packets[0].at < 7);
        assert!(packets.windows(2).all(|pair| pair[1].at == pair[0].at + 7));
    }
}

#[test]
fn a_load_near_nothing_ends_before_time_does() {
    for process in [Process::Bernoulli, Process::Exponential, Process::Burst] {
        let packets = first(1000, 0, &traffic(process, 1023, 1e-17, 2));
        assert!(packets.len() < 100 && packets.windows(2).all(|pair| pair[0].at < pair[1].at));
    }
}

#[test]
fn impossible_processes_are_refused() {
    let refused = |settings: TrafficSettings, load| Traffic::new(&settings, &graph(2), load, 1).unwrap_err();
    for load in [0.0, -0.5, 2.000001, f64::INFINITY] {
        assert_eq!(refused(settings(Uniform), load), TrafficError::Load(load));
    }
    // A packet of one flit in each cycle is all that a coin for each cycle makes.
    let more = TrafficError::Process { load: 1.000001, process: "bernoulli", most: 1.0 };
    assert_eq!(refused(settings(Uniform), 1.000001), more);
    assert!(matches!(refused(settings(Uniform), f64::NAN), TrafficError::Load(_)));
    let empty = TrafficSettings { packet_flits: PacketFlits::Same(0), ..settings(Uniform) };
    assert_eq!(refused(empty, 1.0), TrafficError::EmptyPacket);
    let short = TrafficSettings { process: Process::Burst, burst_packets: 0.9, ..settings(Uniform) };
    assert_eq!(refused(short, 1.0), TrafficError::BurstPackets(0.9));
}
