//! `desvio campaign report`: one page of HTML.

use super::{Of, refused};
use crate::command::failure::Failure;
use crate::command::output;
use clap::Args;
use desvio_campaign::{CampaignError, page};

/// Writes report.html: curves of means over seeds, a table that sorts and filters, and where it all comes from
///
/// One file that needs no network and no other file; any browser shows it, in light or dark. Bands are 95 % confidence intervals over
/// seeds. May be asked at any time.
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
    let text = page(&plan, &store).map_err(refused)?;
    let path = arguments.of.folder()?.join("report.html");
    desvio_report::replace(&path, text.as_bytes()).map_err(|error| refused(CampaignError::Report(error)))?;
    output::print(&path.display().to_string())
}
