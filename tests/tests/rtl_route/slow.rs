//! The slow half.

use super::*;

#[test]
fn every_place_of_small_dragonflies_is_offered_the_same() {
    let every = |_: &mut Chance| (0..64).collect();
    let some = |chance: &mut Chance| vec![chance.word() as u8 & 63];
    let tiny = shape(1, 2, 1, 3).map(|shape| (shape, true));
    // Its arrangements differ in what `any_place` compares.
    let paper = shape(2, 4, 2, 9).take(either(1, 3)).map(|shape| (shape, is_long()));
    let shapes: Vec<_> = tiny.chain(paper).collect();
    let one = |(shape, all): &(Shape, bool)| {
        if *all { every_place(shape, every) } else { every_place(shape, some) }
    };
    let tally = sum(shapes.par_iter().map(one).collect());
    // Where all pairs of groups have one link, and all ports are connected.
    let Some(tally) = tally else { return };
    let unbalanced = [Seen::NodeMissing, Seen::SeveralLinks, Seen::SeveralExits, Seen::NowhereToLeave];
    tally
        .without(unbalanced.map(|seen| seen as usize))
        .conclude("route, every place", either(1_000_000, 100_000_000));
}

#[test]
fn any_place_and_any_header_are_offered_the_same() {
    let times = either(10_000, 500_000);
    // Another arrangement for each size; in the long run each for each.
    let sizes = [(2, 4, 2, 9), (2, 4, 2, 8), (2, 4, 2, 5), (1, 3, 3, 2)];
    let some = |(number, (p, a, h, groups)): (usize, _)| {
        shape(p, a, h, groups).skip(either(number % 3, 0)).take(either(1, 3))
    };
    let shapes: Vec<_> = (0..)
        .zip(sizes)
        .flat_map(some)
        .map(|shape| (shape, 3))
        .chain(shape(4, 8, 4, 33).take(either(1, 3)).map(|shape| (shape, 3)))
        .chain(shape(2, 4, 2, 4).take(1).map(|shape| (shape, 8)))
        .chain(shape(2, 1, 4, 5).take(1).map(|shape| (shape, 2)))
        .collect();
    let tally = sum(shapes.par_iter().map(|(shape, vcs)| any_place(shape, *vcs, times)).collect());
    if let Some(tally) = tally {
        tally.conclude("route, any place", 13 * shapes.len() as u64 * times as u64);
    }
}

#[test]
fn tables_are_offered_the_same() {
    const ROUTERS: u32 = 16;
    const PORTS: usize = 4;
    let parameters =
        [("NODES", 1), ("LOCALS", 3), ("GLOBALS", 0), ("GROUPS", 1), ("ROUTING", layout::ROUTING_TABLE)];
    let Some(library) = compiled("route", &ROUTE, &parameters) else { return };
    let mut bench = Bench::new(&library);
    let mut chance = Chance::new(3);
    let (between, times) = (0b1110, either(50_000, 1_000_000));
    let entry = |here: u32, there: u32, chance: &mut Chance| {
        if here == there { 0 } else { chance.some(between).max(2) }
    };
    let ports: Vec<_> = (0..ROUTERS * ROUTERS)
        .map(|n| PortSet::from_bits(entry(n / ROUTERS, n % ROUTERS, &mut chance)))
        .collect();
    let table = Table::load(&ports, ROUTERS, |_| PortSet::from_bits(between)).expect("a table");
    let inputs = ["wired", "from_port", "table_ports"].map(|name| bench.input(name, PORTS));
    let (here_router, header_pin) = (bench.input("here_router", 18), bench.input("header", HEADER));
    let (from_kind, from_vc) = (bench.input("from_kind", 2), bench.input("from_vc", 2));
    let (set_ports, set_vcs) = (bench.output("set_ports", PORTS), bench.output("set_vcs", 3));
    let forced = bench.output("forced", 1);
    let names = ["the node", "a node that is not connected", "a hop", "several hops", "no such router"];
    let mut tally = Tally::new(names);
    for _ in 0..times {
        let here = Here {
            router: chance.below(ROUTERS as usize) as u32,
            wired: PortSet::from_bits(chance.some(0b1111)),
            ..Here::default()
        };
        let port = PortId::new(chance.below(PORTS) as u8);
        let kind = if port.index() == 0 { PortClass::NODE } else { PortClass::LOCAL };
        let from = Arrival { port, kind, vc: VcId::new(chance.below(4) as u8) };
        let mut header = random_header(&mut chance);
        if chance.happens(7, 8) {
            header.to.router = chance.below(ROUTERS as usize + 1) as u32;
        }
        if chance.happens(1, 2) {
            header.to.port = chance.below(PORTS) as u8;
        }
        let entry = table.ports(here.router, header.to.router);
        for (pin, value) in
            inputs.iter().zip([here.wired.bits() as u64, 1 << port.number(), entry.bits() as u64])
        {
            bench.set(*pin, value);
        }
        bench.set(here_router, u64::from(here.router));
        bench.set_words(header_pin, &header.emit().0);
        bench.set(from_kind, kind_number(kind));
        bench.set(from_vc, u64::from(from.vc.number()));
        bench.eval();
        let offer = table.offer(&here, from, &header).expect("room for one set");
        let rtl = (bench.get(set_ports) << 3 | bench.get(set_vcs)) << 1 | bench.get(forced);
        assert_eq!(
            rtl,
            packed(&offer, layout::ROUTING_TABLE, PORTS, 3),
            "at {here:?} from {from:?} with {header:?}: {offer:?}"
        );
        let arrived = here.router == header.to.router;
        let ports = offer.ports().len();
        let seen = [
            arrived && ports == 1,
            arrived && ports == 0,
            !arrived && ports == 1,
            !arrived && ports > 1,
            header.to.router >= ROUTERS && ports == 0,
        ];
        seen.iter().enumerate().for_each(|(at, &yes)| tally.saw(at, u64::from(yes)));
        tally.compared += 1;
    }
    tally.conclude("route, table", times as u64);
}

