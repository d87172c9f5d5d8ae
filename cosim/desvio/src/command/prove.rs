//! `desvio prove`: whether a routing can deadlock.

use super::cases::Case;
use super::failure::Failure;
use super::{interrupt, output, start_threads};
use crate::registry::prove_any;
use clap::Args;
use desvio_prove::{Certificate, Proof, ProveError};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Proves that a routing cannot deadlock, or shows packets that wait for each other
///
/// All pairs of nodes are judged, whatever the scenario's traffic. Every packet from every node to every other one is followed through
/// every hop that the routing's own code offers it and that the scenario's selection may take. The results are whether each packet always
/// has a way on and arrives, the longest route, the channels (VCs of links) that no packet can be in, and the ranks of the others. Where
/// every hop leads to a lower rank, the channel dependency graph has no cycle (Dally and Seitz). Where that fails, but every packet that
/// waits requests a channel of a lower rank, too, that is an escape (Duato). The scenario's flow control counts: a wormhole's body lies in
/// channels that its head has passed, so each of its hops has to lead lower.
///
/// Where channels are left without a rank, a small set of packets that wait for each other is printed, with their nodes of origin and the
/// channels that they wait for. It also looks for a scenario that ends in a deadlock (--scenario): just these packets, the scenario's
/// pattern, or uniform traffic, at a load of 1, with buffers as they are or of one packet.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario file; which nodes its traffic names, and its links that go down, do not matter
    file: PathBuf,
    /// Replace a key of the scenario, such as routing.algorithm=minimal; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Write the ranks to a file (JSON), from which the proof can be checked without a search
    #[arg(long, value_name = "OUT")]
    certificate: Option<PathBuf>,
    /// Check a certificate of the scenario instead of searching: its packets are followed, and each hop is held against the ranks
    #[arg(long, value_name = "CERTIFICATE", conflicts_with_all = ["certificate", "scenario", "routes"])]
    check: Option<PathBuf>,
    /// Where packets wait for each other: write a scenario in which they do, and run it
    #[arg(long, value_name = "OUT")]
    scenario: Option<PathBuf>,
    /// Print the routes of the packets that wait for each other, channel by channel
    #[arg(long)]
    routes: bool,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Tell nothing but results and errors
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  desvio prove scenarios/dragonfly.toml
  desvio prove scenarios/torus.toml --certificate torus.json
  desvio prove scenarios/torus.toml --check torus.json
  desvio prove scenarios/torus.toml --set routing.algorithm=multipath \\
      --routes --scenario stuck.toml

Exit status: 0 proven; 1 not proven: packets that wait for each other, one
without a way on, one whose route has no bound, or a certificate that does
not hold; 2 bad input.";

pub(crate) fn prove(arguments: &Arguments) -> Result<(), Failure> {
    output::hush(arguments.quiet);
    start_threads(arguments.threads)?;
    let case = Case::network(&arguments.file, &arguments.sets, "")?;
    let file = arguments.file.display();
    let wiring = case.blueprint.wiring();
    let refuse = |error: ProveError| Failure::Input(wiring.named(&format!("{file}: {error}")));
    if let Some(path) = &arguments.check {
        return check(path, &case);
    }
    let groups = case.blueprint.groups().map_or(0, |groups| groups.members().len());
    let bar = bar(arguments, wiring.nodes() + groups);
    let proof = prove_any(&case.blueprint, &|| bar.inc(1)).map_err(refuse)?;
    bar.finish_and_clear();
    output::print(&wiring.named(&proof.to_string()))?;
    if arguments.routes {
        output::print(&wiring.named(&routes(&proof)))?;
    }
    if let Some(path) = &arguments.certificate {
        match Certificate::of(&proof) {
            Some(certificate) => write(path, &certificate.to_json())?,
            None => output::tell("no certificate is written: there are no ranks that exclude deadlock"),
        }
    }
    if let Some(path) = &arguments.scenario {
        provoke(&proof, path)?;
    }
    if proof.holds() {
        return Ok(());
    }
    Err(Failure::Broken("not proven".to_owned()))
}

/// Says whether a certificate holds; what does not is the message of a failure.
fn check(path: &Path, case: &Case) -> Result<(), Failure> {
    let name = path.display();
    let unread = |error| Failure::Input(format!("error: cannot read {name}: {error}"));
    let bytes = std::fs::read(path).map_err(unread)?;
    let refuted = |why: &dyn std::fmt::Display| Failure::Broken(format!("{name}: {why}\nnot proven"));
    let text = std::str::from_utf8(&bytes).map_err(|error| refuted(&error))?;
    let checked = desvio_prove::check_of(text, case.blueprint.scenario()).map_err(|why| refuted(&why))?;
    let (states, hops, ranks) = (checked.states, checked.hops, checked.ranks.len());
    output::print(&format!("{name}: holds: {states} states, {hops} hops, {ranks} channels with ranks"))
}

/// The routes of all packets that wait for each other.
fn routes(proof: &Proof) -> String {
    let mut text = String::new();
    for holder in proof.stuck() {
        text.push_str(&format!("from node {} to {}:\n", holder.from, holder.destination()));
        holder.route.iter().for_each(|channel| text.push_str(&format!("  {channel}\n")));
    }
    text
}

/// Writes the scenario of a deadlock and says whether its run ends in one.
fn provoke(proof: &Proof, path: &Path) -> Result<(), Failure> {
    let Some(provoked) = proof.provoke() else {
        output::tell("there is no set of packets to make a scenario of");
        return Ok(());
    };
    let provoked = provoked.map_err(|error| Failure::Input(format!("error: {error}")))?;
    write(path, &provoked.scenario.to_toml())?;
    let path = path.display();
    output::print(&match provoked.deadlock {
        Some(cycle) => format!("{path}: deadlocks, as `desvio run` says in cycle {cycle}"),
        None => format!(
            "{path}: no run of {} cycles was found stuck: the packets may never meet",
            provoked.cycles
        ),
    })
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    desvio_report::replace(path, text.as_bytes())
        .map_err(|error| Failure::Input(format!("error: cannot write {error}")))
}

fn bar(arguments: &Arguments, nodes: usize) -> ProgressBar {
    if arguments.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(nodes as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:24} destination {human_pos} of {human_len}, {eta} left")
    {
        bar.set_style(style.progress_chars("━╸ "));
    }
    output::redraw(&bar, Duration::from_millis(500));
    let done = bar.clone();
    interrupt::on_signal(move || {
        let nodes = done.position();
        done.finish_and_clear();
        format!("packets to {nodes} nodes were followed; nothing is proven")
    });
    bar
}
