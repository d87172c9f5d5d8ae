//! A router of a group of four receives notices of its group, and is watched from its wires. Which packets keep the order of VCs.

use super::dragonfly::Shape;
use super::explore::Net;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::lifetime::{HeadLimit, Lifetimes};
use desvio_core::links::{PortSizes, descriptors};
use desvio_core::map::Map;
use desvio_core::map::dragonfly::{Arrangement, Place};
use desvio_core::map::grid::Grid;
use desvio_core::output::OutputPort;
use desvio_core::piggyback::Piggyback;
use desvio_core::plan::Plan;
use desvio_core::route::dateline_adaptive::{DatelineAdaptive, Datelines};
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::duato::Duato;
use desvio_core::route::negative_hop::NegativeHop;
use desvio_core::route::odd_even::OddEven;
use desvio_core::route::olm::{Olm, OlmScheme};
use desvio_core::route::par::{LocalMisrouting, Par};
use desvio_core::route::rlm::Rlm;
use desvio_core::route::turn_model::{TurnModel, Turns};
use desvio_core::route::{Arrival, HopKind, Route, Routing};
use desvio_core::router::{Router, Wires};
use desvio_core::select::Selection;
use desvio_core::select::contention::ContentionTrigger;
use desvio_core::select::ectn::EctnTrigger;
use desvio_core::units::{Channel, PortClass, PortId, VcId, VcSet};
use desvio_core::vc::Descriptor;

const PORTS: usize = 8;
const SHAPE: Shape = Shape { p: 1, h: 2, sizes: &[4; 9], arrangement: Arrangement::Palmtree };
/// A node, three local ports, two global ones.
const CLASSES: [u8; 6] = [0, 1, 1, 1, 2, 2];

fn plan(selection: Selection) -> Plan<PORTS> {
    let sizes = [3, 3, 2].map(|vcs| PortSizes { vcs, buffer: 16 });
    let mut plan = Plan::new(&CLASSES.map(PortClass::new), &sizes).unwrap();
    (plan.selection, plan.groups, plan.options.output_flits) = (selection, 9, 8);
    plan
}

/// What a router says on its wires.
#[derive(Default)]
struct Said {
    flits: Vec<(u8, u32)>,
    hops: Vec<(u32, u8, HopKind)>,
    granted: Vec<(u8, u8, u64)>,
    credits: u32,
}

impl Wires for Said {
    fn flit(&mut self, to: Channel, _at: u64, flit: Flit) {
        if let Flit::Head(packet) = flit {
            self.flits.push((to.port.number(), packet.tag));
        }
    }

    fn credit(&mut self, _from: Channel) {
        self.credits += 1;
    }

    fn hop(&mut self, packet: &Packet, port: PortId, hop: HopKind) {
        self.hops.push((packet.tag, port.number(), hop));
    }

    fn granted(&mut self, from: Channel, to: PortId, at: u64) {
        self.granted.push((from.port.number(), to.number(), at));
    }
}

fn head(group: u32, tag: u32, length: u16) -> Flit {
    let to = Address { router: Place { group, index: 1 }.address(), port: 0 };
    Flit::Head(Packet { header: Header { to, length, ..Header::default() }, tag })
}

