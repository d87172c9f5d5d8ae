//! The whole router: SystemVerilog against the model, every output and register in every cycle, under constrained-random
//! traffic; and what lockstep says when something is wrong.

#![allow(clippy::unwrap_used)]

use desvio_lockstep::campaign::CONFIGURATIONS;
use desvio_lockstep::compare::Compared;
use desvio_lockstep::coverage::{Coverage, Point};
use desvio_lockstep::offers::Offers;
use desvio_lockstep::places::places;
use desvio_lockstep::rtl::Shape;
use desvio_lockstep::session::Session;
use desvio_sim::blueprint::Blueprint;
use desvio_tests::draw::third;
use desvio_tests::record::record;
use desvio_tests::rtl::{blueprint, compiled, copy, hdl, is_long, plant};
use std::collections::BTreeSet;

/// Configurations that take a minute to compile, with sizes for all but the long run and a seed with which all points are seen soon. Their
/// mechanisms do not depend on the number of ports, of which the first and the third of all configurations have seven.
const SMALLER: [(&str, &[&str], u64); 6] = [
    ("par-hybrid-descending-wavefront", &["topology.p=1", "topology.a=3", "topology.h=1"], 5),
    (
        "average-on-arrival-at-speed-1",
        &["topology.p=1", "topology.a=3", "topology.h=2", "topology.groups=4"],
        8,
    ),
    // Five ports to nodes, three to the group, one to another: port numbers of four bits, too.
    (
        "radix-15",
        &["topology.p=5", "topology.a=4", "topology.h=1", "router.vcs={ node = 1, local = 3, global = 2 }"],
        4,
    ),
    ("hybrid-any-router-deep-buffers", &["topology.p=1"], 8),
    ("minimal-tiny-buffers", &[], 2),
    ("valiant-by-router", &[], 3),
];

/// What few stimuli have: each of the routers below sees it in the long run, and most of them in the usual one.
const RARE: [&str; 1] = ["header.address-outside"];

/// Those that a router does not come to: with a pipeline of 6 and a speedup of 2 a FIFO that keeps two places sends a flit before both are taken.
const NEVER: [(&str, &str); 1] = [("average-of-cycles-before", "output.fifo-full")];

/// Runs a router of the campaign until all its coverage points have been seen and `usual` cycles have passed, many more in the
/// long run.
fn run(name: &str, usual: u64) {
    let configuration = CONFIGURATIONS.iter().find(|configuration| configuration.name == name).unwrap();
    let smaller = SMALLER.iter().find(|(of, ..)| *of == name && !is_long());
    let (sets, seed) = smaller.map_or((&[][..], 1), |&(_, sets, seed)| (sets, seed));
    let blueprint = configuration.with(sets).unwrap();
    let shape = configuration.shape(&blueprint).unwrap();
    if let Some(coverage) = run_all_points(name, &blueprint, &shape, usual, seed) {
        keep(name, &coverage);
    }
}

/// A router of the slow half in lockstep, where it is drawn: each run takes a third of them.
fn run_if_drawn(name: &str, usual: u64) {
    if third(name) {
        run(name, usual);
    }
}

/// Keeps which cases were seen, and which this router can have and were not.
fn keep(name: &str, coverage: &Coverage) {
    let missed: Vec<_> = coverage.missed().map(|point| &point.name).collect();
    let seen: Vec<_> = coverage.points().filter(|point| point.count > 0).map(|point| &point.name).collect();
    record(&format!("cases-{name}.toml"), &format!("seen = {seen:?}\nmissed = {missed:?}\n"));
}

