#![doc = include_str!("../README.md")]

mod csv;
mod details;
mod folder;
mod json;
mod kind;
mod names;
mod owned;
mod page;
mod parquet;
mod plot;
mod point;
mod points;
mod provenance;
mod store;
mod table;
#[cfg(test)]
mod tests;
mod typed;

use std::io;
use std::path::{Path, PathBuf};

use desvio_sim::summary::Summary;
use rayon::prelude::*;

pub use csv::{COLUMNS, Detail, Extra, number, text_cell};
pub use folder::Folder;
pub use json::json;
pub use kind::Kind;
pub use names::label;
pub use owned::{claim, is_marked};
pub use page::{PageError, page};
pub use parquet::parquet;
pub use plot::{DrawError, Gain, Growth, Point, Stack};
pub use point::{point_json, read_point};
pub use points::{DetailTable, Leading, PointTable};
pub use store::Store;
use store::Sync;
pub use table::{table, table_of_width};

/// One line in a picture: a scenario and what its loads measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The name in the legend, as in `OLM, occupancy`.
    pub name: String,
    /// The keys of the scenario that differ from the defaults, and their values.
    pub settings: Vec<(String, String)>,
    /// Every key of the scenario but the loads, and its value as the file has it; files go by their names alone.
    pub keys: Vec<(String, String)>,
    /// The whole scenario file, every default filled in.
    pub scenario: String,
    /// One result per load, in any order.
    pub points: Vec<Summary>,
}

/// A file that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The file or directory could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process writes into the folder.
    #[error("another desvio writes to {}", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has files of somebody else where results would be.
    #[error(
        "{}: {} is there, and no provenance.json of desvio: it would be lost. Choose another folder with --out, or move it away",
        path.display(), file.display()
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// The first of the files.
        file: PathBuf,
    },
    /// The picture in the file could not be drawn.
    #[error("{}: {source}", path.display())]
    Draw {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: DrawError,
    },
}

/// Every file of text that a run or a comparison can have, the page that was made of them among them.
const TEXTS: [&str; 13] = [
    "summary.csv",
    "summary.json",
    "compare.csv",
    "compare.json",
    "hops.csv",
    "series.csv",
    "link_series.csv",
    "links.csv",
    "nodes.csv",
    "latency.csv",
    "scenario.toml",
    "provenance.json",
    "report.html",
];

/// Every picture that it can have, without its ending.
const PICTURES: [&str; 7] = ["panels", "latency", "accepted", "misrouted", "hops", "links", "series"];

/// Writes everything about `curves` into `dir`, which is made where it does not exist, and returns the paths.
///
/// One curve gives `summary.csv` and `summary.json`; several give `compare.csv`, with a leading column `scenario`, and
/// `compare.json`. Beside them is `provenance.json`, from which they can be run again, and of one curve `scenario.toml`. `latency`,
/// `accepted` and `misrouted` are there as `.svg` and `.png`. Where the results hold them, `hops` and `series` come as `.csv`, `.svg` and
/// `.png`, `links` as `.svg` and `.png`. With `run.details`, `links.csv`, `nodes.csv` and `latency.csv` are added; where traffic switches, too, `link_series.csv`.
pub fn write_all(dir: &Path, curves: &[Curve]) -> Result<Vec<PathBuf>, ReportError> {
    store::make(dir)?;
    let mut written = Vec::new();
    for (name, text) in texts(curves) {
        let path = dir.join(name);
        store::replace(&path, text.as_bytes(), Sync::Now)?;
        written.push(path);
    }
    let drawn = pictures(curves).into_par_iter().map(|(stem, svg)| write_picture(dir, stem, svg));
    for files in drawn.collect::<Vec<_>>() {
        written.extend(files?);
    }
    Ok(written)
}

/// Writes `{stem}.svg` and `{stem}.png`: a column per entry of `columns`, latency above, accepted load below, one legend.
///
/// The `n`th curve looks the same in every column, so each column should hold the same curves in the same order.
pub fn write_panels(
    dir: &Path,
    stem: &str,
    title: &str,
    columns: &[(String, Vec<Curve>)],
) -> Result<Vec<PathBuf>, ReportError> {
    store::make(dir)?;
    write_picture(dir, stem, plot::panels(title, columns))
}

impl Curve {
    /// The points from the lowest load to the highest.
    pub(crate) fn by_load(&self) -> Vec<&Summary> {
        let mut points: Vec<&Summary> = self.points.iter().collect();
        points.sort_by(|a, b| a.load.total_cmp(&b.load));
        points
    }
}

/// Writes a file in one step, through to the disk: a reader sees the old bytes or the new ones.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    store::replace(path, bytes, Sync::Now)
}

type Picture = Result<String, DrawError>;

/// The files of text; first what says whose they are.
fn texts(curves: &[Curve]) -> Vec<(&'static str, String)> {
    let mut texts = vec![(store::MARK, provenance::provenance(curves))];
    let (own, more) = match curves {
        [curve] => {
            let texts = vec![
                ("summary.csv", csv::summary(curve)),
                ("summary.json", json::json(curves)),
                ("scenario.toml", curve.scenario.clone()),
            ];
            let (links, nodes) = (csv::links(curve), csv::nodes(curve));
            let series = (csv::series(curve), csv::link_series(curve));
            (texts, [csv::hops(curve), series.0, links, nodes, csv::latency(curve), series.1])
        }
        curves => {
            let texts = vec![("compare.csv", csv::compare(curves)), ("compare.json", json::json(curves))];
            let (hops, series) = (csv::compare_hops(curves), csv::compare_series(curves));
            let (links, nodes) = (csv::compare_links(curves), csv::compare_nodes(curves));
            let link_series = csv::compare_link_series(curves);
            (texts, [hops, series, links, nodes, csv::compare_latency(curves), link_series])
        }
    };
    let names = ["hops.csv", "series.csv", "links.csv", "nodes.csv", "latency.csv", "link_series.csv"];
    texts.extend(own);
    let named = names.into_iter().zip(more);
    texts.extend(named.filter_map(|(name, text)| Some((name, text?))));
    texts
}

fn pictures(curves: &[Curve]) -> Vec<(&'static str, Picture)> {
    let mut pictures = vec![
        ("latency", plot::latency(curves)),
        ("accepted", plot::accepted(curves)),
        ("misrouted", plot::misrouted(curves)),
    ];
    let optional =
        [("hops", plot::hops(curves)), ("links", plot::links(curves)), ("series", plot::series(curves))];
    pictures.extend(optional.into_iter().filter_map(|(stem, picture)| Some((stem, picture?))));
    pictures
}

/// Writes `{stem}.svg` and the same as `{stem}.png` into a folder that exists, and returns their paths.
///
/// # Errors
/// When the picture could not be drawn, or a file could not be written.
pub fn write_picture(
    dir: &Path,
    stem: &str,
    svg: Result<String, DrawError>,
) -> Result<Vec<PathBuf>, ReportError> {
    let path = |ending: &str| dir.join(format!("{stem}.{ending}"));
    let failed = |ending: &str| {
        let path = path(ending);
        move |source| ReportError::Draw { path, source }
    };
    let svg = svg.map_err(failed("svg"))?;
    store::replace(&path("svg"), svg.as_bytes(), Sync::Now)?;
    let png = plot::png(&svg).map_err(failed("png"))?;
    store::replace(&path("png"), &png, Sync::Now)?;
    Ok(vec![path("svg"), path("png")])
}
