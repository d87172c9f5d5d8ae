//! `[traffic]`: what the nodes send, and whether this network has what that needs.

use super::defaults;
use super::error::Problem;
use super::model::*;
use super::section::{Field, Section, list};
use super::settings::MOST_CYCLES;
use super::topology;
use super::value::Data;
use super::word::{PATTERN_KEYS, PLAIN_PATTERNS, SATURATION};

/// Reads the table.
pub(super) fn read(section: &Section<'_>, topology: &Topology) -> Result<TrafficSettings, Problem> {
    let default = defaults::traffic();
    let pattern = match section.get("pattern") {
        Some(field) => pattern(&field, topology, 0)?,
        None => default.pattern,
    };
    Ok(TrafficSettings {
        pattern,
        packet_flits: section.whole("packet_flits", 1..=1023, default.packet_flits)?,
        process: section.word("process", default.process)?,
        burst_packets: section.number("burst_packets", 1.0..=1_000_000.0, default.burst_packets)?,
        loads: loads(&section.need("loads", LOADS)?)?,
    })
}

fn loads(field: &Field<'_>) -> Result<Loads, Problem> {
    if let Data::Text(text) = &field.value.data {
        return match text.as_str() {
            SATURATION => Ok(Loads::Saturation),
            _ => Err(field.unknown_word(text, &[SATURATION]).note("or a list such as [0.1, 0.2]")),
        };
    }
    let load = |field: Field<'_>| {
        let load = field.real().filter(|load| *load > 0.0 && *load <= 1.0);
        load.ok_or_else(|| field.wrong("a load above 0 and at most 1, in flits per node per cycle"))
    };
    Ok(Loads::List(field.list(LOADS)?.into_iter().map(load).collect::<Result<_, _>>()?))
}

/// A word, or a table with the name of the pattern as its key.
fn pattern(field: &Field<'_>, topology: &Topology, depth: u32) -> Result<Pattern, Problem> {
    match &field.value.data {
        Data::Text(word) => plain(field, word, topology),
        Data::Table(_) => table(field, topology, depth),
        _ => Err(field.wrong("the name of a pattern, or a table such as { adversarial = 1 }")),
    }
}

fn plain(field: &Field<'_>, word: &str, topology: &Topology) -> Result<Pattern, Problem> {
    let Some((_, pattern)) = PLAIN_PATTERNS.iter().find(|(name, _)| *name == word) else {
        if names().contains(&word) {
            return Err(field.refuse(format!("the pattern \"{word}\" is a table, {}", shape(word))));
        }
        let words: Vec<_> =
            PLAIN_PATTERNS.iter().map(|(name, _)| *name).chain(names().iter().copied()).collect();
        return Err(field.unknown_word(word, &words));
    };
    match lacks(pattern, topology) {
        Some(lack) => Err(field.refuse(format!("the pattern \"{word}\" {lack}"))),
        None => Ok(pattern.clone()),
    }
}

/// What a pattern that is a word needs and this network has not.
fn lacks(pattern: &Pattern, topology: &Topology) -> Option<String> {
    let bits_only = matches!(
        pattern,
        Pattern::Transpose
            | Pattern::BitReversal
            | Pattern::BitComplement
            | Pattern::Shuffle
            | Pattern::Butterfly
    );
    let nodes = topology::nodes(topology).filter(|_| bits_only);
    let grid = matches!(topology, Topology::Mesh { .. } | Topology::Torus { .. });
    match (pattern, nodes) {
        (_, Some(nodes)) if !nodes.is_power_of_two() => {
            Some(format!("needs a power of two of nodes, but there are {nodes}"))
        }
        (Pattern::Transpose, Some(nodes)) if !nodes.trailing_zeros().is_multiple_of(2) => {
            Some(format!("needs 4, 16, 64, … nodes, but there are {nodes}"))
        }
        (Pattern::Tornado | Pattern::Neighbour, _) if !grid => Some("needs a mesh or a torus".to_owned()),
        _ => None,
    }
}