fn run_all_points(
    name: &str,
    blueprint: &Blueprint,
    shape: &Shape,
    usual: u64,
    seed: u64,
) -> Option<Coverage> {
    let library = compiled(shape, &hdl())?;
    let routers = places(blueprint, 0);
    let session = Session::new(blueprint, shape, &library, 0, seed).unwrap();
    let mut session = session.among(blueprint, &routers).unwrap();
    let routing = blueprint.routing().unwrap();
    let nodes: Vec<_> = (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node)).collect();
    let heres: Vec<_> = routers.iter().map(|&router| blueprint.here(router)).collect();
    let offers = Offers::of(&routing, &heres, shape, &nodes);
    let mut coverage = Coverage::new(shape, session.probes(), &offers);
    let cycles = if is_long() { 1_500_000 } else { usual };
    let mut compared = Compared::default();
    for number in 0.. {
        let missing = missed(name, &coverage).count() > 0;
        if compared.cycles >= cycles && !(missing && compared.cycles < 20 * usual) {
            break;
        }
        match session.run(number, u64::from(u32::MAX), &mut coverage) {
            Ok(more) => compared += more,
            Err(failed) => panic!("{name}: {}\n{:#?}", failed.mismatch, failed.stimulus),
        }
    }
    let Compared { cycles, values, flits, .. } = compared;
    let (reached, possible) = coverage.reached();
    println!(
        "{name}: {cycles} cycles, {values} values, {flits} flits, {reached} of {possible} cases, no difference"
    );
    let missed: Vec<_> = missed(name, &coverage).map(|point| &point.name).collect();
    assert!(missed.is_empty(), "{name}: never seen: {missed:?}");
    // The registers, and a flit and a credit of every port.
    let (registers, wires) = (session.probes().len(), 2 * shape.ports);
    assert!(registers > 100, "{name}: {registers} registers are hardly a router");
    assert_eq!(values, cycles * (registers + wires) as u64, "{name}: not all of them in every cycle");
    assert!(flits > cycles / 100, "{name}: {flits} flits are hardly any");
    Some(coverage)
}

/// The points that should have been seen and were not.
fn missed<'c>(name: &str, coverage: &'c Coverage) -> impl Iterator<Item = &'c Point> {
    let wanted = |point: &&Point| is_long() || !RARE.contains(&point.name.as_str());
    coverage.missed().filter(wanted).filter(move |point| !NEVER.contains(&(name, point.name.as_str())))
}

/// A test for each of these routers of the campaign, and their names.
macro_rules! routers {
    ($run:ident: $($name:ident: $configuration:literal, $cycles:literal;)*) => {
        $(
            #[test]
            fn $name() {
                $run($configuration, $cycles);
            }
        )*

        pub(super) const ROUTERS: &[&str] = &[$($configuration),*];
    };
}

// Small ones, which compile soon, and one of each kind: routings of Dragonflies, of grids and of tables, both kinds of switching, knowledge
// of a group, places that VCs share, a pipeline of six, an output that is not drawn.
routers! {
    run:
    table_round_robin: "table-round-robin", 50_000;
    dimension_order_on_a_torus: "dimension-order-on-a-torus", 25_000;
    valiant_by_router: "valiant-by-router", 25_000;
    piggybacking: "piggybacking", 25_000;
    minimal_tiny_buffers: "minimal-tiny-buffers", 25_000;
    lowest_dimension_on_a_mesh: "lowest-dimension-on-a-mesh", 25_000;
}

#[test]
fn every_configuration_of_the_campaign_is_run() {
    let run: BTreeSet<_> = ROUTERS.iter().chain(slow::ROUTERS).copied().collect();
    assert_eq!(run, CONFIGURATIONS.map(|configuration| configuration.name).into());
}

/// The smallest Dragonfly: it compiles in seconds.
const TINY: [&str; 6] = [
    "topology.p=1",
    "topology.a=2",
    "topology.h=1",
    "router.buffer_flits=8",
    "router.output_flits=4",
    "traffic.packet_flits=4",
];

