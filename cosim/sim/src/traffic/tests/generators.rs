//! Whole sequences of packets: the same each time, legal, and switching in the right cycle.

use super::super::Generator;
use super::*;
use proptest::prelude::*;

fn switch_at(cycle: u64, from: impl Into<Pattern>, to: impl Into<Pattern>) -> Pattern {
    Pattern::SwitchAt { cycle, from: Box::new(from.into()), to: Box::new(to.into()) }
}

#[test]
fn the_same_seed_gives_the_same_packets() {
    for process in [Process::Bernoulli, Process::Exponential, Process::Burst] {
        let settings = TrafficSettings { process, packet_flits: PacketFlits::Same(4), ..settings(Uniform) };
        let packets =
            |seed, node| first(1000, node, &Traffic::new(&settings, &graph(1000), 0.5, seed).unwrap());
        assert_eq!(packets(1, 0), packets(1, 0));
        assert_ne!(packets(1, 0), packets(2, 0));
        assert_ne!(packets(1, 0), packets(1, 1));
    }
}

#[test]
fn streams_of_nodes_and_seeds_are_not_correlated() {
    let settings = settings(Uniform);
    let sent = |seed, node| {
        let traffic = Traffic::new(&settings, &graph(8), 0.5, seed).unwrap();
        let mut sent = vec![-1.0; 20_000];
        before(20_000, node, &traffic).iter().for_each(|packet| sent[packet.at as usize] = 1.0);
        sent
    };
    let streams: Vec<Vec<f64>> = (0..4).flat_map(|seed| (0..4).map(move |node| sent(seed, node))).collect();
    for (i, a) in streams.iter().enumerate() {
        for b in &streams[..i] {
            let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            assert_near(product, 0.0, 20_000_f64.sqrt());
        }
    }
}

#[test]
fn the_pattern_switches_in_its_cycle() {
    let ring = grid(&[8], 1);
    for cycle in [0, 1, 77] {
        let pattern = switch_at(cycle, Neighbour, BitComplement);
        let traffic = at_full_load(pattern, &ring, 1).unwrap();
        for node in 0..8 {
            for (packet, at) in first(200, node, &traffic).into_iter().zip(0..) {
                let to = if at < cycle { (node + 1) % 8 } else { 7 - node };
                assert_eq!(packet, Generated { at, to, flits: 1 });
            }
        }
    }
}

#[test]
fn a_switch_changes_no_time() {
    let ring = grid(&[8], 1);
    for process in [Process::Bernoulli, Process::Exponential, Process::Burst] {
        let times = |pattern| {
            let settings =
                TrafficSettings { process, packet_flits: PacketFlits::Same(3), ..settings(pattern) };
            let traffic = Traffic::new(&settings, &ring, 0.5, 1).unwrap();
            first(1000, 5, &traffic).iter().map(|packet| packet.at).collect::<Vec<_>>()
        };
        let switched = switch_at(500, Neighbour, BitComplement);
        assert_eq!(times(switched), times(Neighbour.into()));
    }
}

#[test]
fn a_burst_across_the_switch_turns_to_another_node() {
    let pattern = switch_at(500, Neighbour, BitComplement);
    let settings = TrafficSettings {
        process: Process::Burst,
        burst_packets: 1e12,
        packet_flits: PacketFlits::Same(3),
        ..settings(pattern)
    };
    let traffic = Traffic::new(&settings, &grid(&[8], 1), 1.0, 1).unwrap();
    for packet in first(1000, 5, &traffic) {
        assert_eq!(packet.to, if packet.at < 500 { 6 } else { 2 });
    }
}

#[test]
fn the_two_permutations_of_a_switch_differ() {
    let pattern = switch_at(10, Permutation, Permutation);
    let traffic = at_full_load(pattern, &graph(64), 1).unwrap();
    assert!((0..64).any(|node| {
        let packets = first(20, node, &traffic);
        packets[0].to != packets[19].to
    }));
}

/// Node 0 is a fixed point of the transpose, node 1 is not.
#[test]
fn a_node_is_silent_in_the_phase_that_maps_it_to_itself() {
    let nodes = graph(16);
    let late = at_full_load(switch_at(1000, Transpose, BitComplement), &nodes, 1).unwrap();
    assert!(
        first(100, 0, &late)
            .into_iter()
            .zip(1000..)
            .all(|(packet, at)| packet == Generated { at, to: 15, flits: 1 })
    );
    assert_eq!(first(1, 1, &late), [Generated { at: 0, to: 4, flits: 1 }]);

    let early = at_full_load(switch_at(1000, BitComplement, Transpose), &nodes, 1).unwrap();
    let mut generator = early.generator(0);
    for at in 0..1000 {
        assert_eq!(generator.next(&early), Some(Generated { at, to: 15, flits: 1 }));
    }
    assert_eq!(generator.next(&early), None);
    assert_eq!(generator.next(&early), None);

    let twice = switch_at(20, switch_at(10, BitComplement, Transpose), Shuffle);
    let twice = at_full_load(twice, &nodes, 1).unwrap();
    let times: Vec<u64> = before(40, 5, &twice).iter().map(|packet| packet.at).collect();
    assert_eq!(times, (0..10).chain(20..40).collect::<Vec<_>>(), "node 5 is 0101: shuffled it is 1010");
}

