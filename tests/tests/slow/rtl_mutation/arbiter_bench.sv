// An arbiter as a whole, which no router has: mutants of it are chosen here.
module arbiter_bench #(
  parameter  int unsigned ARBITER = 0,
  parameter  int unsigned REQUESTERS = 4,
  localparam int unsigned STATE_W =
    ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN ? REQUESTERS : REQUESTERS * (REQUESTERS - 1) / 2
) (
  input  logic                  clk,
  input  logic                  rst,
  input  logic [15:0]           mutant,
  input  logic [REQUESTERS-1:0] request,
  input  logic                  advance,
  output logic [REQUESTERS-1:0] grant,
  output logic [STATE_W-1:0]    state
);
  always_ff @(posedge clk) if (rst) mutation::chosen <= mutant;
  dsv_arbiter #(.ARBITER(ARBITER), .REQUESTERS(REQUESTERS)) arbiter (.clk, .rst, .request, .advance, .grant, .state);
endmodule
