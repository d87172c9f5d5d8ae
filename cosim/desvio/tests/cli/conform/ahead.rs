//! Switches that compute the route for the next router.

use super::{THREE_MAP, number, three, times, verilator_is_here};

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn a_route_for_the_next_router_is_one_of_that_router() {
        if !verilator_is_here() {
            return;
        }
        let map = |ahead: &str| {
            let map = THREE_MAP.replace("ahead = 0", ahead);
            map.replace("to_router =", "next_port = \"27:26\"\nlookahead = true\nto_router =")
        };
        let run = |map: &str| three(map).with(&["--cycles", "6000"]);
        let out = run(&map("ahead = 1")).passes();
        let looks = number(&out, "NEXT-PORT        a head names a legal port of the next router");
        assert!(
            looks > 100 && looks < number(&out, "packets"),
            "those that leave for a node name none: {out}"
        );
        let err = run(&map("ahead = 2")).breaks(&["NEXT-PORT"]);
        assert!(err.contains("its head names port 1 of router 2; legal there: 0\n"), "{err}");
        let out = run(&map("ahead = 2")).with(&["--allow", "NEXT-PORT"]).passes();
        assert!(times(&out, "NEXT-PORT") > 100, "{out}");
        // What is not to be written must come out as it went in.
        run(&map("ahead = 1").replace("lookahead = true", "lookahead = false")).breaks(&["FLIT-CHANGED"]);
        let alone = map("ahead = 1").replace("next_port = \"27:26\"\n", "");
        run(&alone).refused(": `flit.lookahead` belongs to `flit.next_port`", "^^^^");
    }
}
