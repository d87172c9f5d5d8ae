//! Graphs from DOT and GraphML, latencies of links, and networks written as files and read back.

use super::*;

/// The network of a file of that name and text, one node at each router.
fn read(name: &str, text: &str) -> Result<Wiring, TopologyError> {
    network_of(name, text, NodesPerRouter::Same(1))
}

/// The links by which flits leave each router: where they lead and how long they are, sorted.
fn links(wiring: &Wiring, latency: impl Fn(PortClass) -> u32) -> Vec<Vec<(usize, u32)>> {
    let of = |router: usize| {
        let one = |(port, there)| {
            (there, wiring.latency(router, port).unwrap_or(latency(wiring.class(router, port))))
        };
        let mut all: Vec<_> = wiring.onward(router).map(one).collect();
        all.sort_unstable();
        all
    };
    (0..wiring.routers()).map(of).collect()
}

/// What a message says behind the name of the file.
fn refusal(name: &str, text: &str) -> String {
    behind(&format!("{name}:"), &read(name, text).unwrap_err())
}

const DOT: &str = "\
# a line for a preprocessor
/* two rings
   of three */
strict GRAPH \"a \\\"net\\\"\" {
  node [shape = circle; label = <<b>r</b>>] // drawn so
  rankdir = LR
  edge [latency = 7, color = red]
  a -- b -- c -- a
  { edge [latency=2]; c--d; }
  subgraph cluster_1 { \"d\" -- e [weight=.5] e -- f f -- d [latency=\"9\"][style=dotted]; }
  a -- b [latency = 3];
  é; é -- a
}
";

#[test]
fn dot() {
    for name in ["net.dot", "net.GV"] {
        let wiring = read(name, DOT).unwrap();
        check_wiring(&wiring);
        assert_eq!((wiring.routers(), wiring.nodes()), (7, 7));
        let expected = [
            vec![(1, 3), (2, 7), (6, 7)],
            vec![(0, 3), (2, 7)],
            vec![(0, 7), (1, 7), (3, 2)],
            vec![(2, 2), (4, 7), (5, 9)],
            vec![(3, 7), (5, 7)],
            vec![(3, 9), (4, 7)],
            vec![(0, 7)],
        ];
        assert_eq!(links(&wiring, |_| 1), expected);
    }
    // Numbers without gaps are the routers' own; others are names.
    let by_number = read("net.dot", "graph{2--0 0--1 1--3}").unwrap();
    assert_eq!(by_number.neighbours(0).map(|(_, there)| there).collect::<Vec<_>>(), [2, 1]);
    let by_name = read("net.dot", "graph{4--0;0--1;1--3}").unwrap();
    assert_eq!(by_name.neighbours(1).map(|(_, there)| there).collect::<Vec<_>>(), [0, 2]);
    let padded = read("net.dot", "graph { 01 -- 0 -1 -- 0 -.5 -- 0 }").unwrap();
    assert_eq!((padded.routers(), padded.neighbours(1).count()), (4, 3));
    // Without `strict` a second edge is a second link.
    assert_eq!(read("net.dot", "graph { a -- b; b -- a }").unwrap().neighbours(0).count(), 2);
    assert_eq!(read("net.dot", "strict graph { a -- b; b -- a }").unwrap().neighbours(0).count(), 1);
}

