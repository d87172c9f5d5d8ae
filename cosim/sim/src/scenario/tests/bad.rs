//! Files that are wrong in one place of one table.

use std::path::Path;

use super::super::{Scenario, ScenarioError};
use super::{complete, parse, refused, refuses, refuses_set};

#[test]
fn unknown_keys_and_tables() {
    refuses("[router]\n‸speedupp = 2\n", "did you mean `speedup`?");
    refuses(
        "[router]\n‸foo = 2\n",
        "unknown key `foo` in [router], expected one of `flow_control`, `vc_allocation`",
    );
    refuses("[router]\n‸seed = 2\n", "`seed` belongs in [run]");
    refuses("[‸rooting]\nalgorithm = \"olm\"\n", "did you mean `routing`?");
    refuses("[router]\nvcs = { node = 3, ‸locl = 3 }\n", "did you mean `local`?");
    refuses("[router.vcs]\nnode = 3\n‸locl = 3\n", "unknown key `locl` in `router.vcs`");
    refuses("router.‸speedupp = 2\n[topology]\nkind = \"mesh\"\ndims = [4]\n", "did you mean `speedup`?");
    refuses("‸seed = 2\n[topology]\nkind = \"mesh\"\ndims = [4]\n", "`seed` belongs in [run]");
    refuses("[traffic]\n‸load = [0.1]\n", "did you mean `loads`?");
    refuses("[topology]\nkind = \"mesh\"\ndims = [4]\n‸p = 2\n", "unknown key `p` of a mesh");
    refuses("[selection]\nglobal_restriction = { ‸facto = 1 }\n", "did you mean `factor`?");
}

#[test]
fn misspelt_words() {
    refuses("[routing]\nalgorithm = ‸\"minmal\"\n", "did you mean \"minimal\"?");
    refuses("[routing]\nalgorithm = ‸\"OLM\"\n", "did you mean \"olm\"?");
    refuses("[routing]\npolicy = ‸\"MM+l\"\n", "did you mean \"MM+L\"?");
    refuses("[router]\nflow_control = ‸\"store_and_forward\"\n", "did you mean \"store-and-forward\"?");
    refuses("[router]\nallocation_unit = ‸\"packets\"\n", "did you mean \"packet\"?");
    refuses("[router]\npriority = ‸\"injection\"\n", "expected one of \"none\", \"transit\"");
    refuses("[router]\nallocator = ‸\"islip\"\n", "unknown allocator \"islip\", expected one of");
    refuses(
        "[topology]\nkind = ‸\"clos\"\n",
        "expected one of \"dragonfly\", \"mesh\", \"torus\", \"graph\", \"fat-tree\"",
    );
    refuses("[traffic]\nloads = ‸\"saturated\"\n", "did you mean \"saturation\"?");
    refuses("[run]\nwarmup_cycles = ‸\"atuo\"\n", "did you mean \"auto\"?");
    refuses("[traffic]\npattern = ‸\"unifrom\"\nloads = [1]\n", "did you mean \"uniform\"?");
    refuses("[traffic]\npattern = { ‸adverserial = 1 }\nloads = [1]\n", "did you mean `adversarial`?");
}

#[test]
fn wrong_types() {
    refuses(
        "[router]\nspeedup = ‸\"two\"\n",
        "`router.speedup` must be a whole number from 1 to 8, not \"two\"",
    );
    refuses("[router]\nspeedup = ‸2.0\n", "not 2.0");
    refuses("[router]\nvcs = ‸\"many\"\n", "a whole number or { node");
    refuses("[routing]\nalgorithm = ‸3\n", "`routing.algorithm` must be \"minimal\", \"valiant\"");
    refuses("[traffic]\nloads = ‸0.5\n", "a list of loads");
    refuses("[traffic]\nloads = [0.1, ‸true]\n", "`traffic.loads[1]` must be a load");
    refuses("[traffic]\nloads = ‸[]\n", "not an empty list");
    refuses("[traffic]\nloads = [\n  0.1,\n  ‸\"x\",\n]\n", "`traffic.loads[1]`");
    refuses("[[‸router]]\nspeedup = 2\n", "`router` must be one table");
    refuses("[run]\nseed = ‸1979-05-27\n", "not a date");
    refuses("[selection]\nglobal_restriction = ‸true\n", "or false, not true");
    refuses("[traffic]\npattern = ‸7\nloads = [1]\n", "the name of a pattern");
}

