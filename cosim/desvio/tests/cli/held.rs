//! Proves: numbers that pages state are those that the printed command gives.
//!
//! A page holds numbers by a comment, which readers do not see:
//!
//! ```text
//! <!-- held: desvio compare scenarios/dragonfly-adversarial.toml --vary routing.algorithm=minimal,valiant
//! minimal 0.400: .125
//! valiant 0.400: .402 266
//! -->
//! ```
//!
//! Each line names a row of the command's table by how it begins, and numbers of that row in their order. A number holds when a number of
//! the row, rounded to as many digits, is equal. The text up to the next heading has to state each number.

#[path = "../../../../tests/src/draw.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the other tests")]
mod draw;

use super::{Place, end, examples};
use std::fs;
use std::path::{Path, PathBuf};

/// What one comment holds.
struct Held {
    page: PathBuf,
    command: String,
    /// The words by which a row begins, and its numbers.
    rows: Vec<(String, Vec<String>)>,
    /// The text that states them.
    text: String,
}

/// Pages that state numbers of cost or load that a command prints within a minute or two.
const PAGES: [&str; 3] = ["start.md", "fairness.md", "cost.md"];

fn pages() -> Vec<Held> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let of = |page: &str| held(&docs.join(page));
    let all: Vec<_> = PAGES.iter().map(|page| of(page)).collect();
    for (page, held) in PAGES.iter().zip(&all) {
        assert!(!held.is_empty(), "{page} holds nothing");
    }
    all.into_iter().flatten().collect()
}

/// How a comment begins that holds numbers.
const BEGIN: &str = "<!-- held: ";

fn held(page: &Path) -> Vec<Held> {
    let text = fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let starts = text.match_indices(BEGIN).map(|(at, begin)| &text[at + begin.len()..]);
    starts
        .map(|rest| read(page, rest).unwrap_or_else(|| panic!("{}: a comment has no end", page.display())))
        .collect()
}

fn read(page: &Path, rest: &str) -> Option<Held> {
    let (comment, after) = rest.split_once("-->")?;
    let mut lines = comment.lines();
    let command = lines.next()?.trim().to_owned();
    let row = |line: &str| {
        let (row, numbers) = line.rsplit_once(": ")?;
        Some((row.trim().to_owned(), numbers.split_whitespace().map(str::to_owned).collect()))
    };
    // What other comments hold is no statement.
    let section = after.split("\n#").next()?;
    let text = section.split("<!-- ").filter_map(|part| part.rsplit("-->").next()).collect();
    Some(Held { page: page.to_owned(), command, rows: lines.filter_map(row).collect(), text })
}

/// The numbers of a text, without separators of thousands.
fn numbers(line: &str) -> Vec<f64> {
    let plain = line.replace(',', "");
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
    plain.split(|letter| !is_part(letter)).filter_map(|word| word.parse().ok()).collect()
}

/// Whether a number of a table, rounded as the page rounds it, is the page's.
fn rounds_to(found: f64, stated: &str) -> bool {
    let stated = stated.replace(',', "");
    let digits = stated.split_once('.').map_or(0, |(_, digits)| digits.len());
    let value: f64 = stated.parse().unwrap_or_else(|_| panic!("`{stated}` is not a number"));
    (found - value).abs() <= 0.500_001 * 10f64.powi(-(digits as i32))
}

/// The first of these numbers that the table does not have in that row, in their order.
fn missing<'h>(table: &str, row: &'h str, stated: &'h [String]) -> Option<&'h str> {
    let begins = |line: &&str| {
        let words: Vec<_> = line.split_whitespace().collect();
        words.join(" ").starts_with(row)
    };
    let Some(line) = table.lines().find(begins) else { return Some(row) };
    let words = line.split_whitespace().skip(row.split_whitespace().count()).collect::<Vec<_>>().join(" ");
    let mut found = numbers(&words).into_iter();
    stated.iter().map(String::as_str).find(|stated| !found.any(|found| rounds_to(found, stated)))
}

#[test]
fn what_a_comment_holds_stands_below_it() {
    for Held { page, command, rows, text } in pages() {
        assert!(command.starts_with("desvio ") && !rows.is_empty(), "{}: `{command}`", page.display());
        for number in rows.iter().flat_map(|(_, numbers)| numbers) {
            assert!(
                text.contains(number.as_str()),
                "{}: {number} of `{command}` is not stated",
                page.display()
            );
        }
    }
}

#[test]
fn another_digit_or_order_or_row_is_seen() {
    let table = " scenario  load  accepted\n minimal   0.400  0.1250 ±0.0004  19,987\n";
    let numbers = |all: &[&str]| all.iter().map(|&number| number.to_owned()).collect::<Vec<_>>();
    let of = |row: &'static str, all: &[&str]| missing(table, row, &numbers(all)).map(str::to_owned);
    assert_eq!(of("minimal 0.400", &[".125", "19,987"]), None);
    assert_eq!(of("minimal 0.400", &[".126"]), Some(".126".to_owned()));
    assert_eq!(of("minimal 0.400", &["19,987", ".125"]), Some(".125".to_owned()));
    assert_eq!(of("valiant 0.400", &[".125"]), Some("valiant 0.400".to_owned()));
}

mod slow {
    use super::draw::third_of;
    use super::*;

    /// Runs the commands of the pages as a reader would, in the folder of the repository but for the results.
    #[test]
    fn the_commands_of_pages_give_the_numbers_that_they_state() {
        for Held { page, command, rows, .. } in third_of("commands whose numbers pages state", pages()) {
            let place = Place::new();
            fs::create_dir(place.path("scenarios/cost")).unwrap();
            let file = "cost/radix7.toml";
            fs::copy(examples().join(file), place.path("scenarios").join(file)).unwrap();
            let more = format!("{command} --quiet");
            let ended = end(super::super::help::shell(&place, &more));
            assert!(!ended.out.is_empty(), "{}: {command}: {ended:#?}", page.display());
            for (row, stated) in &rows {
                let missing = missing(&ended.out, row, stated);
                assert_eq!(missing, None, "{}: {command}\n{row}\n{}", page.display(), ended.out);
            }
        }
    }
}
