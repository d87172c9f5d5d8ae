// Stage 3. To which groups the global link is congested (router-core/src/exchange/flags.rs, `Flags::contended`), as the router that has it
// says by its flag. By the flags of cycle t, this router's own and what is known of the others, selection goes in t+1.
module dsv_contended_links #(
`include "dsv_route_config.svh"
  localparam int unsigned OTHERS  = LOCALS > 0 ? LOCALS : 1,
  localparam int unsigned FLAGS_W = GLOBALS > 0 ? GLOBALS * GLOBAL_VCS : 1
) (
  input  logic                          clk,
  input  dsv_pkg::address_t             here_router,
  // The flags of this router, and above them those of the routers behind its local ports.
  input  logic [(OTHERS+1)*FLAGS_W-1:0] known,
  output logic [GROUPS-1:0]             contended
);
  localparam int unsigned GROUP_W = GROUPS > 1 ? $clog2(GROUPS) : 1;
  localparam int unsigned LINKS = (LOCALS + 1) * GLOBALS;
  // The VC behind the first global link of a shortest way: through a router that is of the second half of the route.
  localparam int unsigned EXIT_VC = INTERMEDIATE == dsv_pkg::INTERMEDIATE_GROUP ? 0 : 1;

  logic unused;
  assign unused = &{1'b0, known};

  // Each link of the group, router by router, and the group that it leads to.
  logic [LINKS-1:0]         flagged;
  logic [LINKS*GROUP_W-1:0] leads_to;
  generate for (genvar r = 0; r <= LOCALS; r++) begin : g_router
    logic [FLAGS_W-1:0] flags;
    // Routers before this one are behind the local port of their own number, those after it behind the one before.
    if (r == 0) begin : g_first
      assign flags = 32'(here_router.index) == r ? known[FLAGS_W-1:0] : known[FLAGS_W +: FLAGS_W];
    end else if (r == LOCALS) begin : g_last
      assign flags = 32'(here_router.index) == r ? known[FLAGS_W-1:0] : known[r*FLAGS_W +: FLAGS_W];
    end else begin : g_between
      assign flags = 32'(here_router.index) == r ? known[FLAGS_W-1:0]
                   : 32'(here_router.index) > r ? known[(r+1)*FLAGS_W +: FLAGS_W] : known[r*FLAGS_W +: FLAGS_W];
    end
    logic unused_flags;
    assign unused_flags = &{1'b0, flags};

    for (genvar k = 0; k < GLOBALS; k++) begin : g_link
      localparam int unsigned LINK = r * GLOBALS + k;
      logic [GROUP_W-1:0] group;
      assign flagged[LINK] = flags[k*GLOBAL_VCS + EXIT_VC];
      if (ARRANGEMENT == dsv_pkg::ARRANGEMENT_ABSOLUTE) begin : g_by_number
        assign group = GROUP_W'(LINK) + GROUP_W'(32'(here_router.group) <= LINK);
      end else if (ARRANGEMENT == dsv_pkg::ARRANGEMENT_PALMTREE) begin : g_down
        assign group = GROUP_W'(here_router.group) - GROUP_W'(LINK + 1)
                     + (32'(here_router.group) <= LINK ? GROUP_W'(GROUPS) : GROUP_W'(0));
      end else begin : g_up
        assign group = GROUP_W'(here_router.group) + GROUP_W'(LINK + 1)
                     - (32'(here_router.group) + LINK + 1 >= GROUPS ? GROUP_W'(GROUPS) : GROUP_W'(0));
      end
      assign leads_to[LINK*GROUP_W +: GROUP_W] = group;
    end
  end endgenerate

  logic [GROUPS-1:0] congested;
  always_comb begin
    congested = '0;
    for (int n = 0; n < LINKS; n++)
      for (int g = 0; g < GROUPS; g++) if (flagged[n] && leads_to[n*GROUP_W +: GROUP_W] == GROUP_W'(g)) congested[g] = 1'b1;
  end
  // Flags are reset, and no link is congested by none.
  always_ff @(posedge clk) contended <= congested;
endmodule
