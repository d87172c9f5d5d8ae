//! `desvio cost`: what is told when it cannot do what is asked. What it measures is in `tests/tests/cost.rs`.

use super::{DESVIO, Place, end};

/// Status 2, nothing on standard output, and this in the message.
#[track_caller]
fn refused(place: &Place, arguments: &[&str], fragment: &str) {
    let mut command = place.command(DESVIO, arguments);
    // No program can be found, and nothing is left behind outside of the test's folder.
    command.env("PATH", place.path("nothing")).env("DESVIO_COST_CACHE", place.path("cache"));
    let ended = end(command);
    assert_eq!((ended.status, ended.out.as_str()), (Some(2), ""), "{arguments:?}: {ended:#?}");
    assert!(ended.err.contains(fragment), "{arguments:?} should contain {fragment}\n{}", ended.err);
    assert!(!place.exists("results"), "{arguments:?} wrote results");
}

#[test]
fn a_missing_tool_is_one_sentence_with_its_package() {
    let place = Place::new();
    let sentence =
        "error: yosys is not installed: synthesis needs it. Debian and Ubuntu: apt-get install yosys\n";
    refused(&place, &["cost", "scenarios/tiny.toml", "--quiet"], sentence);
    refused(&place, &["cost", "--module", "lfsr", "--quiet"], sentence);
}

#[test]
fn what_cannot_be_swept_is_refused_before_any_tool_is_asked() {
    let place = Place::new();
    let tiny = ["cost", "scenarios/tiny.toml", "--sweep"];
    refused(&place, &[&tiny[..], &["router.vcss.local=3,4"]].concat(), "vcss");
    refused(&place, &[&tiny[..], &["router.vcs.local"]].concat(), "key=value");
    refused(&place, &[&tiny[..], &["run.seed=1", "--sweep", "run.seed=2"]].concat(), "varies twice");
    refused(
        &place,
        &["cost", "scenarios/tiny.toml", "--target", "asic"],
        "expected cells, cmos, ice40, ecp5",
    );
    refused(&place, &["cost", "scenarios/mesh.toml"], "is not written in SystemVerilog");
    refused(&place, &["cost", "scenarios/tiny.toml", "--set", "routing.algorithm=valiant"], "valiant");
}

#[test]
fn a_study_is_checked_as_a_whole() {
    let place = Place::new();
    place.write("study.toml", "mechanisms = []\n");
    refused(&place, &["cost", "--study", "study.toml"], "study.toml");
    let study = "traffic = []\n[[router]]\nname = \"t\"\nscenario = \"scenarios/tiny.toml\"\n\
                 [[mechanism]]\nname = \"m\"\nset = [\"router.speedd=1\"]\n";
    place.write("study.toml", study);
    refused(&place, &["cost", "--study", "study.toml"], "speedd");
}
