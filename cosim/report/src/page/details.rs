//! Links, nodes, latencies and series of each row of the page, seeds summed up.

use std::collections::BTreeMap;
use std::path::Path;

use desvio_sim::topology::{MAX_ROUTERS, Topology};

use super::PageError;
use super::layout::Layout;
use super::results::Results;
use super::side::{Fields, each_point, number};
use crate::Detail as File;

/// Those of all rows, and their networks.
#[derive(Debug)]
pub(super) struct Details {
    pub(super) networks: Vec<Network>,
    /// Of each row.
    pub(super) rows: Vec<Detail>,
}

/// A network whose links are known.
#[derive(Debug)]
pub(super) struct Network {
    /// A curve that has it.
    pub(super) curve: usize,
    pub(super) layout: Layout,
    pub(super) links: Vec<Link>,
}

/// A direction of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) router: u32,
    pub(super) port: u32,
    pub(super) class: String,
    pub(super) to: To,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Router(u32),
    Node(u32),
}

/// What one row has beside its numbers.
#[derive(Debug, Default)]
pub(super) struct Detail {
    pub(super) network: Option<usize>,
    /// Of each link, mean over seeds.
    pub(super) utilisation: Vec<f64>,
    pub(super) nodes: Vec<Node>,
    /// By the lowest latency of a bin: the first one above it, and packets.
    pub(super) latencies: BTreeMap<u64, (u64, u64)>,
    /// By the first cycle of a window: packets, and sums of latency and of misrouted ones over them.
    pub(super) series: BTreeMap<i64, (u64, f64, f64)>,
    /// Seeds whose links were read.
    pub(super) seeds: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) node: u32,
    pub(super) router: u32,
    pub(super) port: u32,
    /// Mean over seeds.
    pub(super) injected: f64,
    /// The longest.
    pub(super) waiting: u64,
}

/// Reads what there is beside the table of points.
pub(super) fn read(dir: &Path, results: &Results) -> Result<Details, PageError> {
    let rows = results.rows.iter().map(|_| Detail::default()).collect();
    let mut details = Details { networks: Vec::new(), rows };
    each_point(dir, File::Links, results, |row, lines| details.links(results, row, lines))?;
    each_point(dir, File::Nodes, results, |row, lines| details.rows[row].nodes(lines))?;
    each_point(dir, File::Latency, results, |row, lines| details.rows[row].latencies(lines))?;
    each_point(dir, File::Series, results, |row, lines| details.rows[row].series(lines))?;
    Ok(details)
}

impl Details {
    fn links(&mut self, results: &Results, row: usize, lines: &[Fields]) -> Result<(), String> {
        let links = lines.iter().map(link).collect::<Result<Vec<_>, _>>()?;
        let utilisation = lines.iter().map(|line| number::<f64>(line, 6)).collect::<Result<Vec<_>, _>>()?;
        let network = self.network(results, results.rows[row].curve, links)?;
        let detail = &mut self.rows[row];
        if *detail.network.get_or_insert(network) != network {
            return Err("seeds of one point have different networks".to_owned());
        }
        detail.seeds += 1;
        detail.utilisation.resize(utilisation.len(), 0.0);
        for (mean, value) in detail.utilisation.iter_mut().zip(utilisation) {
            *mean += (value - *mean) / detail.seeds as f64;
        }
        Ok(())
    }

    /// The number of a network, which is drawn once for all rows that have it.
    fn network(&mut self, results: &Results, curve: usize, links: Vec<Link>) -> Result<usize, String> {
        let topology =
            |curve: usize| results.curves[curve].scenario.as_ref().map(|scenario| &scenario.topology);
        let is_it = |known: &Network| topology(known.curve) == topology(curve) && known.links == links;
        if let Some(known) = self.networks.iter().position(is_it) {
            return Ok(known);
        }
        let routers = routers(topology(curve), &links)?;
        let layout = Layout::new(topology(curve), routers);
        self.networks.push(Network { curve, layout, links });
        Ok(self.networks.len() - 1)
    }
}

