//! On any connected network.

use crate::{Graph, Layer, Limits, Link, Tree, UpDown, alternatives, complete, distances, links, shortest};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::HashSet;

/// Routers with links between them; ports in the order of the links.
#[derive(Debug, Clone)]
struct Network(Vec<Vec<(usize, u8)>>);

impl Graph for Network {
    fn routers(&self) -> usize {
        self.0.len()
    }

    fn ports(&self) -> usize {
        24
    }

    fn behind(&self, router: usize, port: u8) -> Option<(usize, u8)> {
        self.0[router].get(usize::from(port)).copied()
    }
}

fn network(routers: usize, joined: impl IntoIterator<Item = (usize, usize)>) -> Network {
    let mut links = vec![Vec::new(); routers];
    for (a, b) in joined.into_iter().filter(|(a, b)| a != b) {
        let (p, q) = (links[a].len() as u8, links[b].len() as u8);
        links[a].push((b, q));
        links[b].push((a, p));
    }
    Network(links)
}

/// A tree, and further links.
fn networks() -> impl Strategy<Value = Network> {
    let pair = (any::<Index>(), any::<Index>());
    (prop::collection::vec(any::<Index>(), 1..12), prop::collection::vec(pair, 0..12)).prop_map(
        |(parents, more)| {
            let routers = parents.len() + 1;
            let tree: Vec<_> = parents.iter().zip(1..).map(|(parent, at)| (parent.index(at), at)).collect();
            let more = more.iter().map(|(a, b)| (a.index(routers), b.index(routers)));
            network(routers, tree.into_iter().chain(more))
        },
    )
}

/// The links of a route, which ends at the root.
fn route(network: &Network, from: usize, there: usize, tree: &Tree) -> Vec<Link> {
    let mut at = from;
    for _ in 0..=network.routers() {
        if at == there {
            return links(network, from, there, |router| tree[router].map(|(port, _)| port));
        }
        at = network.behind(at, tree[at].unwrap().0).unwrap().0;
    }
    panic!("a circle from {from} to {there}: {tree:?}")
}

/// Whether a list of dependencies has a cycle, by removing what nothing depends on.
fn has_cycle(routes: &[Vec<Link>]) -> bool {
    let mut left: HashSet<(Link, Link)> =
        routes.iter().flat_map(|route| route.windows(2).map(|pair| (pair[0], pair[1]))).collect();
    loop {
        let ends: HashSet<Link> = left.iter().map(|pair| pair.1).collect();
        let before = left.len();
        left.retain(|pair| ends.contains(&pair.0));
        if left.len() == before {
            return before > 0;
        }
    }
}

proptest! {
    #[test]
    fn trees_are_what_they_are_said_to_be(network in networks(), lids in 1usize..5, detour in 0u32..4) {
        let routers = network.routers();
        let ends: Vec<usize> = (0..routers).collect();
        let mut load = vec![0; routers * network.ports()];
        let mut all = Vec::new();
        for there in 0..routers {
            let hops = distances(&network, there);
            let first = shortest(&network, there, &hops, &vec![1; routers], &mut load);
            for anywhere in [false, true] {
                let limits = Limits { lids, detour, anywhere };
                let trees = alternatives(&network, there, &ends, first.clone(), limits);
                prop_assert!(trees.len() <= lids && trees[0] == first);
                for from in ends.iter().copied().filter(|&from| from != there) {
                    prop_assert_eq!(route(&network, from, there, &first).len() as u32, hops[from]);
                    for tree in trees.iter().filter(|tree| tree[from].is_some()) {
                        let way = route(&network, from, there, tree);
                        prop_assert_eq!(way.len() as u32, tree[from].unwrap().1);
                    }
                }
                for tree in &trees {
                    let whole = complete(&network, tree, &first);
                    for from in ends.iter().copied().filter(|&from| from != there) {
                        let way = route(&network, from, there, &whole);
                        prop_assert_eq!(way.len() as u32, whole[from].unwrap().1);
                        prop_assert!(tree[from].is_none() || whole[from] == tree[from], "nothing is lost");
                        all.push(way);
                    }
                }
            }
        }
        // Layers: what they take has no cycle, and what they refuse would close one.
        let mut layer = Layer::new(&network);
        let mut taken: Vec<Vec<Link>> = Vec::new();
        for way in all.into_iter().take(60) {
            let is_taken = layer.takes(&way);
            taken.push(way);
            prop_assert_eq!(is_taken, !has_cycle(&taken));
            if !is_taken {
                taken.pop();
            }
        }
    }

    /// No route goes up behind a link down, those of further trees and of routers that were added neither.
    #[test]
    fn up_down_never_turns_up(network in networks(), lids in 1usize..5, detour in 0u32..4) {
        let order = UpDown::new(&network);
        let routers = network.routers();
        let (ends, mut load) = ((0..routers).collect::<Vec<_>>(), vec![0; routers * network.ports()]);
        let mut all = Vec::new();
        for there in 0..routers {
            let base = order.tree(there, &mut load);
            let limits = Limits { lids, detour, anywhere: true };
            for tree in alternatives(&order, there, &ends, base.clone(), limits) {
                for from in (0..routers).filter(|&from| from != there && tree[from].is_some()) {
                    let way = route(&network, from, there, &tree);
                    prop_assert!(way.windows(2).all(|pair| order.may_turn(pair[0], pair[1])), "{way:?}");
                }
                let whole = complete(&order, &tree, &base);
                for from in (0..routers).filter(|&from| from != there) {
                    let way = route(&network, from, there, &whole);
                    prop_assert!(way.windows(2).all(|pair| order.may_turn(pair[0], pair[1])), "{way:?}");
                    all.push(way);
                }
            }
        }
        prop_assert!(!has_cycle(&all));
    }
}

