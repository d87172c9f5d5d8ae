//! What a black box cannot be asked for.

use super::check_wires;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use std::path::Path;

#[test]
fn what_shares_places_is_refused_by_name() {
    let text =
        "[topology]\nkind = \"mesh\"\ndims = [3]\n[router]\nreserved_flits = 8\n[traffic]\nloads = [0.1]\n";
    let of = |set: &str| {
        let scenario = Scenario::parse(text, "s.toml", Path::new("."), &[set.to_owned()]).unwrap();
        check_wires(&Blueprint::new(scenario).unwrap()).map_err(|error| error.to_string())
    };
    let refused = of("router.buffer_flits=9").unwrap_err();
    assert!(refused.starts_with("router.reserved_flits: a switch is checked with"), "{refused}");
    assert_eq!(of("router.buffer_flits=8"), Ok(()));
}
