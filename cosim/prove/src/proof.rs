//! The answer, and how it is written.

use crate::channel::Channel;
use desvio_sim::scenario::{Loss, Scenario};
use std::fmt::{Display, Formatter};

/// What was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Routers of the network.
    pub routers: usize,
    /// Nodes of the network. Packets of each to each other one were followed.
    pub nodes: u32,
    /// Groups of nodes. Packets of each member to its group were followed.
    pub groups: u32,
    /// VCs of all links between routers, in each direction that flits take.
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

/// Why a packet stays where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// It waits: all channels that it requests are full. Without one it requests none.
    Waits,
    /// Its head has gone on into the channel, and its body lies in its own one.
    HeadIsGone,
    /// The escape that was given leads it there.
    Escape,
}

/// A packet of a set that wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The channel that it fills.
    pub channel: Channel,
    /// The node that it comes from.
    pub from: u32,
    /// The node that it is for; nothing that counts where it is for a group.
    pub to: u32,
    /// The group that it is for, if it is for one.
    pub group: Option<u32>,
    /// The channels on its way from its node to this one, both included.
    pub route: Vec<Channel>,
    /// The channels that keep it, all of them full.
    pub behind: Vec<Channel>,
    /// How they keep it.
    pub tie: Tie,
}

/// Whether packets can wait for each other for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No: the channel dependency graph has no cycle (Dally and Seitz).
    Acyclic(Ranks),
    /// No: it has cycles, but every packet that waits requests a channel of a lower rank (Duato).
    Escape(Ranks),
    /// No: a packet that finds its ways held by others does not wait, but goes back to its node and lets go of all that it holds.
    NoWaiting,
    /// These could. One packet alone is one that requests no hop.
    Stuck(Vec<Holder>),
}

/// What else is wrong with a routing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
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

/// The answer.
#[derive(Debug, Clone)]
pub struct Proof {
    /// What was judged.
    pub scenario: Scenario,
    /// What was searched.
    pub reach: Reach,
    /// Whether packets can wait for each other for ever.
    pub verdict: Verdict,
    /// What else is wrong.
    pub faults: Vec<Fault>,
}

impl Proof {
    /// Whether every packet arrives.
    #[must_use]
    pub fn holds(&self) -> bool {
        !matches!(self.verdict, Verdict::Stuck(_)) && self.faults.is_empty()
    }

    /// The ranks that exclude deadlock, where ranks do.
    #[must_use]
    pub fn ranks(&self) -> Option<&Ranks> {
        match &self.verdict {
            Verdict::Acyclic(ranks) | Verdict::Escape(ranks) => Some(ranks),
            Verdict::NoWaiting | Verdict::Stuck(_) => None,
        }
    }

    /// The packets that could wait for each other; none if no packets can.
    #[must_use]
    pub fn stuck(&self) -> &[Holder] {
        match &self.verdict {
            Verdict::Stuck(holders) => holders,
            _ => &[],
        }
    }
}

impl Display for Proof {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Reach { routers, nodes, groups, channels, used, states, hops, longest_route } = self.reach;
        writeln!(f, "network    {routers} routers, {nodes} nodes, {channels} channels between routers")?;
        writeln!(f, "searched   packets from every node to every other: {states} states, {hops} hops")?;
        writeln!(f, "judged     all pairs of nodes, whatever the scenario's traffic says")?;
        if groups > 0 {
            writeln!(
                f,
                "multicast  the trees of {groups} group{} beside them: a packet waits for each branch on its own",
                if groups == 1 { "" } else { "s" }
            )?;
        }
        match channels - used {
            0 => writeln!(f, "channels   all are used")?,
            unused => writeln!(f, "channels   {used} are used; no packet can be in the other {unused}")?,
        }
        if let Some(longest) = longest_route {
            writeln!(f, "routes     at most {longest} hops between routers")?;
        }
        self.faults.iter().try_for_each(|fault| write!(f, "{fault}"))?;
        write!(f, "{}", self.verdict)?;
        match self.scenario.links.loss == Loss::default() {
            true => Ok(()),
            false => {
                writeln!(
                    f,
                    "losses     links lose packets or credits: this is said of the same links without losses"
                )
            }
        }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Misdelivered { from, to, route } => {
                writeln!(f, "misrouted  a packet from node {from} to node {to} can come to another node:")?;
                route.iter().try_for_each(|channel| writeln!(f, "  {channel}"))
            }
            Self::Endless { to } => {
                writeln!(
                    f,
                    "endless    a packet to node {to} can come back to where it was: no bound on its route"
                )
            }
        }
    }
}

impl Display for Verdict {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Acyclic(Ranks { highest, .. }) => {
                writeln!(f, "no cycle   in the channel dependency graph (Dally and Seitz): {highest} ranks")
            }
            Self::Escape(Ranks { highest, .. }) => {
                writeln!(
                    f,
                    "escape     every packet that waits requests a channel of a lower rank (Duato): {highest} ranks"
                )
            }
            Self::NoWaiting => {
                writeln!(
                    f,
                    "no waiting a packet that finds its ways held goes back and holds nothing: no ranks are needed"
                )
            }
            Self::Stuck(holders) => {
                match holders.len() {
                    1 => writeln!(f, "stranded   a packet that has no way on:")?,
                    count => {
                        writeln!(f, "deadlock   {count} packets that can wait for each other for ever:")?
                    }
                }
                holders.chunk_by(Holder::is_like).try_for_each(|holders| line(f, holders))
            }
        }
    }
}

impl Holder {
    /// What it is for, such as `node 5` or `group 1`.
    #[must_use]
    pub fn destination(&self) -> String {
        self.group.map_or_else(|| format!("node {}", self.to), |group| format!("group {group}"))
    }

    /// Whether another packet differs in nothing but the VC and the way that it came.
    fn is_like(&self, other: &Self) -> bool {
        let of = |holder: &Self| {
            (holder.channel.router, holder.channel.port, holder.from, holder.to, holder.group, holder.tie)
        };
        of(self) == of(other) && self.behind == other.behind
    }
}

/// Packets that are alike, in one line.
fn line(f: &mut Formatter<'_>, holders: &[Holder]) -> std::fmt::Result {
    let Some(first @ Holder { from, behind, tie, .. }) = holders.first() else { return Ok(()) };
    let to = first.destination();
    let channels: Vec<_> = holders.iter().map(|holder| holder.channel).collect();
    let how = match (tie, behind.len()) {
        (Tie::Waits, 0) => "requests no hop",
        (Tie::Waits, 1) => "waits for ",
        (Tie::Waits, _) => "waits for any of ",
        (Tie::HeadIsGone, _) => "its head is in ",
        (Tie::Escape, _) => "its escape leads to ",
    };
    writeln!(f, "  {}: from node {from} to {to}, {how}{}", listed(&channels), listed(behind))
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
