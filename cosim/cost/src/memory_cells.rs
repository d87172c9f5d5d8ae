//! The memories of a part, back in its netlist.
//!
//! A part is synthesised without its memories: each pin of a memory becomes a port of the part, by the name of the memory and the
//! pin. A netlist that is to run needs them again.

use std::fmt::Write as _;

/// Puts the memories, as `dump` has written them, into a module of RTLIL text, between the ports that stand for their pins.
pub(super) fn put_back(module: &mut String, dump: &str) {
    let Some(end) = module.rfind("\nend") else { return };
    let mut cells = String::new();
    let mut name = "";
    for line in dump.lines() {
        let words = line.trim_start();
        if let Some(cell) = words.strip_prefix("cell $mem_v2 ") {
            name = cell.trim_end();
        }
        match words.strip_prefix("connect \\").and_then(|pin| pin.split_once(' ')) {
            Some((pin, _)) => {
                let _ = writeln!(cells, "    connect \\{pin} {name}.{pin}");
            }
            None => {
                let _ = writeln!(cells, "{line}");
            }
        }
    }
    module.insert_str(end + 1, &cells);
}

#[cfg(test)]
mod tests {
    use super::put_back;

    #[test]
    fn pins_are_those_that_became_ports() {
        let mut module = "module \\unit\n  wire \\clk\nend\n".to_owned();
        let dump = "\n  attribute \\src \"vc.sv:1\"\n  cell $mem_v2 \\buffer\n    parameter \\SIZE 8\n    \
                    connect \\RD_ADDR { $auto$1 \\second }\n    connect \\WR_CLK \\clk\n  end\n";
        put_back(&mut module, dump);
        let cell = "  cell $mem_v2 \\buffer\n    parameter \\SIZE 8\n    connect \\RD_ADDR \\buffer.RD_ADDR\n    \
                    connect \\WR_CLK \\buffer.WR_CLK\n  end\nend\n";
        assert!(module.starts_with("module \\unit\n  wire \\clk\n") && module.ends_with(cell), "{module}");
    }

    #[test]
    fn without_memories_nothing_changes() {
        let mut module = "module \\unit\nend\n".to_owned();
        put_back(&mut module, "");
        assert_eq!(module, "module \\unit\nend\n");
    }
}
