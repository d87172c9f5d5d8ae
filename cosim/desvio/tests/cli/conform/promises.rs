//! What the scenario promises beyond a credit for each flit: each promise is kept by a good switch, and broken by a planted one.

use super::{Place, example, looked_at, number, verilator_is_here};
use std::fs;
use std::path::PathBuf;

/// The example's switch with these input and output sides, in a scenario with more settings.
fn switch(input: PathBuf, output: PathBuf, sets: &[&str]) -> Place {
    let mut place = Place::new().replace(1, input).replace(2, output).with(&["--cycles", "20000"]);
    place.map = example().join("whole.toml");
    for set in sets {
        place = place.with(&["--set", set]);
    }
    place
}

fn file(name: &str) -> PathBuf {
    example().join(name)
}

/// An output side with one line replaced.
fn altered(name: &str, from: &str, to: &str) -> PathBuf {
    let text = fs::read_to_string(file(name)).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from}");
    Place::verilog(&text.replace(from, to))
}

/// The example's output side with atomic allocation.
const ATOMIC: &str = include_str!("atomic.v");

const VCT: &str = "router.flow_control=\"vct\"";
const STORE: &str = "router.flow_control=\"store-and-forward\"";

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn a_head_leaves_when_there_is_room_for_its_packet() {
        if !verilator_is_here() {
            return;
        }
        let cut_through = || file("cut-through/output_side.v");
        let out = switch(file("input_side.v"), cut_through(), &[VCT]).passes();
        assert!(looked_at(&out, "ROOM-FOR-ALL") > 0 && out.contains("looked at"), "{out}");
        assert!(out.contains("head in to head out"), "{out}");
        let out = switch(file("input_side.v"), file("output_side.v"), &[VCT]).breaks(&["ROOM-FOR-ALL"]);
        assert!(out.contains(" flits leaves with ") && out.contains(" credits, and needs "), "{out}");
        switch(file("input_side.v"), file("defects/early_start.v"), &[VCT]).breaks(&["ROOM-FOR-ALL"]);
        switch(file("store-and-forward/input_side.v"), file("output_side.v"), &[STORE])
            .breaks(&["ROOM-FOR-ALL"]);
        // Broken, and allowed: the run goes on.
        let place =
            switch(file("input_side.v"), file("output_side.v"), &[VCT]).with(&["--allow", "ROOM-FOR-ALL"]);
        assert!(super::super::times(&place.passes(), "ROOM-FOR-ALL") > 10);
    }

    #[test]
    fn with_store_and_forward_all_of_a_packet_is_there_before_it_leaves() {
        if !verilator_is_here() {
            return;
        }
        let cut_through = || file("cut-through/output_side.v");
        let out = switch(file("store-and-forward/input_side.v"), cut_through(), &[STORE]).passes();
        assert!(out.contains("zero-load latency, tail in to head out"), "{out}");
        assert_eq!(number(&out, "node to node"), 2, "behind the tail, whatever the packet's length: {out}");
        let out = switch(file("input_side.v"), cut_through(), &[STORE]).breaks(&["ALL-ARRIVED"]);
        assert!(out.contains(" flits have come in"), "{out}");
        switch(file("defects/early_leave.v"), cut_through(), &[STORE]).breaks(&["ALL-ARRIVED"]);
    }

    #[test]
    fn with_atomic_allocation_a_packet_begins_in_an_empty_vc() {
        if !verilator_is_here() {
            return;
        }
        let atomic = "router.vc_allocation=\"atomic\"";
        switch(file("input_side.v"), file("output_side.v"), &[atomic]).breaks(&["VC-EMPTY"]);
        let out = switch(file("input_side.v"), Place::verilog(ATOMIC), &[atomic]).passes();
        assert!(looked_at(&out, "VC-EMPTY") > 0 && looked_at(&out, "CREDIT-KEPT") > 0, "{out}");
        // A credit that is lost keeps its VC from ever being empty again.
        let whole = "credit[1] <= credit[1] + given[1] - (|may && lane);";
        assert_eq!(ATOMIC.matches(whole).count(), 1);
        let leaking =
            ATOMIC.replace(whole, "credit[1] <= credit[1] + (given[1] && !(|may)) - (|may && lane);");
        switch(file("input_side.v"), Place::verilog(&leaking), &[atomic]).breaks(&["WAITING", "CREDIT-KEPT"]);
    }

    #[test]
    fn a_packet_that_is_the_unit_of_allocation_has_its_link_to_itself() {
        if !verilator_is_here() {
            return;
        }
        let unit = [VCT, "router.allocation_unit=\"packet\""];
        switch(file("input_side.v"), file("cut-through/output_side.v"), &unit).breaks(&["PACKET-WHOLE"]);
        let whole = altered("cut-through/output_side.v", "!busy[want_lane[q]] :", "busy == 0 :");
        let out = switch(file("input_side.v"), whole, &unit).passes();
        assert!(looked_at(&out, "PACKET-WHOLE") > 0 && out.contains("router.allocation_unit"), "{out}");
    }

    /// Valid and ready do not show how much room there is: that is said, and what can be seen is looked at all the same.
    #[test]
    fn what_the_wires_do_not_show_is_said() {
        if !verilator_is_here() {
            return;
        }
        let streams = || {
            let mut place = Place::new().with_map(include_str!("streams.toml")).with(&["--cycles", "20000"]);
            place.rtl.push(Place::verilog(include_str!("streams.v")));
            place.top = "streams";
            place
        };
        let out = streams().with(&["--set", VCT]).passes();
        let line = out.lines().find(|line| line.trim_start().starts_with("ROOM-FOR-ALL "));
        assert!(out.contains("of what the scenario promises, not looked at"), "{out}");
        assert!(line.is_some_and(|line| line.contains("do not show how much room")), "{out}");
        streams().with(&["--set", STORE]).breaks(&["ALL-ARRIVED"]);
        assert!(!streams().passes().contains("not looked at\n    "), "a wormhole promises nothing of that");
    }
}
