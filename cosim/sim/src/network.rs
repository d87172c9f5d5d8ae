//! The network: routers joined by links, nodes that inject and consume, one clock.
//!
//! It is cut into shards, which run on their own, on as many threads as there are to spare, and meet before anything that
//! one has sent can reach another. The results are those of a single shard, to the bit.

mod active;
mod audit;
mod books;
mod circuits;
mod constants;
mod copies;
mod credit_delay;
mod down;
mod ectn;
mod endpoint;
mod group_flags;
mod informed;
mod launch;
mod link;
mod link_credits;
mod link_waits;
mod live;
mod node_rates;
mod outbox;
mod packets;
mod partition;
mod pool;
mod postman;
mod reservation;
mod shadow;
mod shard;
mod signal;
mod spread;
mod tally;
mod team;
#[cfg(test)]
mod tests;
mod timers;
mod violation;
mod wheel;
mod wires;

pub(crate) use books::Carried;
pub use live::{Head, Live, LiveSums, live};
pub(crate) use partition::Partition;
pub(crate) use tally::{Histogram, SeriesWindow, Tally};
pub use violation::Violation;

use crate::blueprint::{Blueprint, BlueprintError};
use crate::scenario::LinkDown;
use crate::traffic::Traffic;
use constants::Constants;
use informed::Informed;
use launch::Launches;
use link::Link;
use outbox::Outbox;
use rand_xoshiro::Xoshiro128PlusPlus;
use router_core::plan::Plan;
use router_core::route::{Route, Routing};
use router_core::units::{Bits, PortId};
use router_core::vc::Descriptor;
use shadow::Shadows;
use shard::Shard;
use spread::{spread, with_stack};
use std::ops::Range;
use std::sync::Arc;
use team::{Standing, Team};

type Router<const P: usize, const V: usize, B = usize> =
    router_core::router::Router<Box<[Descriptor]>, P, V, B>;

/// A router, what it has in common with the others of its class, and the links at its ports.
struct Switch<const P: usize, const V: usize, B: Bits = usize> {
    router: Router<P, V, B>,
    plan: Arc<Plan<P>>,
    links: [Link; P],
}

impl<const P: usize, const V: usize, B: Bits> Switch<P, V, B> {
    /// Flits in the output FIFO that have not been on the wire before link cycle `cycle`.
    fn waiting(&self, port: PortId, cycle: u64) -> u32 {
        self.router.queued(port, cycle) as u32
    }

    /// Flits that have been on the wire between the last reset and link cycle `cycle`.
    fn carried(&self, port: PortId, cycle: u64) -> u32 {
        let entered = self.links.get(port.index()).map_or(0, |link| link.carried);
        entered.saturating_sub(self.waiting(port, cycle))
    }
}

/// Bytes of a router and its links from which on a network is made on a stack of its own: a router is made there before it is in its place.
const LARGE: usize = 1 << 18;

/// Cycles between two audits of a debug build.
const AUDIT: u64 = 256;

/// Says whether there are threads to spare.
pub(crate) type Spare<'s> = &'s (dyn Fn() -> bool + Sync);

/// A network of routers with up to `P` ports and `V` VCs each, whose packets find their way by `R`.
pub(crate) struct Network<'b, const P: usize, const V: usize, R = Routing<'b>, B: Bits = usize> {
    constants: Constants<'b, P, R>,
    shards: Vec<Shard<P, V, B>>,
    /// What shards have sent, by sender, then by receiver, those of other processes included.
    outbox: Vec<Vec<Outbox>>,
    /// The numbers of its shards.
    own: Range<usize>,
    /// The processes that have the others.
    team: Option<Team<'b>>,
    /// Link cycles after which the shards have to meet.
    lookahead: u64,
    spare: Spare<'b>,
    /// Draws intermediate points, where that waits until the shards meet.
    random: Xoshiro128PlusPlus,
    /// Decides which way each packet takes, where sources know more than their routers.
    informed: Option<Box<Informed<'b>>>,
    /// The link cycle to come, and the first one in which something may happen.
    cycle: u64,
    due: u64,
    /// The last link cycle in which a flit moved or, from an output FIFO, is due to move.
    moved: u64,
    /// Cycles without a moving flit after which the network is said to be stuck: longer than any credit or flit can be
    /// on its way.
    patience: u64,
    /// Links that have yet to go down, the next one last.
    failures: Vec<LinkDown>,
    /// Routings that take the place of the one before, the next one last.
    updates: Vec<(u64, R)>,
    /// Packets inside.
    live: usize,
    violation: Option<Violation>,
    /// Second implementations of its first routers. There is only one shard then.
    shadows: Option<Box<Shadows>>,
    /// How often the shards have met.
    #[cfg(test)]
    barriers: u64,
}

