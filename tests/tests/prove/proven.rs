//! Routings that cannot deadlock, with the numbers that follow from their rules.

use super::{atomic, dragonfly, grid, of};
use desvio_prove::Verdict;

/// Verdict, highest rank, and the longest route.
fn answer(text: &str) -> (&'static str, u32, Option<u32>) {
    let proof = of(text);
    assert!(proof.holds(), "{proof}");
    let word = match proof.verdict {
        Verdict::Acyclic(_) => "acyclic",
        Verdict::Escape(_) => "escape",
        Verdict::NoWaiting => "no waiting",
        Verdict::Stuck(_) => "stuck",
    };
    (word, proof.ranks().expect("ranks").highest, proof.reach.longest_route)
}

/// In dimension order on a mesh the longest chain of channels is the longest route, from corner to corner, and the injection.
#[test]
fn the_longest_chain_of_dimension_order_goes_from_corner_to_corner() {
    for (dims, diameter) in [("[4, 4]", 6), ("[5, 3]", 6), ("[3, 3, 3]", 6), ("[9]", 8)] {
        let text = grid("mesh", dims, 1, "dimension-order", "wormhole");
        assert_eq!(answer(&text), ("acyclic", diameter + 1, Some(diameter)));
    }
}

/// Datelines cut each ring: no chain goes further than once round the lower VCs and once round the upper ones.
#[test]
fn datelines_exclude_deadlock_on_tori_whatever_the_flow_control() {
    for flow in ["vct", "wormhole", "store-and-forward"] {
        for (dims, vcs, diameter) in [("[4, 4]", 2, 4), ("[5]", 2, 2), ("[4, 3, 2]", 3, 4), ("[8]", 4, 4)] {
            let (word, ranks, longest) = answer(&grid("torus", dims, vcs, "dimension-order", flow));
            assert_eq!((word, longest), ("acyclic", Some(diameter)));
            assert!(ranks > diameter, "{dims}: {ranks}");
        }
    }
}

/// A VC for each hop: ranks fall from the injection to the last hop.
#[test]
fn a_vc_for_each_hop_has_a_rank_for_each_hop() {
    assert_eq!(answer(&grid("torus", "[4, 4]", 4, "table", "wormhole")), ("acyclic", 5, Some(4)));
    assert_eq!(answer(&grid("mesh", "[3, 3]", 4, "table", "vct")), ("acyclic", 5, Some(4)));
}

/// Through any router, a VC for each hop of both parts: at most two diameters.
#[test]
fn valiant_by_table_has_a_rank_for_each_hop_of_both_parts() {
    assert_eq!(answer(&grid("torus", "[4, 3]", 6, "valiant-table", "wormhole")), ("acyclic", 7, Some(6)));
    // From corner to corner and back would be to the node itself.
    assert_eq!(answer(&grid("mesh", "[3, 2]", 6, "valiant-table", "vct")), ("acyclic", 6, Some(5)));
}

/// By the shortest way or through any router, a VC for each hop.
#[test]
fn ugal_has_a_rank_for_each_hop_of_the_longer_way() {
    let ugal = |kind, dims| answer(&grid(kind, dims, 6, "ugal", "wormhole"));
    assert_eq!(ugal("torus", "[4, 3]"), ("acyclic", 7, Some(6)));
    assert_eq!(ugal("mesh", "[3, 2]"), ("acyclic", 6, Some(5)));
    let minimal = grid("torus", "[4, 3]", 6, "ugal", "vct")
        .replace("[traffic]", "[selection]\ntrigger = \"never\"\n[traffic]");
    assert_eq!(answer(&minimal), ("acyclic", 4, Some(3)), "shortest routes only");
}

/// Shortest routes on any VC of a mesh take all turns; on a line there are none to take.
#[test]
fn any_vc_will_do_on_a_line() {
    assert_eq!(answer(&grid("mesh", "[7]", 2, "multipath", "wormhole")), ("acyclic", 7, Some(6)));
}

