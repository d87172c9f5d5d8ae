//! The processes that run a network together: what they send each other when their shards meet, and what they know together.

use super::Network;
use super::outbox::Outbox;
use super::partition::Partition;
use super::violation::Violation;
use crate::processes::{Processes, pack};
use router_core::route::Route;
use router_core::units::Bits;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// This process among those that run a network together.
pub(crate) struct Team<'b> {
    processes: &'b Processes,
    /// The shards of each process.
    shards: Vec<Range<usize>>,
}

/// How far the shards of a process are when they meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// Whether something has gone wrong there.
    pub(crate) is_broken: bool,
    /// The link cycle that they have come to.
    pub(crate) cycle: u64,
    /// The first link cycle in which something may happen.
    pub(crate) due: u64,
    /// The last one in which a flit moved.
    pub(crate) moved: u64,
    /// Packets inside.
    pub(crate) live: usize,
}

impl Standing {
    /// Both together.
    fn and(self, other: Self) -> Self {
        Self {
            is_broken: self.is_broken || other.is_broken,
            cycle: self.cycle.min(other.cycle),
            due: self.due.min(other.due),
            moved: self.moved.max(other.moved),
            live: self.live + other.live,
        }
    }
}

/// What one process sends another: its standing, and the outboxes of its shards for theirs.
type Sent = (Standing, Vec<Outbox>);

impl<'b> Team<'b> {
    /// Those of a partition; each has its shards.
    pub(crate) fn new(processes: &'b Processes, partition: &Partition) -> Self {
        let count = processes.count();
        let shards = (0..count).map(|n| partition.clone().of_process(n, count).own()).collect();
        Self { processes, shards }
    }

    /// The own shards have come to a cycle, with these sums of theirs: sends what they have for others, puts what the others have sent into
    /// the outboxes of their shards, and returns the sums of all. Nothing where a process has gone.
    pub(crate) fn meet(&self, own: Standing, outbox: &mut [Vec<Outbox>]) -> Option<Standing> {
        let (here, every) = (self.shards[self.processes.own()].clone(), self.shards.iter());
        let outgoing = every.map(|there| {
            let rows = outbox[here.clone()].iter();
            pack(&(own, rows.flat_map(|row| &row[there.clone()]).collect::<Vec<_>>()))
        });
        let nothing: Sent = (own, Vec::new());
        let sent: Vec<Sent> = self.processes.exchange(outgoing.collect(), pack(&nothing)).ok()?;
        let mut all: Option<Standing> = None;
        for (there, (standing, came)) in self.shards.iter().zip(sent) {
            all = Some(all.map_or(standing, |all| all.and(standing)));
            let places = there.clone().flat_map(|from| here.clone().map(move |to| (from, to)));
            for ((from, to), came) in places.zip(came) {
                outbox[from][to] = came;
            }
        }
        all
    }

    /// What each process has, by its number.
    pub(crate) fn gather<T: Serialize + DeserializeOwned>(&self, own: T) -> Vec<T> {
        self.processes.gather(own)
    }
}

impl<const P: usize, const V: usize, R: Route<B>, B: Bits> Network<'_, P, V, R, B> {
    /// Where the shards of all processes are, after they have sent each other what they had. Nothing where there is one process.
    pub(super) fn meet(&mut self) -> Option<Standing> {
        let Self { team: Some(team), shards, outbox, own, constants, violation, cycle, .. } = self else {
            return None;
        };
        let speedup = constants.speedup;
        let rows = || outbox[own.clone()].iter().flatten();
        let written = rows().filter_map(|outbox| outbox.first(*cycle * speedup)).map(|first| first / speedup);
        let standing = Standing {
            is_broken: violation.is_some(),
            cycle: *cycle,
            due: shards.iter().map(|shard| shard.due(speedup)).chain(written).min().unwrap_or(u64::MAX),
            moved: shards.iter().map(|shard| shard.moved).fold(0, u64::max),
            live: shards.iter().map(|shard| shard.packets.live()).sum::<usize>()
                + rows().map(|outbox| outbox.heads.len()).sum::<usize>(),
        };
        let all = team.meet(standing, outbox).unwrap_or(Standing { is_broken: true, ..standing });
        self.cycle = all.cycle;
        if all.is_broken {
            self.leave_unfinished();
        }
        Some(all)
    }

    /// Ends a run that a single process has to repeat, or that has lost a process.
    pub(super) fn leave_unfinished(&mut self) {
        self.violation.get_or_insert(Violation::Unfinished { cycle: self.cycle });
    }
}

impl<const P: usize, const V: usize, R, B: Bits> Network<'_, P, V, R, B> {
    /// What each process has, in the order of its shards: all of them call it.
    pub(super) fn gather<T: Serialize + DeserializeOwned>(&self, own: T) -> Vec<T> {
        match &self.team {
            Some(team) => team.gather(own),
            None => vec![own],
        }
    }

    /// The lists of all processes, one behind the other.
    pub(super) fn gather_all<T: Serialize + DeserializeOwned>(&self, own: Vec<T>) -> Vec<T> {
        match &self.team {
            Some(team) => team.gather(own).into_iter().flatten().collect(),
            None => own,
        }
    }

    /// Sums over all processes, place by place.
    pub(super) fn totals<const N: usize>(&self, own: [u64; N]) -> [u64; N] {
        let Some(team) = &self.team else { return own };
        let mut sums = [0; N];
        for part in team.gather(own.to_vec()) {
            sums.iter_mut().zip(part).for_each(|(sum, more)| *sum += more);
        }
        sums
    }
}
