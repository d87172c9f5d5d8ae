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

/// Packets pass the stages in one order: the interface, each stage, and the interface.
#[test]
fn a_butterfly_needs_one_vc() {
    for (k, stages) in [(2, 4), (3, 2)] {
        let text = format!(
            "[topology]\nkind = \"butterfly\"\nk = {k}\nstages = {stages}\n[router]\nvcs = 1\nflow_control = \"wormhole\"\n\
             [traffic]\nloads = [0.1]\n"
        );
        assert_eq!(is_acyclic(&text), (stages + 2, Some(stages + 1)));
    }
}
