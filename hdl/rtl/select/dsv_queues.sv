// Stage 3. What the UGAL trigger compares (router-core/src/select/ugal.rs): the queue of each output, or of each VC behind it, times each number of
// hops that a way may have. Once for the whole router, and before it is known by which output a way leads: a product takes longer than to
// choose among products. Flits in all VCs behind an output and products of flits follow what comes and goes, and nothing is added or multiplied
// behind them. Where grants are registered (KNOWN), what a cycle brings is known early in it, and they are registers. Where it is known after
// allocation, they are those of the cycle before, or of one flit more or less: what came or went then picks one.
module dsv_queues #(
  parameter  int unsigned NODES         = dsv_pkg::DEFAULT_NODES,
  parameter  int unsigned LOCALS        = dsv_pkg::DEFAULT_LOCALS,
  parameter  int unsigned GLOBALS       = dsv_pkg::DEFAULT_GLOBALS,
  parameter  int unsigned VCS           = dsv_pkg::DEFAULT_VCS,
  parameter  int unsigned NODE_VCS      = dsv_pkg::DEFAULT_NODE_VCS,
  parameter  int unsigned LOCAL_VCS     = dsv_pkg::DEFAULT_LOCAL_VCS,
  parameter  int unsigned GLOBAL_VCS    = dsv_pkg::DEFAULT_GLOBAL_VCS,
  parameter  int unsigned NODE_FLITS    = dsv_pkg::DEFAULT_NODE_FLITS,
  parameter  int unsigned LOCAL_FLITS   = dsv_pkg::DEFAULT_LOCAL_FLITS,
  parameter  int unsigned GLOBAL_FLITS  = dsv_pkg::DEFAULT_GLOBAL_FLITS,
  parameter  int unsigned CREDIT_W      = $clog2(GLOBAL_FLITS + 1),
  parameter  int unsigned COUNTER_WIDTH = dsv_pkg::DEFAULT_COUNTER_WIDTH,
  parameter  int unsigned UGAL_QUEUE    = dsv_pkg::DEFAULT_UGAL_QUEUE,
  parameter  bit          KNOWN         = 1'b0,
  // Queues of an output, most hops of a way, and the bits of a product of both.
  parameter  int unsigned QUEUES        = 1,
  parameter  int unsigned HOPS          = 1,
  parameter  int unsigned COST_W        = CREDIT_W + $clog2(VCS) + $clog2(HOPS + 1),
  localparam int unsigned PORTS         = NODES + LOCALS + GLOBALS
) (
  input  logic                           clk,
  input  logic                           rst,
  input  logic [PORTS*VCS*CREDIT_W-1:0]  used,
  // KNOWN: a place more of a VC behind a port will be in use in the next cycle than in this one, or one less; else in this one than in the cycle before.
  input  logic [PORTS*VCS-1:0]           gained,
  input  logic [PORTS*VCS-1:0]           lost,
  input  logic [PORTS*COUNTER_WIDTH-1:0] counts,  // packets that have each output as their minimal one
  // Queue q of port p, times n hops, at place (p*QUEUES + q)*HOPS + n - 1.
  output logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues
);
  localparam bit BY_PORT = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PORT;
  localparam bit BY_PACKETS = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PACKETS;

  logic unused;
  assign unused = &{1'b0, clk, rst, used, gained, lost, counts};

  generate for (genvar p = 0; p < PORTS; p++) begin : g_port
    localparam int unsigned HERE = p < NODES ? NODE_VCS : p < NODES + LOCALS ? LOCAL_VCS : GLOBAL_VCS;
    localparam int unsigned FLITS = p < NODES ? NODE_FLITS : p < NODES + LOCALS ? LOCAL_FLITS : GLOBAL_FLITS;
    for (genvar q = 0; q < QUEUES; q++) begin : g_queue
      // At most one flit comes, and at most one goes.
      logic more, less, unused_change;
      assign more = BY_PORT ? gained[p*VCS +: VCS] != '0 : gained[p*VCS + q];
      assign less = BY_PORT ? lost[p*VCS +: VCS] != '0 : lost[p*VCS + q];
      assign unused_change = &{1'b0, more, less};

      for (genvar n = 1; n <= HOPS; n++) begin : g_hops
        logic [COST_W-1:0] product;
        assign queues[((p*QUEUES + q)*HOPS + n - 1)*COST_W +: COST_W] = product;
        if (!BY_PORT && !BY_PACKETS && q >= HERE) begin : g_none
          assign product = '0;
        end else if (n % 2 == 0) begin : g_twice
          assign product = g_hops[n/2].product << 1;
        end else if (BY_PACKETS) begin : g_packets
          assign product = COST_W'(counts[p*COUNTER_WIDTH +: COUNTER_WIDTH]) * COST_W'(n);
        end else if (!BY_PORT && n == 1) begin : g_places
          assign product = COST_W'(used[(p*VCS + q)*CREDIT_W +: CREDIT_W]);
        end else begin : g_follows
          localparam int unsigned WIDTH = $clog2((BY_PORT ? HERE : 1) * FLITS * n + 1);
          logic [WIDTH-1:0] followed;
          assign product = COST_W'(followed);
          if (KNOWN) begin : g_known
            always_ff @(posedge clk) begin
              if (rst)                followed <= '0;
              else if (more && !less) followed <= followed + WIDTH'(n);
              else if (less && !more) followed <= followed - WIDTH'(n);
            end
          end else begin : g_picked
            logic [WIDTH-1:0] same, up, down;
            assign followed = more == less ? same : more ? up : down;
            always_ff @(posedge clk) begin
              same <= rst ? '0 : followed;
              up   <= rst ? '0 : followed + WIDTH'(n);
              down <= rst ? '0 : followed - WIDTH'(n);
            end
          end
        end
      end
    end
  end endgenerate
endmodule
