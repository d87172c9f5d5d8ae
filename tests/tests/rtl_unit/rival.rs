//! `rivals.sv` beside the routings of `router-core` that it has: the offers of each on a small Dragonfly, and the header that leaves.
//! Packets are drawn: most of them where such a packet can be, the others anywhere, with any header.

use super::bench::{Chance, Tally};
use crate::rtl_route::{kind_number, offered, packed};
use desvio_tests::networks::{ARRANGEMENTS, Network, Shape};
use router_core::PortClass;
use router_core::header::{Address, Header, RawHeader};
use router_core::layout;
use router_core::route::candidates::Packing;
use router_core::route::par::{LocalMisrouting, Par};
use router_core::route::rlm::Rlm;
use router_core::route::ugal_dragonfly::UgalDragonfly;
use router_core::route::valiant::{Groups, Intermediate, Valiant};
use router_core::route::ways::Ways;
use router_core::route::{Arrival, Candidates, Here, HopKind, Route};
use router_core::units::{PortId, PortSet, VcId};
use verilated::{Input, Model, Output};

const VARIANTS: [u32; 10] = [
    layout::ROUTING_PAR,
    layout::ROUTING_PAR,
    layout::ROUTING_PAR,
    layout::ROUTING_RLM,
    layout::ROUTING_VALIANT,
    layout::ROUTING_VALIANT,
    layout::ROUTING_UGAL_DRAGONFLY,
    layout::ROUTING_UGAL_DRAGONFLY,
    layout::ROUTING_UGAL_DRAGONFLY,
    layout::ROUTING_UGAL_DRAGONFLY,
];
/// Those that need no more than a Dragonfly; UGAL's hops are those of networks with one link between two groups.
const OF_ANY: usize = 6;
const VCS: usize = 6;
/// Where `rivals.sv` has the hops.
const HOPS_AT: u32 = 58;
const HOPS: [HopKind; 3] = [HopKind::Minimal, HopKind::GlobalMisroute, HopKind::LocalMisroute];
const WORDS: usize = layout::HEADER_WORDS as usize;
/// Packets that find every mutant.
pub(crate) const CASES: usize = 3_000;

pub(crate) const SEEN: [&str; 13] = [
    "the node",
    "nothing",
    "a minimal hop",
    "a global misroute",
    "a local misroute in the origin group",
    "a local misroute in a later group",
    "a duty to leave, with an own link",
    "a duty to leave, without",
    "a hop that RLM forbids and PAR takes",
    "the intermediate point ahead",
    "the intermediate point reached",
    "both ways at the first router, with their hops",
    "a detour that was decided",
];

/// Routings that such a Dragonfly has.
fn variants(shape: &Shape) -> usize {
    let links = usize::from(shape.sizes[0]) * usize::from(shape.h);
    if links + 1 == shape.sizes.len() { VARIANTS.len() } else { OF_ANY }
}

/// Dragonflies of several links between two groups, and of one; with local ports of both parities.
pub(crate) fn shape(number: usize) -> Shape {
    let (p, a, h, groups) = [(1, 5, 2, 6), (2, 4, 2, 9), (1, 3, 2, 7)][number % 3];
    Shape { p, sizes: vec![a; groups], h, arrangement: ARRANGEMENTS[number / 3 % 3] }
}

