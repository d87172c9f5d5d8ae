//! Trees of groups beside the routes of single packets.

use crate::{Certificate, Proof, check, check_of, prove};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use std::path::Path;

const MESH: &str = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[traffic]\nloads = [0.1]\n";
const GROUPS: &str = "traffic.pattern={ multicast = { groups = 3, size = 5 } }";

fn scenario(sets: &[&str]) -> Scenario {
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    Scenario::parse(MESH, "mesh.toml", Path::new("."), &sets).expect("a scenario")
}

fn proof(sets: &[&str]) -> Proof {
    let blueprint = Blueprint::new(scenario(sets)).expect("a blueprint");
    prove(&blueprint, blueprint.routing().expect("a routing"), &|| {}).expect("an answer")
}

/// Trees on a VC of their own add states, and no cycle; a checker that shares no search finds as many.
#[test]
fn trees_on_their_own_channel_close_no_cycle() {
    for routing in ["dimension-order", "up*/down*", "duato"] {
        let routing = format!("routing.algorithm={routing}");
        let (plain, beside) = (proof(&[&routing]), proof(&[&routing, GROUPS]));
        assert!(plain.holds() && beside.holds(), "{routing}: {beside}");
        assert_eq!((plain.reach.groups, beside.reach.groups), (0, 3));
        assert!(beside.to_string().contains("multicast  the trees of 3 groups"), "{beside}");
        let text = Certificate::of(&beside).expect("a certificate").to_json();
        assert!(check(&text).is_ok(), "{routing}: {:?}", check(&text));
        assert!(check_of(&text, &scenario(&[&routing, GROUPS])).is_ok());
        let other = check_of(&text, &scenario(&[&routing, GROUPS, "run.seed=2"])).expect_err("other groups");
        assert!(other.to_string().contains("groups"), "{other}");
    }
}

/// On one VC for both, copies that turn west and routes that turn elsewhere wait for each other in a circle; routes in the order of the trees do not.
#[test]
fn trees_and_routes_on_one_channel_are_judged_together() {
    let all = "traffic.pattern={ multicast = { groups = 1, size = 16 } }";
    let [turns, west] = ["routing.algorithm=turn-model", "routing.turns=west-first"];
    let mixed = proof(&["router.vcs=1", turns, west, all]);
    assert!(!mixed.holds(), "{mixed}");
    assert!(mixed.stuck().iter().any(|holder| holder.group == Some(0)), "{mixed}");
    assert!(mixed.to_string().contains("to group 0, waits for"), "{mixed}");
    assert!(proof(&["router.vcs=1", turns, west]).holds());
    assert!(proof(&["router.vcs=2", turns, west, all]).holds());
    assert!(proof(&["router.vcs=1", "routing.algorithm=up*/down*", all]).holds());
}
