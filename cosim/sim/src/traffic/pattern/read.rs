//! `traffic.pattern`: which pattern it is, by its word.

use super::{Field, Pattern, Problem, SWITCH_AT, Topology};
use crate::document::{Data, MOST_CYCLES, Section, listed};

impl Pattern {
    /// Reads a word, or a table with the name of the pattern as its key.
    pub(crate) fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        pattern(field, topology, 0)
    }
}

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
    Pattern::named(word, field, topology).unwrap_or_else(|| {
        let unknown = field.unknown_word(word, &words);
        Err(match by_label(word) {
            Some(pattern) => unknown.note(format!("did you mean {pattern}?")),
            None => unknown,
        })
    })
}

/// The pattern that papers and pictures call by a label such as `ADV+1`.
fn by_label(label: &str) -> Option<String> {
    let label = label.to_uppercase();
    let named = |prefix: &str| label.strip_prefix(prefix)?.trim_start_matches('+').parse::<u32>().ok();
    match label.as_str() {
        "UN" | "UR" => Some("\"uniform\"".to_owned()),
        _ => named("ADVL")
            .map(|n| format!("{{ adversarial-local = {n} }}"))
            .or_else(|| named("ADV").map(|n| format!("{{ adversarial = {n} }}"))),
    }
}

fn table(field: &Field<'_>, topology: &Topology, depth: u32) -> Result<Pattern, Problem> {
    let keys: Vec<_> = tables().chain(["from", "to"]).collect();
    let section = field.section(&keys)?;
    let mut named = tables().filter_map(|name| section.get(name).map(|value| (name, value)));
    let Some((name, value)) = named.next() else {
        let names: Vec<_> = tables().collect();
        return Err(field.refuse(format!("a pattern is missing, expected one of {}", listed(&names, '`'))));
    };
    if let Some((other, value)) = named.next() {
        return Err(value.refuse(format!("expected one pattern, not `{name}` and `{other}`")));
    }
    if name == SWITCH_AT {
        return switch_at(&section, &value, topology, depth);
    }
    section.only(&[name], &format!("beside `{name}`"))?;
    Pattern::named(name, &value, topology).unwrap_or_else(|| Err(value.refuse("no such pattern")))
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
    Pattern::words().filter(|(_, shape)| shape.is_none()).map(|(word, _)| word)
}

/// The patterns that are a table with their word as its key.
fn tables() -> impl Iterator<Item = &'static str> {
    Pattern::words().filter(|(_, shape)| shape.is_some()).map(|(word, _)| word).chain([SWITCH_AT])
}

/// How a pattern that is a table is written.
fn shape(word: &str) -> Option<&'static str> {
    if word == SWITCH_AT {
        return Some("{ switch-at = 5000, from = \"uniform\", to = … }");
    }
    Pattern::words().find(|(other, _)| *other == word).and_then(|(_, shape)| shape)
}

/// Patterns in patterns.
const DEEPEST: u32 = 8;
