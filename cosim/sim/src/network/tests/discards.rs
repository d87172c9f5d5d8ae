//! Packets that forwarding tables lead nowhere: all of them are discarded, each is counted, and everything else adds up.

use super::super::{Network, Partition};
use super::drain;
use crate::blueprint::Blueprint;
use crate::scenario::Scenario;
use crate::summary::Discards;
use crate::traffic::Traffic;
use router_core::discard::Discard;

/// A row of three routers with two nodes each, at ports 0 and 1; port 2 leads to the next router, 3 to the one before, if there is one.
const ROW: &str = "[topology]\nkind = \"mesh\"\ndims = [3]\nnodes_per_router = 2\n[router]\ndiscards = true\n\
                   [routing]\nalgorithm = \"forwarding\"\ntables = \"t.csv\"\n[traffic]\nloads = [1]\npacket_flits = 4\n";

/// Rows for nodes 0, 2 and 4 at the others' routers that lead there, and what is wrong: of each router, by node and port.
const RIGHT: &str = "router,to_node,port\n0,2,2\n1,0,3\n2,0,3\n";
const WRONG: &str = "0,3,3\n0,4,2\n0,5,0\n1,1,99\n1,4,3\n1,5,1\n2,1,3\n2,2,2\n";

fn blueprint(sets: &[&str]) -> Blueprint {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), format!("{RIGHT}{WRONG}")).unwrap();
    let sets: Vec<_> = sets.iter().map(ToString::to_string).collect();
    Blueprint::new(Scenario::parse(ROW, "net.toml", folder.path(), &sets).unwrap()).unwrap()
}

/// Runs the row in so many shards, with audits on the way and behind the last packet: what was discarded, flits that came in and flits
/// that went out.
fn run(sets: &[&str], shards: usize) -> (Discards, u64, u64) {
    let blueprint = blueprint(sets);
    let traffic = Traffic::new(&blueprint.scenario().traffic, &blueprint.node_map(), 0.4, 1).unwrap();
    let partition = Partition::with(&blueprint, shards);
    let mut network = Network::<8, 4>::new(&blueprint, &traffic, &partition, &|| true).unwrap();
    for end in (50..=4000).step_by(50) {
        network.run_to(end);
        network.audit();
        assert_eq!((network.violation(), network.lost_packets()), (None, 0), "{sets:?}");
    }
    drain(&mut network);
    let (injected, left) =
        (network.injected().iter().map(|&flits| u64::from(flits)).sum(), network.tally().flits);
    (network.discards(), injected, left)
}

#[test]
fn what_leads_nowhere_is_discarded_and_nothing_else_is_lost() {
    let cases: [&[&str]; 5] = [
        &[],
        &["router.flow_control=wormhole", "router.buffer_flits=3", "router.speedup=1"],
        &["router.flow_control=store-and-forward", "router.pipeline=5", "selection.count_at=arrival"],
        &["traffic.reply_flits=3", "congestion.threshold=15"],
        &["router.allocation_unit=packet", "router.allocator=wavefront", "links.latency=7"],
    ];
    for sets in cases {
        let one = run(sets, 1);
        let (Discards { packets: [by_table @ .., late], flits, .. }, injected, left) = one;
        assert!(by_table.iter().all(|&packets| packets > 50) && late == 0, "{by_table:?}, {late}: {sets:?}");
        assert_eq!(injected, left + flits, "{sets:?}");
        assert!(left > 2000, "{left}: {sets:?}");
        for shards in [2, 3] {
            assert_eq!(one, run(sets, shards), "{shards} shards: {sets:?}");
        }
    }
}

/// From each node to each other one alone: whether its packets arrive, or why they do not.
#[test]
fn each_pair_has_one_fate() {
    use Discard::{InputPort, InvalidPort, ManagementPort, NotInTable};
    let router = |node: usize| node / 2;
    let fate = |from: usize, to: usize| match (router(from), to) {
        (here, to) if here == router(to) => None,
        (0, 2) | (1 | 2, 0) => None,
        (0, 3) | (1, 1 | 5) | (2, 1 | 2) => Some(InvalidPort),
        (0 | 1, 4) => Some(InputPort),
        (0, 5) => Some(ManagementPort),
        _ => Some(NotInTable),
    };
    for (from, to) in (0..6).flat_map(|from| (0..6).map(move |to| (from, to))).filter(|(from, to)| from != to)
    {
        let pair = format!("traffic.pattern={{ pairs = [[{from}, {to}]] }}");
        let (discards, injected, left) = run(&[&pair], 1);
        let packets = fate(from, to).map_or([0; Discard::COUNT], |why| {
            let mut packets = [0; Discard::COUNT];
            packets[why.index()] = injected / 4;
            packets
        });
        assert_eq!(discards.packets, packets, "{from} to {to}");
        assert_eq!(injected, left + discards.flits, "{from} to {to}");
        assert!(injected > 400, "{from} to {to}: {injected}");
    }
}
