//! Multi-step paths: every path that a source may choose is proven, and the classes of VCs are what keeps them apart.

use super::{blueprint, grid, of, scenario};
use desvio_prove::{Verdict, prove};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::network::Violation;
use desvio_sim::run::run_with;
use router_core::header::{Address, Header};
use router_core::route::{Arrival, CandidateSet, Candidates, Draw, Full, Here, HopKind, Route};
use router_core::units::{PortClass, VcId, VcSet};

/// On meshes, a hypercube among them, and on tori, with as many VCs as it needs and with some more: no cycle, and as long a route as
/// the supernodes allow.
#[test]
fn three_steps_on_three_classes_leave_no_cycle() {
    for (kind, dims, vcs, flow) in [
        ("mesh", "[3, 3]", 3, "wormhole"),
        ("mesh", "[4, 2]", 4, "vct"),
        ("mesh", "[2, 2, 2]", 5, "wormhole"),
        ("torus", "[5]", 6, "wormhole"),
        ("torus", "[4, 3]", 7, "store-and-forward"),
        ("torus", "[3, 3]", 8, "wormhole"),
    ] {
        let proof = of(&grid(kind, dims, vcs, "drb", flow));
        assert!(proof.holds() && matches!(proof.verdict, Verdict::Acyclic(_)), "{kind} {dims}: {proof}");
        assert!(proof.faults.is_empty(), "{proof}");
        let longest = proof.reach.longest_route.expect("a bound");
        assert!(longest >= 4, "to a neighbour and back, twice: {longest}");
    }
}

/// ACKs with VCs of their own go by these alone: with one more VC on a mesh and two more on a torus there is no cycle.
#[test]
fn acks_apart_leave_no_cycle() {
    for (kind, dims, vcs) in
        [("mesh", "[3, 3]", 4), ("mesh", "[4, 2]", 5), ("torus", "[5]", 8), ("torus", "[4, 3]", 8)]
    {
        let text = grid(kind, dims, vcs, "drb\"\nack_priority = true\n#\"", "wormhole");
        let text = text.replace(&format!("vcs = {vcs}"), &format!("vcs = {{ node = 3, local = {vcs} }}"));
        let proof = of(&text);
        assert!(proof.holds() && matches!(proof.verdict, Verdict::Acyclic(_)), "{kind} {dims}: {proof}");
        assert!(proof.faults.is_empty(), "{proof}");
    }
}

/// On graphs, with as many VCs as their steps need and with some more: no cycle, and as long a route as the supernodes allow.
#[test]
fn three_steps_by_a_table_leave_no_cycle() {
    for (topology, vcs, longest) in [
        ("kind = \"ring\", routers = 16, chords = [6]", 4, 5),
        ("kind = \"ring\", routers = 16, chords = [6]", 8, 5),
        ("kind = \"ring\", routers = 9", 4, 6),
        ("kind = \"hypercube\", dims = 4", 3, 6),
        ("kind = \"hypercube\", dims = 3", 8, 5),
        ("kind = \"binary-tree\", levels = 4", 3, 8),
        ("kind = \"random-regular\", routers = 14, degree = 3", 6, 6),
        ("kind = \"fat-tree\", radix = 4, levels = 3", 6, 6),
        ("kind = \"dragonfly\", p = 1, a = 2, h = 1", 5, 5),
    ] {
        let proof = of(&graph(topology, vcs));
        assert!(proof.holds() && matches!(proof.verdict, Verdict::Acyclic(_)), "{topology}: {proof}");
        assert!(proof.faults.is_empty(), "{proof}");
        assert_eq!(proof.reach.longest_route, Some(longest), "{topology}");
    }
}

/// A network with one node at a router, and so many VCs.
fn graph(topology: &str, vcs: u32) -> String {
    format!(
        "topology = {{ {topology} }}\nrouter = {{ vcs = {vcs}, flow_control = \"wormhole\" }}\n\
         routing = {{ algorithm = \"drb\" }}\ntraffic = {{ packet_flits = 8, loads = [0.1] }}\n"
    )
}

/// The publication's network of 64 routers beside tori and hypercubes, a Midimew, with the VCs that spread routes need.
#[test]
fn a_midimew_of_64_routers_has_no_cycle() {
    let proof = of(&graph("kind = \"ring\", routers = 64, chords = [14]", 6));
    assert!(proof.holds() && matches!(proof.verdict, Verdict::Acyclic(_)), "{proof}");
    assert_eq!(proof.reach.longest_route, Some(8), "two hops more than the diameter");
}

/// Where a step may take the VCs of another one, packets wait in a circle, although no step alone makes one.
#[test]
fn steps_by_a_table_that_share_a_class_deadlock() {
    let text = graph("kind = \"hypercube\", dims = 3", 3);
    let blueprint = blueprint(&text);
    let proof =
        prove(&blueprint, OneClass(blueprint.routing().expect("a routing")), &|| {}).expect("an answer");
    assert!(!proof.holds() && proof.stuck().len() > 1, "{proof}");
    assert!(of(&text).holds());
}

/// All steps on VC 0. (A mesh: what a packet may do does not depend on the VC it is in.)
struct OneClass<R>(R);

impl<R: Route> Route for OneClass<R> {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let new = Arrival { kind: PortClass::NODE, ..from };
        let mut offered = Candidates::NONE;
        let vcs = VcSet::only(VcId::new(0));
        self.0
            .offer(here, new, header)?
            .sets()
            .try_for_each(|set| offered.offer(CandidateSet { vcs, ..set }))?;
        Ok(offered)
    }
    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        self.0.onward(here, header, out_kind, hop)
    }
    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        self.0.launch(here, to, length, draw)
    }
}

/// A step that follows another one in the same dimension order turns where neither may: packets wait round a square, and do in a run in
/// which the sources open all paths.
#[test]
fn steps_that_share_a_class_deadlock() {
    let text = grid("mesh", "[4, 4]", 3, "drb", "vct");
    let shared = |blueprint: &Blueprint| {
        let routing = OneClass(blueprint.routing().expect("a routing"));
        let proof = prove(blueprint, &routing, &|| {}).expect("an answer");
        assert!(!proof.holds() && proof.stuck().len() > 1, "{proof}");
        run_with::<8, 4, _>(blueprint, &routing, 1.0, &|_| {}).expect("a run").violation
    };
    let mut open = scenario(&text);
    open.run.limit_cycles = Some(20_000);
    open.routing.scheme = router_core::route::drb::DrbScheme {
        threshold_high: router_core::fixed::U8F8::ZERO,
        tolerance: router_core::fixed::U8F8::from_bits(1),
        ..Default::default()
    }
    .into();
    let open = Blueprint::new(open).expect("a network");
    let found = shared(&open);
    assert!(matches!(found, Some(Violation::Deadlock { .. })), "{found:?}");
    assert!(of(&text).holds() && blueprint(&text).routing().is_ok());
}
