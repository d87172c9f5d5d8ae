//! The stored traces are what the model makes of their stimuli today. `DESVIO_BLESS=1` writes them anew.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_switch::link::Link;
use desvio_switch::neighbour::{Anywhere, Neighbour};
use desvio_switch::self_test;
use desvio_switch::standard::{self, BUFFER, FIFO, PACKET};
use router_core::pins::Bundle;
use router_core::route::Route;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::route::olm::OlmScheme;
use router_core::vc::Descriptor;
use std::path::Path;
use tether::bytes::Writer;
use tether::machine::Machine;
use tether::trace::Failure;
use tether::wires;

/// Internal cycles of each.
const CYCLES: usize = 152;
/// Packets from each neighbour.
const PACKETS: u32 = 6;

/// Everyone in a Dragonfly wants the same other group, so that there is cause for detours; one neighbour is rude.
fn dragonfly() -> Vec<u8> {
    let setup = standard::paper();
    let groups = setup.groups();
    let to = Anywhere { groups: 9, routers: 4, nodes: 2 };
    let neighbours = [0, 1, 2, 3, 4, 5, 6].map(|port| {
        let neighbour = Neighbour::new(port, to, PACKETS, PACKET, BUFFER);
        match port {
            0 | 1 => neighbour.with_favourite(5),
            6 => neighbour.rude(),
            _ => neighbour,
        }
    });
    let mut store = [Descriptor::default(); 95];
    let routing = setup.only::<OlmScheme>(&groups).unwrap();
    record(&mut Machine::<_, 7, 3, { FIFO as usize }>::new(&setup, routing, &mut store).unwrap(), neighbours)
}

fn mesh() -> Vec<u8> {
    let setup = standard::mesh();
    let to = Anywhere { groups: 1, routers: 16, nodes: 1 };
    let neighbours = [0, 1, 2, 3, 4].map(|port| Neighbour::new(port, to, PACKETS, PACKET, BUFFER));
    let mut store = [Descriptor::default(); 50];
    let groups = setup.groups();
    let routing = setup.only::<DimensionOrderScheme>(&groups).unwrap();
    record(&mut Machine::<_, 5, 2, { FIFO as usize }>::new(&setup, routing, &mut store).unwrap(), neighbours)
}

fn record<R: Route, const P: usize, const V: usize, const F: usize>(
    machine: &mut Machine<'_, R, P, V, F>,
    mut neighbours: [Neighbour; P],
) -> Vec<u8> {
    let mut bytes = vec![0; 1 << 16];
    let mut writer = Writer::new(&mut bytes);
    for _ in 0..CYCLES {
        let inputs = Bundle::from_fn(|port| neighbours[port].receive());
        let (driven, _) = machine.step(&inputs);
        wires::write(&mut writer, &inputs);
        writer.u16(machine.digest(&driven).folded());
        for (neighbour, driven) in neighbours.iter_mut().zip(driven.iter()) {
            neighbour.send(driven);
        }
    }
    let length = writer.length().unwrap();
    bytes.truncate(length);
    bytes
}

fn is_up_to_date(name: &str, stored: &[u8], made: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces").join(name);
    if std::env::var("DESVIO_BLESS").is_ok_and(|yes| yes == "1") {
        std::fs::write(path, made).unwrap();
        return;
    }
    assert!(
        stored == made,
        "traces/{name} is not what the model makes of it today: run `cargo xtask firmware --update`"
    );
}

#[test]
fn stored_traces_are_up_to_date() {
    is_up_to_date("dragonfly.trace", self_test::DRAGONFLY, &dragonfly());
    is_up_to_date("mesh.trace", self_test::MESH, &mesh());
}

fn replay_dragonfly(trace: &[u8]) -> Result<u32, Failure> {
    let (setup, mut store) = (standard::paper(), [Descriptor::default(); 95]);
    let groups = setup.groups();
    self_test::run::<_, 7, 3>(&setup, setup.only::<OlmScheme>(&groups).unwrap(), &mut store, trace)
}

#[test]
fn a_trace_is_reproduced() {
    assert_eq!(replay_dragonfly(&dragonfly()), Ok(CYCLES as u32));
    let (setup, mut store) = (standard::mesh(), [Descriptor::default(); 50]);
    let groups = setup.groups();
    let routing = setup.only::<DimensionOrderScheme>(&groups).unwrap();
    assert_eq!(self_test::run::<_, 5, 2>(&setup, routing, &mut store, &mesh()), Ok(CYCLES as u32));
}

/// Nearly any byte that changes is noticed. Tag and carried fields of a packet that does not leave before the trace ends are not.
#[test]
fn a_changed_trace_is_not() {
    let good = dragonfly();
    let passes = |&at: &usize| {
        let mut bad = good.clone();
        bad[at] ^= 1;
        replay_dragonfly(&bad).is_ok()
    };
    let unnoticed: Vec<_> = (0..good.len()).filter(passes).collect();
    assert!(unnoticed.len() * 50 < good.len(), "{unnoticed:?}");
    assert_eq!(replay_dragonfly(&good[..good.len() - 1]), Err(Failure::TooShort));
    let last = good.len() - 1;
    assert!(!passes(&last), "the last digest");
}
