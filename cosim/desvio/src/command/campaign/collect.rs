//! `desvio campaign collect`: one table of all finished points.

use super::{Of, refused};
use crate::command::failure::Failure;
use crate::command::output;
use clap::Args;
use desvio_campaign::{Columns, table};

/// Writes points.csv: one row for each finished point, in the order of the plan
///
/// The columns are the point's name, the keys that vary, the seed, and those of summary.csv. Whichever processes computed the
/// points, the bytes are the same; pandas.read_csv takes them as they are. It may run at any time: missing points have no row yet. Beside
/// it are provenance.json (the campaign, its base, the program's version, failures) and scenario.toml (the first scenario, complete, with
/// all its loads). Points with `run.details = true` add links.csv, nodes.csv and latency.csv, and traffic that switches adds series.csv;
/// their first column is the point's name.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// A column for every key of the scenarios, defaults as well, not only for those that vary
    #[arg(long)]
    all_keys: bool,
    /// Also points.parquet: the same table, each column with a type; empty cells are null
    ///
    /// A points.parquet that is there already is always written anew.
    #[arg(long)]
    parquet: bool,
}

const EXAMPLES: &str = r"Examples:
  desvio campaign collect scenarios/campaign/grid.toml
  desvio campaign collect scenarios/campaign/grid.toml --all-keys
  desvio campaign collect scenarios/campaign/grid.toml --parquet";

pub(crate) fn collect(arguments: &Arguments) -> Result<(), Failure> {
    let (plan, store) = arguments.of.open()?;
    let out = arguments.of.folder()?;
    let columns = if arguments.all_keys { Columns::All } else { Columns::Varying };
    let table = table(&plan, &store, columns).map_err(refused)?;
    let written =
        desvio_campaign::collect(&plan, &store, &out, &table, arguments.parquet).map_err(refused)?;
    let missing = plan.points().len() - table.rows;
    let missing = if missing > 0 { format!("; {missing} points are missing") } else { String::new() };
    let path = written.first().map(|path| path.display().to_string()).unwrap_or_default();
    output::print(&format!("{} points in {path}{missing}", table.rows))
}
