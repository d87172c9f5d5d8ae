//! The book's source: the pages of the list at their paths, since mdBook reads one folder alone. Links between pages and to pictures stay as
//! they are, but for those to a README, which becomes the index of its folder.

use super::list;
use super::path::joined;
use crate::page::{is_elsewhere, targets};
use crate::step::{Failure, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Endings of pictures, which go with the pages.
const PICTURES: [&str; 2] = [".svg", ".png"];

/// Writes the pages into an empty folder. What is neither page nor picture is linked to behind `repository`, or not linked.
pub(crate) fn assemble(into: &Path, list: &str, repository: Option<&str>) -> Result<(), Failure> {
    let pages: BTreeSet<String> = list::pages(list).into_iter().collect();
    write(&into.join("SUMMARY.md"), list::at_root(list).as_bytes())?;
    for page in &pages {
        let text = fs::read_to_string(root().join(page))
            .map_err(|error| Failure::new(format!("{}: {page}: {error}", list::LIST)))?;
        let (text, pictures) = rewritten(page, &text, &pages, repository);
        write(&into.join(list::in_book(page)), text.as_bytes())?;
        for picture in pictures {
            let bytes = fs::read(root().join(&picture))
                .map_err(|error| Failure::new(format!("{page}: {picture}: {error}")))?;
            write(&into.join(&picture), &bytes)?;
        }
    }
    Ok(())
}

/// Writes a file, and the folders in which it is.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// The text of a page for the book, and its pictures.
fn rewritten(
    page: &str,
    text: &str,
    pages: &BTreeSet<String>,
    repository: Option<&str>,
) -> (String, BTreeSet<String>) {
    let (mut new, mut copied, mut pictures) = (String::new(), 0, BTreeSet::new());
    for place in targets(text) {
        let target = &text[place.clone()];
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let path = joined(page, file);
        if is_elsewhere(target) || file.is_empty() {
            continue;
        }
        if pages.contains(&path) {
            new.push_str(&text[copied..place.start]);
            new.push_str(&list::in_book(target));
            copied = place.end;
            continue;
        }
        if PICTURES.iter().any(|ending| path.ends_with(ending)) {
            pictures.insert(path);
            continue;
        }
        new.push_str(&text[copied..place.start]);
        copied = place.end;
        if let Some(repository) = repository {
            let hash = if anchor.is_empty() { "" } else { "#" };
            new.push_str(&format!("{}/{path}{hash}{anchor}", repository.trim_end_matches('/')));
        } else if let Some(begin) = bracket(&new) {
            // `[text](target)` becomes `text`.
            new.remove(begin);
            new.truncate(new.len() - "](".len());
            copied += ")".len();
        }
    }
    new.push_str(&text[copied..]);
    (new, pictures)
}

/// Where the bracket of a link stands whose text ends here with `](`.
fn bracket(text: &str) -> Option<usize> {
    let mut open = 0;
    text.trim_end_matches('(').char_indices().rev().find_map(|(at, letter)| {
        match letter {
            ']' => open += 1,
            '[' => open -= 1,
            _ => {}
        }
        (open == 0).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::rewritten;
    use std::collections::BTreeSet;

    const TEXT: &str = "See [first steps](start.md#words), [all](README.md#words), [its `[links]`](../scenarios/mesh.toml), ![curves](demo.svg),\n\
                        [web](https://example.org) and [below](#here).\n";

    fn page(repository: Option<&str>) -> (String, BTreeSet<String>) {
        let pages = ["docs/start.md", "docs/README.md"].map(str::to_owned);
        rewritten("docs/a.md", TEXT, &BTreeSet::from(pages), repository)
    }

    #[test]
    fn a_file_that_is_no_page_is_linked_to_in_the_repository() {
        let (text, pictures) = page(Some("https://example.org/blob/main/"));
        let expected = TEXT.replace("../scenarios", "https://example.org/blob/main/scenarios");
        let expected = expected.replace("README.md", "index.md");
        assert_eq!(text, expected);
        assert_eq!(pictures, BTreeSet::from(["docs/demo.svg".to_owned()]));
    }

    #[test]
    fn without_a_repository_it_is_text() {
        let expected = TEXT.replace("[its `[links]`](../scenarios/mesh.toml)", "its `[links]`");
        let expected = expected.replace("README.md", "index.md");
        assert_eq!(page(None).0, expected);
    }
}
