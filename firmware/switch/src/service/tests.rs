//! Each check is broken once, and names it; a board that is sound finds nothing.

mod bench;

use super::audit::wrong_queue;
use super::*;
use crate::control::Tabled;
use crate::neighbour::{Anywhere, Neighbour};
use crate::standard::{self, BUFFER, FIFO, PACKET};
use crate::switch::Switch;
use bench::*;
use desvio_driver::register::Register as _;
use desvio_driver::registers::{Commit, ContentionThreshold, MinimalOccupancy, Wired};
use router_core::plan::{CountAt, Plan};
use router_core::route::Here;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::route::olm::OlmScheme;
use router_core::select::Selection;
use router_core::select::contention::ContentionTrigger;
use router_core::vc::Descriptor;
use tether::setup::Setup;

#[test]
fn a_sound_board_finds_nothing_and_feeds_its_watchdog_in_each_round() {
    with_board(|board, service, outside| {
        rounds(board, service, outside, 200);
        assert_eq!(service.findings().bits(), 0, "{:?}", service.findings());
        assert_eq!((service.rounds(), outside.fed.get()), (220, 220));
        let total = board.switch().counters().total();
        assert!(total.flits_out > 1_000 && total.credits_in > 1_000, "{total:?}");
        assert_eq!(service.pace().late(), 0);
        // Another table and another threshold, while packets are on their way.
        program(board, |row| if row == 5 { 0 } else { 2 << ((row + 1) % 4) }, false);
        write(board, ContentionThreshold::ADDRESS, 2);
        commit(board, Commit::default().with_thresholds(true));
        rounds(board, service, outside, 50);
        assert_eq!(service.findings().bits(), 0, "{:?}", service.findings());
        // Begun anew, it refuses the rest of packets that were on their way, and credits of flits that had left.
        commit(board, Commit::default().with_restart(true));
        rounds(board, service, outside, 50);
        assert_eq!(service.findings().bits(), 1 << 12, "{:?}", service.findings());
        assert_eq!(service.rounds(), outside.fed.get());
    });
}

#[test]
fn routers_with_detours_and_without_registers_are_sound_too() {
    fn sound<R: router_core::route::Route, const P: usize, const V: usize>(
        setup: &Setup,
        routing: R,
        to: Anywhere,
    ) {
        let mut store = [Descriptor::default(); 95];
        let links = core::array::from_fn(|port| {
            Neighbour::new(port as u32, to, 300, PACKET, BUFFER).with_favourite(0)
        });
        let switch = Switch::<R, _, P, V, { FIFO as usize }>::new(setup, routing, &mut store, links);
        let Ok(mut switch) = switch else { panic!("a router") };
        let mut service = Service::new(&switch, || 0, NoWatchdog, 0, Reset::Unknown);
        let mut idle = 0;
        for _ in 0..60_000 {
            switch.step();
            service.tick(&switch);
            if service.is_idle(&switch) {
                idle += 1;
            } else {
                assert_eq!(idle, 0, "nothing comes by itself");
            }
        }
        assert_eq!(service.findings().bits(), 0, "{:?}", service.findings());
        let sent = switch.links().iter().map(Neighbour::sent).sum::<u32>();
        assert_eq!(sent, 300 * P as u32);
        assert!(idle > 100 && service.rounds() > 1_000, "{idle}");
    }
    let setup = standard::paper();
    let groups = setup.groups();
    let Ok(routing) = setup.only::<OlmScheme>(&groups) else { panic!("a Dragonfly") };
    sound::<_, 7, 3>(&setup, routing, Anywhere { groups: 9, routers: 4, nodes: 2 });
    let setup = standard::mesh();
    let groups = setup.groups();
    let Ok(routing) = setup.only::<DimensionOrderScheme>(&groups) else { panic!("a mesh") };
    sound::<_, 5, 2>(&setup, routing, Anywhere { groups: 1, routers: 16, nodes: 1 });
}

#[test]
fn a_wrong_table_is_named_and_the_board_goes_on() {
    let node = |row| if row == 9 { 1 } else { ring(row) };
    let ports = PortSet::first_n(1);
    assert_eq!(found(|board, _| program(board, node, false)), (Some(Finding::Row { row: 9, ports }), false));
    // What the router itself has in its own row does not matter.
    let own = |row| if row == 5 { 1 } else { ring(row) };
    assert_eq!(found(|board, _| program(board, own, false)), (None, false));
    let refused = Some(Finding::Commit(Outcome::WrongChecksum));
    assert_eq!(found(|board, _| program(board, ring, true)), (refused, false));
    let ports = PortSet::only(PortId::new(3));
    let unwired = |board: &mut Board<'_>, _: &mut Service<&Outside, &Outside, P>| {
        write(board, Wired::ADDRESS, 0x17);
        commit(board, Commit::default().with_restart(true));
    };
    assert_eq!(found(unwired), (Some(Finding::Row { row: 2, ports }), false));
}

