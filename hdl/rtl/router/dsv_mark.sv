// Stage 4. Whether a head that has been written into a buffer of this input port in the cycle before meets congestion
// (router-core/src/mark.rs): kept as it arrives, and tested against registers alone.
//
// Its queue is the flits in the buffers of all inputs that wait for its output and one of its VCs there,
// without the head itself. It is marked, by a draw, on two conditions. The queue is longer than the limit of
// the threshold. The output is in the victim mask, or a root: it has room behind the link for the packet,
// once the flits in the FIFO beyond a packet have left.
module dsv_mark #(
  parameter  int unsigned PORTS = 7,
  parameter  int unsigned VCS = 3,
  parameter  int unsigned NODES = 2,
  parameter  int unsigned LOCALS = 3,
  parameter  int unsigned NODE_VCS = 3,
  parameter  int unsigned LOCAL_VCS = 3,
  parameter  int unsigned GLOBAL_VCS = 2,
  parameter  int unsigned NODE_FLITS = 32,
  parameter  int unsigned LOCAL_FLITS = 32,
  parameter  int unsigned GLOBAL_FLITS = 256,
  parameter  int unsigned FLOW = dsv_pkg::FLOW_VCT,
  parameter  int unsigned SETS = 3,
  parameter  int unsigned PORT = 0,
  parameter  int unsigned CREDIT_W = 9,
  parameter  int unsigned QUEUED_W = 6,
  localparam int unsigned LENGTH_W = dsv_pkg::LENGTH_BITS,
  localparam int unsigned WEIGHT_W = 4,
  // Of the flits in all buffers, and of a packet.
  localparam int unsigned SUM_W = CREDIT_W + $clog2(PORTS * VCS + 1),
  localparam int unsigned SIZE_W = CREDIT_W + 4,
  localparam int unsigned ROOM_W = (CREDIT_W > LENGTH_W ? CREDIT_W : LENGTH_W) > QUEUED_W
    ? (CREDIT_W > LENGTH_W ? CREDIT_W : LENGTH_W) : QUEUED_W
) (
  input  logic                          clk,
  // The head that arrives: its candidates, its output, its flits, and 16 random bits.
  input  logic [SETS*PORTS-1:0]         arriving_ports,
  input  logic [SETS*VCS-1:0]           arriving_vcs,
  input  logic [PORTS-1:0]              arriving_minimal,
  input  logic [LENGTH_W-1:0]           arriving_length,
  input  logic [15:0]                   arriving_random,
  // The VC that the head of the cycle before is in; 0 where there is none.
  input  logic [VCS-1:0]                fresh,
  // The front packet of each VC of each input: what it waits for or holds, and the flits behind it.
  input  logic [PORTS*VCS*PORTS-1:0]    waits_port,
  input  logic [PORTS*VCS*VCS-1:0]      waits_vcs,
  input  logic [PORTS*VCS*CREDIT_W-1:0] flits,
  // Each output: credits, and flits in its FIFO that do not leave now.
  input  logic [PORTS*VCS*CREDIT_W-1:0] credits,
  input  logic [PORTS*QUEUED_W-1:0]     queued,
  // Threshold of each VC of each output, the outputs that mark victims, and what all have in common.
  input  logic [PORTS*VCS*WEIGHT_W-1:0] weights,
  input  logic [PORTS-1:0]              victims,
  input  logic [LENGTH_W-1:0]           packet_size,
  input  logic [15:0]                   marking_rate,
  output logic                          mark
);
  // The VCs that each output has.
  logic [PORTS*VCS-1:0] there;
  generate for (genvar o = 0; o < PORTS; o++) begin : g_there
    localparam int unsigned HERE = o < NODES ? NODE_VCS : o < NODES + LOCALS ? LOCAL_VCS : GLOBAL_VCS;
    assign there[o*VCS +: VCS] = {VCS{1'b1}} >> (VCS - HERE);
  end endgenerate

  // The head of the cycle before, with the VCs that it may take at its output.
  logic [VCS-1:0]      vcs, vcs_there;
  logic [PORTS-1:0]    output_port;
  logic [LENGTH_W-1:0] length;
  logic [15:0]         random;
  always_comb begin
    vcs_there = '0;
    for (int k = 0; k < SETS; k++)
      if ((arriving_ports[k*PORTS +: PORTS] & arriving_minimal) != '0) vcs_there = vcs_there | arriving_vcs[k*VCS +: VCS];
    for (int o = 0; o < PORTS; o++) if (arriving_minimal[o]) vcs_there = vcs_there & there[o*VCS +: VCS];
  end
  always_ff @(posedge clk) begin
    output_port <= arriving_minimal;
    vcs         <= vcs_there;
    length      <= arriving_length;
    random      <= arriving_random;
  end

  logic [WEIGHT_W-1:0]      weight, least;
  logic [CREDIT_W-1:0]      depth;
  logic [$clog2(VCS+1)-1:0] lanes;
  logic [SIZE_W-1:0]        size;
  logic [SIZE_W+4:0]        scaled;
  logic [4:0]               share;
  logic [SUM_W-1:0]         queue;
  logic [ROOM_W-1:0]        room, waiting, beyond, needed;
  logic [VCS-1:0]           roomy;
  logic                     waits;
  logic [32:0]              drawn;

  // The highest threshold of its VCs, and their buffers together.
  always_comb begin
    weight  = '0;
    depth   = '0;
    waiting = '0;
    for (int o = 0; o < PORTS; o++) begin
      for (int c = 0; c < VCS; c++) begin
        least = weights[(o*VCS + c)*WEIGHT_W +: WEIGHT_W] & {WEIGHT_W{output_port[o] && vcs[c]}};
        if (least > weight) weight = least;
      end
      if (output_port[o]) begin
        depth   = depth | CREDIT_W'(o < NODES ? NODE_FLITS : o < NODES + LOCALS ? LOCAL_FLITS : GLOBAL_FLITS);
        waiting = waiting | ROOM_W'(queued[o*QUEUED_W +: QUEUED_W]);
      end
    end
  end
  assign lanes  = ($clog2(VCS+1))'($countones(vcs));
  assign size   = SIZE_W'(depth) * SIZE_W'(lanes);
  assign share  = 5'd16 - {1'b0, weight};
  assign scaled = (SIZE_W+5)'(size) * (SIZE_W+5)'(share);

  // The head is a flit of its queue where its VC is.
  always_comb begin
    queue = '0;
    for (int n = 0; n < PORTS * VCS; n++) begin
      waits = (waits_port[n*PORTS +: PORTS] & output_port) != '0 && (waits_vcs[n*VCS +: VCS] & vcs) != '0;
      if (waits) queue = queue + SUM_W'(flits[n*CREDIT_W +: CREDIT_W]);
      if (waits && n / VCS == PORT && fresh[n % VCS]) queue = queue - 1'b1;
    end
  end

  // Room for the packet, less what is in the FIFO beyond one, which has taken its credits.
  assign room   = FLOW == dsv_pkg::FLOW_WORMHOLE ? ROOM_W'(1) : ROOM_W'(length);
  assign beyond = waiting > ROOM_W'(length) ? waiting - ROOM_W'(length) : '0;
  assign needed = beyond < room ? room - beyond : '0;
  always_comb begin
    roomy = '0;
    for (int o = 0; o < PORTS; o++)
      for (int c = 0; c < VCS; c++)
        roomy[c] = roomy[c] | (output_port[o] && vcs[c] && ROOM_W'(credits[(o*VCS + c)*CREDIT_W +: CREDIT_W]) >= needed);
  end

  assign drawn = 33'(random) * (33'(marking_rate) + 1'b1);
  logic unused;
  assign unused = &{1'b0, scaled[3:0], drawn[15:0]};
  assign mark  = weight != '0 && 32'(queue) > 32'(scaled[SIZE_W+4:4])
    && (roomy != '0 || (victims & output_port) != '0) && length >= packet_size && drawn[32:16] == '0;
endmodule