#[test]
fn bad_dot_is_told_by_line_and_column() {
    for (text, message) in [
        ("", "1:1: expected `graph` or `digraph`, not the end of the file"),
        (
            "digraph { a -- b }",
            "1:13: expected `->`, with `[dir=both]` for a link that goes both ways in a `digraph`, not `--`",
        ),
        ("digraph { a -> b [dir=up] }", "1:23: expected `forward`, `back`, `both` or `none`, not `up`"),
        ("digraph { a -> {b c} }", "1:16: an edge of a whole subgraph is not read"),
        ("digraph { {a b} -> c }", "1:17: an edge of a whole subgraph is not read"),
        ("graph {\n  a -- b\n  b -> c }", "3:5: expected `--`, since this is no `digraph`, not `->`"),
        ("graph { a -- }", "1:14: expected a router, not `}`"),
        ("graph { a -- b", "1:15: expected a router, an edge or `}`, not the end of the file"),
        (
            "graph { a -- b } graph { }",
            "1:18: expected the end of the file, as there is one graph, not `graph`",
        ),
        ("graph { a -- a }", "1:14: router `a` is joined with itself"),
        ("graph { a -- b; c }", "1:17: router `c` has no edge"),
        ("graph { a -- {b c} }", "1:14: an edge of a whole subgraph is not read"),
        ("graph { {a b} -- c }", "1:15: an edge of a whole subgraph is not read"),
        (
            "graph { a -- b [latency=0] }",
            "1:25: a latency is a whole number of cycles from 1 to 10000, not `0`",
        ),
        (
            "graph { edge [latency=1.5] }",
            "1:23: a latency is a whole number of cycles from 1 to 10000, not `1.5`",
        ),
        (
            "graph { a [width=0]; a -- b [color=red, width=0] }",
            "1:47: a width is a whole number of flits per cycle from 1 to 63, not `0`",
        ),
        ("graph { a -- b [color=red, widht=2] }", "1:28: unknown attribute `widht`: did you mean `width`?"),
        ("graph { edge [Latency=3] }", "1:15: unknown attribute `Latency`: did you mean `latency`?"),
        ("graph { a -- b [latency] }", "1:24: expected `=`, not `]`"),
        ("graph { edge a }", "1:14: expected `[`, not `a`"),
        ("graph { subgraph x a }", "1:20: expected `{`, not `a`"),
        ("graph { a -- \"b }", "1:14: the text that begins here has no end"),
        ("graph { /* a -- b }", "1:9: the comment that begins here has no end"),
        ("graph { a - b }", "1:11: expected a router, an edge or `}`, not `-`"),
        ("graph { a -- b; \u{1b} }", "1:17: expected a router, an edge or `}`, not `\\u{1b}`"),
        ("graph }", "1:7: expected `{`, not `}`"),
    ] {
        assert_eq!(refusal("net.dot", text), message, "{text}");
    }
    assert!(matches!(read("net.dot", "graph { }"), Err(TopologyError::NoEdges { .. })));
    let apart = read("net.dot", "graph { a -- b c -- d }").unwrap_err().to_string();
    assert!(apart.contains("planes (plane 0: a, b; plane 1: c, d)"), "{apart}");
}

const GRAPHML: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="latency" attr.type="int"/>
  <key id="d1" for="edge" attr.name="latency" attr.type="int"><default>4</default></key>
  <key id="d2" for="edge" attr.name="LinkLabel" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="Oslo"><data key="d0">x</data></node>
    <edge source="Oslo" target="Bonn"><data key="d2">fibre</data><data key="d1"> 12 </data></edge>
    <node id="Bonn"/>
    <node id="Rom"/>
    <edge source="Rom" target="Bonn" id="e1" directed="false"/>
  </graph>
</graphml>
"#;

#[test]
fn graphml() {
    let wiring = read("net.graphml", GRAPHML).unwrap();
    check_wiring(&wiring);
    assert_eq!(links(&wiring, |_| 1), [vec![(1, 12)], vec![(0, 12), (2, 4)], vec![(1, 4)]]);
}

