//! A range of routers with their nodes, run on its own between two barriers.
//!
//! In each internal cycle every router that holds a flit is stepped, then everything that was on a wire in the
//! cycle before is written (the order that [`router_core::router`] needs). Routers that hold nothing and nodes
//! that wait cost nothing; cycles in which nothing at all happens are skipped.

use super::active::ActiveSet;
use super::circuits::Circuits;
use super::constants::Constants;
use super::copies::Copies;
use super::credit_delay::{self, CreditDelays};
use super::down::DownLink;
use super::ectn::Ectn;
use super::endpoint::Endpoint;
use super::group_flags::GroupFlags;
use super::launch::{Launches, is_launched_later};
use super::link::{Exit, Links};
use super::link_credits::{self, LinkCredits};
use super::link_waits::LinkWaits;
use super::node_rates::NodeRates;
use super::outbox::Outbox;
use super::packets::Packets;
use super::partition::Partition;
use super::pool::{List, Pool};
use super::postman::Postman;
use super::reservation::Reservations;
use super::shadow::Shadows;
use super::tally::{Series, Tally};
use super::timers::Timers;
use super::violation::Violation;
use super::wheel::{End, HeadOnWire, OnWire, Wheel};
use super::wires::{OnWheel, Outside, Shared};
use super::{Router, Switch};
use crate::blueprint::Blueprint;
use router_core::event::ProtocolError;
use router_core::header::Flit;
use router_core::route::{Arrival, Route};
use router_core::units::{Bits, Channel, PortId, VcId};
use router_core::vc::Descriptor;
use std::sync::Arc;

