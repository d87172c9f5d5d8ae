//! Networks of leaves and spines: what their routings offer, and what they accept.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use desvio_sim::topology::Facts;
use desvio_tests::measure::{blueprint, measure};
use desvio_tests::rtl::is_long;
use rayon::prelude::*;
use router_core::PortClass;
use router_core::header::{Address, Header};
use router_core::map::AnyMap;
use router_core::route::{Arrival, Draw, HopKind, Route, Routing};
use router_core::units::{PortId, PortSet, VcId};
use std::path::Path;

const ORTHOGONAL: &str = "kind = \"orthogonal-fat-tree\", q = 5";

/// A network of this topology with this routing, at full load of this pattern.
fn scenario(topology: &str, routing: &str, pattern: &str) -> String {
    format!(
        "topology = {{ {topology} }}\nrouting = {{ algorithm = {routing} }}
        router = {{ vcs = 2, buffer_flits = 64 }}
        traffic = {{ pattern = \"{pattern}\", packet_flits = 16, loads = [1.0] }}
        run = {{ warmup_cycles = 1000, measure_cycles = 1000 }}"
    )
}

fn network(topology: &str, routing: &str) -> Blueprint {
    blueprint(&scenario(topology, routing, "uniform"), &[])
}

fn refusal(topology: &str, routing: &str) -> String {
    let text = scenario(topology, routing, "uniform");
    let scenario = Scenario::parse(&text, "test.toml", Path::new(""), &[]).expect("a scenario");
    Blueprint::new(scenario).expect_err("no network").to_string()
}

/// Draws what it is told, and how likely that was.
struct Told<'t> {
    /// Each draw, and how much there was to draw from.
    draws: &'t mut Vec<(u32, u32)>,
    next: usize,
}

impl Draw for Told<'_> {
    fn below(&mut self, n: u32) -> u32 {
        if self.next == self.draws.len() {
            self.draws.push((0, n));
        }
        self.next += 1;
        self.draws[self.next - 1].0
    }
}

/// Every header of a new packet, and how likely it is.
fn launches(network: &Blueprint, routing: &Routing<'_>, from: usize, to: Address) -> Vec<(Header, f64)> {
    let (mut draws, mut headers) = (Vec::new(), Vec::new());
    loop {
        let header = routing.launch(&network.here(from), to, 1, &mut Told { draws: &mut draws, next: 0 });
        headers.push((header, draws.iter().map(|&(_, n)| 1.0 / f64::from(n)).product()));
        while draws.last().is_some_and(|&(drawn, n)| drawn + 1 == n) {
            draws.pop();
        }
        match draws.last_mut() {
            Some((drawn, _)) => *drawn += 1,
            None => return headers,
        }
    }
}

/// The ports that a packet is offered at a router to which it came by a port.
fn ports(
    network: &Blueprint,
    routing: &Routing<'_>,
    router: usize,
    by: Option<PortId>,
    header: &Header,
) -> PortSet {
    let kind = by.map_or(PortClass::NODE, |port| network.wiring().class(router, port.index()));
    let arrival = Arrival { port: by.unwrap_or_default(), kind, ..Arrival::default() };
    routing.offer(&network.here(router), arrival, header).expect("room").ports()
}

/// Routers that a packet passes after its first one; it has no choice on the way.
fn walk(network: &Blueprint, routing: &Routing<'_>, from: usize, mut header: Header) -> Vec<usize> {
    let (mut route, mut at, mut by) = (Vec::new(), from, None);
    while network.here(at).router != header.to.router {
        let offered = ports(network, routing, at, by, &header);
        assert!(offered.is_single(), "{offered:?} at router {at}");
        let port = offered.first().expect("a port");
        header = routing.onward(&network.here(at), &header, PortClass::LOCAL, HopKind::Minimal);
        let Some(desvio_sim::topology::Peer::Router { router, port }) =
            network.wiring().peer(at, port.index())
        else {
            panic!("port {port:?} of router {at} leads to no router")
        };
        (at, by) = (router as usize, Some(PortId::new(port)));
        route.push(at);
    }
    route
}

