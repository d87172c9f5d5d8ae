// QUEUE-EXACT: what the UGAL trigger compares is the queue of each output, or of each VC behind it, times each number of hops.
`include "dsv_check.svh"
module dsv_queues_check #(
  parameter int unsigned PORTS         = 7,
  parameter int unsigned VCS           = 3,
  parameter int unsigned CREDIT_W      = 9,
  parameter int unsigned COUNTER_WIDTH = 8,
  parameter int unsigned UGAL_QUEUE    = dsv_pkg::UGAL_QUEUE_PORT,
  parameter int unsigned QUEUES        = 1,
  parameter int unsigned HOPS          = 1,
  parameter int unsigned COST_W        = 11
) (
  input logic                           clk,
  input logic                           rst,
  input logic [PORTS*VCS*CREDIT_W-1:0]  used,
  input logic [PORTS*COUNTER_WIDTH-1:0] counts,
  input logic [PORTS*QUEUES*HOPS*COST_W-1:0] queues
);
  logic unused;
  assign unused = &{1'b0, used, counts};

  generate for (genvar n = 0; n < PORTS * QUEUES; n++) begin : g_queue
    localparam int unsigned PORT = n / QUEUES;
    logic [COST_W-1:0] queue;
    always_comb begin
      queue = UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PACKETS ? COST_W'(counts[PORT*COUNTER_WIDTH +: COUNTER_WIDTH]) : '0;
      for (int c = 0; c < VCS; c++)
        if (UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_PORT || UGAL_QUEUE == dsv_pkg::UGAL_QUEUE_VC && c == n % QUEUES)
          queue = queue + COST_W'(used[(PORT*VCS + c)*CREDIT_W +: CREDIT_W]);
    end
    for (genvar h = 1; h <= HOPS; h++) begin : g_hops
      logic [COST_W-1:0] product;
      assign product = queues[(n*HOPS + h - 1)*COST_W +: COST_W];
      `DSV_CHECK(QUEUE_EXACT, product == queue * COST_W'(h),
        ("QUEUE-EXACT: queue %0d of port %0d times %0d hops is %0d, not %0d", n % QUEUES, PORT, h, product, queue * COST_W'(h)))
    end
  end endgenerate
endmodule
