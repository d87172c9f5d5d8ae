// Formal: one VC from reset on, whatever its neighbour sends, legal or not. BUFFER-BOUND, ONE-HOT and
// CONTENTION-EXACT are those of the check that is bound to it. FLIT-WHOLE: packets leave it whole and in
// their order, a head and as many flits in all as its length. NO-LOST-CYCLE: a packet that selection has
// looked ahead at requests an output as it comes to the front.
//
// Assumed of the router around it: routing counts a packet at one port at most, and at none where it is
// discarded. Selection asks for a candidate. A grant answers a request, and goes to a VC with a flit and a
// packet. A packet whose time is up waits, and is not granted. A flit of a discarded packet that is there is
// dropped.
module vc_contract #(
  parameter int unsigned PORTS = 2,
  parameter int unsigned VCS = 2,
  parameter int unsigned DEPTH = 3,
  parameter int unsigned PLACES = 2,
  parameter int unsigned COUNT_AT = dsv_pkg::COUNT_AT_HEAD,
  parameter int unsigned DISCARDS = 0,
  localparam int unsigned WIDTH = dsv_pkg::HEADER_BITS,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1,
  localparam int unsigned FLITS_W = $clog2(DEPTH + 1),
  localparam int unsigned PACKETS_W = $clog2(PLACES + 1),
  localparam int unsigned RING_W = PLACES > 1 ? $clog2(PLACES) : 1
) (
  input logic             clk,
  input logic             rst,
  input logic             mark,
  input logic             write,
  input logic             write_head,
  input logic             write_tail,
  input logic [WIDTH-1:0] write_data,
  input logic [PORTS-1:0] arriving_ports,
  input logic [VCS-1:0]   arriving_vcs,
  input logic             arriving_forced,
  input logic [PORTS-1:0] arriving_minimal,
  input logic [PORTS-1:0] next_ports,
  input logic [VCS-1:0]   next_vcs,
  input logic             next_forced,
  input logic [PORTS-1:0] next_minimal,
  input logic             arriving_discards,
  input logic             next_discards,
  input logic             expires,
  input logic             drop,
  input logic [PORTS-1:0] chosen,
  input logic             grant,
  input logic [PORTS-1:0] grant_output,
  input logic [VC_W-1:0]  grant_out_vc
);
  localparam int unsigned ERRORS = dsv_pkg::PROTOCOL_ERROR_COUNT;
  logic occupied, waiting, active, whole, has_next, has_third, forced, front_is_tail, arrival_rises, next_rises, arrival_no_route, next_no_route;
  logic [LENGTH_W-1:0] length;
  logic [PORTS-1:0]    set_ports, minimal, request, next_counted;
  // Where no group counts together.
  logic                arriving_leaving, next_leaving, leaving;
  assign arriving_leaving = 1'b0;
  assign next_leaving     = 1'b0;
  // And no hops are given.
  logic [dsv_pkg::HOPS_BITS-1:0] arriving_hops, next_hops, set_hops;
  assign arriving_hops = '0;
  assign next_hops     = '0;
  logic                discarding, arrival_discarded, next_discarded;
  logic [VCS-1:0]      set_vcs;
  logic [VC_W-1:0]     out_vc;
  logic [WIDTH-1:0]    front, next;
  logic [ERRORS-1:0]   write_error;
  logic               fresh;
  // Its flits are in an array.
  logic               store, fetch;
  logic [PLACE_W-1:0] store_place, fetch_place;
  logic [WIDTH-1:0]   fetched;
  assign fetched = '0;
  // It shares no places.
  logic               exhausted, takes_shared, leaves_shared;
  assign exhausted = 1'b0;
  logic [FLITS_W-1:0] queued;
  logic [PACKETS_W-1:0] packets;
  logic               finish;

  dsv_vc #(
    .PORTS(PORTS), .VCS(VCS), .DEPTH(DEPTH), .PLACES(PLACES), .FLIT_WIDTH(WIDTH), .COUNT_AT(COUNT_AT), .SETS(1),
    .DISCARDS(DISCARDS)
  ) dut (.*);

  // Registers of `dut`, by the proof's script.
  logic [PLACE_W-1:0]     first, free;
  logic [FLITS_W-1:0]     flits;
  logic [LENGTH_W-1:0]    left, expected;
  logic                   accept;
  logic [DEPTH*WIDTH-1:0] places;
  logic [1:0]             state;
  // With COUNT_AT_ARRIVAL alone.
  logic [PLACES*PORTS-1:0] ring;
  logic [RING_W-1:0]       ring_first;

  logic has_begun;
  initial has_begun = 1'b0;
  always_ff @(posedge clk) has_begun <= 1'b1;
  always_comb if (!has_begun) assume (rst);

  logic [PORTS-1:0] offered;
  assign offered = active ? next_ports | next_counted : set_ports | minimal;
  always_comb begin
    assume ((arriving_minimal & (arriving_minimal - 1'b1)) == '0);
    assume ((next_minimal & (next_minimal - 1'b1)) == '0);
    // A packet that is discarded may offer nothing.
    assume (offered == '0 || (chosen != '0 && (chosen & ~offered) == '0));
    assume (!arriving_discards || arriving_minimal == '0);
    assume (!next_discards || next_counted == '0);
    assume (!expires || (DISCARDS != 0 && waiting && !grant));
    assume (!drop || (DISCARDS != 0 && discarding && occupied && !grant));
    if (grant) begin
      assume (occupied && (waiting || active));
      assume (grant_output != '0 && (grant_output & (grant_output - 1'b1)) == '0 && (grant_output & ~request) == '0);
      assume (32'(grant_out_vc) < VCS);
    end
  end

  // Of a packet that is discarded, its head is gone.
  logic has_dropped;
  always_ff @(posedge clk) begin
    if (rst)       has_dropped <= 1'b0;
    else if (drop) has_dropped <= !front_is_tail;
  end

  // The buffer is a chain of packets: from what is left of the one that is leaving to what is expected of the one that arrives.
  logic                is_chain, is_front;
  buffer_chain #(.DEPTH(DEPTH), .PLACES(PLACES), .WIDTH(WIDTH)) chain (
    .clk, .rst, .accept, .write_head, .first, .free, .flits, .packets, .left, .expected, .places, .waiting(waiting || discarding && !has_dropped), .active(active || discarding && has_dropped), .is_chain, .is_front
  );

  // Each packet of the buffer was counted at one port at most.
  logic is_ring;
  generate if (COUNT_AT == dsv_pkg::COUNT_AT_ARRIVAL) begin : g_arrival
    logic [PORTS-1:0] port;
    always_comb begin
      is_ring = ring_first < PLACES;
      port = '0;
      for (int n = 0; n < PLACES; n++) begin
        for (int p = 0; p < PLACES; p++)
          if (32'(ring_first) + n == p || 32'(ring_first) + n == p + PLACES) port = ring[p*PORTS +: PORTS];
        is_ring = is_ring && (n >= packets || (port & (port - 1'b1)) == '0);
      end
    end
  end else begin : g_head
    assign is_ring = 1'b1;
  end endgenerate

  // What leaves, as if it were a wire.
  logic is_whole;
  logic [LENGTH_W-1:0] to_come;
  packet_order order (
    .clk, .rst, .valid(grant), .head(waiting), .tail(front_is_tail), .length(front[WIDTH - 1 -: LENGTH_W]), .is_whole, .to_come
  );

  // And what is dropped.
  logic is_dropped_whole;
  logic [LENGTH_W-1:0] to_drop;
  packet_order dropped (
    .clk, .rst, .valid(drop), .head(!has_dropped), .tail(front_is_tail), .length(front[WIDTH - 1 -: LENGTH_W]),
    .is_whole(is_dropped_whole), .to_come(to_drop)
  );

  always_comb if (has_begun && !rst) begin
    INVARIANT_CHAIN: assert (is_chain && (packets != '0 || state == dsv_pkg::VC_STATE_IDLE));
    INVARIANT_RING: assert (is_ring);
    INVARIANT_TO_COME: assert (to_come == (active ? left : '0) && to_drop == (has_dropped ? left : '0) && (discarding || !has_dropped));
    FLIT_WHOLE: assert (is_whole && is_dropped_whole && (!(grant || drop) || is_front));
    NO_LOST_CYCLE: assert (!has_moved_up || request != '0);
    // What is discarded asks for nothing.
    ASKS_NOTHING: assert (!discarding || request == '0);
    // A body takes the way of its head.
    VC_OWNED: assert (!active || (request != '0 && (request & (request - 1'b1)) == '0 && 32'(out_vc) < VCS));
  end

  logic has_moved_up;
  always_ff @(posedge clk) has_moved_up <= !rst && active && front_is_tail && packets > 1 && grant && !next_no_route && !next_discarded;

  // Not vacuous: a full buffer gets a flit and loses one; the next packet moves up behind a tail; a packet of more flits than the
  // buffer has places leaves; a flit too many is refused.
  logic was_full;
  logic [FLITS_W-1:0] gone;  // of the packet that leaves
  always_ff @(posedge clk) begin
    was_full <= !rst && flits == DEPTH && write && grant;
    if (rst || grant && front_is_tail) gone <= '0;
    else if (grant && gone != DEPTH) gone <= gone + 1'b1;
  end
  always_comb if (has_begun && !rst) begin
    FULL_AND_MOVING: cover (was_full && flits == DEPTH);
    MOVES_UP: cover (waiting && grant && front_is_tail && packets > 1);
    LONGER_THAN_ITS_BUFFER: cover (grant && front_is_tail && gone == DEPTH);
    REFUSED: cover (write_error[dsv_pkg::PROTOCOL_ERROR_OVERFLOW]);
  end

  // A packet of several flits is dropped, and the next one moves up.
  generate if (DISCARDS != 0) begin : g_discards
    logic has_expired;
    always_ff @(posedge clk) has_expired <= !rst && (expires || has_expired && discarding);
    always_comb if (has_begun && !rst) EXPIRED: cover (drop && has_dropped && front_is_tail && has_expired);
    always_comb if (has_begun && !rst) DROPPED: cover (drop && has_dropped && front_is_tail && packets > 1);
  end endgenerate
endmodule
