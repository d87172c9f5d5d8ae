// One step of a CRC with the polynomial of the frames: `bits` follow what `so_far` is the checksum of, highest bit first.
module dsv_checksum #(
  parameter int unsigned BITS = 1
) (
  input  logic [15:0]     so_far,
  input  logic [BITS-1:0] bits,
  output logic [15:0]     next
);
  always_comb begin
    next = so_far;
    for (int k = 0; k < BITS; k++) begin
      next = {next[14:0], 1'b0} ^ (dsv_registers_pkg::FRAME_POLYNOMIAL & {16{next[15] ^ bits[BITS-1-k]}});
    end
  end
endmodule
