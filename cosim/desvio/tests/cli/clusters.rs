//! Files of strangers: names of devices in results and messages, what a terminal would obey, pipes, one switch alone.

use super::Place;

/// A ring of three switches with a host each; descriptions are hostile on purpose.
fn ring() -> String {
    let mut text = String::from("#\n# Topology file: generated on Tue Mar  3 09:00:00 2026\n");
    let hosts = ["=1+1", "h<b>2", "h\"3\",x"];
    for (n, host) in (1..=3).zip(hosts) {
        let (next, last) = (n % 3 + 1, (n + 1) % 3 + 1);
        text += &format!(
            "\nSwitch\t36 \"S-00000000000000a{n}\"\t# \"leaf{n}\" base port 0 lid {n} lmc 0\n\
             [5]\t\"H-00000000000000c{n}\"[1](c{n})\t# \"{host}\" lid 1{n} 4xHDR\n\
             [10]\t\"S-00000000000000a{next}\"[20]\t# \"leaf{next}\" lid {next} 4xHDR\n\
             [20]\t\"S-00000000000000a{last}\"[10]\t# \"leaf{last}\" lid {last} 4xHDR\n"
        );
    }
    text
}

const SCENARIO: &str = "[topology]\nkind = \"graph\"\nfile = \"ring.ibnetdiscover\"\n[router]\nvcs = 1\n[routing]\nalgorithm = \"forwarding\"\n\
    tables = \"round.csv\"\n[traffic]\nloads = [0.1]\n[run]\nwarmup_cycles = 100\nmeasure_cycles = 200\ndetails = true\n";

/// Port 1 of a router leads to the one, port 2 to the other: every packet goes one way round.
fn place(ring: &str) -> Place {
    let place = Place::new();
    place.write("ring.ibnetdiscover", ring);
    place.write("ring.toml", SCENARIO);
    let next = |router: usize| (router + 1) % 3;
    let rows = (0..3).flat_map(|router| (0..3).filter(move |to| *to != router).map(move |to| (router, to)));
    let rows: String = rows.map(|(router, to)| format!("{router},{to},{}\n", next(router))).collect();
    place.write("round.csv", format!("router,to_router,next\n{rows}"));
    place
}

#[test]
fn names_are_in_results_and_messages() {
    let place = place(&ring());
    let proof = place.desvio(&["prove", "ring.toml", "--routes"]);
    assert_eq!(proof.status, Some(1), "{proof:#?}");
    assert!(
        proof.out.contains("judged     all pairs of nodes, whatever the scenario's traffic says"),
        "{proof:#?}"
    );
    assert!(proof.out.contains("leaf2 port 20, VC 0: from =1+1 to h\"3\",x"), "{proof:#?}");
    assert!(proof.out.contains("from h<b>2 to =1+1:\n  leaf2 port 5, VC"), "{proof:#?}");
    place.succeed(&["run", "ring.toml", "--out", "r", "--quiet"]);
    let links = place.read("r/links.csv");
    assert!(
        links.starts_with(
            "load,router,port,class,to_router,to_port,to_node,utilisation,wait_mean,name,to_name\n"
        ),
        "{links}"
    );
    assert!(
        links.contains(",leaf1 port 10,leaf2 port 20\n") && links.contains(",leaf1 port 5,'=1+1\n"),
        "{links}"
    );
    let nodes = place.read("r/nodes.csv");
    assert!(nodes.starts_with("load,node,router,port,injected,waiting,name\n"), "{nodes}");
    assert!(nodes.contains(",\"h\"\"3\"\",x\"\n") && nodes.contains(",'=1+1\n"), "{nodes}");
    place.succeed(&["report", "r"]);
    let page = place.read("r/report.html");
    assert!(page.contains("leaf1 port 10") && !page.contains("h<b>2"), "escaped for HTML");
    // Tables that are wrong.
    place.write("round.csv", "router,to_router,next\n0,1,1\n");
    let refused = place.desvio(&["prove", "ring.toml"]);
    assert!(
        refused.err.contains("leaf1 has no entry for leaf3") || refused.err.contains("leaf2 has no entry"),
        "{refused:#?}"
    );
}

#[test]
fn notes_are_told_once() {
    let loopback = "[30]\t\"S-00000000000000a1\"[31]\t# \"leaf1\" lid 1 4xHDR\n[31]\t\"S-00000000000000a1\"[30]\t# \"leaf1\" lid 1 4xHDR\n[10]";
    let place = place(&format!("ibwarn: [7] mad_rpc: timed out\n{}", ring().replacen("[10]", loopback, 1)));
    let run = place.desvio(&["run", "ring.toml"]);
    assert_eq!(run.err.matches("note: ").count(), 2, "{run:#?}");
    assert!(run.err.contains("note: ring.ibnetdiscover: 1 loopback cable is left out\n"), "{run:#?}");
    let quiet = place.desvio(&["run", "ring.toml", "--quiet"]);
    assert!(!quiet.err.contains("note"), "{quiet:#?}");
}

