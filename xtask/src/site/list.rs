//! The book's list, `docs/SUMMARY.md`: its pages, in the order in which they are read.

use super::path::joined;
use crate::page::targets;

/// The list, by its path in the repository.
pub(crate) const LIST: &str = "docs/SUMMARY.md";

/// The paths of the pages in the repository.
pub(crate) fn pages(list: &str) -> Vec<String> {
    targets(list).into_iter().map(|target| joined(LIST, &list[target])).collect()
}

/// The name of a page in the book, where the index of a folder is its README.
pub(crate) fn in_book(page: &str) -> String {
    page.replace("README.md", "index.md")
}

/// The list as it stands at the root of the book.
pub(crate) fn at_root(list: &str) -> String {
    let (mut text, mut copied) = (String::new(), 0);
    for target in targets(list) {
        text.push_str(&list[copied..target.start]);
        text.push_str(&in_book(&joined(LIST, &list[target.clone()])));
        copied = target.end;
    }
    text.push_str(&list[copied..]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::root;
    use std::collections::BTreeSet;
    use std::fs;

    fn list() -> String {
        fs::read_to_string(root().join(LIST)).unwrap()
    }

    /// Proves: a page that is written is on the site, and one that is removed is not looked for.
    #[test]
    fn the_list_names_every_page_once() {
        let pages = pages(&list());
        let once: BTreeSet<_> = pages.iter().collect();
        assert_eq!(once.len(), pages.len(), "a page stands in the list twice");
        for page in &pages {
            assert!(root().join(page).is_file(), "{page}: there is no such file");
        }
        for entry in fs::read_dir(root().join("docs")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let page = format!("docs/{name}");
            if name.ends_with(".md") && page != LIST {
                assert!(once.contains(&page), "{LIST} does not name {page}");
            }
        }
    }

    /// Proves: the reading order is that of `docs/README.md`, which names every page that the list has of `docs`.
    #[test]
    fn the_index_names_every_page_and_both_begin_alike() {
        let index = fs::read_to_string(root().join("docs/README.md")).unwrap();
        let named: Vec<_> =
            targets(&index).into_iter().map(|target| joined("docs/README.md", &index[target])).collect();
        let pages = pages(&list());
        for page in pages.iter().filter(|page| page.starts_with("docs/") && *page != "docs/README.md") {
            assert!(named.contains(page), "docs/README.md does not name {page}");
        }
        let after_index = pages.iter().skip_while(|page| *page != "docs/README.md").skip(1);
        let first: Vec<_> = after_index.take(4).collect();
        assert_eq!(first, named.iter().take(4).collect::<Vec<_>>());
    }

    #[test]
    fn paths_are_those_of_the_book() {
        let list = "# Summary\n\n[Desvio](../README.md)\n\n- [First steps](start.md)\n";
        assert_eq!(pages(list), ["README.md", "docs/start.md"]);
        assert_eq!(at_root(list), "# Summary\n\n[Desvio](index.md)\n\n- [First steps](docs/start.md)\n");
    }
}
