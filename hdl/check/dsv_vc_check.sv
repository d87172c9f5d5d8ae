// One virtual channel of an input port.
`include "dsv_check.svh"
module dsv_vc_check #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned PLACES = 6,
  parameter  int unsigned SETS = 3,
  parameter  int unsigned DISCARDS = 0,
  parameter  int unsigned COUNT_AT = dsv_pkg::COUNT_AT_HEAD,
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1,
  localparam int unsigned FLITS_W = $clog2(DEPTH + 1),
  localparam int unsigned PACKETS_W = $clog2(PLACES + 1),
  localparam int unsigned RING_W = PLACES > 1 ? $clog2(PLACES) : 1
) (
  input logic                 clk,
  input logic                 rst,
  input logic [1:0]           state,
  input logic [PLACE_W-1:0]   first,
  input logic [PLACE_W-1:0]   free,
  input logic [FLITS_W-1:0]   flits,
  input logic [PACKETS_W-1:0] packets,
  input logic [RING_W-1:0]    ring_first,
  input logic [RING_W-1:0]    ring_free,
  input logic [PORTS-1:0]     ring_front,
  input logic                 waiting,
  input logic                 grant,
  input logic                 expires,
  input logic                 read,
  input logic [PORTS-1:0]     grant_output,
  input logic [SETS*PORTS-1:0] set_ports,
  input logic [PORTS-1:0]     minimal,
  input logic [PORTS-1:0]     request,
  input logic [PORTS-1:0]     chosen
);
  logic [PORTS-1:0] offered;
  always_comb begin
    offered = '0;
    for (int k = 0; k < SETS; k++) offered = offered | set_ports[k*PORTS +: PORTS];
  end

  `DSV_CHECK(BUFFER_BOUND, flits <= FLITS_W'(DEPTH) && packets <= PACKETS_W'(PLACES),
    ("BUFFER-BOUND: %0d flits and %0d packets in a buffer for %0d and %0d", flits, packets, DEPTH, PLACES))

  // The pointers are as far apart as there are flits.
  logic [31:0] behind;
  assign behind = 32'(first) + 32'(flits);
  `DSV_CHECK(BUFFER_POINTERS, behind == 32'(free) || behind == 32'(free) + DEPTH,
    ("BUFFER-BOUND: %0d flits from place %0d on, and place %0d is the next", flits, first, free))

  generate if (COUNT_AT == dsv_pkg::COUNT_AT_ARRIVAL) begin : g_arrival
    // The same of the packets; the first of them is counted where the front packet is.
    logic [31:0] after;
    assign after = 32'(ring_first) + 32'(packets);
    `DSV_CHECK(RING_POINTERS, after == 32'(ring_free) || after == 32'(ring_free) + PLACES,
      ("BUFFER-BOUND: %0d packets, and the next is counted in place %0d", packets, ring_free))
    `DSV_CHECK(RING_FRONT, state == dsv_pkg::VC_STATE_IDLE || state == dsv_pkg::VC_STATE_DISCARDING || ring_front == minimal,
      ("CONTENTION-EXACT: a packet was counted at another port than %b when it arrived", minimal))
  end else begin : g_head
    logic unused;
    assign unused = &{1'b0, ring_first, ring_free, ring_front};
  end endgenerate

  `DSV_CHECK(BUFFER_EMPTY, !read || (flits != '0 && state != dsv_pkg::VC_STATE_IDLE),
    ("BUFFER-BOUND: a flit leaves an empty buffer"))

  `DSV_CHECK(VC_STATE, DISCARDS != 0 || state != dsv_pkg::VC_STATE_DISCARDING,
    ("ONE-HOT: a VC is in state %0d, which this router does not have", state))

  `DSV_CHECK(HEAD_WAITS, !waiting || flits != '0,
    ("BUFFER-BOUND: a head waits in an empty buffer"))

  // What is discarded asks for nothing.
  `DSV_CHECK(EXPIRES, !expires || (DISCARDS != 0 && waiting && !grant),
    ("ONE-HOT: a packet is discarded in state %0d, granted %b", state, grant))

  `DSV_CHECK(MINIMAL, $onehot(minimal),
    ("ONE-HOT: a packet is counted at the ports %b", minimal))

  // A grant answers a request, which was for a candidate; there is always one to request. What is registered between admission and allocation
  // was requested in the cycle before; where grants are registered, too, in the one before that.
  logic [PORTS-1:0] requested, requested_before;
  always_ff @(posedge clk) begin
    requested        <= request;
    requested_before <= requested;
  end
  `DSV_CHECK(REQUESTED, !grant || (grant_output & ~(request | requested | requested_before)) == '0,
    ("ALLOCATE-MATCH: granted %b, requested %b", grant_output, request))

  `DSV_CHECK(ESCAPE_REQUESTED, !waiting || (chosen != '0 && (chosen & ~(offered | minimal)) == '0),
    ("ESCAPE-REQUESTED: of the candidates %b, %b is asked for", offered, chosen))
endmodule
