//! `cargo xtask site`: the documentation as a site, `target/site`. Its first page is the simulator in a browser; behind it are the book, which
//! mdBook makes of the pages of the repository, and rustdoc of the crates.

mod check;
mod crates;
mod html;
mod list;
mod path;
mod source;

use crate::step::{Failure, root, run};
use crate::tools::Tool;
use crate::web::{self, target};
use crates::Library;
use source::write;
use std::fs;
use std::path::Path;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Leaves out rustdoc of the crates, which takes minutes.
    #[arg(long)]
    no_rustdoc: bool,
    /// Leaves out the simulator; the first page is then that of the book.
    #[arg(long)]
    no_simulator: bool,
    /// What stands before the paths of files of the repository, to which pages link, as in `https://HOST/OWNER/NAME/blob/main`. Without it
    /// such links are text.
    #[arg(long, value_name = "URL")]
    repository: Option<String>,
}

/// The folders of the site.
const BOOK: &str = "book";
const API: &str = "api";
/// The settings of mdBook, the style of its pages, and what stands above each of them; with their paths for mdBook.
const SETTINGS: [(&str, &str); 3] =
    [("docs/book.toml", "book.toml"), ("docs/book.css", "book.css"), ("docs/header.hbs", "theme/header.hbs")];
const CRATES: &str = "crates.md";

/// Builds the site, and checks its links.
pub(crate) fn site(arguments: &Arguments) -> Result<(), Failure> {
    if !Tool::program("mdbook", "").is_here() {
        return Err(Failure::new("no mdbook: `cargo install mdbook --locked` installs it"));
    }
    let site = target().join("site");
    let _ = fs::remove_dir_all(&site);
    let first = if arguments.no_simulator {
        forward(&format!("{BOOK}/index.html"))
    } else {
        with_links(&read(&web::web()?)?)?
    };
    write(&site.join("index.html"), first.as_bytes())?;
    let libraries = if arguments.no_rustdoc { Vec::new() } else { crates::libraries()? };
    if !libraries.is_empty() {
        crates::copy(&crates::document(&libraries)?, &site.join(API))?;
        write(&site.join(API).join("index.html"), forward(&format!("../{BOOK}/crates.html")).as_bytes())?;
    }
    book(arguments, &libraries, &site.join(BOOK))?;
    let checked = check::check(&site)?;
    let (pages, links, megabytes) = (checked.pages, checked.links, checked.bytes.div_ceil(1_000_000));
    eprintln!("\n{}: {pages} pages, {links} links, {megabytes} MB", site.join("index.html").display());
    Ok(())
}

/// Has mdBook make the book.
fn book(arguments: &Arguments, libraries: &[Library], to: &Path) -> Result<(), Failure> {
    let folder = target().join("book");
    let _ = fs::remove_dir_all(&folder);
    let mut list = read(&root().join(list::LIST))?;
    let source = folder.join("src");
    source::assemble(&source, &list, arguments.repository.as_deref())?;
    if !libraries.is_empty() {
        write(&source.join(CRATES), crates::page(libraries, &format!("../{API}")).as_bytes())?;
        list = list::at_root(&list) + &format!("- [Crates]({CRATES})\n");
        write(&source.join("SUMMARY.md"), list.as_bytes())?;
    }
    for (from, to) in SETTINGS {
        write(&folder.join(to), read(&root().join(from))?.as_bytes())?;
    }
    let [from, to] = [&*folder, to].map(|path| path.display().to_string());
    run("mdbook", &["build", &from, "--dest-dir", &to].map(str::to_owned))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// The simulator's page with links to the rest of the site.
fn with_links(page: &str) -> Result<String, Failure> {
    let end = "</header>";
    let links = [("First steps", "docs/start.html"), ("Documentation", "index.html")];
    let links: Vec<_> =
        links.iter().map(|(name, page)| format!("<a href=\"{BOOK}/{page}\">{name}</a>")).collect();
    let bar = format!("  <p>{}</p>\n{end}", links.join(" · "));
    if page.matches(end).count() != 1 {
        return Err(Failure::new("the simulator's page has not one header"));
    }
    Ok(page.replacen(end, &bar, 1))
}

/// A page that leads on to this one.
fn forward(page: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Desvio</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={page}\">\n<a href=\"{page}\">Documentation</a>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simulator_leads_to_the_book() {
        let page = read(&root().join("cosim/web/page/index.html")).unwrap();
        let linked = with_links(&page).unwrap();
        assert!(linked.contains("<a href=\"book/docs/start.html\">First steps</a>"));
        assert!(with_links("<p>").is_err());
    }
}
