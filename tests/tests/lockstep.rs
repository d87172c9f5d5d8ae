//! The whole router: SystemVerilog against the model, every output and register in every cycle, under constrained-random
//! traffic; and what lockstep says when something is wrong.

#![allow(clippy::unwrap_used)]

use desvio_lockstep::compare::Compared;
use desvio_lockstep::coverage::Coverage;
use desvio_lockstep::offers::Offers;
use desvio_lockstep::rtl::Shape;
use desvio_lockstep::session::Session;
use desvio_tests::rtl::{blueprint, compiled, copy, hdl, is_long, plant};

/// Runs a router until all its coverage points have been seen and `usual` cycles have passed, many more in the long run.
fn run(name: &str, scenario: &str, sets: &[&str], usual: u64) {
    let blueprint = blueprint(scenario, sets);
    let shape = Shape::of(&blueprint).unwrap();
    let Some(library) = compiled(&shape, &hdl()) else { return };
    let mut session = Session::new(&blueprint, &shape, &library, 0, 1).unwrap();
    let routing = blueprint.routing().unwrap();
    let nodes: Vec<_> = (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node)).collect();
    let offers = Offers::of(&routing, &[blueprint.here(0)], &shape, &nodes);
    let mut coverage = Coverage::new(&shape, session.probes(), &offers);
    let cycles = if is_long() { 1_500_000 } else { usual };
    let mut compared = Compared::default();
    for number in 0.. {
        let missing = coverage.missed().count() > 0;
        if compared.cycles >= cycles && !(missing && compared.cycles < 20 * usual) {
            break;
        }
        match session.run(number, u64::from(u32::MAX), &mut coverage) {
            Ok(more) => compared += more,
            Err(failed) => panic!("{name}: {}\n{:#?}", failed.mismatch, failed.stimulus),
        }
    }
    let Compared { cycles, values, flits } = compared;
    let (reached, possible) = coverage.reached();
    println!(
        "{name}: {cycles} cycles, {values} values, {flits} flits, {reached} of {possible} cases, no difference"
    );
    let missed: Vec<_> = coverage.missed().map(|point| &point.name).collect();
    assert!(missed.is_empty(), "{name}: never seen: {missed:?}");
    assert!(values > 100 * cycles && flits > cycles / 100, "{name}: hardly anything was compared");
}

macro_rules! routers {
    ($($name:ident: $scenario:literal, [$($set:literal),*], $cycles:literal;)*) => {$(
        #[test]
        fn $name() {
            run(stringify!($name), $scenario, &[$($set),*], $cycles);
        }
    )*};
}

routers! {
    occupancy: "dragonfly.toml", [], 150_000;
    hybrid_descending_wavefront: "dragonfly.toml",
        ["selection.trigger=hybrid", "routing.vc_order=descending", "router.allocator=wavefront"], 150_000;
    contention_wormhole_output_first: "dragonfly.toml",
        ["selection.trigger=contention", "router.flow_control=wormhole", "router.allocator=separable-output-first",
         "router.arbiter=round-robin", "router.iterations=3", "topology.arrangement=absolute"], 150_000;
    average_on_arrival_at_speed_1: "dragonfly.toml",
        ["selection.trigger=contention-average", "selection.count_at=arrival", "traffic.packet_flits=4",
         "router.speedup=1", "router.output_flits=1", "routing.misroute_scope=route", "router.iterations=1"], 150_000;
    always_free_rules_store_and_forward: "dragonfly.toml",
        ["selection.trigger=always", "routing.policy=RRG+L", "routing.nonminimal=free",
         "router.flow_control=store-and-forward", "topology.groups=5", "topology.arrangement=consecutive",
         "router.speedup=3"], 150_000;
    table_on_the_petersen_graph: "petersen.toml", ["router.arbiter=round-robin"], 150_000;
    duato_on_a_mesh: "mesh.toml",
        ["routing.algorithm=duato", "topology.dims=[3, 4]", "router.vcs={ node = 4, local = 3, global = 1 }",
         "router.arbiter=round-robin"], 150_000;
    radix_15: "dragonfly.toml",
        ["topology.p=4", "topology.a=8", "topology.h=4", "selection.trigger=hybrid", "routing.policy=NRG+L"], 60_000;
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
    // The FIFO of an output refuses a flit in the very cycle in which it gets a place.
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path());
    plant(folder.path(), "output_port", "flit_valid || count !=", "count !=");
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