/// Proves: each packet of a VC follows the notice of its own group, also the packet behind a tail; a withdrawn notice has no effect.
#[test]
fn each_packet_heeds_what_is_told_of_its_own_group() {
    let trigger = EctnTrigger { contention: ContentionTrigger { threshold: 50 }, ..EctnTrigger::default() };
    let routing = Routing::Olm(Olm { map: SHAPE.map(), scheme: OlmScheme::default() });
    let net = Net::of(&SHAPE.map());
    let here = net.here(0);
    // Groups that router 0 has no link to: the shortest way is a local port.
    let far: Vec<_> = (1..9).filter(|&group| SHAPE.own(Place::of(0), group).is_empty()).collect();
    for ahead in [true, false] {
        for (told, groups) in [
            (far[0], [far[0], far[1], far[0]]),
            (far[1], [far[0], far[1], far[1]]),
            (far[2], [far[0], far[1], far[0]]),
        ] {
            let mut plan = plan(Selection::Ectn(trigger));
            plan.options.select_ahead = ahead;
            let store = vec![Descriptor::default(); plan.links.places()];
            let mut core = Router::<_, PORTS, 4>::new(&plan, here, store, 0, 1);
            let at = Channel::new(PortId::new(0), VcId::new(0));
            core.tell(&plan, &routing, [told].into_iter());
            assert!(core.told_of(told) && !core.told_of(far[3]));
            let mut said = Said::default();
            let flits = groups
                .iter()
                .zip(0..)
                .flat_map(|(&group, tag)| [head(group, tag, 2), Flit::Body { tail: true }]);
            let mut flits = flits.collect::<Vec<_>>().into_iter();
            for cycle in 0..40 {
                core.step(&plan, &routing, cycle + 1, &mut said);
                if let Some(flit) = flits.next() {
                    core.handle_flit(&plan, &routing, at, &flit).unwrap();
                }
            }
            let ports: Vec<_> = said.flits.iter().map(|one| one.0 >= 4).collect();
            assert_eq!(ports, groups.map(|group| group == told), "{told} {groups:?} {:?}", said.flits);
            // Each grant is said, with the kind of its hop, and each flit gives a credit back.
            let hops: Vec<_> = said.hops.iter().map(|&(tag, port, kind)| (port, tag, kind)).collect();
            let kind = |port: u8| if port >= 4 { HopKind::GlobalMisroute } else { HopKind::Minimal };
            assert_eq!(
                hops,
                said.flits.iter().map(|&(port, tag)| (port, tag, kind(port))).collect::<Vec<_>>()
            );
            assert_eq!(
                said.granted.iter().map(|one| (one.0, one.1)).collect::<Vec<_>>(),
                said.flits.iter().map(|one| (0, one.0)).collect::<Vec<_>>()
            );
            assert_eq!(said.credits, 6);
            // A packet that is routed and selected ahead leaves in the cycle behind the tail before it.
            let follows = said.granted.windows(2).map(|two| two[1].2 - two[0].2 == 2);
            assert!(follows.clone().eq([ahead; 2]), "{ahead}: {:?}", said.granted);
            // Told while it waits.
            let store = vec![Descriptor::default(); plan.links.places()];
            let mut core = Router::<_, PORTS, 4>::new(&plan, here, store, 0, 1);
            core.handle_flit(&plan, &routing, at, &head(told, 0, 2)).unwrap();
            core.tell(&plan, &routing, [told].into_iter());
            assert_eq!(core.leaves_for(&plan, at), Some(told));
            assert_eq!(core.leaving(&plan, &routing).collect::<Vec<_>>(), [told]);
            core.tell(&plan, &routing, [].into_iter());
            assert!(!core.told_of(told));
            let mut said = Said::default();
            (0..8).for_each(|cycle| core.step(&plan, &routing, cycle + 1, &mut said));
            assert_eq!(said.flits.len(), 1);
            assert!(said.flits[0].0 < 4, "what has been taken back is no reason");
        }
    }
}

/// Proves: a router sends a counter for each group, or a flag for each VC of each global link.
#[test]
fn what_is_told_at_once() {
    let mut plan = plan(Selection::default());
    assert_eq!(plan.told(), 9);
    plan.flags = Some(Piggyback::default().for_packets(4));
    assert_eq!(plan.told(), 4);
}

