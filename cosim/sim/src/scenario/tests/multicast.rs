//! Messages for groups of nodes, and what does not go together with them.

use super::{parse, refused, refuses};

const MESH: &str = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n";
const GROUPS: &str = "[traffic]\nloads = [0.1]\npattern = { multicast = { groups = 2, size = 8 } }\n";

#[test]
fn groups_fit_into_the_network() {
    let pattern =
        |text: &str| format!("{MESH}[traffic]\nloads = [0.1]\npattern = {{ multicast = {text} }}\n");
    parse(&pattern("{ groups = 2, size = 8 }"));
    refuses(
        &pattern("{ groups = 3, size = ‸6 }"),
        "3 groups of 6 members need more than the 16 nodes there are",
    );
    refuses(&pattern("{ groups = 1, size = ‸1 }"), "from 2 to 16");
    refuses(&pattern("{ groups = ‸0, size = 2 }"), "from 1 to 65535");
    refuses(&pattern("‸{ groups = 2 }"), "size");
    let one = "{ multicast = { groups = 1, size = 2 } }";
    let twice =
        pattern("").replace("{ multicast =  }", &format!("{{ switch-at = 9, from = {one}, to = {one} }}"));
    let message = refused(&twice, &[]).message;
    assert_eq!(message, "the pattern \"multicast\" is there more than once");
}

/// Each table with what it lacks; the mark is at the value that is to blame.
#[test]
fn what_copies_have_no_rule_for_is_refused_by_its_key() {
    let cases = [
        (
            "[router]\nflow_control = ‸\"wormhole\"\n",
            "keeps a whole packet until each copy has left, not with \"wormhole\"",
        ),
        ("[router]\npipeline = ‸5\n", "has no copies where requests are registered"),
        ("[router]\nhead_lifetime = ‸64\n", "has no packets that are discarded"),
        ("[router]\nejection = ‸\"any\"\n", "has a copy for each node"),
        ("[router]\nreserved_flits = ‸8\n", "keeps a whole packet, which shared places are not kept for"),
        ("[injection]\ncontrol = ‸\"congestion-control\"\n", "is for sources that nothing holds back"),
        ("[routing]\nalgorithm = ‸\"drb\"\n[router]\nvcs = 8\n", "is for messages that nobody answers"),
    ];
    for (table, message) in cases {
        refuses(&format!("{MESH}{table}{GROUPS}"), message);
    }
    let down = format!("{MESH}[[links.down]]\nrouter = 0\nport = 1\nat = 9\n{GROUPS}");
    let found = refused(&down, &[]);
    assert!(found.message.contains("has no links that lose what they carry"), "{}", found.message);
}

/// The highest VC is that of the trees, so that a routing needs its VCs beside it; where there is one VC it is for both.
#[test]
fn trees_take_a_channel_from_the_routing() {
    let torus = MESH.replace("mesh", "torus");
    let with = |vcs: &str| {
        format!("{torus}[routing]\nalgorithm = \"dimension-order\"\n[router]\nvcs = {vcs}\n{GROUPS}")
    };
    assert_eq!(parse(&with("3")).vcs_of_groups(), 1);
    refuses(&with("‸2"), "needs at least 3");
    let mesh = |vcs: u32| format!("{MESH}[router]\nvcs = {vcs}\n{GROUPS}");
    assert_eq!([1, 2, 8].map(|vcs| parse(&mesh(vcs)).vcs_of_groups()), [0, 1, 1]);
    assert_eq!(parse(MESH).vcs_of_groups(), 0);
    let dragonfly = "[routing]\nalgorithm = \"minimal\"\n[router]\nvcs = ‸{ local = 4, global = 3 }\n";
    refuses(&format!("{dragonfly}{GROUPS}"), "one VC of all links between routers");
}
