//! What is wrong is told with its file, its place, its key and what is allowed.

use super::Place;

/// The first line of what a campaign with this text is refused with.
#[track_caller]
fn refuses(text: &str, expected: &str) {
    let shown = Place::new(text).refused();
    assert_eq!(shown.lines().next().unwrap_or_default(), expected, "{shown}");
}

/// The same after a base.
#[track_caller]
fn refuses_after_base(text: &str, expected: &str) {
    refuses(&format!("base = \"base.toml\"\n{text}"), expected);
}

#[test]
fn of_the_file() {
    refuses(
        "",
        "sweep.toml:1:1: `base` is missing, expected the scenario that all points have in common, such as base = \"mesh.toml\"",
    );
    refuses(
        "base = 3",
        "sweep.toml:1:8: `base` must be the scenario that all points have in common, such as base = \"mesh.toml\", not 3",
    );
    refuses(
        "base = \"none.toml\"",
        "none.toml: cannot read the base scenario: No such file or directory (os error 2)",
    );
    refuses(
        "base =",
        "sweep.toml:1:7: not valid TOML: string values must be quoted, expected literal string",
    );
    refuses_after_base(
        "axis = 3",
        "sweep.toml:2:1: unknown key `axis` at the top of a campaign, expected one of `base`, `seeds`, `axes`, `zip`, `skip`",
    );
    refuses_after_base("axes = 3", "sweep.toml:2:1: `axes` must be [axes], not 3");
    refuses_after_base("zip = [3]", "sweep.toml:2:1: `zip` must be tables [[zip]], not a list");
}

#[test]
fn of_axes() {
    for (text, expected) in [
        (
            "load = 0.1",
            "sweep.toml:3:8: `load` must be a list of values or { from = …, to = …, step = … }, not 0.1",
        ),
        (
            "load = [0.1, 2.5]",
            "sweep.toml:3:14: `load` must be above 0 and at most 2, in flits per node per cycle, not 2.5",
        ),
        ("load = [0.1, 0.10]", "sweep.toml:3:14: `load` has the value 0.1 twice"),
        ("\"run.seed\" = [1]", "sweep.toml:3:1: `run.seed` is no axis: seeds are replicates"),
        (
            "traffic.loads = [[0.1]]",
            "sweep.toml:3:9: `traffic.loads` is a list of loads: the axis of loads is `load`",
        ),
        (
            "algorithm = [1]",
            "sweep.toml:3:1: unknown key `algorithm`, expected `load` or a key of the scenario with its table, such as `routing.algorithm`",
        ),
        (
            "load = { from = 0.1, to = 0.2 }",
            "sweep.toml:3:8: `load.step` is missing: a range has `from`, `to`, `step`",
        ),
        (
            "load = { from = 0.3, to = 0.2, step = 0.1 }",
            "sweep.toml:3:8: the range of `load` is empty: `step` must be above 0 and `to` not below `from`",
        ),
        (
            "load = { from = 0.1, to = 0.2, steps = 3 }",
            "sweep.toml:3:32: unknown key `steps` in the range of `load`, expected one of `from`, `to`, `step`",
        ),
        (
            "load = { from = 0.1, to = 0.2, step = 0.0000000001 }",
            "sweep.toml:3:39: `load.step` must be a number of at most 9 decimals such as 0.05, not 1e-10",
        ),
        (
            "load = { from = 0.1, to = 0.2, step = 0.00000001 }",
            "sweep.toml:3:8: the range of `load` has 10000001 numbers, at most 1000000 are possible",
        ),
    ] {
        refuses_after_base(&format!("[axes]\n{text}"), expected);
    }
    refuses_after_base(
        "seeds = [1, -2]",
        "sweep.toml:2:13: `seeds` are whole numbers from 0 to 9223372036854775807, not -2",
    );
    refuses_after_base("seeds = [1, 1]", "sweep.toml:2:13: `seeds` has 1 twice");
    refuses_after_base(
        "seeds = 5",
        "sweep.toml:2:9: `seeds` must be a list of values or { from = …, to = …, step = … }, not 5",
    );
}

#[test]
fn of_groups_and_conditions() {
    refuses_after_base(
        "[[zip]]\nrouter.speedup = [1, 2]\nrouter.iterations = [1]",
        "sweep.toml:4:8: keys of one [[zip]] have equally many values, but `router.iterations` has 1 and `router.speedup` has 2",
    );
    refuses_after_base(
        "[axes]\nrouter.speedup = [1, 2]\n[[zip]]\nrouter.speedup = [1]",
        "sweep.toml:5:19: `router.speedup` varies twice",
    );
    let speedups = "[axes]\nrouter.speedup = [1, 2]\n";
    for (skip, expected) in [
        ("", "sweep.toml:4:1: a [[skip]] without conditions would leave out everything"),
        (
            "router.iterations = 1",
            "sweep.toml:5:8: `router.iterations` does not vary, expected one of `router.speedup`, `load`, `seed`",
        ),
        ("router.speedup = 3", "sweep.toml:5:18: `router.speedup` is never 3, expected one of 1, 2"),
        ("router.speedup = [1, 2]", "sweep.toml: no point is left"),
    ] {
        refuses_after_base(&format!("{speedups}[[skip]]\n{skip}"), expected);
    }
    refuses_after_base(
        "[[zip]]\nrouter.speedup = [1, 2]\nrouter.iterations = [1, 2]\n[[skip]]\nrouter.speedup = 1\nrouter.iterations = 2",
        "sweep.toml:5:1: this [[skip]] leaves out nothing",
    );
}

#[test]
fn a_bad_point_is_named_before_anything_runs() {
    let shown =
        Place::new("base = \"base.toml\"\n[axes]\nrouter.speedup = [1, 99]\nload = [0.1]\n").refused();
    let expected = "sweep.toml:3:22: `router.speedup` must be a whole number from 1 to 8, not 99\n \
                    3 | router.speedup = [1, 99]\n   |                      ^^\n   \
                    = at the point router.speedup = 99, load = 0.1";
    assert_eq!(shown, expected);

    let shown = Place::new("base = \"base.toml\"\n[axes]\nrouter.sped = [1]\n").refused();
    assert!(
        shown.starts_with("sweep.toml:3:16: unknown key `sped` in [router], expected one of `flow_control`"),
        "{shown}"
    );

    // The base is to blame where only its own keys are wrong.
    let place = Place::new("base = \"base.toml\"\n[axes]\nrouter.speedup = [1]\n");
    place.write("base.toml", "[topology]\nkind = \"mush\"\n[traffic]\nloads = [0.1]\n");
    let shown = place.refused();
    assert!(shown.starts_with("base.toml:2:8: unknown kind \"mush\""), "{shown}");
    assert!(shown.ends_with("\n = at the point router.speedup = 1, load = 0.1 of sweep.toml"), "{shown}");

    place
        .write("base.toml", "[topology]\nkind = \"graph\"\nfile = \"parts.txt\"\n[traffic]\nloads = [0.1]\n");
    place.write("parts.txt", "0 1\n2 3\n");
    let shown = place.refused();
    assert!(
        shown.starts_with("sweep.toml: the point router.speedup = 1, load = 0.1 cannot be run: "),
        "{shown}"
    );
}
