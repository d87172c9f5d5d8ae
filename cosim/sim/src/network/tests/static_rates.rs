//! Static rate control in whole networks: what a source leaves behind a packet to a slower destination, and what others gain.

use super::{blueprint, with};

/// A switch with a port of 12x, one of 4x, and three of 1x: nodes 0 to 4.
const PORTS: &str = "graph { s [function=leaf]; A [function=host]; B [function=host]; C [function=host]; D [function=host]; \
    E [function=host]; A -- s [rate=1]; B -- s [rate=\"1/3\"]; C -- s [rate=\"1/12\"]; D -- s [rate=\"1/12\"]; E -- s [rate=\"1/12\"] }";
const STATIC: &str = "injection.static_rate=true";
const FLITS: u64 = 12;

/// What happens in a network of that drawing, where nodes send to each other as `pattern` says.
fn scenario(folder: &tempfile::TempDir, drawing: &str, pattern: &str) -> String {
    let file = folder.path().join("net.dot");
    std::fs::write(&file, drawing).unwrap();
    format!(
        "[topology]\nkind = \"graph\"\nfile = \"{}\"\n[router]\nvcs = 1\n[traffic]\nloads = [1]\npacket_flits = {FLITS}\npattern = {pattern}\n",
        file.display()
    )
}

/// The cycles in which a node starts packets, from the first one on.
fn heads(drawing: &str, pattern: &str, sets: &[&str], node: usize) -> Vec<u64> {
    let folder = tempfile::tempdir().unwrap();
    with(&blueprint(&scenario(&folder, drawing, pattern), sets), (1.0, 1), |network| {
        let (mut heads, mut sent) = (Vec::new(), 0);
        for cycle in 0..3000 {
            network.run_to(cycle + 1);
            let now = u64::from(network.injected()[node]);
            if now > sent && sent % FLITS == 0 {
                heads.push(cycle);
            }
            sent = now;
        }
        network.audit();
        assert_eq!((network.violation(), network.lost_packets()), (None, 0));
        heads
    })
}

/// The time between two packets, in packet times of the source's own link: one, and the time-out.
#[test]
fn a_source_waits_by_the_ratio_of_the_rates() {
    let apart = |from: usize, to: usize, own: u64| {
        let heads = heads(PORTS, &format!("{{ pairs = [[{from}, {to}]] }}"), &[STATIC], from);
        assert!(heads.len() > 15, "{from} to {to}: {heads:?}");
        let gaps: Vec<u64> = heads.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|&gap| gap == gaps[0]), "{from} to {to}: {gaps:?}");
        gaps[0] as f64 / (own * FLITS) as f64
    };
    // Of 12x: two packet times behind one for 4x, eleven behind one for 1x. Of 4x: three behind one for 1x, none for 12x.
    assert_eq!([(0, 1), (0, 2)].map(|(from, to)| apart(from, to, 1)), [1.0 + 2.0, 1.0 + 11.0]);
    assert_eq!([(1, 2), (1, 0)].map(|(from, to)| apart(from, to, 3)), [1.0 + 3.0, 1.0]);
    assert_eq!([(2, 3), (3, 0), (4, 1)].map(|(from, to)| apart(from, to, 12)), [1.0; 3]);
}

/// A link between switches is on the way, too: the best of the shortest routes counts.
#[test]
fn the_least_rate_on_the_way_counts() {
    let drawing = |second: &str| {
        format!(
            "graph {{ node [function=leaf] a; b; c; d; node [function=host] A; B; A -- a; B -- d; a -- b [rate=\"1/4\"]; b -- d; a -- c [rate=\"{second}\"]; c -- d }}"
        )
    };
    let gap = |second: &str| {
        let heads = heads(&drawing(second), "{ pairs = [[0, 1]] }", &[STATIC, "router.vcs=2"], 0);
        heads[2] - heads[1]
    };
    assert_eq!(["1/6", "1/2", "1"].map(gap), [4 * FLITS, 2 * FLITS, FLITS]);
}

/// Packets to others pass those that wait: a source with half its packets for 1x still fills its link.
#[test]
fn others_pass() {
    let pattern = "{ mixture = [{ share = 0.05, pattern = { pairs = [[0, 2]] } }, { share = 0.95, pattern = { pairs = [[0, 5]] } }] }";
    let drawing = PORTS.replace("A -- s", "F [function=host]; A -- s").replace(" }", "; F -- s }");
    let heads = heads(&drawing, pattern, &[STATIC], 0);
    assert!(heads.len() as u64 > 3000 / FLITS - 15, "{}", heads.len());
}

/// Two sources share a cable: one of 12x sends to a port of 1x, one of 4x to a port of 4x.
#[test]
fn a_fast_source_no_longer_fills_the_network() {
    let drawing = include_str!("../../../../../examples/infiniband/rates.dot");
    let accepted = |sets: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let text = scenario(&folder, drawing, "{ pairs = [[0, 2], [1, 3]] }");
        with(&blueprint(&text, sets), (1.0, 1), |network| {
            network.run_to(4000);
            network.reset_tally();
            network.run_to(16_000);
            network.audit();
            assert_eq!((network.violation(), network.lost_packets()), (None, 0));
            let sent = network.injected();
            [0, 1].map(|node| f64::from(sent[node]) / 12_000.0)
        })
    };
    let (free, with) = (accepted(&[]), accepted(&[STATIC]));
    // The buffer behind the cable is full of what waits for 1x: the others get as much as those.
    assert!(free.iter().all(|share| (share - 1.0 / 12.0).abs() < 0.01), "{free:?}");
    assert!((with[0] - 1.0 / 12.0).abs() < 0.01 && (with[1] - 1.0 / 3.0).abs() < 0.01, "{with:?}");
    // Notifications of congestion go on top.
    let both =
        ["injection.control=congestion-control", "congestion.threshold=15", "congestion.scope=destination"];
    let both = accepted(&[&both[..], &[STATIC]].concat());
    assert!((both[1] - 1.0 / 3.0).abs() < 0.01, "{both:?}");
}

/// Where all links carry as much, only the order of packets to several destinations is another one.
#[test]
fn equal_rates_wait_for_nothing() {
    let mesh =
        "[topology]\nkind = \"mesh\"\ndims = [8]\n[traffic]\nloads = [1]\npattern = \"bit-complement\"\n";
    for rate in ["links.rate=1", "links.rate=\"1/3\""] {
        let run = |sets: &[&str]| {
            with(&blueprint(mesh, &[&[rate], sets].concat()), (0.4, 1), |network| {
                network.run_to(3000);
                format!("{:?} {:?}", network.tally(), network.injected())
            })
        };
        assert_eq!(run(&[]), run(&[STATIC]), "{rate}");
    }
}

#[test]
fn shards_change_nothing() {
    let text = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[routing]\nalgorithm = \"minimal\"\n[traffic]\nloads = [1]\n\
        [links]\nrate = { global = \"1/3\" }\n[injection]\nstatic_rate = true\n";
    let run = |shards| {
        with(&blueprint(text, &[]), (0.5, shards), |network| {
            network.run_to(3000);
            network.audit();
            assert_eq!(network.violation(), None);
            format!("{:?} {:?}", network.tally(), network.injected())
        })
    };
    assert_eq!(run(1), run(3));
}
