//! FOGSim: the simulator of OLM's authors, phit by phit.

use super::experiment::{Experiment, Pattern, Routing, Topology};
use super::simulator::{Reading, Run, Simulator, number, require, told_by};
use super::timed::Job;
use crate::step::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// Built by the user.
#[derive(Debug)]
pub(crate) struct Fogsim {
    pub(crate) program: PathBuf,
}

impl Fogsim {
    pub(crate) fn configuration(experiment: &Experiment, run: Run) -> Result<String, Failure> {
        let Experiment { router, links, traffic, topology, .. } = experiment;
        let Topology::Dragonfly { p, a, h } = topology else {
            return Err(Failure::new("FOGSim has Dragonflies only"));
        };
        require(router.flow_control == "vct", "this flow control")?;
        let (vcs, buffers, latency) = (router.vcs, router.buffer_flits, links.latency);
        let arbiter = match router.priority.as_deref() {
            Some("none") => "LRS",
            _ => "PrioLRS",
        };
        let injection_vc = match traffic.injection_vc.as_deref() {
            Some("random") => "RAND",
            _ => "DEST",
        };
        let mut lines = vec![
            ("P", p.to_string()),
            ("A", a.to_string()),
            ("H", h.to_string()),
            ("WarmupCycles", run.warmup.to_string()),
            ("MaxCycles", run.measured.to_string()),
            ("Probability", format!("{}", (run.load * 100.0).round())),
            ("Seed", "1".to_owned()),
            ("OutputFileName", "result".to_owned()),
            ("Switch", "IOQ_SW".to_owned()),
            ("XbarDelay", "3".to_owned()),
            ("InternalSpeedup", router.speedup.to_string()),
            ("OutQueueLength", router.output_flits.to_string()),
            ("ArbiterIterations", router.iterations.to_string()),
            ("OutputArbiter", arbiter.to_owned()),
            ("VcInjectionPolicy", injection_vc.to_owned()),
            ("InjectionQueueLength", "1000".to_owned()),
            ("LocalQueueLength", buffers.local().to_string()),
            ("GlobalQueueLength", buffers.global().to_string()),
            ("RingInjectionBubble", "1".to_owned()),
            ("LocalLinkTransmissionDelay", latency.local().to_string()),
            ("GlobalLinkTransmissionDelay", latency.global().to_string()),
            ("InjectionDelay", latency.node().to_string()),
            ("PacketSize", traffic.packet_flits.to_string()),
            ("FlitSize", traffic.packet_flits.to_string()),
            ("PalmTreeConfiguration", "1".to_owned()),
            ("InjectionChannels", vcs.node().to_string()),
            ("LocalLinkChannels", vcs.local().to_string()),
            ("GlobalChannels", vcs.global().to_string()),
            ("deadlock_avoidance", "DALLY".to_owned()),
        ];
        lines.extend(pattern(&traffic.pattern));
        lines.extend(routing(experiment)?);
        let lines: String = lines.into_iter().map(|(key, value)| format!("{key}={value}\n")).collect();
        Ok(format!("[CONFIG]\n{lines}"))
    }
}

