//! Files of forwarding tables, good and bad, and the layers of computed ones.

use std::path::Path;

use crate::blueprint::{Blueprint, BlueprintError};
use crate::scenario::Scenario;

/// A ring of five routers: port 0 leads to the node, 1 to the next router, 2 to the one before.
fn ring(routing: &str) -> String {
    format!(
        "[topology]\nkind = \"torus\"\ndims = [5]\n[router]\nvcs = 4\n[routing]\n{routing}\n[traffic]\nloads = [0.1]\n"
    )
}

/// The message for a ring with these tables, or none.
fn message(tables: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.csv"), tables).expect("a file");
    let text = ring("algorithm = \"forwarding\"\ntables = \"t.csv\"");
    let error = Blueprint::new(scenario(&text, folder.path())).err()?;
    let path = format!("{}/", folder.path().display());
    Some(error.to_string().replace(&path, ""))
}

fn scenario(text: &str, folder: &Path) -> Scenario {
    Scenario::parse(text, "net.toml", folder, &[]).expect("a scenario")
}

/// All rows of a ring whose packets go one way round, written by `line`.
fn round(head: &str, line: impl Fn(u32, u32) -> String) -> String {
    let pairs =
        (0..5).flat_map(|router| (0..5).map(move |to| (router, to))).filter(|(router, to)| router != to);
    let rows: Vec<String> = pairs.map(|(router, to)| line(router, to)).collect();
    format!("{head}\n{}\n", rows.join("\n"))
}

#[test]
fn every_way_to_write_a_table_is_read() {
    let good = [
        round("router,to_node,port", |router, to| format!("{router},{to},1")),
        round("# by hand\nrouter,to_router,next", |router, to| {
            format!("{router}, {to}, {}", (router + 1) % 5)
        }),
        round("to_node,vc,router,port", |router, to| format!("{to},{},{router},2", to % 4)),
        round("router,to_router,port,layer", |router, to| format!("{router},{to},1,{}", (router + to) % 4)),
    ];
    for text in good {
        assert_eq!(message(&text), None, "{text}");
    }
}

/// Where packets are discarded tables may lead nowhere, but not round for ever.
#[test]
fn broken_tables_are_read_where_packets_are_discarded() {
    let whole = round("router,to_node,port", |router, to| format!("{router},{to},1"));
    let read = |from: &str, to: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("t.csv"), whole.replace(from, to)).expect("a file");
        let text = ring("algorithm = \"forwarding\"\ntables = \"t.csv\"");
        let text = text.replace("vcs = 4", "vcs = 4\ndiscards = true");
        Blueprint::new(scenario(&text, folder.path())).map(|_| ()).map_err(|error| error.to_string())
    };
    for (from, to) in [
        ("", ""),
        ("1,3,1\n", ""),
        ("\n2,0,1\n", "\n2,0,2\n"),
        ("1,0,1", "1,0,0"),
        ("1,0,1", "1,0,3"),
        ("1,0,1", "1,0,254"),
    ] {
        assert_eq!(read(from, to), Ok(()), "{from}: {to}");
    }
    let most = read("1,0,1", "1,0,255").expect_err("refused");
    assert!(most.contains("t.csv:6: `port` must be a whole number from 0 to 254, not `255`"), "{most}");
    // Three routers of a torus, and nothing sends back.
    let folder = tempfile::tempdir().expect("a folder");
    let rows = "router,to_node,port\n0,8,1\n1,8,1\n2,8,1\n";
    std::fs::write(folder.path().join("t.csv"), rows).expect("a file");
    let text = ring("algorithm = \"forwarding\"\ntables = \"t.csv\"").replace("[5]", "[3, 3]");
    let text = text.replace("vcs = 4", "vcs = 4\ndiscards = true");
    let round = Blueprint::new(scenario(&text, folder.path())).expect_err("refused").to_string();
    assert!(round.ends_with("packets for node 8 go round for ever: routers 0, 1, 2, 0"), "{round}");
}

