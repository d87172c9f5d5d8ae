//! The slow half.

use super::*;

/// The example of docs/infiniband.md, at the switch with the wrong entries: each of the four reasons is seen, and nothing differs, at the
/// router by itself and in the network. A switch that sends packets back to where they came from differs.
#[test]
fn a_broken_forwarding_table_is_in_lockstep() {
    let Some(place) = place() else { return };
    for file in ["broken.toml", "broken.lfts", "torus.ibnetdiscover"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infiniband").join(file);
        fs::copy(from, place.path(file)).unwrap();
    }
    let lockstep = ["lockstep", "broken.toml", "--router", "1", "--cycles", "120000"];
    let ended = place.desvio(&lockstep);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert!(ended.out.starts_with("no difference: 120"), "{}", ended.out);
    // All cases that were not seen are named.
    let unseen =
        |case: &str| ended.out.lines().any(|line| line.contains(case) && !line.contains("as they like"));
    for case in ["discard.", "discarding"] {
        assert!(!unseen(case), "{case}: {}", ended.out);
    }
    let short = ["--set", "run.measure_cycles=3000", "--set", "traffic.loads=[0.2]"];
    let alone = place.succeed(&[&["run", "broken.toml", "--out", "alone"][..], &short].concat());
    let both = place.succeed(&[&["run", "broken.toml", "--rtl", "2", "--out", "both"][..], &short].concat());
    assert!(alone.out.contains(" discarded (") && both.out.starts_with(alone.out.lines().next().unwrap()));
    assert_eq!(place.read("alone/summary.csv"), place.read("both/summary.csv"));
    let summary = place.read("alone/summary.csv");
    let header = summary.lines().next().unwrap();
    let expected = "discarded_not_in_table,discarded_invalid_port,discarded_input_port,discarded_management_port,discarded_flits";
    assert!(header.contains(expected), "{header}");

    let path = place.path("hdl/rtl/route/dsv_discard.sv");
    let text = fs::read_to_string(&path).unwrap();
    let planted = text.replace("= ports[PORT];", "= 1'b0;");
    assert_ne!(text, planted);
    fs::write(path, planted).unwrap();
    let ended = place.desvio(&[&lockstep[..], &["--hdl", "hdl", "--out", "found"]].concat());
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.err.contains("mismatch in cycle "), "{}", ended.err);
}

#[test]
fn a_difference_ends_with_status_1_and_a_stimulus_that_shows_it_again() {
    let Some(place) = place() else { return };
    plant(&place);
    let ended =
        place.desvio(&["lockstep", "tiny.toml", "--cycles", "200000", "--hdl", "hdl", "--out", "found"]);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.err.contains("mismatch in cycle "), "{}", ended.err);
    assert!(ended.err.contains("the last events:"), "{}", ended.err);
    let waveform = fs::read_to_string(place.path("found/mismatch.vcd")).unwrap();
    for scope in ["model", "rtl", "inputs", "vc0"] {
        assert!(waveform.contains(&format!("$scope module {scope} $end")), "no {scope}");
    }
    for vc in [" flit_vc $end", " credit_vc $end"] {
        let mut declared = waveform.lines().filter(|line| line.ends_with(vc)).peekable();
        assert!(declared.peek().is_some(), "no {vc}");
        assert!(
            declared.all(|line| line.starts_with("$var wire 2 ")),
            "three VCs have names of two bits: {vc}"
        );
    }
    let again =
        place.desvio(&["lockstep", "--replay", "found/stimulus.toml", "--hdl", "hdl", "--out", "again"]);
    assert_eq!(again.status, Some(1), "{again:?}");
    let line = |text: &str| text.lines().find(|line| line.starts_with("mismatch in ")).unwrap().to_owned();
    assert_eq!(line(&again.err), line(&ended.err));
    // The RTL as it should be.
    let right = place.desvio(&["lockstep", "--replay", "found/stimulus.toml", "--quiet"]);
    assert_eq!(right.status, Some(0), "{right:?}");
}

/// Of a router with odd flits in another place of the network.
#[test]
fn width_and_place_are_replayed() {
    let Some(place) = place() else { return };
    plant(&place);
    let run =
        ["lockstep", "tiny.toml", "--flit-width", "97", "--router", "2", "--hdl", "hdl", "--out", "found"];
    let ended = place.desvio(&run);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    let stimulus = place.read("found/stimulus.toml");
    for line in ["flit_width = 97", "router = 2"] {
        assert!(stimulus.contains(line), "no {line} in {stimulus}");
    }
    let replay = ["lockstep", "--replay", "found/stimulus.toml", "--hdl", "hdl", "--out", "again"];
    let again = place.desvio(&replay);
    let line = |text: &str| text.lines().find(|line| line.starts_with("mismatch in ")).unwrap().to_owned();
    assert_eq!(line(&again.err), line(&ended.err));
}

