//! Mutants that neither lockstep nor a bench of this suite finds: the tests of their stage alone, run against the RTL with the
//! mutant in it.

use super::schema::{Modules, with_one};
use super::site::Site;
use desvio_tests::rtl::{HDL, copy, source};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Beginnings of modules' names, and the tests that compare such a stage with Rust.
const TESTS: [(&str, &str); 42] = [
    // The cheap one first.
    ("allocator", "rtl_alloc::allocators_agree_for_every_request_of_three_ports"),
    ("separable", "rtl_alloc::allocators_agree_for_every_request_of_three_ports"),
    ("allocator", "rtl_alloc::"),
    ("arbiter", "rtl_alloc::"),
    ("contention", "rtl_contention::"),
    ("dragonfly", "rtl_route::"),
    ("draw", "rtl_select::"),
    ("drawn_hop", "rtl_tables::"),
    ("feasible", "rtl_feasible::"),
    ("grid", "rtl_duato::"),
    ("grid", "rtl_grids::"),
    ("route_dimension_order", "rtl_grids::"),
    ("hop_vcs", "rtl_tables::"),
    ("interval_lookup", "rtl_tables::"),
    ("route_odd_even", "rtl_grids::"),
    ("route_source", "rtl_tables::"),
    ("route_table", "rtl_tables::"),
    ("table_lookup", "rtl_tables::"),
    ("route_turn_model", "rtl_grids::"),
    ("occupancy", "lockstep::occupancy"),
    ("one_arbiter", "rtl_alloc::"),
    ("output_arbiter", "rtl_alloc::"),
    ("route", "rtl_route::"),
    ("parity_sign", "rtl_rivals::"),
    ("via_ahead", "rtl_rivals::"),
    ("route_duato", "rtl_duato::"),
    ("route_valiant", "rtl_rivals::"),
    ("select", "rtl_select::"),
    ("shares", "lockstep::occupancy"),
    // Thresholds change while the router runs only where software sets them.
    ("occupancy", "control::triggers_and_thresholds_change_under_traffic"),
    ("shares", "control::triggers_and_thresholds_change_under_traffic"),
    ("separable", "rtl_alloc::"),
    ("trigger_occupancy", "rtl_select::"),
    ("trigger_ugal", "rtl_select::"),
    ("wavefront", "rtl_alloc::"),
    ("vl_", "rtl_vl::"),
    ("output_arbiter", "rtl_vl::"),
    ("allocator", "rtl_vl::"),
    // The only router in which it has packets that ask for several outputs.
    ("separable_input_first", "lockstep::always_free_store_and_forward"),
    // Several routers of a group are heard at once.
    ("notices", "lockstep::rlm_ectn_wormhole"),
    ("flags", "lockstep::piggybacking"),
    ("contended_links", "lockstep::piggybacking_each_cycle"),
];

/// What a slip leaves over, or cuts off, is no error of a mutant.
const LENIENT: &str = "/* verilator lint_off UNUSED */ /* verilator lint_off UNDRIVEN */ /* verilator lint_off WIDTH */ \
                       /* verilator lint_off CMPCONST */\n";

/// How often a test is run that ends as no comparison does: on a busy machine, a compiler or the test itself may be killed.
const TRIES: usize = 2;

/// The test that finds the mutant, and what it says.
pub(crate) fn hunt(modules: &Modules, site: &Site) -> Option<String> {
    TESTS.iter().filter(|(module, _)| site.module.starts_with(module)).find_map(|(_, tests)| {
        let folder = tempfile::tempdir().expect("a folder");
        copy(folder.path());
        let text = with_one(&modules[&site.module], site);
        fs::write(source(folder.path(), &site.module), format!("{LENIENT}{text}")).expect("a module");
        (0..TRIES).find_map(|_| outcome(tests, folder.path())).flatten().map(|said| format!("{tests} {said}"))
    })
}

/// Where the tests differ, or that they do not; nothing when they did not come to compare.
fn outcome(tests: &str, hdl: &Path) -> Option<Option<String>> {
    let mut program = Command::new(std::env::current_exe().expect("this program"));
    let output = program.arg(tests).env(HDL, hdl).output().expect("this program runs again");
    if output.status.success() {
        return Some(None);
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    // A mutant that does not compile is found by nothing that runs.
    let failures = ["%Error", "%Warning", "fatal error: "];
    if failures.iter().any(|failure| said.contains(failure) || stderr.contains(failure)) {
        return None;
    }
    let mut lines = said.lines().skip_while(|line| !line.contains("panicked at"));
    let place = lines.next()?;
    Some(Some(format!("{place} {}", lines.next().unwrap_or_default())))
}
