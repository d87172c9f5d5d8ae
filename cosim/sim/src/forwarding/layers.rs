//! Layers: a VC for each pair of routers, kept along the route, so that no layer's channel dependency graph has a cycle.
//!
//! Source: LASH (Skeie, Lysne and Theiss, IPDPS 2002) and DFSSSP (Domke, Hoefler and Nagel, IPDPS 2011): a pair goes to the first layer
//! in which its route closes no cycle, a new one where there is none.

use std::collections::HashMap;

use router_core::map::forwarding::VcRule;
use router_core::units::VcSet;

use super::check::next;
use super::only;
use super::rows::Rows;
use crate::topology::Wiring;

/// Gives the rows at the first router of each pair its layer; says how many layers there are. Pairs of layers above the seventh have
/// no VC.
pub(super) fn assign(rows: &mut Rows, wiring: &Wiring) -> u32 {
    rows.rule = VcRule::PerRoute;
    let ends: Vec<usize> = (0..wiring.routers()).filter(|&r| wiring.nodes_of(r).next().is_some()).collect();
    let mut layers: Vec<Layer> = Vec::new();
    let mut route = Vec::new();
    for &there in &ends {
        for &here in ends.iter().filter(|&&here| here != there) {
            channels(rows, wiring, here, there, &mut route);
            let layer = layers.iter_mut().position(|layer| layer.takes(&route)).unwrap_or_else(|| {
                let mut new = Layer::new(wiring);
                new.takes(&route);
                layers.push(new);
                layers.len() - 1
            });
            if let Some(row) = rows.at(here, there) {
                row.vcs = if layer < VCS { only(layer as u8) } else { VcSet::EMPTY };
            }
        }
    }
    layers.len() as u32
}

/// The channels of a route, each by the router and port that it leaves.
fn channels(rows: &Rows, wiring: &Wiring, from: usize, to: usize, route: &mut Vec<u32>) {
    route.clear();
    let mut at = from;
    while let Some(row) = rows.get(at, to) {
        route.push((at * wiring.ports()) as u32 + u32::from(row.port));
        let Some(there) = next(wiring, at, row.port) else { return };
        at = there;
    }
}

/// A dependency: a packet that holds the first channel waits for the second one.
type Dependency = (u32, u32);

/// The channel dependency graph of a layer, which has no cycle.
pub(super) struct Layer {
    /// Dependencies that are there (true), and those that would close a cycle, now and ever after (false).
    known: HashMap<Dependency, bool>,
    /// Entry `channel`: the channels that depend on it.
    after: Vec<Vec<u32>>,
    /// Entry `channel`: the last search that came there.
    seen: Vec<u32>,
    searches: u32,
}

impl Layer {
    pub(super) fn new(wiring: &Wiring) -> Self {
        let channels = wiring.routers() * wiring.ports();
        Self {
            known: HashMap::new(),
            after: vec![Vec::new(); channels],
            seen: vec![0; channels],
            searches: 0,
        }
    }

    /// Adds a route, if it closes no cycle; nothing changes otherwise.
    pub(super) fn takes(&mut self, route: &[u32]) -> bool {
        let mut added: Vec<Dependency> = Vec::new();
        for pair in route.windows(2) {
            let new = (pair[0], pair[1]);
            let fits = match self.known.get(&new) {
                Some(&fits) => fits,
                None => {
                    let fits = !self.leads(new.1, new.0);
                    if fits {
                        self.known.insert(new, true);
                        self.after[new.0 as usize].push(new.1);
                        added.push(new);
                    } else if added.is_empty() {
                        self.known.insert(new, false);
                    }
                    fits
                }
            };
            if !fits {
                for (from, _) in added.iter().rev() {
                    self.after[*from as usize].pop();
                }
                for dependency in &added {
                    self.known.remove(dependency);
                }
                return false;
            }
        }
        true
    }

    /// Whether dependencies lead from a channel to another one.
    fn leads(&mut self, from: u32, to: u32) -> bool {
        self.searches += 1;
        let mut open = vec![from];
        while let Some(channel) = open.pop() {
            if channel == to {
                return true;
            }
            if std::mem::replace(&mut self.seen[channel as usize], self.searches) != self.searches {
                open.extend(&self.after[channel as usize]);
            }
        }
        false
    }
}

/// Most VCs of a port.
pub(super) const VCS: usize = 8;
