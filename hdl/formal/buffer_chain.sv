// Formal: what the registers of a VC mean. Its places hold a chain of packets, from what is `left` of the one that is leaving to what
// is `expected` of the one that arrives; `is_chain` says that all of it fits together.
module buffer_chain #(
  parameter int unsigned DEPTH = 3,
  parameter int unsigned PLACES = 2,
  parameter int unsigned WIDTH = dsv_pkg::HEADER_BITS,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned PLACE_W = DEPTH > 1 ? $clog2(DEPTH) : 1,
  localparam int unsigned FLITS_W = $clog2(DEPTH + 1),
  localparam int unsigned PACKETS_W = $clog2(PLACES + 1)
) (
  input  logic                   clk,
  input  logic                   rst,
  input  logic                   accept,
  input  logic                   write_head,
  input  logic [PLACE_W-1:0]     first,
  input  logic [PLACE_W-1:0]     free,
  input  logic [FLITS_W-1:0]     flits,
  input  logic [PACKETS_W-1:0]   packets,
  input  logic [LENGTH_W-1:0]    left,
  input  logic [LENGTH_W-1:0]    expected,
  input  logic [DEPTH*WIDTH-1:0] places,
  input  logic                   waiting,
  input  logic                   active,
  output logic                   is_chain,
  // The flit at the front is the head of a waiting packet, or no head.
  output logic                   is_front
);
  // Which places have a head.
  logic [DEPTH-1:0] heads;
  always_ff @(posedge clk) begin
    if (rst) heads <= '0;
    else if (accept) heads[free] <= write_head;
  end

  // Flit by flit from the front on: what is still to come of its packet, and the packets that have begun.
  logic [LENGTH_W-1:0]  to_come, length, front_length;
  logic [PACKETS_W-1:0] begun;
  logic [DEPTH-1:0]     head;
  logic                 fits;
  always_comb begin
    to_come = active ? left : '0;
    begun = PACKETS_W'(active);
    fits = 1'b1;
    head = '0;
    front_length = '0;
    for (int k = 0; k < DEPTH; k++) begin
      length = '0;
      for (int p = 0; p < DEPTH; p++) begin
        if (32'(first) + k == p || 32'(first) + k == p + DEPTH) begin
          length = places[p*WIDTH + WIDTH - 1 -: LENGTH_W];
          head[k] = heads[p];
        end
      end
      if (k == 0) front_length = length;
      if (k < flits) begin
        fits = fits && head[k] == (to_come == '0) && (!head[k] || length != '0);
        begun = begun + PACKETS_W'(head[k]);
        to_come = (head[k] ? length : to_come) - 1'b1;
      end
    end
    is_front = waiting ? head[0] : active && !head[0];
    is_chain = fits && begun == packets && to_come == expected && packets <= PLACES && flits <= DEPTH
      && first < DEPTH && free < DEPTH && (32'(first) + flits == free || 32'(first) + flits == free + DEPTH)
      && (waiting ? flits != '0 && head[0] && left == front_length : (left != '0) == active) && !(waiting && active);
  end
endmodule
