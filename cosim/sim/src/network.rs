//! The network: routers joined by links, nodes that inject and consume, one clock.
//!
//! It is cut into shards, which run on their own, on as many threads as there are to spare, and meet before anything that
//! one has sent can reach another. The results are those of a single shard, to the bit.

mod active;
mod alarm;
mod audit;
mod books;
mod fault;
mod launch;
mod link;
mod mail;
mod node;
mod packets;
mod partition;
mod pool;
mod shadow;
mod shard;
mod shared;
mod tally;
#[cfg(test)]
mod tests;
mod traffic;
mod wheel;
mod wires;

pub use fault::Fault;
pub(crate) use partition::Partition;
pub use shadow::{Difference, Shadow, ShadowError, Shadowing};
pub(crate) use tally::{SeriesWindow, Tally};

use crate::blueprint::{Blueprint, BlueprintError};
use crate::traffic::Traffic;
use launch::Launches;
use mail::Mail;
use rand_xoshiro::Xoshiro128PlusPlus;
use rayon::prelude::*;
use router_core::plan::Plan;
use router_core::router::Router;
use router_core::vc::Descriptor;
use shadow::Shadows;
use shard::Shard;
use shared::Shared;

type Switch<const P: usize, const V: usize> = Router<Box<[Descriptor]>, P, V>;

/// Cycles between two audits of a debug build.
const AUDIT: u64 = 256;

/// Says whether there are threads to spare.
pub(crate) type Spare<'s> = &'s (dyn Fn() -> bool + Sync);

/// A network of routers with up to `P` ports and `V` VCs each.
pub(crate) struct Network<'b, const P: usize, const V: usize> {
    shared: Shared<'b, P>,
    shards: Vec<Shard<P, V>>,
    /// What shards have sent, by sender, then by receiver.
    mail: Vec<Vec<Mail>>,
    /// Link cycles after which the shards have to meet.
    look_ahead: u64,
    spare: Spare<'b>,
    /// Draws intermediate points, where that waits until the shards meet.
    random: Xoshiro128PlusPlus,
    /// The link cycle to come, and the first one in which something may happen.
    cycle: u64,
    due: u64,
    /// The last link cycle in which a flit moved or, from an output FIFO, is due to move.
    moved: u64,
    /// Cycles without a moving flit after which the network is said to be stuck: longer than any credit or flit can be
    /// on its way.
    patience: u64,
    /// Packets inside.
    live: usize,
    fault: Option<Fault>,
    /// Second implementations of its first routers. There is only one shard then.
    shadows: Option<Box<Shadows>>,
    /// How often the shards have met.
    #[cfg(test)]
    meetings: u64,
}

impl<'b, const P: usize, const V: usize> Network<'b, P, V> {
    /// The network of a blueprint, empty, with its nodes' first packets due. It uses other threads when there are some
    /// to `spare`.
    pub(crate) fn new(
        blueprint: &'b Blueprint,
        traffic: &'b Traffic,
        partition: &Partition,
        spare: Spare<'b>,
    ) -> Result<Self, BlueprintError> {
        let scenario = blueprint.scenario();
        let shared = Shared::new(blueprint, traffic)?;
        let latency = scenario.links.latency;
        let count = partition.shards();
        let shard = |n| Shard::new(blueprint, &shared, partition, n);
        let shards = if count > 1 && spare() {
            (0..count).into_par_iter().map(shard).collect()
        } else {
            (0..count).map(shard).collect()
        };
        Ok(Self {
            shards,
            mail: if count > 1 { vec![vec![Mail::default(); count]; count] } else { vec![Vec::new()] },
            look_ahead: partition.look_ahead,
            shared,
            spare,
            random: launch::random(scenario.run.seed),
            cycle: 0,
            due: 0,
            moved: 0,
            patience: 1000 + 4 * u64::from(latency.highest()),
            live: 0,
            fault: None,
            shadows: shadows(blueprint)?,
            #[cfg(test)]
            meetings: 0,
        })
    }

    /// Memory of a router and of what belongs to it.
    pub(crate) fn router_bytes(blueprint: &Blueprint) -> Result<usize, BlueprintError> {
        let plans = blueprint.plans::<P>()?;
        let store = plans.iter().map(Plan::places).max().unwrap_or(0) * size_of::<Descriptor>();
        Ok(size_of::<Switch<P, V>>() + store + P * size_of::<link::Link>())
    }

