//! The suites: of each its tests, what they record and what they read.

/// Tests that take long, or something else that does.
#[derive(Debug)]
pub(crate) struct Suite {
    /// What its file is called.
    pub(crate) name: &'static str,
    /// The tests, all of one binary.
    pub(crate) tests: Tests,
    /// What they record for `docs/signoff.md`: the names of the files.
    pub(crate) records: &'static [&'static str],
    /// The files that they read, by how their paths begin.
    pub(crate) reads: &'static [&'static [&'static str]],
}

/// Tests of one binary.
#[derive(Debug)]
pub(crate) struct Tests {
    /// The name of its target: no other binary of the workspace is called so.
    pub(crate) binary: &'static str,
    /// How the tests' names begin.
    pub(crate) names: &'static [&'static str],
}

/// The binary of what crosses crates, and that of the command line.
pub(crate) const ALL: &str = "all";
pub(crate) const COMMANDS: &str = "cli";

const fn of_all(names: &'static [&'static str]) -> Tests {
    Tests { binary: ALL, names }
}

const NO_TESTS: Tests = of_all(&[]);

/// The firmware on the boards but the first, and the events of all of them.
pub(crate) const BOARDS: &str = "boards";
/// Instructions of the engine, counted.
pub(crate) const INSTRUCTIONS: &str = "instructions";
/// The RTL as Verilator's lint and Yosys read it.
pub(crate) const LINT: &str = "lint";
/// What others add: the page about it, and the example outside the workspace.
pub(crate) const GUESTS: &str = "guests";

/// The simulator.
const SIMULATOR: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "router-core/Cargo.toml",
    "router-core/src/",
    "sma/Cargo.toml",
    "sma/src/",
    "cosim/paths/Cargo.toml",
    "cosim/paths/src/",
    "cosim/sim/Cargo.toml",
    "cosim/sim/src/",
];
/// What it takes to run RTL and model side by side, besides the simulator, and what tests of it have in common.
const LOCKSTEP: &[&str] = &[
    "hdl/",
    "firmware/tether/Cargo.toml",
    "firmware/tether/src/",
    "cosim/lockstep/Cargo.toml",
    "cosim/lockstep/src/",
    "cosim/verilated/Cargo.toml",
    "cosim/verilated/src/",
    "tests/Cargo.toml",
    "tests/src/",
    "scenarios/",
];
/// Units of the RTL by themselves.
const UNITS: &[&str] = &["tests/tests/rtl_"];

/// All of them.
pub(crate) const SUITES: [Suite; 8] = [
    Suite {
        name: "mutants",
        tests: of_all(&["rtl_mutation::slips_are_found"]),
        records: &["mutants.toml"],
        reads: &[SIMULATOR, LOCKSTEP, UNITS],
    },
    Suite {
        name: "proofs",
        tests: of_all(&[
            "rtl_formal::properties_hold_for_ever",
            "rtl_formal::planted_defects_break_the_proofs",
        ]),
        records: &["proofs.toml"],
        reads: &[&["hdl/", "tests/src/", "tests/tests/rtl_formal"]],
    },
    Suite {
        name: "searches",
        tests: of_all(&["rtl_alloc::", "olm_search::", "core_search::", "allocators::"]),
        records: &["searches.toml"],
        reads: &[
            SIMULATOR,
            LOCKSTEP,
            UNITS,
            &["tests/tests/olm_search", "tests/tests/core_search", "tests/tests/allocators"],
        ],
    },
    Suite {
        name: "units",
        tests: of_all(&[
            "rtl_classes::",
            "rtl_contention::",
            "rtl_feasible::",
            "rtl_parameters::",
            "rtl_reset::",
            "rtl_route::",
            "rtl_select::",
        ]),
        records: &[],
        reads: &[SIMULATOR, LOCKSTEP, UNITS],
    },
    Suite {
        name: "gates",
        tests: of_all(&["cost::", "netlist::"]),
        records: &[],
        reads: &[
            SIMULATOR,
            LOCKSTEP,
            &[
                "cosim/cost/Cargo.toml",
                "cosim/cost/src/",
                "cosim/report/Cargo.toml",
                "cosim/report/src/",
                "tests/tests/cost",
                "tests/tests/netlist",
            ],
        ],
    },
    Suite {
        name: BOARDS,
        tests: of_all(&[
            "mcu::a_cortex_m0_stays_in_lockstep",
            "mcu::a_risc_v_stays_in_lockstep",
            "mcu::a_router_that_is_too_large_is_refused",
        ]),
        records: &[],
        reads: &[
            SIMULATOR,
            LOCKSTEP,
            &["firmware/", "router-core/", "tests/tests/mcu.rs", "xtask/src/firmware"],
        ],
    },
    Suite {
        name: INSTRUCTIONS,
        tests: NO_TESTS,
        records: &[],
        reads: &[SIMULATOR, &["benches/", "router-core/", "xtask/src/instructions.rs"]],
    },
    Suite {
        name: "figures",
        tests: of_all(&[
            "saturation::",
            "saturation_policies::",
            "steady::",
            "curves::",
            "grids::saturation_is_close_to_the_bound",
        ]),
        records: &[],
        reads: &[
            SIMULATOR,
            &[
                "scenarios/",
                "tests/Cargo.toml",
                "tests/src/",
                "tests/tests/saturation",
                "tests/tests/steady",
                "tests/tests/curves",
                "tests/tests/grids",
                "tests/tests/snapshots/",
            ],
        ],
    },
];

impl Suite {
    /// Its tests, of all that a binary has.
    ///
    /// # Errors
    /// A name that is that of none.
    pub(crate) fn tests_among<'n>(&self, all: &'n [String]) -> Result<Vec<&'n str>, &'static str> {
        let mut found = Vec::new();
        for name in self.tests.names {
            let before = found.len();
            found.extend(all.iter().map(String::as_str).filter(|test| test.starts_with(name)));
            if found.len() == before {
                return Err(name);
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
