//! Place and route of a part, or of a router: how fast it can be clocked.
//!
//! It has more pins than any package. So its inputs come from a shift register and its outputs go to another one: every
//! path through it lies between registers, and nothing else limits the clock.

use super::device::Device;
use super::error::{CostError, at};
use super::tool::Toolbox;
use std::fmt::Write as _;
use std::path::Path;
use verilated::child;

/// A port of a netlist.
struct Port<'t> {
    name: &'t str,
    width: u32,
    is_input: bool,
}

/// Lookup tables with a flip-flop in an iCE40 HX8K.
const ROOM: u64 = 7680;

/// What Yosys reads before it synthesises.
pub(super) const READ: &str = "read_rtlil before.il\nread_verilog harness.v\n";

/// Arguments for any device: with a target frequency that need not be reached, the one that is reached is reported.
pub(super) const ARGUMENTS: [&str; 10] = [
    "--json",
    "harness.json",
    "--freq",
    "100",
    "--timing-allow-fail",
    "--seed",
    "1",
    "--quiet",
    "--log",
    "nextpnr.log",
];

/// Places and routes what Yosys left in a folder. What has no room in the device has no frequency, and its log says so.
pub(super) fn run(tools: &Toolbox, device: Device, folder: &Path) -> Result<(), CostError> {
    let mut command = tools.command(device.tool());
    command.args(device.arguments()).args(ARGUMENTS).current_dir(folder);
    child::status(&mut command).map(drop).map_err(at(folder))
}

/// A module around another one.
pub(super) struct Harness {
    pub(super) text: String,
    /// Its own flip-flops.
    pub(super) flip_flops: u64,
}

/// The module around the one whose netlist is given. With a number of lookup tables it is one of several parts that are tried on an
/// iCE40 HX8K, and `None` where both together have no room there.
pub(super) fn harness(netlist: &str, luts: Option<u64>) -> Option<Harness> {
    let ports = ports(netlist);
    let clock = |port: &&Port<'_>| port.name == "clk";
    let width = |is_input| {
        let those = ports.iter().filter(|port| !clock(port) && port.is_input == is_input);
        those.map(|port| u64::from(port.width)).sum::<u64>()
    };
    let (inputs, outputs) = (width(true), width(false));
    let has_room = luts.is_none_or(|luts| luts + inputs + outputs <= ROOM);
    if !has_room || outputs == 0 || inputs == 0 {
        return None;
    }
    let mut text = format!(
        "module harness(input clk, input load, input shift_in, output shift_out);\n\
         reg [{}:0] in;\nreg [{}:0] out;\nwire [{}:0] result;\n\
         always @(posedge clk) in <= {{in, shift_in}};\n\
         always @(posedge clk) out <= load ? result : {{out, in[{}]}};\n\
         assign shift_out = out[{}];\nunit unit (",
        inputs - 1,
        outputs - 1,
        outputs - 1,
        inputs - 1,
        outputs - 1
    );
    let (mut next_input, mut next_output) = (0, 0);
    for (n, port) in ports.iter().enumerate() {
        let comma = if n == 0 { "" } else { "," };
        let (next, vector) =
            if port.is_input { (&mut next_input, "in") } else { (&mut next_output, "result") };
        let net = if clock(&port) {
            "clk".to_owned()
        } else {
            format!("{vector}[{}:{next}]", *next + port.width - 1)
        };
        if !clock(&port) {
            *next += port.width;
        }
        // The space ends a name that has unusual characters in it.
        let _ = write!(text, "{comma}\n  .\\{} ({net})", port.name);
    }
    text.push_str("\n);\nendmodule\n");
    Some(Harness { text, flip_flops: inputs + outputs })
}

/// The ports of the module `unit`, as RTLIL has them: `wire width 4 input 2 \name`.
fn ports(netlist: &str) -> Vec<Port<'_>> {
    let Some((_, module)) = netlist.split_once("module \\unit\n") else { return Vec::new() };
    let module = module.split("\nend\n").next().unwrap_or(module);
    module.lines().filter_map(port).collect()
}

fn port(line: &str) -> Option<Port<'_>> {
    let words: Vec<&str> = line.trim().strip_prefix("wire ")?.split(' ').collect();
    let after = |word: &str| words.iter().position(|other| *other == word).and_then(|at| words.get(at + 1));
    let is_input = after("input").is_some();
    let width = after("width").and_then(|number| number.parse().ok()).unwrap_or(1);
    let name = words.last()?.trim_start_matches('\\');
    (is_input || after("output").is_some()).then_some(Port { name, width, is_input })
}

/// The frequency in MHz that nextpnr reports last, after routing.
pub(super) fn frequency(log: &str) -> Option<f64> {
    let (_, rest) = log.rsplit_once("Max frequency for clock")?;
    let (_, number) = rest.split_once("': ").or_else(|| rest.split_once(": "))?;
    number.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETLIST: &str = "attribute \\top 1\nmodule \\unit\n  wire input 1 \\clk\n  wire width 4 input 2 \\a\n  wire $x\n  \
                           wire width 2 output 3 \\vc/b.RD\nend\n";

    #[test]
    fn every_pin_but_the_clock_is_registered() {
        let Harness { text, flip_flops } = harness(NETLIST, Some(10)).unwrap();
        assert_eq!(flip_flops, 6);
        for part in
            ["reg [3:0] in;", "reg [1:0] out;", ".\\clk (clk)", ".\\a (in[3:0])", ".\\vc/b.RD (result[1:0])"]
        {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(harness(NETLIST, Some(ROOM)).is_none() && harness(NETLIST, None).is_some());
    }

    #[test]
    fn the_frequency_after_routing_counts() {
        let log = "Info: Max frequency for clock 'clk': 90.00 MHz (PASS)\nInfo: Max frequency for clock 'clk$glb': 82.41 MHz (FAIL)\n";
        assert_eq!(frequency(log), Some(82.41));
    }
}
