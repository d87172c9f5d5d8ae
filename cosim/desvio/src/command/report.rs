//! `desvio report`: a folder of results as one page of HTML.

use super::failure::Failure;
use super::{output, start_threads};
use clap::Args;
use std::path::{Path, PathBuf};

/// Writes report.html: results as one page that any browser shows
///
/// The page has curves with confidence intervals to zoom and to read, tables that sort and filter, the provenance, and the scenario of each
/// point to copy. Points with `run.details = true` also have the network with the utilisation of its links, the busiest links, the worst
/// nodes, and a histogram of latencies. Traffic that switches has the misrouted share against time. It is one file, which asks nothing of
/// any network: it can be mailed, archived, printed.
///
/// DIR holds results of `desvio run`, `desvio compare` or `desvio campaign collect`. With OTHER, the page also says what is different
/// from the results there, which count as those before: points that both have, metric by metric, what became worse first. Only what is
/// beyond noise is listed, by the confidence intervals of both; what is equal, within noise or cannot be judged is counted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folder of results
    dir: PathBuf,
    /// Folder of earlier results, or of another network's, to compare with
    other: Option<PathBuf>,
    /// The file to write [default: report.html in DIR]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = r"Examples:
  desvio run scenarios/mesh.toml --set run.details=true --out results/mesh
  desvio report results/mesh
  desvio run scenarios/mesh.toml --set router.speedup=1 --out results/slow
  desvio report results/slow results/mesh --out slower.html

Exit status: 0 the page is written; 2 bad input.";

pub(crate) fn report(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(None)?;
    let out = arguments.out.clone().unwrap_or_else(|| arguments.dir.join("report.html"));
    write(&arguments.dir, arguments.other.as_deref(), &out)
}

/// Writes the page of a folder, and prints where it is.
pub(super) fn write(dir: &Path, other: Option<&Path>, out: &Path) -> Result<(), Failure> {
    let page = desvio_report::page(dir, other).map_err(|error| Failure::Input(format!("error: {error}")))?;
    desvio_report::replace(out, page.as_bytes())
        .map_err(|error| Failure::Input(format!("error: cannot write the page: {error}")))?;
    output::print(&out.display().to_string())
}
