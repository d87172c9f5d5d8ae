//! A layer: routes on one virtual lane whose channel dependency graph has no cycle.
//!
//! Source: LASH (Skeie, Lysne and Theiss, IPDPS 2002) and DFSSSP (Domke, Hoefler and Nagel, IPDPS 2011). A pair goes to the first layer in
//! which its route closes no cycle, a new one where there is none.

use crate::graph::{Graph, Link};
use std::collections::HashMap;

/// A dependency: a packet that holds the first channel waits for the second one.
type Dependency = (Link, Link);

/// The channel dependency graph of a layer, which has no cycle.
#[derive(Debug)]
pub struct Layer {
    /// Dependencies that are there (true), and those that would close a cycle, now and ever after (false).
    known: HashMap<Dependency, bool>,
    /// Entry `channel`: the channels that depend on it.
    after: Vec<Vec<Link>>,
    /// Entry `channel`: the last search that came there.
    seen: Vec<u32>,
    searches: u32,
}

impl Layer {
    /// One without routes.
    pub fn new(graph: &impl Graph) -> Self {
        let channels = graph.routers() * graph.ports();
        Self {
            known: HashMap::new(),
            after: vec![Vec::new(); channels],
            seen: vec![0; channels],
            searches: 0,
        }
    }

    /// Adds a route, if it closes no cycle; nothing changes otherwise.
    pub fn takes(&mut self, route: &[Link]) -> bool {
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