#[test]
fn bad_graphml_is_told_by_line_and_column() {
    for (old, new, message) in [
        ("<node id=\"Bonn\"/>", "<node id=Bonn/>", "9:14: not well-formed XML: expected a quote not 'B'"),
        ("target=\"Bonn\" id", "target=\"Rome\" id", "11:5: there is no router `Rome`"),
        ("target=\"Bonn\" id", "target=\"Rom\" id", "11:5: router `Rom` is joined with itself"),
        ("target=\"Bonn\" id", "id", "11:5: expected target, not no such attribute"),
        (
            "\"LinkLabel\" attr.type=\"string\"/>",
            "\"width\" attr.type=\"int\"/>",
            "8:39: a width is a whole number of flits per cycle from 1 to 63, not `fibre`",
        ),
        (" 12 ", "0", "8:66: a latency is a whole number of cycles from 1 to 10000, not `0`"),
        (">4<", ">fast<", "4:63: a latency is a whole number of cycles from 1 to 10000, not `fast`"),
        (
            "<node id=\"Rom\"/>",
            "<node id=\"Rom\"/><node id=\"Bonn\"/>",
            "10:21: router `Bonn` is listed twice",
        ),
        ("<node id=\"Rom\"/>", "<node id=\"Rom\"/><node id=\"Ulm\"/>", "10:21: router `Ulm` has no edge"),
        (
            "<node id=\"Rom\"/>",
            "<node id=\"Rom\"><graph/></node>",
            "10:20: a graph inside a node is not read",
        ),
        (
            "<node id=\"Rom\"/>",
            "<node id=\"Rom\"/><hyperedge/>",
            "10:21: an edge of several nodes is not read",
        ),
        ("</graph>\n", "</graph><graph/>\n", "12:11: a second graph is not read"),
    ] {
        let text = GRAPHML.replacen(old, new, 1);
        assert_ne!(text, GRAPHML);
        let refused = refusal("net.graphml", &text);
        assert!(refused.starts_with(message), "{refused} instead of {message}");
    }
    assert_eq!(refusal("net.graphml", "<svg/>"), "1:1: expected an element `graphml`, not `svg`");
    assert_eq!(refusal("net.graphml", "<graphml/>"), "1:1: expected an element `graph`, not none");
    assert!(matches!(read("net.graphml", "<graphml><graph/></graphml>"), Err(TopologyError::NoEdges { .. })));
    // Entities that grow when they are put in are no part of what is read.
    let grows = "<!DOCTYPE graphml [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><graphml>&b;</graphml>";
    assert!(refusal("net.graphml", grows).starts_with("1:"));
}

#[test]
fn links_of_an_edge_list_have_latencies() {
    let wiring = graph("0 1 latency=30\n1 2\n2 0 latency=10000 # long\n").unwrap();
    assert_eq!(
        links(&wiring, |_| 5),
        [vec![(1, 30), (2, 10_000)], vec![(0, 30), (2, 5)], vec![(0, 10_000), (1, 5)]]
    );
    assert_eq!(graph("0 1\n").unwrap().latency(0, 1), None);
    for (line, what) in [
        ("0 1 latency=0", LineError::NotAnAttribute("latency=0".to_owned())),
        ("0 1 width=2 latency=10001", LineError::NotAnAttribute("latency=10001".to_owned())),
        ("0 1 weight=3", LineError::NotAnAttribute("weight=3".to_owned())),
        ("0 1 width=0", LineError::NotAnAttribute("width=0".to_owned())),
        ("0 1 width=64", LineError::NotAnAttribute("width=64".to_owned())),
        ("0 1 latency =3", LineError::NotAPair(4)),
        ("0 1 widht=2", LineError::Misspelt { found: "widht".to_owned(), meant: "width" }),
        ("0 1 latancy=2", LineError::Misspelt { found: "latancy".to_owned(), meant: "latency" }),
    ] {
        let message = graph(line).unwrap_err().to_string();
        assert!(message.ends_with(&format!("net.txt:1: {what}")), "{message}");
    }
}