#[test]
fn what_is_wrong_is_said_by_its_line() {
    let whole = round("router,to_node,port", |router, to| format!("{router},{to},1"));
    let with = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        message(&whole.replace(from, to)).expect("refused")
    };
    let cases = [
        (
            with("1,3,1\n", ""),
            "t.csv: router 1 has no entry for node 3, but packets from router 0 come there",
        ),
        (with("\n2,0,1\n", "\n2,0,2\n"), "t.csv:6: packets for node 0 go round for ever: routers 1, 2, 1"),
        (with("1,0,1", "1,0,3"), "t.csv:6: `port` must be a whole number from 0 to 2, not `3`"),
        (with("1,0,1", "1,0,0"), "t.csv:6: port 0 of router 1 leads to no other router"),
        (with("1,0,1", "1,5,1"), "t.csv:6: `to_node` must be a whole number from 0 to 4, not `5`"),
        (with("1,0,1", "one,0,1"), "t.csv:6: `router` must be a whole number from 0 to 4, not `one`"),
        (with("1,0,1", "1,1,1"), "t.csv:6: node 1 is at router 1 itself"),
        (with("1,0,1", "0,4,1"), "t.csv:6: router 0 has a row for node 4 before, in line 5"),
        (with("router,to_node,port", "router,to_node,port,to"), "t.csv:1: expected the columns"),
        (with("router,to_node,port", "router,to_node,way"), "not `router,to_node,way`"),
        (with("1,0,1", "1,0"), "t.csv:6: not a CSV file"),
    ];
    for (message, expected) in cases {
        assert!(
            message.starts_with("routing.tables: ") && message.contains(expected),
            "{expected}: {message}"
        );
    }
    let next = round("router,to_node,next", |router, to| format!("{router},{to},{}", (router + 1) % 5));
    let far = message(&next.replacen("0,1,1", "0,1,2", 1)).expect("refused");
    assert!(far.contains("t.csv:2: router 0 is not joined with router 2"), "{far}");
    let high = round("router,to_node,port,vc", |router, to| format!("{router},{to},1,{}", to + 1));
    let vcs = message(&high).expect("refused");
    assert!(vcs.starts_with("router.vcs: forwarding routing needs 6 VCs"), "{vcs}");
}

/// On a ring of two routers two links join them: which one is meant is left open.
#[test]
fn a_neighbour_by_two_links_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.csv"), "router,to_node,next\n0,1,1\n1,0,0\n").expect("a file");
    std::fs::write(folder.path().join("two.txt"), "0 1\n0 1\n").expect("a file");
    let text = ring("algorithm = \"forwarding\"\ntables = \"t.csv\"")
        .replace("kind = \"torus\"\ndims = [5]", "kind = \"graph\"\nfile = \"two.txt\"");
    let error = Blueprint::new(scenario(&text, folder.path())).expect_err("refused").to_string();
    assert!(
        error.ends_with(
            "t.csv:2: several links join router 0 with router 1: a column `port` can say which one"
        ),
        "{error}"
    );
}

#[test]
fn a_file_must_be_named_and_be_there() {
    let text = ring("algorithm = \"forwarding\"");
    let error = Scenario::parse(&text, "net.toml", Path::new(""), &[]).expect_err("refused").to_string();
    assert!(error.contains("`routing.tables` is missing, expected the name of a CSV file"), "{error}");
    let text = ring("algorithm = \"forwarding\"\ntables = \"none.csv\"");
    let error = Blueprint::new(scenario(&text, Path::new("/no"))).expect_err("refused").to_string();
    assert!(error.starts_with("routing.tables: /no/none.csv: cannot be read: "), "{error}");
    let other = scenario(&ring("algorithm = \"table\"\ntables = \"none.csv\""), Path::new("/no"));
    assert_eq!(other, scenario(&ring("algorithm = \"table\""), Path::new("/no")));
}

/// A ring of k routers needs two layers from k = 5 on: on one, shortest routes of two hops close the ring both ways.
/// Five routers with a node each: 16 MiB and 2 KiB for each of a hundred pairs. The file takes no room on the disk.
#[test]
fn a_file_is_as_large_as_its_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.csv");
    let text = ring("algorithm = \"forwarding\"\ntables = \"t.csv\"");
    let refused = |size: u64| {
        std::fs::File::create(&path).and_then(|file| file.set_len(size)).expect("a file");
        Blueprint::new(scenario(&text, folder.path())).expect_err("refused").to_string()
    };
    let largest = (16 << 20) + (200 << 10);
    assert!(refused(largest + 1).ends_with("it is larger than 16982016 bytes"));
    assert!(!refused(largest).contains("larger"));
}

#[test]
fn a_ring_needs_two_layers_and_a_mesh_line_one() {
    let needed = |kind: &str, size: u32| {
        let text =
            ring("algorithm = \"layered\"").replace("torus", kind).replace("[5]", &format!("[{size}]"));
        let blueprint = Blueprint::new(scenario(&text, Path::new(""))).expect("a network");
        blueprint.table_vcs()
    };
    assert_eq!([3, 5, 6, 7].map(|size| needed("torus", size)), [1, 2, 2, 2]);
    assert_eq!([3, 9].map(|size| needed("mesh", size)), [1, 1]);
    let one = ring("algorithm = \"layered\"").replace("vcs = 4", "vcs = 1").replace("[5]", "[5, 5]");
    let error = Blueprint::new(scenario(&one, Path::new(""))).expect_err("refused");
    let BlueprintError::TableVcs { needed, vcs: 1, word: "layered" } = error else { panic!("{error}") };
    assert!((2..=3).contains(&needed), "{needed}");
}

