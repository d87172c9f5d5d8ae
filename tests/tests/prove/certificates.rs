//! Certificates: the independent checker takes those that are true, and no other.

use super::{atomic, dragonfly, grid, of};
use desvio_prove::Certificate;
use desvio_prove::check;
use serde_json::{Value, json};

fn certificate(text: &str) -> Certificate {
    Certificate::of(&of(text)).expect("a proof that holds")
}

#[test]
fn the_checker_takes_every_certificate() {
    let olm = |order: &str| format!("algorithm = \"olm\"\nvc_order = \"{order}\"");
    let levels = |kind: &str, routing: &str| {
        format!(
            "[topology]\nkind = \"{kind}\n[routing]\nalgorithm = \"{routing}\"\n[router]\nvcs = 2\n[traffic]\nloads = [0.1]\n"
        )
    };
    let scenarios = [
        grid("mesh", "[4, 4]", 2, "dimension-order", "wormhole"),
        grid("torus", "[5, 3]", 2, "dimension-order", "wormhole"),
        grid("torus", "[4, 4]", 4, "table", "vct"),
        grid("mesh", "[4, 3]", 2, "duato", "store-and-forward"),
        grid("mesh", "[5]", 1, "multipath", "vct"),
        grid("torus", "[5, 3]", 3, "duato", "vct"),
        grid("torus", "[7]", 2, "dateline-adaptive", "vct"),
        grid("torus", "[4, 3]", 2, "dateline-adaptive\"\ndatelines = \"strict", "wormhole"),
        grid("mesh", "[3, 3, 2]", 3, "planar-adaptive", "wormhole"),
        grid("mesh", "[4, 3]", 3, "negative-hop", "wormhole"),
        atomic(&grid("mesh", "[4, 3]", 2, "duato", "wormhole")),
        atomic(&grid("torus", "[5, 3]", 3, "duato", "wormhole")),
        grid("mesh", "[4, 3]", 1, "odd-even", "wormhole"),
        grid("mesh", "[4, 3, 2]", 1, "turn-model", "wormhole"),
        grid("torus", "[4, 3]", 1, "up*/down*", "wormhole"),
        grid("torus", "[4, 3]", 6, "valiant-table", "vct"),
        grid("torus", "[4, 3]", 6, "ugal", "vct"),
        grid("torus", "[4, 3]", 2, "layered", "wormhole"),
        dragonfly("algorithm = \"minimal\"", "never"),
        dragonfly("algorithm = \"valiant\"", "never"),
        dragonfly("algorithm = \"valiant\"\nintermediate = \"node\"", "never"),
        dragonfly("algorithm = \"par\"\nlocal_misrouting = \"none\"", "occupancy"),
        dragonfly("algorithm = \"rlm\"", "occupancy"),
        dragonfly("algorithm = \"ugal-dragonfly\"\nintermediate_groups = \"third\"", "ugal"),
        dragonfly(&olm("ascending"), "hybrid"),
        dragonfly(&olm("descending"), "always"),
        dragonfly(&olm("ascending"), "occupancy")
            .replace("[router]", "[router]\nflow_control = \"wormhole\""),
        "[topology]\nkind = \"fat-tree\"\nradix = 4\nlevels = 3\n[traffic]\nloads = [0.1]\n".to_owned(),
        levels("orthogonal-fat-tree\"\nq = 2", "up-down\"\nascent = \"random"),
        levels("orthogonal-fat-tree\"\nq = 2", "valiant-leaves"),
        levels("orthogonal-fat-tree\"\nq = 2", "up-down-derouting\"\nderouting = \"always"),
        levels("random-folded-clos\"\nradix = 4\nleaves = 10", "up-down-derouting"),
    ];
    for text in scenarios {
        check(&certificate(&text).to_json()).unwrap_or_else(|reason| panic!("{reason}: {text}"));
    }
}

/// One thing is wrong in each: the file, the claims, the scenario, a rank.
#[test]
fn the_checker_refuses_damaged_certificates() {
    let whole = certificate(&grid("mesh", "[3, 3]", 2, "duato", "vct"));
    let file: Value = serde_json::from_str(&whole.to_json()).expect("JSON");
    check(&file.to_string()).expect("a certificate");
    let scenario = file["scenario"].as_str().expect("a scenario");
    let set = |key: &str, value: Value| {
        let mut file = file.clone();
        file[key] = value;
        file.to_string()
    };
    let replaced = |from: &str, to: &str| {
        assert!(scenario.contains(from), "{from}: {scenario}");
        set("scenario", json!(scenario.replace(from, to)))
    };
    let more = |key: &str| set(key, json!(file[key].as_u64().expect("a number") + 1));
    let mut damaged = vec![
        file.to_string()[..400].to_owned(),
        set("format", json!(2)),
        set("rule", json!("acyclic")),
        set("rule", json!("proven")),
        set("scenario", json!("[topology]\nkind = \"mesh\"\n")),
        replaced("[3, 3]", "[3, 4]"),
        replaced("\"duato\"", "\"dimension-order\""),
        replaced("\"duato\"", "\"multipath\""),
        replaced("local = 2", "local = 3"),
        replaced("\"mesh\"", "\"torus\""),
    ];
    damaged.extend(["routers", "nodes", "states", "hops", "longest_route"].map(more));
    let ranks = file["ranks"].as_array().expect("ranks");
    let last = ranks.len() - 1;
    let with = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut ranks = ranks.clone();
        change(&mut ranks);
        set("ranks", json!(ranks))
    };
    damaged.extend([
        with(&|ranks| drop(ranks.remove(last / 2))),
        with(&|ranks| ranks.push(json!([0, 0, 7, 1]))),
        with(&|ranks| ranks.push(ranks[0].clone())),
        with(&|ranks| ranks[0][3] = json!(0)),
        with(&|ranks| ranks[0][3] = json!(-1)),
        with(&|ranks| ranks.iter_mut().for_each(|rank| rank[3] = json!(1))),
        with(&|ranks| ranks.clear()),
        set("ranks", json!("none")),
    ]);
    assert!(damaged.len() >= 20);
    for text in &damaged {
        assert!(check(text).is_err(), "accepted: {}", &text[..text.len().min(2000)]);
    }
}

/// Where each packet has one hop, no rank can be lifted above all others: the packets behind it have no lower one left.
#[test]
fn the_checker_refuses_every_lifted_rank() {
    let whole = certificate(&grid("mesh", "[3, 3]", 1, "dimension-order", "vct"));
    let between = (0..whole.ranks.len()).filter(|&at| whole.ranks[at].1 > 0);
    let mut lifted = 0;
    for at in between {
        let mut certificate = whole.clone();
        certificate.ranks[at].3 = 1000;
        assert!(check(&certificate.to_json()).is_err(), "{:?}", whole.ranks[at]);
        lifted += 1;
    }
    assert_eq!(lifted, 24, "twelve links, both ways");
}