#[test]
fn a_wrong_threshold_is_named() {
    let set = |threshold| {
        found(move |board, _| {
            write(board, ContentionThreshold::ADDRESS, threshold);
            commit(board, Commit::default().with_thresholds(true));
        })
    };
    let name = "contention_threshold";
    assert_eq!(set(11), (Some(Finding::Threshold { name }), false), "ten input VCs");
    assert_eq!(set(10), (None, false));
    // What is staged is not in use.
    assert_eq!(found(|board, _| write(board, ContentionThreshold::ADDRESS, 0)), (None, false));
    assert_eq!(found(|board, _| write(board, MinimalOccupancy::ADDRESS, 0xffff)), (None, false));
}

#[test]
fn a_router_that_is_not_as_committed_is_a_fault() {
    let select = |selection| {
        move |board: &mut Board<'_>, _: &mut Service<&Outside, &Outside, P>| {
            board.switch_mut().machine_mut().split().1.select(selection);
        }
    };
    let other = Selection::Contention(ContentionTrigger { threshold: 4 });
    assert_eq!(found(select(other)), (Some(Finding::Selection), true));
    assert_eq!(found(select(Selection::NEVER)), (Some(Finding::Selection), true));
    let place = |board: &mut Board<'_>, _: &mut Service<&Outside, &Outside, P>| {
        let wired = PortSet::first_n(P);
        board.switch_mut().machine_mut().split().1.restart(Here { router: 4, wired, ..Here::default() }, 1);
    };
    assert_eq!(found(place), (Some(Finding::Place), true));
}

#[test]
fn another_plan_is_named_by_its_port() {
    let of = |change: fn(&mut Setup)| {
        let mut setup = built();
        change(&mut setup);
        setup.plan::<P>().unwrap_or_else(|_| unreachable!())
    };
    let against = |change: fn(&mut Setup)| found(move |_, service| service.frozen = Frozen::of(&of(change)));
    assert_eq!(against(|_| ()), (None, false));
    let first = Some(Finding::Plan { port: Some(PortId::new(0)) });
    assert_eq!(against(|setup| setup.node.buffer += 1), (first, true));
    let local = Some(Finding::Plan { port: Some(PortId::new(1)) });
    assert_eq!(against(|setup| setup.local.buffer += 1), (local, true));
    assert_eq!(against(|setup| setup.options.iterations += 1), (Some(Finding::Plan { port: None }), true));
}

#[test]
fn credits_that_are_lost_or_made_are_named_by_their_port() {
    for (port, change) in [(0, 1), (3, -1i32), (4, 1), (2, 16)] {
        let breaks = |_: &mut Board<'_>, service: &mut Service<&Outside, &Outside, P>| {
            service.account.shift(PortId::new(port), change);
        };
        let (finding, starves) = found(breaks);
        let Some(Finding::Balance { port: named, gained }) = finding else { panic!("{finding:?}") };
        // Beside a credit that has come and is not in the router yet.
        assert!(starves && (gained == -change || gained == -change - 1), "{gained}");
        assert_eq!(named, PortId::new(port));
    }
}

#[test]
fn counters_out_of_their_range_are_named() {
    with_board(|board, _, _| {
        let view = board.view();
        let plan = |buffer| {
            let mut setup = built();
            (setup.node.buffer, setup.local.buffer, setup.shortest) = (buffer, buffer, 1);
            setup.plan::<P>().unwrap_or_else(|_| unreachable!())
        };
        let look = |plan: &Plan<P>| {
            let of = |port| Account::new().look(view.pins, plan, port, (0, view.counters.port(port)));
            view.plan.links.each().find_map(of)
        };
        assert_eq!(look(&plan(BUFFER)), None);
        // Credits of buffers that are smaller than the router takes them for.
        let found = look(&plan(1));
        assert!(
            matches!(found, Some(Finding::Credits { port, left: 2.., places: 1, .. }) if port.number() == 0),
            "{found:?}"
        );
    });
}

/// A router with packets behind each other in its inputs, that counts packets like this.
fn with_queues(count_at: CountAt, cycles: u32, then: impl FnOnce(View<'_, '_, P, 2, 4, 0>)) {
    let mut store = [Descriptor::default(); 50];
    let setup = Setup { count_at, ..standard::mesh() };
    let groups = setup.groups();
    let Ok(routing) = setup.only::<DimensionOrderScheme>(&groups) else { panic!("a mesh") };
    let to = Anywhere { groups: 1, routers: 1, nodes: 1 };
    let links = [0, 1, 2, 3, 4].map(|port| Neighbour::new(port, to, u32::MAX, PACKET, BUFFER));
    let switch = Switch::<_, _, P, 2, 4>::new(&setup, routing, &mut store, links);
    let Ok(mut switch) = switch else { panic!("a router") };
    for _ in 0..cycles {
        switch.step();
    }
    then(switch.view());
}

