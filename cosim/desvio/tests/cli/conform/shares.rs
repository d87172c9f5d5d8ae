//! Inputs that get nothing of an output, or far less than the others, while all of them want it in every cycle.

use super::{MAP, Place, example, looked_at, verilator_is_here};
use std::path::Path;

/// The example's switch with arbiters that its pins make unfair. `manner` 0 is fair, 1 a fixed priority from queue `first` on, 2 one VC of
/// each input behind the other. A queue requests again `gap` cycles behind its packet. `only` names the one output that is unfair, 7 all.
fn rivals(manner: u32, first: u32, gap: u32, only: u32) -> Place {
    let pins = format!("manner = {manner}\nfirst = {first}\ngap = {gap}\nonly = {only}\nmy_id");
    let mut place = Place::new().with_map(&MAP.replace("my_id", &pins));
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/conform/rivals.v");
    (place.rtl, place.top) = (vec![own, example().join("input_side.v")], "rivals");
    // What waits for ever is found sooner by another rule, as long as it has come in.
    place.more = ["--patience", "1000000"].map(str::to_owned).into();
    place
}

const STARVED: &[&str] = &["FAIR-SHARE"];

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn a_fair_switch_passes_however_long_it_takes_to_ask_again() {
        if !verilator_is_here() {
            return;
        }
        for gap in 0..4 {
            let out = rivals(0, 0, gap, 7).passes();
            assert!(looked_at(&out, "FAIR-SHARE") > 20, "{out}");
            let line = out.lines().find(|line| line.trim_start().starts_with("shares ")).unwrap();
            let share: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
            assert!(share > 0.4, "{line}");
        }
    }

    /// Whoever goes first, and however long its next packet takes to ask: while it waits one other goes, and the rest get nothing.
    #[test]
    fn a_fixed_priority_is_found_by_default() {
        if !verilator_is_here() {
            return;
        }
        for (gap, first) in [(0, 0), (0, 5), (1, 1), (1, 8), (2, 2), (2, 7), (3, 3), (3, 6), (2, 4), (3, 9)] {
            eprintln!("gap {gap}, first {first}");
            let out = rivals(1, first, gap, 7).breaks(STARVED);
            assert!(out.contains("input port "), "{out}");
        }
    }

    #[test]
    fn starved_at_one_output_alone_is_found() {
        if !verilator_is_here() {
            return;
        }
        for (only, first, gap) in [(0, 4, 2), (1, 8, 1), (2, 0, 3), (3, 2, 2), (4, 6, 0)] {
            eprintln!("output {only}");
            let out = rivals(1, first, gap, only).breaks(STARVED);
            assert!(out.contains(&format!("port {only} (")), "{out}");
        }
    }

    #[test]
    fn a_vc_behind_another_one_of_its_input_is_found() {
        if !verilator_is_here() {
            return;
        }
        for lane in 0..2 {
            // Where credits are counted, the VC of an output that it is to fill stays empty.
            let out = rivals(2, lane, 0, 7).with(&["--allow", "CREDIT-KEPT"]).breaks(STARVED);
            assert!(out.contains(&format!(" VC {lane}")), "{out}");
        }
    }

    /// What an input must get can be said, and it can be allowed to get less.
    #[test]
    fn the_share_that_is_asked_for_can_be_set() {
        if !verilator_is_here() {
            return;
        }
        let out = rivals(0, 0, 0, 7).with(&["--fair-share", "1"]).breaks(&["FAIR-SHARE"]);
        assert!(out.contains("of an equal share, at least 1 is asked for"), "{out}");
        let place =
            rivals(1, 0, 2, 7).with(&["--allow", "FAIR-SHARE", "--allow", "WAITING", "--cycles", "20000"]);
        assert!(super::super::times(&place.passes(), "FAIR-SHARE") > 1);
        Place::new().with(&["--fair-share", "2"]).refused("--fair-share", "a number from 0 to 1");
    }
}
