//! A router packet by packet: what a packet holds, whose turn a lane is, and flits that are out of place.

use super::explore::Net;
use desvio_core::alloc::AllocatorKind;
use desvio_core::alloc::vl_arbiter::{VlArbitration, VlEntry, VlTables};
use desvio_core::event::ProtocolError;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::lifetime::{HeadLimit, Lifetimes};
use desvio_core::links::PortSizes;
use desvio_core::map::forwarding::{Entry, ForwardingTable, VcRule};
use desvio_core::map::grid::Grid;
use desvio_core::options::AllocationUnit;
use desvio_core::plan::Plan;
use desvio_core::route::Route;
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::duato::Duato;
use desvio_core::router::{Router, Wires};
use desvio_core::units::{Channel, PortId, VcId, VcSet};
use desvio_core::vc::{Descriptor, VcState};

const PORTS: usize = 5;
const BUFFER: u16 = 8;
type Core = Router<Vec<Descriptor>, PORTS, 2>;

/// What leaves: the output, its VC, the link cycle, and the tag of a head.
#[derive(Default)]
struct Said {
    flits: Vec<(u8, VcId, u64, Option<u32>)>,
    filled: Vec<Channel>,
    freed: Vec<Channel>,
}

impl Wires for Said {
    fn flit(&mut self, to: Channel, at: u64, flit: Flit) {
        let tag = if let Flit::Head(packet) = flit { Some(packet.tag) } else { None };
        self.flits.push((to.port.number(), to.vc, at, tag));
        self.filled.push(to);
    }

    fn credit(&mut self, from: Channel) {
        self.freed.push(from);
    }
}

/// A router with three nodes and one link, the first of two.
fn grid() -> Grid {
    Grid::new(&[2], 3, false).unwrap()
}

fn plan() -> Plan<PORTS> {
    let net = Net::of(&grid());
    let classes: Vec<_> = net.ports().map(|port| net.class(0, port)).collect();
    let mut plan = Plan::new(&classes, &[2, 2, 1].map(|vcs| PortSizes { vcs, buffer: BUFFER })).unwrap();
    plan.options.output_flits = 6;
    plan
}

fn core(plan: &Plan<PORTS>) -> Core {
    let store = vec![Descriptor::default(); plan.links.places()];
    Router::new(plan, Net::of(&grid()).here(0), store, 0, 1)
}

fn channel(port: u8, vc: u8) -> Channel {
    Channel::new(PortId::new(port), VcId::new(vc))
}

fn head(to: Address, length: u16, tag: u32) -> Flit {
    Flit::Head(Packet { header: Header { to, length, ..Header::default() }, tag })
}

/// To a node of the router itself.
fn node(port: u8) -> Address {
    Address { router: 0, port }
}

/// The flits of a packet, each a cycle behind the one before but for a pause behind the head.
fn flits(at: u64, from: Channel, to: u8, length: u16, tag: u32, pause: u64) -> Vec<(u64, Channel, Flit)> {
    let bodies = (1..length).map(|n| (at + pause + u64::from(n), from, Flit::Body { tail: n + 1 == length }));
    [(at, from, head(node(to), length, tag))].into_iter().chain(bodies).collect()
}

/// What leaves when these flits come.
fn run(plan: &Plan<PORTS>, routing: &impl Route, flits: &[(u64, Channel, Flit)]) -> Said {
    let (mut core, mut said) = (core(plan), Said::default());
    for cycle in 0..60 {
        core.step(plan, routing, cycle + 1, &mut said);
        said.filled.drain(..).for_each(|to| core.handle_credit(plan, to).unwrap());
        for (_, from, flit) in flits.iter().filter(|(at, ..)| *at == cycle) {
            core.handle_flit(plan, routing, *from, flit).unwrap();
        }
    }
    assert!(core.is_idle() && said.flits.len() == flits.len());
    said
}

/// Proves: where packets are allocated, an input and an output belong to a packet from its head to its tail, also while its flits are on
/// their way; where flits are, others pass.
#[test]
fn a_packet_holds_its_input_and_its_output() {
    let routing = DimensionOrder { grid: grid(), vcs: 2 };
    for (unit, waits) in [(AllocationUnit::Packet, true), (AllocationUnit::Flit, false)] {
        let mut plan = plan();
        plan.options.allocation_unit = unit;
        // By the input of the first packet to another output, and by another input to its output.
        for (from, to) in [(channel(0, 1), 2), (channel(2, 0), 1)] {
            let both = [flits(0, channel(0, 0), 1, 4, 1, 20), flits(4, from, to, 2, 2, 0)];
            let said = run(&plan, &routing, &both.concat());
            let vc = said.flits[0].1;
            let is_first =
                |flit: &&(u8, VcId, u64, Option<u32>)| flit.0 == 1 && flit.1 == vc && flit.3 != Some(2);
            let tail = said.flits.iter().filter(is_first).map(|flit| flit.2).max().unwrap();
            let head = said.flits.iter().find(|flit| flit.3 == Some(2)).unwrap().2;
            assert_eq!(head > tail, waits, "{unit:?} {from:?}: {head}, {tail}");
        }
    }
}

