//! `desvio fabric --manager own`: no OpenSM, nor anything else, is needed.

use super::{DESVIO, Ended, Place, end};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

fn run(place: &Place, arguments: &[&str]) -> Ended {
    let fixed = ["fabric", "scenarios/fabric.toml", "--manager", "own"];
    let mut command = place.command(DESVIO, &[&fixed[..], arguments].concat());
    // Nothing is found there.
    command.env("PATH", "");
    end(command)
}

fn succeed(place: &Place, arguments: &[&str]) -> String {
    let ended = run(place, arguments);
    assert_eq!(ended.status, Some(0), "{ended:#?}");
    ended.out
}

/// A line without the time in it.
fn line(out: &str, begin: &str) -> String {
    let line = out.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("{begin}: {out}"));
    match line.split_once(" in ") {
        Some((before, after)) => format!("{before}{}", after.split_once(" s").unwrap().1),
        None => line.to_owned(),
    }
}

#[test]
fn the_fabric_is_programmed() {
    let place = Place::new();
    let out = succeed(&place, &["--no-run"]);
    assert!(out.starts_with("fabric     16 switches, 16 channel adapters, LMC 0\n"), "{out}");
    assert_eq!(
        line(&out, "manager"),
        "manager    programmed; 836 management packets so far, 272 of them Set, 0 lost; \
         tables of 16 switches, 16 of 16 blocks Set"
    );
    assert!(out.contains("no cycle"), "{out}");
    assert!(line(&out, "paths").contains("at most 4 hops; 1 lane of 1; all are up*/down*"), "{out}");
    assert!(place.read("results/fabric/tables.csv").starts_with("router,to_node,port\n"));
    assert!(!place.path("results/fabric/opensm").exists());
    // With lanes the shortest routes, of several LIDs.
    for path in ["0", "1", "2", "3"] {
        let out = succeed(&place, &["--no-run", "--set", "router.vcs=8", "--lmc", "2", "--path", path]);
        assert!(out.contains("LMC 2") && out.contains("no cycle"), "{out}");
        assert_eq!(
            line(&out, "paths"),
            "paths      3.18 of 4 without a common link, on average; at most 6 hops; 5 lanes of 8"
        );
        assert!(line(&out, "levels").starts_with("levels     of 240 pairs of nodes: "), "{out}");
        assert!(place.read("results/fabric/tables.csv").starts_with("router,to_node,port\n"));
        assert!(place.read("results/fabric/levels.csv").starts_with("from,to,level\n0,1,"));
        assert!(place.read("results/fabric/lanes.csv").starts_with("router,input,output,lanes\n0,0,0,"));
        let longest = if path == "0" { "routes     at most 4 hops" } else { "routes     at most" };
        assert!(out.contains(longest), "{out}");
    }
    let out = succeed(&place, &["--no-run", "--set", "router.vcs=3", "--lmc", "2"]);
    assert!(line(&out, "paths").contains("those of further LIDs are up*/down*"), "{out}");
}

#[test]
fn a_standby_takes_over_and_traffic_flows_around_a_link() {
    let place = Place::new();
    let quick = ["--quiet", "--set", "run.warmup_cycles=0", "--set", "run.measure_cycles=8000"];
    let down = ["--standby", "--restart", "--set", "links.down=[{ router = 5, port = 1, at = 3000 }]"];
    let out = succeed(&place, &[&quick[..], &down].concat());
    let over = line(&out, "manager    killed");
    assert!(over.starts_with("manager    killed: taken over by node 15 after 3 missed polls; "), "{over}");
    assert!(over.ends_with(" 0 lost; tables of 16 switches, 0 of 16 blocks Set"), "{over}");
    let around = line(&out, "manager    router 5, port 1 down: routed around");
    assert!(around.ends_with(" 0 lost; tables of 16 switches, 3 of 16 blocks Set"), "{around}");
    for part in ["from cycle 4000 on", "channels   62 are used; no packet can be in the other 2", "no cycle"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!out.contains("deadlock"), "{out}");
    let lost = out.lines().filter_map(|line| line.strip_suffix(" flits lost by links")?.rsplit(' ').next());
    let lost: Vec<u32> = lost.map(|flits| flits.parse().unwrap()).collect();
    assert!(lost.len() == 2 && lost.iter().all(|&lost| lost > 0 && lost < 400), "{lost:?}");
    // The same again from the files alone.
    place.succeed(&["run", "results/fabric/scenario.toml", "--out", "again", "--quiet"]);
    assert_eq!(place.rows("results/fabric/summary.csv"), place.rows("again/summary.csv"));
    // One of a higher priority is handed the fabric, and the first one follows it.
    let out = succeed(&place, &["--standby", "--standby-priority", "5", "--restart", "--no-run"]);
    let over = line(&out, "manager    killed");
    assert!(over.starts_with("manager    killed: taken over by node 0 after 3 missed polls; "), "{over}");
    // Without a standby another one is started.
    let out = succeed(&place, &["--restart", "--no-run"]);
    let over = line(&out, "manager    killed, started again: taken over");
    assert!(over.ends_with("272 of them Set, 0 lost; tables of 16 switches, 0 of 16 blocks Set"), "{over}");
}

