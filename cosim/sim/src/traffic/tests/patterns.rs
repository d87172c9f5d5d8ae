//! Who sends to whom, where the destination is drawn.

use super::*;

/// How often each node is drawn by `from`.
fn frequencies(pattern: impl Into<Pattern>, layout: &NodeMap, from: u32, packets: usize) -> Vec<u64> {
    let traffic = at_full_load(pattern, layout, 3).unwrap();
    let mut counts = vec![0; layout.nodes() as usize];
    first(packets, from, &traffic).iter().for_each(|packet| counts[packet.to as usize] += 1);
    counts
}

/// Fails unless `from` sends to these nodes, to each as often, and to no other.
#[track_caller]
fn assert_spread(
    pattern: impl Into<Pattern>,
    layout: &NodeMap,
    from: u32,
    to: impl IntoIterator<Item = u32>,
) {
    const PACKETS: usize = 4000;
    let mut counts = frequencies(pattern, layout, from, PACKETS);
    let expected: Vec<u64> = to.into_iter().map(|to| std::mem::take(&mut counts[to as usize])).collect();
    assert!(counts.iter().all(|&count| count == 0), "{from} sends elsewhere: {counts:?}");
    assert_frequencies(&expected, &vec![PACKETS as f64 / expected.len() as f64; expected.len()]);
}

#[test]
fn uniform_leaves_out_the_sender_alone() {
    for from in [0, 5, 36] {
        assert_spread(Uniform, &graph(37), from, (0..37).filter(|&to| to != from));
    }
    assert_spread(Uniform, &graph(2), 1, [0]);
}

#[test]
fn adversarial_goes_to_any_node_of_a_group() {
    let layout = dragonfly(2, &[4, 2, 3]);
    let groups = [0..8, 8..12, 12..18];
    for n in [1, 2, 5, 3_000_000_001] {
        for g in 0..3 {
            let target = groups[(g + (n % 3) as usize) % 3].clone();
            for from in groups[g].clone() {
                assert_spread(Adversarial(n), &layout, from, target.clone());
            }
        }
    }
}

#[test]
fn adversarial_to_the_own_group_leaves_out_the_sender() {
    let layout = dragonfly(2, &[2, 2, 2]);
    assert_spread(Adversarial(3), &layout, 5, [4, 6, 7]);
    assert_spread(AdversarialLocal(2), &layout, 5, [4]);
}

#[test]
fn adversarial_local_goes_to_a_router_of_the_group() {
    // Routers 0…3, 4…5 and 6…8; three nodes each.
    let layout = dragonfly(3, &[4, 2, 3]);
    let nodes_of = |router: u32| [3 * router, 3 * router + 1, 3 * router + 2];
    for (router, next) in [1, 2, 3, 0, 5, 4, 7, 8, 6].into_iter().enumerate() {
        for from in nodes_of(router as u32) {
            assert_spread(AdversarialLocal(1), &layout, from, nodes_of(next));
        }
    }
    for (from, router) in [(0, 3), (9, 2), (12, 5), (18, 6), (24, 8)] {
        let own = [from];
        let others = nodes_of(router).into_iter().filter(|to| !own.contains(to));
        assert_spread(AdversarialLocal(3), &layout, from, others);
    }
}

#[test]
fn hot_spots_get_their_share() {
    const NODES: usize = 10;
    const PACKETS: f64 = 200_000.0;
    for share in [0.0, 0.3, 1.0] {
        for from in [0, 2, 7] {
            let spots = vec![2, 7, 9];
            let hot = |node: usize| if spots.contains(&(node as u32)) { share / 3.0 } else { 0.0 };
            // A packet for the sender itself is drawn anew among all the others.
            let drawn_anew = 1.0 - share + hot(from);
            let (mut expected, mut others) = (Vec::new(), Vec::new());
            for to in (0..NODES).filter(|&to| to != from) {
                others.push(to);
                expected.push((hot(to) + drawn_anew / (NODES - 1) as f64) * PACKETS);
            }
            let pattern = HotSpot { nodes: spots.clone(), share };
            let counts = frequencies(pattern, &graph(NODES as u32), from as u32, PACKETS as usize);
            assert_eq!(counts[from], 0);
            let (mut counted, mut wanted) = (Vec::new(), Vec::new());
            for (&to, &e) in others.iter().zip(&expected) {
                if e == 0.0 {
                    assert_eq!(counts[to], 0, "from {from} to {to}");
                } else {
                    counted.push(counts[to]);
                    wanted.push(e);
                }
            }
            assert_frequencies(&counted, &wanted);
        }
    }
}

/// Three quarters to one node, one quarter to any other; where a part gives a node nothing, the others share its packets.
#[test]
fn mixtures_have_their_shares() {
    const PACKETS: f64 = 60_000.0;
    let part = |share, pattern: Pattern| PatternShare { share, pattern };
    let pairs = Pairs { pairs: vec![(0, 3)] };
    let mixture =
        Mixture(vec![part(0.75, pairs.into()), part(0.125, Uniform.into()), part(0.125, Neighbour.into())]);
    let layout = grid(&[5], 1);
    let counts = frequencies(mixture.clone(), &layout, 0, PACKETS as usize);
    let expected =
        [1.0 / 32.0 + 1.0 / 8.0, 1.0 / 32.0, 0.75 + 1.0 / 32.0, 1.0 / 32.0].map(|share| share * PACKETS);
    assert_frequencies(&counts[1..], &expected);
    let counts = frequencies(mixture, &layout, 1, PACKETS as usize);
    let others = [counts[0], counts[2], counts[3], counts[4]];
    assert_frequencies(&others, &[0.125, 0.625, 0.125, 0.125].map(|share| share * PACKETS));
}

