// Formal: packets on one VC, one after the other, each whole: a head, and as many flits in all as it says, the tail last.
module packet_order #(
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS
) (
  input  logic                clk,
  input  logic                rst,
  input  logic                valid,
  input  logic                head,
  input  logic                tail,
  // What the flit says if it is a head.
  input  logic [LENGTH_W-1:0] length,
  output logic                is_whole,
  // Flits of the packet that have yet to come.
  output logic [LENGTH_W-1:0] to_come
);
  logic [LENGTH_W-1:0] now;
  assign now = head ? length : to_come;
  assign is_whole = !valid || (head == (to_come == '0) && now != '0 && tail == (now == 1));
  always_ff @(posedge clk) begin
    if (rst) to_come <= '0;
    else if (valid) to_come <= now - 1'b1;
  end
endmodule
