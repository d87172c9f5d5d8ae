//! Mutants that change nothing, with a proof by Yosys that they do not.

use super::schema::{Modules, with_one};
use super::site::Site;
use desvio_tests::rtl::source;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a proof gave.
pub(crate) enum Verdict {
    /// The mutant is the same circuit: why, in a sentence.
    Equivalent(String),
    /// There is no claim that it is equivalent, or the proof fails.
    Open,
}

/// A mutant of which it is claimed that it is the same circuit.
struct Claim {
    module: &'static str,
    /// The line with the mutant in it.
    after: &'static str,
    because: &'static str,
    /// The module of which it is proven, and all that are inside of it.
    circuit: &'static [&'static str],
    /// Its parameters, as in a configuration that was tried.
    parameters: &'static [(&'static str, u32)],
    /// What the rest of the router sees to, in SystemVerilog. Without registers.
    assuming: Option<&'static str>,
}

/// A small selection, by either trigger.
const SELECT: &[(&str, u32)] = &[
    ("NODES", 1),
    ("LOCALS", 1),
    ("GLOBALS", 1),
    ("VCS", 3),
    ("NODE_VCS", 3),
    ("LOCAL_VCS", 3),
    ("GLOBAL_VCS", 2),
    ("NODE_FLITS", 7),
    ("LOCAL_FLITS", 6),
    ("GLOBAL_FLITS", 9),
    ("CREDIT_W", 4),
    ("SUM_W", 4),
    ("GLOBAL_COUNT_W", 1),
    ("TRIGGER", 4),
];

const CLAIMS: &[Claim] = &[
    Claim {
        module: "allocator",
        after: "assign choices = '1;",
        because: "a wavefront has no use for choices",
        circuit: &["allocator", "arbiter_pick", "arbiter_state", "wavefront"],
        parameters: &[("PORTS", 3), ("VCS", 3), ("ALLOCATOR", 2), ("ARBITER", 1)],
        assuming: None,
    },
    Claim {
        module: "occupancy",
        after: "if (wired[0]) sum = sum + SUM_W'(used[(p*VCS+v)*CREDIT_W +: CREDIT_W]);",
        because: "an unconnected port has nothing in use, so that it adds nothing; port 0 is connected in all networks",
        circuit: &["occupancy"],
        parameters: &[
            ("NODES", 1),
            ("LOCALS", 1),
            ("GLOBALS", 2),
            ("VCS", 3),
            ("GLOBAL_VCS", 2),
            ("GLOBAL_FLITS", 9),
            ("CREDIT_W", 4),
            ("SUM_W", 5),
            ("GLOBAL_COUNT_W", 2),
        ],
        assuming: Some(
            "always_comb begin
               assume (wired[0]);
               for (int n = 0; n < PORTS * VCS; n++)
                 if (!wired[n / VCS]) assume (used[n*CREDIT_W +: CREDIT_W] == '0);
             end",
        ),
    },
    Claim {
        module: "trigger_occupancy",
        after: "floor_flits = SHARE_W'(thresholds.minimal_occupancy) * SHARE_W'(NODE_FLITS) << 15;",
        because: "there is no way round a node's port: who is counted there has no detours",
        circuit: &["select", "set_at", "trigger_occupancy", "draw"],
        parameters: SELECT,
        assuming: Some("always_comb assume (minimal >> NODES != '0 || (global_ports | local_ports) == '0);"),
    },
    Claim {
        module: "trigger_occupancy",
        after: "|| length >> CREDIT_W != '0;",
        because: "a packet longer than any buffer has no way to a detour: misroutes need room for all of it",
        circuit: &["select", "set_at", "trigger_occupancy", "draw"],
        parameters: SELECT,
        assuming: Some(
            "always_comb begin
               assume ((open & ~minimal_ports) == '0 || length >> CREDIT_W == '0);
               assume (((global_ports | local_ports) & minimal_ports) == '0);
             end",
        ),
    },
];

/// Proves that a mutant is the same circuit as the original, if [`CLAIMS`] has a claim for it.
pub(crate) fn prove(hdl: &Path, modules: &Modules, site: &Site) -> Verdict {
    let Some(claim) = CLAIMS.iter().find(|claim| claim.module == site.module && claim.after == site.after)
    else {
        return Verdict::Open;
    };
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["gold", "gate"] {
        let files = claim.circuit.iter().map(|&module| {
            let is_mutant = name == "gate" && module == site.module;
            let text = if is_mutant { with_one(&modules[module], site) } else { modules[module].clone() };
            let (body, _) = text.rsplit_once("endmodule").expect("a module ends");
            let assuming = claim.assuming.filter(|_| module == claim.circuit[0]).unwrap_or_default();
            format!("{body}{assuming}\nendmodule\n")
        });
        let text: String = files.collect();
        fs::write(folder.path().join(format!("{name}.sv")), text).expect("a file");
    }
    match Command::new("yosys").arg("-q").arg("-p").arg(script(hdl, folder.path(), claim)).output() {
        Ok(output) if output.status.success() => {
            Verdict::Equivalent(format!("{}: proven by Yosys", claim.because))
        }
        Ok(output) => {
            println!("the proof fails: {site}\n{}", String::from_utf8_lossy(&output.stderr));
            Verdict::Open
        }
        Err(error) if !desvio_tests::rtl::insists() => Verdict::Equivalent(format!(
            "{}: claimed, not proven, as there is no yosys: {error}",
            claim.because
        )),
        Err(error) => panic!("yosys: {error}"),
    }
}

fn script(hdl: &Path, folder: &Path, claim: &Claim) -> String {
    let package = source(hdl, "pkg").display().to_string();
    let include = hdl.join(desvio_hdl::INCLUDE).display().to_string();
    let set: String = claim.parameters.iter().map(|(name, value)| format!(" -set {name} {value}")).collect();
    let module = format!("{}{}", desvio_hdl::PREFIX, claim.circuit[0]);
    let read = |name: &str| {
        format!(
            "design -reset; read_verilog -sv -formal -I{include} {package} {}/{name}.sv; chparam{set} {module}; \
             hierarchy -top {module}; proc; flatten; opt -purge; rename -top {name}; design -stash {name}; ",
            folder.display()
        )
    };
    let copies =
        "design -reset; design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; ";
    let proof = match claim.assuming {
        // Any two registers of the same name are equal after each cycle if they were before it.
        None => {
            "equiv_make gold gate both; hierarchy -top both; equiv_simple; equiv_induct; equiv_status -assert"
        }
        Some(_) => {
            "miter -equiv -flatten gold gate both; hierarchy -top both; opt -full; \
             sat -verify -set-assumes -prove trigger 0 both"
        }
    };
    format!("{}{}{copies}{proof}", read("gold"), read("gate"))
}