#[test]
fn patterns_that_do_not_fit_are_refused() {
    let refused = |pattern: Pattern, layout: &NodeMap| at_full_load(pattern, layout, 1).unwrap_err();
    let twelve = dragonfly(2, &[2, 2, 2]);
    for pattern in [Adversarial(1).into(), AdversarialIndex(1).into(), Pattern::from(AdversarialLocal(1))] {
        assert!(matches!(refused(pattern, &grid(&[4], 2)), TrafficError::NeedsGroups(_)));
    }
    for pattern in [Pattern::from(Tornado), Neighbour.into()] {
        assert!(matches!(refused(pattern, &twelve), TrafficError::NeedsDimensions(_)));
    }
    for pattern in
        [Pattern::from(Transpose), BitReversal.into(), BitComplement.into(), Shuffle.into(), Butterfly.into()]
    {
        assert!(matches!(refused(pattern, &twelve), TrafficError::NeedsPowerOfTwo { nodes: 12, .. }));
    }
    assert!(matches!(refused(Transpose.into(), &graph(8)), TrafficError::NeedsEvenBits { bits: 3, .. }));
    let one_router = grid(&[1], 4);
    assert!(matches!(refused(SwitchPermutation.into(), &one_router), TrafficError::NothingToPermute(_)));
    let hot_spot = |nodes, share| HotSpot { nodes, share }.into();
    assert_eq!(refused(hot_spot(vec![], 0.5), &graph(8)), TrafficError::NoHotSpot);
    assert_eq!(
        refused(hot_spot(vec![8], 0.5), &graph(8)),
        TrafficError::NoSuchNode { pattern: "hot-spot", node: 8, nodes: 8 }
    );
    assert_eq!(refused(hot_spot(vec![1], 1.5), &graph(8)), TrafficError::Share(1.5));
    let mixture = |share, pattern| Mixture(vec![PatternShare { share, pattern }]).into();
    assert_eq!(refused(mixture(0.0, Uniform.into()), &graph(8)), TrafficError::PatternShare(0.0));
    let changing =
        Pattern::SwitchAt { cycle: 5, from: Box::new(Uniform.into()), to: Box::new(Permutation.into()) };
    assert_eq!(refused(mixture(1.0, changing), &graph(8)), TrafficError::MixtureChanges);
    let cartesian = |sides, transforms| Cartesian { sides, transforms }.into();
    let one = vec![Transform::Complement];
    let coordinates = TrafficError::Coordinates { transforms: 1, sides: 2 };
    assert_eq!(refused(cartesian(vec![], one.clone()), &grid(&[2, 4], 1)), coordinates);
    assert_eq!(refused(cartesian(vec![7], one.clone()), &graph(8)), TrafficError::Sides(8));
    assert_eq!(refused(cartesian(vec![], one), &graph(8)), TrafficError::NeedsDimensions("cartesian"));
    assert_eq!(refused(Tornado.into(), &grid(&[2, 2], 1)), TrafficError::NobodySends);
    assert_eq!(refused(AdversarialIndex(0).into(), &twelve), TrafficError::NobodySends);
}

#[test]
fn a_network_with_fewer_than_two_nodes_has_no_traffic() {
    let refused = |on: &NodeMap| at_full_load(Uniform, on, 1).unwrap_err();
    for on in [graph(0), graph(1), grid(&[4], 0), dragonfly(0, &[4]), dragonfly(2, &[])] {
        assert_eq!(refused(&on), TrafficError::NobodySends, "{on:?}");
    }
}

#[test]
fn routers_without_nodes_take_no_part() {
    let tree = fat_tree(4, 2, 3);
    assert_spread(Uniform, &tree, 5, (0..12).filter(|&to| to != 5));
    let traffic = at_full_load(SwitchPermutation, &tree, 1).unwrap();
    let mut leaves: Vec<u32> = (0..4).map(|leaf| first(1, 3 * leaf, &traffic)[0].to / 3).collect();
    assert!(leaves.iter().zip(0..).all(|(&to, from)| to != from), "{leaves:?}");
    leaves.sort_unstable();
    assert_eq!(leaves, [0, 1, 2, 3]);
    let uneven = NodeMap::new([2, 2, 1, 0], None, None);
    let refused = at_full_load(SwitchPermutation, &uneven, 1).unwrap_err();
    assert_eq!(refused, TrafficError::NeedsEqualRouters("switch-permutation"));
    assert_spread(Uniform, &uneven, 4, 0..4);
    // The second group is a spine: no node of it can be sent to.
    let groups = NodeMap::new([2, 2, 0], Some(&[2, 1]), None);
    assert_eq!(at_full_load(Adversarial(1), &groups, 1).unwrap_err(), TrafficError::EmptyGroup(1));
}
