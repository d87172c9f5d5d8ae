// Formal: an allocator from reset on, for all requests. ALLOCATE-MATCH is that of the check that is bound to it.
//
// The proof's script connects the registers of the allocator to the wires of the same name here; INVARIANT-ORDER and
// INVARIANT-CHOICES hold in the reachable states, and the induction needs them.
module allocator_contract #(
  parameter int unsigned PORTS = 3,
  parameter int unsigned VCS = 2,
  parameter int unsigned ALLOCATOR = dsv_pkg::DEFAULT_ALLOCATOR,
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned ITERATIONS = 1,
  localparam int unsigned PORT_W = PORTS > 1 ? $clog2(PORTS) : 1,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  // Of `one_arbiter` the arbiter of an output has the turns of all VCs behind it.
  localparam int unsigned TURNS = ALLOCATOR == dsv_pkg::ALLOCATOR_SEPARABLE_ONE_ARBITER ? 1 : VCS,
  localparam int unsigned VC_STATE_W = ROUND_ROBIN ? VCS : VCS > 1 ? VCS * (VCS - 1) / 2 : 1,
  localparam int unsigned PORT_STATE_W = ROUND_ROBIN ? PORTS : PORTS > 1 ? PORTS * (PORTS - 1) / 2 : 1
) (
  input logic                       clk,
  input logic                       rst,
  input logic [PORTS*VCS*PORTS-1:0] want,
  input logic [PORTS*VCS*VC_W-1:0]  want_out_vc
);
  logic [PORTS*VCS-1:0] grant_vc;
  logic [PORTS*PORTS-1:0] grant_output;
  logic [PORTS*VCS-1:0] grant_out_vc;
  dsv_allocator #(
    .PORTS(PORTS), .VCS(VCS), .ALLOCATOR(ALLOCATOR), .ARBITER(ARBITER), .ITERATIONS(ITERATIONS)
  ) dut (.clk, .rst, .vl_tables('0), .sends('0), .sends_vc('0), .sends_units('0), .want, .want_out_vc, .grant_vc, .grant_output, .grant_out_vc);

  // Registers of `dut`.
  logic [PORTS*VC_STATE_W-1:0] input_states, out_vc_states;
  logic [PORTS*TURNS*PORT_STATE_W-1:0] input_of_out_vc_states;
  logic [PORTS*PORT_W-1:0] choices;
  logic [PORT_W-1:0] turn;

  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;
  always_comb if (!has_begun) assume (rst);

  logic [PORTS-1:0] is_choice, is_vc_order, is_out_vc_order;
  logic [PORTS*TURNS-1:0] is_input_order;

  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      logic [VCS*VCS-1:0] unused_vc, unused_out_vc;
      assign is_choice[p] = choices[p*PORT_W +: PORT_W] < PORTS;

      arbiter_order #(.ARBITER(ARBITER), .REQUESTERS(VCS)) vc_order (
        .state(input_states[p*VC_STATE_W +: VC_STATE_W]), .before(unused_vc), .is_legal(is_vc_order[p])
      );
      arbiter_order #(.ARBITER(ARBITER), .REQUESTERS(VCS)) out_vc_order (
        .state(out_vc_states[p*VC_STATE_W +: VC_STATE_W]),
        .before(unused_out_vc),
        .is_legal(is_out_vc_order[p])
      );
    end

    for (genvar n = 0; n < PORTS * TURNS; n++) begin : g_out_vc
      logic [PORTS*PORTS-1:0] unused;
      arbiter_order #(.ARBITER(ARBITER), .REQUESTERS(PORTS)) order (
        .state(input_of_out_vc_states[n*PORT_STATE_W +: PORT_STATE_W]),
        .before(unused),
        .is_legal(is_input_order[n])
      );
    end
  endgenerate

  always_comb if (has_begun) begin
    INVARIANT_ORDER: assert (&is_vc_order && &is_out_vc_order && &is_input_order);
    INVARIANT_CHOICES: assert (&is_choice && turn < PORTS);
  end

  // Not vacuous: every input gets an output; the last one requests, and gets none.
  logic [PORTS-1:0] sends;
  always_comb for (int i = 0; i < PORTS; i++) sends[i] = grant_output[i*PORTS +: PORTS] != '0;
  always_comb if (has_begun && !rst) begin
    ALL_AT_ONCE: cover (&sends);
    LAST_LEFT_OUT: cover (!sends[PORTS-1] && want[(PORTS-1)*VCS*PORTS +: VCS*PORTS] != '0);
  end
endmodule
