//! Latency in an otherwise empty network is a formula, to the cycle (`router_core::router::router_cycles`).

use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::{FlowControl, Pipeline};
use desvio_sim::summary::Summary;
use desvio_tests::bounds::Groups;
use desvio_tests::measure::{blueprint, dragonfly, measure};
use rayon::prelude::*;
use router_core::units::PortClass;
use std::io::Write;

/// Packets per node and cycle: so few that hardly two are in the network at a time. Results are exact, so a
/// scenario whose packets never meet stays one.
const RATE: f64 = 1e-6;

fn run(blueprint: &Blueprint) -> Summary {
    let length = blueprint.scenario().traffic.packet_flits.mean();
    let summary = measure(blueprint, RATE * length);
    assert!(summary.packets_measured >= 3, "{} packets tell little", summary.packets_measured);
    summary
}

/// `2n + D + (H + 1)·⌈N/S⌉ + L − 1`, with a pipeline of `N` cycles, over `hops` links of which `links` is the total latency.
///
/// Store-and-forward: a router's request is already registered when the tail arrives, so the head follows the tail's
/// arrival by `⌈(N − 1)/S⌉`, not `⌈N/S⌉`.
fn formula(blueprint: &Blueprint, hops: f64, links: f64) -> f64 {
    let scenario = blueprint.scenario();
    let (node, speedup) = (scenario.links.latency[PortClass::NODE], scenario.router.options.speedup);
    let tail = scenario.traffic.packet_flits.longest() - 1;
    let cycles = match scenario.router.options.pipeline {
        Pipeline::Four => 4_u32,
        Pipeline::Five => 5,
        Pipeline::Six => 6,
    };
    let router = match scenario.router.options.flow_control {
        FlowControl::StoreAndForward => cycles.div_ceil(speedup).max(tail + (cycles - 1).div_ceil(speedup)),
        // Those of circuits are in switching.rs.
        _ => cycles.div_ceil(speedup),
    };
    f64::from(2 * node + tail) + links + (hops + 1.0) * f64::from(router)
}

/// Where the links' latency is linear in the hops, the formula holds for the mean and for the longest route.
fn assert_formula(blueprint: &Blueprint, links: impl Fn(f64) -> f64) -> Summary {
    let summary = run(blueprint);
    let expected = |hops: f64| formula(blueprint, hops, links(hops));
    let longest = summary.hop_histogram.len() - 1;
    let told = format!("{:?}\n{summary:?}", blueprint.scenario());
    assert!(
        (summary.latency_mean - expected(summary.hops_mean)).abs() < 1e-6,
        "mean is not {}: {told}",
        expected(summary.hops_mean)
    );
    assert_eq!(summary.latency_max as f64, expected(longest as f64), "{told}");
    assert!((summary.network_latency_mean - summary.latency_mean).abs() < 1e-9, "no packet waits: {told}");
    summary
}

const WINDOW: [&str; 2] = ["run.warmup_cycles=0", "run.measure_cycles=1200000"];
/// The same for networks with more nodes.
const SHORT: [&str; 2] = ["run.warmup_cycles=0", "run.measure_cycles=150000"];

