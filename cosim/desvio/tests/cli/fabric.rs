//! `desvio fabric`, with a real OpenSM; `own.rs` is without.

use super::{DESVIO, Ended, Place, end};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether OpenSM is here. Where tools are required it has to be.
pub(super) fn has_opensm() -> bool {
    let is_here = Path::new("/usr/bin/ibsim-run").exists()
        && Command::new("opensm")
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok();
    assert!(is_here || std::env::var_os("DESVIO_REQUIRE_TOOLS").is_none(), "no opensm");
    if !is_here {
        println!("skipped: no opensm");
    }
    is_here
}

const QUICK: [&str; 5] = ["--quiet", "--set", "run.warmup_cycles=0", "--set", "run.measure_cycles=8000"];

/// Column of a row of `summary.csv`.
fn value(place: &Place, folder: &str, column: &str) -> Vec<f64> {
    let text = place.read(&format!("{folder}/summary.csv"));
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let at = lines.next().unwrap().split(',').position(|name| name == column).unwrap();
    lines.map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
}

#[test]
fn traffic_flows_by_what_opensm_wrote() {
    if !has_opensm() {
        return;
    }
    let place = Place::new();
    let down = ["--restart", "--set", "links.down=[{ router = 5, port = 1, at = 3000 }]"];
    let ended = place.succeed(&[&["fabric", "scenarios/fabric.toml"], &QUICK[..], &down].concat());
    for part in [
        "fabric     16 switches, 16 channel adapters, LMC 0",
        "opensm     programmed in",
        "opensm     killed, started again: taken over in",
        "opensm     router 5, port 1 down: routed around in",
        " 0 lost",
        "deadlock   4 packets that can wait for each other for ever",
        "from cycle 4000 on",
        "channels   62 are used; no packet can be in the other 2",
        "flits lost by links",
    ] {
        assert!(ended.out.contains(part), "{part}: {ended:#?}");
    }
    assert_ne!(place.read("results/fabric/tables.csv"), place.read("results/fabric/tables-1.csv"));
    // What the link loses is what the thousand cycles without a way around it send into it: two directions, eight routes or so.
    let lost =
        ended.out.lines().filter_map(|line| line.strip_suffix(" flits lost by links")?.rsplit(' ').next());
    let lost: Vec<u32> = lost.map(|flits| flits.parse().unwrap()).collect();
    assert!(lost.len() == 2 && lost.iter().all(|&lost| lost > 0 && lost < 400), "{lost:?}");
    let accepted = value(&place, "results/fabric", "accepted");
    assert!((accepted[0] - 0.1).abs() < 0.01 && (accepted[1] - 0.2).abs() < 0.01, "{accepted:?}");
    // The same again from the files alone.
    place.succeed(&["run", "results/fabric/scenario.toml", "--out", "again", "--quiet"]);
    assert_eq!(place.rows("results/fabric/summary.csv"), place.rows("again/summary.csv"));
}

/// LASH is free of deadlocks by lanes, up/down by its routes, min-hop on a torus not at all.
#[test]
fn engines_are_proven_by_their_lanes() {
    if !has_opensm() {
        return;
    }
    let place = Place::new();
    let verdict = |arguments: &[&str]| {
        let fixed = ["fabric", "scenarios/fabric.toml", "--no-run", "--set", "router.vcs=8"];
        place.succeed(&[&fixed[..], arguments].concat()).out
    };
    let lash = verdict(&["--engine", "lash"]);
    assert!(lash.contains("of 240 pairs of nodes: 2 lanes") && lash.contains("no cycle"), "{lash}");
    for (file, first) in [
        ("tables", "router,to_node,port"),
        ("levels", "from,to,level"),
        ("lanes", "router,input,output,lanes"),
    ] {
        assert!(
            place.read(&format!("results/fabric/{file}.csv")).starts_with(&format!("{first}\n")),
            "{file}"
        );
    }
    assert!(verdict(&["--engine", "updn", "--root", "0"]).contains("no cycle"));
    let second = verdict(&["--lmc", "2", "--path", "3"]);
    assert!(second.contains("LMC 2") && second.contains("deadlock"), "{second}");
}

/// OpenSM's torus-2QoS opens the rings of a torus by lanes that change on the way.
#[test]
fn lanes_change_on_the_way() {
    if !has_opensm() {
        return;
    }
    let place = Place::new();
    let guid = |router: u32| format!("0x024453fffe{router:06x}");
    let link = |name: &str, to: u32| format!("{name}_link {} {}\n", guid(0), guid(to));
    let links = [("xp", 1), ("xm", 3), ("yp", 4), ("ym", 12)].map(|(name, to)| link(name, to)).concat();
    place.write("torus-2QoS.conf", format!("torus 4 4 1\n{links}"));
    let file = place.path("torus-2QoS.conf");
    let fixed =
        ["fabric", "scenarios/fabric.toml", "--no-run", "--set", "router.vcs=8", "--engine", "torus-2QoS"];
    let more = ["--", "-Q", "--torus_config", &file.display().to_string()].map(str::to_owned);
    let out = place.succeed(&[&fixed[..], &more.each_ref().map(String::as_str)].concat()).out;
    assert!(out.contains("of 240 pairs of nodes: 2 lanes, by some changed on the way\n"), "{out}");
    assert!(out.contains("no cycle"), "{out}");
}

