//! The pages `docs/coming-from.md` and `docs/not.md` against the program: what they call a key is a key, and a word a word.

use super::super::word::{SECTIONS, keys};
use super::read;

const PAGES: [&str; 2] =
    [include_str!("../../../../../docs/coming-from.md"), include_str!("../../../../../docs/not.md")];
const SCENARIOS: &str = include_str!("../../../../../docs/scenarios.md");

/// What stands between backticks, outside blocks of code.
fn code() -> impl Iterator<Item = &'static str> {
    let prose = PAGES.iter().flat_map(|page| page.split("\n```").step_by(2));
    prose.flat_map(|text| text.split('`').skip(1).step_by(2))
}

#[test]
fn what_is_called_a_key_is_a_key() {
    let mut seen = 0;
    for text in code() {
        let name = text.split(' ').next().unwrap_or_default();
        let Some((section, key)) = name.split_once('.').filter(|(section, _)| SECTIONS.contains(section))
        else {
            continue;
        };
        assert!(keys(section).contains(&key), "`{text}`");
        seen += 1;
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn what_is_called_a_word_is_a_word() {
    let mut seen = 0;
    for text in code() {
        let value = text.rsplit_once(" = ").map_or(text, |(_, value)| value);
        let word = value.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
        // Names of files have a point.
        if let Some(word) = word.filter(|word| !word.contains(['"', '.'])) {
            assert!(SCENARIOS.contains(&format!("\"{word}\"")), "`{text}`");
            seen += 1;
        }
        if let Some((pattern, _)) = text.strip_prefix("{ ").and_then(|rest| rest.split_once(" = ")) {
            assert!(SCENARIOS.contains(&format!("| `{{ {pattern} = ")), "`{text}`");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn its_scenarios_are_taken() {
    let blocks: Vec<_> = PAGES.iter().flat_map(|page| page.split("\n```toml\n").skip(1)).collect();
    for block in &blocks {
        let text = block.split("\n```").next().unwrap_or_default();
        assert!(read(text, &[]).is_ok(), "{text}");
    }
    assert!(!blocks.is_empty());
}
