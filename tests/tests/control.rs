//! The control plane: the driver that runs on a microcontroller, against the verilated switch, over its pins.

#![allow(clippy::unwrap_used)]

mod asynchronous;
mod bits;
mod campaign;
mod defects;
mod fake;
mod firmware;
mod flaky;
mod rig;
mod slow;
mod staged;
mod traffic;
mod worlds;

use desvio_driver::register::Access;
use desvio_driver::registers::{
    Answer, ContentionFactor, ContentionThreshold, Exits, MinimalOccupancy, Outcome, REGISTERS,
    RelativeThreshold, Restriction, RestrictionFactor, RestrictionPackets, Status, TableRow, Trigger,
    Version, Wired,
};
use desvio_driver::{BusError, Error};
use desvio_lockstep::control::Neighbours;
use desvio_lockstep::frame::{Frame, WireFlit};
use desvio_lockstep::model::ModelTwin;
use desvio_lockstep::settings::Settings;
use desvio_lockstep::twin::Twin;
use desvio_tests::rtl::hdl;
use firmware::Firmware;
use rig::Rig;
use router_core::event::ProtocolError;
use router_core::fixed::{U1F15, U8F8};
use router_core::layout;
use router_core::select::Selection;
use router_core::select::contention::ContentionTrigger;
use router_core::select::contention_average::AverageTrigger;
use router_core::select::hybrid::HybridTrigger;
use router_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};
use router_core::units::{PortId, PortSet, VcId};
use std::collections::BTreeSet;
use traffic::Traffic;
use worlds::{World, driver};

/// The tables that OpenSM wrote for a torus, those of `minhop`: router 0 takes its own by the serial port, and each packet the port that it
/// names. One driver programs the switch in SystemVerilog and the firmware of one, whose flits have their bytes.
#[test]
fn tables_of_opensm_are_programmed() {
    let Some(world) = World::torus(&hdl()) else { return };
    let traffic = || world.traffic(600, 12, 1);
    take_a_table(&world, &world.board(3, traffic()));
    take_a_table(&world, &Firmware::<_, 16>::by_table(&world, traffic()));
}

fn take_a_table(world: &World, rig: &impl Rig) {
    let mut switch = rig.driver();
    switch.reset().unwrap();
    let rows = world.rows();
    // A row for each router: its own is empty, since packets for it leave by the ports of their nodes.
    assert!(rows.len() == 16 && rows[1..].iter().all(|row| row.len() == 1), "{rows:?}");
    switch.program_table(rows.iter().copied()).unwrap();
    for (number, row) in (0..).zip(&rows) {
        assert_eq!(switch.table_row(number).unwrap(), *row);
    }
    switch.start(&world.blueprint.here(0), world.seed, &Selection::NEVER).unwrap();
    rig.traffic(|traffic| traffic.flows = true);
    rig.settle();
    let taken = rig.traffic(|traffic| traffic.taken.clone());
    assert_eq!(taken.len(), 16, "{taken:?}");
    for (to, ports) in taken {
        let row = if to == 0 { PortSet::first_n(1) } else { rows[to as usize] };
        assert_eq!(ports, row.iter().map(PortId::index).collect(), "to router {to}");
    }
    // What was staged and not committed is of no effect; a reset forgets everything.
    switch.bus().write_at(1, TableRow::default().with_ports(1)).unwrap();
    assert_eq!(switch.table_row(1).unwrap(), rows[1]);
    switch.reset().unwrap();
    assert!(!switch.bus().read::<Status>().unwrap().running());
    let refused = switch.start(&world.blueprint.here(0), world.seed, &Selection::NEVER);
    assert!(matches!(refused, Err(Error::NotCommitted(Outcome::NoTable))));
}

const ERRORS: [ProtocolError; 4] = [
    ProtocolError::NoSuchVc,
    ProtocolError::BodyWithoutHead,
    ProtocolError::CreditOverflow,
    ProtocolError::NoRoute,
];

/// Triggers in turn, with thresholds that tell one from the other.
fn selections() -> [Selection; 5] {
    let occupancy = |share: u16| OccupancyTrigger {
        minimal_occupancy: U1F15::from_bits(share),
        relative_threshold: U8F8::ratio(3, 1),
        global_restriction: None,
    };
    let restriction = GlobalRestriction { factor: U8F8::from_bits(0x1234), packets: 0x4321 };
    let contention = |threshold| ContentionTrigger { threshold };
    [
        Selection::Hybrid(HybridTrigger { occupancy: occupancy(0), contention: contention(2) }),
        Selection::NEVER,
        Selection::Occupancy(OccupancyTrigger { global_restriction: Some(restriction), ..occupancy(0x2000) }),
        Selection::Contention(contention(1)),
        Selection::Occupancy(occupancy(0)),
    ]
}

