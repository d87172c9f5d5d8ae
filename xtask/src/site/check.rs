//! The links of a built site: each leads to a file of it, and each fragment to an element there.

use super::html::{self, Page};
use super::path::joined;
use crate::page::is_elsewhere;
use crate::step::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What the check has seen.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(crate) pages: usize,
    pub(crate) links: usize,
    pub(crate) bytes: u64,
}

/// Every link of every page of a folder.
pub(crate) fn check(site: &Path) -> Result<Checked, Failure> {
    let mut files = BTreeMap::new();
    read(site, "", &mut files)?;
    let mut checked = Checked { bytes: files.values().map(|file| file.bytes).sum(), ..Checked::default() };
    let mut broken = BTreeSet::new();
    for (path, file) in &files {
        let Some(page) = &file.page else { continue };
        checked.pages += 1;
        checked.links += page.links.len();
        let why = page.links.iter().filter_map(|link| Some((link, why_broken(path, link, &files)?)));
        broken.extend(why.map(|(link, why)| format!("{path}: {link}: {why}")));
    }
    if broken.is_empty() {
        return Ok(checked);
    }
    let count = broken.len();
    let shown: Vec<_> = broken.into_iter().take(SHOWN).collect();
    Err(Failure::new(format!("{count} links of {} lead nowhere:\n{}", site.display(), shown.join("\n"))))
}

/// Broken links that a message names.
const SHOWN: usize = 50;

struct File {
    bytes: u64,
    /// Of a file that is no page, none.
    page: Option<Page>,
}

/// The files of a folder and of those in it, by path.
fn read(folder: &Path, path: &str, files: &mut BTreeMap<String, File>) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (name, at) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
        let path = joined(&format!("{path}/"), &name);
        if at.is_dir() {
            read(&at, &path, files)?;
            continue;
        }
        let bytes = entry.metadata().map_err(failed)?.len();
        let page = if name.ends_with(".html") {
            Some(html::page(&fs::read_to_string(&at).map_err(failed)?))
        } else {
            None
        };
        files.insert(path, File { bytes, page });
    }
    Ok(())
}

fn why_broken(page: &str, link: &str, files: &BTreeMap<String, File>) -> Option<&'static str> {
    if is_elsewhere(link) || SCHEMES.iter().any(|scheme| link.starts_with(scheme)) {
        return None;
    }
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let file = file.split('?').next().unwrap_or_default();
    let file = html::decoded(file);
    let path = match &*file {
        "" => page.to_owned(),
        file if file.ends_with('/') || file == "." || file == ".." => {
            joined(page, &format!("{file}/index.html"))
        }
        file => joined(page, file),
    };
    let Some(target) = files.get(&path) else {
        return (!path.starts_with(UNWRITTEN)).then_some("there is no such file");
    };
    let ids = target.page.as_ref().filter(|page| !page.leads_on).map(|page| &page.ids);
    // A browser looks for the fragment as it is written first; rustdoc writes its elements so, too.
    let is_id = |ids: &BTreeSet<String>| ids.contains(fragment) || ids.contains(&html::decoded(fragment));
    let is_there = fragment.is_empty() || ids.is_none_or(is_id);
    (!is_there && !is_made_by_script(&path, fragment)).then_some("there is no such element")
}

/// Scripts with the other implementations of a trait: rustdoc names them where there are none, too, and then writes none.
const UNWRITTEN: &str = "api/trait.impl/";

/// Targets that are no files.
const SCHEMES: [&str; 3] = ["data:", "javascript:", "blob:"];

/// rustdoc's pages of sources know ranges of lines, `#3-14`.
fn is_made_by_script(path: &str, fragment: &str) -> bool {
    path.starts_with("api/src/") && fragment.bytes().all(|letter| letter.is_ascii_digit() || letter == b'-')
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::site::source::write;

    /// The words of the failure of a site of two pages, of which the first holds this.
    fn failure(body: &str) -> Option<String> {
        let site = tempfile::tempdir().unwrap();
        write(&site.path().join("index.html"), format!("<html><body>{body}</body></html>").as_bytes())
            .unwrap();
        write(
            &site.path().join("docs/start.html"),
            b"<h1 id=\"words\">Words</h1><a href=../index.html>up</a>",
        )
        .unwrap();
        write(&site.path().join("docs/index.html"), b"<a href='./'>here</a>").unwrap();
        check(site.path()).err().map(|failure| failure.to_string())
    }

    #[test]
    fn what_is_there_is_found() {
        let body = "<a href=\"docs/start.html#words\">words</a><a id=here href=#here>here</a><a href=docs/>all</a>\
                    <!-- <a href=\"nowhere.html\"> --><script>'<a href=\"nowhere.html\">'</script>\
                    <a href=\"https://example.org/nowhere\">web</a><img src='data:image/png,'>";
        assert_eq!(failure(body), None);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let seen = |body, why| failure(body).is_some_and(|failure| failure.contains(why));
        assert!(seen("<a href=\"docs/stop.html\">stop</a>", "docs/stop.html: there is no such file"));
        assert!(seen("<a href=\"docs/start.html#word\">word</a>", "#word: there is no such element"));
        assert!(seen("<img alt='a > b' src=demo.svg>", "demo.svg: there is no such file"));
        assert!(seen("<a href=docs>a folder without its slash</a>", "docs: there is no such file"));
    }
}
