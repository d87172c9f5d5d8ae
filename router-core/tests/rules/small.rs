//! Small things by their definitions: draws, marks' settings, places of reservation, paths, fixed-point numbers, pipelines.

use desvio_core::congestion::{PATHS, PathSet, PathSettings};
use desvio_core::drb::{SupernodeKind, SupernodeShape};
use desvio_core::header::{Address, Header};
use desvio_core::lfsr::Lfsr;
use desvio_core::links::{FlowControl, LinksError, PortSizes, VcAllocation, VcOrder};
use desvio_core::map::AnyMap;
use desvio_core::map::forwarding::Entry;
use desvio_core::map::grid::Grid;
use desvio_core::map::steps::{StepParts, StepTable};
use desvio_core::options::Pipeline;
use desvio_core::output::OutputPort;
use desvio_core::piggyback::Piggyback;
use desvio_core::plan::Plan;
use desvio_core::reservation::{Message, Places, Reservation, has_place, with_place};
use desvio_core::route::candidates::Packing;
use desvio_core::route::drb::DrbScheme;
use desvio_core::route::{CandidateSet, Candidates, Draw, Misfit, Scheme};
use desvio_core::router::{body_cycles, router_cycles};
use desvio_core::settings::Word;
use desvio_core::state::{Register, visit};
use desvio_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

