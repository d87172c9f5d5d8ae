//! The page's script that draws the README's picture, on the points of a small campaign with the same columns; their table as Parquet.

use super::page;
use super::place::Place;
use super::provide::Provided;
use crate::step::{Failure, root};
use std::fs;
use std::path::Path;

/// The heading of the script.
const HEADING: &str = "The README's picture";
/// The campaign of the picture, and a base that takes less time.
const CAMPAIGN: &str = "scenarios/campaign/readme.toml";
const BASE: (&str, &str) = ("scenarios/demo.toml", "limit_cycles = 25000");

/// Both tables have the same columns of the same types, and the same cells.
const SAME: &str = "import pandas
a, b = [getattr(pandas, 'read_' + of)('results/readme/points.' + of) for of in ('parquet', 'csv')]
pandas.testing.assert_frame_equal(a, b, check_dtype=False, check_exact=True)
kinds = {str(a[name].dtype) for name in ('load', 'latency_mean', 'accepted')}, str(a['seed'].dtype), str(a['latency_p99'].dtype)
assert kinds == ({'float64'}, 'uint64', 'uint64'), kinds
";

/// Draws it, and reads the table as Parquet.
pub(super) fn draw(desvio: &Path, provided: &Provided) -> Result<(), Failure> {
    if let Some(reason) = &provided.python {
        eprintln!("{HEADING:<24} skipped: {reason}");
        return Ok(());
    }
    let place = Place::new("picture", desvio, &provided.path)?;
    let failed = |error: std::io::Error| Failure::new(format!("{CAMPAIGN}: {error}"));
    let base = fs::read_to_string(root().join(BASE.0)).map_err(failed)?;
    if !base.contains(BASE.1) {
        return Err(Failure::new(format!("{} has no `{}` to shorten", BASE.0, BASE.1)));
    }
    let base = base.replace("p = 4", "p = 2").replace("a = 8", "a = 4").replace("h = 4", "h = 2");
    let base = base.replace(BASE.1, "warmup_cycles = 300\nmeasure_cycles = 300");
    fs::write(place.folder().join(BASE.0), base).map_err(failed)?;
    fs::copy(root().join(CAMPAIGN), place.folder().join(CAMPAIGN)).map_err(failed)?;
    for what in ["run", "collect"] {
        place.succeed(place.command("desvio", &["campaign", what, CAMPAIGN])?)?;
    }
    place.succeed(place.command("desvio", &["campaign", "collect", CAMPAIGN, "--parquet"])?)?;
    place.succeed(place.command("python3", &["-c", SAME])?)?;
    eprintln!("{:<24} read by pandas and pyarrow: the cells of points.csv", "points.parquet");
    place.run(&page::commands(HEADING)?, &[])?;
    let picture = fs::read_to_string(place.folder().join("readme.svg")).map_err(failed)?;
    if !picture.contains("</svg>") {
        return Err(Failure::new("readme.svg is no picture"));
    }
    eprintln!("{HEADING:<24} drawn, {} bytes", picture.len());
    Ok(())
}
