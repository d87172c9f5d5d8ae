// Stage 5, earlier allocation: where the head of a waiting packet may leave now (router-core/src/select/outputs.rs,
// `Outputs::open`). At a port that several sets of candidates hold it leaves by the first of them, in offer order, that has an
// open VC there. Sets of ports behind VC c are planes: bits [c*PORTS +: PORTS].
module dsv_feasible #(
  parameter int unsigned PORTS   = 7,
  parameter int unsigned VCS     = 3,
  parameter int unsigned FLOW    = dsv_pkg::FLOW_VCT,
  parameter int unsigned SETS    = 3,
  parameter logic [31:0] KINDS   = 32'h020100,   // kind of hop of each set, a byte each
  parameter int unsigned OVERLAP = 0,            // 1: sets may share a port
  parameter int unsigned PORT_RULE = dsv_pkg::PORT_RULE_RANDOM
) (
  input  logic [SETS*PORTS-1:0] set_ports,
  input  logic [SETS*VCS-1:0]   set_vcs,
  input  logic [PORTS-1:0]      accepts,
  input  logic [VCS*PORTS-1:0]  free,
  input  logic [VCS*PORTS-1:0]  credited,
  input  logic [VCS*PORTS-1:0]  fits,
  output logic [VCS*PORTS-1:0]  open,
  // Where it may leave on a minimal hop, the one output of them that PORT_RULE prefers if it prefers one; where, if it leaves, that is a misroute.
  output logic [PORTS-1:0]      minimal_open,
  output logic [PORTS-1:0]      global_misroutes,
  output logic [PORTS-1:0]      local_misroutes
);
  localparam logic [7:0] MINIMAL = 8'(dsv_pkg::HOP_KIND_MINIMAL);
  localparam logic [7:0] GLOBAL = 8'(dsv_pkg::HOP_KIND_GLOBAL_MISROUTE);
  localparam logic [7:0] LOCAL = 8'(dsv_pkg::HOP_KIND_LOCAL_MISROUTE);

  localparam bit LOWEST = PORT_RULE == dsv_pkg::PORT_RULE_LOWEST_DIMENSION;

  // With wormhole a minimal hop needs room for one flit; a misroute always for the whole packet (patent, claim 8).
  logic [VCS*PORTS-1:0] minimal_room, vacant;
  assign minimal_room = FLOW == dsv_pkg::FLOW_WORMHOLE ? credited : fits;
  assign vacant = free & {VCS{accepts}};

  generate
    if (OVERLAP != 0) begin : g_overlap
      logic [PORTS-1:0] ports, way, by_set, earlier;
      always_comb begin
        open             = '0;
        minimal_open     = '0;
        global_misroutes = '0;
        local_misroutes  = '0;
        earlier          = '0;
        for (int k = 0; k < SETS; k++) begin
          ports  = set_ports[k*PORTS +: PORTS];
          by_set = '0;
          for (int c = 0; c < VCS; c++) begin
            way = ports & {PORTS{set_vcs[k*VCS + c]}} & vacant[c*PORTS +: PORTS]
                & (KINDS[k*8 +: 8] == MINIMAL ? minimal_room[c*PORTS +: PORTS] : fits[c*PORTS +: PORTS]);
            by_set = by_set | way;
            open[c*PORTS +: PORTS] = open[c*PORTS +: PORTS] | (way & ~earlier);
          end
          if (KINDS[k*8 +: 8] == MINIMAL && LOWEST) minimal_open = minimal_open != '0 ? minimal_open : by_set & (~by_set + 1'b1);
          else if (KINDS[k*8 +: 8] == MINIMAL) minimal_open = minimal_open | by_set;
          if (KINDS[k*8 +: 8] == GLOBAL)  global_misroutes = global_misroutes | (by_set & ~earlier);
          if (KINDS[k*8 +: 8] == LOCAL)   local_misroutes = local_misroutes | (by_set & ~earlier);
          earlier = earlier | by_set;
        end
      end
    end else begin : g_apart
      logic [PORTS-1:0] minimal, misroutes, minimal_ports, open_ports;
      always_comb begin
        minimal_ports    = '0;
        global_misroutes = '0;
        local_misroutes  = '0;
        open_ports       = '0;
        for (int k = 0; k < SETS; k++) begin
          if (KINDS[k*8 +: 8] == MINIMAL) minimal_ports = minimal_ports | set_ports[k*PORTS +: PORTS];
          if (KINDS[k*8 +: 8] == GLOBAL)  global_misroutes = global_misroutes | set_ports[k*PORTS +: PORTS];
          if (KINDS[k*8 +: 8] == LOCAL)   local_misroutes = local_misroutes | set_ports[k*PORTS +: PORTS];
        end
        for (int c = 0; c < VCS; c++) begin
          minimal   = '0;
          misroutes = '0;
          for (int k = 0; k < SETS; k++) begin
            if (KINDS[k*8 +: 8] == MINIMAL) minimal = minimal | (set_ports[k*PORTS +: PORTS] & {PORTS{set_vcs[k*VCS + c]}});
            else misroutes = misroutes | (set_ports[k*PORTS +: PORTS] & {PORTS{set_vcs[k*VCS + c]}});
          end
          open[c*PORTS +: PORTS] = ((minimal & minimal_room[c*PORTS +: PORTS]) | (misroutes & fits[c*PORTS +: PORTS]))
                                 & vacant[c*PORTS +: PORTS];
          open_ports = open_ports | open[c*PORTS +: PORTS];
        end
        minimal_open = open_ports & minimal_ports;
        // Of sets that share no port one is minimal.
        if (LOWEST) minimal_open = minimal_open & (~minimal_open + 1'b1);
      end
    end
  endgenerate
endmodule
