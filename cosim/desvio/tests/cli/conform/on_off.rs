//! On/off flow control, with VCs that are one packet's until they are freed.

use super::{Place, number, verilator_is_here};
use std::path::Path;

const MAP: &str = include_str!("onoff.toml");

fn on_off(map: &str) -> Place {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/conform");
    let mut place =
        Place::new().with_map(map).with(&["--router", "1", "--set", "router.vcs=2", "--cycles", "20000"]);
    (place.rtl, place.top) = (vec![fixtures.join("onoff.v")], "onoff");
    place.scenario = fixtures.join("line.toml");
    place
}

#[test]
fn a_switch_with_on_and_off_and_one_packet_in_a_vc() {
    if !verilator_is_here() {
        return;
    }
    let out = on_off(MAP).passes();
    assert!(number(&out, "packets") > 5000 && out.contains("ways        12 of 12 "), "{out}");
    assert!(out.contains("CREDIT-NO-DEBT ") && out.contains("CREDIT-BOUND "), "{out}");
    let defect = |number: u32| MAP.replace("defect = 0", &format!("defect = {number}"));
    let err = on_off(&defect(1)).breaks(&["CREDIT-NO-DEBT"]);
    assert!(
        err.contains("a flit was sent although `on` was low: it was last ") && err.contains("slack is 1"),
        "{err}"
    );
    // The packet behind the one that begins too early is mixed with it; which is seen first depends on when the VC is freed.
    on_off(&defect(2)).breaks(&["CREDIT-NO-DEBT", "PACKET-MIXED"]);
    let err = on_off(&defect(4)).breaks(&["CREDIT-BOUND"]);
    assert!(err.contains("a VC was freed "), "{err}");
    let err = on_off(&defect(8)).breaks(&["CREDIT-HOME"]);
    assert!(err.contains("input port 2 (local) VC 1") && err.contains("has not been freed"), "{err}");
    // What it sends in the cycle after `on` has gone is more than a neighbour without slack takes.
    let (inputs, outputs) = MAP.split_once("[output]").unwrap();
    let strict = format!("{inputs}[output]{}", outputs.replace("slack = 1", "slack = 0"));
    on_off(&strict).breaks(&["CREDIT-NO-DEBT"]);
}

#[test]
fn keys_of_another_flow_control_are_refused() {
    let cases = [
        (
            MAP.replacen("slack = 1\n", "credit_vc = \"in_free\"\n", 1),
            ":14:13: `input.credit_vc` belongs to `input.credit`",
        ),
        (MAP.replacen("on = \"in_on\"", "ready = \"in_on\"", 1), ": `input.vc_free` belongs to `input.on`"),
        (
            MAP.replacen("on = \"in_on\"", "on = \"in_on\"\nready = \"in_on\"", 1),
            "both `ready` and `on`, expected one of them",
        ),
        (MAP.replacen("slack = 1", "slack = -1", 1), "must be a whole number from 0 to 1000, not -1"),
    ];
    for (map, said) in cases {
        on_off(&map).refused(said, "");
    }
}