impl<'b, const P: usize, const V: usize> Network<'b, P, V> {
    /// The network of a blueprint with the routing of its scenario, empty, with its nodes' first packets due. It uses
    /// other threads when there are some to `spare`.
    #[cfg(test)]
    pub(crate) fn new(
        blueprint: &'b Blueprint,
        traffic: &'b Traffic,
        partition: &Partition,
        spare: Spare<'b>,
    ) -> Result<Self, BlueprintError> {
        Self::with(blueprint, blueprint.routing()?, traffic, partition, spare)
    }
}

impl<'b, const P: usize, const V: usize, R: Route<B> + Sync, B: Bits> Network<'b, P, V, R, B> {
    /// Memory of a router and of what belongs to it.
    pub(crate) fn router_bytes(blueprint: &Blueprint) -> Result<usize, BlueprintError> {
        let plans = blueprint.plans::<P>()?;
        let store = plans.iter().map(|plan| plan.links.places()).max().unwrap_or(0) * size_of::<Descriptor>();
        Ok(size_of::<Switch<P, V, B>>() + store)
    }

    /// The network of a blueprint, empty, with its nodes' first packets due. It uses other threads when there are some
    /// to `spare`.
    pub(crate) fn with(
        blueprint: &'b Blueprint,
        routing: R,
        traffic: &'b Traffic,
        partition: &Partition,
        spare: Spare<'b>,
    ) -> Result<Self, BlueprintError> {
        let scenario = blueprint.scenario();
        let constants = Constants::new(blueprint, routing, traffic)?;
        let (count, own) = (partition.shards(), partition.own());
        let mut shards: Vec<_> = own.clone().map(|_| None).collect();
        let fill = own.clone().zip(&mut shards);
        let fill = fill.map(|(n, shard)| {
            let (blueprint, constants) = (blueprint, &constants);
            move || *shard = Some(Shard::new(blueprint, constants, partition, n))
        });
        if size_of::<Switch<P, V, B>>() > LARGE {
            with_stack(|| spread(fill, false));
        } else {
            spread(fill, count > 1 && spare());
        }
        Ok(Self {
            shards: shards.into_iter().flatten().collect(),
            outbox: if count > 1 { vec![vec![Outbox::default(); count]; count] } else { vec![Vec::new()] },
            team: blueprint.processes().filter(|_| own.len() < count).map(|all| Team::new(all, partition)),
            own,
            lookahead: partition.lookahead,
            constants,
            spare,
            random: launch::random(scenario.run.seed),
            informed: Informed::new(blueprint).map(Box::new),
            cycle: 0,
            due: 0,
            moved: 0,
            patience: 1000
                + 4 * u64::from(blueprint.longest_latency())
                + u64::from(blueprint.scenario().router.longest_lifetime())
                + link_credits::patience(blueprint),
            failures: down::failures(&scenario.links.down),
            updates: Vec::new(),
            live: 0,
            violation: None,
            shadows: shadows(blueprint)?,
            #[cfg(test)]
            barriers: 0,
        })
    }

    /// Routings that will take its place, each with the first cycle in which heads are routed by it.
    pub(crate) fn update_later(&mut self, mut updates: Vec<(u64, R)>) {
        updates.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        self.updates = updates;
    }

    fn update_routing(&mut self) {
        while let Some((_, routing)) = self.updates.pop_if(|(at, _)| *at <= self.cycle) {
            self.constants.routing.single = routing;
        }
    }

    /// Runs to the end of link cycle `end − 1`, or until something goes wrong.
    #[inline(never)]
    pub(crate) fn run_to(&mut self, end: u64) {
        while self.cycle < end && self.violation.is_none() {
            self.fail_links();
            self.update_routing();
            let barrier = self.next_barrier(end);
            if self.due < barrier {
                self.run_shards(barrier);
                self.exchange();
                if cfg!(debug_assertions) && self.violation.is_none() && self.cycle.is_multiple_of(AUDIT) {
                    self.audit();
                }
            } else {
                self.cycle = barrier;
            }
            self.watch();
        }
    }

    /// The link cycle up to which the shards can run on their own.
    fn next_barrier(&self, end: u64) -> u64 {
        let due = self.due.max(self.cycle);
        // The network is not found to be stuck earlier than this.
        let stuck = if self.live == 0 { due } else { self.moved }.saturating_add(self.patience + 1);
        let update = self.updates.last().map_or(u64::MAX, |(at, _)| *at);
        let changes = self.next_failure().min(update);
        let barrier = end.min(stuck).min(changes).min(due.saturating_add(self.lookahead));
        if cfg!(debug_assertions) {
            barrier.min((due / AUDIT).saturating_add(1).saturating_mul(AUDIT))
        } else {
            barrier
        }
    }

