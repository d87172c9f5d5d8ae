//! Graph files: what they mean, and what is refused.

use super::*;

const PETERSEN: &str = "\
# outer ring
0 1
1 2
2 3
3 4
4 0
# spokes
0 5
1 6
2 7
3 8
4 9
# inner star
5 7
7 9
9 6
6 8
8 5
";

#[test]
fn petersen() {
    let wiring = graph(PETERSEN).unwrap();
    check_wiring(&wiring);
    let facts = Facts::of(&wiring);
    assert_eq!(
        (facts.routers, facts.links_of(PortClass::LOCAL), facts.degree_min, facts.degree_max),
        (10, 15, 3, 3)
    );
    assert_eq!(facts.distances.diameter, 2);
    // Three neighbours and six routers at two hops.
    assert!((facts.distances.router_mean - 15.0 / 9.0).abs() < 1e-12);
    assert_eq!(facts.bisection.links, 5);
    check_distances(&wiring);
}

#[test]
fn a_tree_of_three_levels() {
    let wiring = graph("0 1\n0 2\n1 3\n1 4\n2 5\n2 6\n").unwrap();
    check_wiring(&wiring);
    let facts = Facts::of(&wiring);
    assert_eq!((facts.routers, facts.degree_min, facts.degree_max), (7, 1, 3));
    assert_eq!((facts.distances.diameter, facts.bisection.links), (4, 1));
    // From leaf 3 to leaf 6: by its only link.
    assert_eq!(wiring.minimal_ports()[3 * 7 + 6], 0b10);
    // From the root to leaf 6: by the second link.
    assert_eq!(wiring.minimal_ports()[6], 0b100);
}

#[test]
fn ports_follow_the_order_of_the_file() {
    let wiring = graph("  2 0 # first\n\n0\t1\n0 2\n").unwrap();
    check_wiring(&wiring);
    assert_eq!(wiring.ports(), 4);
    let of_router_0: Vec<_> = wiring.neighbours(0).collect();
    assert_eq!(of_router_0, [(1, 2), (2, 1), (3, 2)]);
    assert_eq!(wiring.peer(0, 3), Some(Peer::Router { router: 2, port: 2 }), "a parallel edge");
    assert_eq!(wiring.minimal_ports()[2], 0b1010);
    assert_eq!(wiring.peer(1, 2), None);
}

#[test]
fn bad_lines_are_told_by_number() {
    for (text, line, what) in [
        ("0 1\n1\n", 2, LineError::NotAPair(1)),
        ("# net\n0 1 2\n", 2, LineError::NotAPair(3)),
        ("0 1\n\n1 x\n", 3, LineError::NotARouter("x".to_owned())),
        ("0 -1\n", 1, LineError::NotARouter("-1".to_owned())),
        ("0 1048576\n", 1, LineError::NotARouter("1048576".to_owned())),
        ("0 1\n1 1\n", 2, LineError::Loop(1)),
    ] {
        let (_folder, file) = graph_file(text);
        let topology = Graph::new(file.clone(), NodesPerRouter::Same(1));
        let error = Wiring::build(&topology.into()).unwrap_err();
        assert_eq!(error.to_string(), format!("{}:{line}: {what}", file.display()));
    }
}

#[test]
fn bad_graphs_are_refused() {
    assert!(matches!(graph("# nothing\n"), Err(TopologyError::NoEdges { .. })));
    assert!(matches!(graph("0 1\n3 1\n"), Err(TopologyError::Gap { router: 2, highest: 3, .. })));
    let apart = graph("0 1\n2 3\n").unwrap_err().to_string();
    assert!(apart.ends_with(
        "net.txt: the network is not connected, it falls into planes (plane 0: router 0, router 1; plane 1: router 2, router 3); \
         topology.plane = 0 takes the first of them alone"
    ), "{apart}");
    let star: String = (1..=256).map(|leaf| format!("0 {leaf}\n")).collect();
    let wide = graph(&star).unwrap_err().to_string();
    assert!(
        wide.ends_with("router 0 needs 257 ports (1 to nodes, 256 to routers); at most 256 are possible, 255 of them to nodes"),
        "{wide}"
    );
    let missing = Graph::new("no-such-file", NodesPerRouter::Same(1));
    let error = Wiring::build(&missing.into()).unwrap_err().to_string();
    assert!(error.starts_with("cannot read the graph no-such-file: "), "{error}");
}

/// Two leaves with two nodes each, a third with one, and a spine without any.
#[test]
fn routers_with_different_numbers_of_nodes() {
    let (_folder, file) = graph_file("0 3\n1 3\n2 3\n");
    let nodes = |each: &[u8]| {
        let nodes_per_router = NodesPerRouter::Each(each.to_vec());
        Wiring::build(&Graph::new(file.clone(), nodes_per_router).into())
    };
    let wiring = nodes(&[2, 2, 1, 0]).unwrap();
    check_wiring(&wiring);
    assert_eq!((wiring.nodes(), wiring.ports(), wiring.router_classes()), (5, 3, 3));
    assert_eq!([0, 1, 2, 3].map(|router| wiring.nodes_of(router).count()), [2, 2, 1, 0]);
    assert_eq!(wiring.peer(3, 0), Some(Peer::Router { router: 0, port: 2 }));
    assert_eq!(wiring.peer(2, 1), Some(Peer::Router { router: 3, port: 2 }));
    assert_eq!([0, 1].map(|port| wiring.class(3, port)), [PortClass::LOCAL; 2]);
    assert_eq!([0, 1].map(|port| wiring.class(2, port)), [PortClass::NODE, PortClass::LOCAL]);
    let error = nodes(&[2, 2, 1]).unwrap_err();
    assert!(matches!(error, TopologyError::NodesPerRouter { listed: 3, routers: 4, .. }), "{error}");
}
