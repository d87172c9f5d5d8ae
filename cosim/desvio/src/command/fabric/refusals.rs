//! Options that make no sense with a manager.

use super::{Arguments, Programs};
use crate::command::failure::Failure;
use crate::command::source;
use desvio_sim::scenario::Scenario;
use desvio_sim::topology::{WORD_PORTS, Wiring};

/// # Errors
/// The first option that is for the other manager.
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let is_own = arguments.manager == Programs::Own;
    let of_opensm = [
        ("--engine", arguments.engine.is_some(), "its routes are those of the depth-first search"),
        ("--root", arguments.root.is_some(), "it chooses the root itself where it needs one"),
        ("--service-levels", arguments.service_levels, "its routes have theirs where they need them"),
        ("--wait", arguments.wait, "nothing is waited for"),
        ("arguments behind --", !arguments.opensm.is_empty(), "they are for OpenSM"),
    ];
    if is_own {
        let wrong = of_opensm.into_iter().find(|&(_, is_given, _)| is_given);
        return wrong.map_or(Ok(()), |(option, _, why)| {
            Err(Failure::Input(format!("error: {option}: not with --manager own: {why}")))
        });
    }
    let of_own = [
        ("--limit", !arguments.limits.is_empty(), "OpenSM reads its own file, -- -F FILE"),
        ("--standby", arguments.standby && arguments.wait, "not with --wait: nothing is started"),
    ];
    let wrong = of_own.into_iter().find(|&(_, is_given, _)| is_given);
    wrong.map_or(Ok(()), |(option, _, why)| Err(Failure::Input(format!("error: {option}: {why}"))))
}

/// # Errors
/// When a switch has more ports than those of a fabric here.
pub(super) fn check_ports(arguments: &Arguments, wiring: &Wiring) -> Result<(), Failure> {
    if wiring.ports() <= WORD_PORTS {
        return Ok(());
    }
    let (file, ports) = (source::name(&arguments.file), wiring.ports());
    Err(Failure::Input(format!(
        "{file}: switches of at most {WORD_PORTS} ports can be programmed, and the widest one of this network has {ports}"
    )))
}

/// # Errors
/// When traffic is to flow by tables that change, through routers in SystemVerilog: said before anything is programmed.
pub(super) fn check_traffic(arguments: &Arguments, scenario: &Scenario) -> Result<(), Failure> {
    let runs = !(arguments.no_run || arguments.hold);
    if arguments.rtl.is_some() && runs && !scenario.links.down.is_empty() {
        let why = "not with links.down: tables change as a link fails, and a router in SystemVerilog keeps its own for a whole run";
        return Err(Failure::Input(format!("error: --rtl: {why}")));
    }
    if scenario.has_groups() {
        let why = "no end joins a group in a fabric; the pattern must be another one than \"multicast\"";
        return Err(Failure::Input(format!("error: traffic.pattern: {why}")));
    }
    Ok(())
}
