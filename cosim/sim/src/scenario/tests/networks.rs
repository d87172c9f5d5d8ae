//! Topologies whose sizes make no network, and their neighbours that just do.

use super::patterns::traffic;
use super::{parse, refuses};

#[test]
fn a_router_has_at_most_64_ports() {
    refuses("[topology]\nkind = \"dragonfly\"\np = 8\na = ‸50\nh = 8\n", "would need 65 ports");
    refuses("[topology]\nkind = \"dragonfly\"\np = ‸62\na = 1\nh = 3\n", "at most 64 are possible");
    parse("[topology]\nkind = \"dragonfly\"\np = 8\na = 49\nh = 8\n");
    refuses("[topology]\nkind = \"mesh\"\ndims = [2, 2]\nnodes_per_router = ‸61\n", "would need 65 ports");
    parse("[topology]\nkind = \"mesh\"\ndims = [2, 2]\nnodes_per_router = 60\n");
}

#[test]
fn each_pair_of_groups_has_a_link() {
    let topology = "[topology]\nkind = \"dragonfly\"\np = 2\nh = 2\n";
    refuses(&format!("{topology}a = 4\ngroups = ‸10\n"), "groups must be at most 9");
    refuses(&format!("{topology}a = 4\ngroups = ‸1\n"), "from 2 to 4096");
    refuses(&format!("{topology}a = [2, ‸1, 2, 2]\n"), "reaches 2 others, but there are 3");
    refuses(
        &format!("{topology}a = [2, 2]\ngroups = ‸3\n"),
        "must be 2, as many groups as `topology.a` lists, not 3",
    );
    refuses(&format!("{topology}a = ‸[4]\n"), "lists 1 groups");
    refuses(&format!("{topology}a = [4, ‸65]\n"), "`topology.a[1]` must be a whole number from 1 to 64");
    refuses(&format!("{topology}a = ‸\"x\"\n"), "or a list of them, one per group");
    parse(&format!("{topology}a = [2, 1, 2]\n"));
}

#[test]
fn grids_have_a_size() {
    refuses("[topology]\nkind = \"torus\"\ndims = ‸[]\n", "a list of 1 to 8 dimensions");
    refuses(
        "[topology]\nkind = \"torus\"\ndims = [4, ‸1]\n",
        "`topology.dims[1]` must be a whole number from 2",
    );
    refuses("[topology]\nkind = \"mesh\"\ndims = ‸[2, 2, 2, 2, 2, 2, 2, 2, 2]\n", "lists 9 dimensions");
    refuses("[topology]\nkind = \"mesh\"\ndims = ‸[513, 512]\n", "need 19 bits, at most 18");
    parse("[topology]\nkind = \"mesh\"\ndims = [512, 512]\n");
}

#[test]
fn fat_trees_have_a_radix_and_levels() {
    let tree = |keys: &str| format!("[topology]\nkind = \"fat-tree\"\n{keys}\n");
    refuses(&tree("radix = ‸7"), "`topology.radix` must be an even number of ports from 4 to 64, not 7");
    refuses(&tree("radix = ‸66"), "from 4 to 64, not 66");
    refuses(&tree("radix = 8\nlevels = ‸5"), "from 2 to 4, not 5");
    refuses(&tree("radix = ‸64\nlevels = 4"), "at most 18 bits");
    refuses(&tree("radix = 8\n‸level = 2"), "did you mean `levels`?");
    refuses(
        &tree("radix = 8\n[routing]\nalgorithm = ‸\"olm\""),
        "expected one of \"table\", \"multipath\", \"valiant-table\", \"up-down\", ",
    );
    refuses("[routing]\nalgorithm = ‸\"up-down\"\n", "\"up-down\" does not fit a dragonfly");
    let pattern = format!("{}{}", tree("radix = 8"), traffic("{ adversarial = ‸1 }"));
    refuses(&pattern, "needs a dragonfly");
}

