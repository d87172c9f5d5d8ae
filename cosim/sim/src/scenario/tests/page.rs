//! The page `docs/scenarios.md` against the program: keys, words, ranges and defaults.

use std::collections::BTreeMap;

use router_core::settings::Choice as _;

use super::super::model::*;
use super::super::word::{SECTIONS, Word, keys};
use super::{DRAGONFLY, LOADS, parse, refused};

const PAGE: &str = include_str!("../../../../../docs/scenarios.md");

/// A row of the table of keys of a section.
struct Row {
    range: String,
    default: String,
}

/// The rows of each section by key, in its first table.
fn rows(section: &str) -> BTreeMap<String, Row> {
    let begin = PAGE.find(&format!("\n## [{section}]\n")).unwrap_or_else(|| panic!("no [{section}]"));
    let lines = PAGE[begin..].lines().skip_while(|line| !line.starts_with("| key"));
    let table = lines.take_while(|line| line.starts_with('|')).skip(2);
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [key, .., range, default] = cells[..] else { panic!("{line}") };
        let row = Row { range: range.to_owned(), default: default.trim_matches('`').to_owned() };
        (key.trim_matches('`').to_owned(), row)
    };
    table.map(row).collect()
}

#[test]
fn every_key_has_its_row_and_every_row_its_key() {
    for section in SECTIONS {
        let mut expected = keys(section);
        expected.sort_unstable();
        let found = rows(section);
        assert_eq!(found.keys().collect::<Vec<_>>(), expected, "[{section}]");
    }
}

#[test]
fn every_word_is_on_the_page() {
    fn words<T: Word>() -> Vec<&'static str> {
        T::WORDS.iter().map(|(word, _)| *word).collect()
    }
    let patterns = Pattern::WORDS.iter().map(|(word, shape)| shape.unwrap_or(*word));
    let all = [
        words::<FlowControl>(),
        words::<VcAllocation>(),
        words::<Ejection>(),
        words::<AllocationUnit>(),
        words::<Priority>(),
        words::<VcOrder>(),
        words::<router_core::map::grid::Ties>(),
        words::<CountAt>(),
        words::<AllocatorKind>(),
        words::<ArbiterKind>(),
        words::<Arrangement>(),
        words::<crate::topology::StageWiring>(),
        words::<Process>(),
        words::<ControlKind>(),
        words::<router_core::route::olm::Rules>(),
        words::<router_core::route::olm::Scope>(),
        words::<(router_core::route::olm::Policy, bool)>(),
        words::<router_core::route::valiant::Intermediate>(),
        words::<router_core::route::valiant::Groups>(),
        words::<router_core::route::par::LocalMisrouting>(),
        words::<router_core::route::ugal_dragonfly::Knowledge>(),
        words::<router_core::select::ugal::Queue>(),
        words::<router_core::route::up_down::Ascent>(),
        words::<router_core::route::up_down_derouting::Derouting>(),
        Topology::KINDS.iter().map(|(word, _)| *word).collect(),
        RoutingScheme::all().map(|scheme| scheme.word()).collect(),
        Selection::all().map(|trigger| trigger.word()).collect(),
        patterns.filter(|word| !word.starts_with('{')).collect(),
    ];
    for word in all.concat() {
        assert!(PAGE.contains(&format!("\"{word}\"")), "{word} is not on the page");
    }
    for (word, _) in Pattern::WORDS.iter().filter(|(_, shape)| shape.is_some()) {
        assert!(PAGE.contains(&format!("`{{ {word} = ")), "{word} is not on the page");
    }
}

#[test]
fn ranges_are_those_of_the_program() {
    let mut tried = 0;
    for section in SECTIONS.iter().filter(|section| **section != "topology") {
        for (key, row) in rows(section) {
            let Some((least, most)) = row.range.split_once('…') else { continue };
            let text = format!("{DRAGONFLY}{LOADS}");
            let message = refused(&text, &[&format!("{section}.{key}=-1")]).to_string();
            let expected = format!("number from {least} to {most}, not");
            assert!(message.contains(&expected), "{section}.{key}: {row}: {message}", row = row.range);
            tried += 1;
        }
    }
    assert!(tried > 15, "{tried}");
}

