//! Ports that have names instead of numbers, bits of a flit that keep one value, and lengths that count the payload alone.

use super::{DESVIO, Ended, Place, SCRATCH, THREE_MAP, end, example, number, three, verilator_is_here};
use std::process::Command;

/// The switch of three ports with a signal for each port, by letters. It looks at constants and at the length in heads.
const LETTERS: &str = "
module letters (
    input wire clk, input wire rst, input wire [1:0] id, input wire fixed, input wire waits, input wire [1:0] ahead,
    input wire [2:0] room,
    input wire in_L_valid, output wire in_L_ready, input wire [31:0] in_L_word,
    input wire in_E_valid, output wire in_E_ready, input wire [31:0] in_E_word,
    input wire in_W_valid, output wire in_W_ready, input wire [31:0] in_W_word,
    output wire out_L_valid, input wire out_L_ready, output wire [31:0] out_L_word,
    output wire out_E_valid, input wire out_E_ready, output wire [31:0] out_E_word,
    output wire out_W_valid, input wire out_W_ready, output wire [31:0] out_W_word,
    output wire error
);
    three inner (
        .clk(clk), .rst(rst), .id(id), .fixed(fixed), .waits(waits), .ahead(ahead), .room(room),
        .in_valid({in_W_valid, in_E_valid, in_L_valid}), .in_word({in_W_word, in_E_word, in_L_word}),
        .in_ready({in_W_ready, in_E_ready, in_L_ready}),
        .out_valid({out_W_valid, out_E_valid, out_L_valid}), .out_word({out_W_word, out_E_word, out_L_word}),
        .out_ready({out_W_ready, out_E_ready, out_L_ready}), .error(error), .out_busy()
    );
    always @(posedge clk) if (!rst && in_L_valid) begin
        if (in_L_word[21:20] != id) $error(\"chip id %0d\", in_L_word[21:20]);
        if (in_L_word[19] != 1) $error(\"upper bit\");
        if (in_L_word[31] && in_L_word[30] != (in_L_word[26:24] == 0)) $error(\"payload %0d\", in_L_word[26:24]);
    end
endmodule
";

fn map() -> String {
    let mut map =
        THREE_MAP.replace("ports = 3", "ports = [\"L\", \"E\", \"W\"]\norder = [\"L\", \"E\", \"W\"]");
    for side in ["in", "out"] {
        for signal in ["valid", "ready", "word"] {
            map = map.replace(&format!("\"{side}_{signal}\""), &format!("\"{side}_{{port}}_{signal}\""));
        }
    }
    map.push_str("length = { bits = \"26:24\", offset = -1 }\nlengths = [1, 2, 5]\n");
    map + "[flit.constants]\n\"21:20\" = { from = \"address\" }\n19 = 1\n"
}

fn letters(map: &str) -> Place {
    let mut place = three(map).with(&["--cycles", "20000"]);
    place.rtl.push(Place::verilog(LETTERS));
    place.top = "letters";
    place
}

#[test]
fn ports_by_letters_constants_in_flits_and_lengths_of_payload() {
    if !verilator_is_here() {
        return;
    }
    assert!(number(&letters(&map()).passes(), "packets") > 1000);
    for (from, to, said) in [
        ("offset = -1", "offset = 0", "payload "),
        ("{ from = \"address\" }\n19", "2\n19", "chip id 2"),
        ("19 = 1", "19 = 0", "upper bit"),
    ] {
        let wrong = map().replace(from, to);
        assert_ne!(wrong, map());
        assert!(letters(&wrong).breaks(&["OWN-CHECKS"]).contains(said));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |from: &str, to: &str, said: &str| {
        let wrong = map().replace(from, to);
        assert_ne!(wrong, map());
        letters(&wrong).refused(said, "");
    };
    refused(
        "order = [\"L\", \"E\"",
        "order = [\"L\", \"N\"",
        "`order[1]` must be one of \"L\", \"E\", \"W\"",
    );
    refused("[\"L\", \"E\", \"W\"]\norder", "[\"L\", \"E\", \"E\"]\norder", "port \"E\" is in `ports` twice");
    refused("19 = 1", "x = 1", "`x` must be bits of the flit such as 7");
    refused("19 = 1", "18 = 1", "share bit 18");
    refused("offset = -1", "offset = 2000", "must be a whole number from -1023 to 1023");
    if verilator_is_here() {
        refused("19 = 1", "19 = 2", "does not fit into its 1 bits");
        refused("offset = -1", "offset = -2", "makes the length of a packet of 1 flits negative");
        refused("offset = -1", "unit = 8", "has 3 bits, but router 1 of this scenario needs 6");
    }
}

/// TID may be a VC and may be not; what does not fit into the data is left to the user instead of running into TDEST.
#[test]
fn a_skeleton_marks_what_it_does_not_know() {
    if !verilator_is_here() {
        return;
    }
    let text = "module narrow (input wire clk, input wire rst,
        input wire [4:0] s_axis_tvalid, output wire [4:0] s_axis_tready, input wire [39:0] s_axis_tdata,
        input wire [9:0] s_axis_tid, input wire [14:0] s_axis_tdest, input wire [4:0] s_axis_tlast,
        output wire [4:0] m_axis_tvalid, input wire [4:0] m_axis_tready, output wire [39:0] m_axis_tdata,
        output wire [9:0] m_axis_tid, output wire [14:0] m_axis_tdest, output wire [4:0] m_axis_tlast);
        endmodule";
    let mut command = Command::new(DESVIO);
    command.args(["conform", "--rtl"]).arg(Place::verilog(text)).args([
        "--top",
        "narrow",
        "--quiet",
        "--skeleton",
    ]);
    command.arg(example().join("petersen.toml")).current_dir(SCRATCH);
    let Ended { status, out, err } = end(command);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(!out.contains("\nvc = ") && out.contains("# ? s_axis_tid may be the VC"), "{out}");
    assert!(out.contains("\"s_axis_tdata\", \"s_axis_tdest\", \"s_axis_tid\"]"), "{out}");
    assert!(out.contains("number = \"\"  ") && out.contains("has 8 bits, too few"), "{out}");
}
