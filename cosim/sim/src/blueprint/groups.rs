//! The groups of nodes that messages are for, and a tree for each.
//!
//! The routers are ordered from a root, or by level. A tree has a top router, from which it goes down in that order to each router with a
//! member, by the fewest hops. So every packet goes up, then down, in any tree. Dependencies of all trees together have no cycle: those
//! between channels that lead up rise in the order, and those between channels that lead down fall.

use super::{Blueprint, BlueprintError};
use crate::scenario::Scenario;
use crate::topology::{Order, Wiring};
use crate::traffic;
use router_core::header::ROUTER_BITS;
use router_core::map::trees::{TreeRow, Trees};
use router_core::route::{Grouped, RoutingScheme};
use router_core::units::{PortId, VcId};
use std::collections::BTreeMap;

/// The groups of a network, with their trees.
#[derive(Debug, Clone)]
pub struct Groups {
    members: Vec<Vec<u32>>,
    rows: Vec<TreeRow>,
    ports: Vec<PortId>,
    first: u32,
    vc: (VcId, bool),
}

impl Groups {
    /// Those of a scenario; `None` where all messages are for single nodes.
    pub(super) fn of(blueprint: &Blueprint) -> Result<Option<Self>, BlueprintError> {
        let Blueprint { scenario, wiring, routers, .. } = blueprint;
        if !scenario.has_groups() {
            return Ok(None);
        }
        if wiring.has_one_way() {
            return Err(BlueprintError::OneWay { word: "multicast" });
        }
        let members = traffic::groups(&scenario.traffic, &blueprint.node_map(), scenario.run.seed)?;
        let first = routers.iter().max().map_or(0, |highest| highest + 1);
        if u64::from(first) + members.len() as u64 > 1 << ROUTER_BITS {
            return Err(BlueprintError::GroupAddresses {
                groups: members.len(),
                most: (1 << ROUTER_BITS) - first,
            });
        }
        let order = order(scenario, wiring).ok_or(BlueprintError::GroupApart { group: 0 })?;
        let (mut rows, mut ports) = (Vec::new(), Vec::new());
        for (group, members) in (0u32..).zip(&members) {
            let tree = tree(wiring, &order, members, group).ok_or(BlueprintError::GroupApart { group })?;
            let mut each: Vec<_> = tree.into_iter().map(|(router, ends)| (routers[router], ends)).collect();
            each.sort_unstable();
            for (router, [links, members]) in each {
                let first = ports.len() as u32;
                rows.push(TreeRow {
                    group,
                    router,
                    first,
                    links: links.len() as u16,
                    members: members.len() as u16,
                });
                ports.extend(links.into_iter().chain(members).map(|port| PortId::new(port as u8)));
            }
        }
        let own = scenario.vcs_of_groups();
        let vc = (VcId::new((blueprint.vcs_between() + own).saturating_sub(1) as u8), own > 0);
        Ok(Some(Self { members, rows, ports, first, vc }))
    }

    /// The members of each group, in ascending order.
    #[must_use]
    pub fn members(&self) -> &[Vec<u32>] {
        &self.members
    }

    /// The address of the first group, above those of all routers.
    #[must_use]
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The trees, as a routing takes them.
    #[must_use]
    pub fn trees(&self) -> Option<Trees<'_>> {
        Trees::load(&self.rows, &self.ports, self.first, self.vc).ok()
    }

    /// Links of a group's tree.
    #[must_use]
    pub fn edges(&self, group: u32) -> usize {
        let rows = self.rows.iter().filter(|row| row.group == group);
        rows.map(|row| usize::from(row.links)).sum::<usize>() / 2
    }
}

impl Blueprint {
    /// The groups of nodes that messages are for, where there are any.
    #[must_use]
    pub fn groups(&self) -> Option<&Groups> {
        self.groups.as_deref()
    }

    /// Refuses messages for groups of nodes, for what has no copies of packets.
    ///
    /// # Errors
    /// When there are such messages.
    pub fn check_single(&self, what: &'static str) -> Result<(), BlueprintError> {
        if self.groups.is_some() { Err(BlueprintError::Multicast { what }) } else { Ok(()) }
    }

    /// A routing beside the trees of the network's groups.
    #[must_use]
    pub fn grouped<R>(&self, routing: R) -> Grouped<'_, R> {
        Grouped::new(routing, self.groups().and_then(Groups::trees))
    }
}

/// Most routers among which a root is looked for.
const MOST_TRIED: usize = 4096;

/// From the root of the routing, where it has one; by level, where routers have levels; else from the router with the fewest hops to the
/// farthest one, the first of several.
fn order<'w>(scenario: &Scenario, wiring: &'w Wiring) -> Option<Order<'w>> {
    if let RoutingScheme::UpDownStar(scheme) = scenario.routing.scheme {
        return Order::from(wiring, scheme.root);
    }
    if let Some(levels) = scenario.topology.levels() {
        return Some(Order::of_levels(wiring, &levels));
    }
    let tried = if wiring.routers() > MOST_TRIED { 1 } else { wiring.routers() };
    let height = |&root: &usize| wiring.distances_from(root).into_iter().max();
    Order::from(wiring, (0..tried).min_by_key(height)? as u32)
}

/// The ports of each router of a tree to other routers of it, and to members.
type Tree = BTreeMap<usize, [Vec<usize>; 2]>;

/// The tree of a group; `None` where no router has ways down to all members.
fn tree(wiring: &Wiring, order: &Order<'_>, members: &[u32], group: u32) -> Option<Tree> {
    let mut ends = Tree::new();
    for &member in members {
        let (router, port) = wiring.attachment(member as usize);
        ends.entry(router).or_default()[1].push(port);
    }
    let leaves: Vec<usize> = ends.keys().copied().collect();
    let down: Vec<Vec<u32>> = leaves.iter().map(|&leaf| order.hops_down_to(leaf)).collect();
    // Of the routers with the fewest hops to all, another one for each group.
    let hops = |router: usize| down.iter().try_fold(0u32, |sum, hops| sum.checked_add(hops[router]));
    let fewest = (0..wiring.routers()).filter_map(hops).min()?;
    let tops: Vec<usize> = (0..wiring.routers()).filter(|&router| hops(router) == Some(fewest)).collect();
    let top = *tops.get(group as usize % tops.len())?;
    let above = order.ways_down_from(top, group as usize);
    for leaf in leaves {
        let mut at = leaf;
        while let Some((router, port)) = above[at] {
            let back = wiring.peer(router, port).and_then(|peer| match peer {
                crate::topology::Peer::Router { port, .. } => Some(usize::from(port)),
                crate::topology::Peer::Node(_) => None,
            })?;
            let up = &mut ends.entry(at).or_default()[0];
            if up.contains(&back) {
                break;
            }
            up.push(back);
            ends.entry(router).or_default()[0].push(port);
            at = router;
        }
    }
    Some(ends)
}