/// A range of routers with their nodes. Inside it both are numbered from 0.
pub(crate) struct Shard<const P: usize, const V: usize, B: Bits = usize> {
    pub(crate) routers: Vec<Switch<P, V, B>>,
    pub(crate) first_router: usize,
    /// Routers that hold flits.
    pub(crate) busy: ActiveSet,
    /// Where links that leave the shard lead.
    pub(crate) exits: Vec<Exit>,
    /// Those of its links that are down.
    pub(crate) down: Vec<DownLink>,
    pub(crate) wheel: Wheel,
    pub(crate) packets: Packets,
    pub(crate) nodes: Vec<Endpoint<V>>,
    pub(crate) first_node: usize,
    /// Nodes that may have something to send.
    pub(crate) ready: ActiveSet,
    pub(crate) timers: Timers,
    pub(crate) launches: Launches<B>,
    /// Answers to probes, where packets wait for circuits.
    pub(crate) circuits: Option<Box<Circuits>>,
    /// What the routers of its groups tell each other, where they do.
    pub(crate) ectn: Option<Box<Ectn>>,
    /// The flags that they broadcast, where packets react to them while they wait.
    pub(crate) flags: Option<Box<GroupFlags>>,
    /// Credits that are held back, where they are.
    delays: Option<Box<CreditDelays>>,
    /// The places on global links, where packets ask for them.
    pub(crate) reservations: Option<Box<Reservations>>,
    /// What links lose, and how credits come over them, where that is not as usual.
    pub(crate) credits: Option<Box<LinkCredits>>,
    /// How long heads wait for links, where results have details.
    pub(crate) waits: Option<Box<LinkWaits>>,
    /// When nodes may send, where their links are slow.
    pub(crate) node_rates: Option<Box<NodeRates>>,
    /// Addresses, where packets go ahead of them.
    pub(crate) postman: Option<Box<Postman>>,
    /// What it counts of messages for groups, where there are any.
    pub(crate) copies: Option<Box<Copies>>,
    /// The link cycle to come.
    pub(crate) cycle: u64,
    /// The last link cycle in which a flit moved or, from an output FIFO, is due to move.
    pub(crate) moved: u64,
    /// Nothing happened in the last cycle: no router holds a flit and no node has one to send.
    quiet: bool,
    /// Flits put on a wire by nodes, and taken off by them, before the last reset.
    pub(crate) injected_before: u64,
    pub(crate) delivered_before: u64,
    /// Requests that have come to nodes, and replies.
    pub(crate) requests_out: u64,
    pub(crate) replies_out: u64,
    /// Flits that each node has injected since the last reset.
    pub(crate) injected: Vec<u32>,
    pub(crate) tally: Tally,
    pub(crate) series: Option<Series>,
    pub(crate) violation: Option<Violation>,
    /// Link cycles that were not skipped.
    #[cfg(test)]
    pub(crate) visited: u64,
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// Shard `number`, empty, with its nodes' first packets due.
    pub(crate) fn new<R: Route<B>>(
        blueprint: &Blueprint,
        constants: &Constants<'_, P, R>,
        partition: &Partition,
        number: usize,
    ) -> Self {
        let scenario = blueprint.scenario();
        let (routers, nodes) = (partition.routers(number), partition.nodes(number));
        let longest = blueprint.longest_latency();
        // A flit waits in an output FIFO for those before it.
        let slowest = blueprint.slowest();
        let queue = (scenario.router.options.output_flits + 1) * slowest.longest_gap();
        let horizon = constants.speedup * u64::from(longest + queue + 2) + 4;
        let horizon = horizon + credit_delay::longest(blueprint) + link_credits::longest(blueprint);
        let mut links = Links { blueprint, partition, shard: number, exits: Vec::new() };
        let mut new_router = |router: usize| {
            let class = blueprint.wiring().router_class(router).0;
            let plan = Arc::clone(&constants.plans[usize::from(class)]);
            let store = vec![Descriptor::default(); plan.links.places()].into_boxed_slice();
            let core = Router::new(&plan, blueprint.place(router), store, router as u32, scenario.run.seed);
            let rate = |port: PortId| blueprint.port_rate(router, port);
            let core = if slowest.is_full() { core } else { core.with_rates(rate) };
            Switch { router: core, plan, links: links.of(router) }
        };
        let switches = routers.clone().map(&mut new_router).collect();
        let mut shard = Self {
            routers: switches,
            first_router: routers.start,
            busy: ActiveSet::new(routers.len()),
            exits: links.exits,
            down: Vec::new(),
            wheel: Wheel::new(horizon),
            packets: Packets::default(),
            nodes: Vec::with_capacity(nodes.len()),
            first_node: nodes.start,
            ready: ActiveSet::new(nodes.len()),
            timers: Timers::new(),
            launches: Launches::new(scenario.run.seed, is_launched_later(blueprint, partition)),
            circuits: constants.flow.is_circuit().then(|| Box::new(Circuits::new(scenario.run.seed))),
            flags: GroupFlags::new(blueprint, &constants.routing, &routers).map(Box::new),
            ectn: Ectn::new(blueprint, routers).map(Box::new),
            delays: CreditDelays::new(blueprint).map(Box::new),
            reservations: Reservations::new(blueprint).map(Box::new),
            credits: LinkCredits::new::<P>(blueprint).map(Box::new),
            node_rates: NodeRates::new(blueprint, nodes.clone()).map(Box::new),
            waits: LinkWaits::new(blueprint, &partition.routers(number), P, V).map(Box::new),
            postman: constants.flow.goes_ahead().then(|| Box::new(Postman::new(nodes.len()))),
            copies: blueprint.groups().map(|_| Box::default()),
            cycle: 0,
            moved: 0,
            quiet: false,
            injected_before: 0,
            delivered_before: 0,
            requests_out: 0,
            replies_out: 0,
            injected: vec![0; nodes.len()],
            tally: Tally::default(),
            series: None,
            violation: None,
            #[cfg(test)]
            visited: 0,
        };
        shard.place_nodes(blueprint, constants, nodes);
        shard
    }

