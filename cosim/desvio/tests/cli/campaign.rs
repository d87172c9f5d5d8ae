//! Campaigns in several processes, killed ones among them.

use super::{DESVIO, Place};
use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Sixty points of a small mesh, each of which takes some milliseconds.
const SWEEP: &str = r#"base = "small.toml"
seeds = { from = 1, to = 6 }

[axes]
"topology.dims" = [[4, 4]]
"traffic.pattern" = ["uniform", "bit-complement"]
"run.measure_cycles" = [2000]
load = { from = 0.05, to = 0.25, step = 0.05 }
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("sweep.toml", SWEEP);
    place
}

fn campaign(place: &Place, command: &str, more: &[&str]) -> String {
    place.succeed(&[&["campaign", command, "sweep.toml"][..], more].concat()).out
}

/// How often each point is in a store.
fn computed(place: &Place, out: &str) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for file in fs::read_dir(place.path(out).join("points")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        for line in whole {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            *found.entry(line["point"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    found
}

/// Lines of a store that are complete.
fn finished(place: &Place, out: &str) -> usize {
    if place.exists(&format!("{out}/points")) { computed(place, out).values().sum() } else { 0 }
}

#[test]
#[cfg(unix)]
fn shards_side_by_side_and_killed_processes_give_the_bytes_of_one() {
    let place = place();
    assert_eq!(campaign(&place, "run", &["--out", "one"]), "60 of 60 points finished\n");
    campaign(&place, "collect", &["--out", "one"]);
    let expected = place.read("one/points.csv");
    assert_eq!(expected.lines().count(), 61);

    let shards = ["1/3", "2/3", "3/3"].map(|shard| {
        let arguments = [
            "campaign",
            "run",
            "sweep.toml",
            "--out",
            "three",
            "--shard",
            shard,
            "--threads",
            "1",
            "--quiet",
        ];
        place.command(DESVIO, &arguments).stdout(Stdio::null()).spawn().unwrap()
    });
    shards.into_iter().for_each(|mut shard| assert!(shard.wait().unwrap().success()));
    campaign(&place, "collect", &["--out", "three"]);
    assert_eq!(place.read("three/points.csv"), expected);
    assert!(computed(&place, "three").values().all(|count| *count == 1));

    // Killed as soon as so many points are finished.
    let arguments = ["campaign", "run", "sweep.toml", "--out", "killed", "--threads", "1", "--quiet"];
    for wanted in [1, 23, 24, 50] {
        let mut child = place.command(DESVIO, &arguments).stdout(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while finished(&place, "killed") < wanted {
            assert!(begun.elapsed() < Duration::from_secs(60), "{wanted} points were never finished");
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(finished(&place, "killed") < 60, "killed too late");
    campaign(&place, "run", &["--out", "killed", "--quiet"]);
    campaign(&place, "collect", &["--out", "killed"]);
    assert_eq!(place.read("killed/points.csv"), expected);
    let computed = computed(&place, "killed");
    assert!(computed.len() == 60 && computed.values().all(|count| *count == 1), "{computed:?}");
    assert_eq!(campaign(&place, "run", &["--out", "killed"]), "nothing is missing\n");
}

#[test]
#[cfg(unix)]
fn a_signal_of_a_scheduler_says_where_the_points_are() {
    use std::os::unix::process::ExitStatusExt as _;
    let place = place();
    let arguments = ["campaign", "run", "sweep.toml", "--out", "r", "--threads", "1"];
    let err = fs::File::create(place.path("told.txt")).unwrap();
    let mut child = place.command(DESVIO, &arguments).stdout(Stdio::null()).stderr(err).spawn().unwrap();
    while finished(&place, "r") < 2 {
        sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-USR1", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(10));
    let told = "ended by SIGUSR1: all finished points are in r/points; the same command computes the rest\n";
    assert_eq!(place.read("told.txt"), told);
    let status = campaign(&place, "status", &["--out", "r", "--threads", "1"]);
    assert!(status.starts_with("points     60\nfinished   "), "{status}");
    assert!(status.contains("\nmissing    ") && status.contains("\ntime left  about "), "{status}");
}

#[test]
fn a_point_is_planned_run_alone_and_verified() {
    let place = place();
    let plan = campaign(&place, "plan", &["--threads", "2"]);
    assert!(plan.starts_with("60 points: 2 scenarios, 6 seeds each\n  "), "{plan}");
    assert!(plan.contains("\nmissing: 60\ntime: at most "), "{plan}");
    let hash = plan.lines().nth(1).unwrap().split_whitespace().next().unwrap();
    assert_eq!(campaign(&place, "run", &["--point", &hash[..10]]), "1 of 1 points finished\n");
    assert_eq!(campaign(&place, "run", &["--point", hash]), "nothing is missing\n");
    assert_eq!(
        campaign(&place, "collect", &[]),
        "1 points in results/sweep/points.csv; 59 points are missing\n"
    );
    let verified = campaign(&place, "verify", &["--seed", "3"]);
    assert_eq!(verified, "1 of 1 points are the same to the byte (--seed 3)\n");
    let none = place.desvio(&["campaign", "verify", "sweep.toml", "--out", "none"]);
    assert_eq!(
        (none.status, none.err.as_str()),
        (Some(2), "error: no point is finished: there is nothing to compare\n")
    );
}

/// Two routers a side, where a tornado would send to its own node, and a ring of minimal routes on one VC.
#[test]
fn what_goes_wrong_is_told() {
    let place = place();
    let axes = "[axes]\n\"traffic.pattern\" = [\"uniform\", \"tornado\"]\nload = [0.1]\n";
    place.write("sweep.toml", format!("base = \"small.toml\"\n{axes}"));
    let planned = place.desvio(&["campaign", "plan", "sweep.toml"]);
    let point = "traffic.pattern = tornado, load = 0.1";
    assert_eq!((planned.status, planned.out.as_str()), (Some(2), ""));
    assert!(
        planned.err.starts_with(&format!("sweep.toml: the point {point} cannot be run: traffic: ")),
        "{planned:?}"
    );
    let ended = place.desvio(&["campaign", "run", "sweep.toml", "--max-failures", "5"]);
    assert_eq!((ended.status, ended.out.as_str()), (Some(1), "1 of 2 points finished, 1 failed\n"));
    assert!(ended.err.starts_with(&format!("error: {point}: traffic: ")), "{}", ended.err);
    let status = campaign(&place, "status", &[]);
    assert!(status.contains("\nfailed     1; the next run tries them again\n"), "{status}");
    assert!(status.contains(&format!(" {point}: traffic: ")), "{status}");
    assert_eq!(place.desvio(&["campaign", "run", "sweep.toml"]).out, "0 of 1 points finished, 1 failed\n");
}

#[test]
fn a_deadlock_is_a_row_and_status_1() {
    let place = place();
    let multipath = "topology.kind = [\"torus\"]\ntopology.dims = [[4, 4]]\nrouting.algorithm = [\"multipath\"]\n\
                     router.vcs = [1]\nrouter.buffer_flits = [4]\nload = [1.0]\nrun.measure_cycles = [20000]\n";
    place.write("sweep.toml", format!("base = \"small.toml\"\n[axes]\n{multipath}"));
    let ended = place.desvio(&["campaign", "run", "sweep.toml", "--quiet"]);
    assert_eq!(
        (ended.status, ended.out.as_str()),
        (Some(1), "1 of 1 points finished, 1 with a violation\n"),
        "{ended:?}"
    );
    campaign(&place, "collect", &[]);
    assert!(place.rows("results/sweep/points.csv")[0].contains(",deadlock,"));
    assert!(campaign(&place, "status", &[]).contains("\nviolations 1\n"));
}

#[test]
fn scripts_run_every_shard() {
    let place = place();
    let slurm = campaign(&place, "submit", &["--engine", "slurm", "--chunks", "3", "--dry-run"]);
    assert!(
        slurm.contains("\n#SBATCH --array=1-3\n") && slurm.contains("\n#SBATCH --signal=B:USR1@60\n"),
        "{slurm}"
    );
    assert!(
        slurm.contains("campaign run ") && slurm.contains("--shard \"$SLURM_ARRAY_TASK_ID/3\""),
        "{slurm}"
    );
    let hyperqueue = campaign(&place, "submit", &["--engine", "hyperqueue", "--dry-run"]);
    assert!(hyperqueue.contains("hq submit --name sweep --array 1-1 --cpus 1"), "{hyperqueue}");
    assert!(!place.exists("results"), "nothing is written");
    campaign(&place, "submit", &["--engine", "local", "--chunks", "2"]);
    assert!(place.exists("results/sweep/local.sh"));
    assert_eq!(computed(&place, "results/sweep").len(), 60);
    let wrong = place.desvio(&["campaign", "submit", "sweep.toml", "--engine", "pbs"]);
    assert!(wrong.err.contains("expected one of slurm, hyperqueue, local"), "{}", wrong.err);
}

/// The examples of the help, around a smaller base: each is run as it stands.
#[test]
fn the_examples_of_the_help_run() {
    let place = Place::new();
    let small = super::SMALL.replace("[2, 2]", "[4, 4]").replace("200", "20").replace("400", "30");
    place.write("scenarios/mesh.toml", small);
    for command in ["plan", "run", "status", "collect", "report", "verify"] {
        let ended = place.succeed(&["campaign", command, "scenarios/campaign/grid.toml"]);
        assert!(!ended.out.is_empty());
    }
    assert_eq!(place.rows("results/grid/points.csv").len(), 105);
    for command in ["", "plan", "run", "status", "collect", "report", "verify", "submit"] {
        let words: Vec<_> =
            ["campaign", command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let help = place.succeed(&words).out;
        assert!(help.contains(&format!("desvio campaign {command}")), "{help}");
        assert!(help.contains("\nExamples:\n"), "{help}");
    }
}

#[test]
fn the_campaign_of_the_page_is_the_one_of_the_examples() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let file = read("scenarios/campaign/grid.toml");
    let (_, campaign) = file.split_once("\n\n").unwrap();
    assert!(read("docs/campaign.md").contains(&format!("```toml\n{campaign}```")), "{campaign}");
}
