// Stage 6. The credit that an input port sends back for the place that a flit leaves, by an output or by none.
module dsv_credit_return #(
  parameter  int unsigned VCS = 3,
  // VCs of this port, and whether they are numbered downwards on its link.
  parameter  int unsigned VCS_HERE = 3,
  parameter  bit          DESCENDS = 1'b0,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  input  logic            clk,
  input  logic            rst,
  // The VC of which a flit leaves, one-hot or 0.
  input  logic [VCS-1:0]  read,
  output logic            credit_valid,
  output logic [VC_W-1:0] credit_vc
);
  logic [VC_W-1:0] read_vc;
  always_comb begin
    read_vc = '0;
    for (int v = 0; v < VCS; v++) read_vc = read_vc | (read[v] ? VC_W'(v) : '0);
  end
  always_ff @(posedge clk) begin
    credit_valid <= !rst && read != '0;
    credit_vc    <= rst || read == '0 ? '0 : DESCENDS ? VC_W'(VCS_HERE - 1) - read_vc : read_vc;
  end
endmodule
