//! Proves: links inside the pages of the repository lead somewhere.

use crate::page::{is_elsewhere, targets};
use crate::step::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages that the repository has.
fn pages() -> Vec<PathBuf> {
    let listed = Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output().unwrap();
    let text = String::from_utf8(listed.stdout).unwrap();
    text.lines().map(|line| root().join(line)).filter(|path| path.is_file()).collect()
}

/// The anchors of a page: its headings, as Markdown is rendered.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| slug(line.trim_start_matches('#').trim())).collect()
}

/// A heading in small letters, with a hyphen for each space and nothing for what is no letter, digit, hyphen or underline.
fn slug(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// Why a link of a page leads nowhere.
fn broken(page: &Path, target: &str) -> Option<String> {
    if is_elsewhere(target) {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.to_owned() } else { page.parent()?.join(file) };
    let why = if !path.exists() {
        "there is no such file"
    } else if !anchor.is_empty() && !anchors(&fs::read_to_string(&path).ok()?).contains(anchor) {
        "there is no such heading"
    } else {
        return None;
    };
    Some(format!("{}: ({target}): {why}", page.display()))
}

#[test]
fn links_lead_somewhere() {
    let (mut found, mut problems) = (0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let targets = targets(&text);
        found += targets.len();
        problems.extend(targets.into_iter().filter_map(|target| broken(&page, &text[target])));
    }
    assert!(found > 200, "{found} links are hardly all");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_link_to_no_file_or_heading_is_seen() {
    let page = root().join("README.md");
    assert_eq!(broken(&page, "docs/start.md#how-a-run-ends"), None);
    assert!(broken(&page, "docs/start.md#how-it-begins").is_some());
    assert!(broken(&page, "docs/nowhere.md").is_some());
}