/// Forbidden turns leave no cycle, on one VC and under wormhole; routes stay as short as they can be.
#[test]
fn turn_models_leave_no_cycle() {
    for routing in
        ["odd-even", "turn-model", "turn-model\"\nturns = \"west-first", "turn-model\"\nturns = \"north-last"]
    {
        let (word, _, longest) = answer(&grid("mesh", "[5, 4]", 1, routing, "wormhole"));
        assert_eq!((word, longest), ("acyclic", Some(7)), "{routing}");
    }
    assert_eq!(answer(&grid("mesh", "[3, 2, 4]", 1, "turn-model", "wormhole")).2, Some(6));
}

/// up*/down* has an order of links on any graph, on one VC and under wormhole.
#[test]
fn an_order_of_routers_leaves_no_cycle_on_any_graph() {
    let networks = [
        "kind = \"random-regular\"\nrouters = 20\ndegree = 3",
        "kind = \"slim-fly\"\nq = 5",
        "kind = \"cube-connected-cycles\"\ndims = 3",
        "kind = \"torus\"\ndims = [4, 4]",
        "kind = \"dragonfly\"\np = 1\na = 4\nh = 2",
    ];
    for network in networks {
        let text = format!(
            "[topology]\n{network}\n[router]\nvcs = 1\nflow_control = \"wormhole\"\n[routing]\nalgorithm = \"up*/down*\"\n\
             [traffic]\nloads = [0.1]\n"
        );
        assert_eq!(answer(&text).0, "acyclic", "{network}");
    }
}

/// A network of levels, or of groups of them, with this routing on so many VCs.
fn levels(network: &str, routing: &str, vcs: u32) -> String {
    format!(
        "[topology]\n{network}\n[router]\nvcs = {vcs}\nbuffer_flits = 8\nflow_control = \"wormhole\"\n\
         [routing]\nalgorithm = {routing}\n[traffic]\npacket_flits = 8\nloads = [0.1]\n"
    )
}

/// Up by rising level, then down by falling level, whatever is above whatever: one VC suffices.
#[test]
fn up_and_down_leaves_no_cycle_in_levels() {
    let networks = [
        ("kind = \"orthogonal-fat-tree\"\nq = 2", 2),
        ("kind = \"multi-layer-full-mesh\"\nh = 2", 2),
        ("kind = \"random-folded-clos\"\nradix = 6\nleaves = 8", 2),
        ("kind = \"xgft\"\nchildren = [2, 3, 2]\nparents = [1, 2, 3]", 4),
        ("kind = \"fat-tree\"\nradix = 4\nlevels = 3", 4),
    ];
    for (network, longest) in networks {
        for ascent in ["adaptive", "random", "destination"] {
            let text = levels(network, &format!("\"up-down\"\nascent = \"{ascent}\""), 1);
            assert_eq!(answer(&text), ("acyclic", longest + 1, Some(longest)), "{network}, {ascent}");
        }
    }
}

/// A random folded Clos with leaves that have no root in common.
const THREE_LEVELS: &str =
    "kind = \"random-folded-clos\"\nsizes = [12, 12, 8]\nup = [2, 2]\nnodes_per_router = 1";

