//! With a real OpenSM.

use desvio_fabric::{Engine, Fabric, OpenSm, Server};
use desvio_sim::scenario::Scenario;
use desvio_sim::topology::Wiring;
use std::path::Path;
use std::time::{Duration, Instant};

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [0.1]\n";

fn wiring(text: &str) -> Wiring {
    let scenario = Scenario::parse(text, "fabric.toml", Path::new("."), &[]).unwrap();
    Wiring::build(&scenario.topology).unwrap()
}

/// A fabric, and OpenSM in a folder of its own.
fn start(wiring: &Wiring, engine: &Engine, name: &str) -> (Server, OpenSm, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("desvio-test-{name}-{}", std::process::id());
    let server = Server::start(Fabric::new(wiring).unwrap(), &name).unwrap();
    let opensm = OpenSm::start(engine, server.name(), folder.path()).unwrap();
    (server, opensm, folder)
}

#[test]
fn opensm_programs_a_torus() {
    let wiring = wiring(TORUS);
    let begun = Instant::now();
    let (server, mut opensm, _folder) = start(&wiring, &Engine::default(), "torus");
    let program = server.program(Some(&mut opensm), Duration::from_secs(20));
    println!("{:?} {:?}", begun.elapsed(), server.fabric().counts());
    let program = program.unwrap_or_else(|error| {
        panic!("{error}\n{}", std::fs::read_to_string(opensm.log()).unwrap())
    });
    println!("{:?}", program.lids);
    assert_eq!(program.lids.len(), 16);
}
