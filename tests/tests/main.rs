//! What crosses crates, as one program: it is linked once, and its tests run beside each other.

mod adaptive_grids;
mod allocation_options;
mod allocator_quality;
mod control;
mod duato;
mod fat_trees;
mod flow_control;
mod graphs;
mod grids;
mod header;
mod indirect;
mod lockstep;
mod mcu;
mod mirror;
mod one_way;
mod parking_lot;
mod prove;
mod rivals;
mod route_search;
mod rtl_duato;
mod rtl_grids;
mod rtl_rivals;
mod rtl_route;
mod rtl_tables;
mod rtl_unit {
    pub(crate) mod bench;
    pub(crate) mod grid;
    pub(crate) mod rival;
    pub(crate) mod table;
}
mod rtl_vl;
mod shapes;
/// The slow half: `cargo xtask test --slow` runs these.
mod slow {
    mod allocators;
    mod boards;
    mod core_search;
    mod cost;
    mod curves;
    mod drb;
    mod drb_infiniband;
    mod extend;
    mod latency_sd;
    mod mesh;
    mod netlist;
    mod olm_search;
    mod python;
    mod rtl_alloc;
    mod rtl_classes;
    mod rtl_contention;
    mod rtl_feasible;
    mod rtl_formal;
    mod rtl_mutation;
    mod rtl_parameters;
    mod rtl_reset;
    mod rtl_select;
    mod saturation;
    mod saturation_policies;
    mod selection_rules;
    mod steady;
}
mod switching;
mod table;
mod ties;
mod transient;
mod trunks;
mod turn_models;
mod turn_search;
mod ugal;
mod up_down_star;
mod vl_arbitration;
mod zero_load;

use std::fs;
use std::path::Path;

#[test]
fn every_file_takes_part() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for (folder, indent) in [("", ""), ("slow", "    ")] {
        let files =
            fs::read_dir(tests.join(folder)).expect("a folder").map(|entry| entry.expect("a file").path());
        let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
        for source in sources.filter(|path| !path.ends_with("main.rs")) {
            let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let line = format!("{indent}mod {name};");
            assert!(include_str!("main.rs").lines().any(|other| other == line), "{name}.rs is in no test");
        }
    }
}