/// What the switches are told is what limits the run.
#[test]
fn the_manager_sets_lifetime_limits() {
    let place = Place::new();
    let limits = ["--lifetimes", "--no-run", "--limit", "vl_stall_count=3", "--limit", "packet_life_time=20"];
    let out = succeed(&place, &limits);
    let told = "lifetimes  to nodes HOQLife 16, VLStallCount 7; between switches HOQLife 18, VLStallCount 3; in switches LifeTimeValue 20\n";
    assert!(out.contains(told), "{out}");
    let sets: String = line(&out, "manager").split(" of them Set").next().unwrap().to_owned();
    // Those of ports; LifeTimeValue goes with the highest LID.
    assert!(sets.ends_with(&format!(", {}", 272 + 16 + 64)), "{sets}");
    let quick = ["--set", "run.warmup_cycles=0", "--set", "run.measure_cycles=20000", "--quiet"];
    let ring = ["--set", "router.buffer_flits=8", "--set", "traffic.loads=[0.6]"];
    let short = ["--lifetimes", "--limit", "packet_life_time=0", "--set", "infiniband.lanes=4"];
    let out = succeed(&place, &[&quick[..], &ring, &short].concat());
    assert!(out.contains(" lifetime)"), "{out}");
    let scenario = place.read("results/fabric/scenario.toml");
    assert!(scenario.contains("packet_lifetime = 128\n"), "{scenario}");
}

/// OpenSM is killed, or hands the fabric over to the higher priority.
#[test]
fn the_manager_joins_opensm() {
    if !super::fabric::has_opensm() {
        return;
    }
    let place = Place::new();
    let fabric = |more: &[&str]| {
        let own = ["fabric", "scenarios/fabric.toml", "--no-run", "--standby"];
        let ended = end(place.command(DESVIO, &[&own[..], more].concat()));
        assert_eq!(ended.status, Some(0), "{ended:#?}");
        ended.out
    };
    let out = fabric(&["--restart", "--priority", "2"]);
    let joined = line(&out, "manager    at node 15");
    assert_eq!(joined, "manager    at node 15, priority 2: standby of opensm, priority 2");
    let over = line(&out, "manager    killed");
    assert!(over.starts_with("manager    killed: taken over by node 15 after 3 missed polls; "), "{over}");
    assert!(out.contains("no cycle"), "the new tables are what is run: {out}");
    let out = fabric(&["--standby-priority", "5"]);
    let joined = line(&out, "manager    at node 15");
    assert_eq!(joined, "manager    at node 15, priority 5: handed the fabric by opensm, priority 0");
    let over = line(&out, "manager    handed over, programmed in ");
    assert!(over.contains("; tables of 16 switches, "), "{over}");
    assert!(line(&out, "paths").contains("at most 4 hops"), "{out}");
    // What OpenSM has been configured with stays.
    place.write("opensm.conf", "head_of_queue_lifetime 3\npacket_life_time 4\n");
    let file = place.path("opensm.conf").display().to_string();
    let out = fabric(&["--standby-priority", "5", "--lifetimes", "--", "-F", &file]);
    let told = "lifetimes  to nodes HOQLife 16, VLStallCount 7; between switches HOQLife 3, VLStallCount 7; in switches LifeTimeValue 4\n";
    assert!(out.contains(told), "{out}");
}

