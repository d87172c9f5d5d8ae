//! Paths and lanes.

use super::network::*;
use crate::{Event, Programmed, Restricted, Settings};
use desvio_paths::{Graph, Layer};
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Links of a fabric, for its dependency graphs.
struct Links(usize);

impl Graph for Links {
    fn routers(&self) -> usize {
        self.0
    }
    fn ports(&self) -> usize {
        20
    }
    fn behind(&self, _: usize, _: u8) -> Option<(usize, u8)> {
        None
    }
}

/// A fabric after a step, and what the manager says.
fn programmed(network: &Rc<RefCell<Network>>, settings: Settings) -> (Programmed, Vec<u16>) {
    let mut own = manager(network, 0, settings);
    let Event::Programmed(done) = own.step().unwrap() else { panic!("not programmed") };
    assert!(!done.is_torn && done.silent.is_empty(), "{done:?}");
    let network = network.borrow();
    network.check();
    let mut layers: HashMap<u8, Layer> = HashMap::new();
    let ends = network.switches..network.agents.len();
    let lids: Vec<u16> = ends.clone().map(|end| network.agents[end].lids().0).collect();
    // By the tables alone: no lane's routes wait for each other in a circle.
    for from in ends.clone() {
        for to in ends.clone().filter(|&to| to != from) {
            let (first, count) = network.agents[to].lids();
            for lid in first..first + count {
                let level = own.service_level(network.agents[from].lids().0, lid).unwrap();
                assert!(level < settings.lanes, "{level}");
                let (way, _) = network.follow(from, lid).unwrap();
                let way: Vec<u32> = way.iter().map(|&(at, port)| Links(0).link(at, port)).collect();
                let layer = layers.entry(level).or_insert_with(|| Layer::new(&Links(network.switches)));
                assert!(layer.takes(&way), "a cycle on lane {level}: {from} to {to}");
            }
        }
    }
    (*done, lids)
}

/// How many paths of each pair of ends share no link with those of lower LIDs, by the tables.
fn disjoint(network: &Rc<RefCell<Network>>) -> Vec<usize> {
    let network = network.borrow();
    let ends = network.switches..network.agents.len();
    let mut counts = Vec::new();
    for from in ends.clone() {
        for to in ends.clone() {
            let (first, count) = network.agents[to].lids();
            let ways = (first..first + count).map(|lid| network.follow(from, lid).unwrap().0);
            let mut taken = HashSet::new();
            let mut paths = 0;
            for way in ways.filter(|way| !way.is_empty()) {
                if way.iter().all(|link| !taken.contains(link)) {
                    paths += 1;
                    taken.extend(way);
                }
            }
            if paths > 0 {
                counts.push(paths);
            }
        }
    }
    counts
}

fn settings(lmc: u8, lanes: u8) -> Settings {
    Settings { lmc, lanes, detour: 4, ..Settings::default() }
}

#[test]
fn the_first_lid_has_a_shortest_route() {
    for network in [line(5), ring(6), torus(), fat_tree(), complete(5)] {
        let (done, lids) = programmed(&network, settings(1, 8));
        assert_eq!(done.facts.up_down, Restricted::None);
        let network = network.borrow();
        for from in 0..network.switches {
            let mut hops = vec![usize::MAX; network.switches];
            hops[from] = 0;
            for _ in 0..network.switches {
                for (near, far) in network.links.iter().filter(|(a, b)| a.0.max(b.0) < network.switches) {
                    hops[far.0] = hops[far.0].min(hops[near.0].saturating_add(1));
                }
            }
            for (end, &lid) in lids.iter().enumerate() {
                let home = network.links[&(network.switches + end, 1)].0;
                let (way, _) = network.follow(from, lid).unwrap();
                assert_eq!(way.len(), hops[home], "from {from} to end {end}");
            }
        }
    }
}

