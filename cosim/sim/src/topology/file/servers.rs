//! Which vertices of a graph are servers: those that say so, and those whose ports are all network cards.

use super::vertices::Vertices;

/// Entry vertex: whether it is a server.
///
/// Where some vertex has the attribute `function`, those are servers that say `host` or `server`. Else a vertex is one when all of its
/// ports have names of network cards, and no port that they lead to has.
pub(super) fn among(vertices: &Vertices) -> Vec<bool> {
    if vertices.all.iter().any(|vertex| vertex.is_server.is_some()) {
        return vertices.all.iter().map(|vertex| vertex.is_server == Some(true)).collect();
    }
    let mut has_ports = vec![false; vertices.all.len()];
    let mut is_server = vec![true; vertices.all.len()];
    for (edge, [first, second]) in vertices.edges.iter().zip(&vertices.ports) {
        let ends = [edge.ends.0 as usize, edge.ends.1 as usize];
        for (end, own, far) in [(ends[0], first, second), (ends[1], second, first)] {
            has_ports[end] |= !own.is_empty();
            is_server[end] &= is_card(own) && !far.is_empty() && !is_card(far);
        }
    }
    is_server.iter().zip(has_ports).map(|(&is_server, has_ports)| is_server && has_ports).collect()
}

/// Whether the attribute `function` names a server.
pub(super) fn is_host(function: &str) -> bool {
    ["host", "server", "oob-server"].iter().any(|word| function.eq_ignore_ascii_case(word))
}

/// `eth0`, `eno1`, `ens1f0`, `enp3s0`, `ib0`, `mlx5_0`: what Linux calls network cards, and a switch calls no data port.
fn is_card(port: &str) -> bool {
    const CARDS: [&str; 6] = ["eth", "eno", "ens", "enp", "ib", "mlx"];
    CARDS.iter().any(|card| {
        port.strip_prefix(card).is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    })
}
