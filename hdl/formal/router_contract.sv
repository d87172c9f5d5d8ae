// Formal: a whole router, as small as one can be, from reset on, with neighbours that keep to the contract of a link. Each check of each
// module in it holds, and CREDIT-CONSERVED: credits, flits on the way, flits in the buffer and credits on the way back make up the
// buffer's depth, on each VC of each link.
//
// Assumed: `link_contract`, of each neighbour; all ports are connected; the seed is not 0. The routing table is whatever it is.
module router_contract #(
  parameter int unsigned VCS = 1,
  parameter int unsigned DEPTH = 2,
  parameter int unsigned OUTPUT_FLITS = 1,
  parameter int unsigned SPEEDUP = 1,
  parameter int unsigned PIPELINE = 4,
  localparam int unsigned PORTS = 2,
  localparam int unsigned ROWS = 2,
  localparam int unsigned FLIT_WIDTH = dsv_pkg::HEADER_BITS,
  localparam int unsigned COUNTER_WIDTH = 3,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned HELD_W = $clog2(DEPTH + 1),
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1,
  localparam int unsigned PLACES = (DEPTH > 2 ? DEPTH - 2 : 0) + 2 < DEPTH ? (DEPTH > 2 ? DEPTH - 2 : 0) + 2 : DEPTH,
  localparam int unsigned PACKETS_W = $clog2(PLACES + 1),
  localparam int unsigned OUT_PLACE_W = OUTPUT_FLITS > 1 ? $clog2(OUTPUT_FLITS) : 1,
  localparam int unsigned OUT_COUNT_W = $clog2(OUTPUT_FLITS + 1),
  localparam int unsigned WIDTH = FLIT_WIDTH + VC_W + 2,
  localparam int unsigned N = PORTS * VCS
) (
  input logic                                 clk,
  input logic                                 rst,
  input logic [dsv_pkg::ROUTER_BITS-1:0]      config_router,
  input logic [31:0]                          config_seed,
  input logic                                 table_write,
  input logic [PORTS-1:0]                     table_ports,
  input logic [PORTS-1:0]                     flit_in_valid,
  input logic [PORTS-1:0]                     flit_in_head,
  input logic [PORTS-1:0]                     flit_in_tail,
  input logic [PORTS*VC_W-1:0]                flit_in_vc,
  input logic [PORTS*FLIT_WIDTH-1:0]          flit_in_data,
  input logic [PORTS-1:0]                     credit_in_valid,
  input logic [PORTS*VC_W-1:0]                credit_in_vc
);
  logic [PORTS-1:0]            flit_out_valid, flit_out_head, flit_out_tail, credit_out_valid;
  logic [PORTS*VC_W-1:0]       flit_out_vc, credit_out_vc;
  logic [PORTS*FLIT_WIDTH-1:0] flit_out_data;
  dsv_router #(
    .NODES(1), .LOCALS(1), .GLOBALS(0), .GROUPS(1), .VCS(VCS), .NODE_VCS(VCS), .LOCAL_VCS(VCS), .GLOBAL_VCS(VCS),
    .TABLE_ROUTERS(ROWS), .ROUTING(dsv_pkg::ROUTING_TABLE), .NODE_FLITS(DEPTH), .LOCAL_FLITS(DEPTH), .GLOBAL_FLITS(DEPTH),
    .SHORTEST(1), .OUTPUT_FLITS(OUTPUT_FLITS), .SPEEDUP(SPEEDUP), .FLIT_WIDTH(FLIT_WIDTH), .COUNTER_WIDTH(COUNTER_WIDTH),
    .TRIGGER(dsv_pkg::TRIGGER_NEVER), .ARBITER(dsv_pkg::ARBITER_ROUND_ROBIN), .ITERATIONS(1),
    .PIPELINE(PIPELINE)
  ) dut (
    .clk, .rst, .config_router, .config_wired('1), .config_exits('0), .config_seed,
    .config_contention_threshold('0), .config_contention_factor('0), .config_minimal_occupancy('0), .config_relative_threshold('0),
    .config_restriction('0), .config_restriction_factor('0), .config_restriction_packets('0), .config_occupancy_enable('0),
    .config_contention_enable('0), .config_load('0), .table_bank('0), .table_write, .table_row(dsv_pkg::ROUTER_BITS'(1)), .table_ports,
    .flit_in_valid, .flit_in_head, .flit_in_tail, .flit_in_vc, .flit_in_data, .credit_in_valid, .credit_in_vc,
    .flit_out_valid, .flit_out_head, .flit_out_tail, .flit_out_vc, .flit_out_data, .credit_out_valid, .credit_out_vc,
    .table_read_row('0), .config_combined_threshold('0), .config_ugal_bias('0), .notice_in_valid('0), .notice_in_counts('0)
  );

  // Registers of `dut` and of its checks, by the proof's script. The input registers:
  logic [PORTS-1:0]            wired, flit_valid, flit_head, flit_tail, credit_valid;
  logic [PORTS*VC_W-1:0]       flit_vc, credit_vc;
  logic [PORTS*FLIT_WIDTH-1:0] flit_data;
  // Each VC:
  logic [N*PLACE_W-1:0]          vc_first, vc_free;
  logic [N*HELD_W-1:0]           vc_flits;
  logic [N*PACKETS_W-1:0]        vc_packets;
  logic [N*LENGTH_W-1:0]         vc_left, vc_expected;
  logic [N*DEPTH*FLIT_WIDTH-1:0] vc_places;
  logic [N-1:0]                  vc_accept, vc_waiting, vc_active;
  logic [N*PORTS-1:0]            vc_request, vc_minimal, vc_ports;
  logic [N*VC_W-1:0]             vc_out_vc;
  // What it asks the allocator for, which is a register in a pipeline of five:
  logic [N*PORTS-1:0]            want;
  logic [N*VC_W-1:0]             want_out_vc;
  // Each output, each VC behind one, and the input VC whose packet holds it as the check of the router sees it:
  logic [PORTS*OUT_PLACE_W-1:0]        out_first, out_free;
  logic [PORTS*OUT_COUNT_W-1:0]        out_count;
  logic [PORTS*OUTPUT_FLITS*WIDTH-1:0] out_places;
  logic [N*LENGTH_W-1:0]               on_wire;
  logic [N-1:0]                        owned;
  logic [N*HELD_W-1:0]                 credits;
  logic [N*N-1:0]                      holder;

  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;
  always_comb begin
    if (!has_begun) assume (rst);
    assume (config_seed != '0);
  end

  // The neighbours.
  logic [N*HELD_W-1:0]   held_here, held_there;
  logic [N*LENGTH_W-1:0] to_come_here, to_come_there;
  generate for (genvar p = 0; p < PORTS; p++) begin : g_link
    link_contract #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_WIDTH(FLIT_WIDTH), .SENDS(1'b0)) into (
      .clk, .rst, .flit_valid(flit_in_valid[p]), .flit_head(flit_in_head[p]), .flit_tail(flit_in_tail[p]),
      .flit_vc(flit_in_vc[p*VC_W +: VC_W]), .flit_data(flit_in_data[p*FLIT_WIDTH +: FLIT_WIDTH]),
      .credit_valid(credit_out_valid[p]), .credit_vc(credit_out_vc[p*VC_W +: VC_W]),
      .held(held_here[p*VCS*HELD_W +: VCS*HELD_W]), .to_come(to_come_here[p*VCS*LENGTH_W +: VCS*LENGTH_W])
    );
    link_contract #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_WIDTH(FLIT_WIDTH), .SENDS(1'b1)) out_of (
      .clk, .rst, .flit_valid(flit_out_valid[p]), .flit_head(flit_out_head[p]), .flit_tail(flit_out_tail[p]),
      .flit_vc(flit_out_vc[p*VC_W +: VC_W]), .flit_data(flit_out_data[p*FLIT_WIDTH +: FLIT_WIDTH]),
      .credit_valid(credit_in_valid[p]), .credit_vc(credit_in_vc[p*VC_W +: VC_W]),
      .held(held_there[p*VCS*HELD_W +: VCS*HELD_W]), .to_come(to_come_there[p*VCS*LENGTH_W +: VCS*LENGTH_W])
    );
  end endgenerate

  logic [PORTS-1:0] is_place;
  generate for (genvar p = 0; p < PORTS; p++) begin : g_place
    assign is_place[p] = out_first[p*OUT_PLACE_W +: OUT_PLACE_W] < OUTPUT_FLITS && out_free[p*OUT_PLACE_W +: OUT_PLACE_W] < OUTPUT_FLITS;
  end endgenerate

  // Where the packets are.
  logic [N-1:0] is_wanted, is_chain, is_arriving, is_conserved_here, is_routed, is_held, is_queue, is_on_wire, is_conserved_there;
  generate
    for (genvar n = 0; n < N; n++) begin : g_vc
      localparam int unsigned P = n / VCS;
      localparam int unsigned V = n % VCS;
      logic                waiting, active, arrives, leaves, comes_back, unused;
      logic [LENGTH_W-1:0] length, expected, left;
      logic [PORTS-1:0]    request;
      assign waiting = vc_waiting[n];
      assign active  = vc_active[n];
      buffer_chain #(.DEPTH(DEPTH), .PLACES(PLACES), .WIDTH(FLIT_WIDTH)) chain (
        .clk, .rst, .accept(vc_accept[n]), .write_head(flit_head[P]), .first(vc_first[n*PLACE_W +: PLACE_W]),
        .free(vc_free[n*PLACE_W +: PLACE_W]), .flits(vc_flits[n*HELD_W +: HELD_W]), .packets(vc_packets[n*PACKETS_W +: PACKETS_W]),
        .left(vc_left[n*LENGTH_W +: LENGTH_W]), .expected(vc_expected[n*LENGTH_W +: LENGTH_W]),
        .places(vc_places[n*DEPTH*FLIT_WIDTH +: DEPTH*FLIT_WIDTH]), .waiting, .active, .is_chain(is_chain[n]), .is_front(unused)
      );
      // The flit in the input register goes on with the packet that is arriving.
      assign arrives  = flit_valid[P] && 32'(flit_vc[P*VC_W +: VC_W]) == V;
      assign length   = flit_data[P*FLIT_WIDTH + FLIT_WIDTH - 1 -: LENGTH_W];
      assign expected = vc_expected[n*LENGTH_W +: LENGTH_W];
      assign left     = !arrives ? expected : flit_head[P] ? length - 1'b1 : expected - 1'b1;
      assign is_arriving[n] = left == to_come_here[n*LENGTH_W +: LENGTH_W]
        && (!arrives || flit_head[P] == (expected == '0) && (!flit_head[P] || length != '0) && flit_tail[P] == (left == '0));
      assign leaves = credit_out_valid[P] && 32'(credit_out_vc[P*VC_W +: VC_W]) == V;
      assign is_conserved_here[n] = 32'(held_here[n*HELD_W +: HELD_W])
        == 32'(arrives) + 32'(vc_flits[n*HELD_W +: HELD_W]) + 32'(leaves) && held_here[n*HELD_W +: HELD_W] <= DEPTH;

      // A packet that waits has a candidate; one that leaves goes one way.
      assign request = vc_request[n*PORTS +: PORTS];
      assign is_routed[n] = (!waiting || (vc_minimal[n*PORTS +: PORTS] & vc_ports[n*PORTS +: PORTS]) != '0)
        && (!waiting || PIPELINE == 4 || (request & (request - 1'b1)) == '0)
        && (!active || request != '0 && (request & (request - 1'b1)) == '0 && 32'(vc_out_vc[n*VC_W +: VC_W]) < VCS);

      // What is allocated in this cycle is legal in it: the flit is here, it goes where its packet does, or the VC there is free, and there is a
      // credit.
      logic [PORTS-1:0] wanted;
      logic [VC_W-1:0]  wanted_vc;
      logic [N-1:0]     some, none;
      assign wanted    = want[n*PORTS +: PORTS];
      assign wanted_vc = want_out_vc[n*VC_W +: VC_W];
      always_comb for (int m = 0; m < N; m++) begin
        some[m] = wanted[m / VCS] && 32'(wanted_vc) == m % VCS && credits[m*HELD_W +: HELD_W] != '0;
        none[m] = wanted[m / VCS] && 32'(wanted_vc) == m % VCS && !owned[m];
      end
      assign is_wanted[n] = PIPELINE == 4 || wanted == '0 || (wanted & (wanted - 1'b1)) == '0 && some != '0
        && vc_flits[n*HELD_W +: HELD_W] != '0
        && (active ? wanted == request && wanted_vc == vc_out_vc[n*VC_W +: VC_W] : waiting && none != '0);

      // Behind output P, VC V: the packets that leave for it, of which there is one at most, and what is left of it.
      logic [N-1:0]        from;
      logic [LENGTH_W-1:0] given;
      always_comb begin
        given = '0;
        for (int m = 0; m < N; m++) begin
          from[m] = vc_active[m] && vc_request[m*PORTS + P] && 32'(vc_out_vc[m*VC_W +: VC_W]) == V;
          given = given | (vc_left[m*LENGTH_W +: LENGTH_W] & {LENGTH_W{from[m]}});
        end
      end
      assign is_held[n] = (from & (from - 1'b1)) == '0 && holder[n*N +: N] == from && owned[n] == (from != '0);

      logic [OUT_COUNT_W-1:0] in_fifo;
      queue_order #(.VCS(VCS), .FLITS(OUTPUT_FLITS), .VC(V)) queue (
        .first(out_first[P*OUT_PLACE_W +: OUT_PLACE_W]), .count(out_count[P*OUT_COUNT_W +: OUT_COUNT_W]),
        .places(out_places[P*OUTPUT_FLITS*WIDTH +: OUTPUT_FLITS*WIDTH]), .on_wire(on_wire[n*LENGTH_W +: LENGTH_W]), .given,
        .is_queue(is_queue[n]), .flits(in_fifo)
      );
      assign is_on_wire[n] = on_wire[n*LENGTH_W +: LENGTH_W] == to_come_there[n*LENGTH_W +: LENGTH_W];
      assign comes_back = credit_valid[P] && 32'(credit_vc[P*VC_W +: VC_W]) == V;
      assign is_conserved_there[n] = 32'(credits[n*HELD_W +: HELD_W]) + 32'(in_fifo) + 32'(held_there[n*HELD_W +: HELD_W])
        + 32'(comes_back) == DEPTH;
    end
  endgenerate

  always_comb if (has_begun && !rst) begin
    INVARIANT_WIRED: assert (&wired);
    INVARIANT_VCS: assert (&is_chain && &is_arriving && &is_routed && &is_wanted);
    INVARIANT_OUTPUTS: assert (&is_place && &is_held && &is_queue && &is_on_wire);
    CREDIT_CONSERVED: assert (&is_conserved_here && &is_conserved_there);
  end

  // Not vacuous: every input has a flit in its buffer, after a reset and with neighbours that keep to the contract.
  logic [N-1:0] has_flit;
  generate for (genvar n = 0; n < N; n++) begin : g_flit
    assign has_flit[n] = vc_flits[n*HELD_W +: HELD_W] != '0;
  end endgenerate
  always_comb if (has_begun && !rst) begin
    ALL_HAVE_FLITS: cover (&has_flit);
  end
endmodule
