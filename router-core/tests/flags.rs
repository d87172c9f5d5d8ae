//! Which of their global links the routers of a group flag, and what they make of that, cycle by cycle.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::exchange::Flags;
use desvio_core::fixed::U8F8;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::layout;
use desvio_core::links::PortSizes;
use desvio_core::map::dragonfly::{Arrangement, Dragonfly};
use desvio_core::piggyback::FlagRule;
use desvio_core::pins::{Bundle, FlitSignal, Pins, PortInputs};
use desvio_core::plan::Plan;
use desvio_core::route::ugal_dragonfly::UgalDragonfly;
use desvio_core::route::valiant::{Groups, Intermediate, Valiant};
use desvio_core::route::{Here, Routing};
use desvio_core::router::Router;
use desvio_core::select::Selection;
use desvio_core::select::ugal::UgalTrigger;
use desvio_core::units::{PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;

/// Port 0 leads to the node, 1 to the other router of the group, which has the link to group 1, and 2 to group 2.
const KINDS: [PortClass; 3] = [PortClass::NODE, PortClass::LOCAL, PortClass::GLOBAL];
const PORTS: usize = 4;
const NODE: PortId = PortId::new(0);
const LOCAL: PortId = PortId::new(1);
const GLOBAL: PortId = PortId::new(2);

/// Router 0 of group 0, of three groups of two.
struct Member {
    plan: Plan<PORTS>,
    routing: Routing<'static>,
    pins: Pins<Vec<Descriptor>, PORTS, 4, 8>,
    flags: Flags<Vec<u16>>,
}

impl Member {
    /// One whose packets are decided as they come from their node.
    fn new() -> Self {
        Self::of(true, 0)
    }

    /// One whose packets heed flags while they wait; its own queue has to be longer by so much for a detour.
    fn each_cycle(bias: u16) -> Self {
        Self::of(false, bias)
    }

    fn of(is_decided: bool, bias: u16) -> Self {
        let sizes = [3, 3, 2].map(|vcs| PortSizes { vcs, buffer: 16 });
        let mut plan = Plan::new(&KINDS, &sizes).unwrap();
        plan.flags = Some(FlagRule { factor: U8F8::ratio(1, 2), flits: 2 });
        plan.options.output_flits = 8;
        plan.groups = if is_decided { 0 } else { 3 };
        plan.selection = Selection::Ugal(UgalTrigger { bias, ..UgalTrigger::default() });
        let map = Dragonfly::new(1, 1, &[2; 3], Arrangement::Palmtree).unwrap();
        let here = Here {
            wired: PortSet::first_n(KINDS.len()),
            group_exits: PortSet::only(LOCAL),
            ..Here::default()
        };
        let valiant = Valiant { map, intermediate: Intermediate::Group, groups: Groups::default() };
        Self {
            flags: Flags::new(&plan, vec![0; Flags::<Vec<u16>>::places(&plan)]),
            pins: Pins::new(
                Router::new(&plan, here, vec![Descriptor::default(); plan.links.places()], 0, 1),
                1,
            ),
            routing: Routing::UgalDragonfly(UgalDragonfly { valiant, is_decided }),
            plan,
        }
    }

    /// The same where its own link is never flagged.
    fn never_flagged(mut self) -> Self {
        self.plan.flags = self.plan.flags.map(|rule| FlagRule { flits: 64, ..rule });
        self
    }

    /// A cycle in which this comes from the node, and these flags from the other router. A head is for a group, by way of the third one.
    fn step(&mut self, vc: u8, flit: Option<Flit>, flags: Option<[u16; 2]>) {
        self.step_with(vc, flit, None, flags);
    }

    /// The same, where a credit for VC 0 behind a port comes, too.
    fn step_with(&mut self, vc: u8, flit: Option<Flit>, credit: Option<PortId>, flags: Option<[u16; 2]>) {
        let mut inputs = Bundle::default();
        let flit = flit.map(|flit| FlitSignal { vc: VcId::new(vc), flit });
        inputs.set(NODE, PortInputs { flit, credit: None });
        if let Some(port) = credit {
            inputs.set(port, PortInputs { flit: None, credit: Some(VcId::new(0)) });
        }
        let notices = flags.iter().map(|flags| (0, flags.as_slice()));
        self.flags.step(&mut self.pins, &self.plan, &self.routing, &inputs, notices).1.unwrap();
    }

    /// A whole packet comes in a VC, and these flags with its head.
    fn packet(&mut self, vc: u8, group: u32, via: u32, flags: Option<[u16; 2]>) {
        self.step(vc, head(group, via, false), flags);
        (1..8).for_each(|flit| self.step(vc, Some(Flit::Body { tail: flit == 7 }), None));
    }

    /// So many cycles in which nothing comes.
    fn idle(&mut self, cycles: u32) {
        (0..cycles).for_each(|_| self.step(0, None, None));
    }

    /// Places in use of VC 0 behind the local port and the global one.
    fn used(&self) -> [u16; 2] {
        let left = |port| self.pins.router().output(port).unwrap().credits.left(VcId::new(0));
        [LOCAL, GLOBAL].map(|port| 16 - left(port))
    }

    /// The outputs that the packet at the front of a VC requests.
    fn request(&self, vc: u8) -> PortSet {
        self.pins.router().input(NODE, VcId::new(vc)).unwrap().request()
    }

    /// Whether the packet at the front of a VC takes its detour.
    fn detours(&self, vc: u8) -> bool {
        self.pins.router().input(NODE, VcId::new(vc)).unwrap().candidates().is_forced()
    }
}

fn head(group: u32, via: u32, via_ahead: bool) -> Option<Flit> {
    let to = Address { router: group << layout::ADDRESS_INDEX_BITS, port: 0 };
    let header = Header { to, via, length: 8, ..Header::default() };
    let header = Header { progress: header.progress.with_via_ahead(via_ahead), ..header };
    Some(Flit::Head(Packet { header, tag: 0 }))
}

/// A flag on the wires in one cycle decides about the head that is on its own in the next one, and until it is taken back; what the header
/// said does not count. Of two VCs behind the link the one counts that the packet takes.
#[test]
fn what_comes_is_known_in_the_next_cycle() {
    for (flags, counts) in [([1, 0], true), ([0, 1], false)] {
        let mut member = Member::new();
        member.step(0, head(1, 2, true), Some(flags));
        member.step(1, head(1, 2, false), None);
        member.step(2, None, Some([0, 0]));
        assert_eq!([0, 1].map(|vc| member.detours(vc)), [false, counts], "{flags:?}");
        assert_eq!(member.flags.heard(1, 0), 0);
        member.step(2, head(1, 2, true), None);
        member.step(0, None, None);
        assert!(!member.detours(2));
    }
}

/// A router tells in each cycle what it flagged in the cycle before, and goes by its own flags at once.
#[test]
fn own_flags_are_known_at_once_and_told_a_cycle_later() {
    let mut member = Member::new();
    assert_eq!(member.flags.tells(), None);
    member.step(0, head(2, 1, false), None);
    let mut known = [0, 0];
    for cycle in 1..16 {
        let told = member.flags.tells().unwrap().to_vec();
        assert_eq!(told, known, "cycle {cycle}");
        let flags = member.pins.router().flags(&member.plan, GLOBAL);
        known = [0, 1].map(|vc| flags.contains(VcId::new(vc)).into());
        let used = 16 - member.pins.router().output(GLOBAL).unwrap().credits.left(VcId::new(0));
        assert_eq!(known, [(used > 4).into(), 0], "used > used / 2 + 2, with {used}");
        member.step(0, (cycle < 8).then_some(Flit::Body { tail: cycle == 7 }), None);
    }
    assert_eq!(known, [1, 0]);
    member.step(1, head(2, 1, false), None);
    member.step(0, None, None);
    assert!(member.detours(1), "by the router's own link");
}

/// Where packets heed flags, one on the wires in cycle t is known to selection in t + 2: after the register that takes it, and the one for
/// the groups. A flag of the router's own is known a cycle after its queue has grown.
#[test]
fn flags_make_ways_contended() {
    let mut member = Member::each_cycle(u16::MAX);
    let known: Vec<_> = (0..12)
        .map(|cycle| {
            let flags = [(2, [0, 1]), (4, [1, 0]), (7, [0, 0])].into_iter().find(|&(at, _)| at == cycle);
            member.step(0, None, flags.map(|(_, flags)| flags));
            assert!(!member.pins.router().told_of(2) && !member.pins.router().told_of(0));
            member.pins.router().told_of(1)
        })
        .collect();
    // As it is at the end of a cycle. VC 1 behind the link is not the one that packets take.
    let expected: Vec<_> = (0..12).map(|cycle| (5..8).contains(&cycle)).collect();
    assert_eq!(known, expected);

    member.step(0, head(2, 1, false), None);
    let mut flagged = false;
    for cycle in 1..16 {
        member.step(0, (cycle < 8).then_some(Flit::Body { tail: cycle == 7 }), None);
        assert_eq!(member.pins.router().told_of(2), flagged, "cycle {cycle}");
        flagged = member.pins.router().flags(&member.plan, GLOBAL).contains(VcId::new(0));
    }
    assert!(flagged && !member.pins.router().told_of(1));
}

/// A packet that waits changes its mind with the flag, room or not: it leaves by the way that the flag says in the cycle in which there is room.
#[test]
fn a_packet_that_waits_changes_its_mind_with_the_flag() {
    let (minimal, detour) = (PortSet::only(LOCAL), PortSet::only(GLOBAL));
    let waiting = || {
        let mut member = Member::each_cycle(u16::MAX).never_flagged();
        // The buffers behind both ways are full.
        for group in [1, 1, 2, 2] {
            member.packet(0, group, 3 - group, None);
        }
        member.packet(1, 1, 2, None);
        member.idle(10);
        assert_eq!((member.used(), member.request(1)), ([16, 16], minimal));
        member.step(0, None, Some([1, 0]));
        let asked = [0; 5].map(|_| {
            member.idle(1);
            member.request(1)
        });
        // Known in t + 2, selected in that cycle, and requested from its end on.
        assert_eq!(asked, [minimal, detour, detour, detour, detour]);
        member
    };
    let free = |member: &mut Member, port| {
        (0..8).for_each(|_| member.step_with(0, None, Some(port), None));
        member.idle(12);
        member.used()
    };
    // What it does not ask for does not make it leave.
    let mut member = waiting();
    assert_eq!(free(&mut member, LOCAL), [8, 16]);
    assert_eq!(free(&mut member, GLOBAL), [8, 16], "it has left by its detour");
    // The flag falls again.
    let mut member = waiting();
    member.step(0, None, Some([0, 0]));
    member.idle(2);
    assert_eq!(member.request(1), minimal);
    assert_eq!(free(&mut member, GLOBAL), [16, 8]);
    assert_eq!(free(&mut member, LOCAL), [16, 8], "it has left by its shortest way");
}

/// Where the link of its shortest way is flagged a packet takes its detour, and no other way, whatever its own queues are. A flag of the
/// other VC behind the link does not count. Without a flag the packet goes by the queues.
#[test]
fn a_flagged_link_is_passed_by() {
    let by_flag = [[0, 8], [0, 16], [0, 16]];
    let by_nothing = [[8, 0], [16, 0], [16, 0]];
    // The detour has four hops and the shortest way has two: as many flits on both are not enough.
    let by_queues = [[8, 0], [8, 8], [16, 8]];
    let cases = [(u16::MAX, [1, 0], by_flag), (u16::MAX, [0, 1], by_nothing), (0, [0, 0], by_queues)];
    for (bias, flags, expected) in cases {
        let mut member = Member::each_cycle(bias).never_flagged();
        member.step(0, None, Some(flags));
        for used in expected {
            member.packet(0, 1, 2, None);
            member.idle(10);
            assert_eq!(member.used(), used, "{flags:?}, bias {bias}");
        }
    }
}
