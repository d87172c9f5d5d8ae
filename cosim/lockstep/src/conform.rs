//! A switch in someone else's Verilog, checked as a black box against what every switch must do.
//!
//! A map says what its signals are called (`map`, read by `read` with the help of `document`) and is tied to the
//! module's ports by `pins`. `slice` finds the bits that a name means, and `skeleton` writes the beginning of a map from a module's ports. `site` knows where in the scenario's network the switch stands, and `walk` finds the
//! packets that can come there. `source` and `sink` are its neighbours, and `ledger` keeps the account of every packet. `rule` names the
//! rules, and `finding` keeps the allowed breaks. `phase` has the kinds of traffic, and `bench` runs them on a `device`. `check` holds all of it.
//! `watch` looks at a switch that another program drives.

mod bench;
mod bind;
mod bits;
mod check;
mod constant;
mod device;
mod dice;
mod document;
mod event;
mod family;
mod finding;
mod flit;
mod gate;
mod ledger;
mod map;
mod module;
mod phase;
mod pins;
mod promise;
mod read;
mod report;
mod rule;
mod share;
mod sink;
mod site;
mod skeleton;
mod slice;
mod source;
mod tally;
mod unseen;
mod walk;
mod watch;

pub use finding::Finding;
pub use map::{MapError, PortMap};
pub use report::{Latency, Mismatch, Report};
pub use rule::{Checks, Rule, Violation};
pub use share::Share;
pub use unseen::Unseen;
pub use watch::{Composed, Facts, Halt, Watch, Watched, watch};

use check::Check;
use desvio_sim::blueprint::{Blueprint, BlueprintError};
use desvio_sim::scenario::{Ejection, FlowControl, Refusal};
use document::Problem;
use router_core::units::PortId;
use site::Site;
use std::path::PathBuf;
use thiserror::Error;
use verilated::{BuildError, Coverage, Design};
use walk::Pool;

/// What to check, and how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// The router of the scenario whose place the switch takes.
    pub router: usize,
    /// Cycles of random traffic, about.
    pub cycles: u64,
    /// Of every random choice.
    pub seed: u64,
    /// Cycles after which a packet waits for ever; `None`: several times what a fair switch needs.
    pub patience: Option<u64>,
    /// The least of an equal share of an output that each input must get, 0 to 1.
    pub fair_share: f64,
    /// Rules that do not end the run when they break, besides those of the map.
    pub allow: Vec<Rule>,
    /// Packets also take ways through the switch that none takes in the scenario's network, where its routing offers them.
    pub all_pairs: bool,
    /// Folder for the waveform of a mismatch; without one, none is written.
    pub out: Option<PathBuf>,
    /// Folder for what of the design was reached, file by file; without one, nothing is counted.
    pub coverage: Option<PathBuf>,
}

/// Why a check did not end well.
#[derive(Debug, Error)]
pub enum ConformError {
    /// The map does not fit the scenario or the Verilog.
    #[error("{0}")]
    Map(Box<Refusal>),
    /// The Verilog cannot be compiled.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The scenario cannot be built.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    /// What was asked for cannot be done.
    #[error("{0}")]
    Input(String),
    /// The switch did what no switch may do.
    #[error("{0}")]
    Mismatch(Box<Mismatch>),
    /// Nothing was compared: no news is bad news.
    #[error("{0}")]
    Nothing(String),
}

/// Checks `design` in the place of one router of a scenario; `tell` receives its progress.
///
/// # Errors
/// The first broken rule, or why there is nothing to check.
pub fn conform(
    blueprint: &Blueprint,
    map: &PortMap,
    design: &Design,
    options: &Options,
    tell: &mut dyn FnMut(&str),
) -> Result<Report, ConformError> {
    let refuse = |problem: Problem| ConformError::Map(map.document.refuse(problem));
    is_there(blueprint, options.router)?;
    check_wires(blueprint)?;
    let site = Site::new(blueprint, map, options.router)?;
    fits(map, &site).map_err(refuse)?;
    let lengths = lengths(map, &site).map_err(refuse)?;
    let mut pool = Pool::gather(&site, options.seed);
    if options.all_pairs {
        pool.complete(&site);
    }
    let mut design = compiled(design);
    for (name, setting) in &map.parameters {
        design =
            design.parameter(name.text.clone(), constant::parameter(setting, map, &site).map_err(refuse)?);
    }
    if options.coverage.is_some() {
        design = design.coverage(Coverage::All);
    }
    let check = Check { map, site: &site, pool: &pool, lengths: &lengths, options };
    let mut bench = check.bench(&design, None)?;
    let phases = check.phases(&bench);
    match bench.run(&lengths, &phases, options.cycles, tell) {
        Ok(()) => check.report(&mut bench, &phases),
        Err(violation) => {
            let mut mismatch = Mismatch::new(&bench, violation);
            if let Some(out) = &options.out {
                tell("a mismatch: once more, with waveforms");
                mismatch.waveform = Some(check.waveform(&design, &mismatch, out));
            }
            Err(ConformError::Mismatch(Box::new(mismatch)))
        }
    }
}

