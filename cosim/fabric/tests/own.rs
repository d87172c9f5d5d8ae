//! A manager of our own: it programs what OpenSM would, and hands over to a second one.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use desvio_fabric::{Fabric, Program, Server, Unprogrammed};
use desvio_manager::{Event, Manager, Settings, State};
use desvio_sim::scenario::Scenario;
use desvio_sim::topology::Wiring;
use std::path::Path;

const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [0.1]\n";
const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [0.1]\n";
const TREE: &str = "[topology]\nkind = \"fat-tree\"\nradix = 4\nlevels = 3\n[traffic]\nloads = [0.1]\n";

fn wiring(text: &str) -> Wiring {
    let scenario = Scenario::parse(text, "fabric.toml", Path::new("."), &[]).unwrap();
    Wiring::build(&scenario.topology).unwrap()
}

fn serve(wiring: &Wiring, name: &str) -> Server {
    let name = format!("desvio-test-own-{name}-{}", std::process::id());
    Server::start(Fabric::new(wiring).unwrap(), &name).unwrap()
}

fn manager(server: &Server, node: usize, settings: Settings) -> Manager<desvio_fabric::Seat> {
    let seat = server.seat(node);
    let place = seat.place();
    let manager = Manager::new(seat, settings);
    server.fabric().house(place, manager.contact()).unwrap();
    manager
}

/// What is programmed, followed packet by packet from every switch to every LID.
fn read(server: &Server) -> Program {
    Program::read(&mut server.fabric()).unwrap().unwrap()
}

#[test]
fn fabrics_are_programmed() {
    for (text, lmc) in [(TORUS, 0), (TORUS, 2), (DRAGONFLY, 1), (TREE, 1)] {
        let wiring = wiring(text);
        let server = serve(&wiring, "programmed");
        let mut own = manager(&server, 0, Settings { lmc, lanes: 8, ..Settings::default() });
        assert!(matches!(own.step().unwrap(), Event::Programmed(_)));
        assert_eq!(own.step().unwrap(), Event::Quiet);
        let program = read(&server);
        assert_eq!((program.tables.len(), program.lids.len()), (wiring.routers(), wiring.nodes()));
        assert_eq!(program.lmc, lmc);
        // Switches and nodes are numbered by their GUIDs.
        let switches = own.subnet().switches();
        assert_eq!(own.lids()[switches..], program.lids);
        let counts = server.fabric().counts();
        assert_eq!((counts.lost, counts.packets), (0, own.counts().packets));
        let level =
            |(from, to): (usize, usize)| Ok(own.service_level(program.lids[from], program.lids[to]).unwrap());
        let levels = server.levels_by(&program, level).unwrap();
        let (used, changes) = levels.used(&server.fabric(), &program, 0);
        assert!((used > 1 || text == TREE) && !changes, "{used} lanes");
    }
}

#[test]
fn a_standby_takes_over_and_routes_around() {
    let wiring = wiring(TORUS);
    let server = serve(&wiring, "standby");
    let mut first = manager(&server, 0, Settings::default());
    first.step().unwrap();
    let mut second = manager(&server, 15, Settings::default());
    assert!(matches!(second.step().unwrap(), Event::Standby(_)));
    let before = read(&server);
    let place = server.seat(0).place();
    server.fabric().evict(place);
    let missed = (0..2).map(|_| second.step().unwrap()).collect::<Vec<_>>();
    assert_eq!(missed, [Event::Missed(1), Event::Missed(2)]);
    assert!(matches!(second.step().unwrap(), Event::Programmed(done) if done.set.blocks_set == 0));
    assert_eq!((second.state(), read(&server)), (State::Master, before.clone()));
    let (port, _) = wiring.neighbours(5).next().unwrap();
    server.fabric().set_link(5, port, false).unwrap();
    let broken = before.check(&server.fabric()).unwrap_err();
    assert!(matches!(broken, Unprogrammed::NoLink { .. }), "{broken}");
    assert!(matches!(second.step().unwrap(), Event::Programmed(_)));
    let after = read(&server);
    assert!(after.lids == before.lids && after.tables != before.tables);
    server.fabric().set_link(5, port, true).unwrap();
    second.step().unwrap();
    assert_eq!(read(&server), before);
}