#[test]
fn a_difference_is_named_and_made_small() {
    // The FIFO of an output keeps its last flit until another one comes.
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path());
    plant(folder.path(), "output_port", "opens && count != 0", "opens && count > 1");
    let blueprint = blueprint("dragonfly.toml", &TINY);
    let shape = Shape::of(&blueprint).unwrap();
    let Some(library) = compiled(&shape, folder.path()) else { return };
    let mut session = Session::new(&blueprint, &shape, &library, 0, 1).unwrap();
    let failed = (0..50).find_map(|number| session.run(number, 10_000, &mut ()).err()).unwrap();
    let (before, after, _) = failed.shrunk;
    println!("{}; {before} packets, made {after}", failed.mismatch);
    assert!(after < before && after <= 20, "{before} packets were made {after}");
    // The small stimulus shows the same, and shows it again.
    let again = session.replay(&failed.stimulus, &mut ()).unwrap_err();
    assert_eq!(*again, failed.mismatch);
    // Nothing is wrong with the stimulus: the right RTL has no difference under it.
    let library = compiled(&shape, &hdl()).unwrap();
    let mut session = Session::new(&blueprint, &shape, &library, 0, 1).unwrap();
    assert!(session.replay(&failed.stimulus, &mut ()).is_ok());
}

/// The slow half of the tests.
mod slow {
    use super::*;

    routers! {
        run_if_drawn:
        occupancy: "occupancy", 50_000;
        par_hybrid_descending_wavefront: "par-hybrid-descending-wavefront", 50_000;
        contention_wormhole_output_first: "contention-wormhole-output-first", 50_000;
        average_on_arrival_at_speed_1: "average-on-arrival-at-speed-1", 50_000;
        average_of_cycles_before: "average-of-cycles-before", 50_000;
        always_free_store_and_forward: "always-free-store-and-forward", 50_000;
        always_one_output: "always-one-output", 50_000;
        forwarding_tables: "forwarding-tables", 25_000;
        duato_on_a_mesh: "duato-on-a-mesh", 50_000;
        turn_model_on_a_mesh: "turn-model-on-a-mesh", 25_000;
        odd_even_on_a_mesh: "odd-even-on-a-mesh", 25_000;
        source_on_a_torus: "source-on-a-torus", 25_000;
        rlm_ectn_wormhole: "rlm-ectn-wormhole", 25_000;
        ugal_by_group: "ugal-by-group", 25_000;
        piggybacking_each_cycle: "piggybacking-each-cycle", 25_000;
        radix_15: "radix-15", 25_000;
        hybrid_any_router_deep_buffers: "hybrid-any-router-deep-buffers", 60_000;
        interval_on_a_mesh: "interval-on-a-mesh", 25_000;
        up_then_down_on_a_mesh: "up-then-down-on-a-mesh", 25_000;
        layered_on_a_mesh: "layered-on-a-mesh", 25_000;
        drawn_ascent_in_a_fat_tree: "drawn-ascent-in-a-fat-tree", 25_000;
        shared_places_of_two_lengths: "shared-places-of-two-lengths", 25_000;
        one_arbiter_transit_first: "one-arbiter-transit-first", 25_000;
        packets_queued_by_router: "packets-queued-by-router", 25_000;
        flags_each_cycle_absolute: "flags-each-cycle-absolute", 25_000;
        marks_in_a_wormhole: "marks-in-a-wormhole", 25_000;
        par_of_three_groups_short_lived: "par-of-three-groups-short-lived", 25_000;
        first_vc_of_any_output: "first-vc-of-any-output", 25_000;
    }

    #[test]
    fn the_petersen_graph_by_intervals_and_by_a_table() {
        let algorithms: &[&str] = if is_long() { &["interval", "table"] } else { &["interval"] };
        for algorithm in algorithms {
            let algorithm = format!("routing.algorithm={algorithm}");
            let blueprint = blueprint("petersen.toml", &["router.arbiter=round-robin", &algorithm]);
            let shape = Shape::of(&blueprint).unwrap();
            run_all_points(&algorithm, &blueprint, &shape, 50_000, 1);
        }
    }
}
