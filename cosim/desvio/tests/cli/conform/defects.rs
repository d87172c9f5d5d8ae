//! Planted defects: each is found, by its rule.

use super::{INPUT, OUTPUT, Place, example, verilator_is_here};
use std::fs;
use std::path::PathBuf;

/// More ways to get it wrong: file, what is replaced by what, and the rules that may notice first.
const MUTANTS: &[(&str, usize, &str, &str, &[&str])] = &[
    (
        "drops a word",
        1,
        "wire        push = strobe",
        "wire        push = !(head == 3 && count == 5) && strobe",
        &["FLIT-LOST", "FLIT-ORDER", "WAITING"],
    ),
    (
        "sends a word twice",
        2,
        "pop[chosen] = may[chosen];",
        "pop[chosen] = may[chosen] && !(given == 3 && turn == 4);",
        // The last word of a packet that is sent twice stays in its queue for ever.
        &["FLIT-DUPLICATED", "FLIT-ORDER", "CREDIT-HOME"],
    ),
    (
        "sends without a word",
        2,
        "strobe <= |may;",
        "strobe <= |may || (given == 3 && turn == 2);",
        &["FLIT-INVENTED", "FLIT-DUPLICATED", "FLIT-ORDER", "ONE-WAY", "LEGAL-PORT", "LEGAL-VC"],
    ),
    (
        "changes a bit",
        2,
        "picked[32:0]};",
        "picked[32:1], picked[0] ^ (turn == 9 && given == 3)};",
        &[
            "FLIT-CHANGED",
            "FLIT-INVENTED",
            "FLIT-DUPLICATED",
            "FLIT-ORDER",
            "ONE-WAY",
            "LEGAL-PORT",
            "LEGAL-VC",
        ],
    ),
    (
        "changes payload",
        2,
        "picked[32:0]};",
        "picked[32:28], picked[27] ^ (turn == 9), picked[26:0]};",
        &["FLIT-CHANGED"],
    ),
    ("mixes packets in a lane", 2, "!busy[want_lane[q]] :", "1'b1 :", &["PACKET-MIXED"]),
    (
        "starts with too many credits",
        2,
        "credit[1] <= DEPTH;",
        "credit[1] <= DEPTH + 1;",
        &["CREDIT-NO-DEBT"],
    ),
    (
        "loses a credit it is given",
        2,
        "+ given[0] - (|may && !lane)",
        "+ (|may && !lane ? 8'hff : given[0])",
        &["CREDIT-KEPT"],
    ),
    (
        "returns a credit too many",
        1,
        "give_back[l] <= pop[l];",
        "give_back[l] <= pop[l] || (count == 0 && head == 5 && strobe);",
        &["CREDIT-BOUND"],
    ),
    (
        "lets a low queue always pass",
        2,
        "if (|may) begin\n            turn <= chosen == 9 ? 0 : chosen + 1;",
        "if (|may) begin",
        &["WAITING"],
    ),
];

/// One of the defects above, as a file.
pub(super) fn mutant(what: &str) -> (usize, PathBuf) {
    let (_, file, from, to, _) = MUTANTS.iter().find(|mutant| mutant.0 == what).unwrap();
    let original = if *file == 1 { INPUT } else { OUTPUT };
    (*file, Place::verilog(&original.replace(from, to)))
}

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn each_planted_defect_is_found() {
        if !verilator_is_here() {
            return;
        }
        let cases = [
            (1, "lost_credit.v", "CREDIT-HOME", "8 of 8 credits did not come back"),
            (1, "swapped_vc.v", "LEGAL-VC", "legal: port "),
            (1, "wrong_port.v", "LEGAL-PORT", "it leaves by port "),
            (2, "fixed_priority.v", "WAITING", "always lets others pass"),
            (2, "leaked_credit.v", "CREDIT-KEPT", " are lost"),
            (2, "paused_priority.v", "WAITING", "always lets others pass"),
        ];
        for (number, file, rule, message) in cases {
            for seed in ["1", "2", "3"] {
                let mut place = Place::new().with(&["--seed", seed]);
                // One model with waveforms: it takes twice as long to compile.
                place.waves = seed == "1" && file == "lost_credit.v";
                let place = place.replace(number, example().join("defects").join(file));
                let err = place.breaks(&[rule]);
                assert!(err.contains(message), "{err}");
                assert!(err.contains("packet ") && err.contains("put port "), "{err}");
                if !place.waves {
                    continue;
                }
                assert!(err.contains("mismatch.vcd (cycle "), "{err}");
                let vcd = fs::read_to_string(place.dir.path().join("out/mismatch.vcd")).unwrap();
                assert!(vcd.contains("rx_strobe") && vcd.len() > 10_000, "{} bytes", vcd.len());
            }
        }
    }

    #[test]
    fn other_defects_are_found_by_name() {
        if !verilator_is_here() {
            return;
        }
        for (what, file, from, to, rules) in MUTANTS {
            let original = if *file == 1 { INPUT } else { OUTPUT };
            assert_eq!(original.matches(from).count(), 1, "{what}");
            let place = Place::new();
            let path = Place::verilog(&original.replace(from, to));
            eprintln!("{what}");
            place.replace(*file, path).breaks(rules);
        }
    }

    /// No packet of the network goes back to where it came from: what would become of one shows with `--all-pairs` alone.
    #[test]
    fn ways_that_the_scenario_never_takes_are_tried_with_all_pairs() {
        if !verilator_is_here() {
            return;
        }
        let defect =
            OUTPUT.replace("lane, picked[32:0]}", "lane, picked[32:1], picked[0] ^ (chosen[3:1] == me)}");
        assert_ne!(defect, OUTPUT);
        let place = || Place::new().with(&["--cycles", "30000"]).replace(2, Place::verilog(&defect));
        let out = place().passes();
        assert!(out.contains("pairs       20 of 25 "), "{out}");
        place().with(&["--all-pairs"]).breaks(&["FLIT-CHANGED"]);
        let out = Place::new().with(&["--cycles", "30000", "--all-pairs"]).passes();
        assert!(out.contains("pairs       25 of 25 ") && out.contains("ways        41 of 41 "), "{out}");
    }
}
