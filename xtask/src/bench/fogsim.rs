//! FOGSim: the simulator of OLM's authors, phit by phit.

use super::experiment::{Experiment, Topology};
use super::simulator::{Reading, Run, Simulator, number, require, told_by};
use super::timed::Job;
use crate::step::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// Built by the user.
#[derive(Debug)]
pub(super) struct Fogsim {
    pub(super) program: PathBuf,
}

impl Fogsim {
    fn configuration(experiment: &Experiment, run: Run) -> Result<String, Failure> {
        let Experiment { router, routing, links, traffic, topology, .. } = experiment;
        let Topology::Dragonfly { p, a, h } = topology else {
            return Err(Failure::new("FOGSim has Dragonflies only"));
        };
        require(router.flow_control == "vct" && routing.algorithm == "olm", "this flow control or routing")?;
        let (vcs, buffers, latency) = (router.vcs, router.buffer_flits, links.latency);
        let lines = [
            ("P", p.to_string()),
            ("A", a.to_string()),
            ("H", h.to_string()),
            // It warms up as long as it measures.
            ("MaxCycles", run.measured.to_string()),
            ("Probability", format!("{}", (run.load * 100.0).round())),
            ("Seed", "1".to_owned()),
            ("OutputFileName", "result".to_owned()),
            ("Switch", "IOQ_SW".to_owned()),
            ("XbarDelay", "3".to_owned()),
            ("InternalSpeedup", router.speedup.to_string()),
            ("OutQueueLength", router.output_flits.to_string()),
            ("ArbiterIterations", router.iterations.to_string()),
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
            ("Traffic", "UN".to_owned()),
            ("deadlock_avoidance", "DALLY".to_owned()),
            ("routing", "OLM".to_owned()),
            ("GlobalMisroutingPolicy", "MM_L".to_owned()),
            ("MisroutingTrigger", "CGA".to_owned()),
            ("PercentLocalThreshold", "70".to_owned()),
            ("PercentGlobalThreshold", "70".to_owned()),
            ("ThMin", "0".to_owned()),
            ("VcMisroutingCongestedRestrictionCoefPercent", "150".to_owned()),
            ("VcMisroutingCongestedRestrictionThreshold", "5".to_owned()),
        ];
        Ok(format!("[CONFIG]\n{}", lines.map(|(key, value)| format!("{key}={value}\n")).concat()))
    }
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
            accepted: number(&text, "Accepted Load: ")?,
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
