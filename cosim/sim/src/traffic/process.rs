//! When a node generates packets.
//!
//! With a mean of `F` flits per packet and a load of `λ` flits per cycle, a node generates `q = λ / F` packets per cycle:
//!
//! * **Bernoulli**: in each cycle one packet with probability `q`, drawn as geometric gaps.
//! * **Exponential**: a Poisson process in continuous time with gaps of mean `1 / q`; a packet belongs to the cycle
//!   its instant falls into. Several packets of one node can fall into one cycle: times never decrease, but may be
//!   equal. The fraction of a cycle is carried on, so rounding does not add up.
//! * **Burst**: bursts of back-to-back packets (each as many cycles after the one before as that has flits) to one destination. The number of packets of a
//!   burst is geometric with mean `B`, at least 1. Between the end of a burst's last packet and the next burst there are `0, 1, …` idle
//!   cycles, geometric with mean `g = B·F·(1 − λ) / λ`. So the mean is `B` packets every `B·F + g = B·F / λ` cycles, without an idle cycle
//!   at `λ = 1`.
//!
//! Above a load of 1 source queues grow whatever the network does: Bernoulli goes up to a packet in each cycle, a burst up to 1.
//!
//! All three start in their stationary state. For bursts: a node is inside a packet with probability `λ`, at any
//! flit alike, and otherwise idle; what is left of a burst and of an idle time is again geometric.

use super::MOST_LOAD;
use super::error::TrafficError;
use super::lengths::Lengths;
use super::settings::{self, TrafficSettings};
use router_core::settings::Word as _;

use crate::random::{Geometric, Stream, below, chance, unit};

/// When packets are generated: what all nodes share.
#[derive(Debug, Clone)]
pub(super) enum Process {
    /// Independently in each cycle.
    Bernoulli {
        /// Cycles without a packet.
        gap: Geometric,
    },
    /// A Poisson process, rounded down to cycles.
    Exponential {
        /// Mean cycles from packet to packet.
        mean_gap: f64,
    },
    /// Back-to-back packets to one destination.
    Burst {
        /// Share of the time spent in bursts.
        load: f64,
        /// Probability that a packet is the last of its burst.
        last: f64,
        /// Cycles from the end of a burst to the next one.
        idle: Geometric,
    },
}

/// When one node generates its next packet.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    /// The cycle of the next packet.
    pub(super) at: u64,
    /// What the process remembers besides.
    pub(super) memory: Memory,
}

/// What a process remembers from one packet to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// Nothing: the next packet may go anywhere.
    Nothing,
    /// How far into its cycle the next packet is, in 2⁻³² cycles.
    Fraction(u32),
    /// The burst goes on, to this node.
    Destination(u32),
}

impl Process {
    /// The process of `settings` at this load.
    pub(super) fn new(settings: &TrafficSettings, load: f64) -> Result<Self, TrafficError> {
        if !(load > 0.0 && load <= MOST_LOAD) {
            return Err(TrafficError::Load(load));
        }
        let flits = settings.packet_flits.mean();
        let most = settings.most_load();
        if load > most {
            return Err(TrafficError::Process { load, process: settings.process.word(), most });
        }
        Ok(match settings.process {
            settings::Process::Bernoulli => Self::Bernoulli { gap: Geometric::new(load / flits) },
            settings::Process::Exponential => Self::Exponential { mean_gap: flits / load },
            settings::Process::Burst => {
                let packets = settings.burst_packets;
                if !(packets >= 1.0 && packets.is_finite()) {
                    return Err(TrafficError::BurstPackets(packets));
                }
                let idle = Geometric::new(load / (load + packets * flits * (1.0 - load)));
                Self::Burst { load, last: packets.recip(), idle }
            }
        })
    }
}

impl Clock {
    /// The first packet at or after the cycle `from`.
    pub(super) fn start(process: &Process, lengths: &Lengths, from: u64, rng: &mut Stream) -> Self {
        let mut clock = Self { at: from, memory: Memory::Nothing };
        match *process {
            Process::Bernoulli { gap } => clock.wait(gap.failures(rng)),
            Process::Exponential { mean_gap } => clock.wait_exponential(mean_gap, 0, rng),
            Process::Burst { load, last, idle } => {
                if !chance(rng, load) {
                    clock.wait(1);
                    clock.wait(idle.failures(rng));
                } else if let left @ 1.. = flits_left(lengths, rng) {
                    clock.wait(left.into());
                    if chance(rng, last) {
                        clock.wait(idle.failures(rng));
                    }
                }
            }
        }
        clock
    }

    /// On to the packet after the one of `flits` flits that now goes to `to`.
    #[inline]
    pub(super) fn advance(&mut self, process: &Process, to: u32, flits: u16, rng: &mut Stream) {
        match *process {
            Process::Bernoulli { gap } => {
                self.wait(1);
                self.wait(gap.failures(rng));
            }
            Process::Exponential { mean_gap } => {
                let fraction = if let Memory::Fraction(fraction) = self.memory { fraction } else { 0 };
                self.wait_exponential(mean_gap, fraction, rng);
            }
            Process::Burst { last, idle, .. } => {
                self.wait(flits.into());
                if chance(rng, last) {
                    self.wait(idle.failures(rng));
                    self.memory = Memory::Nothing;
                } else {
                    self.memory = Memory::Destination(to);
                }
            }
        }
    }

    /// The next packet may go to another node than the one before, even in a burst.
    pub(super) fn forget_destination(&mut self) {
        if matches!(self.memory, Memory::Destination(_)) {
            self.memory = Memory::Nothing;
        }
    }

    /// Moves the packet back; past the end of time it stays there.
    fn wait(&mut self, cycles: u64) {
        self.at = self.at.saturating_add(cycles);
    }

    /// Moves the packet back by an exponential time, from `fraction` of its cycle.
    fn wait_exponential(&mut self, mean: f64, fraction: u32, rng: &mut Stream) {
        let gap = -unit(rng).ln() * mean;
        let whole = gap.floor();
        let (fraction, carry) = fraction.overflowing_add(((gap - whole) * TWO_POW_32) as u32);
        self.wait(whole as u64);
        self.wait(carry.into());
        self.memory = Memory::Fraction(fraction);
    }
}

/// Flits still to send of a packet that a node is in the middle of; 0: the next one begins.
fn flits_left(lengths: &Lengths, rng: &mut Stream) -> u32 {
    let flits = lengths.draw_by_flit(rng);
    below(rng, flits.into())
}

const TWO_POW_32: f64 = (1_u64 << 32) as f64;
