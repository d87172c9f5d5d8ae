//! Links that flits take one way: the unidirectional torus with its dateline, and the butterfly.

use super::{grid, of};
use desvio_prove::Verdict;

fn is_acyclic(text: &str) -> (u32, Option<u32>) {
    let proof = of(text);
    assert!(proof.holds() && matches!(proof.verdict, Verdict::Acyclic(_)), "{proof}");
    (proof.ranks().expect("ranks").highest, proof.reach.longest_route)
}

/// Every ring is cut by its dateline, with two VCs; by the links alone it is none.
#[test]
fn two_vcs_exclude_deadlock_on_a_one_way_torus_and_one_does_not() {
    for (dims, longest) in [("[3]", 2), ("[8]", 7), ("[4, 3]", 5), ("[2, 3, 2]", 4)] {
        for flow in ["vct", "wormhole"] {
            let text = grid("one-way-torus", dims, 2, "dimension-order", flow);
            assert_eq!(is_acyclic(&text).1, Some(longest), "{dims}");
        }
    }
    let proof = of(&grid("one-way-torus", "[5]", 1, "multipath", "vct"));
    // As many packets as routers, each of which holds the link that the one before it waits for.
    assert!(!proof.holds() && proof.stuck().len() == 5, "{proof}");
    assert!(of(&grid("one-way-torus", "[5]", 4, "table", "vct")).holds(), "a VC for each hop");
}

/// The textbook's two rings of four nodes (figures 3.33 and 3.34). `c0` and `c1` by the strict rule use six of eight channels and have no
/// cycle. `cA` and `cH` by the adaptive one use seven, have a cycle and an escape.
#[test]
fn the_rings_of_the_textbook() {
    let ring = |datelines: &str| {
        let routing = format!("dateline-adaptive\"\ndatelines = \"{datelines}");
        of(&grid("one-way-torus", "[4]", 2, &routing, "vct"))
    };
    let strict = ring("strict");
    assert!(strict.holds() && matches!(strict.verdict, Verdict::Acyclic(_)), "{strict}");
    assert_eq!((strict.reach.channels, strict.reach.used, strict.reach.longest_route), (8, 6, Some(3)));
    let adaptive = ring("adaptive");
    assert!(adaptive.holds() && matches!(adaptive.verdict, Verdict::Escape(_)), "{adaptive}");
    assert_eq!((adaptive.reach.channels, adaptive.reach.used), (8, 7));
    let single = of(&grid("one-way-torus", "[4]", 1, "multipath", "vct"));
    assert_eq!((single.reach.channels, single.stuck().len()), (4, 4), "the ring of figure 3.33(a): {single}");
}

/// Packets pass the stages in one order, whatever is between them: the interface, each stage, and the interface.
#[test]
fn a_butterfly_needs_one_vc() {
    for (k, stages) in [(2, 4), (3, 2)] {
        for wiring in ["butterfly", "cube", "omega", "baseline"] {
            let text = format!(
                "topology = {{ kind = \"butterfly\", k = {k}, stages = {stages}, wiring = \"{wiring}\" }}\n\
                 router = {{ vcs = 1, flow_control = \"wormhole\" }}\ntraffic = {{ loads = [0.1] }}\n"
            );
            assert_eq!(is_acyclic(&text), (stages + 2, Some(stages + 1)), "{wiring}");
        }
    }
}

/// A packet for another station waits for the arbiter, for the medium and for the way out.
#[test]
fn a_bus_needs_one_vc() {
    let text = "topology = { kind = \"bus\", routers = 5 }\nrouter = { vcs = 1, flow_control = \"wormhole\" }\n\
                traffic = { loads = [0.1] }\n";
    assert_eq!(is_acyclic(text).1, Some(3));
}
