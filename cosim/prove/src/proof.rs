//! The answer, and how it is written.

use crate::channel::Channel;
use desvio_sim::scenario::Scenario;
use std::fmt::{Display, Formatter};

/// What was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Routers of the network.
    pub routers: usize,
    /// Nodes of the network. Packets of each to each other one were followed.
    pub nodes: u32,
    /// VCs of all links between routers.
    pub channels: usize,
    /// Those of them that some packet can be in.
    pub used: usize,
    /// States: a packet for a destination, with a header, in a channel.
    pub states: u64,
    /// Hops between routers out of these states.
    pub hops: u64,
    /// Hops between routers of the longest route; `None`: there is no bound.
    pub longest_route: Option<u32>,
}

/// Ranks of all channels that packets can be in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranks {
    /// Each channel, those at nodes included, and its rank, from 1 on.
    pub of: Vec<(Channel, u32)>,
    /// The highest.
    pub highest: u32,
}

/// A packet of a set that wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The channel that it fills.
    pub channel: Channel,
    /// The node that it comes from.
    pub from: u32,
    /// The node that it is for.
    pub to: u32,
    /// The channels on its way from its node to this one, both included.
    pub route: Vec<Channel>,
    /// What it waits for: channels that are all full. Where its head has gone on, the channel that the head went to.
    pub waits_for: Vec<Channel>,
    /// Whether its head has gone on and its body lies in the channel.
    pub head_is_gone: bool,
}

/// What is wrong with a routing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// Packets that wait for each other for ever.
    Deadlock(Vec<Holder>),
    /// A packet that can come to where no hop is left to it, or none that it requests.
    Stranded {
        /// The node that it comes from.
        from: u32,
        /// The node that it is for.
        to: u32,
        /// The channels on its way, the one where it stays last.
        route: Vec<Channel>,
    },
    /// A packet that can come to a node that is not its destination.
    Misdelivered {
        /// The node that it comes from.
        from: u32,
        /// The node that it is for.
        to: u32,
        /// The channels on its way.
        route: Vec<Channel>,
    },
    /// A packet that can come back to a state that it was in: nothing bounds its route.
    Endless {
        /// The node that it is for.
        to: u32,
    },
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The channel dependency graph has no cycle (Dally and Seitz).
    Acyclic(Ranks),
    /// It has cycles, but every packet waits for a channel of a lower rank: an escape (Duato).
    Escape(Ranks),
    /// It was not proven.
    Open(Vec<Finding>),
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Proof {
    /// What was judged.
    pub scenario: Scenario,
    /// What was searched.
    pub reach: Reach,
    /// What was found.
    pub verdict: Verdict,
}

impl Proof {
    /// Whether every packet arrives.
    #[must_use]
    pub fn holds(&self) -> bool {
        !matches!(self.verdict, Verdict::Open(_))
    }

    /// The ranks that prove it.
    #[must_use]
    pub fn ranks(&self) -> Option<&Ranks> {
        match &self.verdict {
            Verdict::Acyclic(ranks) | Verdict::Escape(ranks) => Some(ranks),
            Verdict::Open(_) => None,
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match &self.verdict {
            Verdict::Open(findings) => findings,
            _ => &[],
        }
    }
}

impl Display for Proof {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Reach { routers, nodes, channels, used, states, hops, longest_route } = self.reach;
        writeln!(f, "network    {routers} routers, {nodes} nodes, {channels} channels between routers")?;
        writeln!(f, "searched   packets from every node to every other: {states} states, {hops} hops")?;
        let unused = channels - used;
        match unused {
            0 => writeln!(f, "channels   all are used")?,
            _ => writeln!(f, "channels   {used} are used; no packet can be in the other {unused}")?,
        }
        if let Some(longest) = longest_route {
            writeln!(f, "routes     at most {longest} hops between routers")?;
        }
        match &self.verdict {
            Verdict::Acyclic(ranks) => {
                writeln!(f, "proven     the channel dependency graph has no cycle: {} ranks (Dally and Seitz)", ranks.highest)
            }
            Verdict::Escape(ranks) => writeln!(
                f,
                "proven     the channel dependency graph has cycles, but every packet that waits requests a channel of a lower \
                 rank, too: {} ranks (Duato)",
                ranks.highest
            ),
            Verdict::Open(findings) => findings.iter().try_for_each(|finding| write!(f, "{finding}")),
        }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Deadlock(holders) => {
                let count = holders.len();
                writeln!(f, "deadlock   {count} packets that wait for each other for ever:")?;
                let alike = |a: &Holder, b: &Holder| a.is_like(b);
                holders.chunk_by(alike).try_for_each(|holders| line(f, holders))
            }
            Self::Stranded { from, to, route } => {
                writeln!(f, "stranded   a packet from node {from} to node {to} can come to where it requests no hop:")?;
                way(f, route)
            }
            Self::Misdelivered { from, to, route } => {
                writeln!(f, "misrouted  a packet from node {from} to node {to} can come to another node:")?;
                way(f, route)
            }
            Self::Endless { to } => {
                writeln!(f, "endless    a packet to node {to} can come back to where it was: no bound on its route")
            }
        }
    }
}

impl Holder {
    /// Whether another packet differs in nothing but the VC and the way that it came.
    fn is_like(&self, other: &Self) -> bool {
        let of = |holder: &Self| (holder.channel.router, holder.channel.port, holder.from, holder.to, holder.head_is_gone);
        of(self) == of(other) && self.waits_for == other.waits_for
    }
}

/// Packets that are alike, in one line.
fn line(f: &mut Formatter<'_>, holders: &[Holder]) -> std::fmt::Result {
    let Some(Holder { from, to, waits_for, head_is_gone, .. }) = holders.first() else { return Ok(()) };
    let channels: Vec<_> = holders.iter().map(|holder| holder.channel).collect();
    let why = match (head_is_gone, waits_for.len()) {
        (true, _) => "its head is in",
        (false, 1) => "waits for",
        (false, _) => "waits for any of",
    };
    writeln!(f, "  {}: from node {from} to node {to}, {why} {}", listed(&channels), listed(waits_for))
}

/// Channels by port, such as `router 0, port 1, VCs 0, 1; router 3, port 2, VC 0`.
fn listed(channels: &[Channel]) -> String {
    let ports = channels.chunk_by(|a, b| (a.router, a.port) == (b.router, b.port));
    let port = |vcs: &[Channel]| match vcs {
        [one] => one.to_string(),
        _ => {
            let numbers: Vec<_> = vcs.iter().map(|channel| channel.vc.to_string()).collect();
            format!("router {}, port {}, VCs {}", vcs[0].router, vcs[0].port, numbers.join(", "))
        }
    };
    ports.map(port).collect::<Vec<_>>().join("; ")
}

fn way(f: &mut Formatter<'_>, route: &[Channel]) -> std::fmt::Result {
    route.iter().try_for_each(|channel| writeln!(f, "  {channel}"))
}