fn table(field: &Field<'_>, topology: &Topology, depth: u32) -> Result<Pattern, Problem> {
    let section = field.section(PATTERN_KEYS)?;
    let mut named = names().iter().filter_map(|name| section.get(name).map(|value| (*name, value)));
    let Some((name, value)) = named.next() else {
        return Err(field.refuse(format!("a pattern is missing, expected one of {}", list(names(), '`'))));
    };
    if let Some((other, value)) = named.next() {
        return Err(value.refuse(format!("expected one pattern, not `{name}` and `{other}`")));
    }
    if name != "switch-at" {
        section.only(&[name], &format!("beside `{name}`"))?;
    }
    match name {
        "adversarial" => further(&value, groups(topology), "groups").map(Pattern::Adversarial),
        "adversarial-index" => adversarial_index(&value, topology),
        "adversarial-local" => {
            further(&value, smallest_group(topology), "routers in each group").map(Pattern::AdversarialLocal)
        }
        "hot-spot" => hot_spot(&value, topology),
        _ => switch_at(&section, &value, topology, depth),
    }
}

/// How many further: at least one, and not all the way round.
fn further(field: &Field<'_>, of: Option<u32>, what: &str) -> Result<u32, Problem> {
    let name = field.path.rsplit('.').next().unwrap_or_default();
    match of {
        None => Err(field.refuse(format!("the pattern `{name}` needs a dragonfly"))),
        Some(1) => Err(field.refuse(format!("the pattern `{name}` needs more {what} than one"))),
        Some(of) => {
            let expected =
                || field.wrong(format!("a whole number from 1 to {}: there are {of} {what}", of - 1));
            field.whole(1..=of - 1).map_err(|_| expected())
        }
    }
}

fn adversarial_index(field: &Field<'_>, topology: &Topology) -> Result<Pattern, Problem> {
    let n = further(field, groups(topology), "groups")?;
    if let Topology::Dragonfly { group_sizes, .. } = topology
        && group_sizes.iter().any(|size| Some(*size) != smallest_group(topology))
    {
        return Err(field.refuse("the pattern `adversarial-index` needs groups of one size"));
    }
    Ok(Pattern::AdversarialIndex(n))
}

fn hot_spot(field: &Field<'_>, topology: &Topology) -> Result<Pattern, Problem> {
    let section = field.section(&["nodes", "share"])?;
    let expected = "a list of nodes such as [0, 5]";
    let count = topology::nodes(topology).unwrap_or(u32::MAX);
    let node = |field: Field<'_>| {
        field.whole(0..=count - 1).map_err(|_| field.wrong(format!("a node from 0 to {}", count - 1)))
    };
    let nodes = section.need("nodes", expected)?.list(expected)?;
    let nodes = nodes.into_iter().map(node).collect::<Result<_, _>>()?;
    let share = section.need("share", "a number from 0 to 1")?.number(0.0..=1.0)?;
    Ok(Pattern::HotSpot { nodes, share })
}

fn switch_at(
    section: &Section<'_>,
    field: &Field<'_>,
    topology: &Topology,
    depth: u32,
) -> Result<Pattern, Problem> {
    if depth == DEEPEST {
        return Err(field.refuse(format!("more than {DEEPEST} patterns are nested in one another")));
    }
    let cycle = field.whole(0..=MOST_CYCLES)?;
    let from = pattern(&section.need("from", "a pattern")?, topology, depth + 1)?;
    let to = pattern(&section.need("to", "a pattern")?, topology, depth + 1)?;
    Ok(Pattern::SwitchAt { cycle, from: Box::new(from), to: Box::new(to) })
}

/// The keys that name a pattern.
fn names() -> &'static [&'static str] {
    PATTERN_KEYS.split_at(PATTERN_KEYS.len() - 2).0
}

/// How a pattern that is a table is written.
fn shape(name: &str) -> String {
    match name {
        "hot-spot" => "{ hot-spot = { nodes = [0, 1], share = 0.2 } }".to_owned(),
        "switch-at" => "{ switch-at = 5000, from = \"uniform\", to = … }".to_owned(),
        _ => format!("{{ {name} = 1 }}"),
    }
}

fn groups(topology: &Topology) -> Option<u32> {
    let Topology::Dragonfly { group_sizes, .. } = topology else { return None };
    u32::try_from(group_sizes.len()).ok()
}

fn smallest_group(topology: &Topology) -> Option<u32> {
    let Topology::Dragonfly { group_sizes, .. } = topology else { return None };
    group_sizes.iter().copied().min()
}

const LOADS: &str = "a list of loads such as [0.1, 0.2], or \"saturation\"";
/// Patterns in patterns.
const DEEPEST: u32 = 8;
