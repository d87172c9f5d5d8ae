// Stage 4. One virtual channel of an input port: its buffer, and the state of its front packet.
//
//        1              2              3
//   IDLE ─────► WAITING ─────► WAITING ─────► ACTIVE          1 a head comes to the front   2 selection
//    ▲         (no request)   (requesting)      │ 4           3 the head is granted
//    └──────────────────────────────────────────┘             4 the tail is granted
//
// A packet that is discarded is DISCARDING instead, from the front, or after it has waited there for too
// long, to its tail. Its flits are dropped, one in each cycle in which none of its input port is granted.
//
// The front packet's candidates are computed once, when it comes to the front. If the buffer is empty, they
// come from the route of the arriving head, else from that of the next head in it, in the cycle in which the
// tail before it is granted. In that cycle selection looks ahead at the next head, so that it requests an
// output as it comes to the front. Before a tail that is a head, too, selection is the waiting packet's own,
// and without SELECT_AHEAD it never looks ahead: the next head then requests an output only if it has no
// choice.
module dsv_vc #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  // Places, and those of them that are kept for this VC: all of them, unless the VCs of the port share the others.
  parameter  int unsigned DEPTH = 32,
  parameter  int unsigned RESERVED = DEPTH,
  parameter  int unsigned PLACES = 6,
  parameter  int unsigned FLIT_WIDTH = dsv_pkg::DEFAULT_FLIT_WIDTH,
  parameter  int unsigned LONGEST = dsv_pkg::DEFAULT_LONGEST,
  parameter  int unsigned COUNT_AT = dsv_pkg::COUNT_AT_HEAD,
  parameter  int unsigned SELECT_AHEAD = 1,
  parameter  int unsigned SETS = 3,
  parameter  int unsigned DISCARDS = 0,
  parameter  int unsigned MARKING = 0,
  parameter  int unsigned SYNCHRONOUS_BUFFERS = 0,
  // Bits of what says which group a packet is leaving for.
  parameter  int unsigned LEAVING_W = 1,
  localparam int unsigned HOPS_W = dsv_pkg::HOPS_BITS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned HEADER_W = dsv_pkg::HEADER_BITS,
  localparam int unsigned ERRORS = dsv_pkg::PROTOCOL_ERROR_COUNT
) (
  input  logic                  clk,
  input  logic                  rst,
  // A head was taken in the cycle before, which is when it is marked.
  output logic                  fresh,
  input  logic                  mark,
  output logic [$clog2(DEPTH+1)-1:0] queued,
  // Where places are shared: whether none is left, and whether a flit takes one, or leaves one.
  input  logic                  exhausted,
  output logic                  takes_shared,
  output logic                  leaves_shared,
  // A flit that arrives, for this VC.
  input  logic                  write,
  input  logic                  write_head,
  input  logic                  write_tail,
  input  logic [FLIT_WIDTH-1:0] write_data,
  // SYNCHRONOUS_BUFFERS: whether it is stored in the memory of the port, and in which place; which place is fetched, and what was.
  output logic                  store,
  output logic [PLACE_W-1:0]    store_place,
  output logic                  fetch,
  output logic [PLACE_W-1:0]    fetch_place,
  input  logic [FLIT_WIDTH-1:0] fetched,
  // Routes, each with the minimal output to be counted at: of the arriving head, and of the next head of the buffer.
  input  logic [SETS*PORTS-1:0] arriving_ports,
  input  logic [SETS*VCS-1:0]   arriving_vcs,
  input  logic [SETS*HOPS_W-1:0] arriving_hops,
  input  logic                  arriving_forced,
  input  logic [PORTS-1:0]      arriving_minimal,
  input  logic [LEAVING_W-1:0]  arriving_leaving,
  input  logic [SETS*PORTS-1:0] next_ports,
  input  logic [SETS*VCS-1:0]   next_vcs,
  input  logic [SETS*HOPS_W-1:0] next_hops,
  input  logic                  next_forced,
  input  logic [PORTS-1:0]      next_minimal,
  input  logic [LEAVING_W-1:0]  next_leaving,
  // Whether they are discarded; then they have no minimal output.
  input  logic                  arriving_discards,
  input  logic                  next_discards,
  // Selection's answer for the front packet, or for the next when it looks ahead.
  input  logic [PORTS-1:0]      chosen,
  // The front flit is granted an output; a head also takes a VC there.
  input  logic                  grant,
  input  logic [PORTS-1:0]      grant_output,
  input  logic [VC_W-1:0]       grant_out_vc,
  // The front packet, which waits, is discarded, and not granted; the front flit of one that is discarded leaves.
  input  logic                  expires,
  input  logic                  drop,
  // The front packet, all packets, and whether the front one is gone behind this cycle; whether the flit behind its first one is here, and the one behind that.
  output logic                  occupied,
  output logic [$clog2(PLACES+1)-1:0] packets,
  output logic                  finish,
  output logic                  waiting,
  output logic                  active,
  output logic                  discarding,
  output logic                  whole,
  output logic                  has_next,
  output logic                  has_third,
  output logic [LENGTH_W-1:0]   length,
  output logic [SETS*PORTS-1:0] set_ports,
  output logic [SETS*VCS-1:0]   set_vcs,
  output logic [SETS*HOPS_W-1:0] set_hops,
  output logic                  forced,
  output logic [PORTS-1:0]      minimal,
  output logic [LEAVING_W-1:0]  leaving,
  output logic [PORTS-1:0]      request,
  output logic [VC_W-1:0]       out_vc,
  output logic [FLIT_WIDTH-1:0] front,
  output logic                  front_is_tail,
  // The head behind it, where it is counted, and whether selection looks ahead at it.
  output logic [HEADER_W-1:0]   next,
  output logic [PORTS-1:0]      next_counted,
  // Contention counters that a packet raises, and errors.
  output logic                  arrival_rises,
  output logic                  next_rises,
  output logic [ERRORS-1:0]     write_error,
  output logic                  arrival_no_route,
  output logic                  next_no_route,
  // A packet that comes to the front is discarded: the one that arrives, or the next one.
  output logic                  arrival_discarded,
  output logic                  next_discarded
);
  localparam int unsigned LEFT_W = $clog2(LONGEST + 1);
  localparam int unsigned FLITS_W = $clog2(DEPTH + 1);
  localparam int unsigned PACKETS_W = $clog2(PLACES + 1);
  localparam int unsigned RING_W = PLACES > 1 ? $clog2(PLACES) : 1;
  localparam int unsigned LAST = DEPTH - 1;

  logic [PLACE_W-1:0]    first, second, free, newest;
  logic [FLIT_WIDTH-1:0] behind;
  logic [FLITS_W-1:0]    flits;
  logic [LEFT_W-1:0]     left, expected, write_length, next_length, shown_length;
  dsv_pkg::vc_state_t    state;
  logic                  read, accept, accept_head, is_only, is_full, needs_shared, has_shared, leaves_none, fronts, moves_up, routable;
  logic                  arriving_is_routable, next_is_routable;
  logic [PORTS-1:0]      shown_minimal, next_only;
  logic [SETS*PORTS-1:0] shown_ports;
  logic [SETS*VCS-1:0]   shown_vcs;
  // COUNT_AT_ARRIVAL: where in `ring` the front packet is counted, and where the next that arrives will be.
  logic [RING_W-1:0]     ring_first, ring_free;
  logic [PORTS-1:0]      ring_front;

  assign occupied      = flits != '0;
  assign waiting       = state == dsv_pkg::VC_STATE_WAITING;
  assign active        = state == dsv_pkg::VC_STATE_ACTIVE;
  assign discarding    = DISCARDS != 0 && state == dsv_pkg::VC_STATE_DISCARDING;
  assign whole         = 32'(flits) >= 32'(left);
  assign front_is_tail = left == LEFT_W'(1);
  assign has_next      = flits > FLITS_W'(1) && !front_is_tail;
  assign has_third     = 32'(flits) > 2 && 32'(left) > 2;
  assign second        = first == PLACE_W'(LAST) ? '0 : first + 1'b1;
  assign next          = behind[FLIT_WIDTH-1 -: HEADER_W];
  assign length        = LENGTH_W'(front[FLIT_WIDTH - HEADER_W + dsv_pkg::LENGTH_AT +: LEFT_W]);
  assign next_length   = next[dsv_pkg::LENGTH_AT +: LEFT_W];

  // What a granted flit leaves behind comes first, then the arriving flit.
  // The grant is known last: nothing but selections depends on it.
  assign read         = grant || DISCARDS != 0 && drop;
  assign finish       = read && front_is_tail;
  assign is_only      = packets == PACKETS_W'(1);
  assign is_full      = !read && (flits == FLITS_W'(DEPTH) || needs_shared && exhausted);
  assign leaves_none  = packets == '0 || finish && is_only;
  assign write_length = write_data[FLIT_WIDTH - HEADER_W + dsv_pkg::LENGTH_AT +: LEFT_W];

  // The reserved places are in use, and shared ones are.
  generate if (RESERVED < DEPTH) begin : g_shares
    assign needs_shared = flits >= FLITS_W'(RESERVED);
    assign has_shared   = flits > FLITS_W'(RESERVED);
  end else begin : g_shares_none
    assign {needs_shared, has_shared} = '0;
  end endgenerate

  always_comb begin
    write_error = '0;
    if (!write) write_error = '0;
    else if (is_full) write_error[dsv_pkg::PROTOCOL_ERROR_OVERFLOW] = 1'b1;
    else if (write_head) begin
      if (expected != '0)                           write_error[dsv_pkg::PROTOCOL_ERROR_HEAD_INSIDE_PACKET] = 1'b1;
      else if (write_length == '0)                  write_error[dsv_pkg::PROTOCOL_ERROR_NO_FLITS] = 1'b1;
      else if (packets == PACKETS_W'(PLACES) && !finish) write_error[dsv_pkg::PROTOCOL_ERROR_TOO_MANY_PACKETS] = 1'b1;
    end else if (expected == '0)                    write_error[dsv_pkg::PROTOCOL_ERROR_BODY_WITHOUT_HEAD] = 1'b1;
    else if (write_tail != (expected == LEFT_W'(1))) write_error[dsv_pkg::PROTOCOL_ERROR_WRONG_LENGTH] = 1'b1;
  end

  assign accept      = write && write_error == '0;
  assign takes_shared  = accept && (has_shared || needs_shared && !read);
  assign leaves_shared = read && has_shared;
  assign accept_head = accept && write_head;
  assign fronts      = accept_head && leaves_none;
  assign moves_up    = finish && !is_only;
  assign arriving_is_routable = arriving_minimal != '0;
  assign next_is_routable     = next_counted != '0 && next_minimal != '0;
  assign routable         = fronts && arriving_is_routable || moves_up && next_is_routable;
  assign arrival_discarded = DISCARDS != 0 && fronts && arriving_discards;
  assign next_discarded    = DISCARDS != 0 && moves_up && next_discards;
  assign arrival_no_route = fronts && !arriving_is_routable && !arrival_discarded;
  assign next_no_route    = moves_up && !next_is_routable && !next_discarded;

  assign shown_ports = fronts ? arriving_ports : next_ports;
  assign shown_vcs   = fronts ? arriving_vcs : next_vcs;
  assign shown_length = fronts ? write_length : next_length;

  // The only output by which the next packet may leave, if there is but one.
  always_comb begin
    next_only = '0;
    for (int k = 0; k < SETS; k++) next_only = next_only | next_ports[k*PORTS +: PORTS];
    if ((next_only & (next_only - 1'b1)) != '0) next_only = '0;
  end

  generate
    if (COUNT_AT == dsv_pkg::COUNT_AT_ARRIVAL) begin : g_arrival
      // Where each packet of the buffer was counted when it arrived.
      logic [PORTS-1:0]  ring [PLACES];
      logic [RING_W-1:0] ring_second;
      assign ring_second   = ring_first == RING_W'(PLACES - 1) ? '0 : ring_first + 1'b1;
      assign ring_front    = ring[ring_first];
      assign next_counted  = ring[ring_second];
      assign shown_minimal = fronts ? arriving_minimal : next_counted;
      assign arrival_rises = accept && write_head;
      assign next_rises    = 1'b0;

      logic unused;
      assign unused = &{1'b0, ring_front};

      always_ff @(posedge clk) if (accept_head) ring[ring_free] <= arriving_minimal;
      always_ff @(posedge clk) begin
        if (rst) begin
          ring_first <= '0;
          ring_free  <= '0;
        end else begin
          if (finish)               ring_first <= ring_second;
          if (accept_head) ring_free <= ring_free == RING_W'(PLACES - 1) ? '0 : ring_free + 1'b1;
        end
      end
    end else begin : g_head
      assign next_counted  = next_minimal;
      assign shown_minimal = fronts ? arriving_minimal : next_counted;
      assign arrival_rises = fronts;
      assign next_rises    = moves_up && next_is_routable;
      assign ring_first    = '0;
      assign ring_free     = '0;
      assign ring_front    = '0;

      logic unused;
      assign unused = &{1'b0, ring_first, ring_free, ring_front};
    end
  endgenerate

  assign queued      = flits;
  assign store_place = free;
  always_ff @(posedge clk) fresh <= accept_head;
  always_ff @(posedge clk) if (accept) newest <= free;

  // The flits: two of them in registers and the others in the memory of the port, or all in an array that is read at two places.
  logic unused_behind;
  assign unused_behind = &{1'b0, behind};
  generate if (SYNCHRONOUS_BUFFERS != 0) begin : g_first
    dsv_first_flits #(.DEPTH(DEPTH), .FLIT_WIDTH(FLIT_WIDTH), .MARKING(MARKING)) first_flits (
      .clk, .rst, .flits, .read, .accept, .free, .write_data, .marks(fresh && mark), .newest, .second_place(second), .fetch, .fetch_place,
      .fetched, .store, .first(front), .second(behind)
    );
  end else begin : g_buffer
    logic [FLIT_WIDTH-1:0] buffer [DEPTH];
    assign front  = buffer[first];
    assign behind = buffer[second];
    always_ff @(posedge clk) begin
      if (accept) buffer[free] <= write_data;
      if (fresh && mark) buffer[newest][FLIT_WIDTH - HEADER_W + dsv_pkg::MARKS_AT + dsv_pkg::MARKS_FORWARD_AT] <= 1'b1;
    end

    logic unused;
    assign unused = &{1'b0, fetched};
    assign {store, fetch} = '0;
    assign fetch_place    = '0;
  end endgenerate

  // The buffer.
  always_ff @(posedge clk) begin
    if (rst) begin
      first    <= '0;
      free     <= '0;
      flits    <= '0;
      packets  <= '0;
      expected <= '0;
    end else begin
      if (read)   first <= second;
      if (accept) free <= free == PLACE_W'(LAST) ? '0 : free + 1'b1;
      if (read != accept)        flits   <= read ? flits - 1'b1 : flits + 1'b1;
      if (finish != accept_head) packets <= finish ? packets - 1'b1 : packets + 1'b1;
      if (accept) expected <= (write_head ? write_length : expected) - 1'b1;
    end
  end

  // What is chosen is known last: it goes through one gate.
  logic             takes_chosen;
  logic [PORTS-1:0] next_request;
  assign takes_chosen = !rst && !arrival_discarded && !next_discarded && (routable ? SELECT_AHEAD != 0 && !fronts && active
    : !read && waiting && !(DISCARDS != 0 && expires));
  always_comb begin
    next_request = request;
    if (rst || arrival_discarded || next_discarded) next_request = '0;
    else if (routable)  next_request = fronts || active && SELECT_AHEAD != 0 ? '0 : next_only;
    else if (finish)    next_request = '0;
    else if (waiting)   next_request = read ? grant_output : '0;
  end
  always_ff @(posedge clk) request <= next_request | (chosen & {PORTS{takes_chosen}});

  // The front packet.
  always_ff @(posedge clk) begin
    if (rst) begin
      state      <= dsv_pkg::VC_STATE_IDLE;
      left       <= '0;
      set_ports  <= '0;
      set_vcs    <= '0;
      set_hops   <= '0;
      forced     <= 1'b0;
      minimal    <= PORTS'(1);
      leaving    <= '0;
      out_vc     <= '0;
    end else if (arrival_discarded || next_discarded) begin
      state      <= dsv_pkg::VC_STATE_DISCARDING;
      left       <= shown_length;
    end else if (routable) begin
      state      <= dsv_pkg::VC_STATE_WAITING;
      left       <= shown_length;
      set_ports  <= shown_ports;
      set_vcs    <= shown_vcs;
      set_hops   <= fronts ? arriving_hops : next_hops;
      forced     <= fronts ? arriving_forced : next_forced;
      minimal    <= shown_minimal;
      leaving    <= fronts ? arriving_leaving : next_leaving;
    end else if (finish) begin
      state      <= dsv_pkg::VC_STATE_IDLE;
      left       <= '0;
      leaving    <= '0;
    end else if (read) begin
      left       <= left - 1'b1;
      if (waiting) begin
        state    <= dsv_pkg::VC_STATE_ACTIVE;
        out_vc   <= grant_out_vc;
      end
    end else if (waiting && DISCARDS != 0 && expires) begin
      state      <= dsv_pkg::VC_STATE_DISCARDING;
    end
  end
endmodule