    fn run_shards(&mut self, end: u64) {
        let Self { constants, shards, outbox, own, shadows, cycle, spare, .. } = self;
        if let ([shard], [outbox]) = (&mut shards[..], &mut outbox[..]) {
            return shard.run(constants, outbox, shadows, *cycle, end);
        }
        let run = shards.iter_mut().zip(&mut outbox[own.clone()]).map(|(shard, outbox)| {
            || {
                outbox.iter_mut().for_each(Outbox::clear);
                shard.run(constants, outbox, &mut None, *cycle, end);
            }
        });
        spread(run, spare());
    }

    /// All shards have come to the same cycle: each takes in what the others have sent.
    fn exchange(&mut self) {
        #[cfg(test)]
        {
            self.barriers += 1;
        }
        self.note_violation();
        self.launch();
        let others = self.meet();
        let Self { constants, shards, outbox, own, spare, .. } = self;
        let many = shards.len() > 1;
        let take_in = own.clone().zip(&mut *shards).map(|(n, shard)| {
            let outbox = outbox.iter();
            move || shard.take_in(outbox.clone().filter_map(|row| row.get(n)))
        });
        spread(take_in, many && spare());
        let Standing { due, moved, live, .. } = others.unwrap_or_else(|| {
            let due = shards.iter().map(|shard| shard.due(constants.speedup)).min().unwrap_or(u64::MAX);
            let moved = shards.iter().map(|shard| shard.moved).fold(0, u64::max);
            let live = shards.iter().map(|shard| shard.packets.live()).sum();
            Standing { is_broken: false, cycle: 0, due, moved, live }
        });
        (self.due, self.moved, self.live) = (due, self.moved.max(moved), live);
    }

    /// How far the shards have come; the first violation that one of them has found.
    fn note_violation(&mut self) {
        let found = self.shards.iter().filter(|shard| shard.violation.is_some());
        let first = found.min_by_key(|shard| shard.cycle).or(self.shards.first());
        if let Some(shard) = first {
            self.cycle = shard.cycle;
            self.violation.clone_from(&shard.violation);
        }
    }

    /// Draws the headers of the packets that have left their nodes in the last cycle.
    fn launch(&mut self) {
        if self.informed.is_some() {
            return self.launch_informed();
        }
        let Self { constants, shards, random, .. } = self;
        for shard in shards {
            if let Launches::Later(launches) = &mut shard.launches {
                for launch in launches.drain(..) {
                    launch.onto(&mut shard.wheel, launch.header(constants, random));
                }
            }
        }
    }

    /// Draws the headers of the packets that have left their nodes in the last cycle, and decides which way they take.
    #[inline(never)]
    fn launch_informed(&mut self) {
        let Self { constants, shards, random, informed: Some(informed), cycle, .. } = self else { return };
        informed.observe(*cycle, shards);
        for shard in 0..shards.len() {
            let Launches::Later(launches) = &mut shards[shard].launches else { continue };
            let mut launches = std::mem::take(launches);
            for launch in launches.drain(..) {
                let drawn = launch.header(constants, random);
                let header = informed.decide(constants, shards, shard, &launch, drawn);
                launch.onto(&mut shards[shard].wheel, header);
            }
            // The room that it has is used again.
            shards[shard].launches = Launches::Later(launches);
        }
    }

    /// Something moves, or there is nothing that could.
    fn watch(&mut self) {
        if self.live == 0 {
            self.moved = self.moved.max(self.cycle);
        } else if self.cycle.saturating_sub(self.moved) > self.patience {
            if self.team.is_some() {
                return self.leave_unfinished();
            }
            let deadlock = || Violation::Deadlock { cycle: self.cycle, report: self.waiting_cycle() };
            let found = self.find_stranded().or_else(|| self.find_losses());
            self.violation = Some(found.unwrap_or_else(deadlock));
        }
    }
}

/// The second implementations of its routers, if it has any.
fn shadows(blueprint: &Blueprint) -> Result<Option<Box<Shadows>>, BlueprintError> {
    let shadows = blueprint.shadowing().map(|shadowing| Shadows::new(blueprint, shadowing)).transpose();
    shadows.map(|shadows| shadows.map(Box::new)).map_err(BlueprintError::Shadow)
}
