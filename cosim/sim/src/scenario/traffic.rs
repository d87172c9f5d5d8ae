//! `[traffic]`: what the nodes send, and whether this network has what that needs.

use super::defaults;
use super::error::Problem;
use super::model::*;
use super::packet_flits::LENGTHS;
use super::section::{Field, Section, list};
use super::settings::MOST_CYCLES;
use super::value::Data;
use super::word::SATURATION;
use crate::traffic::pattern::SWITCH_AT;

/// Reads the table.
pub(super) fn read(section: &Section<'_>, topology: &Topology) -> Result<TrafficSettings, Problem> {
    let default = defaults::traffic();
    let pattern = match section.get("pattern") {
        Some(field) => pattern(&field, topology, 0)?,
        None => default.pattern,
    };
    Ok(TrafficSettings {
        pattern,
        packet_flits: match section.get("packet_flits") {
            Some(field) => PacketFlits::read(&field)?,
            None => default.packet_flits,
        },
        reply_flits: section.whole("reply_flits", 0..=*LENGTHS.end(), default.reply_flits)?,
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
    if let Some(shape) = shape(word) {
        return Err(field.refuse(format!("the pattern \"{word}\" is a table, {shape}")));
    }
    let words: Vec<_> = plain_words().chain(tables()).collect();
    Pattern::read(word, field, topology).unwrap_or_else(|| Err(field.unknown_word(word, &words)))
}

fn table(field: &Field<'_>, topology: &Topology, depth: u32) -> Result<Pattern, Problem> {
    let keys: Vec<_> = tables().chain(["from", "to"]).collect();
    let section = field.section(&keys)?;
    let mut named = tables().filter_map(|name| section.get(name).map(|value| (name, value)));
    let Some((name, value)) = named.next() else {
        let names: Vec<_> = tables().collect();
        return Err(field.refuse(format!("a pattern is missing, expected one of {}", list(&names, '`'))));
    };
    if let Some((other, value)) = named.next() {
        return Err(value.refuse(format!("expected one pattern, not `{name}` and `{other}`")));
    }
    if name == SWITCH_AT {
        return switch_at(&section, &value, topology, depth);
    }
    section.only(&[name], &format!("beside `{name}`"))?;
    Pattern::read(name, &value, topology).unwrap_or_else(|| Err(value.refuse("no such pattern")))
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

/// The patterns that are a word and nothing more.
fn plain_words() -> impl Iterator<Item = &'static str> {
    Pattern::WORDS.iter().filter(|(_, shape)| shape.is_none()).map(|(word, _)| *word)
}

/// The patterns that are a table with their word as its key.
fn tables() -> impl Iterator<Item = &'static str> {
    Pattern::WORDS.iter().filter(|(_, shape)| shape.is_some()).map(|(word, _)| *word).chain([SWITCH_AT])
}

/// How a pattern that is a table is written.
fn shape(word: &str) -> Option<&'static str> {
    if word == SWITCH_AT {
        return Some("{ switch-at = 5000, from = \"uniform\", to = … }");
    }
    Pattern::WORDS.iter().find(|(other, _)| *other == word).and_then(|(_, shape)| *shape)
}

const LOADS: &str = "a list of loads such as [0.1, 0.2], or \"saturation\"";
/// Patterns in patterns.
const DEEPEST: u32 = 8;