#[test]
fn numbers_out_of_range() {
    refuses("[topology]\nkind = \"dragonfly\"\np = 2\na = ‸0\nh = 2\n", "a whole number from 1 to 64, not 0");
    refuses("[topology]\nkind = \"dragonfly\"\np = 2\na = ‸65\nh = 2\n", "from 1 to 64, not 65");
    refuses("[topology]\nkind = \"dragonfly\"\np = ‸0\na = 4\nh = 2\n", "from 1 to 62, not 0");
    refuses("[router]\nvcs = ‸9\n", "from 1 to 8, not 9");
    refuses(
        "[router]\nvcs = { local = ‸0 }\n",
        "`router.vcs.local` must be a whole number from 1 to 8, not 0",
    );
    refuses("[links]\nlatency = { local = ‸-3 }\n", "from 1 to 10000, not -3");
    refuses("[links]\nlatency = ‸-3\n", "`links.latency` must be");
    refuses("[traffic]\nloads = [0.5, ‸2.01]\n", "a load above 0 and at most 2");
    refuses(
        "[traffic]\nprocess = \"burst\"\nloads = ‸[0.5, 1.01]\n",
        "the load 1.01 is more than `process = \"burst\"` makes",
    );
    refuses(
        "[traffic]\npacket_flits = 1\nloads = ‸[1.5]\n",
        "is more than `process = \"bernoulli\"` makes of these packets, 1",
    );
    refuses(
        "[run]\nwarmup_cycles = 9\nwarmup_packets = ‸9\n",
        "`run.warmup_cycles` says already how long it takes",
    );
    refuses("[run]\nmeasure_packets = ‸0\n", "a whole number from 1 to 1000000000000, not 0");
    refuses("[traffic]\nloads = [‸0]\n", "not 0");
    refuses("[traffic]\nloads = [‸nan]\n", "not NaN");
    refuses("[traffic]\nloads = [‸-inf]\n", "not -inf");
    refuses("[traffic]\nloads = [1]\npacket_flits = ‸1024\n", "from 1 to 1023");
    refuses("[selection]\nrelative_threshold = ‸4.1\n", "a number from 0 to 4");
    refuses("[selection]\nminimal_occupancy = ‸nan\n", "a number from 0 to 1, not NaN");
    refuses("[run]\nseed = ‸-1\n", "from 0 to 9223372036854775807");
    refuses("[run]\nseed = ‸9223372036854775808\n", "not 9223372036854775808");
    refuses(&format!("[run]\nseed = ‸{}\n", "9".repeat(60)), "so many digits");
    refuses("[run]\nmeasure_cycles = ‸0\n", "from 1 to 1000000000000");
}

#[test]
fn missing_keys() {
    refuses("[‸topology]\np = 2\n", "`topology.kind` is missing, expected \"dragonfly\"");
    refuses("[‸topology]\nkind = \"dragonfly\"\np = 2\nh = 2\n", "`topology.a` is missing");
    refuses("[‸topology]\nkind = \"mesh\"\n", "`topology.dims` is missing");
    refuses("[‸topology]\nkind = \"graph\"\n", "`topology.file` is missing");
    refuses("[‸traffic]\n", "`traffic.loads` is missing");
    refuses(
        "[traffic]\npattern = { hot-spot = ‸{ share = 0.1 } }\nloads = [1]\n",
        "hot-spot.nodes` is missing",
    );
    refuses("[traffic]\npattern = ‸{ from = \"uniform\" }\nloads = [1]\n", "a pattern is missing");
    let refusal = refused("# nothing\n[traffic]\nloads = [1]\n", &[]);
    assert!(refusal.message.contains("`topology.kind` is missing"), "{refusal}");
}

#[test]
fn not_toml() {
    refuses("[router]\nspeedup ‸2\n", "not valid TOML");
    refuses("[router]\nspeedup = 2\n‸speedup = 2\n", "duplicate key");
    let refusal = refused("", &[]);
    assert_eq!((refusal.line, refusal.column), (1, 1));
    assert!(refusal.to_string().contains("the scenario is empty"), "{refusal}");
    assert!(refused(" \n # only words \n\n", &[]).message.contains("the scenario is empty"));
}

#[test]
fn a_missing_end_is_shown_after_the_last_character() {
    let refusal = refused("[topology]\nkind = \"mesh\"\ndims = [8,\n\n\n", &[]);
    assert_eq!((refusal.line, refusal.column), (3, 11), "{refusal}");
}

#[test]
fn set_values() {
    refuses_set("routing.algorithm=‸minmal", "did you mean \"minimal\"?");
    refuses_set("router.‸speedupp=2", "did you mean `speedup`?");
    refuses_set("‸rooting.algorithm=minimal", "did you mean `routing`?");
    refuses_set("traffic.loads=[0.1, ‸2.1]", "a load above 0");
    refuses_set("traffic.pattern={adversarial=‸99}", "from 1 to 8: there are 9 groups");
    refuses_set("‸routing.algorithm", "expected key=value");
    refuses_set("routing.‸.x=1", "expected a key");
    refuses_set("router.speedup=‸", "a value is missing");
    refuses_set("traffic.loads=[0.1‸", "not valid TOML");
    refuses_set("topology.kind.‸x=1", "`topology.kind` is \"dragonfly\" here and has no keys of its own");
    refuses_set("router.output_flits=‸1", "must be at least `router.speedup`");
    refuses_set("topology.‸x=1", "unknown key `x` in [topology]");
}

