//! The networks whose speed is watched: how fast, against what. `README.md` beside this holds the table.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;

/// A network to measure: a name, and its scenario.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// The name in the table.
    pub name: &'static str,
    /// The offered load, in flits per node and cycle.
    pub load: f64,
    /// Simulated link cycles of a run that is timed.
    pub cycles: u64,
    /// Simulated link cycles of a run whose instructions are counted, which takes fifty times as long.
    pub counted: u64,
    /// What that run measures, in every build on every machine: packets, and their mean latency in cycles.
    measured: (u64, f64),
    scenario: &'static str,
}

/// The networks that peers are compared on: those of the table in `README.md`.
pub const SUBJECTS: [Subject; 5] = [
    Subject {
        name: "dragonfly-1056-minimal-uniform-0.5",
        load: 0.5,
        cycles: 1000,
        counted: 600,
        measured: (29728, 147.403_390_742_734_13),
        scenario: "topology = { kind = \"dragonfly\", p = 4, a = 8, h = 4 }\nrouting.algorithm = \"minimal\"\n",
    },
    Subject {
        name: "dragonfly-72-olm-uniform-0.5",
        load: 0.5,
        cycles: 5000,
        counted: 2000,
        measured: (8341, 135.377_173_000_839_24),
        scenario: "topology = { kind = \"dragonfly\", p = 2, a = 4, h = 2 }\nrouting.algorithm = \"olm\"\n",
    },
    Subject {
        name: "torus-8x8-uniform-0.3",
        load: 0.3,
        cycles: 5000,
        counted: 2000,
        measured: (4654, 31.797_163_730_124_623),
        scenario: "topology = { kind = \"torus\", dims = [8, 8] }\n",
    },
    Subject {
        name: "torus-8x8-one-flit-0.3",
        load: 0.3,
        cycles: 5000,
        counted: 500,
        measured: (9189, 16.751_006_638_371_965),
        scenario: "topology = { kind = \"torus\", dims = [8, 8] }\ntraffic.packet_flits = 1\n",
    },
    Subject {
        name: "torus-8x8-32-flits-0.1",
        load: 0.1,
        cycles: 5000,
        counted: 2000,
        measured: (406, 58.268_472_906_403_94),
        scenario: "topology = { kind = \"torus\", dims = [8, 8] }\nrouter.buffer_flits = 32\ntraffic.packet_flits = 32\n",
    },
];

impl Subject {
    /// Its network, to be run for that many cycles from an empty start.
    ///
    /// # Panics
    /// When the scenario does not build, which is a mistake in this file.
    pub fn blueprint(&self, cycles: u64) -> Blueprint {
        let text = format!(
            "{}traffic.loads = [{}]\nrun.warmup_cycles = 0\nrun.measure_cycles = {}\n",
            self.scenario, self.load, cycles
        );
        let scenario = Scenario::parse(&text, self.name, std::path::Path::new("."), &[]);
        match scenario.map(Blueprint::new) {
            Ok(Ok(blueprint)) => blueprint,
            Ok(Err(error)) => panic!("{}: {error}", self.name),
            Err(error) => panic!("{}: {error}", self.name),
        }
    }

    /// The run whose instructions are counted.
    ///
    /// # Errors
    /// When it does not come to its end, or measures something else than it is known to.
    pub fn run(&self) -> Result<(), String> {
        let outcome = run(&self.blueprint(self.counted), self.load, &|_| ())
            .map_err(|error| format!("{}: {error}", self.name))?;
        if let Some(violation) = outcome.violation {
            return Err(format!("{}: {violation}", self.name));
        }
        let found = (outcome.summary.packets_measured, outcome.summary.latency_mean);
        if found == self.measured {
            return Ok(());
        }
        Err(format!("{}: packets and mean latency are {found:?}, known are {:?}", self.name, self.measured))
    }
}

#[cfg(test)]
mod tests {
    /// `cargo xtask instructions` runs the same in an optimised build without debug assertions.
    #[test]
    fn every_build_measures_the_same() {
        let wrong: Vec<_> = super::SUBJECTS.iter().filter_map(|subject| subject.run().err()).collect();
        assert_eq!(wrong, [""; 0]);
    }
}
