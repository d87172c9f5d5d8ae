//! Widths and speeds of the links of a fabric, such as `4xEDR`: what each carries beside the fastest.

use super::content::Content;
use super::count;
use router_core::rate::Rate;
use std::collections::HashMap;

/// Data that a lane carries, in eleventh parts of a Gbit/s: signalling rates without their line codes (8 bits in 10, from FDR on 64 in 66).
const LANES: [(&str, u32); 10] = [
    ("SDR", 22),
    ("DDR", 44),
    ("QDR", 88),
    ("FDR10", 110),
    ("FDR", 150),
    ("EDR", 275),
    ("HDR", 550),
    ("NDR", 1100),
    ("XDR", 2200),
    ("GDR", 4400),
];

/// What a link carries, in the same unit; nothing where its width or speed is unknown.
fn carries(speed: &str) -> Option<u32> {
    let (width, lane) = speed.split_once('x')?;
    let (_, data) = LANES.iter().find(|(word, _)| *word == lane)?;
    width.parse::<u32>().ok()?.checked_mul(*data).filter(|data| *data > 0)
}

/// The speed of each link as the file has it.
#[derive(Debug, Default)]
pub(super) struct Speeds<'t> {
    /// Of the edges, in their order.
    pub(super) edges: Vec<Option<&'t str>>,
    /// Of the nodes of each router.
    pub(super) nodes: Vec<Vec<Option<&'t str>>>,
}

impl Speeds<'_> {
    /// Gives each link its share of the fastest one, where they differ: a note that says so.
    pub(super) fn apply(&self, content: &mut Content) -> Option<String> {
        let mut links: HashMap<&str, usize> = HashMap::new();
        let all = self.edges.iter().chain(self.nodes.iter().flatten());
        all.flatten().for_each(|speed| *links.entry(speed).or_insert(0) += 1);
        if links.len() < 2 {
            return None;
        }
        let fastest = links.keys().filter_map(|speed| carries(speed)).max()?;
        let share = |speed: &Option<&str>| {
            let rate = Rate::new(carries((*speed)?)?.try_into().ok()?, fastest.try_into().ok()?)?;
            (!rate.is_full()).then_some(rate)
        };
        content.has_speeds = true;
        content.edges.iter_mut().zip(&self.edges).for_each(|(edge, speed)| edge.rate = share(speed));
        for (router, speeds) in content.routers.iter_mut().zip(&self.nodes) {
            router.nodes.iter_mut().zip(speeds).for_each(|(node, speed)| node.rate = share(speed));
        }
        let mut sorted: Vec<_> = links.iter().map(|(speed, links)| (*links, *speed)).collect();
        sorted.sort_by_key(|&(links, speed)| (std::cmp::Reverse(links), speed));
        let shown = |(at, &(links, speed)): (usize, &(usize, &str))| match at {
            0 => count(links, &format!("link at {speed}"), &format!("links at {speed}")),
            _ => format!("{links} at {speed}"),
        };
        let all: Vec<String> = sorted.iter().enumerate().map(shown).collect();
        let slow = sorted.iter().filter_map(|(_, speed)| {
            let rate = share(&Some(speed))?;
            Some(format!("{speed} carries {}/{} of a flit per cycle", rate.flits(), rate.cycles()))
        });
        let slow: Vec<String> = slow.collect();
        let unknown = sorted.iter().any(|(_, speed)| carries(speed).is_none());
        let unknown = if unknown { ", unknown speeds are taken for the fastest" } else { "" };
        let rates = if slow.is_empty() { "all carry as much".to_owned() } else { slow.join(", ") };
        Some(format!("{}: {rates}{unknown}", all.join(", ")))
    }
}
