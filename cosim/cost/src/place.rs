//! Place and route of one part for iCE40: how fast it can be clocked.
//!
//! A part has more pins than any package. So its inputs come from a shift register and its outputs go to another one: every
//! path through it lies between registers, and nothing else limits the clock.

use std::fmt::Write as _;

/// A port of a netlist.
struct Port<'t> {
    name: &'t str,
    width: u32,
    is_input: bool,
}

/// Lookup tables with a flip-flop in an iCE40 HX8K.
const ROOM: u64 = 7680;

/// The script for Yosys.
pub(super) const SCRIPT: &str =
    "read_rtlil before.il\nread_verilog harness.v\nsynth_ice40 -top harness -json harness.json\n";

/// Arguments of nextpnr: with a target frequency that need not be reached, it reports the one that is.
pub(super) const ARGUMENTS: [&str; 12] = [
    "--hx8k",
    "--package",
    "ct256",
    "--json",
    "harness.json",
    "--pcf-allow-unconstrained",
    "--freq",
    "100",
    "--timing-allow-fail",
    "--seed",
    "1",
    "--quiet",
];

/// The module around the part whose netlist is given; `None` where both together have no room in the device.
pub(super) fn harness(netlist: &str, luts: u64) -> Option<String> {
    let ports = ports(netlist);
    let clock = |port: &&Port<'_>| port.name == "clk";
    let width = |is_input| {
        let those = ports.iter().filter(|port| !clock(port) && port.is_input == is_input);
        those.map(|port| u64::from(port.width)).sum::<u64>()
    };
    let (inputs, outputs) = (width(true), width(false));
    if luts + inputs + outputs > ROOM || outputs == 0 || inputs == 0 {
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
    Some(text)
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
        let text = harness(NETLIST, 10).unwrap();
        for part in
            ["reg [3:0] in;", "reg [1:0] out;", ".\\clk (clk)", ".\\a (in[3:0])", ".\\vc/b.RD (result[1:0])"]
        {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(harness(NETLIST, ROOM).is_none());
    }

    #[test]
    fn the_frequency_after_routing_counts() {
        let log = "Info: Max frequency for clock 'clk': 90.00 MHz (PASS)\nInfo: Max frequency for clock 'clk$glb': 82.41 MHz (FAIL)\n";
        assert_eq!(frequency(log), Some(82.41));
    }
}