/// The files of a real OpenSM, with one thing replaced in one of them.
fn fabric(file: &str, from: &str, to: &str) -> Option<String> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infiniband");
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["torus.ibnetdiscover", "lash.lfts", "lash.paths", "torus.toml"] {
        let text = std::fs::read_to_string(examples.join(name)).expect("a file");
        assert!(name != file || text.contains(from), "{from}");
        let text = if name == file { text.replacen(from, to, 1) } else { text };
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let scenario = match Scenario::load(&folder.path().join("torus.toml"), &[]) {
        Ok(scenario) => scenario,
        Err(error) => return Some(error.to_string()),
    };
    let error = Blueprint::new(scenario).err()?;
    Some(error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn dumps_of_a_fabric_are_refused_by_their_line() {
    assert_eq!(fabric("torus.toml", "buffer_flits", "buffer_flits"), None);
    let ibn = "torus.ibnetdiscover";
    let cases = [
        (
            ibn,
            "[2]\t\"S-0000000000200006\"[1]",
            "[2]\t\"S-0000000000200006\"[2]",
            ibn,
            ":33: port 2 of switch 0x20000a does not lead back",
        ),
        (
            ibn,
            "[3]\t\"S-000000000020000b\"[4]",
            "[1]\t\"S-000000000020000b\"[4]",
            ibn,
            ":13: port 1 is listed twice",
        ),
        (
            ibn,
            "\"S-000000000020000e\"[2]",
            "\"S-00000000002000ff\"[2]",
            ibn,
            "the file has no switch 0x2000ff",
        ),
        (
            ibn,
            "\"H22\" lid 27",
            "\"H22\" lid 28",
            "lash.lfts",
            ": these are tables of LIDs, and LID 28 is that of two ports in the file of the fabric",
        ),
        (
            ibn,
            "\"H22\" lid 27",
            "\"H22\" lid 0",
            "lash.lfts",
            ": these are tables of LIDs, and H22 has none: the fabric was discovered before a subnet manager gave LIDs to it",
        ),
        (
            ibn,
            "Switch\t8 \"S-000000000020000a\"",
            "Swich\t8 \"S-000000000020000a\"",
            ibn,
            ":10: expected a switch, a channel adapter or a port, as ibnetdiscover writes it",
        ),
        (
            "lash.lfts",
            "Unicast lids [0x0-0x20] of switch DR path slid 0; dlid 0; 0,1,1,3,3 guid 0x000000000020000a",
            "Unicast lids guid 0xff",
            "lash.lfts",
            ":1: the fabric has no switch 0xff",
        ),
        (
            "lash.lfts",
            "0x0002 001",
            "0x0002 005",
            "lash.lfts",
            ":5: port 0 of router 10 leads to no other router",
        ),
        (
            "lash.lfts",
            "0x0002 001",
            "0x0002 009",
            "lash.lfts",
            ":5: port 9 of switch 0x20000a is not connected",
        ),
        (
            "lash.lfts",
            "0x001b 005",
            "0x001b 001",
            "lash.lfts",
            ":30: LID 27 is that of node 10, but the switch sends it to port 1",
        ),
        (
            "lash.lfts",
            "0x0002 001",
            "0x0002 255",
            "lash.lfts",
            ": router 10 has no entry for node 0, but packets from router",
        ),
        (
            "lash.lfts",
            "0x0002 001",
            "LID 2",
            "lash.lfts",
            ":5: expected a LID and a port, as dump_lfts writes them",
        ),
        ("lash.paths", "slid", "sgid", "lash.paths", ":1: expected `slid`, `dlid` and `sl` in each record"),
        (
            "lash.paths",
            "sl......................0x0",
            "sl......................0x8",
            "lash.paths",
            "service level 8 is above 7",
        ),
        (
            "lash.paths",
            "dlid....................5",
            "dlid....................2",
            "lash.paths",
            ": no service level from node 0 to node 1",
        ),
        ("torus.toml", "vcs = 8", "vcs = 1", "router.vcs", ": forwarding routing needs 2 VCs"),
        (
            "torus.toml",
            "file = ",
            "nodes_per_router = [1]\nfile = ",
            "topology.nodes_per_router",
            " must be \"file\"",
        ),
        (
            "torus.toml",
            "torus.ibnetdiscover",
            "lash.paths",
            "lash.paths",
            ": this is a text of another kind. What is read: edge lists",
        ),
    ];
    for (file, from, to, place, expected) in cases {
        let message = fabric(file, from, to).unwrap_or_else(|| panic!("accepted: {from} → {to}"));
        let key = if file == "lash.paths" { "routing.service_levels: " } else { "" };
        assert!(
            message.starts_with(key) && message.contains(place) && message.contains(expected),
            "{from} → {to}: {message}"
        );
    }
}

/// Where the shortest routes alone need more lanes than there are, the network is refused with their number.
#[test]
fn lids_need_lanes_for_the_shortest_routes() {
    let refused = |vcs: u32| {
        let text = ring("algorithm = \"drb-infiniband\"").replace("vcs = 4", &format!("vcs = {vcs}"));
        Blueprint::new(scenario(&text, Path::new("."))).err().map(|error| error.to_string())
    };
    assert_eq!(refused(2), None);
    assert!(refused(1).is_some_and(|error| error.contains('2') && error.contains("VCs")), "{:?}", refused(1));
}

/// A ring whose packets go one way round, with these levels and lanes; the message of its blueprint.
fn by_level(levels: &str, lanes: &str, to_routers: bool) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let to = if to_routers { "to_router" } else { "to_node" };
    let rows = round(&format!("router,{to},port"), |router, to| format!("{router},{to},1"));
    for (file, text) in [("t.csv", &*rows), ("s.csv", levels), ("l.csv", lanes)] {
        std::fs::write(folder.path().join(file), text).expect("a file");
    }
    let files = "tables = \"t.csv\"\nservice_levels = \"s.csv\"\nsl_to_vl = \"l.csv\"";
    let text = ring(&format!("algorithm = \"forwarding\"\n{files}"));
    let path = format!("{}/", folder.path().display());
    let made = Blueprint::new(scenario(&text, folder.path()));
    made.map(|_| ()).map_err(|error| error.to_string().replace(&path, ""))
}

/// Lanes of all sixteen levels: the level, but no more than `most`.
fn up_to(most: u32) -> String {
    let lanes: Vec<String> = (0..16u32).map(|level| level.min(most).to_string()).collect();
    lanes.join(" ")
}

#[test]
fn levels_and_lanes_are_read_and_what_is_wrong_is_said_by_its_line() {
    let levels = round("from,to,level", |from, to| format!("{from},{to},{}", (from + to) % 4));
    let lanes = format!("# all alike\nrouter,input,output,lanes\n*,*,*,{}\n", up_to(3));
    assert_eq!(by_level(&levels, &lanes, false), Ok(()));
    assert_eq!(by_level(&levels, &lanes, true), Ok(()), "tables by routers have levels of pairs of routers");

    let cases = [
        (
            levels.replace("1,3,0\n", ""),
            lanes.clone(),
            "routing.service_levels: s.csv: no service level from node 1 to node 3",
        ),
        (
            levels.replace("1,3,0", "1,3,16"),
            lanes.clone(),
            "s.csv:8: `level` must be a whole number from 0 to 15, not `16`",
        ),
        (
            levels.replace("1,3,0", "1,3,0\n1,3,2"),
            lanes.clone(),
            "s.csv:9: the service level from node 1 to node 3 is 2, and 0 by a line before",
        ),
        (levels.replace("from,to", "a,b"), lanes.clone(), "s.csv:1: expected the columns `from,to,level`"),
        (
            levels.clone(),
            lanes.replace("router,", "switch,"),
            "routing.sl_to_vl: l.csv:1: expected the columns `router,input,output,lanes`",
        ),
        (
            levels.clone(),
            lanes.replace("*,*,*", "5,*,*"),
            "l.csv:3: `router` must be a whole number from 0 to 4, not `5`",
        ),
        (
            levels.clone(),
            lanes.replace("*,*,*", "*,*,3"),
            "l.csv:3: `output` must be a whole number from 0 to 2, not `3`",
        ),
        (levels.clone(), lanes.replace("3 3\n", "3\n"), "l.csv:3: `lanes` must be 16 numbers from 0 to 15"),
        (
            levels.clone(),
            lanes.replace("3 3\n", "3 16\n"),
            "l.csv:3: `lanes` must be 16 numbers from 0 to 15",
        ),
        // Four VCs are there: level 3 finds none where its lane is 4, and where no line names its pair of ports.
        (
            levels.clone(),
            format!("{lanes}2,*,1,0 1 2 4 0 0 0 0 0 0 0 0 0 0 0 0\n"),
            "l.csv: packets of service level 3 from port 0 to port 1 of router 2 get lane 4, but the output has 4 VCs",
        ),
        (
            levels.clone(),
            format!("router,input,output,lanes\n*,*,1,{}\n", up_to(3)),
            " to port 0 of router 0 get lane 15, but the output has 4 VCs",
        ),
    ];
    for (levels, lanes, expected) in cases {
        let message = by_level(&levels, &lanes, false).expect_err(expected);
        assert!(message.contains(expected), "{expected}: {message}");
    }
}
