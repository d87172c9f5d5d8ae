//! What came of all targets, in a table.

use super::supervisor::Tally;
use desvio_cost::report::text;

/// A line for each target.
#[must_use]
pub fn table(tallies: &[Tally]) -> String {
    let mut cells = vec![["target", "inputs", "inputs/s", "corpus", "findings"].map(str::to_owned).to_vec()];
    for tally in tallies {
        let rate = tally.inputs as f64 / tally.seconds.max(1e-3);
        cells.push(vec![
            tally.target.to_owned(),
            tally.inputs.to_string(),
            format!("{rate:.0}"),
            tally.corpus.to_string(),
            tally.findings.len().to_string(),
        ]);
    }
    text(&cells)
}
