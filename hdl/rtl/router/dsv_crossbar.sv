// Stage 6. The crossbar: each output gets the flit of the input that is granted it, with the VC that it takes there.
module dsv_crossbar #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned FLIT_WIDTH = dsv_pkg::DEFAULT_FLIT_WIDTH,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1
) (
  // Per input, one-hot or 0: the output that it is granted; and its flit.
  input  logic [PORTS*PORTS-1:0]      grant_output,
  input  logic [PORTS-1:0]            leaves_head,
  input  logic [PORTS-1:0]            leaves_tail,
  input  logic [PORTS*VC_W-1:0]       leaves_vc,
  input  logic [PORTS*FLIT_WIDTH-1:0] leaves_data,
  // Per output: whether a flit comes, and which.
  output logic [PORTS-1:0]            push,
  output logic [PORTS-1:0]            push_head,
  output logic [PORTS-1:0]            push_tail,
  output logic [PORTS*VC_W-1:0]       push_vc,
  output logic [PORTS*FLIT_WIDTH-1:0] push_data
);
  generate for (genvar o = 0; o < PORTS; o++) begin : g_output
    logic [PORTS-1:0]      from;
    logic [VC_W-1:0]       vc;
    logic [FLIT_WIDTH-1:0] data;
    for (genvar i = 0; i < PORTS; i++) begin : g_from
      assign from[i] = grant_output[i*PORTS + o];
    end
    always_comb begin
      vc   = '0;
      data = '0;
      for (int i = 0; i < PORTS; i++) begin
        vc   = vc | (leaves_vc[i*VC_W +: VC_W] & {VC_W{from[i]}});
        data = data | (leaves_data[i*FLIT_WIDTH +: FLIT_WIDTH] & {FLIT_WIDTH{from[i]}});
      end
    end
    assign push[o]      = from != '0;
    assign push_head[o] = (from & leaves_head) != '0;
    assign push_tail[o] = (from & leaves_tail) != '0;
    assign push_vc[o*VC_W +: VC_W]               = vc;
    assign push_data[o*FLIT_WIDTH +: FLIT_WIDTH] = data;
  end endgenerate
endmodule