/// Leaf to leaf, each spine in common carries one flit per cycle of the `k` of a leaf: `1 / k` but for twins, which have all spines in
/// common. With fixed points that is 0.1935 on average of `q = 5`, 0.0586 of `q = 17`, without 0.1803.
#[test]
fn one_route_of_minimal_routing_carries_a_share_of_a_leaf() {
    for (q, leaves, with_fixed_points, deranged) in [(5_u32, 62, 0.1935, 0.1803), (17, 614, 0.0586, 0.0571)] {
        let network = network(&format!("kind = \"orthogonal-fat-tree\", q = {q}"), "\"up-down\"");
        let routing = network.routing().expect("a routing");
        let share = |to: u32| {
            let header = routing.launch(
                &network.here(0),
                Address { router: to, port: 0 },
                1,
                &mut Told { draws: &mut Vec::new(), next: 0 },
            );
            ports(&network, &routing, 0, None, &header).len() as f64 / f64::from(q + 1)
        };
        let sum: f64 = (1..leaves).map(share).sum();
        assert!((sum / f64::from(leaves - 1) - deranged).abs() < 5e-5, "{}", sum / f64::from(leaves - 1));
        assert!(((sum + 1.0) / f64::from(leaves) - with_fixed_points).abs() < 5e-5);
    }
}

/// What is accepted is `1 / 6`, and all where a leaf sends to its twin.
#[test]
fn a_permutation_of_leaves_gets_a_sixth_of_an_orthogonal_fat_tree() {
    let text = scenario(ORTHOGONAL, "\"up-down\"", "switch-permutation");
    let accepted = measure(&blueprint(&text, &[]), 1.0).accepted;
    let twins = (accepted * 372.0 - 62.0) / 5.0;
    assert!(
        (0.0..6.0).contains(&twins.round()) && (twins - twins.round()).abs() < 0.2,
        "{accepted}: {twins} twins"
    );
}

/// Half of the links up and down are for the way to the intermediate leaf: at most 0.508; derouting, one in six packets goes by one spine:
/// at most 0.545. With one VC for each way up and down, packets behind one that waits keep both at 0.35 to 0.40, under any permutation of
/// leaves, where minimal routing has 0.18.
#[test]
fn random_ways_carry_any_permutation_of_leaves() {
    for (routing, bound) in
        [("\"valiant-leaves\"", 0.508), ("\"up-down-derouting\", derouting = \"always\"", 0.5455)]
    {
        for pattern in ["switch-permutation", "uniform"] {
            let text = scenario(ORTHOGONAL, routing, pattern);
            let accepted = measure(&blueprint(&text, &[]), 1.0).accepted;
            assert!((0.32..bound).contains(&accepted), "{routing}, {pattern}: {accepted}");
        }
    }
}

