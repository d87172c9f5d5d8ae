//! `tables.sv` beside the routings of `router-core` that it has: the offers of each at every router of a network of three, by tables that
//! are drawn. Packets come by every port and VC, to every address inside of the network and beyond it.

use super::bench::{Chance, Tally};
use crate::rtl_route::{kind_number, packed};
use router_core::header::{Address, Header, Progress};
use router_core::layout;
use router_core::map::forwarding::{Entry, ForwardingTable, VcRule};
use router_core::map::intervals::{IntervalTable, NO_INTERVAL};
use router_core::map::routes::RouteTable;
use router_core::map::table::Table;
use router_core::map::up_down::UpDownTable;
use router_core::route::multipath::Multipath;
use router_core::route::source::Source;
use router_core::route::{Arrival, Candidates, Here, HopKind, Route, consume};
use router_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use verilated::{Input, Model, Output};

const ROUTERS: u32 = 3;
const PORTS: usize = 4;
const VCS: usize = 3;
const VARIANTS: usize = 11;
/// Nodes of each router, where the table knows.
const NODES: u8 = 2;
/// Tables that are drawn.
const DRAWS: u64 = 25;

pub(crate) const SEEN: [&str; 6] = [
    "the node",
    "one way",
    "several ways",
    "no way",
    "other ways for what has gone down",
    "a node that the table does not know",
];

/// The pins of `tables.sv`.
struct Pins {
    here_router: Input,
    wired: Input,
    from_port: Input,
    from_kind: Input,
    from_vc: Input,
    header: Input,
    rows: Input,
    is_drawn: Input,
    offered: Output,
    onward: Output,
    drawn: Output,
    drawn_hop: Output,
}

impl Pins {
    fn of(model: &Model) -> Self {
        let input = |name, bits| model.input(name, bits).expect("an input");
        let output = |name, bits| model.output(name, bits).expect("an output");
        Self {
            here_router: input("here_router", 18),
            wired: input("wired", PORTS as u32),
            from_port: input("from_port", PORTS as u32),
            from_kind: input("from_kind", 2),
            from_vc: input("from_vc", 2),
            header: input("header", layout::HEADER_BITS),
            rows: input("rows", 7 * PORTS as u32),
            is_drawn: input("drawn", 1),
            offered: output("offered", VARIANTS as u32 * 64),
            onward: output("onward_header", layout::HEADER_BITS),
            drawn: output("drawn_header", layout::HEADER_BITS),
            drawn_hop: output("drawn_hop", 1),
        }
    }
}

/// A packet somewhere.
#[derive(Clone, Copy, Debug)]
struct Case {
    here: Here,
    from: Arrival,
    header: Header,
}

/// What is drawn for all three routers.
struct Drawn {
    ports: Vec<PortSet>,
    legs: Vec<PortSet>,
    up: Vec<PortSet>,
    entries: Vec<Entry>,
    by_node: Vec<PortSet>,
    /// Where the interval of each port of each router begins.
    starts: Vec<u32>,
}

impl Drawn {
    fn new(chance: &mut Chance) -> Self {
        const LINKS: usize = 0b1110;
        let mut some = |of: usize| PortSet::from_bits(chance.some(of) | chance.one(of));
        let pairs: Vec<(u32, u32)> = (0..ROUTERS).flat_map(|a| (0..ROUTERS).map(move |b| (a, b))).collect();
        let up: Vec<_> = (0..ROUTERS).map(|_| some(LINKS)).collect();
        let ports = pairs.iter().map(|(a, b)| if a == b { PortSet::EMPTY } else { some(LINKS) }).collect();
        let by_node = (0..pairs.len() * usize::from(NODES)).map(|_| some(LINKS | 1)).collect();
        // Towards `there`, from `here`, then for what has gone down.
        let leg = |(there, here): &(u32, u32)| {
            let first = if there == here { PortSet::EMPTY } else { some(LINKS) };
            let down = some(LINKS).minus(up[*here as usize]);
            [first, if there == here { PortSet::EMPTY } else { down }]
        };
        let legs = pairs.iter().flat_map(leg).collect();
        let entry = |_| {
            let vcs = VcSet::from_bits((chance.below(7) + 1) as u8);
            if chance.happens(1, 9) {
                Entry::NONE
            } else {
                Entry::new(PortId::new(1 + chance.below(3) as u8), vcs)
            }
        };
        let entries = (0..pairs.len()).map(entry).collect();
        // Each port has an interval or none, and no two of a router begin at the same label.
        let mut starts = vec![NO_INTERVAL; ROUTERS as usize * PORTS];
        for router in starts.chunks_mut(PORTS) {
            let turn = chance.below(ROUTERS as usize) as u32;
            for (place, start) in router.iter_mut().skip(1).zip(0..) {
                *place = if chance.happens(1, 4) { NO_INTERVAL } else { (start + turn) % ROUTERS };
            }
        }
        Self { ports, legs, up, entries, by_node, starts }
    }

