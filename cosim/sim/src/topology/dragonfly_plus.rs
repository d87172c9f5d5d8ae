//! Dragonfly+: groups of leaves and spines, with links between the spines of different groups.

use std::path::Path;

use router_core::map::{self, Map, RouterClass};
use router_core::units::{PortClass, PortId};

use super::layout::{Defaults, Layout};
use super::{Known, MAX_ADDRESS, MOST_PORTS, TopologyError, Wiring};
use crate::document::{Lines, Problem, Section};

/// A Dragonfly+ (Shpiner et al., 2017; Megafly: Flajslik et al., 2018): in each group every leaf is joined with every spine; nodes are at
/// leaves, links to other groups at spines, as many between any two groups.
///
/// A group has `n = spines · h` global ports. Port `j`, at spine `j / h`, leads to the group that is `j mod (groups - 1) + 1` further;
/// ports that do not come out even are not connected. Routers are numbered group by group, leaves first. Ports of a leaf: nodes, spines; of
/// a spine: leaves, other groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DragonflyPlus {
    /// Nodes at each leaf.
    pub p: u8,
    /// Leaves of each group.
    pub leaves: u8,
    /// Spines of each group.
    pub spines: u8,
    /// Global ports of each spine.
    pub h: u8,
    /// Groups, 2 to `spines · h + 1`.
    pub groups: u32,
}

impl DragonflyPlus {
    /// Global ports of a group.
    fn exits(&self) -> u32 {
        u32::from(self.spines) * u32::from(self.h)
    }

    /// Routers of a group.
    fn size(&self) -> u32 {
        u32::from(self.leaves) + u32::from(self.spines)
    }

    fn fits(&self) -> bool {
        let ports = |a: u8, b: u8| (2..=MOST_PORTS).contains(&(u32::from(a) + u32::from(b)));
        let some = [self.p, self.leaves, self.spines, self.h].iter().all(|&number| number > 0);
        some && ports(self.p, self.spines)
            && ports(self.leaves, self.h)
            && (2..=self.exits() + 1).contains(&self.groups)
            && self.groups * self.size() <= MAX_ADDRESS + 1
    }

    /// The other end of a global port of a group.
    fn across(&self, group: u32, exit: u32) -> Option<(u32, u32)> {
        let others = self.groups - 1;
        if exit / others >= self.exits() / others {
            return None;
        }
        let further = exit % others + 1;
        Some(((group + further) % self.groups, exit + self.groups - 2 * further))
    }
}

impl Layout for DragonflyPlus {
    const WORD: &'static str = "dragonfly-plus";
    const KEYS: &'static [&'static str] = &["p", "leaves", "spines", "h", "groups"];
    const ROUTING: &'static str = "table";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let number = |key: &'static str, expected: &'static str| {
            let field = section.need(key, expected)?;
            Ok::<_, Problem>((field.whole(1..=MOST_PORTS as u8 - 1)?, field))
        };
        let (p, nodes) = number("p", "the nodes of each leaf")?;
        let (leaves, _) = number("leaves", "the leaves of each group")?;
        let (spines, _) = number("spines", "the spines of each group")?;
        let (h, links) = number("h", "the links of each spine to other groups")?;
        for (field, of, sum) in [(nodes, "leaf", [p, spines]), (links, "spine", [leaves, h])] {
            let ports: u32 = sum.map(u32::from).iter().sum();
            if ports > MOST_PORTS {
                return Err(field
                    .refuse(format!("a {of} would need {ports} ports, at most {MOST_PORTS} are possible")));
            }
        }
        let mut network = Self { p, leaves, spines, h, groups: 2 };
        let most = network.exits() + 1;
        network.groups = section.whole("groups", 2..=most, most)?;
        if !network.fits() {
            let field = section.get("groups").unwrap_or(section.need("spines", "")?);
            return Err(field.refuse("the network is too large: at most 262144 routers are possible"));
        }
        Ok(network)
    }

    fn write(&self) -> Lines {
        vec![
            ("p", self.p.to_string()),
            ("leaves", self.leaves.to_string()),
            ("spines", self.spines.to_string()),
            ("h", self.h.to_string()),
            ("groups", self.groups.to_string()),
        ]
    }

    fn classes(&self) -> &'static [&'static str] {
        &["node", "local", "global"]
    }

    fn defaults(&self) -> Defaults {
        Defaults { buffer_flits: &[32, 32, 256], latency: &[1, 10, 100] }
    }

    fn nodes(&self) -> Option<u32> {
        self.fits().then(|| self.groups * u32::from(self.leaves) * u32::from(self.p))
    }

    fn groups(&self) -> Option<Vec<u32>> {
        Some(vec![self.size(); self.groups as usize])
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        if !self.fits() {
            return Err(TopologyError::Numbers { word: Self::WORD });
        }
        Wiring::collect(self, self.classes(), Known::default())
    }
}

impl Map for DragonflyPlus {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.groups * self.size()
    }

    fn ports(&self) -> usize {
        usize::from((self.p + self.spines).max(self.leaves + self.h))
    }

    /// Leaves, spines.
    fn router_class(&self, router: u32) -> RouterClass {
        RouterClass(u8::from(router % self.size() >= self.leaves.into()))
    }

    fn port_class(&self, RouterClass(of): RouterClass, port: PortId) -> PortClass {
        let down = if of == 0 { self.p } else { self.leaves };
        PortClass::new(of + u8::from(port.number() >= down))
    }

    fn peer(&self, router: u32, port: PortId) -> Option<map::Peer> {
        let (group, index) = (router / self.size(), router % self.size());
        let (first, leaves, h) = (group * self.size(), u32::from(self.leaves), u32::from(self.h));
        let number = u32::from(port.number());
        let (router, port) = match index.checked_sub(leaves) {
            None if number < self.p.into() => return Some(map::Peer::Node),
            None if number >= u32::from(self.p + self.spines) => return None,
            None => (first + leaves + number - u32::from(self.p), index),
            Some(spine) if number < leaves => (first + number, u32::from(self.p) + spine),
            Some(_) if number >= leaves + h => return None,
            Some(spine) => {
                let (group, exit) = self.across(group, spine * h + number - leaves)?;
                (group * self.size() + leaves + exit / h, leaves + exit % h)
            }
        };
        Some(map::Peer::Router { router, port: PortId::new(port as u8) })
    }

    /// Groups.
    fn blocks(&self) -> impl Iterator<Item = u32> {
        (0..self.groups).map(|_| self.size())
    }
}
