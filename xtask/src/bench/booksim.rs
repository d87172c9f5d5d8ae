//! BookSim 2: a simulator of input-queued routers, flit by flit.

use super::experiment::{Experiment, Pattern, Topology};
use super::simulator::{Reading, Run, Simulator, number, require, told_by};
use super::timed::Job;
use crate::step::Failure;
use std::path::{Path, PathBuf};

/// Built by the user.
#[derive(Debug)]
pub(crate) struct BookSim {
    pub(crate) program: PathBuf,
}

impl BookSim {
    pub(crate) fn configuration(experiment: &Experiment, run: Run) -> Result<String, Failure> {
        let Experiment { router, routing, links, traffic, topology, .. } = experiment;
        require(router.flow_control == "wormhole", "this flow control")?;
        require(traffic.pattern == Pattern::Uniform, "this pattern")?;
        let (kind, k, n, function) = match topology {
            Topology::Dragonfly { p, a, h } => {
                let latency = (links.latency.local(), links.latency.global());
                // Its Dragonfly has these, whatever its configuration says.
                require(*a == 2 * h && p == h && latency == (10, 100), "this Dragonfly")?;
                require(routing.algorithm == "minimal", "this routing")?;
                ("dragonflynew", *h, 1, "min")
            }
            Topology::Torus { dims, nodes_per_router } => {
                let &[k, .., last] = dims.as_slice() else { return Err(Failure::new("one dimension")) };
                let is_cube = k == last && *nodes_per_router == 1 && links.latency.local() == 1;
                require(is_cube && routing.algorithm == "dimension-order", "this torus")?;
                ("torus", k, dims.len(), "dim_order")
            }
        };
        let lines = [
            ("topology", kind.to_owned()),
            ("k", k.to_string()),
            ("n", n.to_string()),
            ("routing_function", function.to_owned()),
            // Otherwise it lengthens the torus' links as on a chip.
            ("use_noc_latency", "0".to_owned()),
            ("num_vcs", router.vcs.same("router.vcs")?.to_string()),
            ("vc_buf_size", router.buffer_flits.same("router.buffer_flits")?.to_string()),
            ("internal_speedup", format!("{}.0", router.speedup)),
            ("alloc_iters", router.iterations.to_string()),
            ("vc_allocator", "separable_input_first".to_owned()),
            ("sw_allocator", "separable_input_first".to_owned()),
            ("routing_delay", "0".to_owned()),
            ("traffic", "uniform".to_owned()),
            ("injection_process", "bernoulli".to_owned()),
            ("injection_rate_uses_flits", "1".to_owned()),
            ("injection_rate", format!("{:?}", run.load)),
            ("packet_size", traffic.packet_flits.to_string()),
            // A fixed number of cycles: `warmup_periods` of them, then one sample.
            ("sim_type", "throughput".to_owned()),
            ("warmup_periods", "1".to_owned()),
            ("sample_period", run.measured.to_string()),
            ("max_samples", "2".to_owned()),
            ("acc_stopping_thres", "1e9".to_owned()),
            ("seed", "1".to_owned()),
        ];
        Ok(lines.map(|(key, value)| format!("{key} = {value};\n")).concat())
    }
}

impl Simulator for BookSim {
    fn name(&self) -> String {
        "BookSim 2".to_owned()
    }

    fn prepare(&self, experiment: &Experiment, run: Run, folder: &Path) -> Result<Job, Failure> {
        // Its `main` returns -1 when all went well.
        let job = told_by(&Self::configuration(experiment, run)?, &self.program, &[], folder)?;
        Ok(Job { status: 255, ..job })
    }

    fn read(&self, output: &str, _folder: &Path) -> Result<Reading, Failure> {
        Ok(Reading {
            cycles: number(output, "Time taken is ")? as u64,
            accepted: number(output, "Accepted flit rate average = ")?,
            latency: number(output, "Packet latency average = ")?,
            // It counts routers.
            hops: number(output, "Hops average = ")? - 1.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulator::asked::told;
    use super::*;

    #[test]
    fn it_can_be_told_of_its_scenarios_and_not_of_others() {
        let own =
            [("peers/booksim-dragonfly", "internal_speedup = 2.0;"), ("peers/booksim-torus", "num_vcs = 4;")];
        for (name, line) in own {
            let text = told(name, BookSim::configuration).unwrap_or_else(|failure| panic!("{failure}"));
            assert!(text.contains(line) && text.contains("injection_rate = 0.5;"), "{text}");
        }
        for name in ["peers/caminos-dragonfly", "peers/fogsim-olm"] {
            assert!(told(name, BookSim::configuration).is_err(), "{name}");
        }
    }

    #[test]
    fn its_report_is_understood() {
        let report = "Packet latency average = 31.5 (1 samples)\nAccepted flit rate average = 0.3 (1 samples)\n\
                      Hops average = 5.0625 (1 samples)\nTime taken is 3000 cycles\n";
        let booksim = BookSim { program: PathBuf::new() };
        let reading = booksim.read(report, Path::new(".")).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(reading, Reading { cycles: 3000, accepted: 0.3, latency: 31.5, hops: 4.0625 });
    }
}
