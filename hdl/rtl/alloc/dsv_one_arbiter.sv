// Stage 5, allocation: the one arbiter of an output, among the inputs, for all VCs behind it. Combinational.
//
// Flits that stream into one VC move its pointer between two packets of another, so that a head may wait longer there than with the
// arbiters of `dsv_output_arbiter`. The first YIELDING inputs are not asked while others are.
module dsv_one_arbiter #(
  parameter int unsigned PORTS = 5,
  parameter int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned YIELDING = 0,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned STATE_W = ROUND_ROBIN ? PORTS : PORTS > 1 ? PORTS * (PORTS - 1) / 2 : 1
) (
  input  logic [STATE_W-1:0]   state,
  input  logic [VCS*PORTS-1:0] asking,        // for each VC behind the output: inputs
  output logic [VCS-1:0]       grant_out_vc,  // one-hot or 0
  output logic [PORTS-1:0]     grant_input    // one-hot or 0
);
  logic [PORTS-1:0] nominators, going;

  always_comb begin
    nominators = '0;
    for (int w = 0; w < VCS; w++) nominators = nominators | asking[w*PORTS +: PORTS];
  end

  generate if (YIELDING == 0) begin : g_equal
    assign going = nominators;
  end else begin : g_yielding
    localparam logic [PORTS-1:0] OTHERS = {PORTS{1'b1}} << YIELDING;
    assign going = (nominators & OTHERS) != '0 ? nominators & OTHERS : nominators;
  end endgenerate

  dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(PORTS)) pick_input (.state, .request(going), .grant(grant_input));

  always_comb for (int w = 0; w < VCS; w++) grant_out_vc[w] = (asking[w*PORTS +: PORTS] & grant_input) != '0;
endmodule
