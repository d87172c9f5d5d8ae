//! What such networks deliver: every packet once, as late as the formula says, and nothing is left behind.

use super::*;

/// Proves: under every flow control, pipeline, order, unit, priority and allocator packets arrive whole, once, where they are sent, and everything comes back.
#[test]
fn nothing_is_lost_under_any_setting() {
    use AllocatorKind::{SeparableInputFirst, SeparableOneArbiter, SeparableOutputFirst, Wavefront};
    let (grid, classes) = mesh();
    let kinds = [SeparableInputFirst, SeparableOutputFirst, Wavefront, SeparableOneArbiter];
    for (number, kind) in kinds.into_iter().enumerate() {
        for (flow, buffer) in
            [(FlowControl::Vct, 6), (FlowControl::Wormhole, 3), (FlowControl::StoreAndForward, 8)]
        {
            for (pipeline, speedup) in
                [(Pipeline::Four, 1), (Pipeline::Five, 1), (Pipeline::Six, 2), (Pipeline::Four, 2)]
            {
                let mut plan = plan_of(&classes, buffer, [2, 3, 1]);
                (plan.links.flow, plan.options.pipeline) = (flow, pipeline);
                (plan.options.allocator, plan.options.iterations) = (kind, 1 + number as u32 % 2);
                plan.options.arbiter =
                    if number % 2 == 0 { ArbiterKind::Matrix } else { ArbiterKind::RoundRobin };
                plan.links.vc_order = if number < 2 { VcOrder::Descending } else { VcOrder::Ascending };
                plan.count_at = if speedup == 2 { CountAt::Arrival } else { CountAt::Head };
                plan.options.select_ahead = number != 3;
                if flow == FlowControl::Vct && pipeline == Pipeline::Four {
                    plan.options.allocation_unit = AllocationUnit::Packet;
                    plan.options.priority = Priority::Transit;
                }
                if flow == FlowControl::StoreAndForward {
                    plan.links.vc_allocation = VcAllocation::Atomic;
                }
                let routing = Routing::DimensionOrder(DimensionOrder { grid, vcs: 3 });
                let mut world = World::new(&grid, plan, routing, speedup);
                world.run(120, 40);
                assert!(world.delivered > 100, "{kind:?} {flow:?} {pipeline:?}: {}", world.delivered);
            }
        }
    }
}

/// Proves: adaptive routings, triggers and shared places lose nothing, either.
#[test]
fn nothing_is_lost_by_adaptive_routings() {
    let (grid, classes) = mesh();
    let selections = [Selection::Never(Default::default()), Selection::Always(AlwaysTrigger)];
    for selection in selections {
        for pipeline in Pipeline::ALL {
            let mut plan = plan_of(&classes, 6, [2, 3, 1]);
            (plan.selection, plan.options.pipeline) = (selection, pipeline);
            let mut world = World::new(&grid, plan, Routing::Duato(Duato { grid, vcs: 3 }), 1);
            world.run(150, 50);
            assert!(world.delivered > 100, "{selection:?} {pipeline:?}");
        }
    }
    static SIZES: [u8; 3] = [2; 3];
    let map = Dragonfly::new(2, 1, &SIZES, Arrangement::Palmtree).unwrap();
    let routing = Routing::Olm(Olm { map, scheme: OlmScheme::default() });
    let occupancy = OccupancyTrigger { global_restriction: None, ..OccupancyTrigger::default() };
    let triggers = [
        Selection::Occupancy(occupancy),
        Selection::Contention(ContentionTrigger { threshold: 2 }),
        Selection::Always(AlwaysTrigger),
    ];
    for selection in triggers {
        for (pipeline, flow) in Pipeline::ALL
            .into_iter()
            .flat_map(|pipeline| [(pipeline, FlowControl::Vct), (pipeline, FlowControl::Wormhole)])
        {
            let mut plan = plan_of(&[N, N, L, G], 5, [3, 3, 2]);
            (plan.selection, plan.options.pipeline, plan.links.flow) = (selection, pipeline, flow);
            let mut world = World::new(&map, plan, routing, 1);
            world.run(200, 60);
            assert!(world.delivered > 150, "{selection:?} {pipeline:?}");
        }
    }
}

/// Proves: a packet takes the pipeline's cycles in each router, a cycle on each link, and one for each flit behind its head.
#[test]
fn latencies_at_zero_load_are_those_of_the_formula() {
    let (grid, classes) = mesh();
    for pipeline in Pipeline::ALL {
        for flow in [FlowControl::Vct, FlowControl::Wormhole, FlowControl::StoreAndForward] {
            let mut plan = plan_of(&classes, 8, [2, 3, 1]);
            (plan.options.pipeline, plan.links.flow) = (pipeline, flow);
            let routing = Routing::DimensionOrder(DimensionOrder { grid, vcs: 3 });
            let mut world = World::new(&grid, plan, routing, 1);
            let routers = world.net.routers.clone();
            for (from, to) in routers.iter().flat_map(|&from| routers.iter().map(move |&to| (from, to))) {
                let hops = u64::from(world.net.distances(to)[&from]);
                let to = Address { router: to, port: 1 };
                world.latencies.clear();
                world.send((from, 0), Some(to));
                for _ in 0..60 {
                    world.step();
                    world.send((from, 0), None);
                }
                let n = u64::from(pipeline.cycles());
                let router = match flow {
                    FlowControl::StoreAndForward => n.max(u64::from(LENGTH) - 1 + n - 1),
                    _ => n,
                };
                let expected = (hops + 1) * router + hops + u64::from(LENGTH) - 1;
                assert_eq!(world.latencies, [expected], "{pipeline:?} {flow:?} {hops}");
            }
            world.check_empty();
        }
    }
}

/// Proves: VCs that share places never have more in them than there are, all of them are used, and everything comes back, with every pipeline.
#[test]
fn shared_places_are_lent_and_given_back() {
    let (grid, classes) = mesh();
    for (pipeline, flow) in Pipeline::ALL
        .into_iter()
        .flat_map(|pipeline| [(pipeline, FlowControl::Vct, 4), (pipeline, FlowControl::Wormhole, 1)])
        .map(|(pipeline, flow, reserved)| ((pipeline, reserved), flow))
    {
        let (pipeline, reserved) = pipeline;
        let mut plan = plan_of(&classes, 10, [2, 3, 1]);
        plan.links.flow = flow;
        plan.links = plan.links.with_reserved(PortClass::LOCAL, reserved);
        plan.options.pipeline = pipeline;
        let routing = Routing::DimensionOrder(DimensionOrder { grid, vcs: 3 });
        let mut world = World::new(&grid, plan, routing, 1);
        world.run(400, 90);
        assert!(world.delivered > 300, "{pipeline:?} {flow:?}");
        // A register behind admission keeps a place for what may come in between.
        assert!(world.most_beyond + 2 >= 10 - reserved, "{pipeline:?} {flow:?}: {}", world.most_beyond);
    }
}
