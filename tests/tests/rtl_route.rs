//! The RTL's `header_t`, `route` and `onward` beside those of `router-core`: candidates and headers, for every
//! place a packet can be in on small Dragonflies, and for places and headers that make no sense.

mod slow;

use crate::rtl_unit::bench::{Bench, Chance, Tally, compiled, either, is_long};
use desvio_tests::networks::{ARRANGEMENTS, Network, Shape};
use rayon::prelude::*;
use router_core::PortClass;
use router_core::header::{Address, Header, Progress, RawHeader, WORDS};
use router_core::layout;
use router_core::map::table::Table;
use router_core::route::candidates::Packing;
use router_core::route::minimal::Minimal;
use router_core::route::olm::{Olm, OlmScheme, Policy, Rules, Scope};
use router_core::route::{Arrival, Candidates, Here, HopKind, Route};
use router_core::units::{PortId, PortSet, VcId, VcSet};
use verilated::{Input, Output};

const HOPS: [HopKind; 3] = [HopKind::Minimal, HopKind::GlobalMisroute, HopKind::LocalMisroute];
/// `route`, and the modules in it.
pub(crate) const ROUTE: [&str; 20] = [
    "ladder",
    "dragonfly",
    "grid",
    "hop_vcs",
    "parity_sign",
    "via_ahead",
    "route_minimal",
    "route_table",
    "route_source",
    "route_duato",
    "route_dimension_order",
    "route_turn_model",
    "route_odd_even",
    "route_olm",
    "route_in_transit",
    "route_valiant",
    "leg",
    "ways",
    "route_ugal",
    "route",
];
/// Bits of a header.
const HEADER: usize = layout::HEADER_BITS as usize;
/// The routings of `routes.sv`.
const VARIANTS: usize = 13;

/// What has to have been among the answers.
#[derive(Clone, Copy)]
enum Seen {
    Consumed,
    NodeMissing,
    UnknownDestination,
    LocalHop,
    OneLink,
    SeveralLinks,
    OneExit,
    SeveralExits,
    GlobalMisroute,
    LocalMisroute,
    BothMisroutes,
    MustLeaveByLink,
    MustLeaveByMisroute,
    NowhereToLeave,
    VcBeyond,
}

const SEEN: [&str; 15] = [
    "the node",
    "a node that is not connected",
    "an unknown destination",
    "a local hop to the destination",
    "the own link to its group",
    "several own links to its group",
    "the router that owns the link",
    "several routers that own a link",
    "a global misroute",
    "a local misroute",
    "misroutes of both kinds",
    "a duty to leave, with an own link",
    "a duty to leave, without",
    "a duty to leave, and no way out",
    "a VC that does not exist",
];

/// Candidates as `routes.sv` packs them, each set of the kind that the RTL takes it for.
pub(crate) fn packed(offered: &Candidates, routing: u32, ports: usize, vcs: usize) -> u64 {
    let packing = Packing { ports: ports as u32, vcs: vcs as u32 };
    let word = packing.pack(offered);
    let kinds = layout::ROUTING_KINDS[routing as usize];
    assert_eq!(word >> packing.bits(kinds.len() as u32), 0, "more sets than the RTL has: {offered:?}");
    for kind in HOPS {
        let sets = (0..).zip(kinds).filter(|&(_, &of)| of == kind as u32);
        let ports = sets.fold(0, |all, (set, _)| all | packing.ports_of(word, set));
        assert_eq!(offered.ports_of(kind).bits() as u64, ports, "{kind:?} of {offered:?}");
    }
    word as u64
}

/// What is offered, and the ports of the shortest way on that a duty to leave passes over.
pub(crate) fn offered(
    routing: &impl Route,
    here: &Here,
    from: Arrival,
    header: &Header,
) -> (Candidates, PortSet) {
    let offer = routing.offer(here, from, header).expect("room for all sets");
    let passes = offer.is_forced() && offer.minimal_ports().is_empty() && !offer.is_empty();
    (offer, if passes { routing.passed_over(here, header) } else { PortSet::EMPTY })
}

/// The routings of `routes.sv`, in Rust.
struct Routings<'t> {
    minimal: Minimal<'t>,
    olms: Vec<Olm<'t>>,
}