#[test]
fn defaults_are_those_of_the_program() {
    let mut page = BTreeMap::new();
    for section in SECTIONS.iter().filter(|section| **section != "topology") {
        let defaults = rows(section).into_iter().map(|(key, row)| (key, row.default));
        // Two keys of `[selection]` are written where they are set, and one of them is a key of `[router]`, too.
        let is_rule = |key: &str| *section == "selection" && ["ports", "vcs"].contains(&key);
        let (rules, others): (Vec<_>, Vec<_>) = defaults.partition(|(key, _)| is_rule(key));
        assert!(rules.iter().all(|(_, default)| default == "\"random\""), "{rules:?}");
        assert_eq!(rules.len(), if *section == "selection" { 2 } else { 0 });
        page.extend(others);
    }
    let mut seen = BTreeMap::new();
    let chosen = [
        "",
        "[selection]\ntrigger = \"contention\"\n",
        "[selection]\ntrigger = \"contention-average\"\n",
        "[selection]\ntrigger = \"ugal\"\n",
        "[selection]\ntrigger = \"ectn\"\n",
        "[routing]\nalgorithm = \"valiant\"\n",
        "[routing]\nalgorithm = \"par\"\n",
        "[routing]\nalgorithm = \"ofar\"\n",
        "[routing]\nalgorithm = \"ugal-dragonfly\"\n",
        "[routing]\nalgorithm = \"up*/down*\"\n",
        "[routing]\nalgorithm = \"source\"\n",
        "[topology]\nkind = \"mesh\"\ndims = [4]\n[routing]\nalgorithm = \"turn-model\"\n",
        "[topology]\nkind = \"xgft\"\nchildren = [2, 2]\nparents = [1, 2]\n[routing]\nalgorithm = \"up-down\"\n",
        "[topology]\nkind = \"fat-tree\"\nradix = 4\n[routing]\nalgorithm = \"up-down-derouting\"\n",
        "[topology]\nkind = \"torus\"\ndims = [4]\n[routing]\nalgorithm = \"dateline-adaptive\"\n",
        "[topology]\nkind = \"torus\"\ndims = [4]\n[routing]\nalgorithm = \"dimension-order\"\n",
        "[topology]\nkind = \"torus\"\ndims = [4]\n[routing]\nalgorithm = \"drb\"\n",
        "[topology]\nkind = \"torus\"\ndims = [4]\n[routing]\nalgorithm = \"drb-infiniband\"\n",
    ];
    for text in chosen {
        let shown = parse(text).to_toml();
        let lines = shown.lines().skip_while(|line| *line != "[router]");
        for (key, value) in lines.filter_map(|line| line.split_once(" = ")) {
            // The first file has most defaults; the others add the keys of their schemes.
            seen.entry(key.to_owned()).or_insert_with(|| value.to_owned());
        }
    }
    // What is there only if it is named, and the loads, which every file names.
    let options = crate::scenario::choice::keys_of_group::<Options>().into_iter();
    for key in options.filter(|key| !Options::SHOWN.contains(key)).chain([
        "loads",
        "reserved_flits",
        "head_lifetime",
        "vl_stall_count",
        "credits",
        "credit_period",
        "credit_flits",
        "credit_latency",
        "rate",
        "packet_loss",
        "credit_loss",
        "warmup_packets",
        "measure_packets",
        "tables",
        "service_levels",
        "sl_to_vl",
        "updates",
        "scope",
        "static_rate",
        "local_links",
    ]) {
        seen.remove(key);
        page.remove(key);
    }
    assert_eq!(page, seen);
}