#[test]
fn a_network_with_rtl_gives_the_results_of_one_without() {
    let Some(place) = place() else { return };
    let plain = place.desvio(&["run", "tiny.toml", "--out", "plain", "--quiet"]);
    let rtl = place.desvio(&["run", "tiny.toml", "--out", "rtl", "--quiet", "--rtl", "all"]);
    assert_eq!((plain.status, rtl.status), (Some(0), Some(0)), "{rtl:?}");
    assert_eq!(plain.out, rtl.out);
    let csv = |out: &str| fs::read(place.path(out).join("summary.csv")).unwrap();
    assert_eq!(csv("plain"), csv("rtl"));
    // With registered requests, too.
    let five = |out: &str, rtl: &[&str]| {
        let arguments = ["run", "tiny.toml", "--out", out, "--quiet", "--set", "router.pipeline=5"];
        let ended = place.desvio(&[&arguments[..], rtl].concat());
        assert_eq!(ended.status, Some(0), "{ended:?}");
        (ended.out, csv(out))
    };
    assert_eq!(five("five", &[]), five("five-rtl", &["--rtl", "all"]));
    plant(&place);
    let sets = ["--set", "traffic.loads=[1.0]"];
    let broken =
        place.desvio(&[&["run", "tiny.toml", "--quiet", "--rtl", "2", "--hdl", "hdl"], &sets[..]].concat());
    assert_eq!(broken.status, Some(1), "{broken:?}");
    assert!(broken.err.contains("the model drives "), "{}", broken.err);
}

/// The routers in SystemVerilog are those of the test above: same parameters, compiled once.
#[test]
fn replies_and_a_link_that_goes_down_are_the_same_with_rtl() {
    let Some(place) = place() else { return };
    let cycles = ["--set", "run.warmup_cycles=200", "--set", "run.measure_cycles=1800"];
    let replies = ["--set", "traffic.reply_flits=4"];
    let window = ["--set", "injection.control=window", "--set", "injection.window=2"];
    let down =
        ["--set", "links.down=[{ router = 0, port = 2, at = 900 }, { router = 2, port = 1, at = 1000 }]"];
    let both = [&replies[..], &window[..], &down[..]].concat();
    for (name, sets) in [("replies", &replies[..]), ("down", &down[..]), ("both", &both)] {
        let run = |out: &str, rtl: &[&str]| {
            let arguments = ["run", "tiny.toml", "--quiet", "--out", out];
            let ended = place.succeed(&[&arguments[..], &cycles[..], sets, rtl].concat());
            (ended.out, place.read(&format!("{out}/summary.csv")))
        };
        let plain = run(&format!("plain-{name}"), &[]);
        assert_eq!(plain.0.contains("flits lost by links"), name != "replies", "{}", plain.0);
        assert_eq!(plain, run(&format!("rtl-{name}"), &["--rtl", "all"]), "{name}");
    }
}

#[test]
fn a_soak_that_was_interrupted_goes_on_and_adds_up() {
    let Some(place) = place() else { return };
    let router = ["lockstep", "tiny.toml", "--soak", "--quiet"];
    let soak = |more: &[&str]| place.desvio(&[&router[..], more].concat());
    let at_once = soak(&["--cycles", "30000", "--out", "whole"]);
    assert_eq!((at_once.status, at_once.err.as_str()), (Some(0), ""));
    // The bits that have been 0 and 1 are counted anew in each run.
    let sum = |out: &str| out.lines().find(|line| line.starts_with("all together: ")).unwrap().to_owned();
    let first = soak(&["--cycles", "9000", "--out", "parts"]);
    let second = soak(&["--cycles", "30000", "--out", "parts"]);
    assert_eq!(sum(&second.out), sum(&at_once.out), "cycles, values and digest");
    assert_eq!(soak(&["--cycles", "30000", "--out", "parts"]).out, second.out, "nothing more to do");
    let digest = |out: &str| sum(out).split_once(", digest ").unwrap().1.to_owned();
    assert_eq!(digest(&at_once.out).len(), 16, "{}", at_once.out);
    assert_ne!(digest(&first.out), digest(&second.out));
    // Another seed is another soak.
    let other = soak(&["--cycles", "30000", "--out", "parts", "--seed", "9"]);
    assert!(
        other.status == Some(2) && other.err.contains("another RTL, another program or another seed"),
        "{other:?}"
    );
}
