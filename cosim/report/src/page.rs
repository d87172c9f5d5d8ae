//! Results as one page of HTML that needs nothing else: tables, curves, links as a heat map, histograms, where it all comes from.
//!
//! The tables of a folder are read as they are (`results`, `details`), and become data (`data`) that the page's own program shows.

mod compare;
mod data;
mod details;
mod layout;
mod maps;
mod metric;
mod results;
mod side;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use results::Results;

/// A page that could not be made. The text is complete, ready to be printed.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// There are no results.
    #[error(
        "{}: no summary.csv, compare.csv or points.csv: a folder of `desvio run`, `desvio compare` or `desvio campaign collect` has one",
        path.display()
    )]
    Nothing {
        /// The folder.
        path: PathBuf,
    },
    /// There is no such folder.
    #[error("{}: there is no such folder", path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// There are points of a campaign, not collected.
    #[error("{}: the points of this campaign are not collected: `desvio campaign report FILE` does so", path.display())]
    Uncollected {
        /// The folder.
        path: PathBuf,
    },
    /// A file could not be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not what this program writes.
    #[error("{}: {message}", path.display())]
    Wrong {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Two folders have nothing to compare.
    #[error("{} and {} have no point in common", path.display(), other.display())]
    Strangers {
        /// One.
        path: PathBuf,
        /// The other.
        other: PathBuf,
    },
}

impl PageError {
    fn wrong(path: &Path, message: impl Into<String>) -> Self {
        Self::Wrong { path: path.to_owned(), message: message.into() }
    }
}

const HTML: &str = include_str!("page/assets/page.html");
const STYLE: [&str; 2] = [include_str!("page/assets/screen.css"), include_str!("page/assets/print.css")];
/// In the order in which they need each other.
const SCRIPT: [&str; 10] = [
    include_str!("page/assets/base.js"),
    include_str!("page/assets/frame.js"),
    include_str!("page/assets/curves.js"),
    include_str!("page/assets/zoom.js"),
    include_str!("page/assets/table.js"),
    include_str!("page/assets/save.js"),
    include_str!("page/assets/map.js"),
    include_str!("page/assets/point.js"),
    include_str!("page/assets/compare.js"),
    include_str!("page/assets/main.js"),
];

/// The page of the results in `dir`, a folder of a run, a comparison or a collected campaign; with `other`, also what is different from
/// the results there. Equal folders give equal bytes.
///
/// # Errors
/// When a folder has no results, or they are not as they were written.
pub fn page(dir: &Path, other: Option<&Path>) -> Result<String, PageError> {
    let results = Results::read(dir)?;
    let details = details::read(dir, &results)?;
    let compared = match other {
        None => None,
        Some(other) => {
            let before = Results::read(other)?;
            let comparison = compare::compare(&before, &results);
            if comparison.matched == 0 {
                return Err(PageError::Strangers { path: dir.to_owned(), other: other.to_owned() });
            }
            Some(data::comparison(&before, &results, &comparison))
        }
    };
    let data = data::data(&results, &details, compared);
    // No text of a scenario can end the script.
    let data = data.to_string().replace('<', "\\u003c");
    Ok(HTML.replacen("/*STYLE*/", &STYLE.concat(), 1).replacen("/*SCRIPT*/", &SCRIPT.concat(), 1).replacen(
        "/*DATA*/null",
        &data,
        1,
    ))
}
