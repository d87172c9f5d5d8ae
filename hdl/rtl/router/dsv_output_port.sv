// Stage 6. One output port: which packets hold the VCs behind it, and the FIFO in front of its link, which takes one flit
// in each link cycle (when it `opens`). A FIFO that is full but opens can take a flit: `accepts`, which is known a cycle ahead. It is
// full with as many places left as it KEEPS.
module dsv_output_port #(
  parameter  int unsigned VCS = 3,
  parameter  int unsigned FLITS = 32,
  parameter  int unsigned FLIT_WIDTH = dsv_pkg::DEFAULT_FLIT_WIDTH,
  // Places that are kept for flits that have been admitted.
  parameter  int unsigned KEEPS = 0,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input  logic                  clk,
  input  logic                  rst,
  input  logic                  opens,
  input  logic                  opens_next,   // in the next cycle
  // The flit that was granted this output, and its VC: as it is kept, and as it is called on the wire.
  input  logic                  push,
  input  logic                  push_head,
  input  logic                  push_tail,
  input  logic [VC_W-1:0]       push_vc,
  input  logic [VC_W-1:0]       push_label,
  input  logic [FLIT_WIDTH-1:0] push_data,
  output logic                  accepts,
  output logic [$clog2(FLITS+1)-1:0] rest,        // flits that do not leave now
  output logic [VCS-1:0]        owned,
  // The wire.
  output logic                  flit_valid,
  output logic                  flit_head,
  output logic                  flit_tail,
  output logic [VC_W-1:0]       flit_vc,
  output logic [FLIT_WIDTH-1:0] flit_data
);
  localparam int unsigned WIDTH = FLIT_WIDTH + VC_W + 2;
  localparam int unsigned PLACE_W = FLITS > 1 ? $clog2(FLITS) : 1;
  localparam int unsigned COUNT_W = $clog2(FLITS + 1);

  logic [WIDTH-1:0]   flits [FLITS];
  logic [PLACE_W-1:0] first, free;
  logic [COUNT_W-1:0] count;
  logic [VCS-1:0]     pushed;
  logic               fills, accepts_next;

  assign flit_valid = opens && count != 0;
  assign {flit_head, flit_tail, flit_vc, flit_data} = flit_valid ? flits[first] : '0;
  assign rest    = count - COUNT_W'(flit_valid);
  generate if (KEEPS > 0) begin : g_keeps
    logic nearly;
    assign fills        = 32'(rest) + (push ? 1 : 0) > FLITS - KEEPS;
    assign nearly       = 32'(rest) + (push ? 1 : 0) >= FLITS - KEEPS;
    assign accepts_next = opens_next ? !fills : !nearly;
  end else begin : g_full
    assign fills        = push ? rest == COUNT_W'(FLITS - 1) : rest == COUNT_W'(FLITS);
    assign accepts_next = opens_next || !fills;
  end endgenerate
  assign pushed  = push ? VCS'(1) << push_vc : '0;

  always_ff @(posedge clk) if (push) flits[free] <= {push_head, push_tail, push_label, push_data};

  always_ff @(posedge clk) begin
    if (rst) begin
      first <= '0;
      free  <= '0;
      count <= '0;
      owned <= '0;
      accepts <= 1'b1;
    end else begin
      if (flit_valid) first <= first == PLACE_W'(FLITS - 1) ? '0 : first + 1'b1;
      if (push)       free  <= free == PLACE_W'(FLITS - 1) ? '0 : free + 1'b1;
      count <= push ? rest + 1'b1 : rest;
      accepts <= accepts_next;
      // The head takes hold of the VC, the tail lets go of it.
      owned <= push_tail ? owned & ~pushed : owned | pushed;
    end
  end
endmodule