#[test]
fn headers_are_read_the_same() {
    let Some(library) = compiled("fields", &["fields"], &[]) else { return };
    let mut bench = Bench::new(&library);
    let raw = bench.input("raw", HEADER);
    let fields = [
        ("to_router", 18),
        ("to_port", 6),
        ("local_misroutes", 3),
        ("left_origin", 1),
        ("must_leave", 1),
        ("via_ahead", 1),
        ("forward_mark", 1),
        ("backward_mark", 1),
        ("from_router", 18),
        ("from_port", 6),
        ("spare", 8),
        ("via", 18),
        ("service_level", 4),
        ("packet_length", 10),
    ]
    .map(|(name, bits)| bench.output(name, bits));
    let mut chance = Chance::new(4);
    let mut tally = Tally::new(["legal"]);
    let times = either(20_000, 1_000_000);
    for _ in 0..times {
        let words: [u32; WORDS] = std::array::from_fn(|_| chance.word() as u32);
        let Ok(header) = Header::parse(RawHeader(words)) else { continue };
        bench.set_words(raw, &words);
        bench.eval();
        let (progress, carried) = (header.progress, header.carried);
        let rust = [
            u64::from(header.to.router),
            u64::from(header.to.port),
            u64::from(progress.local_misroutes()),
            u64::from(progress.left_origin()),
            u64::from(progress.must_leave()),
            u64::from(progress.via_ahead()),
            u64::from(carried.forward_mark()),
            u64::from(carried.backward_mark()),
            u64::from(carried.source().router),
            u64::from(carried.source().port),
            u64::from(carried.spare()),
            u64::from(header.via),
            u64::from(carried.level()),
            u64::from(header.length),
        ];
        assert_eq!(fields.map(|field| bench.get(field)), rust, "{words:x?}");
        tally.saw(0, 1);
        tally.compared += 1;
    }
    tally.conclude("header", times as u64 * 9 / 10);
}

#[test]
fn headers_leave_the_same() {
    let shape = Shape::balanced(2, 9, ARRANGEMENTS[0]);
    let olm = |scope| Olm {
        map: shape.map(),
        scheme: OlmScheme { rules: Rules::Free, policy: Policy::Mm, local_misrouting: true, limit: 1, scope },
    };
    let by = |routing, scope| [("ROUTING", routing), ("SCOPE", scope)];
    let tallies = vec![
        onward(&by(layout::ROUTING_OLM, layout::SCOPE_GROUP), &olm(Scope::Group), &shape),
        onward(&by(layout::ROUTING_OLM, layout::SCOPE_ROUTE), &olm(Scope::Route), &shape),
        onward(&by(layout::ROUTING_MINIMAL, layout::SCOPE_GROUP), &Minimal { map: shape.map() }, &shape),
    ];
    if let Some(tally) = sum(tallies) {
        tally.conclude("onward", either(20, 500) * 64 * 2 * 3 * 3);
    }
}