    /// Runs to the end of link cycle `end − 1`, or until something goes wrong.
    #[inline(never)]
    pub(crate) fn run_to(&mut self, end: u64) {
        while self.cycle < end && self.fault.is_none() {
            let meeting = self.next_meeting(end);
            if self.due < meeting {
                self.run_shards(meeting);
                self.meet();
                if cfg!(debug_assertions) && self.cycle.is_multiple_of(AUDIT) {
                    self.audit();
                }
            } else {
                self.cycle = meeting;
            }
            self.watch();
        }
    }

    /// The link cycle up to which the shards can run on their own.
    fn next_meeting(&self, end: u64) -> u64 {
        let due = self.due.max(self.cycle);
        // The network is not found to be stuck earlier than this.
        let stuck = if self.live == 0 { due } else { self.moved }.saturating_add(self.patience + 1);
        let meeting = end.min(stuck).min(due.saturating_add(self.look_ahead));
        if cfg!(debug_assertions) {
            meeting.min((due / AUDIT).saturating_add(1).saturating_mul(AUDIT))
        } else {
            meeting
        }
    }

    fn run_shards(&mut self, end: u64) {
        let Self { shared, shards, mail, shadows, cycle, spare, .. } = self;
        if let [shard] = &mut shards[..] {
            return shard.run(shared, &mut mail[0], shadows, *cycle, end);
        }
        let run = |(shard, mail): (&mut Shard<P, V>, &mut Vec<Mail>)| {
            mail.iter_mut().for_each(Mail::clear);
            shard.run(shared, mail, &mut None, *cycle, end);
        };
        if spare() {
            shards.par_iter_mut().zip(mail).with_max_len(1).for_each(run);
        } else {
            shards.iter_mut().zip(mail).for_each(run);
        }
    }

    /// All shards have come to the same cycle: each takes in what the others have sent.
    fn meet(&mut self) {
        #[cfg(test)]
        {
            self.meetings += 1;
        }
        self.note_fault();
        self.launch();
        let Self { shared, shards, mail, spare, .. } = self;
        let take_in =
            |(n, shard): (usize, &mut Shard<P, V>)| shard.take_in(mail.iter().filter_map(|row| row.get(n)));
        if shards.len() > 1 && spare() {
            shards.par_iter_mut().enumerate().for_each(take_in);
        } else {
            shards.iter_mut().enumerate().for_each(take_in);
        }
        let speedup = shared.speedup;
        self.due = shards.iter().map(|shard| shard.due(speedup)).min().unwrap_or(u64::MAX);
        self.moved = shards.iter().map(|shard| shard.moved).fold(self.moved, u64::max);
        self.live = shards.iter().map(|shard| shard.packets.live()).sum();
    }

    /// How far the shards have come; the first fault that one of them has found.
    fn note_fault(&mut self) {
        let found = self.shards.iter().filter(|shard| shard.fault.is_some());
        let first = found.min_by_key(|shard| shard.cycle).or(self.shards.first());
        if let Some(shard) = first {
            self.cycle = shard.cycle;
            self.fault.clone_from(&shard.fault);
        }
    }

    /// Draws the headers of the packets that have left their nodes in the last cycle.
    fn launch(&mut self) {
        let Self { shared, shards, random, .. } = self;
        for shard in shards {
            if let Launches::Later(launches) = &mut shard.launches {
                for launch in launches.drain(..) {
                    launch.onto(&mut shard.wheel, launch.header(shared, random));
                }
            }
        }
    }

    /// Something moves, or there is nothing that could.
    fn watch(&mut self) {
        if self.live == 0 {
            self.moved = self.moved.max(self.cycle);
        } else if self.cycle.saturating_sub(self.moved) > self.patience {
            self.fault = Some(Fault::Deadlock { cycle: self.cycle, report: self.waiting_cycle() });
        }
    }
}

/// The second implementations of its routers, if it has any.
fn shadows(blueprint: &Blueprint) -> Result<Option<Box<Shadows>>, BlueprintError> {
    let shadows = blueprint.shadowing().map(|shadowing| Shadows::new(blueprint, shadowing)).transpose();
    shadows.map(|shadows| shadows.map(Box::new)).map_err(BlueprintError::Shadow)
}