/// On a ring with everybody sending half-way round, every packet crosses the same number of links.
#[test]
fn every_hop_count_speedup_length_and_flow_control() {
    let mut cases = Vec::new();
    for flow in ["vct", "wormhole", "store-and-forward"] {
        for speedup in [1, 2, 3, 4] {
            for (length, pipeline) in
                [(1, 4), (2, 5), (5, 4), (8, 6), (16, 4), (1, 5), (16, 5), (1, 6), (16, 6)]
            {
                cases.push((flow, speedup, length, pipeline, cases.len()));
            }
        }
    }
    let hops: Vec<usize> = cases
        .par_iter()
        .map(|&(flow, speedup, length, pipeline, n)| {
            let routers = 3 + n % 9;
            let (node, link) = [(1, 1), (2, 3), (5, 10), (1, 37)][n / 2 % 4];
            let text = format!(
                "topology = {{ kind = \"torus\", dims = [{routers}] }}
                router = {{ flow_control = \"{flow}\", speedup = {speedup}, pipeline = {pipeline} }}
                links = {{ latency = {{ node = {node}, local = {link} }} }}
                traffic = {{ pattern = \"tornado\", packet_flits = {length}, loads = [1] }}"
            );
            let blueprint = blueprint(&text, &WINDOW);
            let summary = assert_formula(&blueprint, |hops| hops * f64::from(link));
            let hops = summary.hop_histogram.len() - 1;
            assert_eq!(summary.hop_histogram[hops], summary.packets_measured, "one route length");
            let exact = formula(&blueprint, hops as f64, hops as f64 * f64::from(link));
            assert_eq!(summary.latency_p50 as f64, exact);
            assert_eq!(summary.latency_p99 as f64, exact);
            hops
        })
        .collect();
    let seen: std::collections::BTreeSet<_> = hops.into_iter().collect();
    assert!(seen.len() >= 5, "hop counts {seen:?}");
}

#[test]
fn grids() {
    for (topology, pattern) in [
        ("kind = \"mesh\", dims = [8, 8]", "transpose"),
        ("kind = \"mesh\", dims = [4, 4, 4]", "uniform"),
        ("kind = \"torus\", dims = [8, 8]", "bit-reversal"),
        ("kind = \"torus\", dims = [5, 3, 3]", "uniform"),
        ("kind = \"mesh\", dims = [3, 5], nodes_per_router = 3", "permutation"),
    ] {
        for flow in ["vct", "store-and-forward"] {
            let text = format!(
                "topology = {{ {topology} }}
                router = {{ flow_control = \"{flow}\" }}
                links = {{ latency = {{ node = 2, local = 6 }} }}
                traffic = {{ pattern = \"{pattern}\", loads = [1] }}"
            );
            assert_formula(&blueprint(&text, &SHORT), |hops| 6.0 * hops);
        }
    }
}

/// A Petersen graph: every two of its ten routers are at most two hops apart.
#[test]
fn graph() {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    for n in 0..5 {
        writeln!(file, "{n} {}\n{n} {}\n{} {}", (n + 1) % 5, n + 5, n + 5, (n + 2) % 5 + 5).expect("an edge");
    }
    let text = format!(
        "topology = {{ kind = \"graph\", file = {:?} }}
        links = {{ latency = 4 }}
        traffic = {{ loads = [1] }}",
        file.path()
    );
    let summary = assert_formula(&blueprint(&text, &WINDOW), |hops| 4.0 * hops);
    assert_eq!(summary.hop_histogram.len(), 3);
}

/// Node to the node of the same index in another group: one global link, the rest local ones.
#[test]
fn dragonfly_minimal_and_adaptive() {
    for h in [2, 3] {
        for n in 1..=h {
            let pattern = format!("traffic.pattern={{adversarial-index={n}}}");
            for set in [
                "routing.algorithm=minimal",
                "routing.algorithm=olm",
                "selection.trigger=contention",
                "routing.vc_order=descending",
                "router.speedup=1",
                "router.speedup=3",
                "router.flow_control=store-and-forward",
                "router.flow_control=wormhole",
                "router.allocator=wavefront",
                "router.allocator=separable-output-first",
                "links.latency={node=3, local=7, global=41}",
            ] {
                let blueprint = dragonfly(h, &[&SHORT[..], &[&pattern, set]].concat());
                let latency = blueprint.scenario().links.latency;
                let links = |hops: f64| {
                    f64::from(latency[PortClass::GLOBAL])
                        + (hops - 1.0) * f64::from(latency[PortClass::LOCAL])
                };
                let summary = assert_formula(&blueprint, links);
                assert_eq!(summary.misrouted_share, 0.0);
            }
        }
    }
}

/// Links of one latency: a route through an intermediate point is as long as its hops.
#[test]
fn dragonfly_valiant() {
    for intermediate in ["group", "node"] {
        for pattern in ["\"uniform\"", "{adversarial=1}"] {
            let pattern = format!("traffic.pattern={pattern}");
            let intermediate = format!("routing.intermediate={intermediate}");
            let sets = ["routing.algorithm=valiant", "links.latency=9", &pattern, &intermediate];
            let summary = assert_formula(&dragonfly(2, &[&SHORT[..], &sets].concat()), |hops| 9.0 * hops);
            assert!(summary.hop_histogram.len() > 4, "detours were taken: {:?}", summary.hop_histogram);
        }
    }
}

/// Uniform traffic at almost no load: the mean over all pairs of nodes (with this pipeline).
#[test]
fn uniform_mean_is_the_expectation() {
    let sets = ["run.warmup_cycles=2000", "run.measure_cycles=150000"];
    let blueprint = dragonfly(2, &sets);
    let wiring = blueprint.wiring();
    let groups = Groups::new(wiring, 4);
    let (mut local, mut global, mut pairs) = (0_u32, 0_u32, 0_u32);
    for from in 0..wiring.nodes() {
        for to in (0..wiring.nodes()).filter(|&to| to != from) {
            let (here, there) = (wiring.attachment(from).0, wiring.attachment(to).0);
            pairs += 1;
            if groups.group_of(from) == groups.group_of(to) {
                local += u32::from(here != there);
            } else {
                let (exit, entry) = groups.link(groups.group_of(from), groups.group_of(to));
                global += 1;
                local += u32::from(here != exit) + u32::from(there != entry);
            }
        }
    }
    let mean = |count: u32| f64::from(count) / f64::from(pairs);
    assert!((mean(global) - 64.0 / 71.0).abs() < 1e-12 && (mean(local) - 102.0 / 71.0).abs() < 1e-12);
    let hops = mean(local) + mean(global);
    let expected = formula(&blueprint, hops, 10.0 * mean(local) + 100.0 * mean(global));
    let summary = measure(&blueprint, 0.01);
    // 13,000 packets with a standard deviation of 35 cycles: four standard errors and a little queueing.
    let told = format!("mean {} of {} packets", summary.latency_mean, summary.packets_measured);
    eprintln!("UN at load 0.01: {told}; expected {expected}");
    assert!(summary.packets_measured > 12_000, "{told}");
    assert!((summary.latency_mean - expected).abs() < 1.3, "{told}, expected {expected}");
    assert!((summary.hops_mean - hops).abs() < 0.03, "{} hops, expected {hops}", summary.hops_mean);
}
