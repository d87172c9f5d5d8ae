// Stage 5, before allocation: the VCs behind the outputs that have room for all of a packet, and a place for its first flit whatever others take
// before it leaves. Where packets have one of a few lengths, each VC keeps a bit for each of them, and nothing is compared here. Sets of ports behind VC c are planes: bits [c*PORTS +: PORTS].
module dsv_fits #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned CREDIT_W = 9,
  // A packet has SHORTEST flits, or up to LENGTHS - 1 more; with LENGTHS = 0 any number.
  parameter  int unsigned SHORTEST = 8,
  parameter  int unsigned LENGTHS = 0,
  localparam int unsigned ROOMS = LENGTHS > 0 ? LENGTHS : 1,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS
) (
  input  logic [LENGTH_W-1:0]           length,
  input  logic [PORTS*VCS*CREDIT_W-1:0] credits,
  input  logic [VCS*PORTS-1:0]          credited,
  input  logic [ROOMS*VCS*PORTS-1:0]    rooms,    // for each length, a plane for each VC
  output logic [VCS*PORTS-1:0]          fits
);
  logic unused;
  assign unused = &{1'b0, length, credits, credited, rooms};

  generate
    if (LENGTHS == 0) begin : g_any
      for (genvar c = 0; c < VCS; c++) begin : g_vc
        for (genvar p = 0; p < PORTS; p++) begin : g_port
          assign fits[c*PORTS + p] = credited[c*PORTS + p] && 32'(credits[(p*VCS + c)*CREDIT_W +: CREDIT_W]) >= 32'(length);
        end
      end
    end else if (LENGTHS == 1) begin : g_one
      assign fits = rooms;
    end else begin : g_few
      always_comb begin
        fits = '0;
        for (int n = 0; n < LENGTHS; n++) begin
          fits = fits | (rooms[n*VCS*PORTS +: VCS*PORTS] & {(VCS*PORTS){length == LENGTH_W'(SHORTEST + n)}});
        end
      end
    end
  endgenerate
endmodule
