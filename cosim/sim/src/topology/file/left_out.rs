//! Notes on what of a fabric is left out, and on what is taken for equal.

use std::collections::{HashMap, HashSet};

use super::count;

/// What is left out of a fabric.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Cables from a switch to itself, by the switch and the lower port.
    pub(super) loopbacks: HashSet<(usize, u8)>,
    pub(super) to_routers: usize,
    pub(super) aggregations: usize,
    /// Switches without a cable.
    pub(super) switches: usize,
}

impl LeftOut {
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let notes = [
            (self.loopbacks.len(), "loopback cable is left out", "loopback cables are left out"),
            (
                self.to_routers,
                "link to a router of InfiniBand, which leads to another subnet, is left out",
                "links to routers of InfiniBand, which lead to other subnets, are left out",
            ),
            (
                self.aggregations,
                "aggregation node, which is inside a switch and no host, is left out",
                "aggregation nodes, which are inside switches and no hosts, are left out",
            ),
            (self.switches, "switch without a cable is left out", "switches without a cable are left out"),
        ];
        notes.into_iter().filter(|note| note.0 > 0).map(|(number, one, many)| count(number, one, many))
    }
}

/// How many links have each width and speed.
#[derive(Debug, Default)]
pub(super) struct Rates<'t>(HashMap<&'t str, usize>);

impl<'t> Rates<'t> {
    pub(super) fn add(&mut self, rate: Option<&'t str>) {
        rate.into_iter().for_each(|rate| *self.0.entry(rate).or_insert(0) += 1);
    }

    /// Says that links which differ are taken as equal.
    pub(super) fn note(&self) -> Option<String> {
        let mut rates: Vec<(usize, &str)> = self.0.iter().map(|(rate, &links)| (links, *rate)).collect();
        rates.sort_by_key(|&(links, rate)| (std::cmp::Reverse(links), rate));
        let shown = |(at, &(links, rate)): (usize, &(usize, &str))| match at {
            0 => count(links, &format!("link at {rate}"), &format!("links at {rate}")),
            _ => format!("{links} at {rate}"),
        };
        let all: Vec<String> = rates.iter().enumerate().map(shown).collect();
        (all.len() > 1).then(|| format!("{}: all are taken as equal", all.join(", ")))
    }
}