/// Proves: flits of no packet wait behind what is in the FIFO, and keep it from others as long.
#[test]
fn an_output_sends_a_flit_in_each_link_cycle() {
    let mut out = OutputPort::<2>::new(5);
    assert_eq!((out.waiting(7), out.is_full(7, 1)), (0, false));
    assert_eq!(
        [out.push(VcId::new(0), 7), out.push(VcId::new(1), 7), out.push(VcId::new(0), 7)],
        [(7, 1), (8, 2), (9, 3)]
    );
    assert_eq!(
        (out.waiting(7), out.waiting(8), out.waiting(10), out.is_full(7, 3), out.is_full(7, 4)),
        (3, 2, 0, true, false)
    );
    assert_eq!((out.credits.left(VcId::new(0)), out.credits.left(VcId::new(1))), (3, 4));
    assert_eq!((out.occupy(8, 0), out.occupy(8, 3), out.waiting(8)), (8, 12, 5));
    assert_eq!(out.push(VcId::new(1), 8), (13, 6));
    let all = VcSet::first_n(2);
    assert_eq!(
        (out.roomy(all, 3), out.roomy(all, 4), out.has_room(all, 3), out.has_room(all, 4)),
        (all, VcSet::EMPTY, true, false)
    );
    let mut fresh = OutputPort::<2>::new(5);
    assert_eq!((fresh.occupy(4, 0), fresh.occupy(4, 2)), (4, 5));
}

/// Proves: small numbers of a plan: limits of one cycle, a register at each output, descriptors for whole packets and two more.
#[test]
fn small_numbers_of_a_plan() {
    let mut limits = Lifetimes::<4>::new(3);
    for (port, cycles) in [(0, 1), (1, 0), (2, 2)] {
        limits.set_limit(PortId::new(port), HeadLimit { cycles, stall_count: 7 });
    }
    assert_eq!(
        [0, 1, 2, 3].map(|port| limits.internal_cycles(PortId::new(port))),
        [Some(3), None, Some(6), None]
    );
    assert_eq!(limits.limit(PortId::new(2)).stalled_cycles(), 16);
    let plan =
        Plan::<PORTS>::new(&CLASSES.map(PortClass::new), &[PortSizes { vcs: 1, buffer: 8 }; 3]).unwrap();
    assert_eq!(plan.options.output_flits, 1);
    // Ten places: whole packets, and one that is leaving and one that is arriving, which have a flit each at least.
    let (two, four) = (descriptors(10, 2), descriptors(10, 4));
    assert_eq!((two, four), (6, 4));
    let grid = Grid::new(&[3, 2], 1, false).unwrap();
    assert!(grid.blocks().eq([1; 6]));
}