pub(crate) fn parameters(shape: &Shape) -> [(&'static str, u32); 5] {
    [
        ("NODES", u32::from(shape.p)),
        ("LOCALS", u32::from(shape.sizes[0]) - 1),
        ("GLOBALS", u32::from(shape.h)),
        ("GROUPS", shape.sizes.len() as u32),
        ("ARRANGEMENT", shape.arrangement as u32),
    ]
}

/// The pins of `rivals.sv`.
struct Pins {
    here_router: Input,
    wired: Input,
    exits: Input,
    from_port: Input,
    from_kind: Input,
    from_vc: Input,
    header: Input,
    out_is_global: Input,
    hop: Input,
    offered: Output,
    passed_over: Output,
    onward_headers: Output,
    ways: Output,
}

impl Pins {
    fn of(model: &Model, ports: usize, variants: usize) -> Self {
        let input = |name, bits| model.input(name, bits as u32).expect("an input");
        let output = |name, bits| model.output(name, bits as u32).expect("an output");
        Self {
            here_router: input("here_router", 18),
            wired: input("wired", ports),
            exits: input("exits", ports),
            from_port: input("from_port", ports),
            from_kind: input("from_kind", 2),
            from_vc: input("from_vc", 3),
            header: input("header", layout::HEADER_BITS as usize),
            out_is_global: input("out_is_global", 1),
            hop: input("hop", 2),
            offered: output("offered", variants * 64),
            passed_over: output("passed_over", variants * 64),
            onward_headers: output("onward_headers", variants * layout::HEADER_BITS as usize),
            ways: output("ways", if variants > OF_ANY { 128 } else { 64 }),
        }
    }
}

/// A packet somewhere, and the hop by which it goes on.
#[derive(Clone, Copy, Debug)]
struct Case {
    here: Here,
    from: Arrival,
    header: Header,
    out_kind: PortClass,
    hop: HopKind,
}

/// The routings, each with what it does to the header.
struct Routings<'t> {
    pars: [Par<'t>; 3],
    rlm: Rlm<'t>,
    valiants: [Valiant<'t>; 2],
    ugals: [UgalDragonfly<'t>; 4],
}

impl<'t> Routings<'t> {
    fn new(shape: &'t Shape) -> Self {
        let map = shape.map();
        let par = |local_misrouting| Par { map, local_misrouting };
        let valiant = |intermediate| Valiant { map, intermediate, groups: Groups::default() };
        let valiants = [Intermediate::Group, Intermediate::Router].map(valiant);
        let ugal = |(valiant, is_decided)| UgalDragonfly { valiant, is_decided };
        let [group, router] = valiants;
        Self {
            ugals: [(group, false), (router, false), (group, true), (router, true)].map(ugal),
            pars: [LocalMisrouting::None, LocalMisrouting::All, LocalMisrouting::Intermediate].map(par),
            rlm: Rlm { map },
            valiants,
        }
    }

    fn answer(&self, variant: usize, case: &Case) -> (Candidates, PortSet, Header) {
        match variant {
            0..3 => answer(&self.pars[variant], case),
            3 => answer(&self.rlm, case),
            4..OF_ANY => answer(&self.valiants[variant - 4], case),
            _ => answer(&self.ugals[variant - OF_ANY], case),
        }
    }
}

fn answer(
    routing: &impl Route,
    Case { here, from, header, out_kind, hop }: &Case,
) -> (Candidates, PortSet, Header) {
    let (offer, passed_over) = offered(routing, here, *from, header);
    (offer, passed_over, routing.onward(here, header, *out_kind, *hop))
}

/// The first difference.
pub(crate) fn compare(
    model: &mut Model,
    shape: &Shape,
    cases: usize,
    tally: &mut Tally<13>,
) -> Result<(), String> {
    let (network, ports) = (shape.network(), ports_of(shape));
    let variants = variants(shape);
    let (pins, routings) = (Pins::of(model, ports, variants), Routings::new(shape));
    let mut chance = Chance::new(6);
    for _ in 0..cases {
        let case = draw(shape, &network, &mut chance);
        let [offered, passed_over, headers] = ask(&pins, model, &case, variants)?;
        let [offered, passed_over] = [offered, passed_over].map(|words| places(&words));
        let mut answers = Vec::new();
        for (variant, (rtl, passed)) in offered.into_iter().zip(passed_over).enumerate() {
            let (offer, passed_over, onward) = routings.answer(variant, &case);
            let hops = Packing::pack_hops(&offer) as u64;
            let rust = packed(&offer, VARIANTS[variant], ports, VCS)
                | if variant < OF_ANY { 0 } else { hops << HOPS_AT };
            if rust != rtl {
                return Err(format!("variant {variant}, {case:?}: RTL {rtl:#b}, Rust {rust:#b}, {offer:?}"));
            }
            if passed_over.bits() as u64 != passed {
                return Err(format!("variant {variant}, {case:?}: passed over: RTL {passed:#b}, {offer:?}"));
            }
            if headers[variant * WORDS..][..WORDS] != onward.emit().0 {
                return Err(format!(
                    "variant {variant}, {case:?}: header onward: RTL {headers:x?}, Rust {onward:x?}"
                ));
            }
            answers.push((offer, onward));
            tally.compared += 1;
        }
        if variants > OF_ANY {
            let both = [0, 1].map(|at| packed_ways(&routings.ugals[at], shape, &case));
            let mut rtl = [0; 4];
            model.get_words(pins.ways, &mut rtl);
            let rtl = places(&rtl);
            if both[..] != rtl {
                return Err(format!("{case:?}: ways: RTL {rtl:#x?}, Rust {both:#x?}"));
            }
        }
        note(tally, shape, &case, &answers);
    }
    Ok(())
}

/// Both ways of a new packet, as `rivals.sv` packs them.
fn packed_ways(routing: &UgalDragonfly<'_>, shape: &Shape, case: &Case) -> u64 {
    let Some(Ways { minimal, exit, detour }) = routing.ways(&case.here, case.from, &case.header) else {
        return 0;
    };
    let ports = ports_of(shape);
    let first = ports - usize::from(shape.h);
    let behind = exit.and_then(|exit| exit.behind).unwrap_or(minimal.port);
    assert_eq!(behind, minimal.port, "the link is the router's own, or behind the first hop");
    let link = exit.map_or(0, |exit| (exit.port.index() - first) as u64);
    let fields = [
        (1, 1),
        (1 << detour.port.index(), ports),
        (1 << minimal.port.index(), ports),
        (1 << detour.vc.number(), VCS),
        (1 << minimal.vc.number(), VCS),
        (detour.hops.into(), 3),
        (minimal.hops.into(), 3),
        (exit.is_some().into(), 1),
        (link, 2),
    ];
    let put = |(word, at): (u64, usize), (value, bits): (u64, usize)| (word | value << at, at + bits);
    fields.into_iter().fold((0, 0), put).0
}

fn ports_of(shape: &Shape) -> usize {
    usize::from(shape.p) + usize::from(shape.sizes[0]) - 1 + usize::from(shape.h)
}

fn draw(shape: &Shape, network: &Network, chance: &mut Chance) -> Case {
    let (map, ports) = (shape.map(), ports_of(shape));
    let mut here = network.heres[chance.below(network.routers())];
    if chance.happens(1, 8) {
        here.wired = PortSet::from_bits(chance.some((1 << ports) - 1));
        here.group_exits = PortSet::from_bits(chance.some((1 << ports) - 1));
    }
    let port = PortId::new(chance.below(ports) as u8);
    // A VC below 6: what lies above it no packet takes.
    let from = Arrival { port, kind: map.class(port), vc: VcId::new(chance.below(VCS) as u8) };
    let words = std::array::from_fn(|_| chance.word() as u32);
    let mut header = Header::parse(RawHeader(words)).unwrap_or(Header { length: 1, ..Header::default() });
    if chance.happens(7, 8) {
        let router = network.addresses[chance.below(network.routers())];
        header.to = Address { router, port: chance.below(usize::from(shape.p)) as u8 };
    }
    // A router, or a group.
    let point =
        [network.addresses[chance.below(network.routers())], here.router, header.to.router][chance.below(3)];
    if chance.happens(7, 8) {
        header.via = point >> (layout::ADDRESS_INDEX_BITS * chance.below(2) as u32);
    }
    // No group has a number of so many bits.
    if chance.happens(1, 16) {
        header.via |=
            1 << (layout::ADDRESS_GROUP_BITS + chance.below(layout::ADDRESS_INDEX_BITS as usize) as u32);
    }
    let out_kind = [PortClass::LOCAL, PortClass::NODE, PortClass::GLOBAL][chance.below(3)];
    Case { here, from, header, out_kind, hop: HOPS[chance.below(3)] }
}

/// Words as places of 64 bits.
fn places(words: &[u32]) -> Vec<u64> {
    words.chunks(2).map(|pair| u64::from(pair[1]) << 32 | u64::from(pair[0])).collect()
}

/// The words of what the RTL offers, of what it passes over, and of all headers.
fn ask(pins: &Pins, model: &mut Model, case: &Case, variants: usize) -> Result<[Vec<u32>; 3], String> {
    let Case { here, from, header, out_kind, hop } = case;
    model.set(pins.here_router, u64::from(here.router));
    model.set(pins.wired, here.wired.bits() as u64);
    model.set(pins.exits, here.group_exits.bits() as u64);
    model.set(pins.from_port, 1 << from.port.number());
    model.set(pins.from_kind, kind_number(from.kind));
    model.set(pins.from_vc, u64::from(from.vc.number()));
    model.set_words(pins.header, &header.emit().0);
    model.set(pins.out_is_global, u64::from(*out_kind == PortClass::GLOBAL));
    model.set(pins.hop, *hop as u64);
    model.eval().map_err(|error| error.to_string())?;
    let outputs = [(pins.offered, 2), (pins.passed_over, 2), (pins.onward_headers, WORDS)];
    Ok(outputs.map(|(output, each)| {
        let mut words = vec![0; each * variants];
        model.get_words(output, &mut words);
        words
    }))
}

fn note(tally: &mut Tally<13>, shape: &Shape, case: &Case, answers: &[(Candidates, Header)]) {
    let Case { here, header, .. } = case;
    let (to, progress) = (header.to, header.progress);
    let arrived = here.router == to.router && shape.map().has(to);
    let par = &answers[1].0;
    let [minimal, global, local] = HOPS.map(|kind| !par.ports_of(kind).is_empty());
    let later = progress.left_origin() || here.router >> 6 == to.router >> 6;
    let valiant = &answers[4];
    let was_ahead = progress.via_ahead();
    let seen = [
        arrived && minimal,
        par.is_empty(),
        !arrived && minimal,
        global && !par.is_forced(),
        local && !later,
        local && later,
        par.is_forced() && minimal,
        par.is_forced() && !minimal && global,
        minimal && answers[3].0.ports_of(HopKind::Minimal).is_empty(),
        valiant.1.progress.via_ahead() && !valiant.0.is_empty(),
        was_ahead && !valiant.1.progress.via_ahead(),
        answers.get(OF_ANY).is_some_and(|(offer, _)| offer.has_detours() && Packing::pack_hops(offer) != 0),
        answers.get(OF_ANY + 2).is_some_and(|(offer, _)| offer.is_forced()),
    ];
    seen.iter().enumerate().for_each(|(outcome, &yes)| tally.saw(outcome, u64::from(yes)));
}