    /// What a variant offers, and the rows of its table at this router.
    fn offer(&self, variant: usize, case: &Case) -> (Candidates, Vec<usize>) {
        let Case { here, from, header } = case;
        let between = |_| <PortSet>::range(1, PORTS);
        let table = Table::load(&self.ports, ROUTERS, between).expect("a table");
        let legs = UpDownTable::load(&self.legs, &self.up, between).expect("a table");
        let rule = if variant == 5 { VcRule::PerHop } else { VcRule::PerRoute };
        let entries =
            ForwardingTable::load(&self.entries, &[], &[], ROUTERS, rule, between).expect("a table");
        let routes = RouteTable::load(&[0; 9], ROUTERS, PORTS as u8, 1).expect("routes");
        let at = here.router;
        let all = || 0..ROUTERS;
        let plain = || all().map(|there| table.ports(at, there).bits()).collect::<Vec<_>>();
        let leg = |down| all().map(move |there| legs.ports(at, there, down).bits());
        let entry = |there| entries.entry(at, Address { router: there, port: 0 });
        let (offer, rows) = match variant {
            0 => (table.offer(here, *from, header), plain()),
            1 => (Multipath { table }.offer(here, *from, header), plain()),
            2 => (
                legs.offer(here, *from, header),
                leg(false).chain(leg(true)).chain([legs.up(at).bits()]).collect(),
            ),
            3 | 4 => return self.to_nodes(variant == 3, case),
            5 | 6 => {
                let ports = all().map(|there| entry(there).port().map_or(0, |port| 1 << port.number()));
                let vcs = all().map(|there| entry(there).vcs.bits().into());
                (entries.offer(here, *from, header), ports.chain(vcs).collect())
            }
            9 => return self.drawn(case),
            10 => return self.by_label(case),
            _ => (Source { table: routes, rises: variant == 7 }.offer(here, *from, header), Vec::new()),
        };
        (offer.expect("room for a set"), rows)
    }

    /// By a table with every port of a choice, the one that was drawn in the header.
    fn drawn(&self, Case { here, header, .. }: &Case) -> (Candidates, Vec<usize>) {
        let rows = &self.by_node[here.router as usize * ROUTERS as usize..][..ROUTERS as usize];
        let offer = match header.to {
            to if to.port >= NODES || to.router >= ROUTERS => Candidates::NONE,
            to if to.router == here.router => consume(here, to),
            to => {
                let ways = rows[to.router as usize];
                let drawn = PortSet::only(PortId::new((header.via & 0b11_1111) as u8));
                let ports = if ways.len() > 1 { ways.and(drawn) } else { ways };
                Candidates::minimal(ports, VcSet::from_bits(u8::MAX))
            }
        };
        (offer, rows.iter().map(|ports| ports.bits()).collect())
    }

    /// By the intervals of labels, turned so that a row has a bit of each port's.
    fn by_label(&self, Case { here, from, header }: &Case) -> (Candidates, Vec<usize>) {
        const LABELS: [u32; 3] = [0, 1, 2];
        let between = |_| <PortSet>::range(1, PORTS);
        let table = IntervalTable::load(&LABELS, &self.starts, PORTS as u32, between).expect("a table");
        let row = |of: &dyn Fn(u32) -> bool| {
            let starts = &self.starts[here.router as usize * PORTS..][..PORTS];
            starts
                .iter()
                .enumerate()
                .filter(|(_, start)| of(**start))
                .fold(0, |all, (port, _)| all | 1 << port)
        };
        let bit = |bit: u32| row(&|start| start != NO_INTERVAL && start >> bit & 1 == 1);
        let rows = vec![bit(0), bit(1), row(&|start| start != NO_INTERVAL)];
        (table.offer(here, *from, header).expect("room for a set"), rows)
    }

    /// By a table that knows nodes: a row for each of them, or for each router.
    fn to_nodes(&self, by_node: bool, Case { here, header, .. }: &Case) -> (Candidates, Vec<usize>) {
        let each = if by_node { usize::from(NODES) } else { 1 };
        let count = ROUTERS as usize * each;
        let rows = &self.by_node[here.router as usize * count..][..count];
        let to = header.to;
        let row = to.router as usize * each + if by_node { usize::from(to.port) } else { 0 };
        let offer = match () {
            () if to.port >= NODES || to.router >= ROUTERS => Candidates::NONE,
            () if to.router == here.router => consume(here, to),
            () => Candidates::minimal(rows[row], VcSet::from_bits(u8::MAX)),
        };
        (offer, rows.iter().map(|ports| ports.bits()).collect())
    }
}

