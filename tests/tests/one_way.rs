//! What networks of one-way links accept, beside their exact bounds.

use desvio_sim::topology::Facts;
use desvio_tests::measure::{blueprint, measure};

/// A network at loads of a pattern.
fn accepted(topology: &str, pattern: &str, load: f64) -> (f64, f64) {
    let text = format!(
        "topology = {{ {topology} }}\nrouter = {{ vcs = 4, buffer_flits = 64 }}\n\
         traffic = {{ pattern = {pattern}, packet_flits = 4, loads = [1.0] }}\nrun = {{ warmup_cycles = 2000, measure_cycles = 4000 }}"
    );
    let summary = measure(&blueprint(&text, &[]), load);
    (summary.accepted, summary.accepted_min_node)
}

/// On a ring of `k` a packet of uniform traffic takes `k / 2` hops, all over `k` links; one for the node `n` further takes `n`.
#[test]
fn a_one_way_ring_accepts_what_its_links_carry() {
    let ring = "kind = \"one-way-torus\", dims = [8]";
    let facts = Facts::of(
        blueprint(&format!("topology = {{ {ring} }}\ntraffic = {{ loads = [1.0] }}"), &[]).wiring(),
    );
    assert_eq!((facts.throughput(), facts.distances.diameter, facts.channels), (0.25, 7, 8));
    for (pattern, bound) in [("\"uniform\"", 0.25), ("\"tornado\"", 1.0 / 3.0), ("\"neighbour\"", 1.0)] {
        let (below, _) = accepted(ring, pattern, 0.9 * bound);
        assert!((below / (0.9 * bound) - 1.0).abs() < 0.06, "{pattern}: {below} of {}", 0.9 * bound);
        let (above, _) = accepted(ring, pattern, 1.0);
        assert!(above < 1.02 * bound, "{pattern}: {above} at load 1, the bound is {bound}");
    }
}

/// The links of the only routes: of a shuffle of 16 nodes some carry the packets of four, of the complement of two.
#[test]
fn a_butterfly_accepts_what_its_only_routes_carry() {
    let fly = "kind = \"butterfly\", k = 2, stages = 4";
    for (pattern, sharing) in [("\"shuffle\"", 4.0), ("\"bit-complement\"", 2.0)] {
        let (below, least) = accepted(fly, pattern, 0.9 / sharing);
        assert!(
            (below * sharing / 0.9 - 1.0).abs() < 0.06 && least > 0.7 / sharing,
            "{pattern}: {below}, {least}"
        );
        let (_, least) = accepted(fly, pattern, 1.0);
        assert!(least < 1.05 / sharing, "{pattern}: the slowest node has {least} at load 1");
    }
}

/// Stations share one flit per cycle.
#[test]
fn a_bus_accepts_one_flit_per_cycle() {
    for stations in [4.0, 10.0] {
        let bus = format!("kind = \"bus\", routers = {stations}");
        let (below, _) = accepted(&bus, "\"uniform\"", 0.9 / stations);
        assert!((below * stations / 0.9 - 1.0).abs() < 0.06, "{below} of {}", 0.9 / stations);
        let (above, least) = accepted(&bus, "\"uniform\"", 1.0);
        assert!(
            (above * stations - 1.0).abs() < 0.01,
            "{above} at load 1, the medium carries 1 / {stations}"
        );
        assert!((least * stations - 1.0).abs() < 0.05, "the arbiter serves in turn: {least}");
    }
}