#[test]
fn contention_counters_that_are_wrong_are_named() {
    with_queues(CountAt::Head, 500, |view| assert_eq!(wrong_contention(view.pins, view.plan), None));
    with_queues(CountAt::Arrival, 500, |view| {
        assert_eq!(wrong_contention(view.pins, view.plan), None, "not looked at");
        let plan = Plan { count_at: CountAt::Head, ..view.plan.clone() };
        let found = wrong_contention(view.pins, &plan);
        let Some(Finding::Contention { counted, packets, .. }) = found else { panic!("{found:?}") };
        assert!(counted > packets, "{counted} {packets}");
    });
}

#[test]
fn an_input_that_holds_too_much_or_leads_nowhere_is_named() {
    let plan = |change: fn(&mut Setup)| {
        let mut setup = standard::mesh();
        change(&mut setup);
        setup.plan::<P>().unwrap_or_else(|_| unreachable!())
    };
    let found = |view: &View<'_, '_, P, 2, 4, 0>, plan: &Plan<P>| {
        plan.links.channels().find_map(|at| {
            let input = view.pins.router().input(at.port, at.vc)?;
            wrong_queue(plan, at.port, at.vc, &input)
        })
    };
    let mut leads_nowhere = 0;
    for cycles in 500..600 {
        with_queues(CountAt::Head, cycles, |view| {
            assert_eq!(found(&view, view.plan), None);
            let small = plan(|setup| (setup.node.buffer, setup.local.buffer, setup.shortest) = (4, 4, 1));
            let small = found(&view, &small);
            assert!(matches!(small, Some(Finding::Queue { flits: 5.., .. })), "{small:?}");
            // Packets without descriptors.
            let long = found(&view, &plan(|setup| setup.shortest = 40));
            assert!(matches!(long, Some(Finding::Queue { .. })), "{long:?}");
            // Two ports, the last of which is not the one that all packets leave by.
            leads_nowhere += usize::from(found(&view, &plan(|setup| setup.locals = 1)).is_some());
        });
    }
    assert!(leads_nowhere > 0);
}

/// Credits that are on their way as a router begins anew are none of its account.
#[test]
fn a_router_that_begins_anew_at_any_time_is_sound() {
    for phase in 0..120 {
        with_board(|board, service, outside| {
            for _ in 0..phase {
                board.step();
                service.tick(board);
            }
            commit(board, Commit::default().with_restart(true));
            for _ in 0..Service::<&Outside, &Outside, P>::round_ticks(ROWS) {
                service.tick(board);
            }
            rounds(board, service, outside, 3);
            assert_eq!(service.findings().bits() & !(1 << 12), 0, "{phase}: {:?}", service.findings());
        });
    }
}

#[test]
fn a_late_tick_is_named_with_its_time_and_one_round_goes_unfed() {
    with_board(|board, service, outside| {
        let fed = outside.fed.get();
        outside.time.set(outside.time.get() + 90);
        rounds(board, service, outside, 3);
        let found = service.findings().iter().map(|latched| latched.finding).next();
        assert_eq!(found, Some(Finding::LateTick { took: 100 }));
        assert_eq!((service.pace().late(), service.pace().longest()), (1, 100));
        assert_eq!(outside.fed.get() - fed, 2);
        // Cleared by a one, it stays so.
        service.clear(1 << 13);
        outside.time.set(outside.time.get() + 1_000);
        service.pause();
        rounds(board, service, outside, 2);
        assert_eq!(service.findings().bits(), 0);
    });
}

#[test]
fn the_reason_of_a_reset_is_reported() {
    let mut store = [Descriptor::default(); 50];
    let setup = built();
    let board =
        Board::new(&setup, Tabled::new(&setup, true), &mut store, neighbours(), crate::payload::NoPayload);
    let Ok(board) = board else { panic!("a router") };
    for (reset, bits) in [(Reset::Power, 0), (Reset::BrownOut, 1 << 14), (Reset::Watchdog, 1 << 14)] {
        let mut service = Service::new(&board, || 0, NoWatchdog, 0, reset);
        assert_eq!((service.findings().bits(), service.reset()), (bits, reset));
        // Until it is started, a board has nothing to do.
        assert!(service.is_idle(&board));
    }
}

#[test]
fn a_neighbour_that_breaks_the_protocol_is_named() {
    let mut store = [Descriptor::default(); 50];
    let setup = standard::mesh();
    let groups = setup.groups();
    let Ok(routing) = setup.only::<DimensionOrderScheme>(&groups) else { panic!("a mesh") };
    let links = neighbours().map(Neighbour::rude);
    let switch = Switch::<_, _, P, 2, 4>::new(&setup, routing, &mut store, links);
    let Ok(mut switch) = switch else { panic!("a router") };
    let mut service = Service::new(&switch, || 0, NoWatchdog, 0, Reset::Unknown);
    for _ in 0..5_000 {
        switch.step();
        service.tick(&switch);
    }
    let mut all = service.findings().iter().map(|latched| latched.finding);
    assert_eq!(all.next(), Some(Finding::Protocol(ProtocolError::BodyWithoutHead)));
    assert_eq!(all.next(), None);
}