/// Twice up and down, each time on VCs of its own: no chain is longer than both.
#[test]
fn two_ways_up_and_down_leave_no_cycle_on_two_vcs() {
    let valiant = "\"valiant-leaves\"";
    let [lazy, always] =
        ["lazy", "always"].map(|when| format!("\"up-down-derouting\"\nderouting = \"{when}\""));
    for (network, routing, longest) in [
        ("kind = \"orthogonal-fat-tree\"\nq = 2", valiant, 4),
        ("kind = \"xgft\"\nchildren = [1, 3, 2]\nparents = [1, 2, 2]", valiant, 8),
        ("kind = \"fat-tree\"\nradix = 4", valiant, 4),
        ("kind = \"orthogonal-fat-tree\"\nq = 2", &always, 4),
        ("kind = \"fat-tree\"\nradix = 4", &always, 2),
        ("kind = \"fat-tree\"\nradix = 4\nlevels = 3", &always, 8),
        (THREE_LEVELS, &lazy, 8),
        (THREE_LEVELS, &always, 8),
        ("kind = \"random-folded-clos\"\nradix = 4\nleaves = 10", &lazy, 4),
        ("kind = \"random-folded-clos\"\nradix = 4\nleaves = 10\nwiring_seed = 2", &lazy, 4),
    ] {
        for vcs in [2, 3] {
            let (word, highest, found) = answer(&levels(network, routing, vcs));
            assert_eq!((word, found), ("acyclic", Some(longest)), "{network}, {routing}");
            assert_eq!(highest, longest + 1, "{network}, {routing}");
        }
    }
}

/// Three hops between leaves of two groups, a VC for each.
#[test]
fn a_dragonfly_plus_has_a_rank_for_each_hop() {
    let text = levels("kind = \"dragonfly-plus\"\np = 1\nleaves = 2\nspines = 2\nh = 2", "\"table\"", 3);
    assert_eq!(answer(&text), ("acyclic", 4, Some(3)));
}

/// Its adaptive channels have cycles; dimension order on VC 0 is the escape.
#[test]
fn duato_has_cycles_and_an_escape() {
    for (dims, vcs, diameter) in [("[4, 4]", 2, 6), ("[3, 3, 3]", 3, 6), ("[8, 8]", 2, 14)] {
        let (word, ranks, longest) = answer(&grid("mesh", dims, vcs, "duato", "vct"));
        assert_eq!((word, longest), ("escape", Some(diameter)));
        assert_eq!(ranks, diameter + 1, "as dimension order");
    }
}

/// On a torus two escape VCs with datelines are enough, whatever else is adaptive; a mesh of sides of 2 is a hypercube, where dimension
/// order is the e-cube routing.
#[test]
fn duato_has_an_escape_on_tori_and_hypercubes() {
    for (dims, vcs, diameter) in [("[4, 4]", 3, 4), ("[8]", 3, 4), ("[5, 3]", 4, 3), ("[3, 3, 3]", 3, 3)] {
        let (word, _, longest) = answer(&grid("torus", dims, vcs, "duato", "vct"));
        assert_eq!((word, longest), ("escape", Some(diameter)), "{dims}");
    }
    assert_eq!(answer(&grid("mesh", "[2, 2, 2, 2]", 2, "duato", "vct")), ("escape", 5, Some(4)));
}

/// Duato's theorem for wormhole flow control: where no two packets are ever in a VC, dimension order is an escape, although packets lie
/// across adaptive VCs between their hops on it. Ranks are still those of dimension order: no packet requests more.
#[test]
fn duato_has_an_escape_under_wormhole_with_atomic_vcs() {
    for (kind, dims, vcs, diameter) in [
        ("mesh", "[4, 4]", 2, 6),
        ("mesh", "[3, 3, 2]", 3, 5),
        ("torus", "[5, 3]", 3, 3),
        ("torus", "[8]", 3, 4),
    ] {
        let (word, ranks, longest) = answer(&atomic(&grid(kind, dims, vcs, "duato", "wormhole")));
        assert_eq!((word, longest), ("escape", Some(diameter)), "{kind} {dims}");
        assert!(kind == "torus" || ranks == diameter + 1, "{ranks}");
    }
    assert_eq!(answer(&atomic(&grid("torus", "[8]", 2, "dateline-adaptive", "wormhole"))).0, "escape");
    assert_eq!(answer(&atomic(&grid("mesh", "[4, 3]", 1, "odd-even", "wormhole"))).0, "acyclic");
}