#[test]
fn what_is_for_opensm_is_refused_by_name() {
    let place = Place::new();
    for (arguments, name) in [
        (&["--engine", "lash"][..], "--engine: not with --manager own"),
        (&["--engine", "minhop"], "--engine: not with --manager own"),
        (&["--root", "0"], "--root: not with --manager own"),
        (&["--service-levels"], "--service-levels: not with --manager own"),
        (&["--wait"], "--wait: not with --manager own"),
        (&["--", "-a", "roots"], "arguments behind --: not with --manager own"),
        (&["--path", "1"], "--path 1: with an LMC of 0 paths are numbered from 0 to 0"),
        (&["--set", "topology.kind=none"], "none"),
        (
            &["--rtl", "2", "--set", "links.down=[{ router = 5, port = 1, at = 3000 }]"],
            "--rtl: not with links.down: tables change as a link fails",
        ),
    ] {
        let ended = run(&place, arguments);
        assert!(ended.status == Some(2) && ended.err.contains(name), "{name}: {ended:#?}");
    }
    for (arguments, told) in [
        (&["--standby", "--wait"][..], "--standby: not with --wait: nothing is started"),
        (&["--limit", "packet_life_time=3"], "--limit: OpenSM reads its own file"),
        (&["--standby-priority", "3"], "--standby"),
        (&["--limit", "packet_life_time=32"], "a number from 0 to 31 is needed"),
        (&["--limit", "vl_stall_count=8"], "a number from 0 to 7 is needed"),
        (&["--limit", "hoq_life=1"], "there is no such limit, but head_of_queue_lifetime, leaf_"),
    ] {
        let ended =
            end(place.command(DESVIO, &[&["fabric", "scenarios/fabric.toml"][..], arguments].concat()));
        assert!(ended.status == Some(2) && ended.err.contains(told), "{told}: {ended:#?}");
    }
    let one = ["--standby", "--set", "topology={ kind = \"mesh\", dims = [1] }"];
    let ended = run(&place, &one);
    assert_eq!(ended.status, Some(2), "{ended:#?}");
}

/// The fabric stays, and is looked after, until a signal.
#[test]
fn a_fabric_is_held() {
    let place = Place::new();
    let arguments =
        ["fabric", "scenarios/fabric.toml", "--manager", "own", "--hold", "--standby", "--priority", "3"];
    let mut held = place.command(DESVIO, &arguments);
    let mut held = held.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(held.stderr.take().unwrap()).lines().map(Result::unwrap);
    let export = lines.find(|line| line.contains("export ")).unwrap();
    let has_tools = ["ibnetdiscover", "sminfo", "dump_lfts"].iter().all(|tool| {
        std::env::split_paths(&std::env::var_os("PATH").unwrap()).any(|path| path.join(tool).exists())
    });
    if has_tools {
        let script = format!(
            "{export}; ibnetdiscover | grep -c ^Switch; sminfo; dump_lfts | grep -c 'Channel Adapter'"
        );
        let seen = end(place.command("sh", &["-c", &script]));
        let lines: Vec<&str> = seen.out.lines().collect();
        assert!(lines.len() == 3 && (lines[0], lines[2]) == ("16", "256"), "{seen:#?}");
        assert!(lines[1].contains("priority 3 state 3 SMINFO_MASTER"), "{seen:#?}");
    }
    // An OpenSM beside it, with a priority that is lower, finds the master and waits.
    if super::fabric::has_opensm() {
        let script = format!(
            "{export} SIM_HOST='node 3' OSM_TMP_DIR=. OSM_CACHE_DIR=.; timeout -s KILL 3 opensm -p 2 -f log > told 2>&1; \
             grep -c 'Entering STANDBY' log; grep -c 'Entering MASTER' log"
        );
        let seen = end(place.command("sh", &["-c", &script]));
        assert_eq!(seen.out, "1\n0\n", "{seen:#?}");
    }
    let id = held.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert!(!held.wait().unwrap().success());
    assert!(lines.any(|line| line.contains("ended by SIGTERM")));
}