#[test]
fn a_silence_does_not_change_the_rate_after_it() {
    const NODES: u32 = 1 << 16;
    let pattern = switch_at(100, Transpose, BitComplement);
    for process in [Process::Bernoulli, Process::Exponential, Process::Burst] {
        let settings =
            TrafficSettings { process, packet_flits: PacketFlits::Same(6), ..settings(pattern.clone()) };
        let traffic = Traffic::new(&settings, &graph(NODES), 0.6, 1).unwrap();
        let silent: Vec<u32> = (0..256).map(|half| half << 8 | half).collect();
        let packets = silent.iter().flat_map(|&node| before(4100, node, &traffic));
        let (mut count, mut soon) = (0.0, 0.0);
        for packet in packets {
            assert!(packet.at >= 100);
            count += 1.0;
            soon += f64::from(packet.at < 160);
        }
        // No process here has more than 1.5 times the variance of Poisson's.
        assert_near(count, 256.0 * 4000.0 * 0.1, (1.5_f64 * 256.0 * 4000.0 * 0.1).sqrt());
        assert_near(soon, 256.0 * 60.0 * 0.1, (1.5_f64 * 256.0 * 60.0 * 0.1).sqrt());
    }
}

/// The transpose silences node 5 for two cycles, less than a packet takes.
#[test]
fn packets_before_and_after_a_silence_do_not_overlap() {
    let pattern = switch_at(102, switch_at(100, Uniform, Transpose), Uniform);
    let settings =
        TrafficSettings { process: Process::Burst, packet_flits: PacketFlits::Same(4), ..settings(pattern) };
    for seed in 0..200 {
        let traffic = Traffic::new(&settings, &graph(16), 0.9, seed).unwrap();
        let packets = before(150, 5, &traffic);
        assert!(packets.iter().all(|packet| packet.at < 100 || packet.at >= 102));
        assert!(packets.windows(2).all(|pair| pair[1].at >= pair[0].at + 4), "seed {seed}: {packets:?}");
    }
}

#[test]
fn nodes_that_never_send_are_not_active() {
    let nodes = graph(16);
    let active = |pattern| at_full_load(pattern, &nodes, 1).unwrap().active_nodes().collect::<Vec<_>>();
    let all: Vec<u32> = (0..16).collect();
    assert_eq!(active(Uniform.into()), all);
    assert_eq!(active(Transpose.into()), [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14]);
    assert_eq!(active(Butterfly.into()), [1, 3, 5, 7, 8, 10, 12, 14]);
    assert_eq!(active(switch_at(9, Transpose, Uniform)), all);
    let both = switch_at(9, Transpose, Butterfly);
    assert_eq!(active(both), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    // A phase that lasts no cycle does not count.
    assert_eq!(active(switch_at(0, Uniform, Butterfly)).len(), 8);
    let transpose = at_full_load(Transpose, &nodes, 1).unwrap();
    assert!([0, 5, 10, 15].iter().all(|&node| first(1, node, &transpose).is_empty()));
}

#[test]
fn a_generator_is_small() {
    assert!(size_of::<Generator>() <= 40);
}

fn any_layout() -> impl Strategy<Value = NodeMap> {
    prop_oneof![
        (1_u32..4, prop::collection::vec(1_u32..5, 1..6)).prop_map(|(p, sizes)| dragonfly(p, &sizes)),
        (1_u32..4, prop::collection::vec(1_u32..5, 1..4)).prop_map(|(p, dims)| grid(&dims, p)),
        (1_u32..40).prop_map(graph),
        (1_u32..7).prop_map(|bits| graph(1 << bits)),
    ]
}

fn any_pattern() -> impl Strategy<Value = Pattern> {
    let leaf = prop_oneof![
        Just(Pattern::from(Uniform)),
        (0_u32..9).prop_map(|n| Adversarial(n).into()),
        (0_u32..9).prop_map(|n| AdversarialIndex(n).into()),
        (0_u32..9).prop_map(|n| AdversarialLocal(n).into()),
        Just(Permutation.into()),
        Just(SwitchPermutation.into()),
        Just(Transpose.into()),
        Just(BitReversal.into()),
        Just(BitComplement.into()),
        Just(Shuffle.into()),
        Just(Butterfly.into()),
        Just(Tornado.into()),
        Just(Neighbour.into()),
        (prop::collection::vec(0_u32..6, 1..4), 0.0..=1.0).prop_map(|(nodes, share)| HotSpot {
            nodes,
            share
        }
        .into()),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        (0_u64..300, inner.clone(), inner).prop_map(|(cycle, from, to)| switch_at(cycle, from, to))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_packet_is_legal(
        layout in any_layout(),
        pattern in any_pattern(),
        process in prop_oneof![Just(Process::Bernoulli), Just(Process::Exponential), Just(Process::Burst)],
        packet_flits in 1_u32..9,
        load in 0.01..=1.0,
        seed: u64,
    ) {
        let settings = TrafficSettings { process, packet_flits: PacketFlits::Same(packet_flits), ..settings(pattern) };
        let Ok(traffic) = Traffic::new(&settings, &layout, load, seed) else { return Ok(()) };
        let least = match process {
            Process::Bernoulli => 1,
            Process::Exponential => 0,
            Process::Burst => packet_flits.into(),
        };
        let active: Vec<u32> = traffic.active_nodes().collect();
        for node in 0..layout.nodes() {
            let packets = first(100, node, &traffic);
            prop_assert!(packets.iter().all(|packet| packet.to < layout.nodes() && packet.to != node));
            prop_assert!(packets.windows(2).all(|pair| pair[1].at >= pair[0].at + least));
            prop_assert!(packets.is_empty() || active.contains(&node));
        }
    }
}