/// The beginning of a map for `design` in the place of one router of a scenario: what the names and widths of its ports suggest.
///
/// # Errors
/// The Verilog cannot be compiled, or the scenario cannot be built.
pub fn skeleton(blueprint: &Blueprint, design: &Design, router: usize) -> Result<String, ConformError> {
    is_there(blueprint, router)?;
    let count = blueprint.wiring().ports();
    let plan = blueprint.plan::<64>(router).map_err(BlueprintError::from)?;
    let vcs = (0..count).map(|port| plan.links.vcs(PortId::new(port as u8)).len()).max().unwrap_or(1);
    let library = compiled(design).build()?;
    Ok(skeleton::skeleton(library.top(), library.ports(), count, vcs))
}

/// Refuses a router that the network does not have.
fn is_there(blueprint: &Blueprint, router: usize) -> Result<(), ConformError> {
    let routers = blueprint.wiring().routers();
    if router < routers {
        return Ok(());
    }
    Err(ConformError::Input(format!("there is no router {router}, only 0 to {}", routers - 1)))
}

/// A black box has flits and credits on its wires, and one port for each node.
fn check_wires(blueprint: &Blueprint) -> Result<(), ConformError> {
    let router = &blueprint.scenario().router;
    if router.options.flow_control == FlowControl::MadPostman {
        let why = "router.flow_control: \"mad-postman\" cuts packets in two, which no switch has to";
        return Err(ConformError::Input(why.to_owned()));
    }
    if router.options.flow_control.is_circuit() {
        let why = "router.flow_control: a switch has no wires for the answers that circuits need";
        return Err(ConformError::Input(why.to_owned()));
    }
    if router.buffer_flits.iter().any(|(class, _)| router.shares(class)) {
        let why =
            "router.reserved_flits: a switch is checked with a buffer for each VC, it has to be left out";
        return Err(ConformError::Input(why.to_owned()));
    }
    if router.has_any_depths() {
        let why = "router.buffer_flits: a switch is checked with equally deep virtual channels, lists by VC are for models only";
        return Err(ConformError::Input(why.to_owned()));
    }
    if !blueprint.slowest().is_full() {
        let why = "links.rate: a switch is checked with links of a flit in each cycle, slower ones are for models only, and 1 takes all as equal";
        return Err(ConformError::Input(why.to_owned()));
    }
    if blueprint.scenario().ack_vcs() > 0 {
        let why = "routing.ack_priority: a switch is checked with outputs that serve all in turn, ACKs that go first are for models only";
        return Err(ConformError::Input(why.to_owned()));
    }
    if router.options.ejection == Ejection::Any {
        let why = "router.ejection: a switch has one port for each node, only \"own\" is possible";
        return Err(ConformError::Input(why.to_owned()));
    }
    Ok(())
}

/// As a switch is always compiled here: with its own assertions, and whatever Verilator would warn of.
fn compiled(design: &Design) -> Design {
    design.clone().assertions(true).lint_fatal(false)
}

/// The switch has a port for each of the router's.
fn fits(map: &PortMap, site: &Site<'_>) -> Result<(), Problem> {
    let at = map.order.as_ref().map_or(map.clock.at.clone(), |(_, at)| at.clone());
    if let Some((order, at)) = &map.order
        && order.len() != site.ports().len()
    {
        let message = format!(
            "`order` has {} ports, but router {} of this scenario has {}",
            order.len(),
            site.router,
            site.ports().len()
        );
        return Err(Problem::new(at.clone(), message));
    }
    let highest = site.wired().map(|port| site.port(port).switch).max().unwrap_or(0);
    if highest >= map.ports {
        let message = format!(
            "the switch has {} ports, but router {} of this scenario has {}",
            map.ports,
            site.router,
            site.ports().len()
        );
        return Err(Problem::new(at, message));
    }
    let vcs = site.ports().iter().map(|port| port.vcs).max().unwrap_or(1);
    match map.vcs {
        Some(has) if (has as usize) < vcs => {
            let message =
                format!("the switch has {has} VCs, but router {} of this scenario has {vcs}", site.router);
            Err(Problem::new(at, message))
        }
        _ => Ok(()),
    }
}

/// The lengths of packets to send: they fit where they must be whole.
fn lengths(map: &PortMap, site: &Site<'_>) -> Result<Vec<u16>, Problem> {
    let scenario = site.blueprint.scenario();
    let Some((lengths, at)) = &map.flit.lengths else {
        let shares = scenario.traffic.packet_flits.shares();
        return Ok(shares.iter().map(|one| one.flits as u16).collect());
    };
    let room = [&map.input, &map.output].map(|side| side.buffer_flits.unwrap_or(u32::MAX));
    let room = site.wired().map(|port| site.port(port).buffer).chain(room).min().unwrap_or(1);
    let longest = lengths.iter().copied().max().unwrap_or(1);
    if !scenario.router.options.flow_control.by_flit() && u32::from(longest) > room {
        let message = format!("a packet of {longest} flits does not fit into a buffer of {room} flits");
        return Err(Problem::new(at.clone(), message));
    }
    Ok(lengths.clone())
}

#[cfg(test)]
mod tests;
