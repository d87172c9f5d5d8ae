//! The RTL as packages of hardware: `hdl/Bender.yml` for Bender and `hdl/desvio.core` for FuseSoC, written from `hdl/files.f`.

use crate::step::{Failure, root};
use std::fmt::Write as _;

const LIST: &str = "hdl/files.f";
/// What the checks include.
const CHECK: &str = "hdl/include/dsv_check.svh";
/// What the router includes beside the parameters, which are written.
const REFUSALS: &str = "hdl/include/dsv_refusals.svh";

/// Both files, by path; `included` are the files that others include, by path.
pub(crate) fn files(included: &[&str]) -> Result<Vec<(&'static str, String)>, Failure> {
    let list = std::fs::read_to_string(root().join(LIST))
        .map_err(|error| Failure::new(format!("{LIST}: {error}")))?;
    let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['/', '+']));
    let (attached, design): (Vec<_>, Vec<_>) =
        lines.partition(|path| path.starts_with("check/") || path.starts_with("probe/"));
    Ok(vec![
        ("hdl/Bender.yml", bender(&design, &attached)),
        ("hdl/desvio.core", fusesoc(&design, &attached, included)),
    ])
}

/// Checks and probes are for simulation.
fn bender(design: &[&str], attached: &[&str]) -> String {
    let items = |files: &[&str], indent: &str| -> String {
        files.iter().map(|file| format!("{indent}- {file}\n")).collect()
    };
    format!(
        "# Written from {LIST} by `cargo xtask generate`: do not edit.\n\
         package:\n  name: desvio\n  authors:\n    - \"The Desvio developers\"\n\n\
         export_include_dirs:\n  - include\n\n\
         sources:\n{}  - target: simulation\n    files:\n{}",
        items(design, "  "),
        items(attached, "      "),
    )
}

fn fusesoc(design: &[&str], attached: &[&str], included: &[&str]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "CAPI=2:\n# Written from {LIST} by `cargo xtask generate`: do not edit.\n\
         name: desvio::switch:{version}\n\
         description: A network switch in synthesizable SystemVerilog, in lockstep with its model in Rust\n\nfilesets:\n"
    );
    for (name, files) in [("rtl", design), ("checks", attached)] {
        let _ = write!(text, "  {name}:\n    files:\n");
        let of_router = || included.iter().copied().chain([REFUSALS]).collect();
        for file in if name == "rtl" { of_router() } else { vec![CHECK] } {
            let file = file.trim_start_matches("hdl/");
            let _ = writeln!(text, "      - {file}: {{is_include_file: true, include_path: include}}");
        }
        for file in files {
            let _ = writeln!(text, "      - {file}");
        }
        text.push_str("    file_type: systemVerilogSource\n");
    }
    text.push_str("  waivers:\n    files:\n      - lint.vlt: {file_type: vlt}\n\ntargets:\n");
    text.push_str("  default:\n    filesets: [rtl]\n\n");
    for top in ["dsv_router", "dsv_switch"] {
        let name = top.trim_start_matches("dsv_");
        let _ = write!(
            text,
            "  lint-{name}:\n    filesets: [waivers, rtl, checks]\n    toplevel: {top}\n    flow: lint\n    \
             flow_options:\n      tool: verilator\n      verilator_options: [-Wall]\n\n"
        );
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