    /// Runs to the end of link cycle `end − 1`, or of the one in which something goes wrong.
    pub(crate) fn run<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        outbox: &mut [Outbox],
        shadows: &mut Option<Box<Shadows>>,
        from: u64,
        end: u64,
    ) {
        self.cycle = from;
        while self.cycle < end && self.violation.is_none() {
            self.link_cycle(constants, outbox, shadows);
            if self.quiet {
                self.cycle = self.due(constants.speedup).clamp(self.cycle, end);
            }
        }
    }

    /// The first link cycle in which something may happen.
    pub(crate) fn due(&self, speedup: u64) -> u64 {
        if !self.quiet {
            return self.cycle;
        }
        let arrives = self.wheel.next(self.cycle * speedup).map(|internal| internal / speedup);
        let wakes = self.timers.next(self.cycle);
        let answers = self.circuits.as_ref().and_then(|circuits| circuits.next());
        let told = self.ectn.as_ref().map(|ectn| ectn.due());
        let credits = self.credits.as_ref().and_then(|credits| credits.due(self.cycle));
        let due = [arrives, wakes, answers.map(|internal| internal / speedup), told, credits];
        due.into_iter().flatten().min().unwrap_or(u64::MAX)
    }

    /// One link cycle: nodes inject, then each internal cycle steps the busy routers and writes what arrives.
    pub(crate) fn link_cycle<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        outbox: &mut [Outbox],
        shadows: &mut Option<Box<Shadows>>,
    ) {
        if let Some(ectn) = &mut self.ectn {
            ectn.link_cycle(&constants.routing, &mut self.routers, self.cycle);
        }
        if let Some(flags) = &mut self.flags {
            flags.link_cycle(&constants.routing, &mut self.routers, self.cycle);
        }
        if let Some(credits) = &mut self.credits {
            credits.link_cycle(self.cycle, &mut self.wheel);
        }
        self.wake_nodes();
        let mut active = self.inject(constants);
        for phase in 0..constants.speedup {
            let internal = self.cycle * constants.speedup + phase;
            active |= self.step_routers(constants, outbox, shadows, internal);
            active |= self.write(constants, shadows, internal);
            if let Some(shadows) = shadows {
                self.follow(constants, shadows, internal);
            }
        }
        self.cycle += 1;
        // Routers in SystemVerilog run in every cycle.
        self.quiet = !active && shadows.is_none();
        #[cfg(test)]
        {
            self.visited += 1;
        }
    }

    /// One clock edge of every router that holds a flit.
    #[inline(never)]
    fn step_routers<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        outbox: &mut [Outbox],
        shadows: &mut Option<Box<Shadows>>,
        internal: u64,
    ) -> bool {
        if self.waits.is_some() {
            self.see_waiting(internal);
        }
        let Self {
            busy,
            routers,
            exits,
            down,
            wheel,
            packets,
            cycle,
            moved,
            delays,
            reservations,
            waits,
            credits,
            ..
        } = self;
        let (shadows, delays, waits) = (shadows.as_deref_mut(), delays.as_deref_mut(), waits.as_deref_mut());
        let (reservations, credits) = (reservations.as_deref_mut(), credits.as_deref_mut());
        let outside =
            Outside { exits, down, outbox, shadows, circuits: None, delays, reservations, waits, credits };
        let (next, speedup) = (*cycle + 1, constants.speedup);
        let mut shared = Shared { wheel, packets, outside, speedup, internal, moved: *moved };
        let any = busy.retain(|r| {
            let Switch { router, plan, links } = &mut routers[r];
            let mut wires = OnWheel { router: r, links, shared: &mut shared };
            router.step(plan, &constants.routing, next, &mut wires);
            !router.is_idle()
        });
        *moved = shared.moved;
        any
    }

    /// Writes what was on the wires in the internal cycle before. Says whether there was anything.
    #[inline]
    fn write<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        shadows: &mut Option<Box<Shadows>>,
        internal: u64,
    ) -> bool {
        if let Some(shadows) = shadows {
            shadows.receive::<P>(&self.wheel, internal);
        }
        let some_answers = self.circuits.is_some() && self.write_answers(constants, internal);
        let some_killed = self.postman.is_some() && self.kill_dead(constants, internal);
        let slot = self.wheel.take(internal);
        let some = !slot.is_empty() | some_answers | some_killed;
        let now = internal.saturating_sub(1) / constants.speedup;
        let [to_routers, to_nodes] = slot.heads;
        self.take_off(Wheel::heads, to_routers, |shard, head| shard.write_head(constants, head));
        self.take_off(Wheel::heads, to_nodes, |shard, head| {
            let HeadOnWire { to, vc, packet } = head;
            shard.receive_head(constants, to.node_index(), vc, &packet, now);
        });
        let [to_routers, to_nodes] = slot.bodies;
        self.take_off(Wheel::bodies, to_routers, |shard, body| {
            shard.write_flit(constants, body.to(), body.vc(), &Flit::Body { tail: body.tail() });
        });
        self.take_off(Wheel::bodies, to_nodes, |shard, body| {
            shard.receive_body(constants, body.to().node_index(), body.vc(), body.tail(), now);
        });
        let [to_routers, to_nodes] = slot.credits;
        self.take_off(Wheel::credits, to_routers, Self::write_credit);
        self.take_off(Wheel::credits, to_nodes, Self::receive_credit);
        some
    }

    /// Takes everything in a list of one of the wheel's pools off its wire.
    #[inline(always)]
    fn take_off<T: Copy + Default, const N: usize>(
        &mut self,
        pool: impl Fn(&mut Wheel) -> &mut Pool<T, N>,
        mut list: List,
        mut arrive: impl FnMut(&mut Self, T),
    ) {
        while !list.is_empty() {
            for at in pool(&mut self.wheel).first(list) {
                let one = pool(&mut self.wheel).get(at);
                arrive(self, one);
            }
            pool(&mut self.wheel).drop_first(&mut list);
        }
    }

    #[inline(always)]
    fn write_flit<R: Route<B>>(&mut self, constants: &Constants<'_, P, R>, to: End, vc: VcId, flit: &Flit) {
        let (at, port) = to.as_port::<P>();
        let Switch { router, plan, .. } = &mut self.routers[at];
        self.busy.insert(at);
        let to = Channel::new(port, vc);
        if let Err(error) = router.handle_flit(plan, &constants.routing, to, flit) {
            self.refused(at, to, error, constants.routing_name);
        }
    }

    #[inline]
    fn write_head<R: Route<B>>(&mut self, constants: &Constants<'_, P, R>, head: HeadOnWire) {
        let HeadOnWire { to, vc, packet } = head;
        self.write_flit(constants, to, vc, &Flit::Head(packet));
        let (at, port) = to.as_port::<P>();
        let Switch { router, plan, .. } = &self.routers[at];
        let from = Arrival { port, kind: plan.links.class(port), vc: plan.links.relabel(port, vc) };
        if !constants.routing.keeps_order(router.here(), from, &packet.header) {
            let (router, port, vc) = (self.first_router + at, port.number(), vc.number());
            self.violation.get_or_insert(Violation::VcOrder { cycle: self.cycle, router, port, vc });
        }
    }

    /// The routers in SystemVerilog do what their models did.
    fn follow<R: Route<B>>(&mut self, constants: &Constants<'_, P, R>, shadows: &mut Shadows, internal: u64) {
        if let Err((router, difference)) = shadows.follow(internal)
            && self.violation.is_none()
        {
            self.violation =
                Some(Violation::of_shadow(*difference, router, (internal - 1) / constants.speedup));
        }
    }

    /// A router was sent what it cannot take.
    #[cold]
    pub(super) fn refused(
        &mut self,
        router: usize,
        Channel { port, vc }: Channel,
        error: ProtocolError,
        routing: &'static str,
    ) {
        let (router, port, vc) = (self.first_router + router, port.number(), vc.number());
        let cycle = self.cycle;
        self.violation.get_or_insert(match error {
            ProtocolError::TooManySets => Violation::TooManySets { cycle, router, port, vc, routing },
            error => Violation::Protocol { cycle, router, port, vc, error },
        });
    }

    #[inline(always)]
    fn write_credit(&mut self, credit: OnWire) {
        let (at, port) = credit.to().as_port::<P>();
        let to = Channel::new(port, credit.vc());
        let Switch { router, plan, .. } = &mut self.routers[at];
        if let Err(error) = router.handle_credit(plan, to) {
            self.refused(at, to, error, "");
        }
    }

    #[inline(always)]
    fn receive_credit(&mut self, credit: OnWire) {
        let node = credit.to().node_index();
        self.nodes[node].credits[credit.vc().index()] += 1;
        self.ready.insert(node);
    }
}