/// VC 1 is kept for packets behind the wrap-around link: an escape. The strict rule has no cycle at all, and so needs no room for whole
/// packets.
#[test]
fn datelines_may_be_adaptive() {
    // On rings of up to four routers no chain of adaptive hops gets round.
    for (dims, vcs, diameter, verdict) in
        [("[8]", 2, 4, "escape"), ("[5, 4]", 2, 4, "escape"), ("[4, 3, 3]", 3, 4, "acyclic")]
    {
        let (word, _, longest) = answer(&grid("torus", dims, vcs, "dateline-adaptive", "vct"));
        assert_eq!((word, longest), (verdict, Some(diameter)), "{dims}");
        let strict = "dateline-adaptive\"\ndatelines = \"strict";
        let (word, _, longest) = answer(&grid("torus", dims, vcs, strict, "wormhole"));
        assert_eq!((word, longest), ("acyclic", Some(diameter)), "{dims}");
    }
}

/// Planes are crossed in order, and each is free of cycles: under wormhole, too.
#[test]
fn planar_adaptive_has_no_cycle() {
    for (dims, vcs, diameter) in
        [("[6]", 3, 5), ("[5, 4]", 3, 7), ("[3, 3, 3]", 3, 6), ("[2, 3, 2, 2]", 4, 5)]
    {
        let (word, _, longest) = answer(&grid("mesh", dims, vcs, "planar-adaptive", "wormhole"));
        assert_eq!((word, longest), ("acyclic", Some(diameter)), "{dims}");
    }
}

/// Six VCs on tori: each of the three classes twice, by datelines. Under wormhole, too.
#[test]
fn planar_adaptive_on_tori_has_no_cycle() {
    for (dims, vcs, diameter) in
        [("[5]", 6, 2), ("[4, 4]", 6, 4), ("[5, 6]", 6, 5), ("[4, 3, 5]", 6, 5), ("[4, 5]", 8, 4)]
    {
        let (word, _, longest) = answer(&grid("torus", dims, vcs, "planar-adaptive", "wormhole"));
        assert_eq!((word, longest), ("acyclic", Some(diameter)), "{dims}");
    }
}

/// VCs rise with each second hop, and packets with VCs to spare take any of them.
#[test]
fn negative_hop_has_no_cycle() {
    for (kind, dims, vcs, diameter) in [
        ("mesh", "[4, 4]", 4, 6),
        ("mesh", "[3, 3, 2]", 6, 5),
        ("torus", "[4, 4]", 3, 4),
        ("torus", "[8]", 3, 4),
    ] {
        let (word, _, longest) = answer(&grid(kind, dims, vcs, "negative-hop", "wormhole"));
        assert_eq!((word, longest), ("acyclic", Some(diameter)), "{kind} {dims}");
    }
}

/// At most local, global, local; twice that on the way over an intermediate point.
#[test]
fn minimal_and_valiant_rise_on_a_dragonfly() {
    assert_eq!(answer(&dragonfly("algorithm = \"minimal\"", "never")), ("acyclic", 4, Some(3)));
    let valiant = |intermediate: &str| format!("algorithm = \"valiant\"\nintermediate = \"{intermediate}\"");
    assert_eq!(answer(&dragonfly(&valiant("group"), "never")), ("acyclic", 6, Some(5)));
    assert_eq!(answer(&dragonfly(&valiant("node"), "never")), ("acyclic", 7, Some(6)));
}

/// From whatever groups a router is drawn, and whether the shortest way is offered, too.
#[test]
fn valiant_and_ugal_rise_on_a_dragonfly_through_any_group() {
    for (intermediate, longest) in [("group", 5), ("node", 6)] {
        for groups in ["other", "third", "any"] {
            for (routing, trigger) in [("valiant", "never"), ("ugal-dragonfly", "ugal")] {
                let text = format!(
                    "algorithm = \"{routing}\"\nintermediate = \"{intermediate}\"\nintermediate_groups = \"{groups}\""
                );
                let found = answer(&dragonfly(&text, trigger));
                assert_eq!(found, ("acyclic", longest + 1, Some(longest)), "{text}");
            }
        }
    }
    for knowledge in ["group", "group-each-cycle", "oracle", "reservation"] {
        let text = format!("algorithm = \"ugal-dragonfly\"\nknowledge = \"{knowledge}\"");
        assert_eq!(answer(&dragonfly(&text, "ugal")), ("acyclic", 6, Some(5)), "{knowledge}");
    }
    let minimal = answer(&dragonfly("algorithm = \"ugal-dragonfly\"", "never"));
    assert_eq!(minimal, ("acyclic", 4, Some(3)), "shortest routes only");
}

