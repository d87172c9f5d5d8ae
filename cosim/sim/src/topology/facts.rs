//! The facts about a network that `desvio topology` prints.

use std::collections::BTreeSet;
use std::fmt;

use rayon::prelude::*;

use super::bisection::spread;
use super::distance::Search;
use super::{Cut, Peer, Wiring};
use router_core::units::PortClass;

/// Facts about a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Routers.
    pub routers: usize,
    /// Nodes.
    pub nodes: usize,
    /// Ports of the largest router, to nodes and to routers.
    pub radix: usize,
    /// Links of each class, with its name, each counted once; links to nodes first.
    pub links: Vec<(&'static str, u64)>,
    /// Ways that flits take over links between routers: two for each link, one where it is one-way.
    pub channels: usize,
    /// Fewest links of a router to other routers.
    pub degree_min: usize,
    /// Most links of a router to other routers.
    pub degree_max: usize,
    /// How far apart routers and nodes are.
    pub distances: Distances,
    /// The mean number of shortest routes, over ordered pairs of different routers; parallel links make routes of their own. NaN when
    /// there is one router. Of the routers that distances were measured from.
    pub shortest_routes: f64,
    /// How many kinds of routers there are by how many others they have at each distance, among those that distances were measured
    /// from. Where all routers look alike, there is one; where there is one, they need not.
    pub distance_profiles: usize,
    /// The share of the pairs of leaves that have no root above both, where routers stand in levels, and from how many leaves it was measured;
    /// `None`: all.
    pub apart: Option<(f64, Option<usize>)>,
    /// The radix that joins nearly all pairs of leaves by a root, where the links between levels are random.
    pub connecting_radix: Option<f64>,
    /// Mean hops of a hierarchical minimal route (Dragonfly), uniform traffic.
    pub minimal_hops: Option<Hops>,
    /// The fewest links between two halves.
    pub bisection: Cut,
}

/// Distances in hops between routers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distances {
    /// The longest.
    pub diameter: u32,
    /// The mean over ordered pairs of different routers; NaN when there is one router.
    pub router_mean: f64,
    /// The mean over ordered pairs of different nodes, as uniform traffic has it; NaN when there is no pair.
    pub node_mean: f64,
    /// From how many routers they were measured; `None`: all, so they are exact.
    pub sampled: Option<usize>,
}

/// Mean hops of a route, by kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hops {
    /// Inside groups.
    pub local: f64,
    /// Between groups.
    pub global: f64,
}

/// One line of the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// How much.
    pub value: String,
    /// Of what.
    pub unit: &'static str,
}

impl Facts {
    /// Measures `wiring`.
    #[must_use]
    pub fn of(wiring: &Wiring) -> Self {
        let measured = Measured::of(wiring);
        let degrees = || (0..wiring.routers()).map(|router| wiring.neighbours(router).count());
        Self {
            routers: wiring.routers(),
            nodes: wiring.nodes(),
            radix: wiring.ports(),
            links: links(wiring),
            channels: (0..wiring.routers()).map(|router| wiring.onward(router).count()).sum(),
            degree_min: degrees().min().unwrap_or(0),
            degree_max: degrees().max().unwrap_or(0),
            distances: measured.distances,
            shortest_routes: measured.shortest_routes,
            distance_profiles: measured.distance_profiles,
            apart: wiring.share_apart(),
            connecting_radix: wiring.known.connecting_radix,
            minimal_hops: wiring.known.minimal_hops,
            bisection: Cut::of(wiring),
        }
    }

    /// Flits per cycle the busiest channel carries at least, whatever the routing, when every node sends one flit per
    /// cycle to random other nodes. A channel is one direction of a link between routers.
    ///
    /// The greater of two bounds: all hops spread evenly over all channels, and all that crosses the halves spread
    /// evenly over the links that cross. NaN when there is no traffic between routers.
    #[must_use]
    pub fn channel_load(&self) -> f64 {
        let nodes = self.nodes as f64;
        let channels = self.channels as f64;
        let [here, there] = self.bisection.nodes.map(|nodes| nodes as f64);
        let by_hops = nodes * self.distances.node_mean / channels;
        let by_cut = here * there / (nodes - 1.0) / self.bisection.links as f64;
        by_hops.max(by_cut)
    }

    /// Load that uniform traffic cannot exceed, in flits per node per cycle; at most 1, what a node's own link carries.
    #[must_use]
    pub fn throughput(&self) -> f64 {
        (1.0 / self.channel_load()).min(1.0)
    }

    /// What it costs in cables: those between routers and those to nodes, for each node.
    #[must_use]
    pub fn cables_per_node(&self) -> f64 {
        self.links.iter().map(|(_, links)| links).sum::<u64>() as f64 / self.nodes as f64
    }

    /// What it costs in ports of routers, for each node: both ends of each cable between routers, and one of each to a node.
    #[must_use]
    pub fn ports_per_node(&self) -> f64 {
        2.0 * self.cables_per_node() - self.links_of(PortClass::NODE) as f64 / self.nodes as f64
    }

