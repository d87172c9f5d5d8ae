// Stage 5, allocation: the arbiters of one output. Combinational.
//
// Picks a VC behind the output, and for that VC an input. Each of these VCs has an arbiter of its own among
// the inputs. With a single one, flits that stream into one VC would move the pointer between any two packets
// of another, always to one place, and starve the inputs behind that place. The first YIELDING inputs are not
// asked while others are. With VL_ARBITRATION the VC is picked by the tables of its output instead.
module dsv_output_arbiter #(
  parameter int unsigned PORTS = 5,
  parameter int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned YIELDING = 0,
  parameter int unsigned VL_ARBITRATION = 0,
  parameter int unsigned MANAGEMENT_VCS = 0,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned VC_STATE_W = ROUND_ROBIN ? VCS : VCS > 1 ? VCS * (VCS - 1) / 2 : 1,
  localparam int unsigned PORT_STATE_W = ROUND_ROBIN ? PORTS : PORTS > 1 ? PORTS * (PORTS - 1) / 2 : 1,
  localparam int unsigned VL_TABLES_W = dsv_pkg::VL_TABLES_BITS,
  localparam int unsigned VL_STATE_W = dsv_pkg::VL_STATE_BITS
) (
  input  logic [VC_STATE_W-1:0]       out_vc_state,
  input  logic [VL_TABLES_W-1:0]      vl_tables,
  input  logic [VL_STATE_W-1:0]       vl_state,
  input  logic [VCS*PORT_STATE_W-1:0] input_states,  // for each VC behind the output
  input  logic [VCS*PORTS-1:0]        asking,        // for each VC behind the output: inputs
  output logic [VCS-1:0]              grant_out_vc,  // one-hot or 0
  output logic [PORTS-1:0]            grant_input    // one-hot or 0
);
  logic [VCS-1:0] asked;
  logic [VCS*PORTS-1:0] going;     // the requests that give way to no other
  generate if (YIELDING == 0) begin : g_equal
    assign going = asking;
  end else begin : g_yielding
    localparam logic [PORTS-1:0] OTHERS = {PORTS{1'b1}} << YIELDING;
    logic [VCS*PORTS-1:0] others;
    assign others = asking & {VCS{OTHERS}};
    assign going = others != '0 ? others : asking;
  end endgenerate

  always_comb for (int w = 0; w < VCS; w++) asked[w] = going[w*PORTS +: PORTS] != '0;

  generate if (VL_ARBITRATION != 0) begin : g_by_tables
    logic from_high, from_low, is_spent;
    logic [(VL_STATE_W-dsv_pkg::VL_COUNT_BITS)/2-1:0] turn;
    dsv_vl_pick #(.VCS(VCS), .MANAGEMENT_VCS(MANAGEMENT_VCS)) pick_out_vc (
      .tables(vl_tables), .state(vl_state), .request(asked), .grant(grant_out_vc), .from_high, .from_low, .is_spent, .turn
    );
    logic unused;
    assign unused = &{1'b0, out_vc_state, from_high, from_low, is_spent, turn};
  end else begin : g_in_turn
    dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(VCS)) pick_out_vc (
      .state(out_vc_state), .request(asked), .grant(grant_out_vc)
    );
    logic unused;
    assign unused = &{1'b0, vl_tables, vl_state};
  end endgenerate

  // For each VC the input that would get it, picked beside the VC.
  logic [VCS*PORTS-1:0] picked;
  generate for (genvar w = 0; w < VCS; w++) begin : g_out_vc
    dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(PORTS)) pick_input (
      .state(input_states[w*PORT_STATE_W +: PORT_STATE_W]), .request(going[w*PORTS +: PORTS]), .grant(picked[w*PORTS +: PORTS])
    );
  end endgenerate

  always_comb begin
    grant_input = '0;
    for (int w = 0; w < VCS; w++) grant_input = grant_input | (picked[w*PORTS +: PORTS] & {PORTS{grant_out_vc[w]}});
  end
endmodule
