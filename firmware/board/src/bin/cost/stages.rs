//! Stages, one by one.

use super::Report;
use super::bench::Bench;
use core::hint::black_box;
use router_core::alloc::{Allocator, Requests};
use router_core::contention::Contention;
use router_core::header::{Flit, Packet};
use router_core::lent::Lent;
use router_core::lfsr::Lfsr;
use router_core::output::OutputPort;
use router_core::per_port::PerPort;
use router_core::select::{Outputs, Preference, Waiting};
use router_core::units::{Channel, PortId, PortSet, VcId};
use switch::standard::{BUFFER, FIFO};
use tether::setup::SetupError;

pub(super) fn measure<'g, const P: usize, const V: usize, const D: usize>(
    report: &mut Report,
    bench: impl Fn() -> Result<Bench<'g, P, V, D>, SetupError>,
) -> Result<(), SetupError> {
    let mut first = bench()?;
    let (from, to) = (PortId::new(0), PortId::new(P.saturating_sub(1) as u8));
    let Some(packet) = first.packet(from, to) else { return Err(SetupError::Unknown) };
    arrival(report, &mut first, from, packet);
    report.count("route", || {
        let _ = black_box(first.offer(black_box(from), &packet));
    });
    select(report, &first, from, packet);
    allocate::<P, V, D>(report, &first);
    blocked(report, bench()?);
    Ok(())
}

/// Stage 4: flits arrive, and credits.
fn arrival<const P: usize, const V: usize, const D: usize>(
    report: &mut Report,
    bench: &mut Bench<'_, P, V, D>,
    from: PortId,
    packet: Packet,
) {
    let vc = VcId::new(0);
    report.count("handle_flit head", || bench.flit(from, vc, Flit::Head(packet)));
    report.count("handle_flit body", || bench.flit(from, vc, Flit::Body { tail: false }));
    report.count("handle_credit", || bench.credit(from, vc));
}

/// Stage 3, for one packet: the minimal output, and a detour round it.
fn select<const P: usize, const V: usize, const D: usize>(
    report: &mut Report,
    bench: &Bench<'_, P, V, D>,
    from: PortId,
    packet: Packet,
) {
    let candidates = bench.offer(from, &packet).unwrap_or_default();
    let Some(minimal) = candidates.preferred().first() else { return };
    let outputs: PerPort<OutputPort<V>, P> = PerPort::from_fn(|_| OutputPort::new(BUFFER));
    let owned = PerPort::default();
    let mut contention = Contention::default();
    let tap = Lfsr::new(1, 1).tap(0, 0);
    let waiting = Waiting {
        at: Channel::new(from, VcId::new(0)),
        candidates: &candidates,
        minimal,
        length: packet.header.length,
        tap,
    };
    for (what, packets) in [("select minimal", 1), ("select detour", 9)] {
        for _ in 0..packets {
            contention.rise(minimal);
        }
        let wired = bench.router.here().wired;
        let view = Outputs {
            links: &bench.plan.links,
            ports: &outputs,
            owned: &owned,
            lent: &Lent::NONE,
            contention: &contention,
            wired,
            waits_for_detours: false,
            asks_one: false,
            preference: Preference::RANDOM,
            full: PortSet::EMPTY,
            held: PortSet::EMPTY,
        };
        report.count(what, || {
            black_box(bench.plan.selection.choose(black_box(&waiting), black_box(&view)));
        });
    }
}

/// Stage 5: one request; one at each input, for different outputs; all for the same.
fn allocate<const P: usize, const V: usize, const D: usize>(report: &mut Report, bench: &Bench<'_, P, V, D>) {
    let (vc, last) = (VcId::new(0), P.saturating_sub(1));
    let ask = |inputs: usize, outputs: &dyn Fn(PortId) -> PortId| {
        let mut requests = Requests::<P, V>::new();
        for input in (0..inputs as u8).map(PortId::new) {
            requests.add(input, vc, PortSet::only(outputs(input)), vc);
        }
        requests
    };
    let cases = [
        ("allocate one", ask(1, &Bench::<P, V, D>::after)),
        ("allocate all ports", ask(P, &Bench::<P, V, D>::after)),
        ("allocate all for one", ask(P, &|_| PortId::new(last as u8))),
    ];
    for (what, requests) in cases {
        let mut allocator = Allocator::<P, V>::new(bench.plan.options.allocation(), P as u8);
        report.count(what, || {
            let grants = black_box(&allocator).evaluate(black_box(&requests));
            black_box(&mut allocator).commit(&grants);
        });
    }
}

/// A step with one flit whose output's FIFO is full.
fn blocked<const P: usize, const V: usize, const D: usize>(
    report: &mut Report,
    mut bench: Bench<'_, P, V, D>,
) {
    let (from, vc) = (PortId::new(0), VcId::new(0));
    let Some(mut packet) = bench.packet(from, Bench::<P, V, D>::after(from)) else { return };
    packet.header.length = BUFFER;
    bench.flit(from, vc, Flit::Head(packet));
    // More flits than its output's FIFO has places, in one link cycle.
    for _ in 0..FIFO {
        bench.flit(from, vc, Flit::Body { tail: false });
    }
    for _ in 0..=FIFO {
        bench.step();
    }
    report.count("step with nothing to send", || bench.step());
}
