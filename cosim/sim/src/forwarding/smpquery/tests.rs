//! The dump of 16 switches that a real OpenSM routed by torus-2QoS, good and bad.

use crate::blueprint::Blueprint;
use crate::forwarding::Tables;
use crate::scenario::{Scenario, Topology};
use std::path::{Path, PathBuf};

const DUMP: &str = "torus-2QoS.sl2vl";

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infiniband")
}

fn dump() -> String {
    std::fs::read_to_string(examples().join(DUMP)).expect("the dump")
}

fn scenario(folder: &Path) -> Scenario {
    let sets = ["tables=torus-2QoS.lfts", "service_levels=torus-2QoS.paths", "sl_to_vl=torus-2QoS.sl2vl"];
    let sets = sets.map(|set| format!("routing.{set}"));
    Scenario::load(&folder.join("torus.toml"), &sets).expect("a scenario")
}

/// The message of the network with another dump.
fn message(dump: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["torus.toml", "torus.ibnetdiscover", "torus-2QoS.lfts", "torus-2QoS.paths"] {
        std::fs::copy(examples().join(name), folder.path().join(name)).expect("a copy");
    }
    std::fs::write(folder.path().join(DUMP), dump).expect("a file");
    let error = Blueprint::new(scenario(folder.path())).err()?;
    Some(error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

/// By LID 16, which is switch S22: port 1 of the switch is the router's port 4 there, ports 2 and 3 follow; port 5 is the node's.
#[test]
fn tables_are_by_the_ports_of_the_routers() {
    let scenario = scenario(&examples());
    let Topology::Graph(graph) = &scenario.topology else { panic!("a graph") };
    let fabric = graph.fabric().expect("a file").expect("a fabric");
    let wiring = crate::topology::Wiring::build(&scenario.topology).expect("a network");
    let routing = &scenario.routing;
    let files = crate::forwarding::Files {
        tables: routing.tables.as_deref().expect("a file"),
        service_levels: routing.service_levels.as_deref(),
        sl_to_vl: routing.sl_to_vl.as_deref(),
    };
    let tables = Tables::read(files, &wiring, Some(&fabric), &scenario.router.vcs, false).expect("tables");
    let found = tables.sl_to_vl.expect("lanes").tables;
    let router = fabric.managed(16).expect("a switch");
    assert_eq!(fabric.router(0x20_000a), Some(router));
    let lanes = |input, output| {
        let port = |number| usize::from(fabric.port(router, number).expect("a port"));
        found[(router as usize * wiring.ports() + port(input)) * wiring.ports() + port(output)]
    };
    // Level 0 is the lowest digit. Between the dimensions two bits are added.
    assert_eq!(lanes(1, 2), 0x5454_5454_1010_1010);
    assert_eq!(lanes(3, 1), 0x7676_7676_3232_3232);
    assert_eq!(lanes(1, 5), 0x1111_1111_0000_0000);
}

#[test]
fn what_is_wrong_is_said_by_its_line() {
    let dump = dump();
    assert_eq!(message(&dump), None);
    let first = "ports: in  1, out  1: | 0| 1| 0| 1| 0| 1| 0| 1| 4| 5| 4| 5| 4| 5| 4| 5|";
    let row = "expected `ports: in N, out N:` and 16 lanes, as smpquery sl2vl writes them";
    let cases = [
        ("Lid 16\n", "Lid 99\n", "1: the fabric has no switch, and no channel adapter, with LID 99"),
        (
            "Lid 16\n",
            "DR path slid 65535; dlid 65535; 0,1\n",
            "1: expected the LID of a switch: smpquery asked by LID",
        ),
        (first, "ports: in  1, out  1: | 0| 1| 0|", &format!("4: {row}")),
        (first, &first.replace("| 4| 5|", "| 4|16|"), &format!("4: {row}")),
        (first, &first.replace("in  1", "in 256"), &format!("4: {row}")),
        (first, &first.replace("|\n", "| 3|\n").replace("out", "to"), &format!("4: {row}")),
        (first, "smpquery: iberror: failed", &format!("4: {row}")),
        // Ports 1 and 2 of LID 16 are both connected: lines 5 and 4 are of other pairs.
        (
            "ports: in  2, out  1",
            "ports: in  3, out  1",
            "6: the lanes from port 3 to port 1 of the switch with LID 16 are others in line 5",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(dump.contains(from), "{from}");
        let message = message(&dump.replacen(from, to, 1)).unwrap_or_else(|| panic!("accepted: {to}"));
        let expected = format!("routing.sl_to_vl: {DUMP}:{expected}");
        assert!(message.contains(&expected), "{to}: {message}");
    }
    // Whole tables that are not there: packets have no lane.
    let cut: String = dump.lines().take(100).flat_map(|line| [line, "\n"]).collect();
    assert!(message(&cut).expect("refused").contains("get lane 15, but the output has 8 VCs"));
    let headless: String = dump.lines().skip(1).flat_map(|line| [line, "\n"]).collect();
    assert!(
        message(&headless)
            .expect("refused")
            .contains("expected the columns `router,input,output,lanes`, or what `smpquery")
    );
}

/// A dump says everything, and says nothing of its own: tables of adapters, of management and of ports without a link are left out, and what
/// is there twice is there once.
#[test]
fn what_is_of_no_use_is_left_out() {
    let dump = dump();
    assert_eq!(message(&format!("{dump}{dump}")), None);
    let adapter = "# SL2VL table: Lid 27\n#  SL: | 0|\nports: in  0, out  0: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|\n";
    assert_eq!(message(&format!("{adapter}\n{dump}{adapter}")), None);
    let linked = |line: &&str| {
        !["in  0", "in  6", "in  7", "in  8", "out  6", "out  7", "out  8"]
            .iter()
            .any(|part| line.contains(part))
    };
    let short: String = dump.lines().filter(linked).flat_map(|line| [line, "\n"]).collect();
    assert!(short.len() < dump.len() / 2);
    assert_eq!(message(&short), None);
}

/// Tables of LIDs need LIDs.
#[test]
fn another_topology_has_no_lids() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("l"), "# SL2VL table: Lid 1\n").expect("a file");
    let ring = examples().join("ring.toml");
    let sets = [format!("routing.sl_to_vl={:?}", folder.path().join("l"))];
    let error =
        Blueprint::new(Scenario::load(&ring, &sets).expect("a scenario")).expect_err("refused").to_string();
    assert!(
        error.contains("these are tables of LIDs: the topology must be a graph from an ibnetdiscover file"),
        "{error}"
    );
}
