//! Networks whose routers are of several classes in SystemVerilog: a design for each class, in lockstep by itself and in the network.

use desvio_lockstep::places::places;
use desvio_lockstep::rtl::{Rtl, Shape};
use desvio_lockstep::session::Session;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_tests::rtl::{blueprint, compiled, hdl, is_long};
use verilated::Library;

/// The smallest fat trees, with buffers that are full soon.
const SMALL: [&str; 7] = [
    "topology.radix=4",
    "router.vcs=2",
    "router.buffer_flits=9",
    "router.output_flits=3",
    "traffic.packet_flits=4",
    "run.warmup_cycles=100",
    "run.measure_cycles=400",
];

fn fat_tree(more: &[&str]) -> Blueprint {
    blueprint("fat-tree.toml", &[&SMALL, more].concat())
}

#[test]
fn a_fat_tree_has_a_design_for_each_level() {
    check(fat_tree(&["topology.levels=2", "routing.ascent=random"]), 2);
    if is_long() {
        check(fat_tree(&["topology.levels=2"]), 2);
        check(fat_tree(&["topology.levels=2", "routing.algorithm=interval", "routing.root=4"]), 2);
        check(fat_tree(&["topology.levels=2", "routing.ascent=destination"]), 2);
        check(fat_tree(&["topology.levels=3"]), 3);
        check(fat_tree(&["topology.levels=3", "routing.ascent=random"]), 3);
        check(fat_tree(&["topology.levels=3", "routing.ascent=destination"]), 3);
        check(fat_tree(&["topology.levels=3", "routing.algorithm=source"]), 3);
    }
}

fn check(mut blueprint: Blueprint, classes: usize) {
    let shapes = Shape::of_each_class(&blueprint).expect("shapes");
    assert_eq!(shapes.len(), classes);
    let library = |shape: Shape| compiled(&shape, &hdl()).map(|library| (shape, library));
    let Some(designs) = shapes.into_iter().map(library).collect::<Option<Vec<_>>>() else { return };
    for (class, (shape, library)) in designs.iter().enumerate() {
        lockstep(&blueprint, class, shape, library);
    }
    let alone = run(&blueprint, 0.7, &|_| ()).expect("a run").summary;
    let routers = blueprint.wiring().routers();
    blueprint.attach(Rtl { designs, routers });
    let both = run(&blueprint, 0.7, &|_| ()).expect("a run").summary;
    // As text: a value that no run has is not equal to itself.
    assert_eq!(format!("{alone:?}"), format!("{both:?}"));
    assert!(alone.accepted > 0.5, "{}", alone.accepted);
}

/// The router of a class by itself, in every place that it has in the network.
fn lockstep(blueprint: &Blueprint, class: usize, shape: &Shape, library: &Library) {
    let wiring = blueprint.wiring();
    let first = (0..wiring.routers()).find(|&router| usize::from(wiring.router_class(router).0) == class);
    let routers = places(blueprint, first.expect("a router"));
    let session = Session::new(blueprint, shape, library, routers[0], 1).expect("a session");
    let mut session = session.among(blueprint, &routers).expect("a session");
    let (mut cycles, mut flits) = (0, 0);
    for number in 0.. {
        let compared = session
            .run(number, 10_000, &mut ())
            .unwrap_or_else(|failed| panic!("class {class}: {}\n{:#?}", failed.mismatch, failed.stimulus));
        (cycles, flits) = (cycles + compared.cycles, flits + compared.flits);
        if cycles > 40_000 {
            break;
        }
    }
    assert!(flits > cycles / 50, "class {class}: {flits} flits in {cycles} cycles");
}

/// More classes of links than the RTL has are refused by name.
#[test]
fn four_levels_are_refused_by_name() {
    let refused = Shape::of_each_class(&fat_tree(&["topology.levels=4"])).map(drop).expect_err("a refusal");
    assert_eq!(refused.to_string(), "the SystemVerilog has node ports first, then local and global ones");
}