/// Proves: the register steps by the triple 13, 17, 5 (Marsaglia, 2003), and each requester reads it turned left by 7 for each port and 11 for each VC.
#[test]
fn the_register_steps_and_turns_as_it_is_defined() {
    let mut lfsr = Lfsr::new(9, 4);
    for _ in 0..200 {
        let mut word = lfsr.word();
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        for (port, vc) in (0..40).flat_map(|port| (0..8).map(move |vc| (port, vc))) {
            let turned = lfsr.word().rotate_left((u32::from(port) * 7 + u32::from(vc) * 11) % 32);
            for n in [0, 1, 2, 3, 7, 100, 65_535] {
                assert_eq!(lfsr.tap(port, vc).below(n), ((turned >> 16) as usize * n) >> 16);
                assert_eq!(lfsr.tap(port, vc).second_below(n), ((turned & 0xffff) as usize * n) >> 16);
            }
        }
        lfsr.step();
        assert_eq!(lfsr.word(), word);
    }
    // As a generator: a word each, the first of two above the second, bytes the lowest first.
    let (mut one, mut other) = (lfsr, lfsr);
    let words = [other.next_u32(), other.next_u32(), other.next_u32(), other.next_u32(), other.next_u32()];
    assert_eq!(one.next_u64(), u64::from(words[0]) << 32 | u64::from(words[1]));
    let mut bytes = [0; 10];
    one.fill_bytes(&mut bytes);
    let expected: Vec<_> = words[2..].iter().flat_map(|word| word.to_le_bytes()).take(10).collect();
    assert_eq!(bytes.as_slice(), expected);
    // SplitMix64's finaliser of the seed and of the router's number.
    let mix = |n: u64| {
        let z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for (seed, router) in [(0, 0), (1, 5), (u64::MAX, 9)] {
        let mixed = mix(seed ^ mix(u64::from(router)));
        assert_eq!(Lfsr::new(seed, router).word(), (mixed ^ (mixed >> 32)) as u32);
    }
    // A draw takes the upper bits of a word.
    let (mut random, mut same) = (Xoshiro128PlusPlus::seed_from_u64(2), Xoshiro128PlusPlus::seed_from_u64(2));
    for n in [0, 1, 2, 9, 4096] {
        assert_eq!(random.below(n), ((u64::from(same.next_u32()) * u64::from(n)) >> 32) as u32);
    }
}

/// Proves: places on a link are those of the threshold, and messages say their port or answer with the number of the packet.
#[test]
fn reservation_keeps_places() {
    assert_eq!((Reservation::default().threshold, Reservation::default().window), (12, 16));
    let mut places = Places::default();
    let asked: Vec<_> = (0..5).map(|_| places.ask(3)).collect();
    assert_eq!((asked, places.taken()), (vec![true, true, true, false, false], 3));
    places.cross();
    assert_eq!((places.taken(), places.ask(3), places.ask(3), places.taken()), (2, true, false, 3));
    (0..5).for_each(|_| places.cross());
    assert_eq!(places.taken(), 0);
    let header = Header { to: Address { router: 3, port: 1 }, length: 1, via: 77, ..Header::default() };
    let header = Header { progress: header.progress.with_via_ahead(true), ..header };
    for number in [0, 1, 255] {
        for message in [
            Message::Question(PortId::new(0)),
            Message::Question(PortId::new(63)),
            Message::Answer(true),
            Message::Answer(false),
        ] {
            let sent = message.onto(header, number);
            assert_eq!(Message::of(&sent), (message, number));
            assert_eq!((sent.to, sent.length, sent.progress.via_ahead()), (header.to, 1, false));
        }
    }
    let placed = with_place(header);
    assert!(has_place(&placed) && !has_place(&header) && !placed.progress.via_ahead());
    assert_eq!((placed.to, placed.via), (header.to, 77));
}

/// Proves: a flag rule in packets is one in flits of their length; by default twice the mean and five packets.
#[test]
fn flags_count_packets_in_flits() {
    let rule = Piggyback::default();
    assert_eq!((rule.factor.to_f64(), rule.packets), (2.0, 5));
    let flits = rule.for_packets(8);
    assert_eq!((flits.factor, flits.flits), (rule.factor, 40));
}

/// The rules of a set of paths, written a second time.
struct Paths {
    counts: Vec<u32>,
    open: usize,
    all: usize,
    heard: u32,
    warned: bool,
    expired: u64,
}

impl Paths {
    fn notify(&mut self, path: usize, settings: &PathSettings) {
        if path >= self.open {
            return;
        }
        if self.counts[path] == 255 {
            self.counts.iter_mut().for_each(|count| *count = (*count / 2).max(1));
        }
        self.counts[path] += 1;
        (self.warned, self.heard) = (true, self.heard + 1);
        if self.heard >= settings.open_after.into() && self.open < self.all.min(settings.open_paths.into()) {
            self.counts[self.open] = *self.counts[..self.open].iter().min().unwrap();
            self.open += 1;
            self.heard = 0;
        }
    }

    fn expire(&mut self, expired: u64) {
        while self.expired < expired {
            self.expired += 1;
            self.counts.iter_mut().for_each(|count| *count = (*count / 2).max(1));
            if !self.warned {
                self.open = (self.open - 1).max(1);
            }
            (self.warned, self.heard) = (false, 0);
        }
    }
}

/// Proves: paths open with notifications, close and halve with the timer, and are drawn with 1 over their counts.
#[test]
fn paths_open_close_and_share() {
    for seed in 0..60 {
        let mut random = Xoshiro128PlusPlus::seed_from_u64(seed);
        let settings = PathSettings {
            open_paths: 1 + seed as u8 % 4,
            open_after: 1 + (seed / 4) as u8 % 3,
            contraction_timer: 10,
        };
        let lids: Vec<u8> = [0, 3, 5, 6, 7][..1 + seed as usize % 5].to_vec();
        let mut set = PathSet::new(&lids);
        let mut paths = Paths {
            counts: vec![1; PATHS],
            open: 1,
            all: lids.len().min(PATHS),
            heard: 0,
            warned: false,
            expired: 0,
        };
        let mut expired = 0;
        for step in 0..1500 {
            match random.next_u32() % 40 {
                0 => expired += 1,
                1 if step % 7 == 0 => expired += u64::from(random.next_u32() % 12),
                n => {
                    let path = n as usize % lids.len();
                    set.notify(lids[path], &settings);
                    paths.notify(path, &settings);
                }
            }
            set.expire(expired);
            paths.expire(expired);
            let expected: Vec<_> =
                (0..paths.open).map(|path| (lids[path], paths.counts[path] as u8)).collect();
            assert_eq!(
                (set.counts().collect::<Vec<_>>(), usize::from(set.open())),
                (expected, paths.open),
                "{settings:?}"
            );
            // Shares are 1/cn: at each of a thousand even draws the path whose part of the sum it falls into.
            let sum: f64 = paths.counts[..paths.open].iter().map(|&count| 1.0 / f64::from(count)).sum();
            for draw in [0, 1 << 30, 1 << 31, 3 << 30, u32::MAX] {
                let at = f64::from(draw) / 4_294_967_296.0 * sum;
                let mut reached = 0.0;
                let chosen = (0..paths.open).find(|&path| {
                    reached += 1.0 / f64::from(paths.counts[path]);
                    at < reached - 1e-9 || path == paths.open - 1
                });
                let near = (0..paths.open).any(|path| {
                    let upper: f64 = paths.counts[..=path].iter().map(|&count| 1.0 / f64::from(count)).sum();
                    (upper - at).abs() < 1e-6
                });
                assert!(near || set.select(draw) == lids[chosen.unwrap()], "{:?} {draw}", paths.counts);
            }
        }
    }
    let settings = PathSettings { contraction_timer: 10, ..PathSettings::default() };
    assert_eq!([0, 9, 10, 19, 20].map(|now| settings.expiries(now)), [0, 0, 1, 1, 2]);
    assert_eq!(PathSettings { contraction_timer: 0, ..settings }.expiries(99), 0);
    assert_eq!(PathSet::new(&[]).counts().collect::<Vec<_>>(), [(0, 1)]);
}

/// Proves: a pipeline has its cycles, divided by the speedup and rounded up; a later flit one less.
#[test]
fn pipelines_have_their_cycles() {
    for (pipeline, n) in Pipeline::ALL.into_iter().zip([4, 5, 6]) {
        assert_eq!((pipeline.cycles(), pipeline.body_cycles()), (n, n - 1));
        for speedup in 1..=7 {
            let up = |cycles: u32| cycles.div_ceil(speedup);
            assert_eq!(
                (router_cycles(pipeline, speedup), body_cycles(pipeline, speedup)),
                (up(n), up(n - 1))
            );
        }
        assert_eq!((router_cycles(pipeline, 0), body_cycles(pipeline, 0)), (n, n - 1));
        assert_eq!(Pipeline::of(n), Some(pipeline));
    }
    assert_eq!((Pipeline::of(3), Pipeline::of(7)), (None, None));
}

/// Proves: what each flow control asks for and does is what `docs/switching.md` says.
#[test]
fn flow_controls_are_what_they_say() {
    use FlowControl::{Circuit, MadPostman, PipelinedCircuit, StoreAndForward, Vct, Wormhole};
    let all = [Vct, Wormhole, StoreAndForward, Circuit, PipelinedCircuit, MadPostman];
    assert_eq!(all.map(|flow| flow.room(7, true)), [7, 1, 7, 1, 1, 1]);
    assert_eq!(all.map(|flow| flow.room(7, false)), [7; 6]);
    assert_eq!(all.map(FlowControl::by_flit), [false, true, false, true, true, true]);
    assert_eq!(all.map(FlowControl::is_circuit), [false, false, false, true, true, false]);
    assert_eq!(all.map(FlowControl::backtracks), [false, false, false, false, true, false]);
    assert_eq!(all.map(FlowControl::goes_ahead), [false, false, false, false, false, true]);
    assert_eq!(all.map(FlowControl::is_atomic), [false, false, false, true, true, true]);
    assert_eq!(all.map(|flow| flow.rtl().is_some()), [true, true, true, false, false, false]);
    assert_eq!(
        all.map(|flow| flow.word()),
        ["vct", "wormhole", "store-and-forward", "circuit", "pipelined-circuit", "mad-postman"]
    );
}

/// Proves: descending VCs have their names turned round within their class, both ways; ascending ones are as they are.
#[test]
fn descending_vcs_are_turned_round() {
    let classes = [0, 1, 2].map(PortClass::new);
    let sizes = [3, 5, 1].map(|vcs| PortSizes { vcs, buffer: 4 });
    let mut plan = Plan::<4>::new(&classes, &sizes).unwrap();
    for order in [VcOrder::Ascending, VcOrder::Descending] {
        plan.links.vc_order = order;
        for (port, vcs) in [(0, 3), (1, 5), (2, 1)] {
            for vc in 0..vcs {
                // Nodes keep their names.
                let expected = if order == VcOrder::Descending && port > 0 { vcs - 1 - vc } else { vc };
                let found = plan.links.relabel(PortId::new(port), VcId::new(vc));
                assert_eq!(found, VcId::new(expected), "{order:?} {port}");
                assert_eq!(plan.links.relabel(PortId::new(port), found), VcId::new(vc));
                assert_eq!(
                    plan.links.relabel_of_class(classes[usize::from(port)], VcId::new(vc)),
                    VcId::new(expected)
                );
            }
        }
    }
    assert_eq!(
        (plan.links.radix(), plan.links.class(PortId::new(2)), plan.links.buffer(PortId::new(1))),
        (3, classes[2], 4)
    );
    assert_eq!(plan.links.vcs(PortId::new(1)), VcSet::first_n(5));
    assert_eq!(plan.links.nodes::<usize>().iter().collect::<Vec<_>>(), [PortId::new(0)]);
    let error =
        |classes: &[PortClass], sizes: &[PortSizes]| Plan::<2>::new(classes, sizes).map(|_| ()).unwrap_err();
    let size = |vcs, buffer| [PortSizes { vcs, buffer }];
    let one = [PortClass::NODE];
    assert_eq!(error(&[PortClass::NODE; 3], &size(1, 1)), LinksError::Ports);
    assert_eq!([error(&one, &size(0, 1)), error(&one, &size(9, 1)), error(&one, &[])], [LinksError::Vcs; 3]);
    assert_eq!(error(&one, &size(1, 0)), LinksError::Buffer);
    assert!(Plan::<2>::new(&one, &size(8, 1)).is_ok());
}

/// Proves: an atomic VC has to be empty, a bubble takes room for two packets where one comes on to a ring.
#[test]
fn room_follows_vc_allocation() {
    let sizes = [PortSizes { vcs: 2, buffer: 9 }; 2];
    let mut plan = Plan::<4>::new(&[PortClass::NODE, PortClass::new(1)], &sizes).unwrap();
    let link = PortId::new(1);
    let room = |plan: &Plan<4>| plan.links.room_at(link, 3);
    assert_eq!(room(&plan), 3);
    plan.links.vc_allocation = VcAllocation::Atomic;
    assert_eq!(room(&plan), 9, "an empty buffer");
    plan.links.vc_allocation = VcAllocation::Bubble;
    assert_eq!(room(&plan), 3);
}

/// Proves: an output that has sent nothing has nothing to send, and a full one has as many flits as its queue.
#[test]
fn an_idle_output_waits_for_nothing() {
    for mut output in [OutputPort::<2>::new(3), OutputPort::with_depths(|_| 3)] {
        for next in [0, 1, 7] {
            assert_eq!((output.waiting(next), output.is_full(next, 1)), (0, false));
        }
        assert_eq!(output.push(VcId::new(0), 7), (7, 1));
        assert_eq!((output.waiting(7), output.waiting(8), output.is_full(7, 1)), (1, 0, true));
    }
}

/// Proves: hops are packed into as many bits as the RTL has for them, those beyond as the highest number.
#[test]
fn hops_are_packed_with_the_highest_for_more() {
    let port = |port| PortSet::only(PortId::new(port));
    for (one, other) in (0..32u8).flat_map(|one| (0..32).map(move |other| (one, other))) {
        let set =
            |ports, hops| CandidateSet { ports, vcs: VcSet::first_n(1), hops, ..CandidateSet::default() };
        let all = <Candidates>::of([set(port(0), one), set(port(1), other)]);
        let kept = |hops: u8| u128::from(hops.min(7));
        assert_eq!(Packing::pack_hops(&all), kept(other) << 3 | kept(one), "{one} {other}");
    }
}

/// Proves: DRB takes networks of up to 9 bits of address, and subtopologies on grids alone.
#[test]
fn multi_step_paths_have_nine_bits_for_a_router() {
    let scheme = DrbScheme::default();
    for (dims, bits) in [
        (&[32, 16][..], 9),
        (&[8, 8, 8], 9),
        (&[4, 2, 2, 2, 2, 2, 2, 2], 9),
        (&[32, 17], 10),
        (&[512, 2], 10),
        (&[600], 10),
    ] {
        let map = AnyMap::Grid(Grid::new(dims, 1, false).unwrap());
        let expected = if bits > 9 { Err(Misfit::Address { most: 9, found: bits }) } else { Ok(()) };
        assert_eq!(scheme.check(&map), expected, "{dims:?}");
    }
    let cube = SupernodeShape { kind: SupernodeKind::Subtopology, ..SupernodeShape::default() };
    for (routers, found) in [(512, 9), (513, 10), (1024, 10), (1025, 11)] {
        let entry = |at: usize| {
            if at.is_multiple_of(routers + 1) {
                Entry::NONE
            } else {
                Entry::new(PortId::new(1), VcSet::first_n(8))
            }
        };
        let entries: Vec<_> = (0..routers * routers).map(entry).collect();
        let (hops, peers) = (vec![1; routers * routers], vec![0; routers * 2]);
        let parts = StepParts {
            entries: &entries,
            hops: &hops,
            peers: &peers,
            width: 2,
            routers: routers as u32,
            classes: [2, 4],
        };
        let map = AnyMap::Steps(StepTable::load(parts, |_| <PortSet>::only(PortId::new(1))).unwrap());
        let expected = if found > 9 { Err(Misfit::Address { most: 9, found }) } else { Ok(()) };
        assert_eq!(scheme.check(&map), expected, "{routers} routers");
        for scheme in [
            DrbScheme { source_supernode: Some(cube), ..scheme },
            DrbScheme { destination_supernode: Some(cube), ..scheme },
        ] {
            assert_eq!(scheme.check(&map), Err(Misfit::NoSubtopology));
            assert_eq!(scheme.check(&AnyMap::Grid(Grid::new(&[4, 4], 1, false).unwrap())), Ok(()));
        }
    }
}

/// Proves: each VC of a port to another group, or to a node, says the group that its packet leaves for, where groups are counted at all.
#[test]
fn registers_of_groups_are_there_with_the_first_group() {
    for groups in 0..4 {
        let kinds = [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL];
        let mut plan = Plan::<3>::new(&kinds, &[2, 4, 3].map(|vcs| PortSizes { vcs, buffer: 4 })).unwrap();
        plan.groups = groups;
        let mut leaving = Vec::new();
        visit(&plan, 4, &mut |register| {
            if let Register::Leaving(port, vc) = register {
                leaving.push((port.number(), vc.number()));
            }
        });
        let expected: &[_] = if groups == 0 { &[] } else { &[(0, 0), (0, 1), (2, 0), (2, 1), (2, 2)] };
        assert_eq!(leaving, expected, "{groups} groups");
    }
}