#[test]
fn an_impossible_combination_shows_the_set_that_made_it() {
    let refusal = refused(
        &complete("[router]\nvcs = 2\n[routing]\nalgorithm = \"minimal\"\n"),
        &["routing.algorithm=olm"],
    );
    assert_eq!(refusal.origin, "--set routing.algorithm=olm");
    assert!(refusal.message.contains("olm routing needs at least 3 local VCs, not 2"), "{refusal}");
    // A setting is to blame when it is why more is needed, and not otherwise.
    let valiant = complete("[router]\nvcs = 3\n[routing]\nalgorithm = \"valiant\"\n");
    let refusal = refused(&valiant, &["routing.intermediate=node"]);
    assert_eq!(refusal.origin, "--set routing.intermediate=node");
    let olm = complete("[router]\nvcs = 2\n");
    let refusal = refused(&olm, &["routing.policy=CRG"]);
    assert_eq!((refusal.origin.as_str(), refusal.line), ("net.toml", 7), "{refusal}");
}

#[test]
fn unreadable_files() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Scenario::load(&folder.path().join("no.toml"), &[]).unwrap_err();
    assert!(
        matches!(missing, ScenarioError::Unreadable { .. })
            && missing.to_string().contains("no.toml: cannot read")
    );
    let directory = Scenario::load(folder.path(), &[]).unwrap_err();
    assert!(directory.to_string().ends_with("it is a folder"), "{directory}");
    let file = folder.path().join("net.toml");
    std::fs::write(&file, vec![b'#'; 2 << 20]).unwrap();
    assert!(Scenario::load(&file, &[]).unwrap_err().to_string().contains("larger than"));
    std::fs::write(&file, b"[topology]\nkind = \"\xff\xfe\"\n").unwrap();
    let shown = Scenario::load(&file, &[]).unwrap_err().to_string();
    assert!(shown.contains("net.toml:2:9: not a text file"), "{shown}");
}

#[test]
fn deep_and_long_input_ends_in_an_error() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    refused(&complete(&format!("[router]\nvcs = {deep}\n")), &[]);
    refused(&complete(""), &[&format!("router.vcs={deep}"), &"a.".repeat(50_000)]);
    refused(&complete(""), &[&format!("{}=1", vec!["a"; 50_000].join("."))]);
    refused(&format!("{} = 1\n", vec!["a"; 50_000].join(".")), &[]);
    let mut pattern = "\"uniform\"".to_owned();
    for _ in 0..9 {
        pattern = format!("{{ switch-at = 5, from = \"uniform\", to = {pattern} }}");
    }
    let refusal = refused(&complete(&format!("[traffic]\nloads = [1]\npattern = {pattern}\n")), &[]);
    assert!(refusal.message.contains("more than 8 patterns are nested"), "{refusal}");
    let long = refused(&complete(&format!("[router]\n{} = 2\n", "x".repeat(500_000))), &[]).to_string();
    assert!(long.len() < 1000, "{} bytes", long.len());
}

#[test]
fn a_long_line_is_clipped_around_the_caret() {
    let loads = |from: u32| (from..from + 200).map(|load| format!("0.{load}, ")).collect::<String>();
    let (before, behind) = (loads(101), loads(301));
    let refusal = refused(&complete(&format!("[traffic]\nloads = [{before} 7, {behind}]\n")), &[]);
    let under = refusal.quote.chars().nth(refusal.caret);
    assert_eq!((under, refusal.width), (Some('7'), 1), "{refusal}");
    assert!(refusal.quote.starts_with('…') && refusal.quote.ends_with('…'), "{refusal}");
}

#[test]
fn what_a_terminal_would_obey_is_not_quoted() {
    for line in ["vcs = \"\\u001b[31m\"", "vcs = \"\u{9b}31m\"", "\"\\u001b[31m\" = 2", "\tspeedup\u{7f} = 2"]
    {
        let shown = refused(&complete(&format!("[router]\n{line}\n")), &[]).to_string();
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
    }
}

#[test]
fn a_message_is_complete() {
    let refusal = refused(&complete("[routing]\nalgorithm = \"minmal\" # fast\n"), &[]);
    let expected = r#"net.toml:7:13: unknown algorithm "minmal", expected one of "minimal", "valiant", "olm", "table", "multipath", "valiant-table", "up*/down*", "forwarding", "layered", "source", "interval", "ugal", "drb", "drb-infiniband", "par", "rlm", "ugal-dragonfly", "ofar"
 7 | algorithm = "minmal" # fast
   |             ^^^^^^^^
   = did you mean "minimal"?"#;
    assert_eq!(refusal.to_string(), expected);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_no_mistake() {
    let text = complete("").replace('\n', "\r\n");
    let read = Scenario::parse(&format!("\u{feff}{text}"), "net.toml", Path::new(""), &[]).unwrap();
    assert_eq!(read, parse(""));
    let refusal = refused(&complete("[router]\nspeedup = 0\n").replace('\n', "\r\n"), &[]);
    assert_eq!((refusal.line, refusal.column, refusal.quote.as_str()), (7, 11, "speedup = 0"));
}
