// A named property in one text for simulators and for formal tools; MESSAGE is the arguments of `$error`, in brackets.
//
// DSV_CHECK holds in each cycle out of reset, and the module has `clk` and `rst`. DSV_CHECK_ALWAYS holds whatever the registers
// are: for stages without a clock. Formal tools define FORMAL; they get an instance of `dsv_property` (hdl/formal), because
// Yosys 0.23 has no `assert property (@(posedge clk) ...)`, and gives statements in a generate loop one name for all rounds.
`ifndef DSV_CHECK
`ifdef FORMAL
`define DSV_CHECK(NAME, CONDITION, MESSAGE) \
  dsv_property NAME (.holds(rst || (CONDITION)));
`define DSV_CHECK_ALWAYS(NAME, CONDITION, MESSAGE) \
  dsv_property NAME (.holds(CONDITION));
`else
`define DSV_CHECK(NAME, CONDITION, MESSAGE) \
  always @(posedge clk) if (!rst) begin NAME: assert (CONDITION) else $error MESSAGE; end
`define DSV_CHECK_ALWAYS(NAME, CONDITION, MESSAGE) \
  always_comb begin NAME: assert (CONDITION) else $error MESSAGE; end
`endif
`endif
