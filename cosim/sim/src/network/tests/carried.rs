//! A flit is on a link in the cycle in which it is on its wire, not when it enters the output FIFO.

use super::super::Network;
use super::{blueprint, with};
use router_core::units::PortClass;

/// Minimal routing under ADV+1 keeps one global link of each group busy without a break: no window counts more or fewer flits on
/// it than cycles, wherever it begins and however short it is. FIFOs of 32 flits, full at the one end and not at the other, made
/// it up to 1.0058 over 5,000 cycles.
#[test]
fn a_busy_link_carries_a_flit_in_each_cycle() {
    let text = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[routing]\nalgorithm = \"minimal\"\n\
        [traffic]\npattern = { adversarial = 1 }\nloads = [1]\n";
    let busiest = |network: &Network<'_, 8, 4>, cycles| network.utilisation(PortClass::new(2), cycles).max;
    with(&blueprint(text, &[]), (1.0, 1), |network| {
        network.run_to(30);
        assert!(busiest(network, 30) < 1.0, "the first packets are still under way");
        for cycles in [7, 100, 1000, 13] {
            network.run_to(network.cycle() + 2000);
            network.reset_tally();
            network.run_to(network.cycle() + cycles);
            let used = [0, 1, 2].map(|class| network.utilisation(PortClass::new(class), cycles));
            assert_eq!(used[2].max, 1.0, "{cycles} cycles");
            assert!(used.iter().all(|used| used.max <= 1.0), "{cycles} cycles: {used:?}");
        }
    });
}
