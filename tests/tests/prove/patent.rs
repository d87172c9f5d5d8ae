//! The patent's argument: which sub-function of its rules is an escape.

use super::blueprint;
use super::literal::{Literal, SubFunction};
use desvio_prove::{prove, prove_escape};
use router_core::map::AnyMap;

/// `R_min` and `R_nonmin` have cycles; the corrected one has none, nor has the literal routing if everything is requested at once. To
/// the letter, routes have no bound.
#[test]
fn only_the_corrected_escape_has_no_cycle() {
    for trigger in ["occupancy", "always"] {
        let blueprint = blueprint(&super::dragonfly("algorithm = \"olm\"", trigger));
        let AnyMap::Dragonfly(map) = blueprint.map().expect("a map") else { panic!("no Dragonfly") };
        for is_restricted in [true, false] {
            let routing = Literal { map, is_restricted };
            let of = |sub: SubFunction| {
                let is_of = |here: &_, from, header: &_, one| routing.is_of(sub, here, from, header, one);
                prove_escape(&blueprint, routing, &is_of, &|| {}).expect("an answer")
            };
            let cycles = [SubFunction::Minimal, SubFunction::NonMinimal, SubFunction::Corrected]
                .map(|sub| of(sub).stuck().len());
            assert_eq!(cycles, [2, 2, 0], "{trigger}, {is_restricted}");
            let whole = prove(&blueprint, routing, &|| {}).expect("an answer");
            assert_eq!(whole.ranks().is_some(), trigger == "always", "{whole}");
            assert!(!whole.holds() && whole.reach.longest_route.is_none(), "{whole}");
        }
    }
}

/// `docs/patent.md` shows what the example prints.
#[test]
fn the_page_shows_what_the_example_prints() {
    let text = super::table::text().expect("a table");
    assert!(include_str!("../../../docs/patent.md").contains(&text), "{text}");
}
