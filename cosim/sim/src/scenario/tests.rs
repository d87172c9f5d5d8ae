//! The scenario file, good and bad.

mod bad;
mod circuits;
mod combinations;
mod coming_from;
mod good;
mod levels;
mod link_credits;
mod multicast;
mod networks;
mod page;
mod patterns;
mod properties;
mod shared_places;
mod ties;

use std::path::Path;

use super::{Refusal, Scenario, ScenarioError};

/// The smallest table of a topology: 72 nodes.
const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n";
const LOADS: &str = "[traffic]\nloads = [0.1]\n";

/// Text with the tables that every scenario needs, unless it has its own.
fn complete(text: &str) -> String {
    let has = |table: &str| text.replace('‸', "").contains(table);
    let before = if has("[topology]") { "" } else { DRAGONFLY };
    let after = if has("[traffic]") { "" } else { LOADS };
    format!("{before}{text}{after}")
}

fn parse(text: &str) -> Scenario {
    read(&complete(text), &[]).unwrap()
}

fn read(text: &str, sets: &[&str]) -> Result<Scenario, ScenarioError> {
    let sets: Vec<_> = sets.iter().map(|set| (*set).to_owned()).collect();
    Scenario::parse(text, "net.toml", Path::new("/networks"), &sets)
}

fn refused(text: &str, sets: &[&str]) -> Refusal {
    match read(text, sets) {
        Err(ScenarioError::Refused(refusal)) => *refusal,
        other => panic!("{text}\n{sets:?} should be refused, not {other:?}"),
    }
}

/// Asserts that the completed text is refused at the place marked with `‸`, with that message.
#[track_caller]
fn refuses(marked: &str, fragment: &str) {
    let marked = complete(marked);
    let (before, after) = marked.split_once('‸').expect("a marked place");
    let refusal = refused(&format!("{before}{after}"), &[]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let shown = refusal.to_string();
    assert_eq!((refusal.line, refusal.column), (line, column), "{shown}");
    assert!(shown.starts_with(&format!("net.toml:{line}:{column}: ")), "{shown}");
    let quoted = format!("{before}{after}").lines().nth(line - 1).unwrap_or_default().to_owned();
    assert!(shown.contains(&format!(" {line} | {quoted}\n")), "{shown}");
    assert!(shown.contains(fragment), "{fragment}\nis not in\n{shown}");
}

/// Asserts that a `--set` on the smallest scenario is refused, the caret below the marked place.
#[track_caller]
fn refuses_set(marked: &str, fragment: &str) {
    let (before, after) = marked.split_once('‸').expect("a marked place");
    let set = format!("{before}{after}");
    let refusal = refused(&complete(""), &[&set]);
    let shown = refusal.to_string();
    assert!(shown.starts_with(&format!("--set {set}: ")), "{shown}");
    assert_eq!(refusal.column, before.chars().count() + 1, "{shown}");
    assert!(
        shown.contains(&format!("  | --set {set}\n  | {:1$}^", "", before.chars().count() + 6)),
        "{shown}"
    );
    assert!(shown.contains(fragment), "{fragment}\nis not in\n{shown}");
}
