// Stage 4. The wait of a VC's front packet for its output, and whether it is discarded for that: its time is
// up, or all VCs that it may take behind its output are stalled (router-core/src/lifetime.rs). No grant is
// needed to know it, and what is discarded asks for nothing in that cycle.
module dsv_lifetime #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned NODES = 2,
  parameter  int unsigned LOCALS = 3,
  parameter  int unsigned NODE_VCS = 3,
  parameter  int unsigned LOCAL_VCS = 3,
  parameter  int unsigned GLOBAL_VCS = 3,
  parameter  int unsigned SPEEDUP = 2,
  parameter  int unsigned LIFETIME = 1,
  localparam int unsigned LIMIT_W = LIFETIME + dsv_pkg::VL_STALL_BITS
) (
  input  logic                     clk,
  input  logic                     rst,
  // The front packet: whether it waits, the output that it is counted at, the VCs that it may take there, and whether it is granted one.
  input  logic                     waiting,
  input  logic [PORTS-1:0]         minimal,
  input  logic [VCS-1:0]           vcs,
  input  logic                     grant,
  // Per output, the limit in link cycles, below the stall count; the VCs behind outputs that are stalled, of VC c in [c*PORTS +: PORTS];
  // those that an output has not, too.
  input  logic [PORTS*LIMIT_W-1:0] lifetimes,
  input  logic [VCS*PORTS-1:0]     stalled,
  // It is discarded for that, or for any reason; and the VCs that it has waited for, where its time is up.
  output logic                     expires,
  input  logic                     gone,
  output logic [VCS-1:0]           late_for
);
  // Internal cycles, up to the highest limit.
  localparam int unsigned AGE_W = LIFETIME + $clog2(SPEEDUP);

  logic [AGE_W-1:0]    age;
  logic [LIFETIME-1:0] limit;
  logic [VCS-1:0]      takes, shut;
  logic                is_late, is_shut;

  // Behind an output a packet may take no more VCs than its class has.
  always_comb begin
    limit = '0;
    takes = '0;
    for (int p = 0; p < PORTS; p++) begin
      limit = limit | (lifetimes[p*LIMIT_W +: LIFETIME] & {LIFETIME{minimal[p]}});
      for (int c = 0; c < VCS; c++)
        if (c < (p < NODES ? NODE_VCS : p < NODES + LOCALS ? LOCAL_VCS : GLOBAL_VCS)) takes[c] = takes[c] | (vcs[c] & minimal[p]);
    end
  end
  generate for (genvar c = 0; c < VCS; c++) begin : g_vc
    assign shut[c] = (stalled[c*PORTS +: PORTS] & minimal) != '0;
  end endgenerate

  assign is_late  = limit != '0 && age >= AGE_W'(limit) * AGE_W'(SPEEDUP);
  assign is_shut  = takes != '0 && (vcs & ~shut) == '0;
  assign expires  = waiting && (is_late || is_shut);
  assign late_for = waiting && is_late ? vcs : '0;

  always_ff @(posedge clk) begin
    if (rst || !waiting || grant || gone || limit == '0) age <= '0;
    else age <= age + 1'b1;
  end
endmodule
