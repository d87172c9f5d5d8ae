//! Parallel local links of a Dragonfly: what they carry, and that the books agree, by each of its routings.

use super::{blueprint, with_size};
use crate::network::Network;
use crate::run::run;

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[run]\nwarmup_cycles = 2000\nmeasure_cycles = 4000\n";

/// All nodes of a router send to the next one of the group: n links carry n flits per cycle at most for p nodes, by minimal routes, and nearly so.
#[test]
fn links_carry_what_they_say() {
    for (links, p, expected) in [(1, 2, 0.5), (2, 2, 1.0), (1, 3, 1.0 / 3.0), (2, 3, 2.0 / 3.0), (3, 4, 0.75)]
    {
        let text = format!(
            "{DRAGONFLY}[routing]\nalgorithm = \"minimal\"\n[traffic]\nloads = [1]\npattern = {{ adversarial-local = 1 }}\n"
        );
        let sets = [format!("topology.p={p}"), format!("topology.local_links={links}")];
        let of = run(&blueprint(&text, &sets.each_ref().map(String::as_str)), 1.0, &|_| ()).unwrap();
        let accepted = of.summary.accepted;
        // Packets that wait for one of two links hold up those behind them.
        let least = if links == 1 { 0.98 } else { 0.88 } * expected;
        assert!(
            of.violation.is_none() && (least..expected + 0.01).contains(&accepted),
            "{links}, {p}: {accepted}"
        );
    }
}

#[test]
fn books_agree_by_every_routing() {
    for (routing, more) in [
        ("minimal", "router.vcs={ node = 2, local = 2, global = 1 }"),
        ("valiant", ""),
        ("valiant", "routing.intermediate=node"),
        ("olm", ""),
        ("olm", "selection.trigger=contention"),
        ("par", "routing.local_misrouting=all"),
        ("rlm", ""),
        ("ofar", "router.vcs=4"),
        ("ugal-dragonfly", ""),
        ("ugal-dragonfly", "routing.knowledge=oracle"),
    ] {
        let text = format!("{DRAGONFLY}local = 0\n[routing]\nalgorithm = \"{routing}\"\n[traffic]\nloads = [1]\npattern = {{ adversarial = 1 }}\n")
            .replace("local = 0\n", "");
        let sets = [
            &["topology.local_links=2", "topology.a=[4,3,4,4,4]"][..],
            &[more][usize::from(more.is_empty())..],
        ]
        .concat();
        let blueprint = blueprint(&text, &sets);
        let run = |shards| {
            with_size(&blueprint, (0.8, shards), |network: &mut Network<'_, 64, 8>| {
                for end in (500..=2500).step_by(500) {
                    network.run_to(end);
                    network.audit();
                    assert_eq!(network.violation(), None, "{routing} {more}");
                }
                assert_eq!(network.lost_packets(), 0);
                format!("{:?} {:?}", network.tally(), network.injected())
            })
        };
        assert_eq!(run(1), run(3), "{routing} {more}");
    }
}
