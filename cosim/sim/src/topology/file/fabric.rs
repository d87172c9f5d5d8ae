//! The identifiers of an InfiniBand fabric: what its tables call switches, ports and nodes.

use std::collections::HashMap;

use super::content::{Content, LeftOut};

/// A fabric: its switches are routers, each connected port of a channel adapter at a switch is a node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fabric {
    /// By GUID.
    routers: HashMap<u64, u32>,
    /// Of switches, by LID; nothing where two have the same one.
    managed: HashMap<u32, Option<u32>>,
    /// By LID.
    nodes: HashMap<u32, u32>,
    /// By router and number at the switch: the port of the router.
    places: HashMap<(u32, u8), u8>,
    /// What tables may name that is not in the network.
    left_out: LeftOut,
    /// Why LIDs do not distinguish destinations.
    flaw: Option<LidFlaw>,
}

/// Why the LIDs of a fabric do not tell its nodes apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LidFlaw {
    /// A node has none.
    None(String),
    /// Two have one.
    Twice(u32),
}

impl Fabric {
    /// The identifiers of what a file of `ibnetdiscover` says.
    pub(in crate::topology) fn of(content: &Content) -> Option<Self> {
        if !content.has_lids {
            return None;
        }
        let mut fabric = Self { left_out: content.left_out.clone(), ..Self::default() };
        let mut free = content.nodes();
        for (router, of) in (0..).zip(&content.routers) {
            fabric.routers.insert(of.guid, router);
            if of.lid != 0 {
                fabric.managed.entry(of.lid).and_modify(|at| *at = None).or_insert(Some(router));
            }
            for (place, node) in (0..).zip(&of.nodes) {
                fabric.put_node(node.lid, &node.name);
                fabric.put(router, &node.port, place);
            }
        }
        for (edge, ports) in content.edges.iter().zip(&content.ports) {
            for (router, port) in [edge.ends.0, edge.ends.1].into_iter().zip(ports) {
                fabric.put(router, port, free[router as usize]);
                free[router as usize] = free[router as usize].saturating_add(1);
            }
        }
        Some(fabric)
    }

    fn put(&mut self, router: u32, port: &str, place: u8) {
        if let Ok(number) = port.parse() {
            self.places.insert((router, number), place);
        }
    }

    /// Nodes are put in the order of their numbers.
    fn put_node(&mut self, lid: u32, name: &str) {
        let node = self.nodes.len() as u32;
        if lid == 0 {
            self.flaw.get_or_insert(LidFlaw::None(name.to_owned()));
        } else if self.nodes.insert(lid, node).is_some() {
            self.flaw.get_or_insert(LidFlaw::Twice(lid));
        }
    }

    /// Why its LIDs do not tell its nodes apart, if they do not.
    pub(crate) fn flaw(&self) -> Option<&LidFlaw> {
        self.flaw.as_ref()
    }

    /// The router that is the switch with this GUID.
    pub(crate) fn router(&self, guid: u64) -> Option<u32> {
        self.routers.get(&guid).copied()
    }

    /// Whether the switch with this GUID is in the file and not in the network.
    pub(crate) fn leaves_out(&self, guid: u64) -> bool {
        self.left_out.guids.contains(&guid)
    }

    /// Whether this LID is in the file and not in the network.
    pub(crate) fn leaves_out_lid(&self, lid: u32) -> bool {
        self.left_out.lids.contains(&lid)
    }

    /// The router that is the switch with this LID.
    pub(crate) fn managed(&self, lid: u32) -> Option<u32> {
        self.managed.get(&lid).copied().flatten()
    }

    /// The node with this LID.
    pub(crate) fn node(&self, lid: u32) -> Option<u32> {
        self.nodes.get(&lid).copied()
    }

    /// The port of a router that has this number at the switch.
    pub(crate) fn port(&self, router: u32, number: u8) -> Option<u8> {
        self.places.get(&(router, number)).copied()
    }
}
