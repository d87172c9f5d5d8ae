// Stage 2. The parity-sign restriction (router-core/src/route/parity_sign.rs): which two local hops may follow each other on one VC of a
// group. A hop has a sign, whether it leads to a higher index, and a parity, that of its length. Local ports are in the order of the
// index behind them, without the own one; there is none to the router itself.
module dsv_parity_sign #(
  parameter int unsigned LOCALS = 3
) (
  input  logic [dsv_pkg::ADDRESS_INDEX_BITS-1:0] here_index,
  input  logic              came_local,
  input  logic [LOCALS-1:0] from_local,
  input  logic [LOCALS-1:0] goals,
  output logic [LOCALS-1:0] may_follow,  // ports that may follow the hop by which the packet came
  output logic [LOCALS-1:0] may_lead     // ports behind which one of the goals may follow
);
  localparam int unsigned INDEX_W = dsv_pkg::ADDRESS_INDEX_BITS;

  function automatic logic allowed(input logic rises, input logic odd, input logic then_rises, input logic then_odd);
    allowed = !then_rises ? then_odd : rises ? odd || then_odd : !odd;
  endfunction

  // The hop from here by each local port.
  logic [LOCALS-1:0] rises, odd;
  always_comb begin
    for (int n = 0; n < LOCALS; n++) begin
      rises[n] = INDEX_W'(n) >= here_index;
      odd[n] = 1'(n & 1) ^ rises[n] ^ here_index[0];
    end
  end

  // The hop by which the packet came is the one back, the other way round.
  logic came_down, came_odd;
  assign came_down = (from_local & rises) != '0;
  assign came_odd = (from_local & odd) != '0;

  always_comb begin
    may_lead = '0;
    for (int n = 0; n < LOCALS; n++) begin
      may_follow[n] = !came_local || allowed(!came_down, came_odd, rises[n], odd[n]);
      for (int goal = 0; goal < LOCALS; goal++)
        may_lead[n] = may_lead[n] || goals[goal] && allowed(rises[n], odd[n], goal > n, odd[n] ^ odd[goal]);
    end
  end
endmodule
