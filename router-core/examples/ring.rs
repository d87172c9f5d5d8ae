//! Four routers in a ring behind their pins, one-cycle links between them, and a packet from every node to every other one.
//!
//! ```sh
//! cargo run -p desvio-core --example ring
//! ```

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::PortSizes;
use desvio_core::map::grid::Grid;
use desvio_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use desvio_core::plan::Plan;
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::{Here, Routing};
use desvio_core::router::Router;
use desvio_core::units::{PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;
use std::error::Error;

/// Routers.
const SIZE: usize = 4;
/// The port to the node, that to the next router, and that to the one before.
const NODE: PortId = PortId::new(0);
const UP: PortId = PortId::new(1);
const DOWN: PortId = PortId::new(2);
/// Places for ports, a power of two.
const PORTS: usize = 4;
/// Flits of each packet.
const LENGTH: u16 = 4;
/// Cycles between two packets of a node: enough for one to cross the ring.
const PERIOD: u32 = 40;

/// Where the packets of a node go, one after the other, and their tags.
fn packet(from: usize, number: u32) -> Packet {
    let to = (from as u32 + 1 + number) % SIZE as u32;
    let header = Header { to: Address { router: to, port: 0 }, length: LENGTH, ..Header::default() };
    Packet { header, tag: number * PERIOD }
}

/// What a node drives in a cycle: a packet of every period, flit by flit.
fn from_node(node: usize, cycle: u32) -> Option<Flit> {
    let (number, flit) = (cycle / PERIOD, cycle % PERIOD);
    if number >= SIZE as u32 - 1 {
        return None;
    }
    match flit {
        0 => Some(Flit::Head(packet(node, number))),
        _ if flit < u32::from(LENGTH) => Some(Flit::Body { tail: flit + 1 == u32::from(LENGTH) }),
        _ => None,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let classes = [PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL];
    let plan: Plan<PORTS> = Plan::new(&classes, &[PortSizes { vcs: 2, buffer: 8 }; 2])?;
    let grid = Grid::new(&[SIZE as u32], 1, true)?;
    let routing = Routing::DimensionOrder(DimensionOrder { grid, vcs: 2 });
    let mut routers: Vec<Pins<_, PORTS, 4, 8>> = (0..SIZE as u32)
        .map(|number| {
            let here = Here { router: number, wired: PortSet::first_n(3), ..Here::default() };
            let store = vec![Descriptor::default(); plan.links.places()];
            Pins::new(Router::new(&plan, here, store, number, 1), 1)
        })
        .collect();

    let mut wires = vec![Bundle::<PORTS>::default(); SIZE];
    let mut delivered = 0;
    for cycle in 0..PERIOD * SIZE as u32 {
        let mut driven = Vec::new();
        for (node, (router, inputs)) in routers.iter_mut().zip(&mut wires).enumerate() {
            let flit = from_node(node, cycle).map(|flit| FlitSignal { vc: VcId::new(0), flit });
            let credit = inputs.at(NODE).credit;
            inputs.set(NODE, PortInputs { flit, credit });
            let (outputs, result) = router.step(&plan, &routing, inputs);
            result?;
            driven.push(outputs);
        }
        // What each drives is on the wires of its neighbours in the next cycle.
        for (node, inputs) in wires.iter_mut().enumerate() {
            *inputs = Bundle::default();
            inputs.set(UP, driven[(node + 1) % SIZE].at(DOWN));
            inputs.set(DOWN, driven[(node + SIZE - 1) % SIZE].at(UP));
            // A node takes every flit at once and returns its credit.
            if let Some(signal) = driven[node].at(NODE).flit {
                inputs.set(NODE, PortInputs { flit: None, credit: Some(signal.vc) });
                if let Flit::Head(Packet { tag, .. }) = signal.flit {
                    println!("cycle {cycle:3}: node {node} has a packet that is {} cycles old", cycle - tag);
                    delivered += 1;
                }
            }
        }
    }
    assert_eq!(delivered, SIZE * (SIZE - 1), "every packet arrives");
    Ok(())
}
