//! Pins that must keep still: outputs that report errors, and ports that lead nowhere.

use super::{THREE_MAP, number, three, three_at, times, verilator_is_here};

/// At the end of the row, port 2 has nothing behind it. A switch with a wrong address of its own sends everything there.
#[test]
fn a_packet_that_is_offered_to_a_port_that_leads_nowhere_is_found() {
    if !verilator_is_here() {
        return;
    }
    let at_the_end = |map: &str| three_at("0", map).with(&["--cycles", "6000"]);
    let out = at_the_end(THREE_MAP).passes();
    assert!(number(&out, "UNWIRED-PORT     no flit leaves by a port that leads nowhere") > 6000, "{out}");
    let lost = THREE_MAP.replace("{ from = \"address\" }", "3");
    assert_ne!(lost, THREE_MAP);
    // One offers a flit before its output is ready, the other only then.
    for waits in ["waits = 0", "waits = 1"] {
        let err = at_the_end(&lost.replace("waits = 0", waits)).breaks(&["UNWIRED-PORT"]);
        assert!(err.contains("output port 2 VC 0: ") && err.contains("to router 1 port 0"), "{waits}: {err}");
    }
}

#[test]
fn an_output_that_reports_errors_stays_0() {
    if !verilator_is_here() {
        return;
    }
    let run = |map: &str| three(map).with(&["--cycles", "6000"]);
    let out = run(THREE_MAP).passes();
    assert!(number(&out, "ERROR-PIN        outputs that report errors stay 0") > 6000, "{out}");
    // A queue that takes a word too many.
    let over = THREE_MAP.replace("room = 4", "room = 5");
    let err = run(&over).breaks(&["ERROR-PIN"]);
    assert!(
        err.contains("output `error`: ") && err.contains("`error` is 1 (hexadecimal), expected 0"),
        "{err}"
    );
    let silent = over.replace("error = \"error\"\n", "");
    run(&silent).breaks(&["WAITING"]);
    // It is counted when it goes up, however long it stays.
    let in_use = THREE_MAP.replace("\"error\"", "[\"error\", \"out_busy\"]");
    let out = run(&in_use).with(&["--allow", "ERROR-PIN"]).passes();
    assert!((2..6000).contains(&times(&out, "ERROR-PIN")) && out.contains("output `out_busy`"), "{out}");
    let misspelt = THREE_MAP.replace("\"error\"", "\"eror\"");
    run(&misspelt).refused(":5:9: module `three` has no output `eror`", "did you mean `error`?");
    run(&THREE_MAP.replace("\"error\"", "7")).refused(":5:9: `error` must be the name of a signal", "not 7");
}
