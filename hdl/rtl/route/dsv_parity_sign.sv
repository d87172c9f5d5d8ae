// Stage 2. The parity-sign restriction (router-core/src/route/parity_sign.rs): which two local hops may follow each other on one VC of a
// group. A hop has a sign, whether it leads to a higher index, and a parity, that of its length. Local ports are in the order of the
// index behind them, without the own one.
module dsv_parity_sign #(
  parameter int unsigned PORTS  = 7,
  parameter int unsigned NODES  = 2,
  parameter int unsigned LOCALS = 3
) (
  input  logic [dsv_pkg::ADDRESS_INDEX_BITS-1:0] here_index,
  input  logic             came_local,
  input  logic [PORTS-1:0] from_port,
  input  logic [PORTS-1:0] goals,
  output logic [PORTS-1:0] may_follow,   // ports that may follow the hop by which the packet came
  output logic [PORTS-1:0] may_lead      // ports behind which one of the goals may follow
);
  localparam int unsigned INDEX_W = dsv_pkg::ADDRESS_INDEX_BITS;

  function automatic logic allowed(input logic rises, input logic odd, input logic then_rises, input logic then_odd);
    allowed = !then_rises ? then_odd : rises ? odd || then_odd : !odd;
  endfunction

  // The hop from here by each local port.
  logic [PORTS-1:0] rises, odd;
  always_comb begin
    rises = '0;
    odd = '0;
    for (int p = NODES; p < NODES + LOCALS; p++) begin
      rises[p] = INDEX_W'(p - NODES) >= here_index;
      odd[p] = 1'((p - NODES) & 1) ^ rises[p] ^ here_index[0];
    end
  end

  // The hop by which the packet came is the one back, the other way round.
  logic came_down, came_odd;
  assign came_down = (from_port & rises) != '0;
  assign came_odd = (from_port & odd) != '0;

  always_comb begin
    may_follow = '1;
    may_lead = '0;
    for (int p = NODES; p < NODES + LOCALS; p++) begin
      may_follow[p] = !came_local || allowed(!came_down, came_odd, rises[p], odd[p]);
      for (int goal = NODES; goal < NODES + LOCALS; goal++)
        may_lead[p] = may_lead[p] || goals[goal] && allowed(rises[p], odd[p], goal > p, odd[p] ^ odd[goal]);
    end
  end
endmodule