/// A VC for each hop of the longest route, also under wormhole, and where groups have several links between them.
#[test]
fn par_has_a_rank_for_each_hop() {
    for (groups, vcs, longest) in [("none", 4, 6), ("intermediate", 5, 7), ("all", 6, 8)] {
        let routing = format!("algorithm = \"par\"\nlocal_misrouting = \"{groups}\"");
        let text = dragonfly(&routing, "occupancy").replace("local = 4", &format!("local = {vcs}"));
        for network in ["h = 2", "h = 2\ngroups = 5"] {
            for flow in ["vct", "wormhole"] {
                let text = text.replace("h = 2", network);
                let text = text.replace("[router]", &format!("[router]\nflow_control = \"{flow}\""));
                assert_eq!(answer(&text), ("acyclic", longest + 1, Some(longest)), "{text}");
            }
        }
    }
}

/// Two hops on one VC in each group, and no cycle: under wormhole, with several links between groups, and in groups of six.
#[test]
fn rlm_leaves_no_cycle_on_three_local_vcs() {
    let text = dragonfly("algorithm = \"rlm\"", "occupancy").replace("local = 4", "local = 3");
    for network in ["h = 2", "h = 2\ngroups = 5", "h = 1\ngroups = 3", "h = 2\narrangement = \"absolute\""] {
        for flow in ["vct", "wormhole"] {
            let text = text.replace("h = 2", network);
            let text = text.replace("[router]", &format!("[router]\nflow_control = \"{flow}\""));
            let (word, _, longest) = answer(&text);
            assert_eq!((word, longest), ("acyclic", Some(8)), "{text}");
        }
    }
}

/// Both sets of rules, both orders of VCs, whatever is offered, and whatever asks for it.
#[test]
fn olm_has_cycles_and_an_escape_of_six_ranks() {
    for trigger in ["occupancy", "always"] {
        for rules in ["restricted", "free"] {
            for order in ["ascending", "descending"] {
                let routing = |policy: &str| {
                    format!(
                        "algorithm = \"olm\"\nnonminimal = \"{rules}\"\npolicy = \"{policy}\"\nvc_order = \"{order}\""
                    )
                };
                for policy in ["RRG+L", "CRG+L", "NRG+L", "MM+L"] {
                    let (word, ranks, longest) = answer(&dragonfly(&routing(policy), trigger));
                    assert_eq!((word, ranks), ("escape", 6), "{trigger}, {rules}, {policy}");
                    assert!(longest <= Some(8), "one misroute in each group: {longest:?}");
                }
                assert_eq!(answer(&dragonfly(&routing("CRG"), trigger)).0, "acyclic", "no local misroute");
            }
        }
    }
    assert_eq!(answer(&dragonfly("algorithm = \"olm\"", "never")), ("acyclic", 4, Some(3)), "no misroute");
}

/// Parallel local links are channels of one rank: verdict, ranks and longest routes are those of one link.
#[test]
fn parallel_local_links_change_no_proof() {
    for (routing, trigger) in [
        ("minimal", "never"),
        ("valiant\"\nintermediate = \"node", "never"),
        ("olm", "occupancy"),
        ("rlm", "occupancy"),
    ] {
        let text = dragonfly(&format!("algorithm = \"{routing}\""), trigger);
        assert_eq!(answer(&text.replace("h = 2", "h = 2\nlocal_links = 2")), answer(&text), "{routing}");
    }
}
