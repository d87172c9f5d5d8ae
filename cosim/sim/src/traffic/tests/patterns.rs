//! Who sends to whom, where the destination is drawn.

use super::*;

/// How often each node is drawn by `from`.
fn frequencies(pattern: Pattern, layout: &Layout, from: u32, packets: usize) -> Vec<u64> {
    let traffic = at_full_load(pattern, layout, 3).unwrap();
    let mut counts = vec![0; layout.nodes as usize];
    first(packets, from, &traffic).iter().for_each(|packet| counts[packet.to as usize] += 1);
    counts
}

/// Fails unless `from` sends to these nodes, to each as often, and to no other.
#[track_caller]
fn assert_spread(pattern: Pattern, layout: &Layout, from: u32, to: impl IntoIterator<Item = u32>) {
    const PACKETS: usize = 4000;
    let mut counts = frequencies(pattern, layout, from, PACKETS);
    let expected: Vec<u64> = to.into_iter().map(|to| std::mem::take(&mut counts[to as usize])).collect();
    assert!(counts.iter().all(|&count| count == 0), "{from} sends elsewhere: {counts:?}");
    assert_frequencies(&expected, &vec![PACKETS as f64 / expected.len() as f64; expected.len()]);
}

#[test]
fn uniform_leaves_out_the_sender_alone() {
    for from in [0, 5, 36] {
        assert_spread(Pattern::Uniform, &graph(37), from, (0..37).filter(|&to| to != from));
    }
    assert_spread(Pattern::Uniform, &graph(2), 1, [0]);
}

#[test]
fn adversarial_goes_to_any_node_of_a_group() {
    let layout = dragonfly(2, &[4, 2, 3]);
    let groups = [0..8, 8..12, 12..18];
    for n in [1, 2, 5, 3_000_000_001] {
        for g in 0..3 {
            let target = groups[(g + (n % 3) as usize) % 3].clone();
            for from in groups[g].clone() {
                assert_spread(Pattern::Adversarial(n), &layout, from, target.clone());
            }
        }
    }
}

#[test]
fn adversarial_to_the_own_group_leaves_out_the_sender() {
    let layout = dragonfly(2, &[2, 2, 2]);
    assert_spread(Pattern::Adversarial(3), &layout, 5, [4, 6, 7]);
    assert_spread(Pattern::AdversarialLocal(2), &layout, 5, [4]);
}

#[test]
fn adversarial_local_goes_to_a_router_of_the_group() {
    // Routers 0…3, 4…5 and 6…8; three nodes each.
    let layout = dragonfly(3, &[4, 2, 3]);
    let nodes_of = |router: u32| [3 * router, 3 * router + 1, 3 * router + 2];
    for (router, next) in [1, 2, 3, 0, 5, 4, 7, 8, 6].into_iter().enumerate() {
        for from in nodes_of(router as u32) {
            assert_spread(Pattern::AdversarialLocal(1), &layout, from, nodes_of(next));
        }
    }
    for (from, router) in [(0, 3), (9, 2), (12, 5), (18, 6), (24, 8)] {
        let own = [from];
        let others = nodes_of(router).into_iter().filter(|to| !own.contains(to));
        assert_spread(Pattern::AdversarialLocal(3), &layout, from, others);
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
            let pattern = Pattern::HotSpot { nodes: spots.clone(), share };
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

#[test]
fn patterns_that_do_not_fit_are_refused() {
    let refused = |pattern, layout: &Layout| at_full_load(pattern, layout, 1).unwrap_err();
    let twelve = dragonfly(2, &[2, 2, 2]);
    for pattern in [Pattern::Adversarial(1), Pattern::AdversarialIndex(1), Pattern::AdversarialLocal(1)] {
        assert!(matches!(refused(pattern, &grid(&[4], 2)), TrafficError::NeedsGroups(_)));
    }
    for pattern in [Pattern::Tornado, Pattern::Neighbour] {
        assert!(matches!(refused(pattern, &twelve), TrafficError::NeedsDimensions(_)));
    }
    for pattern in [
        Pattern::Transpose,
        Pattern::BitReversal,
        Pattern::BitComplement,
        Pattern::Shuffle,
        Pattern::Butterfly,
    ] {
        assert!(matches!(refused(pattern, &twelve), TrafficError::NeedsPowerOfTwo { nodes: 12, .. }));
    }
    assert!(matches!(refused(Pattern::Transpose, &graph(8)), TrafficError::NeedsEvenBits { bits: 3, .. }));
    let one_router = grid(&[1], 4);
    assert!(matches!(refused(Pattern::SwitchPermutation, &one_router), TrafficError::NothingToPermute(_)));
    let hot_spot = |nodes, share| Pattern::HotSpot { nodes, share };
    assert_eq!(refused(hot_spot(vec![], 0.5), &graph(8)), TrafficError::NoHotSpot);
    assert_eq!(refused(hot_spot(vec![8], 0.5), &graph(8)), TrafficError::NoSuchNode { node: 8, nodes: 8 });
    assert_eq!(refused(hot_spot(vec![1], 1.5), &graph(8)), TrafficError::Share(1.5));
    assert_eq!(refused(Pattern::Tornado, &grid(&[2, 2], 1)), TrafficError::NobodySends);
    assert_eq!(refused(Pattern::AdversarialIndex(0), &twelve), TrafficError::NobodySends);
}

#[test]
fn layouts_that_do_not_add_up_are_refused() {
    let refused = |layout: &Layout| at_full_load(Pattern::Uniform, layout, 1).unwrap_err();
    for layout in [grid(&[4, 4], 2), dragonfly(2, &[4, 4]), graph(9)] {
        let mut layout = layout;
        layout.nodes += 1;
        if let Shape::Graph { nodes_per_router } = &mut layout.shape {
            *nodes_per_router = 4;
        }
        assert!(matches!(refused(&layout), TrafficError::Layout { .. }), "{layout:?}");
    }
    assert_eq!(refused(&dragonfly(2, &[4, 0])), TrafficError::EmptyGroup(1));
    for layout in [graph(0), graph(1), grid(&[], 1), grid(&[4], 0), dragonfly(0, &[4]), dragonfly(2, &[])] {
        assert_eq!(refused(&layout), TrafficError::NobodySends, "{layout:?}");
    }
}
