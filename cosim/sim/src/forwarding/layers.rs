//! Layers: a VC for each pair of routers, kept along the route, so that no layer's channel dependency graph has a cycle.
//!
//! Source: LASH (Skeie, Lysne and Theiss, IPDPS 2002) and DFSSSP (Domke, Hoefler and Nagel, IPDPS 2011). A pair goes to the first layer in
//! which its route closes no cycle, a new one where there is none.

use desvio_paths::{Layer, Link};
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
            let layer = first(&mut layers, wiring, &route);
            if let Some(row) = rows.at(here, there) {
                row.vcs = if layer < VCS { only(layer as u8) } else { VcSet::EMPTY };
            }
        }
    }
    layers.len() as u32
}

/// The first layer that takes a route; a new one where there is none.
pub(super) fn first(layers: &mut Vec<Layer>, wiring: &Wiring, route: &[Link]) -> usize {
    layers.iter_mut().position(|layer| layer.takes(route)).unwrap_or_else(|| {
        let mut new = Layer::new(wiring);
        new.takes(route);
        layers.push(new);
        layers.len() - 1
    })
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

/// Most VCs of a port.
pub(super) const VCS: usize = VcSet::CAPACITY;