    /// The mean load of local and of global channels under uniform traffic with hierarchical minimal routes, in flits
    /// per cycle when every node sends one.
    #[must_use]
    pub fn minimal_channel_load(&self) -> Option<Hops> {
        let load = |hops: f64, links: u64| self.nodes as f64 * hops / (2 * links.max(1)) as f64;
        self.minimal_hops.map(|hops| Hops {
            local: load(hops.local, self.links_of(PortClass::LOCAL)),
            global: load(hops.global, self.links_of(PortClass::GLOBAL)),
        })
    }

    /// Links of a class.
    #[must_use]
    pub fn links_of(&self, class: PortClass) -> u64 {
        self.links.get(class.index()).map_or(0, |&(_, links)| links)
    }

    /// The facts as lines of a table.
    #[must_use]
    pub fn rows(&self) -> Vec<Fact> {
        let mut rows = self.size_rows();
        rows.extend(self.distance_rows());
        let at_most = if self.bisection.is_least { "" } else { "at most " };
        rows.push(Fact::new("bisection", format!("{at_most}{}", self.bisection.links), "links"));
        if self.channel_load().is_finite() {
            let load = format!("at least {:.4}", self.channel_load());
            rows.push(Fact::new("busiest channel, uniform traffic", load, "flits/cycle per unit of load"));
            let throughput = format!("at most {:.4}", self.throughput());
            rows.push(Fact::new("throughput, uniform traffic", throughput, "flits/node/cycle"));
        }
        rows
    }

    fn size_rows(&self) -> Vec<Fact> {
        let mut rows = vec![
            Fact::new("routers", self.routers.to_string(), ""),
            Fact::new("nodes", self.nodes.to_string(), ""),
            Fact::new("ports of the largest router", self.radix.to_string(), ""),
            Fact::new("links to nodes", self.links_of(PortClass::NODE).to_string(), ""),
        ];
        for (class, &(name, links)) in self.links.iter().enumerate().skip(1) {
            // A network has links between routers, unless it has one router.
            if class == 1 || links > 0 {
                rows.push(Fact::new(format!("{name} links"), links.to_string(), ""));
            }
        }
        let links: u64 = self.links.iter().skip(1).map(|(_, links)| links).sum();
        rows.push(Fact::new("links between routers", links.to_string(), ""));
        let degree = if self.degree_min == self.degree_max {
            self.degree_max.to_string()
        } else {
            format!("{} to {}", self.degree_min, self.degree_max)
        };
        rows.push(Fact::new("degree", degree, "links to routers"));
        let cost = [("cables", self.cables_per_node()), ("ports in use", self.ports_per_node())];
        rows.extend(cost.map(|(name, each)| Fact::new(name, format!("{each:.4}"), "per node")));
        rows
    }

    fn distance_rows(&self) -> Vec<Fact> {
        let Distances { diameter, router_mean, node_mean, sampled } = self.distances;
        let (at_least, about) = if sampled.is_some() { ("at least ", "about ") } else { ("", "") };
        let mut rows = vec![Fact::new("diameter", format!("{at_least}{diameter}"), "hops")];
        let means = [("mean distance of routers", router_mean), ("mean distance of nodes", node_mean)];
        for (name, mean) in means.into_iter().filter(|(_, mean)| mean.is_finite()) {
            rows.push(Fact::new(name, format!("{about}{mean:.4}"), "hops"));
        }
        if self.shortest_routes.is_finite() {
            let routes = self.shortest_routes;
            let routes = if routes < 1e6 { format!("{routes:.4}") } else { format!("{routes:.3e}") };
            rows.push(Fact::new(
                "shortest routes between routers",
                format!("{about}{routes}"),
                "per pair, mean",
            ));
        }
        let profiles = format!("{at_least}{}", self.distance_profiles);
        rows.push(Fact::new("kinds of routers", profiles, "by how many others are at each distance"));
        if let Some(from) = sampled {
            rows.push(Fact::new("distances measured from", from.to_string(), "routers"));
        }
        if let Some((share, sampled)) = self.apart {
            let about = if sampled.is_some() { "about " } else { "" };
            let share = format!("{about}{share:.4}");
            rows.push(Fact::new("pairs of leaves without a common root", share, "share of pairs"));
        }
        if let Some(radix) = self.connecting_radix {
            let radix = format!("about {radix:.1}");
            rows.push(Fact::new("radix that joins any two leaves by a root", radix, "ports"));
        }
        if let (Some(hops), Some(load)) = (self.minimal_hops, self.minimal_channel_load()) {
            rows.push(Fact::new("minimal routes, local", format!("{:.4}", hops.local), "hops"));
            rows.push(Fact::new("minimal routes, global", format!("{:.4}", hops.global), "hops"));
            rows.push(Fact::new("minimal routes, local channels", format!("{:.4}", load.local), PER_LOAD));
            rows.push(Fact::new("minimal routes, global channels", format!("{:.4}", load.global), PER_LOAD));
        }
        rows
    }
}

