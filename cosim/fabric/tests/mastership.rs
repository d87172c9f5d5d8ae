//! A manager of our own and a real OpenSM: each hands the fabric over to the other one, where that has the higher priority.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use desvio_fabric::{Engine, Fabric, FabricError, OpenSm, Program, Seat, Server};
use desvio_manager::{Event, Manager, Settings, State};
use desvio_sim::scenario::Scenario;
use desvio_sim::topology::Wiring;
use std::path::Path;
use std::time::{Duration, Instant};

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [0.1]\n";

/// A fabric that is served, and a folder for what OpenSM writes.
fn serve(name: &str) -> (Server, tempfile::TempDir) {
    let scenario = Scenario::parse(TORUS, "fabric.toml", Path::new("."), &[]).unwrap();
    let fabric = Fabric::new(&Wiring::build(&scenario.topology).unwrap()).unwrap();
    let name = format!("desvio-test-{name}-{}", std::process::id());
    (Server::start(fabric, &name).unwrap(), tempfile::tempdir().unwrap())
}

/// OpenSM at node 0. Nothing where it is not installed and need not be.
fn opensm(priority: u8, (server, folder): &(Server, tempfile::TempDir)) -> Option<OpenSm> {
    // -d 2: its log is not held back.
    let more = ["-p", &priority.to_string(), "-d", "2"].map(str::to_owned).to_vec();
    match OpenSm::start(&Engine { more, ..Engine::default() }, server.name(), folder.path()) {
        Err(error @ FabricError::Missing(_)) => {
            assert!(std::env::var_os("DESVIO_REQUIRE_TOOLS").is_none(), "{error}");
            eprintln!("skipped: {error}");
            None
        }
        started => Some(started.unwrap()),
    }
}

/// A manager of our own at node 15.
fn own(server: &Server, priority: u8) -> Manager<Seat> {
    let seat = server.seat(15);
    let place = seat.place();
    let manager = Manager::new(seat, Settings { priority, ..Settings::default() });
    server.fabric().house(place, manager.contact()).unwrap();
    manager
}

/// A period after the other, until something is so.
fn step_until(own: &mut Manager<Seat>, opensm: &mut OpenSm, is_so: impl Fn(&Event, State, &str) -> bool) {
    let begun = Instant::now();
    loop {
        opensm.runs().unwrap();
        let event = own.step().unwrap();
        let log = std::fs::read_to_string(opensm.log()).unwrap_or_default();
        if is_so(&event, own.state(), &log) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{event:?}, {:?}\n{log}", own.state());
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn opensm_is_handed_the_fabric() {
    let place = serve("to-opensm");
    let server = &place.0;
    let mut own = own(server, 2);
    assert!(matches!(own.step().unwrap(), Event::Programmed(_)));
    let before = Program::read(&mut server.fabric()).unwrap().unwrap();
    let Some(mut opensm) = opensm(5, &place) else { return };
    // It polls OpenSM.
    let is_over = |event: &Event, state, log: &str| {
        *event == Event::Quiet && state == State::Standby && log.contains("SUBNET UP")
    };
    step_until(&mut own, &mut opensm, is_over);
    let after = server.program(Some(&mut opensm), Duration::from_secs(60)).unwrap();
    assert_eq!(after.lids, before.lids, "nodes keep their LIDs");
    opensm.kill().unwrap();
    for missed in 1..3 {
        assert_eq!(own.step().unwrap(), Event::Missed(missed));
    }
    assert!(matches!(own.step().unwrap(), Event::Programmed(_)));
    assert_eq!(own.state(), State::Master);
}

#[test]
fn opensm_hands_the_fabric_over() {
    let place = serve("from-opensm");
    let server = &place.0;
    let Some(mut opensm) = opensm(3, &place) else { return };
    let before = server.program(Some(&mut opensm), Duration::from_secs(60)).unwrap();
    let mut own = own(server, 9);
    step_until(&mut own, &mut opensm, |event, state, log| {
        *event == Event::Quiet && state == State::Master && log.contains("Entering STANDBY state")
    });
    let after = Program::read(&mut server.fabric()).unwrap().unwrap();
    assert_eq!(after.lids, before.lids);
}