/// A link of width w is w links beside each other, of one latency and one direction.
#[test]
fn a_wide_link_is_as_many_links() {
    let expected = [vec![(1, 4), (1, 4), (1, 4)], vec![(0, 4), (0, 4), (0, 4), (2, 9), (2, 9)]];
    let list = "0 1 width=3 latency=4\n1 -> 2 latency=9 width=2\n2 -> 1 width=1\n";
    let dot = "digraph { edge [width=3]; 0 -> 1 [latency=4, dir=both]; 1 -> 2 [width=2, latency=9]; 2 -> 1 [width=1] }";
    let graphml = r#"<graphml><key id="w" for="edge" attr.name="width"><default>2</default></key>
        <key id="l" for="edge" attr.name="latency"/><graph edgedefault="directed">
        <node id="0"/><node id="1"/><node id="2"/>
        <edge source="0" target="1" directed="false"><data key="w">3</data><data key="l">4</data></edge>
        <edge source="1" target="2"><data key="l">9</data></edge>
        <edge source="2" target="1"><data key="w"> 1 </data></edge></graph></graphml>"#;
    for (name, text) in [("net.txt", list), ("net.dot", dot), ("net.graphml", graphml)] {
        let wiring = read(name, text).unwrap();
        check_wiring(&wiring);
        let mut found = links(&wiring, |_| 1);
        assert_eq!(found.pop(), Some(vec![(1, 1)]), "{name}");
        assert_eq!(found, expected, "{name}");
    }
    // 255 links and a node are the 256 ports of a router.
    let links = "1 2 width=63\n1 3 width=63\n1 4 width=63\n1 5 width=63\n0 1 width=";
    assert!(read("net.txt", &format!("{links}3")).is_ok());
    let wide = read("net.txt", &format!("{links}4")).unwrap_err().to_string();
    assert!(wide.contains("router 1 needs 257 ports (1 to nodes, 256 to routers)"), "{wide}");
}

