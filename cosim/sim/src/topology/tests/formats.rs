//! Files of other programs: GML, DOT with ports, Slurm's, BookSim's; what is not read is named.

use super::*;

fn read(name: &str, text: &str) -> Result<Wiring, TopologyError> {
    network_of(name, text, NodesPerRouter::Same(1))
}

fn network(name: &str, text: &str) -> Wiring {
    let wiring = read(name, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    check_wiring(&wiring);
    wiring
}

fn refusal(name: &str, text: &str) -> String {
    behind(name, &read(name, text).unwrap_err())
}

fn routers(wiring: &Wiring) -> Vec<String> {
    (0..wiring.routers()).map(|router| wiring.router_label(router)).collect()
}

const GML: &str = "Creator \"hand\"\n# by hand\nVersion 1\ngraph [\n  Network \"[Baltic]\"\n  directed 0\n  node [ id 4 label \"Riga\" Longitude -2.4e+1 graphics [ x 1 ] ]\n\
    node [\n id 9\n label \"St. &quot;P&quot;\"\n ]\n  edge [ source 9 target 7 LinkSpeed \"10\" latency 12 ]\n  node [ id 7 label \"Oslo\" ]\n\
    edge [ source 4 target 7 width 2 ]\n]\n";

#[test]
fn gml() {
    for name in ["net.gml", "net.txt"] {
        let wiring = network(name, GML);
        assert_eq!(
            (size(&wiring), routers(&wiring)),
            ([3, 3, 3], ["Riga", "St. \"P\"", "Oslo"].map(str::to_owned).to_vec())
        );
        assert_eq!(wiring.latency(1, 1), Some(12));
    }
    assert_eq!(size(&network("one.gml", "graph [ node [ id 0 ] ]")), [1, 1, 0]);
    assert!(network("way.gml", "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] edge [ source 1 target 0 ] ]").has_one_way());
    assert_eq!(size(&network("net.gml", &GML.replace('\n', "\r\n"))), [3, 3, 3]);
    let loud = GML.replace("node [", "NODE [").replace(" id ", " ID ").replace("edge [", "Edge [");
    assert_eq!(routers(&network("net.gml", &loud.replace("Oslo", "Z&#252;rich &a; &")))[2], "Zürich &a; &");
}

#[test]
fn bad_gml_is_told_by_line_and_column() {
    let deep = format!("graph [ {} ]", "a [ ".repeat(200));
    for (text, message) in [
        ("", ":1:1: expected `graph [`, not none"),
        ("graph [ node [ id 0 ]", ":1:1: the list that begins here has no end"),
        ("graph [ node [ label \"x\" ] ]", ":1:9: expected id, not `node` without one"),
        ("graph [\n node [ id 0 ] node [ id 0 ] ]", ":2:16: router `0` is listed twice"),
        ("graph [ node [ id 0 ] edge [ source 0 target 3 ] ]", ":1:23: there is no router `3`"),
        ("graph [ node [ id 0 ] edge [ source 0 target 0 ] ]", ":1:23: router `0` is joined with itself"),
        ("graph [ ] ]", ":1:11: expected a key, not `]`"),
        ("graph [ a ]", ":1:11: expected a value or `[`, not `]`"),
        ("graph [ ] graph [ ]", ":1:11: a second graph is not read"),
        ("graph [ a \"b ]", ":1:11: the text that begins here has no end"),
        (
            "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 widht 2 ] ]",
            ":1:62: unknown attribute `widht`: did you mean `width`?",
        ),
        (
            "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 latency 0 ] ]",
            ":1:70: a latency is a whole number of cycles from 1 to 10000, not `0`",
        ),
        (&deep, ":1:407: more than 100 levels are nested here"),
    ] {
        assert_eq!(refusal("net.gml", text), message, "{text}");
    }
}

/// A leaf and a spine, two servers, one of them with two cables, as drawings of racks have them.
const AIR: &str = "graph \"rack\" {\n \"spine1\" [function=\"spine\"]\n \"tor1\" [function=\"leaf\" os=\"x\"]\n \"gpu1\" [function=\"host\"]\n \"gpu2\" [function=\"server\"]\n\
    \"tor1\":\"swp51\" -- \"spine1\":\"swp1\"\n \"gpu1\":\"eth1\" -- \"tor1\":\"swp1\" [left_mac=\"00:03\"]\n \"tor1\":\"swp2\" -- \"gpu2\":\"eth1\"\n \"gpu2\":\"eth2\" -- \"spine1\":\"swp9\"\n}\n";

#[test]
fn servers_of_a_drawing_are_nodes() {
    let wiring = network("air.dot", AIR);
    assert_eq!(
        (size(&wiring), routers(&wiring)),
        ([2, 3, 1], ["spine1", "tor1"].map(str::to_owned).to_vec())
    );
    assert_eq!([0, 1, 2].map(|node| wiring.node_label(node)), ["gpu2 eth2", "gpu1", "gpu2 eth1"]);
    assert_eq!(
        (wiring.port_label(1, 2), wiring.peer_label(1, 2).unwrap()),
        ("tor1 port swp51".to_owned(), "spine1 port swp1".to_owned())
    );
    // Without functions the names of ports tell; without ports, functions do.
    let by_ports: String =
        AIR.lines().filter(|line| !line.contains("function")).map(|line| format!("{line}\n")).collect();
    assert_eq!(size(&network("air.gv", &by_ports)), [2, 3, 1]);
    let ports = [":\"swp51\"", ":\"swp1\"", ":\"eth1\"", ":\"swp2\"", ":\"eth2\"", ":\"swp9\""];
    let by_function = ports.iter().fold(AIR.to_owned(), |text, port| text.replace(port, ""));
    assert_eq!(size(&network("air.dot", &by_function)), [2, 3, 1]);
    assert_eq!(size(&network("air.txt", AIR)), [2, 3, 1], "known by its text");
    // A plug from a port of a switch to another one, and a server without a cable.
    let plugged = AIR.replace('{', "{ idle [function=host] spine1:swp7 -- spine1:swp8;");
    let plugged = network("air.dot", &plugged);
    assert_eq!(size(&plugged), [2, 3, 1]);
    let left_out = ["1 loopback cable is left out", "1 server without a cable is left out"];
    assert_eq!(plugged.notes(), left_out.map(|note| format!("air.dot: {note}")));
    // Ports of switches alone make no server.
    let plain = network("net.dot", "graph { a:eth1 -- b:eth1; b:eth2:w -- c:n }");
    assert_eq!((size(&plain), plain.port_label(1, 2)), ([3, 3, 2], "b port eth2".to_owned()));
    assert_eq!(
        refusal("net.dot", "graph { a [function=host]; b [function=host]; a -- b }"),
        ":1:1: all of this graph are servers: there is no switch"
    );
    assert_eq!(
        refusal("net.dot", "graph { node [function=host] a; b; c [function=tor]; a -- b; a -- c }"),
        ":1:33: server `b` is joined with a server: one of them must be a switch"
    );
}

#[test]
fn labels_are_names() {
    let dot = network(
        "net.dot",
        "graph { node [label=\"\\N\"] 0 [label=\"hub\"]; 1 [label=\"\\N!\"]; 2; 0 -- 1; 1 -- 2 }",
    );
    assert_eq!(routers(&dot), ["hub", "1", "2"]);
    let graphml = r#"<graphml><key id="d1" for="node" attr.name="label"/><graph edgedefault="undirected">
        <node id="0"><data key="d1">Kyiv</data></node><node id="1"/><node id="2"><data key="d1">Kyiv</data></node>
        <edge source="0" target="1" sourceport="xe-0" targetport="xe-1"/><edge source="1" target="2"/></graph></graphml>"#;
    let graphml = network("net.graphml", graphml);
    assert_eq!(routers(&graphml), ["Kyiv (0)", "1", "Kyiv (2)"]);
    assert_eq!(graphml.peer_label(0, 1).unwrap(), "1 port xe-1");
    assert!(network("net.dot", "graph { 0 -- 1 }").names().is_none(), "numbers are no names");
}

/// The parser of XML calls itself for each level.
#[test]
fn nesting_has_a_limit_in_every_format() {
    let open = format!("<graphml>{}", "<a>".repeat(12_500));
    assert_eq!(refusal("net.graphml", &open), ":1:307: more than 100 levels are nested here");
    let closed = format!("<graphml>\n{}{}</graphml>", "<a b='>'>".repeat(20_000), "</a>".repeat(20_000));
    assert_eq!(refusal("net.graphml", &closed), ":2:892: more than 100 levels are nested here");
    for hidden in ["<!-- <a -->", "<![CDATA[</a>]]>", "<?a </a>?>", "<b c=\"</a>\"/>"] {
        let text = format!("<graphml>{}", format!("<a>{hidden}").repeat(12_500));
        assert!(refusal("net.graphml", &text).ends_with("more than 100 levels are nested here"), "{hidden}");
    }
    let many: String = (0..100_000).map(|n| format!(" a{n}='x'")).collect();
    let wide = format!("<graphml>\n <b{many}/></graphml>");
    assert_eq!(refusal("net.graphml", &wide), ":2:2: a tag is too long: this one has more than 4096 bytes");
    let flat = format!(
        "<graphml><graph>{}{}</graph></graphml>",
        "<a/><!-- <a> --><a></a>".repeat(500),
        "<node id='x'/>"
    );
    assert_eq!(size(&network("net.graphml", &flat)), [1, 1, 0]);
    let braces = format!("graph {{ {} a -- b {} }}", "{".repeat(200_000), "}".repeat(200_000));
    assert_eq!(refusal("net.dot", &braces), ":1:108: more than 100 levels are nested here");
    let braces = format!("graph {{ {} a -- b {} }}", "{".repeat(90), "}".repeat(90));
    assert_eq!(size(&network("net.dot", &braces)), [2, 2, 1]);
}

#[test]
fn slurms_topology() {
    const CONF: &str = "# racks\r\nSwitchName=rack1 Nodes=n[01-02,7],login LinkSpeed=100\r\nswitchname=rack2 nodes=n[1-2]x[0-1]\r\nSwitchName=top Switches=rack[1-2]\r\n";
    let wiring = network("topology.conf", CONF);
    assert_eq!(
        (size(&wiring), routers(&wiring)),
        ([3, 8, 2], ["rack1", "rack2", "top"].map(str::to_owned).to_vec())
    );
    let nodes: Vec<String> = (0..8).map(|node| wiring.node_label(node)).collect();
    assert_eq!(nodes, ["n01", "n02", "n7", "login", "n1x0", "n1x1", "n2x0", "n2x1"]);
    assert_eq!(wiring.notes()[0], "topology.conf: 1 LinkSpeed is not read: all links are taken as equal");
    assert_eq!(size(&network("one.conf", "SwitchName=s Nodes=a,b\\\n,c\n")), [1, 3, 0]);
    // As `scontrol show topology` prints it: a switch above others has their nodes, too.
    let printed = "SwitchName=a Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=b Level=0 LinkSpeed=1 Nodes=n3\nSwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=a,b\n";
    assert_eq!(size(&network("shown.txt", printed)), [3, 3, 2]);
    let spaced = "\u{feff}SwitchName = \"a\" Nodes = \"n[1-2]\"\nSwitchName = top Switches = a\n";
    assert_eq!(size(&network("topology.conf", spaced)), [2, 2, 1]);
    for (text, message) in [
        (
            "SwitchName=a Nodes=n[1-",
            ":1: `n[1-` is no list of names such as `node[001-008,010]`, or a list of too many",
        ),
        (
            "SwitchName=a Nodes=n[3-1]",
            ":1: `n[3-1]` is no list of names such as `node[001-008,010]`, or a list of too many",
        ),
        (
            "SwitchName=a Nodes=n[0-9999999999]",
            ":1: `n[0-9999999999]` is no list of names such as `node[001-008,010]`, or a list of too many",
        ),
        ("SwitchName=a Nodes=b\nSwitchName=c Switches=x", ":2: the file has no switch `x`"),
        ("SwitchName=a Switches=a", ":1: router 0 is joined with itself"),
        ("SwitchName=a Nodes=b\nSwitchName=a Nodes=c", ":2: switch `a` is listed twice"),
        (
            "SwitchName=a Foo=b",
            ":1: expected `SwitchName=`, `Switches=`, `Nodes=` or `LinkSpeed=`, as Slurm's topology.conf has them, not `Foo`",
        ),
    ] {
        assert_eq!(refusal("topology.conf", text), message);
    }
}

#[test]
fn booksims_anynet() {
    let wiring = network(
        "anynet_file",
        "router 0 node 0 node 1 5 router 1\nrouter 1 node 2\nnode 3 router 2\nrouter 2 router 1 15 router 0\n",
    );
    assert_eq!((wiring.routers(), wiring.nodes(), wiring.names()), (3, 4, None));
    // Latencies are those of a direction; where one is not written it is 1.
    let there: Vec<_> = wiring.onward(2).map(|(port, there)| (there, wiring.latency(2, port))).collect();
    assert_eq!(there, [(0, Some(1)), (1, Some(15))]);
    assert_eq!(
        wiring.onward(1).map(|(port, there)| (there, wiring.latency(1, port))).last(),
        Some((2, Some(1)))
    );
    assert_eq!(
        wiring.notes(),
        ["anynet_file: latencies of the links to nodes are not read: links.latency says them"]
    );
    assert_eq!(size(&network("one", "router 0 node 0 node 1\n")), [1, 2, 0]);
    // BookSim's page has capitals, and numbers of any kind.
    let gaps = network("net", "// rack\nRouter 10 Node 5 Router 20 3 // cable\nRouter 20 node 7\n");
    assert_eq!(
        (size(&gaps), routers(&gaps)),
        ([2, 2, 2], vec!["router 10".to_owned(), "router 20".to_owned()])
    );
    assert_eq!([0, 1].map(|node| gaps.node_label(node)), ["node 5", "node 7"]);
    let shuffled = network("net", "router 0 node 1 router 1\nrouter 1 node 0\n");
    assert_eq!([0, 1].map(|node| shuffled.node_label(node)), ["node 1", "node 0"]);
    for (text, message) in [
        ("router 0 router 0", ":1: router 0 is joined with itself"),
        ("router 0 node 0\nrouter 1 node 0 router 0", ":2: node 0 is at another router before"),
        ("node 0 node 1", ":1: node 1 is joined with another node"),
        (
            "router 0 router 1 0",
            ":1: expected `router` or `node` and a number, or a latency from 1 to 10000, as BookSim's anynet has them, not `0`",
        ),
        (
            "router 0 switch 1",
            ":1: expected `router` or `node` and a number, or a latency from 1 to 10000, as BookSim's anynet has them, not `switch`",
        ),
    ] {
        assert_eq!(refusal("anynet_file", text), message);
    }
}

/// What is not read is named, and never taken for a list of edges.
#[test]
fn other_programs_files_are_named() {
    for (name, text, what) in [
        ("a.json", "{\n \"nodes\": [] }", "JSON"),
        ("a.gexf", "<?xml version=\"1.0\"?>\n<gexf>", "GEXF, as Gephi writes it"),
        ("a.xml", "<?xml version=\"1.0\"?>\n<topology/>", "XML, but not GraphML"),
        ("a.net", "*Vertices 3\n1 \"a\"\n", "a Pajek network"),
        ("a.mtx", "%%MatrixMarket matrix coordinate\n3 3 2\n", "a Matrix Market file"),
        ("a.yaml", "---\n- topology: x\n", "Slurm's topology.yaml; its topology.conf is read"),
        ("a.yml", "nodes:\n  - a\n", "YAML"),
        (
            "links.txt",
            "CA: head mlx5_0:\n      0x1 1 1[  ] ==( 4X",
            "what `iblinkinfo` writes; `ibnetdiscover` writes the links, too",
        ),
        (
            "list.txt",
            "Switch\t: 0x00000000000000a0 ports 36 \"east\" enhanced port 0 lid 7 lmc 0",
            "a list of nodes, as `ibnetdiscover -l` writes it; without -l it writes the links",
        ),
        (
            "list.txt",
            "Switch\t : 0x00000000000000a0 ports 36 devid 0x1 vendid 0x2c9 \"east\"",
            "a list of nodes, as `ibnetdiscover -l` writes it; without -l it writes the links",
        ),
        (
            "ports.txt",
            "SW     7  3 0x00000000000000a0 4x HDR - CA    11  1 0xc01 ( 'east' - 'h1' )",
            "a report of ports, as `ibnetdiscover -p` writes it; without -p it writes the links",
        ),
        (
            "ib.lst",
            "{ SW Ports:24 SystemGUID:1",
            "a list of links, as `ibdiagnet` writes it; `ibnetdiscover` writes the links, too",
        ),
        (
            "a.toml",
            "[topology]\nkind = \"ring\"\n",
            "a scenario: topology.file names the file of the network",
        ),
        (
            "cfg",
            "topology = anynet;\nnetwork_file = a;\n",
            "a configuration of BookSim; topology.file names its network_file",
        ),
        (
            "a.csv",
            "source,target\n0,1\n",
            "a table of comma-separated values; an edge is two numbers with a space between them",
        ),
        (
            "a.csv",
            "0, 1\n1, 2\n",
            "a table of comma-separated values; an edge is two numbers with a space between them",
        ),
        ("a.dot", "{\"nodes\": []}", "JSON"),
        ("a.gml", "<?xml version=\"1.0\"?>\n<gml:Map/>", "XML, but not GraphML"),
        (
            "a.ibnetdiscover",
            "{ SW Ports:24 SystemGUID:1",
            "a list of links, as `ibdiagnet` writes it; `ibnetdiscover` writes the links, too",
        ),
        ("lab.clab.yml", "name: lab\ntopology:\n", "YAML"),
        ("a.net", "*Network n\n*Vertices 2\n", "a Pajek network"),
        (
            "b.db_csv",
            "# ibdiagnet\n\nSTART_NODES\nNodeDesc,NumPorts\n",
            "what `ibdiagnet` writes of a fabric; `ibnetdiscover` writes the links",
        ),
        (
            "lfts",
            "Unicast lids [0x0-0xd] of switch Lid 1 guid 0xa0 (east):\n",
            "forwarding tables; routing.tables names them",
        ),
        (
            "topology.conf",
            "BlockName=b1 Nodes=n[1-4]\nBlockSizes=4\n",
            "Slurm's topology.conf of blocks, which names no switch",
        ),
        ("a.mmd", "graph TD\n  A --- B\n", "a text of another kind"),
        ("a.puml", "@startuml\n", "a text of another kind"),
        (
            "mail.txt",
            "> # Topology file: generated on Monday\n> Switch 8 \"S-a0\"\n",
            "a text of another kind",
        ),
        ("diff.txt", "< # Topology file\n< Switch 8 \"S-a0\"\n", "a text of another kind"),
    ] {
        let refused = refusal(name, text);
        assert!(refused.starts_with(&format!(": this is {what}. What is read: edge lists, ")), "{refused}");
    }
    // Lists of edges are as before.
    assert_eq!(size(&network("net.txt", "# graph [ SwitchName=x\n\n0 1 # {\n")), [2, 2, 1]);
    assert_eq!(refusal("net.txt", "zero one\n"), ":1: `zero` is not the number of a router, 0 to 1048575");
    assert_eq!(size(&network("net.txt", "\u{feff}0 1\n")), [2, 2, 1]);
    assert_eq!(refusal("net.txt", "0 1 raet=1/4\n"), ":1: unknown attribute `raet`: did you mean `rate`?");
}

/// The text of a file decides its format; the name decides where several formats fit.
#[test]
fn the_text_decides_what_a_file_is() {
    const GRAPHML: &str = "<n:graphml xmlns:n='x'><n:graph><n:node id='0'/><n:node id='1'/><n:edge source='0' target='1'/></n:graph></n:graphml>";
    const DOT: &str = "/* drawn\n by hand */ graph { a -- b; b -- c; c -- a }";
    for (text, expected) in
        [(GML, [3, 3, 3]), (GRAPHML, [2, 2, 1]), (DOT, [3, 3, 3]), ("router 0 node 0 router 1\n", [2, 1, 1])]
    {
        for name in ["a.txt", "a.xml", "a.dot", "a.gml", "a.graphml", "a.ibnetdiscover"] {
            assert_eq!(size(&network(name, text)), expected, "{name}: {text}");
        }
    }
    assert_eq!(
        refusal("a.graphml", "<!DOCTYPE graphml>\n<graphml/>"),
        ":1:1: a document type, `<!DOCTYPE …>`, is not read"
    );
}

/// A short file may not list what takes all memory.
#[test]
fn nodes_are_counted_before_they_are_listed() {
    let conf: String = (0..3).map(|n| format!("SwitchName=s{n} Nodes=n[1-500000]\n")).collect();
    assert_eq!(refusal("topology.conf", &conf), ": this file lists more than 1048576 nodes");
    let one = refusal("topology.conf", "SwitchName=s Nodes=n[1-2000]x[1-2000]\n");
    assert!(one.ends_with("or a list of too many"), "{one}");
    let dot = format!("graph {{ h [function=host] edge [width=63] {} }}", "s -- h ".repeat(20_000));
    assert_eq!(refusal("net.dot", &dot), ": this file lists more than 1048576 nodes");
}

#[test]
fn a_switch_has_at_most_256_ports() {
    let conf = |nodes: u32| format!("SwitchName=a Nodes=n[1-{nodes}]\n");
    assert_eq!(size(&network("topology.conf", &conf(255))), [1, 255, 0]);
    for nodes in [256, 300] {
        assert_eq!(
            refusal("topology.conf", &conf(nodes)),
            format!(
                ": a needs {nodes} ports ({nodes} to nodes, 0 to routers); at most 256 are possible, 255 of them to nodes"
            )
        );
    }
}

/// One switch is a network in every format that can say it.
#[test]
fn one_switch_alone() {
    for (name, text, nodes) in [
        ("a.dot", "graph { a }", 1),
        ("a.graphml", "<graphml><graph><node id='a'/></graph></graphml>", 1),
        ("a.gml", "graph [ node [ id 7 label \"a\" ] ]", 1),
        (
            "a.net",
            "Switch 8 \"a\"\n[1] \"h\"\n[2] \"i\"\n\nHca 1 \"h\"\n[1] \"a\"[1]\n\nHca 1 \"i\"\n[1] \"a\"[2]\n",
            2,
        ),
        ("a.conf", "SwitchName=a Nodes=n[1-4]", 4),
        ("a.any", "router 0 node 0 node 1 node 2", 3),
        ("a.txt", "# one\n0 # router\n", 1),
        ("b.dot", "graph { s [function=leaf] h [function=host] s -- h }", 1),
    ] {
        assert_eq!(size(&network(name, text)), [1, nodes, 0], "{name}");
    }
    assert_eq!(size(&wired(&Complete { routers: 1, nodes_per_router: 5 }.into())), [1, 5, 0]);
}

/// A list of nodes in the scenario may not contradict the file; a number is not used.
#[test]
fn nodes_of_a_file_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.conf");
    std::fs::write(&file, "SwitchName=a Nodes=n[1-3]\nSwitchName=b Switches=a Nodes=m\n").unwrap();
    let with = |nodes| Wiring::build(&Graph::new(&file, nodes).into());
    assert_eq!(with(NodesPerRouter::File).unwrap().nodes(), 4);
    assert_eq!(with(NodesPerRouter::Each(vec![3, 1])).unwrap().nodes(), 4);
    let other = with(NodesPerRouter::Same(2)).unwrap();
    assert_eq!(
        (other.nodes(), other.notes().last().unwrap().as_str()),
        (4, "net.conf: it lists its nodes: topology.nodes_per_router = 2 is not used")
    );
    let refused = with(NodesPerRouter::Each(vec![2, 2])).unwrap_err().to_string();
    assert!(refused.ends_with("net.conf lists its nodes, and other numbers of them"), "{refused}");
}
