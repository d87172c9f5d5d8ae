//! Supernodes on any graph, and the VCs that their steps need.

use crate::blueprint::Blueprint;
use crate::scenario::Scenario;
use router_core::drb::{Network, Supernode, SupernodeShape};
use std::path::Path;

const MIDIMEW: &str = "kind = \"ring\", routers = 64, chords = [14]";

/// The network of a topology, with so many VCs and these settings of the routing.
fn network(topology: &str, vcs: u32, routing: &str) -> Result<Blueprint, String> {
    let text = format!(
        "topology = {{ {topology} }}\nrouter = {{ vcs = {vcs} }}\nrouting = {{ algorithm = \"drb\"{routing} }}\ntraffic = {{ loads = [0.1] }}\n"
    );
    let scenario =
        Scenario::parse(&text, "s.toml", Path::new("."), &[]).map_err(|error| error.to_string())?;
    Blueprint::new(scenario).map_err(|error| error.to_string())
}

/// The sizes of gravity areas by radius, from 0 on, round every router.
fn sizes(topology: &str, radii: u8) -> Vec<Vec<usize>> {
    let blueprint = network(topology, 8, "").expect("a network");
    let network = Network::of(&blueprint.map().expect("a map")).expect("static routes");
    assert!(matches!(network, Network::Table(_)), "{topology}");
    let of = |centre| -> Vec<usize> {
        let of = |size| Supernode { network, centre, shape: SupernodeShape::gravity(size) };
        (0..radii).map(|size| of(size).routers().count()).collect()
    };
    (0..blueprint.wiring().routers() as u32).map(of).collect()
}

/// A Midimew of 64 routers has 4 more routers with each hop than with the one before, until there are no more. A leaf of a fat tree with 4 ports has itself, its 2 routers above, and theirs.
#[test]
fn gravity_areas_have_the_published_sizes_on_any_graph() {
    for size in sizes(MIDIMEW, 7) {
        assert_eq!(size, [1, 5, 13, 25, 41, 61, 64]);
    }
    for size in sizes("kind = \"hypercube\", dims = 6", 7) {
        assert_eq!(size, [1, 7, 22, 42, 57, 63, 64]);
    }
    assert_eq!(sizes("kind = \"fat-tree\", radix = 4, levels = 2", 3)[0], [1, 3, 6]);
}

/// One VC for steps of one hop, at either end; those of the longest step are as many as its layers. Where spread routes need too many,
/// routes by the lowest port take their place: in a hypercube dimension order, which needs one.
#[test]
fn steps_need_as_many_vcs_as_their_layers() {
    for (topology, needed) in [
        ("kind = \"ring\", routers = 16, chords = [6]", 4),
        (MIDIMEW, 4),
        ("kind = \"ring\", routers = 256, chords = [92]", 4),
        ("kind = \"hypercube\", dims = 6", 3),
        ("kind = \"fat-tree\", radix = 8, levels = 2", 3),
        ("kind = \"binary-tree\", levels = 5", 3),
        ("kind = \"slim-fly\", q = 5", 4),
    ] {
        assert!(network(topology, needed, "").is_ok(), "{topology}");
        let refused = network(topology, needed - 1, "").map(drop).expect_err(topology);
        assert!(refused.contains(&format!("needs {needed} VCs")), "{topology}: {refused}");
    }
    // Without supernodes there are no further steps.
    assert!(network("kind = \"binary-tree\", levels = 5", 1, ", supernode_radius = 0").is_ok());
}

/// A header has 9 bits for a router, and a cube has dimensions.
#[test]
fn what_does_not_fit_is_refused() {
    let refused = |topology, routing| network(topology, 8, routing).map(drop).expect_err("too many");
    let large = refused("kind = \"hypercube\", dims = 10", "");
    assert!(large.contains("by 9 bits each; the addresses of this network have 10"), "{large}");
    let cube = ", destination_supernode = { kind = \"subtopology\", size = 2 }";
    let shapeless = refused(MIDIMEW, cube);
    assert!(shapeless.contains("subtopologies as supernodes on meshes and tori alone"), "{shapeless}");
    assert!(network("kind = \"torus\", dims = [4, 4]", 8, cube).is_ok());
}
