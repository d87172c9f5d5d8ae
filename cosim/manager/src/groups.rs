//! Groups of ends, and the ports of each switch by which packets for a group leave.
//!
//! All groups have parts of one tree, which leads up to the root of the up*/down* order. A packet goes up in it, then down, as far as there are
//! members. So no packets for groups wait for each other in a circle, and none for groups and for single ends whose routes are up*/down*.

use crate::routes::Switches;
use crate::subnet::{End, Subnet};
use desvio_paths::{Graph, UpDown};
use std::collections::BTreeSet;

/// By group, then by switch: the ports of its tree to other switches and to members.
pub(crate) type Masks = Vec<Vec<BTreeSet<u8>>>;

/// The trees of groups of ends, which are named by the GUIDs of their ports. An end that is not there gets nothing.
pub(crate) fn masks(subnet: &Subnet, groups: &[Vec<u64>]) -> Masks {
    let graph = Switches::new(subnet);
    if graph.routers() == 0 {
        return vec![Vec::new(); groups.len()];
    }
    let order = UpDown::new(&graph);
    let root = order.root();
    let up = order.tree(root, &mut vec![0; graph.routers() * graph.ports()]);
    let of = |group: &Vec<u64>| {
        let mut ports = vec![BTreeSet::new(); graph.routers()];
        let ends =
            subnet.nodes.iter().filter(|node| !node.info.is_switch && group.contains(&node.info.port_guid));
        let homes: Vec<End> = ends.filter_map(|node| Some(node.links().next()?.1)).collect();
        for &End { node: home, port } in homes.iter().filter(|home| home.node < graph.routers()) {
            ports[home].insert(port);
            let mut at = home;
            while let Some((out, (above, back))) =
                up[at].and_then(|(out, _)| Some((out, graph.behind(at, out)?)))
            {
                ports[at].insert(out);
                if !ports[above].insert(back) {
                    break;
                }
                at = above;
            }
        }
        prune(&graph, root, &mut ports);
        ports
    };
    groups.iter().map(of).collect()
}

/// A top with nothing but one way down is cut off, and the next one likewise.
fn prune(graph: &Switches, root: usize, ports: &mut [BTreeSet<u8>]) {
    let mut top = root;
    while let Some(&only) = ports.get(top).filter(|ports| ports.len() == 1).and_then(BTreeSet::first)
        && let Some((below, back)) = graph.behind(top, only)
    {
        ports[top].clear();
        ports[below].remove(&back);
        top = below;
    }
}
