//! What heads wait for links, by hand and as a part of the latency.

use super::super::{Carried, Network};
use super::{blueprint, drain, with};
use crate::traffic::Generated;

/// A link between two routers with `nodes` nodes each: those of one each send `packets` of four flits to the other, at once.
fn waits_of_one_link(sets: &[&str], nodes: u32, vcs: u32, packets: u64) -> (u64, f64) {
    let text = format!(
        "topology = {{ kind = \"mesh\", dims = [2], nodes_per_router = {nodes} }}\nrouter = {{ vcs = {vcs} }}\n\
         routing = {{ algorithm = \"dimension-order\" }}\ntraffic = {{ packet_flits = 4, loads = [1] }}\n\
         run = {{ details = true }}\n"
    );
    let blueprint = blueprint(&text, sets);
    with(&blueprint, (1e-9, 1), |network: &mut Network<'_, 8, 4>| {
        for at in (0..packets).map(|packet| 10 + 4 * packet) {
            network.run_to(at - 1);
            for node in 0..2 * nodes {
                let sends = node < nodes;
                let request = Generated { at, to: nodes + node % nodes, flits: 4 };
                let shard = &mut network.shards[0];
                shard.nodes[node as usize].source.request = sends.then_some(request);
                shard.timers.set(at - 1, at, node);
            }
            // The next time something happens was told before.
            network.due = at;
        }
        network.run_to(200);
        let wait = |router, port| {
            let is = |link: &&Carried| (link.router, u32::from(link.port)) == (router, port);
            network.carried().iter().find(is).unwrap().wait
        };
        let to_nodes = (0..nodes).map(|port| wait(1, port)).collect::<Vec<_>>();
        assert!(to_nodes.iter().all(|wait| wait.heads == packets && wait.cycles == 0), "{to_nodes:?}");
        let wait = wait(0, nodes);
        (wait.heads, wait.mean())
    })
}

/// Four flits take the link for four cycles, and its one VC for as long: of two heads the second waits 4 cycles, of three the third 8, in the
/// buffer or in the output FIFO. With a VC for each packet and FIFOs as fast as the link, heads follow each other: the second waits 1 cycle.
/// Where requests are registered, a VC that a tail has left is taken a cycle later: the second waits 5.
///
/// Of two packets of each node, A and B, the second is behind the first, and selected while the tail of that one leaves: A leaves from cycle 0 to
/// 3, B from 4 to 7. The second A could go in 4, and does in 8; the second B could go in 8, and does in 12. They wait 0, 4, 4 and 4 cycles.
#[test]
fn a_head_waits_for_those_before_it() {
    for speedup in ["router.speedup=1", "router.speedup=2"] {
        assert_eq!(waits_of_one_link(&[speedup], 1, 1, 1), (1, 0.0), "{speedup}");
        assert_eq!(waits_of_one_link(&[speedup], 2, 1, 1), (2, 2.0), "{speedup}");
        assert_eq!(waits_of_one_link(&[speedup], 3, 1, 1), (3, 4.0), "{speedup}");
        assert_eq!(waits_of_one_link(&[speedup], 2, 2, 1), (2, 0.5), "{speedup}");
    }
    assert_eq!(waits_of_one_link(&["router.speedup=1", "router.pipeline=5"], 2, 1, 1), (2, 2.5));
    assert_eq!(waits_of_one_link(&["router.speedup=1"], 2, 1, 2), (4, 3.0));
}

/// Packets of one flit, in buffers of one: nothing is behind a front. What packets take above an empty network is what they wait for links.
#[test]
fn waits_are_what_load_adds_to_the_latency() {
    let text = "topology = { kind = \"mesh\", dims = [3, 3] }\nrouter = { vcs = 2, buffer_flits = 1, speedup = 1 }\n\
        routing = { algorithm = \"dimension-order\" }\ntraffic = { packet_flits = 1, loads = [1] }\nrun = { details = true }\n";
    for shards in [1, 3] {
        with(&blueprint(text, &[]), (0.2, shards), |network: &mut Network<'_, 8, 4>| {
            network.run_to(500);
            drain(network);
            let tally = network.tally();
            let waits = network.carried().into_iter().map(|link| link.wait);
            let (heads, waited) = waits.fold((0, 0), |(n, sum), wait| (n + wait.heads, sum + wait.cycles));
            assert_eq!(heads, tally.hops + tally.packets);
            // A router takes 4 cycles, and a link 1: that of the node, and one behind each router.
            let empty = 5 * heads + tally.packets;
            assert_eq!(tally.network_latency - empty, waited, "{shards} shards");
            assert!(waited > 1000);
        });
    }
}
