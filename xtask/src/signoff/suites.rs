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
pub(crate) const SUITES: [Suite; 13] = [
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
    // Those that are left to every run are small, so that they compile soon, and have one of each: the routings of Dragonflies, of grids and of
    // tables, both kinds of switching, what groups tell, places that VCs share, a pipeline of six.
    Suite {
        name: "routers",
        tests: of_all(&[
            "lockstep::always_free_store_and_forward",
            "lockstep::always_one_output",
            "lockstep::average_of_cycles_before",
            "lockstep::average_on_arrival_at_speed_1",
            "lockstep::contention_wormhole_output_first",
            "lockstep::duato_on_a_mesh",
            "lockstep::forwarding_tables",
            "lockstep::hybrid_any_router_deep_buffers",
            "lockstep::occupancy",
            "lockstep::odd_even_on_a_mesh",
            "lockstep::par_hybrid_descending_wavefront",
            "lockstep::piggybacking_each_cycle",
            "lockstep::radix_15",
            "lockstep::rlm_ectn_wormhole",
            "lockstep::source_on_a_torus",
            "lockstep::the_petersen_graph_by_intervals_and_by_a_table",
            "lockstep::turn_model_on_a_mesh",
            "lockstep::ugal_by_group",
        ]),
        records: &[
            "cases-always-free-store-and-forward.toml",
            "cases-always-one-output.toml",
            "cases-average-of-cycles-before.toml",
            "cases-average-on-arrival-at-speed-1.toml",
            "cases-contention-wormhole-output-first.toml",
            "cases-duato-on-a-mesh.toml",
            "cases-forwarding-tables.toml",
            "cases-hybrid-any-router-deep-buffers.toml",
            "cases-occupancy.toml",
            "cases-odd-even-on-a-mesh.toml",
            "cases-par-hybrid-descending-wavefront.toml",
            "cases-piggybacking-each-cycle.toml",
            "cases-radix-15.toml",
            "cases-rlm-ectn-wormhole.toml",
            "cases-source-on-a-torus.toml",
            "cases-turn-model-on-a-mesh.toml",
            "cases-ugal-by-group.toml",
        ],
        reads: &[SIMULATOR, LOCKSTEP, &["tests/tests/lockstep.rs"]],
    },
    Suite {
        name: "control",
        tests: of_all(&[
            "control::a_table_changes_under_traffic",
            "control::counters_are_those_of_the_router",
            "control::defects::",
            "control::every_register_is_as_described",
            "control::programmed_over_spi_it_is_the_model",
            "control::staged::",
        ]),
        records: &[],
        reads: &[
            SIMULATOR,
            LOCKSTEP,
            &["driver/Cargo.toml", "driver/src/", "examples/infiniband/", "tests/tests/control"],
        ],
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
            "mcu::a_risc_v_stays_in_lockstep_with_the_whole_core",
            "mcu::the_odd_one_out_is_named",
            "mcu::what_a_program_leaves_out_is_refused",
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
        name: LINT,
        tests: NO_TESTS,
        records: &[],
        reads: &[&["hdl/", "router-core/src/layout", "xtask/src/lint.rs"]],
    },
    Suite {
        name: GUESTS,
        tests: of_all(&["extend::"]),
        records: &[],
        reads: &[
            SIMULATOR,
            &[
                "router-core/",
                "cosim/paths/",
                "cosim/sim/",
                "docs/extend.md",
                // Beside them a lock is written.
                "examples/own-crate/Cargo.toml",
                "examples/own-crate/src/",
                "tests/tests/extend",
                "xtask/src/own_crate.rs",
            ],
        ],
    },
    Suite {
        name: "figures",
        tests: of_all(&[
            "saturation::",
            "saturation_policies::",
            "steady::",
            "curves::",
            "grids::saturation_is_close_to_the_bound",
            "flow_control::latencies_are_in_order",
            "flow_control::no_deadlock_",
            "drb::",
            "duato::no_deadlock_under_stress",
            "indirect::ten_permutations_accept_what_the_page_says",
            "mirror::descending_mirrors_ascending",
            "graphs::dragonflies_of_other_shapes",
            "drb_infiniband::",
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
                "tests/tests/flow_control",
                "tests/tests/mirror",
                "tests/tests/graphs",
                "tests/tests/drb",
                "tests/tests/duato",
                "tests/tests/indirect",
                "docs/shapes.md",
                "tests/tests/snapshots/",
            ],
        ],
    },
    // Lockstep, networks with RTL, foreign switches and examples of the help, each of which every run has another one of.
    Suite {
        name: "commands",
        tests: Tests {
            binary: COMMANDS,
            names: &[
                "conform::ahead::",
                "conform::allowed::assertions_that_are_allowed_to_fail_are_counted",
                "conform::allowed::the_run_goes_on_behind_what_is_allowed",
                "conform::covered::",
                "conform::defects::",
                "conform::example::a_fixed_priority_among_three_ports_is_found_by_default",
                "conform::example::a_mesh_whose_ports_are_counted_in_another_order",
                "conform::example::numbered_credits_and_flags_beside_the_flit",
                "conform::example::the_example_conforms_at_every_router",
                "conform::example::valid_and_ready_with_a_signal_for_each_port",
                "conform::example::the_switch_of_this_repository_conforms",
                "conform::reach::verilog_that_reaches_out_is_refused_where_it_does",
                "help::the_examples_of_compare_run",
                "help::the_examples_of_fabric_run",
                "help::the_examples_of_run_run",
                "lifetimes::lifetimes_are_in_lockstep",
                "lifetimes::packets_grow_old_in_a_switch",
                "link_credits::routers_in_systemverilog_have_the_same_links",
                "lockstep::a_broken_forwarding_table_is_in_lockstep",
                "lockstep::a_difference_ends_with_status_1_and_a_stimulus_that_shows_it_again",
                "lockstep::a_network_with_rtl_gives_the_results_of_one_without",
                "lockstep::a_soak_that_was_interrupted_goes_on_and_adds_up",
                "lockstep::replies_and_a_link_that_goes_down_are_the_same_with_rtl",
                "lockstep::width_and_place_are_replayed",
                "prepared::a_home_with_a_space_in_its_name_has_caches",
                "survey::every_network_has_a_row_and_a_place_in_the_picture",
            ],
        },
        records: &[],
        reads: &[
            SIMULATOR,
            LOCKSTEP,
            &[
                "driver/Cargo.toml",
                "driver/src/",
                "cosim/campaign/Cargo.toml",
                "cosim/campaign/build.rs",
                "cosim/campaign/src/",
                "cosim/cost/Cargo.toml",
                "cosim/cost/src/",
                "cosim/desvio/Cargo.toml",
                "cosim/desvio/src/",
                "cosim/desvio/tests/",
                "cosim/fabric/Cargo.toml",
                "cosim/fabric/src/",
                "cosim/manager/Cargo.toml",
                "cosim/manager/src/",
                "cosim/prove/Cargo.toml",
                "cosim/prove/src/",
                "cosim/report/Cargo.toml",
                "cosim/report/src/",
                "examples/foreign-switch/",
                "examples/infiniband/",
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
