//! Routers behind pins: the pipeline, the order of stepping, and what a wire carries.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::{FlowControl, PortSizes};
use desvio_core::map::grid::Grid;
use desvio_core::options::Pipeline;
use desvio_core::pins::{Bundle, FlitSignal, Pins, PortInputs, PortOutputs};
use desvio_core::plan::Plan;
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::{Here, Routing};
use desvio_core::router::{Router, Stranded, router_cycles};
use desvio_core::units::{PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;
use rand_core::{Rng, SeedableRng};

/// Port 0 leads to the node, 1 up the ring, 2 down.
const PORTS: usize = 4;
type Switch = Pins<Vec<Descriptor>, PORTS, 4, 8>;
type Inputs = Bundle<PORTS>;

/// A ring of routers, links of one cycle.
struct Ring {
    plan: Plan<PORTS>,
    routing: Routing<'static>,
    routers: Vec<Switch>,
    /// What each router sees in the cycle to come.
    wires: Vec<Inputs>,
}

impl Ring {
    fn new(size: u32, speedup: u8, output_flits: u32) -> Self {
        Self::with(Pipeline::Four, size, speedup, output_flits)
    }

    fn with(pipeline: Pipeline, size: u32, speedup: u8, output_flits: u32) -> Self {
        let sizes = PortSizes { vcs: 2, buffer: 8 };
        let kinds = [PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL];
        let mut plan = Plan::new(&kinds, &[sizes; 2]).unwrap();
        (plan.options.output_flits, plan.options.pipeline) = (output_flits, pipeline);
        let grid = Grid::new(&[size], 1, true).unwrap();
        let wired = PortSet::first_n(3);
        let router = |at: u32| {
            let store = vec![Descriptor::default(); plan.links.places()];
            let here = Here { router: at, wired, ..Here::default() };
            Pins::new(Router::new(&plan, here, store, at, 1), speedup)
        };
        let routers = (0..size).map(router).collect();
        let routing = Routing::DimensionOrder(DimensionOrder { grid, vcs: 2 });
        Self { plan, routing, routers, wires: vec![Inputs::default(); size as usize] }
    }

    /// One cycle; routers are stepped in the order given, and count it. Returns what each drives.
    fn step(&mut self, order: &[usize]) -> Vec<Bundle<PORTS>> {
        let mut driven = vec![Bundle::default(); self.routers.len()];
        for &at in order {
            let before = self.routers[at].now();
            let (outputs, result) = self.routers[at].step(&self.plan, &self.routing, &self.wires[at]);
            result.unwrap();
            assert_eq!(self.routers[at].now().0, before.0 + 1);
            driven[at] = outputs;
        }
        let size = self.routers.len();
        for (at, wires) in self.wires.iter_mut().enumerate() {
            *wires = Inputs::default();
            for (port, from, theirs) in [(1, (at + 1) % size, 2), (2, (at + size - 1) % size, 1)] {
                let PortOutputs { flit, credit } = driven[from].at(PortId::new(theirs));
                wires.set(PortId::new(port), PortInputs { flit, credit });
            }
            // The node takes every flit at once.
            let credit = driven[at].at(PortId::new(0)).flit.map(|signal| signal.vc);
            wires.set(PortId::new(0), PortInputs { flit: None, credit });
        }
        driven
    }

    fn inject(&mut self, at: usize, vc: u8, flit: Flit) {
        let credit = self.wires[at].at(PortId::new(0)).credit;
        let flit = Some(FlitSignal { vc: VcId::new(vc), flit });
        self.wires[at].set(PortId::new(0), PortInputs { flit, credit });
    }
}

fn head(to: u32, length: u16, tag: u32) -> Flit {
    let header = Header { to: Address { router: to, port: 0 }, length, ..Header::default() };
    Flit::Head(Packet { header, tag })
}

#[test]
fn a_head_takes_the_pipelines_cycles_from_wire_to_wire() {
    for (pipeline, speedup) in
        Pipeline::ALL.into_iter().flat_map(|pipeline| (1..=4u8).map(move |speedup| (pipeline, speedup)))
    {
        let mut ring = Ring::with(pipeline, 4, speedup, u32::from(speedup) + 1);
        ring.inject(0, 0, head(0, 1, 7));
        // The head is on the input wire in internal cycle 0.
        let left = (0..20).find(|_| ring.step(&[0, 1, 2, 3])[0].at(PortId::new(0)).flit.is_some());
        let expected = router_cycles(pipeline, u32::from(speedup)) * u32::from(speedup);
        assert_eq!(left, Some(expected), "{pipeline:?}, speedup {speedup}");
    }
    assert_eq!(Pipeline::ALL.map(|pipeline| router_cycles(pipeline, 1)), [4, 5, 6]);
}

/// Packets of four flits that follow each other in one VC, at one flit per link and cycle: how many cycles lie between their heads.
#[test]
fn each_register_loses_a_cycle_between_the_packets_of_a_vc() {
    for (pipeline, apart) in [(Pipeline::Four, 4), (Pipeline::Five, 5), (Pipeline::Six, 6)] {
        let mut ring = Ring::with(pipeline, 4, 1, 1);
        let (mut credits, mut heads) = (8, Vec::new());
        let mut flits = (0u32..).map(|n| match n % 4 {
            0 => head(0, 4, n),
            of => Flit::Body { tail: of == 3 },
        });
        for cycle in 0..80 {
            if credits > 0 {
                ring.inject(0, 0, flits.next().unwrap());
                credits -= 1;
            }
            let driven = ring.step(&[0, 1, 2, 3])[0].at(PortId::new(0));
            credits += u32::from(driven.credit.is_some());
            if matches!(driven.flit, Some(FlitSignal { flit: Flit::Head(_), .. })) {
                heads.push(cycle);
            }
        }
        // The first ones find the VC empty.
        let between: Vec<_> = heads.windows(2).skip(2).map(|two| two[1] - two[0]).collect();
        assert!(
            between.len() > 8 && between.iter().all(|&cycles| cycles == apart),
            "{pipeline:?}: {heads:?}"
        );
    }
}

/// A head on a wire is written and routed in one cycle, selected in the next, and granted in the one behind that: the request register is
/// written by selection alone, though there is one way to go.
#[test]
fn a_packet_with_one_way_requests_it_a_cycle_after_it_is_routed() {
    let mut ring = Ring::new(4, 1, 8);
    let vc = VcId::new(1);
    ring.inject(0, 1, head(1, 4, 7));
    // Into the input register.
    ring.step(&[0, 1, 2, 3]);
    let up = PortSet::only(PortId::new(1));
    for (state, request) in [("routed", PortSet::EMPTY), ("selected", up), ("granted", up)] {
        ring.step(&[0, 1, 2, 3]);
        let router = ring.routers[0].router();
        let input = router.input(PortId::new(0), vc).unwrap();
        assert_eq!(input.request(), request, "{state}");
        assert_eq!(input.candidates().ports(), up, "{state}");
        let mut waiting = Vec::new();
        router.each_waiting(&ring.plan, |at, packet, requests| waiting.push((at.vc, packet.tag, requests)));
        let expected = if state == "granted" { vec![] } else { vec![(vc, 7, !request.is_empty())] };
        assert_eq!(waiting, expected, "{state}");
    }
}

/// Random traffic on a ring of five; what every router drove in every cycle.
fn trace(mut order: impl FnMut(u32) -> Vec<usize>) -> Vec<Vec<PortOutputs>> {
    let mut random = rand_xoshiro::Xoshiro128PlusPlus::seed_from_u64(3);
    let mut ring = Ring::new(5, 2, 8);
    let mut credits = [[8u32; 2]; 5];
    let mut sending = [None::<(u8, u16)>; 5];
    let (mut trace, mut delivered) = (Vec::new(), 0);
    for cycle in 0..4000 {
        for at in 0..5 {
            if cycle % 2 == 1 {
                continue;
            }
            match sending[at] {
                None if random.next_u32().is_multiple_of(12) => {
                    let vc = (0..2u8).max_by_key(|&vc| credits[at][usize::from(vc)]).unwrap();
                    if credits[at][usize::from(vc)] >= 4 {
                        ring.inject(at, vc, head(random.next_u32() % 5, 4, cycle));
                        credits[at][usize::from(vc)] -= 4;
                        sending[at] = Some((vc, 3));
                    }
                }
                None => {}
                Some((vc, left)) => {
                    ring.inject(at, vc, Flit::Body { tail: left == 1 });
                    sending[at] = (left > 1).then_some((vc, left - 1));
                }
            }
        }
        let driven = ring.step(&order(cycle));
        for (at, outputs) in driven.iter().enumerate() {
            if let Some(vc) = outputs.at(PortId::new(0)).credit {
                credits[at][vc.index()] += 1;
            }
            delivered += u32::from(outputs.at(PortId::new(0)).flit.is_some());
        }
        trace.push(driven.iter().flat_map(|outputs| outputs.iter().collect::<Vec<_>>()).collect());
    }
    assert!(delivered > 2000, "only {delivered} flits arrived");
    trace
}

#[test]
fn routers_can_be_stepped_in_any_order() {
    let in_order = trace(|_| vec![0, 1, 2, 3, 4]);
    let rotated = trace(|cycle| (0..5).map(|n| (n + cycle as usize) % 5).rev().collect());
    assert!(in_order == rotated);
}

#[test]
fn a_neighbour_that_breaks_the_protocol_is_told_and_does_no_harm() {
    use desvio_core::event::ProtocolError::{
        BodyWithoutHead, CreditOverflow, HeadInsidePacket, NoSuchVc, WrongLength,
    };
    let mut ring = Ring::new(4, 1, 1);
    let delivered = std::cell::Cell::new(0);
    let count = |outputs: &Bundle<PORTS>| {
        delivered.set(delivered.get() + u32::from(outputs.at(PortId::new(0)).flit.is_some()));
    };
    let mut send = |port: u8, vc: u8, flit: Option<Flit>, credit: bool| {
        let vc = VcId::new(vc);
        let mut inputs = Inputs::default();
        let flit = flit.map(|flit| FlitSignal { vc, flit });
        inputs.set(PortId::new(port), PortInputs { flit, credit: credit.then_some(vc) });
        count(&ring.routers[0].step(&ring.plan, &ring.routing, &inputs).0);
        let (outputs, result) = ring.routers[0].step(&ring.plan, &ring.routing, &Inputs::default());
        count(&outputs);
        result
    };
    assert_eq!(send(1, 0, Some(Flit::Body { tail: false }), false), Err(BodyWithoutHead));
    assert_eq!(send(1, 5, Some(head(1, 1, 0)), false), Err(NoSuchVc));
    assert_eq!(send(3, 0, Some(head(1, 1, 0)), false), Err(NoSuchVc));
    assert_eq!(send(1, 0, None, true), Err(CreditOverflow));
    assert_eq!(send(1, 1, Some(head(0, 3, 0)), false), Ok(()));
    assert_eq!(send(1, 1, Some(head(0, 3, 0)), false), Err(HeadInsidePacket));
    assert_eq!(send(1, 1, Some(Flit::Body { tail: true }), false), Err(WrongLength));
    assert_eq!(send(1, 1, Some(Flit::Body { tail: false }), false), Ok(()));
    assert_eq!(send(1, 1, Some(Flit::Body { tail: true }), false), Ok(()));
    assert_eq!(ring.routers[0].router().error_count(), 6);
    // The packet that was begun in between goes its way.
    for _ in 0..20 {
        count(&ring.routers[0].step(&ring.plan, &ring.routing, &Inputs::default()).0);
    }
    assert_eq!(delivered.get(), 3);
}

#[test]
fn ports_that_a_router_does_not_have_are_not_wired() {
    let plan = Plan::<PORTS>::new(&[PortClass::NODE], &[PortSizes { vcs: 2, buffer: 8 }; 2]).unwrap();
    let here = Here { wired: PortSet::first_n(9), group_exits: PortSet::range(3, 9), ..Here::default() };
    let store = vec![Descriptor::default(); plan.links.places()];
    let router = Router::<_, PORTS, 4>::new(&plan, here, store, 0, 1);
    assert_eq!(router.here().wired, PortSet::first_n(PORTS));
    assert_eq!(router.here().group_exits, PortSet::range(3, PORTS));
}

/// What the router at 0 of a ring of four says of a packet of `length` flits for router 1 that has come by `port` and `vc`, long after.
fn stranded(
    flow: FlowControl,
    vcs: u8,
    (port, vc): (u8, u8),
    length: u16,
) -> (u32, Vec<(PortId, VcId, Stranded)>) {
    let mut ring = Ring::new(4, 1, 1);
    ring.plan.links.flow = flow;
    // Which needs an upper VC from router 3 on.
    ring.routing = Routing::DimensionOrder(DimensionOrder { grid: Grid::new(&[4], 1, true).unwrap(), vcs });
    let mut inputs = Inputs::default();
    let flit = Some(FlitSignal { vc: VcId::new(vc), flit: head(1, length, 1) });
    inputs.set(PortId::new(port), PortInputs { flit, credit: None });
    for cycle in 0..40u32 {
        let (_, result) = ring.routers[0].step(&ring.plan, &ring.routing, &inputs);
        result.unwrap();
        inputs = Inputs::default();
        let body =
            Some(FlitSignal { vc: VcId::new(vc), flit: Flit::Body { tail: u32::from(length) == cycle + 2 } });
        if cycle + 1 < u32::from(length.min(8)) {
            inputs.set(PortId::new(port), PortInputs { flit: body, credit: None });
        }
    }
    let router = ring.routers[0].router();
    let found = router.stranded(&ring.plan).map(|(at, why)| (at.port, at.vc, why)).collect();
    (router.error_count(), found)
}

#[test]
fn a_packet_that_can_never_leave_is_named() {
    use FlowControl::{StoreAndForward, Vct, Wormhole};
    let at = |port, vc, why| (0, vec![(PortId::new(port), VcId::new(vc), why)]);
    for flow in [Vct, Wormhole, StoreAndForward] {
        assert_eq!(stranded(flow, 2, (0, 0), 8), (0, vec![]), "{flow:?}: as long as a buffer");
        // Dimension order takes the upper half of six VCs from then on, and the router has two.
        assert_eq!(stranded(flow, 6, (2, 1), 1), at(2, 1, Stranded::NoSuchVc), "{flow:?}");
    }
    assert_eq!(stranded(Wormhole, 2, (0, 0), 9), (0, vec![]));
    assert_eq!(stranded(Vct, 2, (0, 1), 9), at(0, 1, Stranded::TooLong));
    assert_eq!(stranded(StoreAndForward, 2, (0, 1), 9), at(0, 1, Stranded::TooLong));
}