/// What searches from routers find.
struct Measured {
    distances: Distances,
    shortest_routes: f64,
    distance_profiles: usize,
}

impl Measured {
    fn of(wiring: &Wiring) -> Self {
        let (sources, sampled) = sources(wiring);
        let weights: Vec<u64> = (0..wiring.routers()).map(|r| wiring.nodes_of(r).count() as u64).collect();
        let searches = sources.into_par_iter().map_init(
            || Search::new(wiring.routers()),
            |search, source| {
                search.run(wiring, source);
                Sums::of(search, source, &weights)
            },
        );
        // One after the other: sums of fractions depend on their order.
        searches.collect::<Vec<_>>().into_iter().fold(Sums::default(), Sums::plus).finish(wiring, sampled)
    }
}

/// The routers to search from, and how many they are if not all that are needed.
fn sources(wiring: &Wiring) -> (Vec<usize>, Option<usize>) {
    let routers = wiring.routers();
    let enough = (MAX_VISITS / (routers * wiring.ports()).max(1)).max(1);
    let needed = wiring.known.representatives.unwrap_or(routers);
    if needed <= enough {
        ((0..needed).collect(), None)
    } else {
        let sample: Vec<usize> = spread(routers).take(enough).collect();
        let size = sample.len();
        (sample, Some(size))
    }
}

/// Sums over searches from some routers.
#[derive(Debug, Clone, Default)]
struct Sums {
    diameter: u32,
    searches: u64,
    hops: u64,
    sending_nodes: u64,
    /// Over pairs of nodes.
    node_hops: u64,
    routes: f64,
    /// How many routers are at each distance from a router: those that differ.
    profiles: BTreeSet<Vec<u32>>,
}

impl Sums {
    fn of(search: &Search, source: usize, weights: &[u64]) -> Self {
        let mut sums = Self { searches: 1, sending_nodes: weights[source], ..Self::default() };
        let mut profile = Vec::new();
        for (router, hops) in search.reached() {
            profile.resize(hops as usize + 1, 0);
            profile[hops as usize] += 1;
            sums.routes += search.routes(router);
            sums.diameter = sums.diameter.max(hops);
            sums.hops += u64::from(hops);
            sums.node_hops += u64::from(hops) * weights[router] * weights[source];
        }
        // The one that leads nowhere.
        sums.routes -= search.routes(source);
        sums.profiles.insert(profile);
        sums
    }

    fn plus(mut self, other: Self) -> Self {
        self.profiles.extend(other.profiles);
        Self {
            diameter: self.diameter.max(other.diameter),
            searches: self.searches + other.searches,
            hops: self.hops + other.hops,
            sending_nodes: self.sending_nodes + other.sending_nodes,
            node_hops: self.node_hops + other.node_hops,
            routes: self.routes + other.routes,
            profiles: self.profiles,
        }
    }

    fn finish(self, wiring: &Wiring, sampled: Option<usize>) -> Measured {
        let mean = |sum: u64, sources: u64, all: usize| sum as f64 / (sources as f64 * (all as f64 - 1.0));
        let distances = Distances {
            diameter: self.diameter,
            router_mean: mean(self.hops, self.searches, wiring.routers()),
            node_mean: mean(self.node_hops, self.sending_nodes, wiring.nodes()),
            sampled,
        };
        let shortest_routes = self.routes / (self.searches as f64 * (wiring.routers() as f64 - 1.0));
        Measured { distances, shortest_routes, distance_profiles: self.profiles.len() }
    }
}

fn links(wiring: &Wiring) -> Vec<(&'static str, u64)> {
    let mut ends = vec![0; wiring.class_names().len()];
    for router in 0..wiring.routers() {
        for port in 0..wiring.ports() {
            // A link between routers is found from both ends.
            ends[wiring.class(router, port).index()] += match wiring.peer(router, port) {
                None => 0,
                Some(Peer::Node(_)) => 2,
                Some(Peer::Router { .. }) => 1,
            };
        }
    }
    wiring.class_names().iter().zip(ends).map(|(name, ends)| (*name, ends / 2)).collect()
}

impl Fact {
    fn new(name: impl Into<String>, value: String, unit: &'static str) -> Self {
        Self { name: name.into(), value, unit }
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        let name = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        let value = rows.iter().map(|row| row.value.len()).max().unwrap_or(0);
        for row in &rows {
            let line = format!("{:name$}  {:>value$}  {}", row.name, row.value, row.unit);
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

const PER_LOAD: &str = "flits/cycle per unit of load";

/// Ports looked at by all searches together: a few seconds' work. A Dragonfly of h = 8 needs 132 million.
const MAX_VISITS: usize = 600_000_000;
