//! Whole steps.

use super::Report;
use super::bench::{Bench, busy};
use core::hint::black_box;
use router_core::header::Flit;
use router_core::lfsr::Lfsr;
use router_core::pins::Bundle;
use router_core::units::{PortId, PortSet, VcId};
use switch::standard::PACKET;
use tether::setup::SetupError;

/// Steps under full load that are counted.
const STEPS: u32 = 512;

pub(super) fn measure<'g, const P: usize, const V: usize, const D: usize>(
    report: &mut Report,
    bench: impl Fn() -> Result<Bench<'g, P, V, D>, SetupError>,
) -> Result<(), SetupError> {
    let mut idle = bench()?;
    report.count("step idle", || black_box(&mut idle).step());
    let one = PortSet::only(PortId::new(0));
    packets(report, bench()?, one, ["step one packet selects", "step one head leaves", "step one flit"]);
    let all = PortSet::first_n(P);
    let names = ["step all ports select", "step all ports, heads leave", "step all ports busy"];
    packets(report, bench()?, all, names);
    full(report, bench()?);
    behind_pins(report, bench()?, bench()?);
    Ok(())
}

/// A packet at each of some inputs: what the first three steps cost.
fn packets<const P: usize, const V: usize, const D: usize>(
    report: &mut Report,
    mut bench: Bench<'_, P, V, D>,
    inputs: PortSet,
    names: [&str; 3],
) {
    bench.fill(inputs);
    for name in names {
        report.count(name, || black_box(&mut bench).step());
        bench.settle();
    }
}

/// Every VC of every input holds packets to random destinations, and never runs out of them.
fn full<const P: usize, const V: usize, const D: usize>(report: &mut Report, mut bench: Bench<'_, P, V, D>) {
    let mut lfsr = Lfsr::new(1, 1);
    let mut ways: [Option<router_core::header::Packet>; P] = [None; P];
    let (mut most, mut sum) = (0u32, 0u32);
    let begin = board::stack::in_use();
    board::stack::paint();
    for _ in 0..STEPS {
        for port in Bench::<P, V, D>::ports() {
            for vc in bench.plan.links.vcs(port) {
                let room = bench.router.input(port, vc).is_none_or(|vc| vc.packets() < 2);
                lfsr.step();
                let output = PortId::new(lfsr.tap(port.number(), vc.number()).below(P) as u8);
                let Some(way) = ways.get_mut(output.index()) else { continue };
                if room && way.is_none() {
                    *way = bench.packet(port, output);
                }
                if let (true, Some(packet)) = (room, *way) {
                    bench.whole(port, vc, packet);
                }
            }
        }
        let cost = report.clock.count(&mut || black_box(&mut bench).step());
        most = most.max(cost);
        sum = sum.wrapping_add(cost);
        bench.settle();
    }
    if let (Some(used), Some(begin)) = (board::stack::used(), begin) {
        report.line("bytes stack of a step", used.saturating_sub(begin));
    }
    report.line("step all VCs full, mean", sum.checked_div(STEPS).unwrap_or_default());
    report.line("step all VCs full, most", most);
}

/// Cycles of a router with the registers between it and its wires.
fn behind_pins<const P: usize, const V: usize, const D: usize>(
    report: &mut Report,
    idle: Bench<'_, P, V, D>,
    mut all: Bench<'_, P, V, D>,
) {
    let (nothing, mut driven) = (Bundle::default(), Bundle::default());
    let mut idle = idle.into_pins(1);
    report.count("cycle idle", || black_box(&mut idle).step(&nothing, &mut driven));
    // Long packets, of which only the heads are in yet.
    for port in Bench::<P, V, D>::ports() {
        if let Some(mut packet) = all.packet(port, Bench::<P, V, D>::after(port)) {
            packet.header.length = 4 * PACKET;
            all.flit(port, VcId::new(0), Flit::Head(packet));
        }
    }
    let mut all = all.into_pins(1);
    for _ in 0..8 {
        let inputs = busy(&driven);
        all.step(&inputs, &mut driven);
    }
    let inputs = busy(&driven);
    report.count("cycle all ports busy", || black_box(&mut all).step(&inputs, &mut driven));
}