#[test]
fn networks_by_a_rule_have_their_numbers() {
    let network = |kind: &str, keys: &str| format!("[topology]\nkind = \"{kind}\"\n{keys}\n");
    for (kind, keys, fragment) in [
        ("hypercube", "dims = ‸19", "`topology.dims` must be a whole number from 1 to 18, not 19"),
        ("hypercube", "dims = ‸[2, 2]", "from 1 to 18, not a list"),
        (
            "hypercube",
            "dims = 6\nnodes_per_router = ‸59",
            "a router would need 65 ports (59 to nodes, 6 to routers), at most 64 are possible",
        ),
        ("hypercube", "dims = 6\n‸routers = 64", "unknown key `routers` of a hypercube"),
        ("ring", "routers = ‸2", "`topology.routers` must be a whole number from 3 to 262144, not 2"),
        (
            "ring",
            "routers = 9\nchords = [3, ‸5]",
            "`topology.chords[1]` must be a whole number from 2 to 4, not 5",
        ),
        ("ring", "routers = 9\nchords = [3, ‸3]", "`topology.chords[1]` is 3, which is listed before"),
        ("ring", "routers = 9\nchords = ‸[]", "a list of lengths, each from 2 to half of the routers"),
        ("complete", "routers = ‸65", "a whole number from 1 to 64, not 65"),
        ("complete", "routers = 60\nnodes_per_router = ‸6", "would need 65 ports"),
        ("star", "leaves = ‸64", "a whole number from 1 to 63, not 64"),
        ("binary-tree", "levels = ‸1", "a whole number from 2 to 18, not 1"),
        ("crossbar", "nodes_per_router = ‸1", "a whole number from 2 to 255, not 1"),
        ("de-bruijn", "bits = ‸1", "a whole number from 2 to 18, not 1"),
        ("star-graph", "symbols = ‸9", "a whole number from 3 to 8, not 9"),
        ("tree", "children = ‸0\nlevels = 3", "a whole number from 1 to 63, not 0"),
        ("tree", "children = ‸9\nlevels = 7", "the tree must have from 2 to 262144 routers"),
        ("tree", "children = ‸[1, 0, 2]", "router 2 of the list is the child of none before it"),
        (
            "tree",
            "children = [2]\nlevels = ‸2",
            "a list in `topology.children` says itself where the tree ends",
        ),
        ("tree", "children = ‸63\nlevels = 3", "would need 65 ports (1 to nodes, 64 to routers)"),
        ("hypermesh", "dims = ‸[2, 2, 2, 2, 2]", "a list of 1 to 4 dimensions such as [8, 8]"),
        ("hypermesh", "dims = ‸[64, 64, 64]", "the network is too large: at most 262144 routers"),
        ("bus", "routers = ‸64", "a whole number from 2 to 63, not 64"),
        ("butterfly", "k = 2\nstages = 2\nwiring = ‸\"banyan\"", "unknown wiring \"banyan\""),
        ("illiac", "side = ‸2", "a whole number from 3 to 512, not 2"),
        ("barrel-shifter", "bits = ‸19", "a whole number from 2 to 18, not 19"),
        ("cube-connected-cycles", "dims = ‸2", "a whole number from 3 to 14, not 2"),
        ("hyperx", "dims = [4, ‸64]", "`topology.dims[1]` must be a whole number from 2 to 63, not 64"),
        ("hyperx", "dims = ‸[40, 40]", "a router would need 79 ports (1 to nodes, 78 to routers)"),
        ("hyperx", "dims = ‸[2, 2, 2, 2, 2, 2, 2, 2, 2]", "lists 9 dimensions, expected 1 to 8"),
        (
            "hyperx",
            "dims = ‸[9, 9, 9, 9, 9, 9]",
            "the network is too large: it would have 531441 routers, at most 262144 are possible",
        ),
        ("slim-fly", "q = ‸6", "`topology.q` must be a power of a prime from 3 to 41, not 6"),
        ("slim-fly", "q = ‸43", "a power of a prime from 3 to 41, not 43"),
        ("slim-fly", "q = 41\nnodes_per_router = ‸4", "would need 65 ports (4 to nodes, 61 to routers)"),
        ("random-regular", "routers = 10\ndegree = ‸10", "a whole number from 3 to 9, not 10"),
        (
            "random-regular",
            "routers = 9\ndegree = ‸3",
            "`topology.routers` and `topology.degree` must not both be odd: 9 · 3 ends of links make no whole number of links",
        ),
        (
            "random-regular",
            "routers = 9\ndegree = 4\nwiring_seed = ‸-1",
            "from 0 to 9223372036854775807, not -1",
        ),
    ] {
        refuses(&network(kind, keys), fragment);
    }
    for (kind, key) in [("ring", "routers"), ("star", "leaves"), ("slim-fly", "q"), ("hyperx", "dims")] {
        refuses(
            &format!("[‸topology]\nkind = \"{kind}\"\n"),
            &format!("`topology.{key}` is missing, expected"),
        );
    }
    parse(&network("hypercube", "dims = 6\nnodes_per_router = 58"));
    parse(&network("slim-fly", "q = 41\nnodes_per_router = 3"));
    parse(&network("random-regular", "routers = 9\ndegree = 4"));
}
