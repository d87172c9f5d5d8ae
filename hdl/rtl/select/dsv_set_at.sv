// Stage 3. The VCs of the set that stands for a kind of hop at a port: of the first set of the kind that holds the port, or of the
// first at all where none does (router-core/src/route/candidates.rs, `Candidates::first_of`).
module dsv_set_at #(
  parameter int unsigned PORTS = 7,
  parameter int unsigned VCS   = 3,
  parameter int unsigned SETS  = 3,
  parameter logic [31:0] KINDS = 32'h020100,   // kind of hop of each set, a byte each
  parameter logic [7:0]  KIND  = 8'(dsv_pkg::HOP_KIND_MINIMAL)
) (
  input  logic [SETS*PORTS-1:0] set_ports,
  input  logic [SETS*VCS-1:0]   set_vcs,
  input  logic [PORTS-1:0]      port,
  output logic [VCS-1:0]        vcs
);
  // Whether there is more than one set of the kind.
  localparam logic [3:0] OF_KIND = {SETS > 3 && KINDS[31:24] == KIND, SETS > 2 && KINDS[23:16] == KIND,
                                    SETS > 1 && KINDS[15:8] == KIND, KINDS[7:0] == KIND};
  localparam bit SEVERAL = (OF_KIND & (OF_KIND - 4'd1)) != '0;

  logic unused;
  assign unused = &{1'b0, set_ports, set_vcs, port};

  always_comb begin
    vcs = '0;
    for (int k = SETS - 1; k >= 0; k--) begin
      if (KINDS[k*8 +: 8] == KIND && (!SEVERAL || set_ports[k*PORTS +: PORTS] != '0)) vcs = set_vcs[k*VCS +: VCS];
    end
    for (int k = SETS - 1; k >= 0; k--) begin
      if (KINDS[k*8 +: 8] == KIND && SEVERAL && (set_ports[k*PORTS +: PORTS] & port) != '0) vcs = set_vcs[k*VCS +: VCS];
    end
  end
endmodule