/// A route that is refused leaves nothing behind.
#[test]
fn a_layer_forgets_what_it_refuses() {
    let mut layer = Layer::new(&network(4, [(0, 1)]));
    assert!(layer.takes(&[0, 1]) && layer.takes(&[1, 2]));
    assert!(!layer.takes(&[5, 6, 2, 0]), "0, 1, 2 and back");
    assert!(layer.takes(&[2, 6, 5]), "against what was refused");
}

/// A tree whose routes may not be turned into is given up as far as they lead there, and no further.
#[test]
fn routes_that_hang_in_the_air_follow_the_other_tree() {
    /// A ring of five, in which no packet goes on from the link 1 → 0 behind the link 2 → 1.
    struct Ruled(Network);
    impl Graph for Ruled {
        fn routers(&self) -> usize {
            self.0.routers()
        }
        fn ports(&self) -> usize {
            self.0.ports()
        }
        fn behind(&self, router: usize, port: u8) -> Option<(usize, u8)> {
            self.0.behind(router, port)
        }
        fn may_turn(&self, came: Link, leaves: Link) -> bool {
            (came, leaves) != (self.link(2, 0), self.link(1, 0))
        }
    }
    let ring = Ruled(network(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]));
    // By falling numbers: 3 by 2 by 1, of which 2 may not. The other one by rising numbers.
    let tree = vec![None, Some((0, 1)), None, None, None];
    let base = vec![None, Some((1, 4)), Some((1, 3)), Some((1, 2)), Some((1, 1))];
    let whole = complete(&ring, &tree, &base);
    assert_eq!((whole[1], whole[2]), (Some((0, 1)), Some((1, 3))), "nothing leads from 2 to 1");
    let tree = vec![None, Some((0, 1)), Some((0, 2)), Some((0, 3)), None];
    let whole = complete(&ring, &tree, &base);
    assert_eq!(whole, base, "1 is given up, and 2 and 3 with it");
}

/// On a wheel the hub is the root: from everywhere a packet may go up to it, and down to everywhere.
#[test]
fn the_root_is_in_the_middle() {
    let rim = (1..6).map(|at| (at, at % 5 + 1));
    let wheel = network(6, rim.chain((1..6).map(|at| (at, 0))));
    let order = UpDown::new(&wheel);
    for from in 1..6 {
        // The third link of a router on the rim.
        let up = wheel.link(from, 2);
        assert!((0..5).all(|port| order.may_turn(up, wheel.link(0, port))));
        assert!((0..5).all(|port| !order.may_turn(wheel.link(0, port), up)));
    }
}

/// A square: the second tree enters by the first link, the third one by the other.
#[test]
fn each_tree_enters_by_a_link_of_its_own() {
    let square = network(4, [(0, 1), (1, 2), (2, 3), (3, 0)]);
    let mut load = vec![0; 4 * 24];
    let first = shortest(&square, 0, &distances(&square, 0), &[1; 4], &mut load);
    let limits = Limits { lids: 3, detour: 2, anywhere: false };
    let trees = alternatives(&square, 0, &[0, 1, 2, 3], first, limits);
    assert_eq!((trees.len(), trees[1][1], trees[2][3]), (3, Some((0, 1)), Some((1, 1))));
    // From the other side all the way round, and no further than the detour goes.
    assert_eq!((trees[1][3], trees[2][1]), (Some((0, 3)), Some((1, 3))));
    let limits = Limits { detour: 1, ..limits };
    let trees = alternatives(&square, 0, &[0, 1, 2, 3], trees[0].clone(), limits);
    assert_eq!((trees[1][3], trees[2][1]), (None, None));
}
