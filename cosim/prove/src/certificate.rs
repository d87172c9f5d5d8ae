//! The certificate: what an independent checker needs to see the proof for itself.

use crate::proof::{Proof, Reach, Verdict};
use serde::{Deserialize, Serialize};

/// A proof as a file.
///
/// The check needs no search for ranks. Every packet in every channel that it can come to has to request a channel of a lower rank than
/// that of its own (or its node). It may have no hop to a higher or equal rank that it may lie across. Where a wormhole's VCs are allocated
/// atomically, the second condition is another: it requests a lower rank in every state that it may come to while it lies there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The format: [`Certificate::FORMAT`].
    pub format: u32,
    /// The scenario, every default filled in.
    pub scenario: String,
    /// `acyclic`: every hop of every packet leads to a lower rank. `escape`: one that it requests for as long as it waits does, and
    /// every one that it may lie across.
    pub rule: Rule,
    /// Routers of the network.
    pub routers: usize,
    /// Its nodes: packets from each to each other one were followed.
    pub nodes: u32,
    /// States that packets can be in.
    pub states: u64,
    /// Hops between routers out of these states.
    pub hops: u64,
    /// Hops between routers of the longest route.
    pub longest_route: u32,
    /// Router, input port, VC in ascending order, rank: of every channel that a packet can be in, in ascending order.
    pub ranks: Vec<(u32, u8, u8, u32)>,
}

/// Which hops lead to a lower rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Every one.
    Acyclic,
    /// One that is requested, and every one that a packet may lie across.
    Escape,
}

impl Certificate {
    /// The format that this version writes.
    pub const FORMAT: u32 = 1;

    /// The certificate of a proof; `None` if it does not hold.
    #[must_use]
    pub fn of(proof: &Proof) -> Option<Self> {
        let rule = match &proof.verdict {
            Verdict::Acyclic(_) => Rule::Acyclic,
            _ => Rule::Escape,
        };
        let ranks = proof.ranks().filter(|_| proof.holds())?;
        let Reach { routers, nodes, states, hops, longest_route, .. } = proof.reach;
        Some(Self {
            format: Self::FORMAT,
            scenario: proof.scenario.to_toml(),
            rule,
            routers,
            nodes,
            states,
            hops,
            longest_route: longest_route?,
            ranks: ranks.of.iter().map(|(at, rank)| (at.router, at.port, at.vc, *rank)).collect(),
        })
    }

    /// The file: JSON, a line for each channel.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = String::from("{");
        let mut add =
            |key: &str, value: serde_json::Value| text.push_str(&format!("\n  \"{key}\": {value},"));
        add("format", self.format.into());
        add("scenario", self.scenario.clone().into());
        add("rule", serde_json::json!(self.rule));
        add("routers", self.routers.into());
        add("nodes", self.nodes.into());
        add("states", self.states.into());
        add("hops", self.hops.into());
        add("longest_route", self.longest_route.into());
        let ranks: Vec<_> =
            self.ranks.iter().map(|(a, b, c, d)| format!("\n    [{a}, {b}, {c}, {d}]")).collect();
        text.push_str(&format!("\n  \"ranks\": [{}\n  ]\n}}\n", ranks.join(",")));
        text
    }
}