/// Proves: lanes that always have a packet share a link as their weights, in a router.
#[test]
fn lanes_of_a_router_share_by_weights() {
    let by = |vc| Entry::new(PortId::new(3), VcSet::only(VcId::new(vc)));
    let mut entries = vec![Entry::NONE, by(0), by(1)];
    entries.resize(9, Entry::NONE);
    let routing = ForwardingTable::load_unverified(&entries, &[], &[], 3, VcRule::PerHop).unwrap();
    let entry = |vl, weight| VlEntry { vl: VcId::new(vl), weight };
    for [one, other] in [[2, 6], [6, 2], [4, 4], [2, 20]] {
        let mut plan = plan();
        let mut tables = VlTables::NONE;
        (tables.low[0], tables.low[1]) = (entry(0, one), entry(1, other));
        let mut arbitration = VlArbitration::new(64, VcSet::EMPTY);
        arbitration.set_tables(PortId::new(3), tables);
        plan.vl_arbitration = Some(arbitration);
        (plan.options.allocator, plan.options.allocation_unit) =
            (AllocatorKind::SeparableOutputFirst, AllocationUnit::Packet);
        let (mut core, mut room, mut heads) = (core(&plan), [[BUFFER; 2]; 3], [0u32; 2]);
        for cycle in 0..1200 {
            // Three inputs have packets for each lane.
            for (input, lane) in (0..3u8).flat_map(|input| [(input, 0), (input, 1)]) {
                let left = &mut room[usize::from(input)][usize::from(lane)];
                let from = channel(input, lane);
                let is_body = core.input(from.port, from.vc).unwrap().expected() > 0;
                if is_body || *left > 1 {
                    *left -= 1;
                    let to = Address { router: u32::from(lane) + 1, port: 0 };
                    let flit = if is_body { Flit::Body { tail: true } } else { head(to, 2, 0) };
                    core.handle_flit(&plan, &routing, from, &flit).unwrap();
                }
            }
            let mut said = Said::default();
            core.step(&plan, &routing, cycle + 1, &mut said);
            said.filled.into_iter().for_each(|to| core.handle_credit(&plan, to).unwrap());
            said.freed.into_iter().for_each(|from| room[from.port.index()][from.vc.index()] += 1);
            said.flits.iter().filter(|flit| flit.3.is_some()).for_each(|flit| heads[flit.1.index()] += 1);
        }
        // Packets of two units, in whole rounds but for the last one.
        let rounds = [heads[0] * 2 / u32::from(one), heads[1] * 2 / u32::from(other)];
        assert!(rounds[0].abs_diff(rounds[1]) <= 1 && rounds[0] > 20, "{one}, {other}: {heads:?}");
    }
}

/// Proves: behind each flit of a packet just the next one is taken: a body until the tail, which is where the head says, and then a head.
#[test]
fn flits_out_of_place_are_refused() {
    let (plan, routing) = (plan(), DimensionOrder { grid: grid(), vcs: 2 });
    let from = channel(0, 1);
    for length in 1..=4u16 {
        let mut core = core(&plan);
        let packet = flits(0, from, 1, length, 1, 0);
        for (nth, (_, _, flit)) in (1..).zip(&packet) {
            core.handle_flit(&plan, &routing, from, flit).unwrap();
            let refused = |flit: Flit| core.clone().handle_flit(&plan, &routing, from, &flit);
            let inside = nth < length;
            let found =
                [head(node(1), 2, 2), Flit::Body { tail: false }, Flit::Body { tail: true }].map(refused);
            let expected = match (inside, nth + 1 == length) {
                (false, _) => {
                    [Ok(()), Err(ProtocolError::BodyWithoutHead), Err(ProtocolError::BodyWithoutHead)]
                }
                (true, true) => {
                    [Err(ProtocolError::HeadInsidePacket), Err(ProtocolError::WrongLength), Ok(())]
                }
                (true, false) => {
                    [Err(ProtocolError::HeadInsidePacket), Ok(()), Err(ProtocolError::WrongLength)]
                }
            };
            assert_eq!(found, expected, "{nth} of {length}");
        }
        assert_eq!(
            core.clone().handle_flit(&plan, &routing, from, &head(node(1), 0, 2)),
            Err(ProtocolError::NoFlits)
        );
    }
}

/// Proves: a packet that is discarded, since its time is up, asks for no output meanwhile, also where it had a choice.
#[test]
fn what_is_discarded_asks_for_nothing() {
    let grid = Grid::new(&[3, 3], 1, false).unwrap();
    let net = Net::of(&grid);
    let (middle, corner) = (net.routers[4], net.routers[8]);
    let classes: Vec<_> = net.ports().map(|port| net.class(middle, port)).collect();
    let mut plan =
        Plan::<PORTS>::new(&classes, &[2, 2, 1].map(|vcs| PortSizes { vcs, buffer: BUFFER })).unwrap();
    plan.lifetimes = Lifetimes::new(1);
    for port in 1..PORTS as u8 {
        plan.lifetimes.set_limit(PortId::new(port), HeadLimit { cycles: 6, stall_count: 0 });
    }
    let routing = Duato { grid, vcs: 2 };
    let store = vec![Descriptor::default(); plan.links.places()];
    let mut core: Core = Router::new(&plan, net.here(middle), store, 0, 1);
    let (mut room, mut discarding, from) = (BUFFER, 0, channel(0, 0));
    for cycle in 0..400 {
        let input = core.input(from.port, from.vc).unwrap();
        if matches!(input.state(), VcState::Discarding { .. }) {
            assert!(input.request().is_empty(), "in cycle {cycle}");
            discarding += 1;
        }
        let left = input.expected();
        if room > 0 && (left > 0 || room >= 4) {
            room -= 1;
            let to = Address { router: corner, port: 0 };
            let flit = if left > 0 { Flit::Body { tail: left == 1 } } else { head(to, 4, 0) };
            core.handle_flit(&plan, &routing, from, &flit).unwrap();
        }
        // No credit comes back: flits that do not fit behind the outputs wait, and are late.
        let mut said = Said::default();
        core.step(&plan, &routing, cycle + 1, &mut said);
        room += said.freed.len() as u16;
    }
    assert!(discarding > 20, "{discarding}");
}