/// How many routers there are. The numbers in a file are not believed: a router has a link, and a topology so many routers.
fn routers(topology: Option<&Topology>, links: &[Link]) -> Result<usize, String> {
    let sum = |parts: Vec<u32>| parts.iter().map(|part| *part as usize).sum();
    let product = |dims: Vec<u32>| dims.iter().fold(1_usize, |all, dim| all.saturating_mul(*dim as usize));
    let of = |topology: &Topology| {
        let dims = topology.dims().map(product);
        dims.or_else(|| topology.groups().map(sum)).or_else(|| topology.levels().map(sum))
    };
    let most = links.len().min(topology.and_then(of).unwrap_or(MAX_ROUTERS)).min(MAX_ROUTERS);
    let ends = links.iter().flat_map(|link| match link.to {
        To::Router(to) => [link.router, to],
        To::Node(_) => [link.router; 2],
    });
    match ends.max() {
        Some(router) if router as usize >= most => Err(format!("router {router}: there are {most} at most")),
        Some(router) => Ok(router as usize + 1),
        None => Ok(0),
    }
}

fn link(line: &Fields) -> Result<Link, String> {
    let is_router = line.get(3).is_some_and(|router| !router.is_empty());
    let to = if is_router { To::Router(number(line, 3)?) } else { To::Node(number(line, 5)?) };
    Ok(Link { router: number(line, 0)?, port: number(line, 1)?, class: line[2].clone(), to })
}

impl Detail {
    fn nodes(&mut self, lines: &[Fields]) -> Result<(), String> {
        let seeds = self.seeds.max(1) as f64;
        for (n, line) in lines.iter().enumerate() {
            let (injected, waiting) = (number::<f64>(line, 3)? / seeds, number(line, 4)?);
            match self.nodes.get_mut(n) {
                Some(node) => {
                    node.injected += injected;
                    node.waiting = node.waiting.max(waiting);
                }
                None => {
                    let (router, port) = (number(line, 1)?, number(line, 2)?);
                    self.nodes.push(Node { node: number(line, 0)?, router, port, injected, waiting });
                }
            }
        }
        Ok(())
    }

    fn latencies(&mut self, lines: &[Fields]) -> Result<(), String> {
        for line in lines {
            let bin = self.latencies.entry(number(line, 0)?).or_insert((number(line, 1)?, 0));
            bin.1 += number::<u64>(line, 2)?;
        }
        Ok(())
    }

    /// Windows without a packet have no mean.
    fn series(&mut self, lines: &[Fields]) -> Result<(), String> {
        for line in lines {
            let packets: u64 = number(line, 1)?;
            let sums = self.series.entry(number(line, 0)?).or_default();
            if packets > 0 {
                sums.0 += packets;
                sums.1 += packets as f64 * number::<f64>(line, 2)?;
                sums.2 += packets as f64 * number::<f64>(line, 3)?;
            }
        }
        Ok(())
    }

    /// The latencies that these shares of the packets stay below.
    pub(super) fn quantiles<const N: usize>(&self, shares: [f64; N]) -> [u64; N] {
        let all: u64 = self.latencies.values().map(|(_, packets)| packets).sum();
        shares.map(|share| {
            let mut seen = 0;
            let found = self.latencies.values().find(|(_, packets)| {
                seen += packets;
                seen as f64 >= share * all as f64
            });
            found.map_or(0, |(below, _)| *below)
        })
    }

    /// At most so many bins of latencies, each with its first latency, the first one above it, and its packets: neighbours are joined.
    pub(super) fn bins(&self, most: usize) -> Vec<[u64; 3]> {
        let bins: Vec<_> =
            self.latencies.iter().map(|(&from, &(below, packets))| [from, below, packets]).collect();
        let join = |bins: &[[u64; 3]]| {
            let (first, last) = (bins.first()?, bins.last()?);
            Some([first[0], last[1], bins.iter().map(|bin| bin[2]).sum()])
        };
        bins.chunks(bins.len().div_ceil(most).max(1)).filter_map(join).collect()
    }

    /// The numbers of the busiest links, the busiest first.
    pub(super) fn busiest(&self, count: usize) -> Vec<usize> {
        let mut links: Vec<usize> = (0..self.utilisation.len()).collect();
        links.sort_by(|a, b| self.utilisation[*b].total_cmp(&self.utilisation[*a]));
        links.truncate(count);
        links
    }

    /// Of the nodes that have something to send, those that injected least; of equal ones that whose packet waited longest first.
    pub(super) fn worst(&self, count: usize) -> Vec<Node> {
        let mut nodes: Vec<Node> =
            self.nodes.iter().filter(|node| node.injected > 0.0 || node.waiting > 0).copied().collect();
        nodes.sort_by(|a, b| a.injected.total_cmp(&b.injected).then(b.waiting.cmp(&a.waiting)));
        nodes.truncate(count);
        nodes
    }
}
