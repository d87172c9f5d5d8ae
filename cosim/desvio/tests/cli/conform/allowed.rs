//! Rules that are allowed to break.

use super::defects::mutant;
use super::{MAP, OUTPUT, Place, ending_in, number, times, verilator_is_here};

#[test]
fn what_cannot_be_allowed_is_refused_with_the_reason() {
    let all = "only FLIT-INVENTED, FLIT-DUPLICATED";
    Place::new().with(&["--allow", "WAITNG"]).refused("there is no rule \"WAITNG\"", all);
    let why = "behind it, which flits are in the switch is not known any more";
    Place::new().with(&["--allow", "FLIT-LOST"]).refused("FLIT-LOST cannot be allowed", why);
    let allow = |rules: &str| MAP.replace("ports = 5", &format!("ports = 5\nallow = [{rules}]"));
    let place = Place::new().with_map(&allow("\"WAITING\", \"LEGAL-VC\""));
    place.refused(":6:21: LEGAL-VC cannot be allowed: behind it, ", "^^^^^^^^^^");
    let place = Place::new().with_map(&allow("\"WAITNG\""));
    place.refused(":6:10: `allow[0]` must be one of \"FLIT-INVENTED\"", "did you mean \"WAITING\"?");
    Place::new().with_map(&allow("")).refused(":6:9: `allow` must be a list of rules", "not an empty list");
}

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn the_run_goes_on_behind_what_is_allowed() {
        if !verilator_is_here() {
            return;
        }
        let allowing = |what: &str, rules: &[&str]| {
            let (file, path) = mutant(what);
            let more: Vec<_> = rules.iter().flat_map(|rule| ["--allow", rule]).collect();
            Place::new().replace(file, path).with(&more)
        };
        let out = allowing("lets a low queue always pass", &["LINK-PACE", "WAITING", "FAIR-SHARE"]).passes();
        assert!(
            out.starts_with(
                "conforms but for what is allowed: in the place of router 0, WAITING, FAIR-SHARE broken"
            ),
            "{out}"
        );
        assert!(times(&out, "WAITING") > 1 && out.contains("it has waited for "), "{out}");
        assert!(number(&out, "packets") > 50_000, "the whole run: {out}");
        let out = allowing("changes payload", &["FLIT-CHANGED"]).passes();
        assert!(times(&out, "FLIT-CHANGED") > 1000 && out.contains("payload bits differ"), "{out}");
        // What is not allowed still ends the run, and so does what leaves nothing that could go on.
        allowing("lets a low queue always pass", &["LINK-PACE"]).breaks(&["WAITING"]);
        allowing("drops a word", &["LINK-PACE", "OWN-CHECKS"]).breaks(&[
            "FLIT-LOST",
            "FLIT-ORDER",
            "WAITING",
        ]);
        let stuck = OUTPUT.replace("may[q] = some[q]", "may[q] = given != 3 && turn != 9 && some[q]");
        let stuck = Place::new().replace(2, Place::verilog(&stuck)).with(&["--allow", "WAITING"]);
        let err = stuck.breaks(&["WAITING"]);
        assert!(err.contains("WAITING is allowed to break, but behind this the run cannot go on"), "{err}");
    }

    #[test]
    fn assertions_that_are_allowed_to_fail_are_counted() {
        if !verilator_is_here() {
            return;
        }
        let failing = ending_in("always @(posedge ck) if (!rst && &give_back) $error(\"both lanes\");");
        let place = Place::new().replace(1, Place::verilog(&failing)).with(&["--cycles", "6000"]);
        assert!(place.breaks(&["OWN-CHECKS"]).contains("both lanes"));
        let out = place.with(&["--allow", "OWN-CHECKS"]).passes();
        assert!(times(&out, "OWN-CHECKS") > 10 && out.contains("both lanes"), "{out}");
        assert!(number(&out, "packets") > 1000, "{out}");
    }
}
