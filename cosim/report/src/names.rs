//! Networks, patterns and routings as people name them.

use desvio_sim::scenario::Scenario;

/// As in `Dragonfly h=4, 1,056 nodes`.
pub(crate) fn network(scenario: &Scenario) -> String {
    let topology = &scenario.topology;
    let kind = capital(&topology.word().replace('-', " "));
    let settings = scenario.settings();
    let keys =
        settings.iter().filter_map(|(key, value)| Some((key.strip_prefix("topology.")?, value.as_str())));
    let keys: Vec<(&str, &str)> = keys.filter(|(key, _)| *key != "kind").collect();
    let of = |wanted: &str| keys.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
    let number = |key: &str| of(key).and_then(|value| value.parse::<u32>().ok());
    let size = match (topology.word(), number("p"), number("a"), number("h")) {
        ("dragonfly", Some(p), Some(a), Some(h)) if p == h && a == 2 * h => format!("h={h}"),
        ("dragonfly", Some(p), Some(a), Some(h)) => format!("p={p} a={a} h={h}"),
        _ => match topology.dims() {
            Some(dims) => dims.iter().map(u32::to_string).collect::<Vec<_>>().join("×"),
            None => keys.iter().map(|(key, value)| setting(key, value)).collect::<Vec<_>>().join(" "),
        },
    };
    let nodes = topology.nodes().map(|nodes| format!(", {} nodes", thousands(nodes.into())));
    format!("{kind} {size}{}", nodes.unwrap_or_default())
}

/// A key of the topology; a file goes by its name alone.
fn setting(key: &str, value: &str) -> String {
    match key {
        "file" => value.trim_matches('"').rsplit('/').next().unwrap_or_default().to_owned(),
        _ => format!("{key}={}", value.trim_matches('"')),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// With commas.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

/// How a key is called: `routing.algorithm` is a routing.
pub(crate) fn key(key: &str) -> &str {
    match key {
        "traffic.pattern" => "pattern",
        "routing.algorithm" => "routing",
        "selection.trigger" => "trigger",
        key => key.split_once('.').map_or(key, |(_, last)| last),
    }
}

/// Whether a value says by itself what it is a value of.
pub(crate) fn is_plain(key: &str) -> bool {
    matches!(
        key,
        "traffic.pattern" | "routing.algorithm" | "selection.trigger" | "topology.kind" | "scenario"
    )
}

/// Keys and their values on one line: `OLM · ADV+1 · speedup 2`.
pub fn label<'s>(settings: impl IntoIterator<Item = (&'s str, &'s str)>) -> String {
    let part = |(name, text): (&str, &str)| match is_plain(name) {
        true => value(name, text),
        false => format!("{} {}", key(name), value(name, text)),
    };
    settings.into_iter().map(part).collect::<Vec<_>>().join(" · ")
}

/// A value of a key: `{ adversarial = 1 }` is ADV+1.
pub(crate) fn value(key: &str, text: &str) -> String {
    match key {
        "traffic.pattern" => pattern(text),
        "routing.algorithm" => routing(text),
        _ => text.trim_matches('"').to_owned(),
    }
}

fn pattern(text: &str) -> String {
    let inside = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match inside.and_then(|inside| inside.split_once('=')) {
        Some((word, number)) if !number.contains(['{', '[', ',']) => {
            match (word.trim().trim_matches('"'), number.trim()) {
                ("adversarial", number) => format!("ADV+{number}"),
                ("adversarial-local", number) => format!("ADVL+{number}"),
                (word, number) => format!("{} {number}", word.replace('-', " ")),
            }
        }
        _ => text.trim_matches('"').to_owned(),
    }
}

fn routing(text: &str) -> String {
    match text.trim_matches('"') {
        word @ ("olm" | "par" | "rlm" | "ugal" | "drb" | "ofar") => word.to_uppercase(),
        "drb-infiniband" => "DRB on InfiniBand".to_owned(),
        "ugal-dragonfly" => "UGAL".to_owned(),
        "valiant" => "Valiant".to_owned(),
        word => word.replace('-', " "),
    }
}