/// What is written for a network is read as the same network: nodes, links, latencies. Where the links of all routers can be in an
/// order at once, the ports are numbered alike, too.
#[test]
fn what_is_written_is_read_as_the_same_network() {
    let (_folder, file) = graph_file("2 0\n0 1 latency=5\n0 2 latency=1\n1 3\n");
    let each = NodesPerRouter::Each(vec![2, 0, 1, 1]);
    let ring = Ring { routers: 9, chords: vec![3], nodes_per_router: 2 };
    let cycles = CubeConnectedCycles { dims: 3, nodes_per_router: 1 };
    let random = RandomRegular { routers: 20, degree: 4, wiring_seed: 1, nodes_per_router: 1 };
    let (_one_way_folder, one_way_file) =
        graph_file("0 -> 1 latency=5\n1 -> 2\n2 -> 0\n0 2 latency=7\n2 -> 1\n");
    let networks: [(Topology, bool); 12] = [
        (Graph::new(file, each).into(), true),
        (ring.into(), true),
        (cycles.into(), true),
        (random.into(), true),
        (SlimFly { q: 5, nodes_per_router: 1 }.into(), true),
        (mesh(&[3, 4]), false),
        (torus(&[3, 4]), false),
        (full_dragonfly(2, Palmtree), false),
        (FatTree { radix: 4, levels: 2 }.into(), false),
        (Graph::new(one_way_file, NodesPerRouter::Same(1)).into(), true),
        (OneWayTorus(Grid { dims: vec![3, 4], nodes_per_router: 2 }).into(), false),
        (Butterfly { k: 2, stages: 3, wiring: StageWiring::Butterfly }.into(), false),
    ];
    let latency = |class: PortClass| [1, 4, 9][class.index()];
    type Format = fn(&Export<'_>) -> String;
    let formats: [(&str, Format); 3] =
        [("net.txt", |e| e.edge_list()), ("net.dot", |e| e.dot()), ("net.graphml", |e| e.graphml())];
    for (topology, has_same_ports) in networks {
        let wiring = wired(&topology);
        let export = Export::new(&wiring, latency);
        for (name, format) in formats {
            let text = format(&export);
            let line = text.lines().find(|line| line.contains("nodes_per_router = ")).unwrap();
            let nodes = line.split_once(" = ").unwrap().1;
            let list = nodes.strip_prefix('[').map(|list| list.trim_end_matches(']').split(", "));
            let nodes_per_router = match list {
                Some(list) => NodesPerRouter::Each(list.map(|nodes| nodes.parse().unwrap()).collect()),
                None => NodesPerRouter::Same(nodes.parse().unwrap()),
            };
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(name);
            std::fs::write(&file, &text).unwrap();
            let again = wired(&Graph::new(file, nodes_per_router).into());
            check_wiring(&again);
            assert_eq!(links(&again, |_| 1), links(&wiring, latency), "{topology:?}\n{text}");
            let nodes =
                |wiring: &Wiring| (0..wiring.nodes()).map(|n| wiring.attachment(n).0).collect::<Vec<_>>();
            assert_eq!(nodes(&again), nodes(&wiring), "{topology:?}");
            if has_same_ports {
                for (router, port) in all_ports(&wiring) {
                    assert_eq!(
                        again.peer(router, port),
                        wiring.peer(router, port),
                        "{topology:?}: {router} {port}"
                    );
                }
            }
            // Written once more, it is the same file.
            let second = format(&Export::new(&again, |_| 1));
            let body = |text: &str| {
                text.lines()
                    .filter(|line| !line.starts_with(['#', '/']))
                    .filter(|line| name != "net.graphml" || line.contains('<'))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let sorted = |text: &str| {
                let mut lines = body(text);
                lines.sort();
                lines
            };
            assert_eq!(sorted(&second), sorted(&text), "{topology:?}");
        }
    }
    let pair = wired(&mesh(&[2]));
    let export = Export::new(&pair, |class| if class == PortClass::NODE { 3 } else { 20 });
    let head = "of at most 3 ports. To read this file:";
    let table = "[topology]\nX   kind = \"graph\"\nX   file = \"…\"\nX   nodes_per_router = 1\nX   [links]\nX   latency = { node = 3 }";
    let expected = format!("X 2 routers {head}\nX   {table}\n0 1 latency=20\n").replace('X', "#");
    assert_eq!(export.edge_list(), expected);
    let expected =
        format!("X 2 routers {head}\nX   {table}\ngraph {{\n  0 -- 1 [latency=20];\n}}\n").replace('X', "//");
    assert_eq!(export.dot(), expected);
}

/// Links that flits pass one way, in each language, beside two-way ones.
#[test]
fn links_may_be_one_way() {
    let dot = "strict digraph { edge [dir=both] 0 -> 1 [dir=forward latency=3]; 0 -> 1 -> 2 [dir=forward];
        2 -> 0 [latency=9]; { edge [dir=back] 2 -> 1 -> 2 } 0 -> 2 [dir=none] }";
    let graphml = r#"<graphml><key id="l" for="edge" attr.name="latency"/><graph edgedefault="directed">
        <node id="0"/><node id="1"/><node id="2"/>
        <edge source="0" target="1"><data key="l">3</data></edge><edge source="1" target="2"/>
        <edge source="2" target="0" directed="false"><data key="l">9</data></edge><edge source="2" target="1"/>
        </graph></graphml>"#;
    let list = "0 -> 1 latency=3\n1 -> 2\n2 0 latency=9 # both ways\n2 -> 1\n";
    for (name, text) in [("net.dot", dot), ("net.graphml", graphml), ("net.txt", list)] {
        let wiring = read(name, text).unwrap();
        check_wiring(&wiring);
        let expected = [vec![(1, 3), (2, 9)], vec![(2, 1)], vec![(0, 9), (1, 1)]];
        assert_eq!(links(&wiring, |_| 1), expected, "{name}");
        assert_eq!(wiring.distances_from(1), [2, 0, 1], "{name}");
    }
    let apart = graph("0 -> 1\n1 2\n").unwrap_err().to_string();
    assert_eq!(apart, "the network is not connected: router 0 cannot be reached from router 1");
    assert!(matches!(graph("1 -> 0\n1 2\n"), Err(TopologyError::Unconnected { router: 1 })));
    for (line, words) in [("0 ->", 1), ("0 -> 1 -> 2", 4), ("-> 1 0", 3)] {
        let message = graph(line).unwrap_err().to_string();
        assert!(
            message.contains("or `0 -> 1` where it is one-way") && message.contains(&words.to_string()),
            "{message}"
        );
    }
}
