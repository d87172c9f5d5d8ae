//! `desvio compare`.

use super::Place;

#[test]
fn a_key_that_varies_gives_a_curve_per_value() {
    let place = Place::new();
    let cycles = [
        "--set",
        "run.warmup_cycles=500",
        "--set",
        "run.measure_cycles=500",
        "--set",
        "traffic.loads=[0.1,0.2]",
    ];
    let file = "scenarios/dragonfly-adversarial.toml";
    let vary = ["--vary", "routing.algorithm=minimal,valiant", "--vary", "router.iterations=1,2"];
    let ended = place.succeed(&[&["compare", file][..], &cycles, &vary].concat());
    let rows = place.rows("results/compare/compare.csv");
    assert_eq!(rows.len(), 8);
    assert!(rows[0].starts_with("\"minimal, iterations = 1\",0.1,"), "{rows:?}");
    assert!(ended.out.contains("valiant, iterations = 2") && ended.err.contains(" of 8: "), "{ended:#?}");
    assert!(place.exists("results/compare/latency.png") && place.exists("results/compare/compare.json"));

    let alone = ["--set", "routing.algorithm=valiant", "--set", "router.iterations=2", "--out", "alone"];
    place.succeed(&[&["run", file][..], &cycles, &alone].concat());
    let last: Vec<_> = rows[6..].iter().map(|row| row.rsplit_once("\",").unwrap().1.to_owned()).collect();
    assert_eq!(last, place.rows("alone/summary.csv"), "a curve is what its scenario gives alone");
}

#[test]
fn files_are_curves_with_the_names_given() {
    let place = Place::new();
    place.write("other.toml", super::SMALL.replace("mesh", "torus"));
    place.succeed(&["compare", "small.toml", "other.toml", "--out", "a", "--quiet", "--threads", "1"]);
    place.succeed(&["compare", "small.toml", "other.toml", "--out", "b", "--quiet", "--names", "Mesh,Torus"]);
    let names = |file: &str| -> Vec<_> {
        place.rows(file).iter().map(|row| row.split(',').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names("a/compare.csv"), ["small", "small", "other", "other"]);
    assert_eq!(names("b/compare.csv"), ["Mesh", "Mesh", "Torus", "Torus"]);
}

#[test]
fn saturation_is_told_for_each_curve() {
    let place = Place::new();
    let ended = place.succeed(&[
        "compare",
        "small.toml",
        "--vary",
        "router.vcs=1,2",
        "--set",
        "traffic.loads=saturation",
    ]);
    let lines = ended.out.lines().filter(|line| line.contains("; accepted at full load"));
    let names: Vec<_> = lines.map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(names, ["vcs = 1", "vcs = 2"], "{}", ended.out);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = Place::new();
    for (arguments, fragment) in [
        (&["small.toml"][..], "nothing to compare with"),
        (&["small.toml", "small.toml"], "the name `small`"),
        (
            &["small.toml", "--vary", "router.vcs=1,2", "--names", "a"],
            "--names has 1, but there are 2 curves: vcs = 1; vcs = 2",
        ),
        (&["small.toml", "--vary", "router.vcs"], "expected key=value,value"),
        (&["small.toml", "--vary", "router.vcs=1,,2"], "a value is missing"),
        (&["small.toml", "--vary", "router.vcs=1,9"], "--set router.vcs=9: "),
        (&["small.toml", "missing.toml"], "missing.toml: cannot read the scenario"),
        (&[], "FILE"),
    ] {
        let ended = place.desvio(&[&["compare"][..], arguments].concat());
        assert_eq!((ended.status, ended.out.as_str()), (Some(2), ""), "{arguments:?}: {ended:#?}");
        assert!(ended.err.contains(fragment), "{arguments:?}: {}", ended.err);
        assert!(!place.exists("results"), "{arguments:?}");
    }
}
