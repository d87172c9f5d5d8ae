//! The driver of the switch in SystemVerilog programs an emulated board over a UART, with the tables that OpenSM wrote.

use super::firmware;
use super::line::{Emulation, Sleeps, Uart};
use desvio_driver::serial::SerialBus;
use desvio_driver::{Switch, Unconnected};
use desvio_lockstep::mcu::Emulated;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use router_core::event::ProtocolError;
use router_core::header::Address;
use router_core::map::AnyMap;
use router_core::select::Selection;
use router_core::units::{PortId, PortSet};
use std::path::Path;

/// A torus of InfiniBand switches, with the tables that OpenSM wrote.
const TORUS: &str = r#"
topology = { kind = "graph", file = "torus.ibnetdiscover" }
routing = { algorithm = "forwarding", tables = "minhop.lfts" }
traffic.loads = [0.5]
"#;

/// Microseconds until a frame counts as lost: the emulator shares its core with others.
const FRAME: u32 = 2_000_000;
/// Packets that are looked at for each table.
const PACKETS: usize = 400;
/// Packets that may have been routed before a new table was in use.
const UNDER_WAY: usize = 200;

/// Port and destination of a packet, in the byte that the board reports of it; `WRONG`: its bytes were not those that came in.
const WRONG: u8 = 0xff;

/// Packets leave by the ports that the table names, with the bytes that they came in with.
fn follows(rows: &[PortSet], reports: &mut Uart) {
    let mut seen = vec![0; rows.len()];
    for _ in 0..PACKETS {
        let report = reports.next();
        assert_ne!(report, WRONG, "bytes of a packet are not those that came in");
        let (port, to) = (PortId::new(report >> 4), usize::from(report & 0xf));
        let ports = if to == 0 { PortSet::first_n(1) } else { rows[to] };
        assert!(
            ports.contains(port),
            "a packet for router {to} left by port {}, not {ports:?}",
            port.number()
        );
        seen[to] += 1;
    }
    assert!(seen.iter().all(|&packets| packets > 2), "{seen:?}");
}

#[test]
fn the_driver_of_the_rtl_programs_a_board() {
    let Some(binary) = firmware(Emulated::CortexM4F, "control") else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/infiniband");
    let blueprint = Blueprint::new(Scenario::parse(TORUS, "torus", &folder, &[]).unwrap()).unwrap();
    let AnyMap::Forwarding(table) = blueprint.map().unwrap() else { panic!("tables") };
    let to = |router| table.entry(0, Address { router, port: 0 }).ports();
    let rows: Vec<PortSet> =
        (0..16).map(|router| if router == 0 { PortSet::EMPTY } else { to(router) }).collect();
    assert!(rows[1..].iter().all(|row| row.len() == 1), "{rows:?}");

    let mut emulation = Emulation::start(&binary, [0, 4], &[]);
    let [reports, control] = &mut emulation.lines;
    let bus = SerialBus::new(control, Sleeps, FRAME);
    let mut switch = Switch::new(bus, Unconnected, Sleeps);

    let shape = switch.reset().unwrap();
    assert_eq!((shape.ports(), shape.vcs()), (5, 2));
    switch.program_table(rows.iter().copied()).unwrap();
    switch.start(&blueprint.here(0), 7, &Selection::NEVER).unwrap();
    follows(&rows, reports);

    // Another table while packets are on their way: the next port round the router.
    let next =
        |row: &PortSet| row.iter().map(|port| PortSet::only(PortId::new(port.number() % 4 + 1))).next();
    let turned: Vec<PortSet> = rows.iter().map(|row| next(row).unwrap_or_default()).collect();
    switch.program_table(turned.iter().copied()).unwrap();
    reports.look().unwrap();
    for _ in 0..UNDER_WAY + reports.came.len() {
        reports.next();
    }
    follows(&turned, reports);
    for (number, row) in (0..).zip(&turned) {
        assert_eq!(switch.table_row(number).unwrap(), *row);
    }
    // The lines are quick enough that no frame was sent twice, and the neighbours keep the protocol.
    assert!(ProtocolError::ALL.iter().all(|&kind| switch.errors(kind).unwrap() == 0));
    assert!((0..5).any(|port| switch.contention(PortId::new(port)).unwrap() > 0));
}
