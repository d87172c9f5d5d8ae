// What lockstep sees of the flits in a buffer: the words of a head at the front, exclusive-or. It stays there until it is granted,
// so a pointer or a place that went wrong shows while the packet waits.
module dsv_front_probe #(
  parameter  int unsigned FLIT_WIDTH = 128,
  localparam int unsigned WORDS = (FLIT_WIDTH + 31) / 32
) (
  input logic                  shows,
  input logic [FLIT_WIDTH-1:0] front
);
  logic [WORDS*32-1:0] words;
  logic [31:0]         value /*verilator public_flat_rd*/;
  always_comb begin
    words = shows ? (WORDS*32)'(front) : '0;
    value = '0;
    for (int n = 0; n < WORDS; n++) value = value ^ words[n*32 +: 32];
  end
endmodule

bind dsv_vc dsv_front_probe #(.FLIT_WIDTH(FLIT_WIDTH)) front_probe (.shows(occupied && !active && !discarding), .front);
