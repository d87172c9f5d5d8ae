//! Networks of leaves and spines, and their routings: numbers out of range, and what does not fit.

use super::{parse, refuses};

#[test]
fn networks_of_levels_have_their_numbers() {
    let network = |kind: &str, keys: &str| format!("[topology]\nkind = \"{kind}\"\n{keys}\n");
    for (kind, keys, fragment) in [
        ("orthogonal-fat-tree", "q = ‸6", "`topology.q` must be a power of a prime from 2 to 31, not 6"),
        ("orthogonal-fat-tree", "q = ‸32", "a power of a prime from 2 to 31, not 32"),
        ("multi-layer-full-mesh", "h = ‸33", "`topology.h` must be a whole number from 2 to 32, not 33"),
        ("random-folded-clos", "radix = ‸7\nleaves = 20", "an even number of ports from 4 to 64, not 7"),
        (
            "random-folded-clos",
            "radix = 12\nleaves = ‸10",
            "an even number of leaves from 12, the radix, to 65536, not 10",
        ),
        (
            "random-folded-clos",
            "radix = 12\nleaves = ‸25",
            "`topology.leaves` must be an even number of leaves from 12",
        ),
        ("random-folded-clos", "radix = 12\nleaves = 26\nlevels = ‸5", "from 2 to 4, not 5"),
        (
            "random-folded-clos",
            "radix = 12\nleaves = 26\nup = ‸[6]",
            "`topology.up` belongs to `topology.sizes`",
        ),
        ("random-folded-clos", "sizes = [22, 11]\nradix = ‸12", "say the same"),
        ("random-folded-clos", "sizes = ‸[22]\nup = [6]", "a list of 2 to 4 numbers of routers"),
        (
            "random-folded-clos",
            "sizes = [22, 11]\nup = ‸[6, 2]\nnodes_per_router = 6",
            "`topology.up` must list 1 numbers",
        ),
        (
            "random-folded-clos",
            "sizes = [22, 12]\nup = ‸[7]\nnodes_per_router = 6",
            "22 routers with 7 links up, all to different ones, do not come out even at 12 routers",
        ),
        (
            "xgft",
            "children = ‸[4]\nparents = [1]",
            "a list of 2 to 4 numbers such as [4, 8], the nodes of a leaf first",
        ),
        (
            "xgft",
            "children = [4, ‸65]\nparents = [1, 4]",
            "`topology.children[1]` must be a whole number from 1 to 64, not 65",
        ),
        (
            "xgft",
            "children = [4, 8]\nparents = ‸[1]",
            "a list of 2 numbers, as many as `topology.children`, the first of them 1",
        ),
        (
            "xgft",
            "children = [4, 8]\nparents = [‸2, 4]",
            "`topology.parents[0]` must be 1: a node has one link",
        ),
        (
            "xgft",
            "children = [40, 8]\nparents = ‸[1, 25]",
            "a router would need 65 ports, at most 64 are possible",
        ),
        (
            "xgft",
            "children = [4, 20, 60, 64]\nparents = ‸[1, 60, 4, 4]",
            "the network is too large: at most 262144 routers are possible",
        ),
        ("dragonfly-plus", "p = ‸40\nleaves = 2\nspines = 25\nh = 1", "a leaf would need 65 ports"),
        ("dragonfly-plus", "p = 1\nleaves = 40\nspines = 2\nh = ‸25", "a spine would need 65 ports"),
        (
            "dragonfly-plus",
            "p = 1\nleaves = 2\nspines = 2\nh = 2\ngroups = ‸6",
            "`topology.groups` must be a whole number from 2 to 5, not 6",
        ),
        ("dragonfly-plus", "p = 1\nleaves = 2\nspines = 2\nh = ‸0", "a whole number from 1 to 63, not 0"),
        (
            "xgft",
            "children = [4, 8]\nparents = [1, 4]\n‸nodes_per_router = 2",
            "unknown key `nodes_per_router` of a xgft",
        ),
    ] {
        refuses(&network(kind, keys), fragment);
    }
    let routing = |word: &str| format!("[routing]\nalgorithm = ‸\"{word}\"\n");
    for word in ["up-down", "valiant-leaves", "up-down-derouting"] {
        refuses(&routing(word), &format!("the routing \"{word}\" does not fit a dragonfly"));
        parse(&network("orthogonal-fat-tree", &format!("q = 3\n{}", routing(word).replace('‸', ""))));
        parse(&network("fat-tree", &format!("radix = 4\n{}", routing(word).replace('‸', ""))));
    }
    let plus = network("dragonfly-plus", "p = 1\nleaves = 2\nspines = 2\nh = 2");
    refuses(&format!("{plus}{}", routing("up-down")), "does not fit a dragonfly-plus");
    parse(&format!("{plus}{}", "[traffic]\nloads = [1]\npattern = { adversarial = 1 }\n"));
    let two = network("orthogonal-fat-tree", "q = 2\n[routing]\nalgorithm = \"valiant-leaves\"");
    refuses(
        &format!("{two}[router]\nvcs = ‸1\n"),
        "valiant-leaves routing needs at least 2 level1 VCs, not 1",
    );
    let tree = network("fat-tree", "radix = 4\nlevels = 4\n[routing]\nalgorithm = \"valiant-leaves\"");
    refuses(&format!("{tree}[router]\nvcs = {{ level3 = ‸1 }}\n"), "needs at least 2 level3 VCs, not 1");
    refuses("[routing]\nascent = ‸\"radom\"\n", "did you mean \"random\"?");
    refuses("[routing]\nderouting = ‸\"laze\"\n", "did you mean \"lazy\"?");
}