/// A switch in SystemVerilog, in lockstep, and one whose agent is firmware.
#[test]
fn switches_are_rtl_and_firmware() {
    let insists = std::env::var_os("DESVIO_REQUIRE_FIRMWARE").is_some();
    let binary: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "../../target/firmware/thumbv7em-none-eabihf/release/agent"]
            .iter()
            .collect();
    assert!(binary.exists() || !insists, "{} has not been built", binary.display());
    if !insists || !has_opensm() {
        println!("skipped: firmware has not been built");
        return;
    }
    let place = Place::new();
    let board = ["--rtl", "1", "--board", binary.to_str().unwrap()];
    let run = ["--set", "run.warmup_cycles=0", "--set", "run.measure_cycles=2000"];
    let ended = place.succeed(&[&["fabric", "scenarios/fabric.toml"], &run[..], &board].concat());
    assert!(ended.out.contains("router 15 answers by firmware on a Cortex-M4F"), "{ended:#?}");
    assert!(ended.err.contains("1 of 16 routers in SystemVerilog, too"), "{ended:#?}");
}

/// Another program's OpenSM reaches the fabric by what the command tells.
#[test]
fn a_manager_is_waited_for() {
    if !has_opensm() {
        return;
    }
    let place = Place::new();
    let mut waits = place.command(DESVIO, &["fabric", "scenarios/fabric.toml", "--wait", "--no-run"]);
    let mut waits = waits.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(waits.stderr.take().unwrap()).lines().map(Result::unwrap);
    let export = lines.find(|line| line.contains("export ")).unwrap();
    let script = format!("{export}; opensm -o -f opensm.log");
    let manager = end({
        let mut shell = place.command("sh", &["-c", &script]);
        shell.env("OSM_TMP_DIR", place.dir.path()).env("OSM_CACHE_DIR", place.dir.path());
        shell
    });
    assert_eq!(manager.status, Some(0), "{manager:#?}");
    let output = waits.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && out.contains("manager    programmed in"), "{out}");
}

#[test]
fn what_is_missing_is_named() {
    let place = Place::new();
    let refused = |arguments: &[&str], path: &str| -> Ended {
        let mut command = place.command(DESVIO, &[&["fabric"], arguments].concat());
        command.env("PATH", path);
        let ended = end(command);
        assert_eq!(ended.status, Some(2), "{ended:#?}");
        ended
    };
    let ended = refused(&["scenarios/fabric.toml"], "");
    assert!(ended.err.contains("apt-get install opensm ibsim-utils"), "{ended:#?}");
    let ended = refused(&["scenarios/fabric.toml", "--board", "none"], "");
    assert!(ended.err.contains("--board none: no such file"), "{ended:#?}");
    let ended = refused(&["scenarios/fabric.toml", "--lmc", "8"], "");
    assert!(ended.err.contains("8 is not in 0..=7"), "{ended:#?}");
    let ended = refused(&["scenarios/fabric.toml", "--priority", "16"], "");
    assert!(ended.err.contains("16 is not in 0..=15"), "{ended:#?}");
    let ended = refused(&["scenarios/fabric.toml", "--priority", "1", "--wait"], "");
    assert!(ended.err.contains("--wait"), "{ended:#?}");
    let ended = refused(&["scenarios/fabric.toml", "--engine", "none"], "");
    assert!(ended.err.contains("invalid value 'none' for '--engine"), "{ended:#?}");
    let ended = refused(&["none.toml"], "");
    assert!(ended.err.contains("none.toml"), "{ended:#?}");
    if has_opensm() {
        let path = std::env::var("PATH").unwrap();
        let ended = refused(&["scenarios/fabric.toml", "--path", "1", "--no-run"], &path);
        assert!(
            ended.err.contains("--path 1: with an LMC of 0 paths are numbered from 0 to 0"),
            "{ended:#?}"
        );
        let ended = refused(&["scenarios/fabric.toml", "--root", "16"], &path);
        assert!(ended.err.contains("--root 16: the network has 16 routers"), "{ended:#?}");
        let ended = refused(&["scenarios/fabric.toml", "--within", "3", "--", "--nothing"], &path);
        assert!(ended.err.contains("opensm ended"), "{ended:#?}");
    }
}

/// Where the command is killed so that it cannot end anything, the system ends OpenSM.
#[test]
fn a_killed_fabric_leaves_no_opensm_behind() {
    if !has_opensm() {
        return;
    }
    let place = Place::new();
    let mut child = place.command(DESVIO, &["fabric", "scenarios/fabric.toml", "--no-run", "--hold"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let told = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(told.map(Result::unwrap).any(|line| line.starts_with("opensm     programmed")));
    let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).unwrap();
    let opensm = children.split_whitespace().find(|id| {
        std::fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim() == "opensm")
    });
    let opensm = PathBuf::from(format!("/proc/{}/comm", opensm.expect("an OpenSM")));
    child.kill().unwrap();
    child.wait().unwrap();
    let begun = std::time::Instant::now();
    while std::fs::read_to_string(&opensm).is_ok_and(|name| name.trim() == "opensm") {
        assert!(begun.elapsed() < std::time::Duration::from_secs(10), "it lives on");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
