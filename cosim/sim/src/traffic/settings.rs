//! `[traffic]`: what the nodes send.

use router_core::words;

use super::loads::{self, Loads, MOST_LOAD};
use super::packet_flits::{LENGTHS, PacketFlits};
use super::pattern::{Pattern, Uniform};
use crate::document::write::{number, word};
use crate::document::{Lines, Problem, Section};
use crate::topology::Topology;
use router_core::settings::Word as _;

/// `[traffic]`
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficSettings {
    /// Who sends to whom.
    pub pattern: Pattern,
    /// Flits of each packet, 1…1023.
    pub packet_flits: PacketFlits,
    /// Flits of the reply to each packet, 1…1023; 0: there are no replies.
    pub reply_flits: u32,
    /// The VC of its router that a node sends a packet into.
    pub injection_vc: InjectionVc,
    /// When packets are generated.
    pub process: Process,
    /// Mean packets of a burst of the burst process, 1…
    pub burst_packets: f64,
    /// Which loads to run.
    pub loads: Loads,
}

/// When packets are generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// Independently in each cycle.
    Bernoulli,
    /// Exponential gaps, rounded to cycles.
    Exponential,
    /// Bursts of back-to-back packets to one destination, the bursts' lengths geometric.
    Burst,
}

words!(Process {
    "bernoulli" => [Self::Bernoulli],
    "exponential" => [Self::Exponential],
    "burst" => [Self::Burst],
});

/// The VC of its router that a node sends a packet into. A packet waits until that VC has room for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InjectionVc {
    /// The one with the most room.
    #[default]
    Room,
    /// Any one with room.
    Random,
    /// The one of the destination: nodes are divided among the VCs in order of their numbers.
    Destination,
}

words!(InjectionVc {
    "room" => [Self::Room],
    "random" => [Self::Random],
    "destination" => [Self::Destination],
});

impl TrafficSettings {
    /// Its keys, in the order in which they are written.
    pub(crate) const KEYS: &'static [&'static str] =
        &["pattern", "packet_flits", "reply_flits", "injection_vc", "process", "burst_packets", "loads"];

    /// What holds for the keys that a file leaves out. There are no loads: they must be written.
    pub(crate) fn defaults() -> Self {
        Self {
            pattern: Uniform.into(),
            packet_flits: PacketFlits::Same(8),
            reply_flits: 0,
            injection_vc: InjectionVc::Room,
            process: Process::Bernoulli,
            burst_packets: 4.0,
            loads: Loads::List(Vec::new()),
        }
    }

    /// Reads the table, for a network that has what the pattern needs.
    pub(crate) fn read(section: &Section<'_>, topology: &Topology) -> Result<Self, Problem> {
        let default = Self::defaults();
        let pattern = match section.get("pattern") {
            Some(field) => Pattern::read(&field, topology)?,
            None => default.pattern,
        };
        let settings = Self {
            pattern,
            packet_flits: match section.get("packet_flits") {
                Some(field) => PacketFlits::read(&field)?,
                None => default.packet_flits,
            },
            reply_flits: section.whole("reply_flits", 0..=*LENGTHS.end(), default.reply_flits)?,
            injection_vc: section.word("injection_vc", default.injection_vc)?,
            process: section.word("process", default.process)?,
            burst_packets: section.number("burst_packets", 1.0..=1_000_000.0, default.burst_packets)?,
            loads: Loads::read(&section.need("loads", loads::EXPECTED)?)?,
        };
        settings.check_loads(section)?;
        Ok(settings)
    }

    /// Refuses a load that the process does not make of these packets.
    fn check_loads(&self, section: &Section<'_>) -> Result<(), Problem> {
        let (Loads::List(loads), most) = (&self.loads, self.most_load()) else { return Ok(()) };
        let Some(load) = loads.iter().find(|&&load| load > most) else { return Ok(()) };
        let process = self.process.word();
        let message =
            format!("the load {load} is more than `process = \"{process}\"` makes of these packets, {most}");
        Err(section.need("loads", loads::EXPECTED)?.refuse(message))
    }

    /// Its keys and their values.
    pub(crate) fn write(&self) -> Lines {
        vec![
            ("pattern", self.pattern.write()),
            ("packet_flits", self.packet_flits.write()),
            ("reply_flits", self.reply_flits.to_string()),
            ("injection_vc", word(self.injection_vc)),
            ("process", word(self.process)),
            ("burst_packets", number(&self.burst_packets)),
            ("loads", self.loads.write()),
        ]
    }

    /// The highest load that the process makes of these packets, at most [`MOST_LOAD`].
    pub(super) fn most_load(&self) -> f64 {
        match self.process {
            Process::Bernoulli => self.packet_flits.mean().min(MOST_LOAD),
            Process::Exponential => MOST_LOAD,
            Process::Burst => 1.0,
        }
    }

    /// Flits of the shortest packet, replies included.
    #[must_use]
    pub fn shortest(&self) -> u32 {
        let shortest = self.packet_flits.shortest();
        if self.reply_flits == 0 { shortest } else { shortest.min(self.reply_flits) }
    }

    /// Flits of the longest packet, replies included.
    #[must_use]
    pub fn longest(&self) -> u32 {
        self.packet_flits.longest().max(self.reply_flits)
    }
}