impl<'t> Routings<'t> {
    fn new(shape: &'t Shape) -> Self {
        let policies = [Policy::Rrg, Policy::Crg, Policy::Nrg, Policy::Mm];
        let olm = |k: usize| Olm {
            map: shape.map(),
            scheme: OlmScheme {
                rules: [Rules::Restricted, Rules::Free][k % 2],
                policy: policies[k / 2 % 4],
                local_misrouting: k != 9,
                limit: [1, 0, 2, 7][k.saturating_sub(9)],
                scope: Scope::Group,
            },
        };
        Self { minimal: Minimal { map: shape.map() }, olms: (1..VARIANTS).map(olm).collect() }
    }

    fn offers(&self, here: &Here, from: Arrival, header: &Header) -> Vec<(Candidates, PortSet)> {
        let minimal = offered(&self.minimal, here, from, header);
        let olms = self.olms.iter().map(|olm| offered(olm, here, from, header));
        std::iter::once(minimal).chain(olms).collect()
    }
}

/// The same routings in Rust and in RTL, on one map.
struct Pair<'t> {
    shape: &'t Shape,
    routings: Routings<'t>,
    vcs: usize,
    bench: Bench,
    here_router: Input,
    wired: Input,
    exits: Input,
    from_port: Input,
    from_kind: Input,
    from_vc: Input,
    header: Input,
    offered: Output,
    passed_over: Output,
    tally: Tally<15>,
}

impl<'t> Pair<'t> {
    fn new(shape: &'t Shape, vcs: usize) -> Option<Self> {
        let parameters = [
            ("NODES", u32::from(shape.p)),
            ("LOCALS", u32::from(shape.sizes[0]) - 1),
            ("GLOBALS", u32::from(shape.h)),
            ("GROUPS", shape.sizes.len() as u32),
            ("VCS", vcs as u32),
            ("ARRANGEMENT", shape.arrangement as u32),
        ];
        let bench = Bench::new(&compiled(
            "routes",
            &[&ROUTE[..], &["packed_candidates", "routes"]].concat(),
            &parameters,
        )?);
        let ports = ports_of(shape);
        Some(Self {
            shape,
            routings: Routings::new(shape),
            vcs,
            here_router: bench.input("here_router", 18),
            wired: bench.input("wired", ports),
            exits: bench.input("exits", ports),
            from_port: bench.input("from_port", ports),
            from_kind: bench.input("from_kind", 2),
            from_vc: bench.input("from_vc", vc_bits(vcs)),
            header: bench.input("header", HEADER),
            offered: bench.output("offered", VARIANTS * 64),
            passed_over: bench.output("passed_over", VARIANTS * 64),
            bench,
            tally: Tally::new(SEEN),
        })
    }

    fn place(&mut self, here: &Here, from: Arrival) {
        self.bench.set(self.here_router, u64::from(here.router));
        self.bench.set(self.wired, here.wired.bits() as u64);
        self.bench.set(self.exits, here.group_exits.bits() as u64);
        self.bench.set(self.from_port, 1 << from.port.number());
        self.bench.set(self.from_kind, kind_number(from.kind));
        self.bench.set(self.from_vc, u64::from(from.vc.number()));
    }

    /// What all routings offer a packet at the place that was set.
    fn compare(&mut self, here: &Here, from: Arrival, header: &Header) {
        self.bench.set_words(self.header, &header.emit().0);
        self.bench.eval();
        let offers = self.routings.offers(here, from, header);
        let ports = ports_of(self.shape);
        let rtl = self.bench.places(self.offered).into_iter().zip(self.bench.places(self.passed_over));
        for (k, ((offer, passed_over), (rtl, passed))) in offers.iter().zip(rtl).enumerate() {
            let routing = if k == 0 { layout::ROUTING_MINIMAL } else { layout::ROUTING_OLM };
            let rust = packed(offer, routing, ports, self.vcs);
            assert_eq!(
                rtl, rust,
                "{:?}, variant {k}, at {here:?} from {from:?} with {header:?}: \
                 RTL {rtl:#b}, Rust {rust:#b}, {offer:?}",
                self.shape
            );
            assert_eq!(
                passed,
                passed_over.bits() as u64,
                "{:?}, variant {k}, at {here:?} from {from:?} with {header:?}: passed over, {offer:?}",
                self.shape
            );
            note(&mut self.tally, self.shape, self.vcs, here, header, offer);
        }
        self.tally.compared += offers.len() as u64;
    }
}