#[test]
fn triggers_and_thresholds_change_under_traffic() {
    let Some(world) = World::dragonfly(&hdl()) else { return };
    let traffic = || world.traffic(80_000, 2, 1);
    change_thresholds(&world, &Firmware::fixed(&world, traffic()));
    let board = world.board(3, traffic());
    change_thresholds(&world, &board);

    // What this switch was not built with, and what it cannot hold.
    let mut switch = driver(&board);
    let average = Selection::ContentionAverage(AverageTrigger { factor: U8F8::ONE });
    assert_eq!(switch.configure(&average), Err(Error::NotBuilt { trigger: layout::TRIGGER_HYBRID }));
    let far = Selection::Contention(ContentionTrigger { threshold: 0x1000 });
    assert!(matches!(switch.configure(&far), Err(Error::Bus(BusError::NotHeld { written: 0x1000, .. }))));
    assert_eq!(switch.bus().in_use::<ContentionThreshold>().unwrap().packets(), 1);
    assert_eq!(switch.bus().in_use::<ContentionFactor>().unwrap().factor(), 0);
}

fn change_thresholds(world: &World, rig: &impl Rig) {
    let mut switch = rig.driver();
    switch.reset().unwrap();
    switch.start(&world.blueprint.here(0), world.seed, &Selection::NEVER).unwrap();
    rig.traffic(|traffic| traffic.flows = true);

    // The minimal output to each router: what all packets take while no trigger fires.
    rig.run(6_000);
    let minimal = rig.traffic(|traffic| traffic.taken.clone());
    assert!(minimal.len() > 3 && minimal.values().all(|ports| ports.len() <= 2), "{minimal:?}");
    let mut detours = Vec::new();
    for selection in selections() {
        switch.configure(&selection).unwrap();
        let bus = switch.bus();
        let trigger: Trigger = bus.in_use().unwrap();
        let (occupancy, contention) = match selection {
            Selection::Occupancy(occupancy) => (Some(occupancy), None),
            Selection::Contention(contention) => (None, Some(contention)),
            Selection::Hybrid(HybridTrigger { occupancy, contention }) => (Some(occupancy), Some(contention)),
            _ => (None, None),
        };
        assert_eq!((trigger.occupancy(), trigger.contention()), (occupancy.is_some(), contention.is_some()));
        if let Some(occupancy) = occupancy {
            let share = bus.in_use::<MinimalOccupancy>().unwrap().share();
            assert_eq!(share, u32::from(occupancy.minimal_occupancy.to_bits()));
            let share = bus.in_use::<RelativeThreshold>().unwrap().share();
            assert_eq!(share, u32::from(occupancy.relative_threshold.to_bits()));
            let restriction = occupancy.global_restriction;
            assert_eq!(bus.in_use::<Restriction>().unwrap().enable(), restriction.is_some());
            if let Some(restriction) = restriction {
                assert_eq!(bus.in_use::<RestrictionFactor>().unwrap().factor(), 0x1234);
                assert_eq!(
                    bus.in_use::<RestrictionPackets>().unwrap().packets(),
                    u32::from(restriction.packets)
                );
            }
        }
        if let Some(contention) = contention {
            let packets = bus.in_use::<ContentionThreshold>().unwrap().packets();
            assert_eq!(packets, u32::from(contention.threshold));
        }
        // What was selected before has left.
        rig.run(500);
        rig.traffic(|traffic| traffic.taken.clear());
        rig.run(4_000);
        let taken = rig.traffic(|traffic| traffic.taken.clone());
        let more = taken.iter().map(|(to, ports)| ports.difference(&minimal[to]).count()).sum::<usize>();
        detours.push(more);
    }
    println!("detours that are taken, by trigger: {detours:?}");
    assert!(!rig.traffic(|traffic| traffic.is_over()), "traffic ended before the changes did");
    assert_eq!(detours[1], 0, "no trigger may fire");
    assert!([0, 3, 4].iter().all(|&at| detours[at] > 0), "{detours:?}");
    rig.settle();
}

/// Traffic, and the model of the router beside the switch.
struct Beside<'b> {
    traffic: Traffic,
    model: ModelTwin<'b, 8>,
    expected: Frame,
    compared: u64,
    differs: Option<String>,
}

impl Neighbours for Beside<'_> {
    fn step(&mut self, outputs: &Frame, inputs: &mut Frame) {
        self.traffic.step(outputs, inputs);
        if !self.traffic.flows {
            return;
        }
        self.model.step(inputs, &mut self.expected).unwrap();
        self.compared += 1;
        if *outputs != self.expected && self.differs.is_none() {
            self.differs = Some(format!("cycle {}: {outputs:?}, not {:?}", self.compared, self.expected));
        }
    }
}

/// Neighbours that send, a little of it wrong, and never return a credit.
struct Stuck {
    /// The cycle, 0 as long as nothing is sent.
    at: u32,
}

impl Neighbours for Stuck {
    fn step(&mut self, _: &Frame, inputs: &mut Frame) {
        if self.at == 0 || self.at > 40 {
            return;
        }
        // Whole packets of one flit to node 0 of this router, from the links.
        let header = router_core::header::Header { length: 1, ..Default::default() };
        let packet = router_core::header::Packet { header, tag: self.at };
        let ports = inputs.ports.len();
        inputs.ports[ports - 1].flit = Some(WireFlit::head((self.at % 2) as u8, &packet));
        if self.at <= 3 {
            inputs.ports[1].flit = Some(WireFlit::body(0, 0, 0, false));
        }
        if self.at <= 5 {
            inputs.ports[1].credit = Some(0);
        }
        self.at += 1;
    }
}
