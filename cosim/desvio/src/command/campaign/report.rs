//! `desvio campaign report`: one page of HTML.

use super::{Of, refused};
use crate::command::failure::Failure;
use crate::command::report::write;
use clap::Args;
use desvio_campaign::{Columns, collect, table};

/// Collects the points, and writes report.html: the page of `desvio report`
///
/// Beside the page are the files of `desvio campaign collect`, of which it is made; bands are 95 % confidence intervals over seeds. With
/// `run.details = true` in the base, points have their links, nodes and latencies. May be asked at any time.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
}

const EXAMPLES: &str = r"Examples:
  desvio campaign report scenarios/campaign/grid.toml";

pub(crate) fn report(arguments: &Arguments) -> Result<(), Failure> {
    let (plan, store) = arguments.of.open()?;
    let out = arguments.of.folder()?;
    let table = table(&plan, &store, Columns::Varying).map_err(refused)?;
    collect(&plan, &store, &out, &table, false).map_err(refused)?;
    write(&out, None, &out.join("report.html"))
}