/// Whatever the file of a stranger holds: no control character comes to the terminal.
#[test]
fn nothing_that_a_terminal_obeys_is_printed() {
    let place = Place::new();
    let graph =
        |file: &str| format!("[topology]\nkind = \"graph\"\nfile = \"{file}\"\n[traffic]\nloads = [0.1]\n");
    let plain = |ended: &super::Ended| {
        let obeyed = |c: char| c.is_control() && c != '\n';
        assert!(!ended.out.contains(obeyed) && !ended.err.contains(obeyed), "{ended:?}");
    };
    for (name, text) in [
        ("edges.txt", "5\u{1b}[2J7 1\n".to_owned()),
        (
            "a.graphml",
            "<graphml><graph><node id=\"\u{9b}2J\"/><node id=\"b\u{7f}\"/></graph></graphml>".to_owned(),
        ),
        ("a.dot", "graph { \"\u{1b}]0;x\u{7}\" -- b; c -- \"d\u{9b}\" }".to_owned()),
        ("a.gml", "graph [ node [ id 0 label \"\u{1b}[2J\" ] node [ id 1 ] ]".to_owned()),
        ("a.conf", "SwitchName=a\u{1b}[2J Nodes=b Foo\u{7}=1\n".to_owned()),
        ("a.any", "router 0 router 1 \u{1b}[2J\n".to_owned()),
    ] {
        place.write(name, &text);
        place.write("net.toml", graph(name));
        let refused = place.desvio(&["topology", "net.toml"]);
        assert_eq!(refused.status, Some(2), "{name}: {refused:#?}");
        plain(&refused);
    }
    place.write("small.csv", "router,to_node,port\n0,1\u{7f},1\n");
    let forwarding = ["--set", "routing.algorithm=forwarding", "--set", "routing.tables=small.csv"];
    plain(&place.desvio(&[&["prove", "small.toml"][..], &forwarding].concat()));
    place.write("c.toml", "base = \"me\\u001b[2Jsh.toml\"\n[axes]\n\"x\\u001b]0;pwn\\u0007\" = [1]\n");
    plain(&place.desvio(&["campaign", "plan", "c.toml"]));
    place.write("c.toml", "base = \"small.toml\"\n[axes]\n\"x\\u001b]0;pwn\\u0007\" = [1]\n");
    plain(&place.desvio(&["campaign", "plan", "c.toml"]));
}

/// A pipe that has a name may never have a writer.
#[test]
#[cfg(unix)]
fn pipes_are_not_waited_for() {
    let place = Place::new();
    for pipe in ["net.toml", "edges.txt"] {
        let made = std::process::Command::new("mkfifo").arg(place.dir.path().join(pipe)).status().unwrap();
        assert!(made.success());
    }
    let refused = place.desvio(&["topology", "net.toml"]);
    assert!(refused.status == Some(2) && refused.err.contains("it is a pipe"), "{refused:#?}");
    place.write(
        "graph.toml",
        "[topology]\nkind = \"graph\"\nfile = \"edges.txt\"\n[traffic]\nloads = [0.1]\n",
    );
    let refused = place.desvio(&["topology", "graph.toml"]);
    assert!(refused.status == Some(2) && refused.err.contains("it is a pipe"), "{refused:#?}");
}

/// Nodes of one switch exchange packets through it.
#[test]
fn one_switch_runs() {
    let place = Place::new();
    place.write("one.conf", "SwitchName=s Nodes=n[1-6]\n");
    let run = "[traffic]\nloads = [0.4]\n[run]\nwarmup_cycles = 500\nmeasure_cycles = 2000\n";
    for topology in [
        "kind = \"graph\"\nfile = \"one.conf\"\n",
        "kind = \"complete\"\nrouters = 1\nnodes_per_router = 6\n",
    ] {
        place.write("one.toml", format!("[topology]\n{topology}{run}"));
        let facts = place.succeed(&["topology", "one.toml"]);
        let line = facts.out.lines().find(|line| line.starts_with("links between routers")).unwrap();
        assert!(line.ends_with(" 0"), "{facts:#?}");
        place.succeed(&["run", "one.toml", "--out", "one", "--quiet"]);
        let accepted: f64 = place.rows("one/summary.csv")[0].split(',').nth(2).unwrap().parse().unwrap();
        assert!((0.37..0.43).contains(&accepted), "{accepted}");
        let proof = place.succeed(&["prove", "one.toml"]);
        assert!(proof.out.contains("1 routers, 6 nodes, 0 channels"), "{proof:#?}");
    }
}

/// Traffic that the network cannot have is no matter of `prove`.
#[test]
fn traffic_does_not_make_prove_refuse() {
    let place = Place::new();
    let pairs = ["--set", "traffic.pattern={ pairs = [[0, 99]] }"];
    let run = place.desvio(&[&["run", "small.toml"][..], &pairs].concat());
    assert_eq!(run.status, Some(2), "{run:#?}");
    let proof = place.succeed(&[&["prove", "small.toml"][..], &pairs].concat());
    assert!(proof.out.contains("judged     all pairs of nodes"), "{proof:#?}");
    let adversarial = ["--set", "traffic.pattern={ adversarial = 1 }"];
    place.succeed(&[&["prove", "small.toml"][..], &adversarial].concat());
}
