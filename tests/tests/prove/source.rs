//! Routes in the header, and intervals of labels: what they exclude, and what they do not.

use super::{blueprint, grid, of};
use desvio_prove::Verdict;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use router_core::PortClass;
use router_core::header::{Address, Header};
use router_core::route::{Arrival, Draw, Here, HopKind, Route};
use router_core::units::PortSet;
use std::path::Path;

/// No routing here draws.
struct None;

impl Draw for None {
    fn below(&mut self, _n: u32) -> u32 {
        unreachable!("a draw")
    }
}

fn is_acyclic(text: &str) {
    let proof = of(text);
    assert!(proof.holds() && matches!(proof.verdict, Verdict::Acyclic(_)), "{text}\n{proof}");
}

fn by(text: &str, routing: &str, more: &str) -> String {
    text.replace("[routing]\nalgorithm = \"table\"", &format!("[routing]\nalgorithm = \"{routing}\"\n{more}"))
}

/// On any graph: on a mesh, tori, a tree, and one without any symmetry.
#[test]
fn routes_that_go_up_then_down_and_intervals_exclude_deadlock_with_one_vc() {
    let kinds = [
        "kind = \"mesh\"\ndims = [4, 3]",
        "kind = \"torus\"\ndims = [4, 4]",
        "kind = \"ring\"\nrouters = 7",
        "kind = \"binary-tree\"\nlevels = 4",
        "kind = \"random-regular\"\nrouters = 16\ndegree = 3",
        "kind = \"fat-tree\"\nradix = 4\nlevels = 3",
    ];
    for kind in kinds {
        let text = format!(
            "[topology]\n{kind}\n[router]\nvcs = 1\nflow_control = \"wormhole\"\n[routing]\nalgorithm = \"table\"\n[traffic]\nloads = [0.1]\n"
        );
        is_acyclic(&by(&text, "source", ""));
        is_acyclic(&by(&text, "interval", ""));
        is_acyclic(&by(&text, "interval", "root = 5"));
    }
}

#[test]
fn routes_by_the_lowest_ports_deadlock_on_a_torus_and_not_with_a_vc_for_each_hop() {
    let source = |kind: &str, dims: &str, routes: &str, vcs: u32| {
        by(&grid(kind, dims, vcs, "table", "vct"), "source", &format!("routes = \"{routes}\""))
    };
    is_acyclic(&source("mesh", "[4, 4]", "lowest-port", 1));
    is_acyclic(&source("torus", "[5, 3]", "shortest", 3));
    let proof = of(&source("torus", "[5, 3]", "lowest-port", 1));
    assert!(!proof.holds() && proof.stuck().len() >= 3, "{proof}");
}

/// Where packets pass from one router to another, the first candidate at each.
fn routers(network: &Blueprint, from: usize, to: Address) -> Vec<usize> {
    let routing = network.routing().expect("a routing");
    let mut header = routing.launch(&network.here(from), to, 1, &mut None);
    let (mut at, mut by, mut passed) = (from, Arrival::default(), vec![from]);
    while network.here(at).router != to.router {
        let here: Here = network.here(at);
        let ports: PortSet = routing.offer(&here, by, &header).expect("room").ports();
        assert!(ports.is_single() && passed.len() < 20, "from {from} to {to:?}: {passed:?}, {ports:?}");
        let port = ports.first().expect("a port").index();
        let (_, next) = network.wiring().neighbours(at).find(|&(own, _)| own == port).expect("a link");
        header = routing.onward(&here, &header, PortClass::LOCAL, HopKind::Minimal);
        at = next;
        by = Arrival { kind: PortClass::LOCAL, ..Arrival::default() };
        passed.push(at);
    }
    assert_eq!(Header { to, length: 1, ..Header::default() }.to, header.to);
    passed
}

/// The textbook's use of both: dimension order without a rule in the routers. Intervals of rows take the last dimension first.
#[test]
fn on_a_mesh_both_are_dimension_order() {
    let network =
        |routing: &str, more: &str| blueprint(&by(&grid("mesh", "[4, 3]", 1, "table", "vct"), routing, more));
    let (source, interval) = (network("source", "routes = \"lowest-port\""), network("interval", ""));
    for (from, to) in (0..12).flat_map(|from| (0..12).map(move |to| (from, to))) {
        let line = |a: usize, b: usize, step: usize| {
            let count = a.abs_diff(b) / step;
            (1..=count).map(move |n| if b > a { a + n * step } else { a - n * step })
        };
        let (corner, other) = (from / 4 * 4 + to % 4, to / 4 * 4 + from % 4);
        let rows_last: Vec<_> =
            [from].into_iter().chain(line(from, corner, 1)).chain(line(corner, to, 4)).collect();
        let rows_first: Vec<_> =
            [from].into_iter().chain(line(from, other, 4)).chain(line(other, to, 1)).collect();
        assert_eq!(routers(&source, from, source.address(to)), rows_last);
        assert_eq!(routers(&interval, from, interval.address(to)), rows_first);
    }
}

/// Each hop of a route that goes up leads nearer to router 0, or to a lower number at the same distance; none comes after one that goes down.
#[test]
fn routes_never_go_up_after_they_have_gone_down() {
    let random = |seed: u32| format!("random-regular\"\nrouters = 24\ndegree = 3\nwiring_seed = {seed}");
    let kinds = (1..=6).map(random).chain(["torus\"\ndims = [5, 4]".to_owned()]);
    for kind in kinds {
        let text = format!(
            "[topology]\nkind = \"{kind}\n[router]\nvcs = 1\n[routing]\nalgorithm = \"source\"\n[traffic]\nloads = [0.1]\n"
        );
        let network = blueprint(&text);
        let (from_root, all) = (network.wiring().distances_from(0), network.wiring().routers());
        for (from, to) in (0..all).flat_map(|from| (0..all).map(move |to| (from, to))) {
            let passed = routers(&network, from, network.address(to));
            let up = |pair: &[usize]| (from_root[pair[1]], pair[1]) < (from_root[pair[0]], pair[0]);
            let hops: Vec<bool> = passed.windows(2).map(up).collect();
            assert!(hops.is_sorted_by(|before, after| before >= after), "{kind}: {passed:?}");
        }
    }
}

#[test]
fn a_route_that_does_not_fit_a_header_is_refused_with_its_bits() {
    let refusal = |kind: &str, dims: &str| {
        let text = by(&grid(kind, dims, 2, "table", "vct"), "source", "routes = \"lowest-port\"");
        let scenario = Scenario::parse(&text, "test.toml", Path::new("."), &[]).expect("a scenario");
        Blueprint::new(scenario).map(drop).map_err(|error| error.to_string())
    };
    // Five ports are three bits, eight hops the longest route: 24.
    assert_eq!(refusal("torus", "[8, 8]"), Ok(()));
    assert_eq!(
        refusal("mesh", "[8, 8]"),
        Err("routing.algorithm = \"source\" carries the whole route in a header, which has 24 bits for it; the longest route of \
             this network takes 42"
            .to_owned())
    );
}
