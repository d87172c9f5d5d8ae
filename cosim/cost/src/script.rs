//! The scripts for Yosys.

use super::part::Part;
use super::target::Target;
use desvio_hdl::PREFIX;
use std::fmt::Write as _;

/// Reads the modules of the router and their hierarchy, without processes.
pub(super) fn elaborate(modules: &[String], parameters: &[(&str, u32)]) -> String {
    format!("{}delete */p:*\nwrite_json modules.json\n", read(modules, parameters))
}

/// Reads the whole router, and leaves it as one module `unit` of words and memories.
pub(super) fn flatten(modules: &[String], parameters: &[(&str, u32)]) -> String {
    format!(
        "{}proc\nflatten\nopt_clean\nrename dsv_router unit\nwrite_rtlil before.il\n",
        read(modules, parameters)
    )
}

fn read(modules: &[String], parameters: &[(&str, u32)]) -> String {
    let files: String = modules.iter().map(|name| format!(" {name}.sv")).collect();
    let set: String = parameters.iter().map(|(key, value)| format!(" -set {key} {value}")).collect();
    let set = if set.is_empty() { String::new() } else { format!("chparam{set} dsv_router\n") };
    format!("read_verilog -sv{files}\n{set}hierarchy -check -top dsv_router\n")
}

/// Synthesises one part for a target.
pub(super) fn synthesise(part: &Part, target: &Target) -> String {
    let mut script = begin(part);
    let _ = match target {
        Target::Cells => writeln!(script, "{CELLS}"),
        Target::Ice40 => writeln!(script, "write_rtlil before.il\nsynth_ice40 -top unit"),
        Target::Ecp5 => writeln!(script, "synth_ecp5 -nowidelut -top unit"),
        Target::Liberty(_) => writeln!(script, "{LIBERTY}"),
    };
    script.push_str("select unit\nwrite_rtlil -selected netlist.il\nselect -clear\n");
    for module in &part.without {
        let _ = writeln!(script, "delete unit/t:{}", pattern(module));
    }
    script.push_str("select unit\ntee -q -o cells.json stat -json\n");
    let _ = match target {
        Target::Cells => writeln!(script, "tee -q -o depth.txt ltp -noff"),
        Target::Liberty(_) => writeln!(script, "tee -o area.txt stat -liberty library.lib"),
        Target::Ice40 | Target::Ecp5 => Ok(()),
    };
    script
}

/// Up to the netlist of words, without memories: their pins become ports.
fn begin(part: &Part) -> String {
    let files: String = part.sources.iter().map(|name| format!(" {name}.sv")).collect();
    let set: String = part.parameters.iter().map(|(key, value)| format!(" -set {key} {value}")).collect();
    let mut script = format!("read_verilog -sv pkg.sv{files}\n");
    if !set.is_empty() {
        let _ = writeln!(script, "chparam{set} {PREFIX}{}", part.module);
    }
    let _ = writeln!(script, "hierarchy -check -top {PREFIX}{}\nrename -top unit", part.module);
    for module in &part.without {
        let _ = writeln!(script, "blackbox {}", pattern(module));
    }
    script.push_str("synth -flatten -run coarse:fine\n");
    script.push_str("tee -q -o memories.txt dump t:$mem_v2\nexpose -evert t:$mem_v2\n");
    script
}

/// All elaborated modules of a source module. Those without parameters keep their name.
fn pattern(module: &str) -> String {
    if module == "lfsr" { format!("{PREFIX}{module}") } else { format!("*\\\\{PREFIX}{module}") }
}

const CELLS: &str = "synth -run fine:\nabc -g AND,NAND,OR,NOR,XOR,XNOR,MUX\nopt_clean";

/// No constraint is met, no wire is known: the area and delay of the fastest mapping of the library.
const LIBERTY: &str = "read_liberty -lib library.lib\nsynth -run fine:\ndfflibmap -liberty library.lib\n\
    abc -liberty library.lib -script +strash;dch,-f;map;topo;buffer,-p,-N,16;upsize;dnsize;stime,-p\nopt_clean";

/// Puts the netlists of all parts together, takes away what no output and no memory depends on, looks for the longest path, and counts
/// the cells that are left of each of `parts` parts. If `shared`, equal cells with equal inputs become one first.
pub(super) fn compose(parts: usize, shared: bool) -> String {
    let share = if shared { "opt_expr\nopt_merge\n" } else { "" };
    format!("{COMPOSE}{share}opt_clean -purge\ntee -q -o depth.txt ltp -noff\n{}", count_live(parts))
}

/// Puts the netlists of all parts together, of a library's cells, whose paths are not Yosys' to walk.
pub(super) fn compose_standard_cells(parts: usize) -> String {
    let write = "write_blif -gates -attr router.blif";
    format!("read_liberty -lib library.lib\n{COMPOSE}opt_clean -purge\n{write}\n{}", count_live(parts))
}

/// Writes the netlists of all parts together as Verilog, with the memories, without looking for paths. A wire of several bits becomes as
/// many wires: a simulator that takes it as one would see circles where there are none.
pub(super) fn compose_verilog() -> String {
    let count = "tee -q -o cells.json stat -json a:part";
    format!(
        "{COMPOSE}opt_clean -purge\n{count}\nsetattr -unset keep w:*\nsplitnets\nwrite_verilog -noattr router.v\n"
    )
}

fn count_live(parts: usize) -> String {
    (0..parts).map(|n| format!("tee -q -o live-{n}.json stat -json a:part={n}\n")).collect()
}

const COMPOSE: &str = "read_rtlil parts.il\nhierarchy -check -top dsv_router\n\
    setattr -set keep 1 w:*.WR_EN w:*.WR_ADDR w:*.WR_DATA w:*.RD_ADDR w:*.RD_EN\n\
    flatten\n";