/// The first difference.
pub(crate) fn compare(model: &mut Model, tally: &mut Tally<6>) -> Result<(), String> {
    let pins = Pins::of(model);
    for seed in 0..DRAWS {
        let mut chance = Chance::new(seed);
        let drawn = Drawn::new(&mut chance);
        for case in cases(&mut chance) {
            for variant in 0..VARIANTS {
                let (offer, rows) = drawn.offer(variant, &case);
                let rtl = ask(&pins, model, &case, variant, &rows)?;
                let routing =
                    if [7, 8].contains(&variant) { layout::ROUTING_SOURCE } else { layout::ROUTING_TABLE };
                let rust = packed(&offer, routing, PORTS, VCS);
                if rust != rtl {
                    return Err(format!(
                        "variant {variant}, {case:?}, {rows:?}: RTL {rtl:#b}, Rust {rust:#b}"
                    ));
                }
                if variant == 9 {
                    let ways = rows.get(case.header.to.router as usize).map_or(0, |ways| ways.count_ones());
                    let is_drawn = ways > 1;
                    if model.get(pins.drawn_hop) != u64::from(is_drawn) {
                        return Err(format!("{case:?}, {rows:?}: a hop that was drawn is {is_drawn}"));
                    }
                }
                note(tally, &drawn, &case, variant, &offer);
            }
            onward(&pins, model, &case)?;
        }
    }
    Ok(())
}

/// Packets that came by every port and VC, to every router and some beyond, each with a port and a route that are drawn.
fn cases(chance: &mut Chance) -> Vec<Case> {
    let mut cases = Vec::new();
    for (router, port) in (0..ROUTERS).flat_map(|router| (0..PORTS).map(move |port| (router, port))) {
        for (vc, there) in (0..4).flat_map(|vc| [0, 1, 2, 3, 6, 1 << 17].map(|there| (vc, there))) {
            let holes = if chance.happens(1, 8) { chance.one(0b1111) } else { 0 };
            let wired = PortSet::first_n(PORTS).minus(PortSet::from_bits(holes));
            let kind = if port == 0 { PortClass::NODE } else { PortClass::LOCAL };
            // A label and a port as often as anything else.
            let via_below = [1 << layout::VIA_BITS, 4][chance.below(2)];
            let to = Address { router: there, port: [0, 1, 2, 3, 4, 32][chance.below(6)] };
            let header = Header {
                to,
                via: chance.below(via_below) as u32,
                progress: Progress::from_bits(chance.below(1 << layout::PROGRESS_BITS) as u8),
                length: 1 + chance.below(2) as u16,
                ..Header::default()
            };
            let from = Arrival { port: PortId::new(port as u8), kind, vc: VcId::new(vc) };
            cases.push(Case { here: Here { router, wired, ..Here::default() }, from, header });
        }
    }
    cases
}

fn ask(pins: &Pins, model: &mut Model, case: &Case, variant: usize, rows: &[usize]) -> Result<u64, String> {
    let Case { here, from, header } = case;
    let packed = rows.iter().rev().fold(0, |all, row| all << PORTS | *row as u64);
    model.set(pins.here_router, u64::from(here.router));
    model.set(pins.wired, here.wired.bits() as u64);
    model.set(pins.from_port, 1 << from.port.number());
    model.set(pins.from_kind, kind_number(from.kind));
    model.set(pins.from_vc, u64::from(from.vc.number()));
    model.set_words(pins.header, &header.emit().0);
    model.set(pins.rows, packed);
    model.set(pins.is_drawn, u64::from(header.length & 1));
    model.eval().map_err(|error| error.to_string())?;
    let mut words = vec![0; 2 * VARIANTS];
    model.get_words(pins.offered, &mut words);
    Ok(u64::from(words[2 * variant + 1]) << 32 | u64::from(words[2 * variant]))
}

/// The header as it leaves: the output that has been read is taken off, or the port that was drawn, where there was a choice.
fn onward(pins: &Pins, model: &Model, case: &Case) -> Result<(), String> {
    let Case { here, header, .. } = case;
    let table = RouteTable::load(&[0; 9], ROUTERS, PORTS as u8, 1).expect("routes");
    let source = Source { table, rises: false };
    let read = source.onward(here, header, PortClass::LOCAL, HopKind::Minimal);
    let chosen = header.length & 1 == 1;
    let drawn = Header { via: if chosen { header.via >> 6 } else { header.via }, ..*header };
    for (pin, rust) in [(pins.onward, read), (pins.drawn, drawn)] {
        let mut rtl = [0; layout::HEADER_WORDS as usize];
        model.get_words(pin, &mut rtl);
        if rtl != rust.emit().0 {
            return Err(format!("{case:?}: header onward: RTL {rtl:x?}, Rust {rust:x?}"));
        }
    }
    Ok(())
}

fn note(tally: &mut Tally<6>, drawn: &Drawn, case: &Case, variant: usize, offer: &Candidates) {
    let (at, to, ports) = (case.here.router, case.header.to, offer.ports().len());
    let arrived = at == to.router;
    let pair = 2 * (to.router * ROUTERS + at) as usize;
    let differs = drawn.legs.get(pair) != drawn.legs.get(pair + 1);
    let seen = [
        arrived && ports == 1,
        !arrived && ports == 1,
        !arrived && ports > 1,
        ports == 0,
        variant == 2 && !arrived && differs && drawn.up[at as usize].contains(case.from.port),
        variant == 4 && to.router < ROUTERS && to.port >= NODES,
    ];
    seen.iter().enumerate().for_each(|(outcome, &yes)| tally.saw(outcome, u64::from(yes)));
    tally.compared += 1;
}
