//! Maps that are wrong, and maps that do not fit the Verilog.

use super::{MAP, Place, example, verilator_is_here};
use desvio_lockstep::conform::PortMap;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use std::fs;

#[test]
fn a_wrong_map_is_told_where() {
    let cases: &[(&str, String, &str, &str)] = &[
        (
            "unknown key",
            MAP.replace("valid = \"rx_strobe\"", "vaild = \"rx_strobe\""),
            ":16:1: unknown key `vaild` in [input]",
            "did you mean `valid`?",
        ),
        (
            "unknown table",
            MAP.replace("[parameters]", "[parametres]"),
            ":7:2: unknown key `parametres`",
            "did you mean `parameters`?",
        ),
        (
            "wrong type",
            MAP.replace("ports = 5", "ports = \"5\""),
            ":5:9: `ports` must be a whole number from 1 to 64, not \"5\"",
            "^^^",
        ),
        ("out of range", MAP.replace("ports = 5", "ports = 0"), ":5:9: ", "from 1 to 64, not 0"),
        ("wrong word", MAP.replace("\"high\"", "\"hihg\""), ":4:34: ", "did you mean \"high\"?"),
        ("missing", MAP.replace("number = \"15:0\"", ""), ": `flit.number` is missing", "expected bits"),
        (
            "no flow control",
            MAP.replace("credit = \"rx_return\"", ""),
            ": `input.credit`, `input.ready` or `input.on` is missing",
            "[input]",
        ),
        (
            "both",
            MAP.replace("credit = \"tx_return\"", "credit = \"tx_return\"\nready = \"tx_ready\""),
            "both `credit` and `ready`",
            "ready",
        ),
        (
            "bits upside down",
            MAP.replace("\"15:0\"", "\"0:15\""),
            ": `flit.number` must be bits",
            "7 or \"11:8\"",
        ),
        (
            "shared bits",
            MAP.replace("\"18:16\"", "\"18:15\""),
            ": `flit.index` and `flit.number` share bit 15",
            "index",
        ),
        (
            "few numbers",
            MAP.replace("\"15:0\"", "\"5:0\""),
            ": `flit.number` must have at least 8 bits",
            "not 6",
        ),
        (
            "bits for nothing",
            MAP.replace("\"address\" }", "\"address\", bits = 4 }"),
            ":11:36: `bits` belongs to",
            "next-port",
        ),
        (
            "no such source",
            MAP.replace("\"next-port\"", "\"next-prot\""),
            "must be one of",
            "did you mean \"next-port\"?",
        ),
        ("no TOML", MAP.replace("clock = \"ck\"", "clock = \"ck"), ":3:", "not valid TOML"),
        ("empty", String::new(), ":1:1: ", "is missing"),
        ("too few ports", MAP.replace("ports = 5", "ports = 4"), ": the switch has 4 ports", "has 5"),
        (
            "order too short",
            MAP.replace("ports = 5", "ports = 5\norder = [0, 1]"),
            ":6:9: `order` has 2 ports",
            "has 5",
        ),
        (
            "order twice",
            MAP.replace("ports = 5", "ports = 5\norder = [0, 1, 1]"),
            ":6:16: port 1 of the switch is in `order` twice",
            "^",
        ),
    ];
    for (what, map, start, fragment) in cases {
        eprintln!("{what}");
        Place::new().with_map(map).refused(start, fragment);
    }
    let mut place = Place::new();
    place.map = place.dir.path().join("nowhere.toml");
    place.refused("nowhere.toml: cannot read the map", "");
}

#[test]
fn a_map_that_does_not_fit_the_verilog_is_told_where() {
    if !verilator_is_here() {
        return;
    }
    let cases: &[(&str, String, &str, &str)] = &[
        (
            "no such input",
            MAP.replace("rx_strobe", "rx_strob"),
            ":16:9: module `crosspoint` has no input `rx_strob`",
            "did you mean `rx_strobe`?",
        ),
        (
            "an output",
            MAP.replace("\"rx_strobe\"", "\"tx_strobe\""),
            ":16:9: `tx_strobe` of module `crosspoint` is an output",
            "expected an input",
        ),
        (
            "wrong width",
            MAP.replace("\"rx_strobe\"", "\"rx_word\"").replace("flit = \"rx_word\"", "flit = \"rx_strobe\""),
            ":16:9: `rx_word` has 36 bits for each port",
            "expected 1, or 2",
        ),
        (
            "left out",
            MAP.replace("my_id = { from = \"address\" }", ""),
            "inputs that the map does not name: `my_id`",
            "[constants]",
        ),
        (
            "too large",
            MAP.replace("{ from = \"address\" }", "99"),
            ":11:9: the value of `my_id` does not fit into its 4 bits",
            "",
        ),
        (
            "beyond the flit",
            MAP.replace("\"35:34\"", "\"36:35\""),
            ": `flit.kind.bits` reaches up to bit 36",
            "36 bits",
        ),
        (
            "a field too small",
            MAP.replace("\"32:29\"", "\"31:29\""),
            ": `flit.to_router` has 3 bits",
            "needs 4",
        ),
        ("no VC", MAP.replace("vc = 33", ""), "nothing tells the VC", "flit.vc"),
    ];
    for (what, map, start, fragment) in cases {
        eprintln!("{what}");
        Place::new().with_map(map).refused(start, fragment);
    }
    Place::new().with(&["--router", "10"]).refused("there is no router 10", "0 to 9");
    let mut place = Place::new();
    place.rtl.pop();
    place.refused("Verilator refuses `crosspoint`", "output_side");
    place.rtl.push(place.dir.path().join("nowhere.v"));
    place.refused("nowhere.v", "");
}

/// Their Verilog is not here: that they can be read is all that can be said.
#[test]
fn the_maps_of_the_gallery_can_be_read() {
    let gallery = example().join("../gallery");
    let folders = fs::read_dir(gallery).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = folders.filter(|path| path.is_dir()).collect();
    assert!(folders.len() >= 3, "{folders:?}");
    for folder in folders {
        PortMap::load(&folder.join("map.toml")).unwrap_or_else(|error| panic!("{error}"));
        let scenario =
            Scenario::load(&folder.join("mesh.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
        Blueprint::new(scenario).unwrap();
    }
}