fn note(tally: &mut Tally<15>, shape: &Shape, vcs: usize, here: &Here, header: &Header, offer: &Candidates) {
    let map = shape.map();
    let mut saw = |seen: Seen, yes: bool| tally.saw(seen as usize, u64::from(yes));
    let known = map.has(header.to);
    let arrived = known && here.router == header.to.router;
    let abroad = known && here.router >> 6 != header.to.router >> 6;
    let [minimal, global, local] = HOPS.map(|kind| offer.of_kind(kind).next());
    let minimal_kind =
        minimal.and_then(|set| set.ports.first()).filter(|_| !arrived).map(|port| map.class(port));
    let several = minimal.is_some_and(|set| set.ports.len() > 1);
    saw(Seen::Consumed, arrived && !offer.is_empty());
    saw(Seen::NodeMissing, arrived && offer.is_empty());
    saw(Seen::UnknownDestination, !known && offer.is_empty());
    saw(Seen::LocalHop, !abroad && minimal_kind == Some(PortClass::LOCAL));
    saw(Seen::OneLink, minimal_kind == Some(PortClass::GLOBAL) && !several);
    saw(Seen::SeveralLinks, minimal_kind == Some(PortClass::GLOBAL) && several);
    saw(Seen::OneExit, abroad && minimal_kind == Some(PortClass::LOCAL) && !several);
    saw(Seen::SeveralExits, abroad && minimal_kind == Some(PortClass::LOCAL) && several);
    saw(Seen::GlobalMisroute, global.is_some());
    saw(Seen::LocalMisroute, local.is_some());
    saw(Seen::BothMisroutes, global.is_some() && local.is_some());
    saw(Seen::MustLeaveByLink, offer.is_forced() && minimal.is_some());
    saw(Seen::MustLeaveByMisroute, offer.is_forced() && minimal.is_none() && global.is_some());
    saw(Seen::NowhereToLeave, offer.is_forced() && offer.is_empty());
    saw(Seen::VcBeyond, offer.sets().any(|set| set.vcs.and(VcSet::first_n(vcs)).is_empty()));
}

fn ports_of(shape: &Shape) -> usize {
    usize::from(shape.p) + usize::from(shape.sizes[0]) - 1 + usize::from(shape.h)
}

pub(crate) fn vc_bits(vcs: usize) -> usize {
    if vcs > 1 { vcs.next_power_of_two().ilog2() as usize } else { 1 }
}

pub(crate) fn kind_number(kind: PortClass) -> u64 {
    u64::from(match kind {
        PortClass::NODE => layout::PORT_KIND_NODE,
        PortClass::GLOBAL => layout::PORT_KIND_GLOBAL,
        _ => layout::PORT_KIND_LOCAL,
    })
}

/// A header of random bits, and of at least one flit.
fn random_header(chance: &mut Chance) -> Header {
    let words = std::array::from_fn(|_| chance.word() as u32);
    let mut header = Header { length: 1, ..Header::default() };
    if let Ok(random) = Header::parse(RawHeader(words)) {
        header = random;
    }
    header
}

/// Ways to come: every port by every VC number its register holds.
fn arrivals(shape: &Shape, vcs: usize) -> Vec<Arrival> {
    let map = shape.map();
    let port = |port: usize| PortId::new(port as u8);
    let vcs = 0..1 << vc_bits(vcs);
    let by = |vc: u8| {
        (0..ports_of(shape)).map(move |p| Arrival {
            port: port(p),
            kind: map.class(port(p)),
            vc: VcId::new(vc),
        })
    };
    vcs.flat_map(by).collect()
}

/// Compares every place on a map with every destination; `progresses` chooses those to try for each.
fn every_place(shape: &Shape, progresses: impl Fn(&mut Chance) -> Vec<u8>) -> Option<Tally<15>> {
    let mut pair = Pair::new(shape, 3)?;
    let mut chance = Chance::new(1);
    let network: Network = shape.network();
    for here in &network.heres {
        for from in arrivals(shape, 3) {
            pair.place(here, from);
            for (&router, port) in
                network.addresses.iter().flat_map(|to| (0..=shape.p).map(move |port| (to, port)))
            {
                for progress in progresses(&mut chance) {
                    let (to, progress) = (Address { router, port }, Progress::from_bits(progress));
                    let header = Header { to, progress, length: 1, ..Header::default() };
                    pair.compare(here, from, &header);
                }
            }
        }
    }
    Some(pair.tally)
}

