//! OFAR: what its escape ring proves, and what rests on its bubble.

use super::{dragonfly, of, scenario};
use desvio_prove::check;
use desvio_prove::{Certificate, Verdict, prove};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::VcAllocation;
use router_core::PortClass;

/// Channels of the ring move by its bubble, which is given; all others request it: three ranks, with the nodes'. The ring has one channel at
/// each router, and packets come off it only so often: routes have an end.
#[test]
fn ofar_has_an_escape_where_its_ring_moves() {
    for network in ["h = 2", "h = 2\ngroups = 5", "h = 1\ngroups = 3", "h = 2\narrangement = \"absolute\""] {
        let routing = "algorithm = \"ofar\"\nring_exits = 1";
        let text = dragonfly(routing, "occupancy").replace("h = 2", network);
        let proof = of(&text);
        assert!(proof.holds(), "{proof}");
        assert!(matches!(&proof.verdict, Verdict::Escape(ranks) if ranks.highest <= 3), "{proof}");
        let (reach, blueprint) = (proof.reach, super::blueprint(&text));
        let wiring = blueprint.wiring();
        let classes = (0..wiring.routers())
            .flat_map(|router| wiring.neighbours(router).map(move |(port, _)| wiring.class(router, port)));
        let canonical: usize = classes.map(|class| if class == PortClass::GLOBAL { 1 } else { 3 }).sum();
        assert_eq!(reach.used, canonical + reach.routers, "{proof}");
        let certificate = Certificate::of(&proof).expect("a certificate").to_json();
        assert!(check(&certificate).is_ok(), "{network}");
        let without =
            certificate.replace("vc_allocation = \\\"bubble\\\"", "vc_allocation = \\\"non-atomic\\\"");
        assert!(without != certificate && check(&without).is_err(), "{network}");
    }
}

/// Without bubbles a packet for each router of the ring closes it.
#[test]
fn the_ring_of_ofar_deadlocks_without_bubbles() {
    let mut scenario = scenario(&dragonfly("algorithm = \"ofar\"\nring_exits = 0", "occupancy"));
    scenario.router.options.vc_allocation = VcAllocation::NonAtomic;
    let blueprint = Blueprint::new(scenario).expect("a network");
    let proof = prove(&blueprint, blueprint.routing().expect("a routing"), &|| {}).expect("an answer");
    assert_eq!(proof.stuck().len(), 36, "{proof}");
    assert!(proof.stuck().iter().all(|holder| holder.behind.len() == 1), "{proof}");
}