/// Where a pair has so many disjoint paths and a table by destination can have them for all sources.
#[test]
fn further_lids_have_paths_of_their_own() {
    let network = fat_tree();
    let (done, _) = programmed(&network, settings(1, 1));
    assert!(disjoint(&network).iter().all(|&paths| paths == 2), "two spines, two paths");
    assert_eq!((done.facts.pairs, done.facts.disjoint, done.facts.longest), (12, 24, 2));
    // A ring has two ways; the source whose link a tree enters by has that one already: both are there from two further LIDs on.
    let network = ring(6);
    let (done, _) = programmed(&network, settings(2, 8));
    assert!(disjoint(&network).iter().all(|&paths| paths == 2));
    assert_eq!(done.facts.longest, 5);
    // Of four paths to each switch, as far as the three further trees have them: their roots have the direct link already.
    let network = complete(5);
    let (done, _) = programmed(&network, settings(2, 8));
    assert_eq!((done.facts.pairs, done.facts.disjoint), (20, 5 * 13));
    let network = complete(5);
    programmed(&network, settings(3, 8));
    assert!(disjoint(&network).iter().all(|&paths| paths == 4));
}

/// Of 240 pairs, with two, four and eight LIDs; a pair has four disjoint paths at most.
#[test]
fn a_torus_has_most_of_them() {
    for (lmc, disjoint_paths, least) in [(1, 450, 1), (2, 780, 2), (3, 913, 2)] {
        let network = torus();
        let (done, _) = programmed(&network, settings(lmc, 8));
        let paths = disjoint(&network);
        assert_eq!(paths.iter().sum::<usize>() as u64, done.facts.disjoint);
        assert_eq!((done.facts.disjoint, *paths.iter().min().unwrap()), (disjoint_paths, least), "LMC {lmc}");
    }
}

#[test]
fn too_few_lanes_make_up_down_routes() {
    let is = |lmc, lanes| {
        let (done, _) = programmed(&torus(), settings(lmc, lanes));
        (done.facts.up_down, done.facts.lanes)
    };
    assert_eq!((0..3).map(|lmc| is(lmc, 1)).collect::<Vec<_>>(), [(Restricted::All, 1); 3]);
    assert_eq!((is(0, 2), is(1, 2)), ((Restricted::None, 2), (Restricted::All, 1)));
    assert_eq!((is(1, 3), is(2, 3)), ((Restricted::None, 3), (Restricted::Further, 3)));
    // A tree has no cycle.
    let (done, _) = programmed(&line(5), settings(0, 1));
    assert_eq!((done.facts.up_down, done.facts.lanes), (Restricted::None, 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Any connected network, with ends at some of its switches: every pair is reached by every LID, no lane has a cycle, and paths that
    /// count as disjoint are.
    #[test]
    fn every_pair_is_reached_in_any_network(
        parents in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
        more in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..9),
        ends in prop::collection::vec(any::<prop::sample::Index>(), 1..7),
        lmc in 0u8..3,
        lanes in 1u8..5,
        detour in 0u32..5,
    ) {
        let switches = parents.len() + 1;
        let tree = parents.iter().zip(1..).map(|(parent, at)| (parent.index(at), at));
        let links: Vec<_> =
            tree.chain(more.iter().map(|(a, b)| (a.index(switches), b.index(switches)))).collect();
        let mut degree = vec![0; switches];
        for &(a, b) in &links {
            degree[a] += 1;
            degree[b] += 1;
        }
        let ends: Vec<usize> = ends.iter().map(|end| end.index(switches)).collect();
        ends.iter().for_each(|&end| degree[end] += 1);
        prop_assume!(degree.iter().all(|&ports| ports < 17));
        let network = Network::new(switches, &links, &ends);
        let (done, _) = programmed(&network, Settings { lmc, lanes, detour, ..Settings::default() });
        prop_assert_eq!((done.switches, done.ends), (switches, ends.len()));
    }
}