/// Compares random places, some of which exist, with random headers, some of which make sense.
fn any_place(shape: &Shape, vcs: usize, times: usize) -> Option<Tally<15>> {
    let mut pair = Pair::new(shape, vcs)?;
    let mut chance = Chance::new(2);
    let network = shape.network();
    let all = (1 << ports_of(shape)) - 1;
    let froms = arrivals(shape, vcs);
    for _ in 0..times {
        let mut here = network.heres[chance.below(network.routers())];
        if chance.happens(1, 4) {
            here.wired = PortSet::from_bits(chance.some(all));
            here.group_exits = PortSet::from_bits(chance.some(all));
        }
        if chance.happens(1, 16) {
            here.router = chance.below(1 << 18) as u32 >> chance.below(12);
        }
        let from = froms[chance.below(froms.len())];
        let mut header = random_header(&mut chance);
        if chance.happens(7, 8) {
            let router = network.addresses[chance.below(network.routers())];
            header.to = Address { router, port: chance.below(usize::from(shape.p)) as u8 };
        }
        pair.place(&here, from);
        pair.compare(&here, from, &header);
    }
    Some(pair.tally)
}

fn shape(p: u8, a: u8, h: u8, groups: usize) -> impl Iterator<Item = Shape> {
    ARRANGEMENTS.into_iter().map(move |arrangement| Shape { p, sizes: vec![a; groups], h, arrangement })
}

/// Adds up; nothing where nothing was compiled.
fn sum<const N: usize>(tallies: Vec<Option<Tally<N>>>) -> Option<Tally<N>> {
    tallies.into_iter().flatten().reduce(|all, one| all.with(&one))
}

/// The header that leaves, by one routing.
fn onward(parameters: &[(&str, u32)], routing: &impl Route, shape: &Shape) -> Option<Tally<5>> {
    let mut bench = Bench::new(&compiled("onward", &["via_ahead", "onward"], parameters)?);
    let (header_pin, here_router) = (bench.input("header", HEADER), bench.input("here", 18));
    let (out_is_global, hop_pin) = (bench.input("out_is_global", 1), bench.input("hop", 2));
    let onward_header = bench.output("onward_header", HEADER);
    let network = shape.network();
    let mut chance = Chance::new(5);
    let mut tally = Tally::new([
        "unchanged",
        "a local misroute more",
        "the duty to leave",
        "the origin left",
        "the misroutes forgotten",
    ]);
    for n in 0..either(20, 500) * 64 * 2 * 3 {
        let (progress, out, hop) = (n % 64, n / 64 % 2, HOPS[n / 128 % 3]);
        let here = network.heres[chance.below(network.routers())];
        let mut header = random_header(&mut chance);
        header.progress = Progress::from_bits(progress as u8);
        if chance.happens(3, 4) {
            header.to.router = network.addresses[chance.below(network.routers())];
        }
        let out_kind = [[PortClass::LOCAL, PortClass::NODE][chance.below(2)], PortClass::GLOBAL][out];
        bench.set_words(header_pin, &header.emit().0);
        bench.set(here_router, u64::from(here.router));
        bench.set(out_is_global, out as u64);
        bench.set(hop_pin, n as u64 / 128 % 3);
        bench.eval();
        let rust = routing.onward(&here, &header, out_kind, hop);
        let rtl = bench.words(onward_header);
        assert_eq!(rtl, rust.emit().0, "{header:?} by {out_kind:?}, {hop:?}, at {here:?}: {rust:?}");
        let (was, is) = (header.progress, rust.progress);
        assert_eq!(Header { progress: was, ..rust }, header, "only the progress may change");
        let seen = [
            was == is,
            is.local_misroutes() > was.local_misroutes(),
            is.must_leave() && !was.must_leave(),
            is.left_origin() && !was.left_origin(),
            is.local_misroutes() < was.local_misroutes(),
        ];
        seen.iter().enumerate().for_each(|(at, &yes)| tally.saw(at, u64::from(yes)));
        tally.compared += 1;
    }
    Some(tally)
}
