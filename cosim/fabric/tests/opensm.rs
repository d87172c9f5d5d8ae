//! A real OpenSM: it discovers and programs a fabric, takes it over after a crash, routes around a link that is down.

#![allow(clippy::unwrap_used)]

use desvio_fabric::{Engine, Fabric, FabricError, OpenSm, Program, Server, Unprogrammed};
use desvio_sim::scenario::Scenario;
use desvio_sim::topology::{Peer, Wiring};
use std::path::Path;
use std::time::Duration;

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [0.1]\n";
const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [0.1]\n";

fn wiring(text: &str) -> Wiring {
    let scenario = Scenario::parse(text, "fabric.toml", Path::new("."), &[]).unwrap();
    Wiring::build(&scenario.topology).unwrap()
}

/// A fabric that is served, and a folder for what OpenSM writes.
fn serve(wiring: &Wiring, name: &str) -> (Server, tempfile::TempDir) {
    let name = format!("desvio-test-{name}-{}", std::process::id());
    (Server::start(Fabric::new(wiring).unwrap(), &name).unwrap(), tempfile::tempdir().unwrap())
}

/// OpenSM for it. Nothing where it is not installed and need not be.
fn opensm(engine: &Engine, (server, folder): &(Server, tempfile::TempDir)) -> Option<OpenSm> {
    match OpenSm::start(engine, server.name(), folder.path()) {
        Err(error @ FabricError::Missing(_)) => {
            assert!(std::env::var_os("DESVIO_REQUIRE_TOOLS").is_none(), "{error}");
            eprintln!("skipped: {error}");
            None
        }
        started => Some(started.unwrap()),
    }
}

fn programmed(server: &Server, opensm: &mut OpenSm) -> Program {
    let program = server.program(Some(opensm), Duration::from_secs(60));
    program.unwrap_or_else(|error| panic!("{error}\n{}", log(opensm)))
}

fn log(opensm: &OpenSm) -> String {
    std::fs::read_to_string(opensm.log()).unwrap()
}

/// Follows every LID from every router by the wiring alone; says over which links, by router and port.
fn links(wiring: &Wiring, program: &Program) -> Vec<(usize, usize)> {
    let mut used = Vec::new();
    for (node, &first) in program.lids.iter().enumerate() {
        for lid in first..first + (1 << program.lmc) {
            for from in 0..wiring.routers() {
                let mut at = from;
                for hops in 0.. {
                    assert!(hops < wiring.routers(), "from {from} to node {node}");
                    let port = usize::from(program.tables[at][usize::from(lid)]) - 1;
                    match wiring.peer(at, port).unwrap() {
                        Peer::Node(there) => {
                            assert_eq!(there as usize, node);
                            break;
                        }
                        Peer::Router { router, .. } => {
                            used.push((at, port));
                            at = router as usize;
                        }
                    }
                }
            }
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}

#[test]
fn a_fabric_is_discovered_and_programmed() {
    for (text, routers, nodes, lmc) in [(TORUS, 16, 16, 0), (DRAGONFLY, 36, 72, 0), (TORUS, 16, 16, 2)] {
        let wiring = wiring(text);
        let place = serve(&wiring, &format!("programmed-{routers}-{lmc}"));
        let Some(mut opensm) = opensm(&Engine { lmc, ..Engine::default() }, &place) else { return };
        let program = programmed(&place.0, &mut opensm);
        assert_eq!((program.tables.len(), program.lids.len(), program.lmc), (routers, nodes, lmc));
        assert!(program.lids.iter().all(|lid| lid % (1 << lmc) == 0));
        links(&wiring, &program);
        assert_eq!(place.0.fabric().counts().lost, 0, "no packet of a whole fabric is lost");
        assert!(log(&opensm).contains("Entering MASTER state"));
    }
}

/// The second one finds what the first one programmed, and is in charge: it routes around a link.
#[test]
fn a_fabric_is_taken_over_and_a_link_that_is_down_routed_around() {
    let wiring = wiring(TORUS);
    let place = serve(&wiring, "taken-over");
    let server = &place.0;
    let Some(mut first) = opensm(&Engine::default(), &place) else { return };
    let before = programmed(server, &mut first);
    first.kill().unwrap();
    let Some(mut second) = opensm(&Engine::default(), &place) else { return };
    let (router, port) = (5, wiring.neighbours(5).next().unwrap().0);
    assert!(links(&wiring, &before).contains(&(router, port)));
    server.fabric().set_link(router, port, false).unwrap();
    let broken = before.check(&server.fabric()).unwrap_err();
    assert!(matches!(broken, Unprogrammed::NoLink { .. }), "{broken}");
    let after = programmed(server, &mut second);
    assert_eq!(after.lids, before.lids, "nodes keep their LIDs");
    assert!(!links(&wiring, &after).contains(&(router, port)));
    // It comes up again, and is used again.
    server.fabric().set_link(router, port, true).unwrap();
    let again = programmed(server, &mut second);
    assert!(links(&wiring, &again).contains(&(router, port)));
}

#[test]
fn a_fabric_without_a_manager_says_what_is_missing() {
    let place = serve(&wiring(TORUS), "alone");
    let late = place.0.program(None, Duration::from_millis(10)).unwrap_err().to_string();
    assert_eq!(late, "no subnet manager has programmed the fabric in 0 s: node 0 has no LID");
}
