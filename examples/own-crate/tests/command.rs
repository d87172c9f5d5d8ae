//! The command with words of this crate does what `desvio` does.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

fn command(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_own-crate")).args(arguments).current_dir(folder).output().unwrap()
}

/// A folder with the scenarios of this crate.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for name in ["spidergon.toml", "campaign.toml"] {
        fs::copy(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name), place.path().join(name)).unwrap();
    }
    place
}

#[track_caller]
fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = command(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{arguments:?}: {} {}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_run_has_the_hops_counted_by_hand_and_a_proof() {
    let place = place();
    succeed(place.path(), &["run", "spidergon.toml", "--out", "r", "--quiet"]);
    let table = fs::read_to_string(place.path().join("r/summary.csv")).unwrap();
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    for row in table.lines().skip(1) {
        let number = |name| row.split(',').nth(column(name)).unwrap().parse::<f64>().unwrap();
        assert!((number("accepted") - number("load")).abs() < 0.02, "{row}");
        // One hop to 3 of 15 others (two on the ring, one opposite), two to 4, three and four to 4 each.
        let hops = f64::from(3 + 2 * 4 + 3 * 4 + 4 * 4) / 15.0;
        assert!((number("hops_mean") - hops).abs() < 0.05, "{row}");
    }
    let proof = succeed(place.path(), &["prove", "spidergon.toml"]);
    assert!(proof.contains("no cycle"), "{proof}");
    let shown = succeed(place.path(), &["run", "spidergon.toml", "--show"]);
    assert!(shown.contains("kind = \"spidergon\"") && shown.contains("lanes = 1"), "{shown}");
    // What is shown is read again.
    fs::write(place.path().join("shown.toml"), &shown).unwrap();
    assert_eq!(succeed(place.path(), &["run", "shown.toml", "--show"]), shown);
}

#[test]
fn a_campaign_and_its_report_have_the_words_and_are_kept_by_the_version() {
    let place = place();
    let plan = succeed(place.path(), &["campaign", "plan", "campaign.toml"]);
    assert!(plan.contains(", own-crate 0.1.0"), "{plan}");
    succeed(place.path(), &["campaign", "run", "campaign.toml", "--out", "c", "--quiet"]);
    succeed(place.path(), &["campaign", "report", "campaign.toml", "--out", "c"]);
    let table = fs::read_to_string(place.path().join("c/points.csv")).unwrap();
    assert_eq!((table.lines().count(), table.matches("opposite = 1").count()), (17, 8), "{table}");
    assert!(fs::read_to_string(place.path().join("c/provenance.json")).unwrap().contains("own-crate 0.1.0"));
    let more = ["compare", "spidergon.toml", "--vary", "routing.lanes=1,2", "--out", "v", "--quiet"];
    assert!(succeed(place.path(), &more).contains("lanes = 2"));
}

#[test]
fn a_misspelt_word_of_this_crate_is_told_and_what_is_not_in_rtl_is_refused() {
    let place = place();
    for (set, told) in [
        ("topology.kind=spidergn", "did you mean \"spidergon\"?"),
        ("routing.algorithm=across-frist", "did you mean \"across-first\"?"),
        ("routing.lane=2", "did you mean `lanes`?"),
        ("topology.routers=10", "expected a multiple of 4"),
        ("traffic.pattern=opposite", "{ opposite = 0 }"),
    ] {
        let output = command(place.path(), &["run", "spidergon.toml", "--set", set]);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && err.contains(told), "{set}: {err}");
    }
    let output = command(place.path(), &["lockstep", "spidergon.toml", "--cycles", "100"]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && err.contains("\"across-first\" is this program's own"),
        "{err}"
    );
    let ring = "[topology]\nkind = \"complete\"\nrouters = 16\n[routing]\nalgorithm = \"across-first\"\n[traffic]\nloads = [0.1]\n";
    fs::write(place.path().join("other.toml"), ring).unwrap();
    let output = command(place.path(), &["run", "other.toml"]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && err.contains("does not fit this network"), "{err}");
}

/// The page about crates of one's own shows the `main` of this one.
#[test]
fn the_page_has_the_main_of_this_crate() {
    let (page, main) = (include_str!("../../../docs/extend.md"), include_str!("../src/main.rs"));
    let main = &main[main.find("fn main()").unwrap()..];
    assert!(page.contains(main), "docs/extend.md");
}