/// The spine that a packet goes up to first is above its destination in 1 of 6 cases on average: 3.667 hops. No route has more than four,
/// every one goes up and down by leaves, and none is offered a choice.
#[test]
fn one_in_six_derouted_packets_needs_one_spine() {
    let network = network(ORTHOGONAL, "\"up-down-derouting\", derouting = \"always\"");
    let routing = network.routing().expect("a routing");
    let (mut hops, mut direct) = (0.0, 0.0);
    for to in 1..62 {
        let all = launches(&network, &routing, 0, Address { router: to, port: 2 });
        assert!((all.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-9);
        for (header, chance) in all {
            let route = walk(&network, &routing, 0, header);
            assert!(matches!(route.len(), 2 | 4), "{route:?}");
            assert!(route.iter().skip(1).step_by(2).all(|&router| router < 62), "{route:?}");
            hops += chance * route.len() as f64;
            direct += chance * f64::from(u8::from(route.len() == 2));
        }
    }
    let [hops, direct] = [hops, direct].map(|sum| sum / 61.0);
    assert!((hops - 11.0 / 3.0).abs() < 1e-9 && (direct - 1.0 / 6.0).abs() < 1e-9, "{hops} hops, {direct}");
}

/// Two hops where a root is above both leaves, four where none is: as short as any route. A random network of 62 leaves has 2.5 on average.
#[test]
fn lazy_derouting_is_as_short_as_it_can_be() {
    let clos = "kind = \"random-folded-clos\", radix = 12, leaves = 62";
    let text = scenario(clos, "\"up-down-derouting\"", "uniform");
    let network = blueprint(&text, &["traffic.loads=[0.2]"]);
    let routing = network.routing().expect("a routing");
    let hops = network.wiring().distances_from(5);
    for to in (0..62).filter(|&to| to != 5) {
        for (header, _) in launches(&network, &routing, 5, Address { router: to as u32, port: 0 }) {
            assert_eq!(walk(&network, &routing, 5, header).len(), hops[to] as usize);
        }
    }
    let found = measure(&network, 0.2).hops_mean;
    let mean = Facts::of(network.wiring()).distances.node_mean;
    assert!((found - mean).abs() < 0.02 && (2.4..2.6).contains(&mean), "{found}, not {mean}");
}

/// Three levels, of which some leaves have no root in common: a packet goes by a leaf that both ends reach, in at most eight hops.
#[test]
fn derouting_at_three_levels() {
    let clos = "kind = \"random-folded-clos\", sizes = [12, 12, 8], up = [2, 2], nodes_per_router = 2";
    for derouting in ["lazy", "always"] {
        let text = scenario(clos, &format!("\"up-down-derouting\", derouting = \"{derouting}\""), "uniform");
        let network = blueprint(&text, &["traffic.loads=[0.2]"]);
        let routing = network.routing().expect("a routing");
        let AnyMap::Levels(levels) = network.map().expect("a map") else { panic!("no levels") };
        let mut twice = 0;
        for (from, to) in levels.pairs() {
            let straight = derouting == "lazy" && !levels.ways(from, to).is_empty();
            for (header, _) in launches(&network, &routing, from as usize, Address { router: to, port: 0 }) {
                assert_eq!(header.progress.via_ahead(), !straight);
                let joined = |one, other| !levels.ways(one, other).is_empty();
                assert!(straight || joined(from, header.via) && joined(header.via, to), "{from} to {to}");
                twice += usize::from(!straight);
            }
        }
        assert!(twice > 0, "leaves without a common root");
        let summary = measure(&network, 0.2);
        assert!(summary.state.keeps_up() && summary.hop_histogram.len() <= 8 + 1, "{summary:?}");
    }
}

/// The table of a fat tree, and its arithmetic: the same ports for all packets, whatever the choice and whatever is drawn.
#[test]
fn the_table_of_a_fat_tree_says_what_its_digits_say() {
    for ascent in ["adaptive", "random", "destination"] {
        let with = |topology: &str| network(topology, &format!("\"up-down\", ascent = \"{ascent}\""));
        let (one, other) = (
            with("kind = \"fat-tree\", radix = 6, levels = 3"),
            with("kind = \"xgft\", children = [3, 3, 6], parents = [1, 3, 3]"),
        );
        let [by_digits, by_table] = [&one, &other].map(|network| network.routing().expect("a routing"));
        for (node, from) in (0..54).step_by(5).flat_map(|node| (0..18).map(move |from| (node, from))) {
            let [to, same] = [one.address(node), other.address(node)];
            let [all, alike] =
                [launches(&one, &by_digits, from, to), launches(&other, &by_table, from, same)];
            assert_eq!(all.len(), alike.len());
            for ((header, _), (other_header, _)) in all.iter().zip(&alike) {
                assert_eq!(header.via, other_header.via);
                let [mine, its] = [
                    ports(&one, &by_digits, from, None, header),
                    ports(&other, &by_table, from, None, other_header),
                ];
                assert_eq!(mine, its, "{ascent}: from {from} to {node}");
                let choices = if ascent == "adaptive" && same.router as usize != from { 3 } else { 1 };
                assert_eq!(mine.len(), choices);
                if ascent != "adaptive" {
                    assert_eq!(
                        walk(&one, &by_digits, from, *header),
                        walk(&other, &by_table, from, *other_header)
                    );
                }
            }
        }
    }
}

/// By destination, the ports up of a leaf share the nodes of another one evenly, and so do those of the level above it: three of its nine
/// nodes each.
#[test]
fn destinations_share_the_ports_up() {
    let tree = network(
        "kind = \"xgft\", children = [9, 4, 4], parents = [1, 3, 2]",
        "\"up-down\", ascent = \"destination\"",
    );
    let routing = tree.routing().expect("a routing");
    let none = &mut Vec::new();
    let mut roots = std::collections::BTreeMap::new();
    for node in 0..9 {
        let header =
            routing.launch(&tree.here(15), tree.address(node), 1, &mut Told { draws: none, next: 0 });
        *roots.entry(walk(&tree, &routing, 15, header)[..2].to_vec()).or_insert(0) += 1;
    }
    let shares: Vec<i32> = roots.into_values().collect();
    assert_eq!(
        (shares.len(), shares.iter().sum::<i32>()),
        (6, 9),
        "three ports up, and two above each: {shares:?}"
    );
    assert!(shares.iter().all(|share| (1..=2).contains(share)));
}

/// Links up and down as many as nodes: any permutation is accepted as uniform traffic is; by a random leaf, half of it. A tree of half as many
/// roots carries half.
#[test]
fn fat_trees_carry_permutations_as_they_carry_uniform_traffic() {
    let tree = "kind = \"fat-tree\", radix = 8, levels = 3";
    let slim = "kind = \"xgft\", children = [4, 8], parents = [1, 2]";
    let accepted = |topology: &str, routing: &str, pattern: &str| {
        measure(&blueprint(&scenario(topology, routing, pattern), &["traffic.packet_flits=8"]), 1.0).accepted
    };
    let [uniform, permuted] =
        ["uniform", "permutation"].map(|pattern| accepted(tree, "\"up-down\"", pattern));
    assert!((permuted / uniform - 1.0).abs() < 0.1 && uniform > 0.75, "{uniform}, {permuted}");
    let valiant = accepted(tree, "\"valiant-leaves\"", "permutation");
    assert!((0.38..=0.517).contains(&valiant), "{valiant}");
    let slimmed = accepted(slim, "\"up-down\"", "switch-permutation");
    assert!((0.45..=0.501).contains(&slimmed), "{slimmed}");
}

#[test]
fn networks_that_do_not_fit_are_refused_by_name() {
    let clos = "kind = \"random-folded-clos\", radix = 12, leaves = 62";
    for word in ["up-down", "valiant-leaves"] {
        let refusal = refusal(clos, &format!("\"{word}\""));
        let begin = format!("routing.algorithm = \"{word}\" has no route from router ");
        assert!(refusal.starts_with(&begin), "{refusal}");
    }
}

/// A packet on the VCs of its first way that should be on its second one, and one that has gone down where its destination is not below.
#[test]
fn a_packet_that_should_not_be_there_breaks_the_order() {
    let came = |network: &Blueprint, at: usize, port: u8, vc: u8| {
        let kind = network.wiring().class(at, port.into());
        Arrival { port: PortId::new(port), kind, vc: VcId::new(vc) }
    };
    let [first, second] = [0, 1];
    for (routing, spine, leaf) in [
        // On VC 0, and on VC 1: what came up to a spine above the destination, what came down to another leaf.
        ("\"valiant-leaves\"", [false, true], [false, false]),
        ("\"up-down-derouting\", derouting = \"always\"", [true, true], [true, false]),
        ("\"up-down\"", [true, true], [false, false]),
    ] {
        let network = network("kind = \"orthogonal-fat-tree\", q = 2", routing);
        let routing = network.routing().expect("a routing");
        let to = Address { router: 1, port: 0 };
        let header = Header { to, length: 1, ..Header::default() };
        let above = network.wiring().neighbours(1).map(|(_, spine)| spine).next().expect("a spine");
        let keeps = |at: usize, port: u8, vc| {
            routing.keeps_order(&network.here(at), came(&network, at, port, vc), &header)
        };
        assert_eq!([first, second].map(|vc| keeps(above, 0, vc)), spine, "up to a spine above the leaf");
        assert_eq!([first, second].map(|vc| keeps(4, 3, vc)), leaf, "down to another leaf");
        assert!(keeps(4, 0, first) && keeps(4, 0, second), "from a node");
    }
}

/// The slow half of the tests.
mod slow {
    use super::*;

    /// The table of docs/shapes.md: ten permutations of leaves without fixed points, by three routings. Usually one of them, which lies between
    /// the lowest and the highest of its row.
    #[test]
    fn ten_permutations_accept_what_the_page_says() {
        let page = include_str!("../../docs/shapes.md");
        let cases = [
            ("| `\"up-down\"` (minimal) |", "\"up-down\"", 2),
            ("| `\"valiant-leaves\"` |", "\"valiant-leaves\"", 8),
            (
                "| `\"up-down-derouting\"`, `derouting = \"always\"` |",
                "\"up-down-derouting\", derouting = \"always\"",
                8,
            ),
        ];
        for (begins, routing, vcs) in cases {
            let row = page.lines().find(|line| line.starts_with(begins)).expect("a row of the page");
            let shown: Vec<f64> =
                row.split('|').skip(3).filter_map(|cell| cell.trim().parse().ok()).collect();
            let text = scenario(ORTHOGONAL, routing, "switch-permutation");
            let accepted = |seed: usize| {
                let sets = [
                    format!("run.seed={seed}"),
                    format!("router.vcs={vcs}"),
                    "run.measure_cycles=2000".to_owned(),
                ];
                measure(&blueprint(&text, &sets.each_ref().map(String::as_str)), 1.0).accepted
            };
            let seeds: Vec<usize> = if is_long() { (1..=10).collect() } else { vec![7] };
            let found: Vec<f64> = seeds.par_iter().map(|&seed| accepted(seed)).collect();
            let lowest = found.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = found.iter().copied().fold(0.0, f64::max);
            println!("{routing}: {found:?}");
            let rounded = |value: f64| (value * 1e4).round() / 1e4;
            if is_long() {
                let mean = found.iter().sum::<f64>() / 10.0;
                let deviation = (found.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / 9.0).sqrt();
                assert_eq!([mean, deviation, lowest, highest].map(rounded), shown[..4], "{row}");
            } else {
                assert!(shown[2] <= rounded(lowest) && rounded(highest) <= shown[3], "{row}: {found:?}");
            }
        }
    }
}
