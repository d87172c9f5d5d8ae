//! Packets that follow each other in one VC, and have a choice of two outputs.

use super::{blueprint, with};

/// Two routers with two links between them, a node and one VC for it at each. Packets of `flits` flits follow each other every `flits`
/// cycles. A cycle is added for each register behind admission, and for a selection that comes when the tail before has left. A packet of
/// one flit has no tail to be selected behind.
#[test]
fn a_packet_behind_a_tail_is_a_cycle_late_for_each_register_and_where_nothing_is_selected_ahead() {
    const TOPOLOGY: &str = "[topology]\nkind = \"dragonfly\"\np = 1\na = 1\nh = 2\ngroups = 2\n";
    const ROUTER: &str = "[routing]\nalgorithm = \"minimal\"\n\
        [router]\nspeedup = 1\nvcs = { node = 1, local = 1, global = 2 }\n[traffic]\nloads = [1]\n";
    const PACKETS: u64 = 100;
    for pipeline in [4, 5, 6] {
        for (flits, ahead) in [1, 2, 4, 8].into_iter().flat_map(|flits| [(flits, true), (flits, false)]) {
            let late = pipeline - 4 + u64::from(!ahead || flits == 1);
            let keys = [
                format!("router.pipeline={pipeline}"),
                format!("router.select_ahead={ahead}"),
                format!("traffic.packet_flits={flits}"),
            ];
            let sets: Vec<_> = keys.iter().map(String::as_str).collect();
            with(&blueprint(&format!("{TOPOLOGY}{ROUTER}"), &sets), (1.0, 1), |network| {
                network.run_to(500);
                network.reset_tally();
                network.run_to(500 + PACKETS * (flits + late));
                // Of both nodes, to a packet of each that came before or comes behind.
                let packets = network.tally().packets;
                assert!(packets.abs_diff(2 * PACKETS) <= 2, "{flits} flits, {sets:?}: {packets} packets");
            });
        }
    }
}
