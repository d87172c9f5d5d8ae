//! `desvio example`: scenarios to begin with, from the program itself.

use super::failure::Failure;
use super::output;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::Path;

/// Prints a scenario to begin with, or a list of them
///
/// The examples are part of the program and need no checkout. Where one names another file, such as an edge list,
/// that file is an example, too.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Its name; without one, all names
    #[arg(value_parser = PossibleValuesParser::new(names()), hide_possible_values = true)]
    name: Option<String>,
}

const EXAMPLES: &str = r"Examples:
  desvio example
  desvio example dragonfly > dragonfly.toml
  desvio example mesh | desvio run - --set traffic.pattern=transpose
  desvio example petersen.txt > petersen.txt";

/// An example: its file's name, and its text.
type Example = (&'static str, &'static str);

macro_rules! examples {
    ($($file:literal),* $(,)?) => {
        &[$(($file, include_str!(concat!("../../scenarios/", $file)))),*]
    };
}

/// Every file of `scenarios/`, in this order; its folders are for larger studies.
const ALL: &[Example] = examples![
    "dragonfly.toml",
    "dragonfly-adversarial.toml",
    "rivals.toml",
    "transient.toml",
    "rtl.toml",
    "tiny.toml",
    "demo.toml",
    "mesh.toml",
    "torus.toml",
    "switching.toml",
    "fat-tree.toml",
    "clos.toml",
    "parking-lot.toml",
    "petersen.toml",
    "petersen.txt",
    "tree.toml",
    "tree.txt",
    "requests.toml",
    "multicast.toml",
    "congestion.toml",
    "drb.toml",
    "midimew.toml",
    "drb-infiniband.toml",
    "fabric.toml",
];

pub(crate) fn example(arguments: &Arguments) -> Result<(), Failure> {
    let Some(name) = &arguments.name else { return output::print(&list()) };
    let named = |&&(file, _): &&Example| file == name || file.strip_suffix(".toml") == Some(name);
    ALL.iter().find(named).map_or(Ok(()), |(_, text)| output::print(text))
}

/// How to get a file that is missing, where an example has its name.
pub(super) fn help(missing: &Path) -> Option<String> {
    let wanted = missing.file_name()?.to_str()?;
    let (file, _) = ALL.iter().find(|(file, _)| *file == wanted || stem(file) == wanted)?;
    Some(format!("\n  = there is an example of that name: desvio example {} > {file}", stem(file)))
}

/// The names of all examples, with and without the ending of scenarios.
fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|(file, _)| [Some(stem(file)), file.ends_with(".toml").then_some(*file)]).flatten()
}

fn stem(file: &str) -> &str {
    file.strip_suffix(".toml").unwrap_or(file)
}

/// A line each: the name, and the first sentence of its first comment.
fn list() -> String {
    let widest = ALL.iter().map(|(file, _)| stem(file).len()).max().unwrap_or(0);
    let line = |&(file, text): &Example| format!("{:widest$}  {}", stem(file), about(text));
    ALL.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The first sentence of the comment that a file begins with.
fn about(text: &str) -> String {
    let comment = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    let comment = comment.collect::<Vec<_>>().join(" ");
    let end = comment.find(". ").map_or(comment.len(), |end| end + 1);
    comment.get(..end).unwrap_or_default().trim_end_matches(['.', ':']).to_owned()
}