/// Proves: a packet has lost the order of its VCs where the order index and the distance exceed 4, or where its VC is not one for what it has done.
#[test]
fn what_keeps_the_order_and_what_does_not() {
    let map = SHAPE.map();
    let net = Net::of(&map);
    let olm = Olm { map, scheme: OlmScheme::default() };
    let (par, rlm) = (|local_misrouting| Par { map, local_misrouting }, Rlm { map });
    for to in SHAPE.places() {
        let header = Header { to: Address { router: to.address(), port: 0 }, length: 2, ..Header::default() };
        for (kind, vc) in [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL]
            .into_iter()
            .flat_map(|kind| (0..6).map(move |vc| (kind, vc)))
        {
            let from = Arrival { port: PortId::new(0), kind, vc: VcId::new(vc) };
            let order = match kind {
                PortClass::NODE => -1,
                PortClass::LOCAL => 2 * i32::from(vc),
                _ => 2 * i32::from(vc) + 1,
            };
            for at in [Place { group: 0, index: 0 }, Place { group: 2, index: 3 }] {
                let here = net.here(at.address());
                assert_eq!(
                    olm.keeps_order(&here, from, &header),
                    order + map.distance(at, to) as i32 <= 4,
                    "{at:?} {to:?} {from:?}"
                );
                for left in [false, true] {
                    let progress = if left { header.progress.with_origin_left() } else { header.progress };
                    let header = Header { progress, ..header };
                    // Local VCs from the second, or the third one on are for those that have left their origin group.
                    let fits = |later: u8| match kind {
                        PortClass::NODE => true,
                        PortClass::LOCAL => (vc >= later) == left,
                        // Who came by a global link has left.
                        _ => left,
                    };
                    assert_eq!(rlm.keeps_order(&here, from, &header), fits(1));
                    for misrouting in [LocalMisrouting::None, LocalMisrouting::All] {
                        assert_eq!(
                            par(misrouting).keeps_order(&here, from, &header),
                            fits(2),
                            "{left} {from:?}"
                        );
                    }
                }
            }
        }
    }
    let mesh = Grid::new(&[3, 4], 1, false).unwrap();
    let torus = Grid::new(&[4, 4], 1, true).unwrap();
    for vc in 0..6 {
        for (port, kind) in [(0, PortClass::NODE), (1, PortClass::LOCAL), (4, PortClass::LOCAL)] {
            let from = Arrival { port: PortId::new(port), kind, vc: VcId::new(vc) };
            let (here, header) =
                (Net::of(&mesh).here(0), Header { to: Address { router: 0, port: 0 }, ..Header::default() });
            let fits = kind == PortClass::NODE || vc < 3;
            assert_eq!(DimensionOrder { grid: mesh, vcs: 3 }.keeps_order(&here, from, &header), fits);
            assert_eq!(Duato { grid: mesh, vcs: 3 }.keeps_order(&here, from, &header), fits);
            assert_eq!(
                DatelineAdaptive { grid: torus, datelines: Datelines::Adaptive, vcs: 3 }
                    .keeps_order(&here, from, &header),
                fits
            );
            assert_eq!(NegativeHop { grid: mesh, vcs: 3 }.keeps_order(&here, from, &header), fits);
        }
    }
    // Negative-hop: enough VCs for the rest of the way, from a place that it has not come to by chance.
    let negative = NegativeHop { grid: mesh, vcs: 3 };
    for (from, to) in mesh.routers().flat_map(|from| mesh.routers().map(move |to| (from, to))) {
        let hops = Net::of(&mesh).distances(to)[&from];
        for vc in 0..3 {
            let odd = (from & 3) % 2 != (from >> 2) % 2;
            let arrival = Arrival { port: PortId::new(1), kind: PortClass::LOCAL, vc: VcId::new(vc) };
            let lowest = u32::from(vc) + u32::from(!odd);
            let rises = (1..hops).filter(|n| (n % 2 == 0) != odd).count() as u32;
            let header = Header { to: Address { router: to, port: 0 }, ..Header::default() };
            let fits = if hops == 0 { true } else { lowest + rises < 3 };
            assert_eq!(
                negative.keeps_order(&Net::of(&mesh).here(from), arrival, &header),
                fits,
                "{from} {to} {vc}"
            );
        }
    }
    // A packet that has moved in a late direction, with an early one left to go: north, then west.
    let here = Net::of(&mesh).here(2 | 1 << 2);
    let header = |x: u32, y: u32| Header { to: Address { router: x | y << 2, port: 0 }, ..Header::default() };
    let came = |port: u8| Arrival { port: PortId::new(port), kind: PortClass::LOCAL, vc: VcId::new(0) };
    // Ports: 1 east, 2 west, 3 north, 4 south; who comes by the port south has moved north.
    let west_first = TurnModel { grid: mesh, turns: Turns::WestFirst, vcs: 1 };
    assert!(
        !west_first.keeps_order(&here, came(4), &header(0, 1))
            && west_first.keeps_order(&here, came(4), &header(2, 3))
    );
    assert!(
        west_first.keeps_order(&here, came(1), &header(0, 1))
            && west_first.keeps_order(&here, Arrival { kind: PortClass::NODE, ..came(4) }, &header(0, 1))
    );
    let north_last = TurnModel { grid: mesh, turns: Turns::NorthLast, vcs: 1 };
    assert!(
        !north_last.keeps_order(&here, came(4), &header(0, 1))
            && north_last.keeps_order(&here, came(1), &header(0, 3))
    );
    // Odd-even: in an even column after a hop east with only its row to change; in an odd one after a hop north with columns to the west.
    let odd_even = OddEven { grid: mesh, vcs: 1 };
    assert!(odd_even.keeps_order(&here, came(4), &header(0, 1)));
    let odd = Net::of(&mesh).here(1 | 1 << 2);
    assert!(
        !odd_even.keeps_order(&odd, came(4), &header(0, 1))
            && odd_even.keeps_order(&odd, came(4), &header(2, 2))
    );
    assert!(odd_even.keeps_order(&odd, came(1), &header(0, 1)));
}