/// Keys of its files, and their values.
type Lines = Vec<(&'static str, String)>;

fn pattern(pattern: &Pattern) -> Lines {
    let (word, distance) = match pattern {
        Pattern::Uniform => ("UN", None),
        Pattern::Adversarial(distance) => ("ADV_RANDOM_NODE", Some(("AdvTrafficDistance", distance))),
        Pattern::AdversarialLocal(distance) => ("ADV_LOCAL", Some(("AdvTrafficLocalDistance", distance))),
    };
    let distance = distance.map(|(key, distance)| (key, distance.to_string()));
    [("Traffic", word.to_owned())].into_iter().chain(distance).collect()
}

/// Routing, and what decides about its detours.
fn routing(experiment: &Experiment) -> Result<Lines, Failure> {
    let Routing { algorithm, intermediate, policy, nonminimal, knowledge, .. } = &experiment.routing;
    let queue = if experiment.selection.ugal_queue.as_deref() == Some("vc") { "PER_VC" } else { "PER_PORT" };
    let word = match (algorithm.as_str(), intermediate.as_deref(), knowledge.as_deref()) {
        ("minimal", ..) => "MIN",
        ("valiant", Some("node"), _) => "VAL_ANY",
        ("valiant", ..) => "VAL",
        ("olm", ..) => "OLM",
        ("par", ..) => "PAR",
        ("ugal-dragonfly", None | Some("group"), Some("group" | "group-each-cycle")) => "PB",
        _ => return Err(Failure::new(format!("FOGSim has no {algorithm} as this scenario has"))),
    };
    let mut lines = vec![("routing", word.to_owned())];
    match word {
        "PB" => {
            let factor = experiment.routing.piggyback_factor.unwrap_or(2.0) * 100.0;
            let packets = experiment.routing.piggyback_packets.unwrap_or(5);
            lines.push(("CongestionDetection", queue.to_owned()));
            lines.push(("piggybacking_coef", format!("{}", factor.round())));
            lines.push(("ugal_global_threshold", packets.to_string()));
        }
        "OLM" | "PAR" => {
            let policy = policy.as_deref().unwrap_or("MM+L").replace('+', "_");
            let to_neighbours = policy.starts_with("RRG") || policy.starts_with("NRG");
            require(!to_neighbours || nonminimal.as_deref() == Some("free"), "these rules with this policy")?;
            lines.push(("GlobalMisroutingPolicy", policy));
            lines.push(("CongestionDetection", "PER_VC".to_owned()));
            lines.extend(trigger(experiment)?);
        }
        _ => {}
    }
    Ok(lines)
}

fn trigger(experiment: &Experiment) -> Result<Lines, Failure> {
    let selection = &experiment.selection;
    let (word, counts, compares) = match selection.trigger.as_deref() {
        None | Some("occupancy") => ("CGA", false, true),
        Some("contention") => ("CA", true, false),
        Some("hybrid") => ("HYBRID", true, true),
        Some("ectn") => ("CA_REMOTE", true, false),
        Some(other) => return Err(Failure::new(format!("FOGSim has no trigger as {other}"))),
    };
    let mut lines = vec![("MisroutingTrigger", word.to_owned())];
    if counts {
        lines.push(("ContentionThreshold", selection.contention_threshold.unwrap_or(3).to_string()));
    }
    if word == "CA_REMOTE" {
        // It shares counters after so many cycles, whatever its configuration says.
        require(selection.ectn_period.unwrap_or(100) == 100, "this period")?;
        lines.push(("ContentionGlobalThreshold", selection.combined_threshold.unwrap_or(10).to_string()));
    }
    if compares {
        let threshold = selection.relative_threshold.unwrap_or(0.7) * 100.0;
        let threshold = format!("{}", threshold.round());
        lines.push(("PercentLocalThreshold", threshold.clone()));
        lines.push(("PercentGlobalThreshold", threshold));
        lines.push(("ThMin", "0".to_owned()));
        lines.push(("VcMisroutingCongestedRestrictionCoefPercent", "150".to_owned()));
        lines.push(("VcMisroutingCongestedRestrictionThreshold", "5".to_owned()));
    }
    Ok(lines)
}

impl Simulator for Fogsim {
    fn name(&self) -> String {
        "FOGSim".to_owned()
    }

    fn prepare(&self, experiment: &Experiment, run: Run, folder: &Path) -> Result<Job, Failure> {
        told_by(&Self::configuration(experiment, run)?, &self.program, &[], folder)
    }

    /// Of the files that it leaves, one has the sums.
    fn read(&self, output: &str, folder: &Path) -> Result<Reading, Failure> {
        let files = fs::read_dir(folder).map_err(|error| Failure::new(error.to_string()))?;
        let texts = files.filter_map(|file| fs::read_to_string(file.ok()?.path()).ok());
        let text = texts.into_iter().find(|text| text.contains("Accepted Load: "));
        let text = text.ok_or_else(|| Failure::new(format!("no result; it says:\n{output}")))?;
        Ok(Reading {
            cycles: number(&text, "\nCycles: ")? as u64,
            accepted: number(&text, "\nAccepted Load: ")?,
            latency: number(&text, "Average Total Packet Latency: ")?,
            hops: number(&text, "Average Distance: ")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulator::asked::told;
    use super::*;

    #[test]
    fn it_can_be_told_of_its_scenario_and_not_of_others() {
        let text =
            told("peers/fogsim-olm", Fogsim::configuration).unwrap_or_else(|failure| panic!("{failure}"));
        for line in ["[CONFIG]", "H=4", "Probability=50", "GlobalQueueLength=256", "routing=OLM"] {
            assert!(text.lines().any(|found| found == line), "no `{line}` in {text}");
        }
        for name in ["peers/caminos-torus", "peers/booksim-dragonfly"] {
            assert!(told(name, Fogsim::configuration).is_err(), "{name}");
        }
    }
}
