//! `desvio compare`: several scenarios, or variants of one, in one picture and one table.

use super::cases::Case;
use super::curves::{Manner, run_all};
use super::failure::Failure;
use super::variants::{self, Vary};
use super::{output, start_threads, take};
use clap::Args;
use desvio_report::{Curve, write_panels};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs several scenarios, or variants of one, into one table and one picture each
///
/// Every FILE is a curve. With --vary, every FILE is a curve for each of the values; with --vary repeated, for each
/// combination of them. All loads of all curves share all cores.
///
/// The folder of results holds compare.csv, whose first column is the curve's name, compare.json, hops.csv and provenance.json (every
/// curve's complete scenario). It has the pictures of `desvio run` with all curves in each. With --panels, it also has panels.svg, the
/// picture to begin with: one column for each value. Finished loads are written at once, and kept in points/ by what they are: the same
/// command runs what a killed one has left over. Files of the names above in the folder are replaced.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A curve for each value of a key, such as selection.trigger=occupancy,contention; may be repeated
    #[arg(long, value_name = "KEY=VALUE,VALUE...")]
    vary: Vec<Vary>,
    /// A column of `panels.svg` for each value of a key, with the curves of --vary in each
    #[arg(long, value_name = "KEY=VALUE,VALUE...")]
    panels: Option<Vary>,
    /// Replace a key of every scenario, such as run.seed=2; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Names of the curves, in their order [default: from the files and the values]
    #[arg(long, value_name = "NAME,NAME...", value_delimiter = ',')]
    names: Vec<String>,
    /// Folder of the results
    #[arg(long, value_name = "DIR", default_value = "results/compare")]
    out: PathBuf,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    manner: Manner,
}

const EXAMPLES: &str = r#"Examples:
  desvio compare scenarios/mesh.toml scenarios/torus.toml
  desvio compare scenarios/dragonfly-adversarial.toml \
      --vary routing.algorithm=minimal,valiant,olm
  desvio compare scenarios/dragonfly.toml --set 'traffic.loads=[0.2]' \
      --vary router.iterations=1,2 --names "1 iteration,2 iterations"
  desvio compare scenarios/dragonfly.toml --set 'traffic.loads=[0.3]' \
      --vary router.allocator=separable-input-first,wavefront \
      --vary selection.trigger=occupancy,contention
  desvio compare scenarios/dragonfly.toml --set 'traffic.loads=[0.2]' \
      --vary routing.algorithm=minimal,olm \
      --panels 'traffic.pattern=uniform,{adversarial=1}'

Exit status: 0 all is well; 1 a deadlock, a lost flit or another broken
invariant; 2 bad input."#;

pub(crate) fn compare(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { files, panels, vary, sets, names, .. } = arguments;
    let varied: Vec<Vary> = panels.iter().chain(vary).cloned().collect();
    variants::each_key_once(&varied).map_err(|message| Failure::Input(format!("error: {message}")))?;
    let variants = variants::product(files, &varied);
    let names =
        variants::names(&variants, names).map_err(|message| Failure::Input(format!("error: {message}")))?;
    output::hush(arguments.manner.quiet);
    start_threads(arguments.threads)?;
    let case = |(variant, name): (&variants::Variant<'_>, &String)| {
        let varied = variant.choices.iter().map(variants::Choice::set);
        let sets: Vec<String> = sets.iter().cloned().chain(varied).collect();
        Case::load(variant.file, &sets, name)
    };
    let cases = variants.iter().zip(&names).map(case).collect::<Result<Vec<_>, _>>()?;
    let out = Arc::new(take(&arguments.out)?);
    let curves = run_all(&cases, &out, arguments.manner)?;
    match panels {
        None => Ok(()),
        Some(_) => draw_panels(&variants, curves, out.path()),
    }
}

/// One column for each value of the first key that varies.
fn draw_panels(variants: &[variants::Variant<'_>], curves: Vec<Curve>, out: &Path) -> Result<(), Failure> {
    let mut columns: Vec<(String, Vec<Curve>)> = Vec::new();
    for (variant, curve) in variants.iter().zip(curves) {
        let (column, name) = variants::split_name(variant, variants);
        let curve = Curve { name, ..curve };
        match columns.iter_mut().find(|(known, _)| *known == column) {
            Some((_, list)) => list.push(curve),
            None => columns.push((column, vec![curve])),
        }
    }
    let written = write_panels(out, "panels", "Latency and accepted load", &columns);
    written.map(drop).map_err(|error| Failure::Input(format!("error: cannot write the results: {error}")))
}
