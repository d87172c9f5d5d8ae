// Stage 3. Contention counters: how many packets at this router have each port as their minimal output
// (router-core/src/contention.rs), and what the contention triggers make of them
// (router-core/src/select/contention.rs). CONTENTION-EXACT: a count rises when a packet is counted and falls
// when its tail has left, or when it is discarded.
//
// Which packets come and go depends on the grants, late in a cycle: they are registered as they are, and added at the beginning
// of the next cycle. A count is the same in each cycle as if it had been a register. With EARLY_FALLS the grants that are carried out are
// in a register, and those that go are subtracted at once. With LATE_MEAN a mean is that of three cycles before: counts
// are added in one, the sum is multiplied in the next, and divided in the third.
module dsv_contention #(
  parameter int unsigned PORTS         = dsv_pkg::DEFAULT_NODES + dsv_pkg::DEFAULT_LOCALS
                                       + dsv_pkg::DEFAULT_GLOBALS,
  parameter int unsigned COUNTER_WIDTH = dsv_pkg::DEFAULT_COUNTER_WIDTH,
  parameter int unsigned TRIGGER       = dsv_pkg::DEFAULT_TRIGGER,
  parameter int unsigned RISES         = PORTS,
  parameter int unsigned FALLS         = PORTS,
  parameter bit          EARLY_FALLS   = 1'b0,
  parameter int unsigned LATE_MEAN     = 0
) (
  input  logic clk,
  input  logic rst,
  input  logic [RISES*PORTS-1:0] rise,     // per packet counted in this cycle: its port, one-hot or 0
  input  logic [FALLS*PORTS-1:0] fall,     // per packet that is counted no more: its port, one-hot or 0
  input  logic [COUNTER_WIDTH-1:0] threshold,
  input  logic [15:0] factor,              // of the mean, U8F8
  input  logic [PORTS-1:0] wired,
  output logic [PORTS*COUNTER_WIDTH-1:0] count,
  output logic [PORTS-1:0] fires,          // a detour from the port is worth while
  output logic [PORTS-1:0] contended       // the port is contended, and is no detour
);
  localparam bit IS_FIXED = TRIGGER == dsv_pkg::TRIGGER_CONTENTION
                         || TRIGGER == dsv_pkg::TRIGGER_HYBRID
                         || TRIGGER == dsv_pkg::TRIGGER_ECTN;
  localparam bit IS_AVERAGE = TRIGGER == dsv_pkg::TRIGGER_CONTENTION_AVERAGE;
  localparam int unsigned PORT_COUNT_W = $clog2(PORTS + 1);
  localparam int unsigned TOTAL_W = COUNTER_WIDTH + PORT_COUNT_W;
  localparam int unsigned EXCESS_W = COUNTER_WIDTH + 2;

  logic unused;
  assign unused = &{1'b0, threshold, factor, wired, total, level, firing};

  // TRIGGER_CONTENTION_AVERAGE: the sum of all counts.
  logic [TOTAL_W-1:0] total;
  // The counts from which on a port is contended, and a detour from it is worth while, where they are known at the beginning of a cycle.
  logic [COUNTER_WIDTH:0] level, firing;

  generate
    for (genvar p = 0; p < PORTS; p++) begin : g_port
      // Of this cycle, and of the one before, with the count before that.
      logic [RISES-1:0] rises, risen;
      logic [FALLS-1:0] falls;
      logic [COUNTER_WIDTH-1:0] settled, gone;
      logic [EXCESS_W-1:0] excess, firing_excess;
      logic unused_excess;
      assign unused_excess = &{1'b0, excess, firing_excess};
      for (genvar slot = 0; slot < RISES; slot++) begin : g_rise
        assign rises[slot] = rise[slot*PORTS+p];
      end
      for (genvar i = 0; i < FALLS; i++) begin : g_fall
        assign falls[i] = fall[i*PORTS+p];
      end

      // The count, and what it exceeds the levels by, formed beside it.
      assign count[p*COUNTER_WIDTH +: COUNTER_WIDTH] =
        settled + COUNTER_WIDTH'($countones(risen)) - gone;
      assign excess =
        EXCESS_W'(settled) - EXCESS_W'(level) + EXCESS_W'($countones(risen)) - EXCESS_W'(gone);
      assign firing_excess =
        EXCESS_W'(settled) - EXCESS_W'(firing) + EXCESS_W'($countones(risen)) - EXCESS_W'(gone);
      always_ff @(posedge clk) risen <= rst ? '0 : rises;
      if (EARLY_FALLS) begin : g_early
        assign gone = '0;
        always_ff @(posedge clk)
          settled <= rst ? '0 : count[p*COUNTER_WIDTH +: COUNTER_WIDTH] - COUNTER_WIDTH'($countones(falls));
      end else begin : g_late
        logic [FALLS-1:0] fallen;
        assign gone = COUNTER_WIDTH'($countones(fallen));
        always_ff @(posedge clk) fallen <= rst ? '0 : falls;
        always_ff @(posedge clk) settled <= rst ? '0 : count[p*COUNTER_WIDTH +: COUNTER_WIDTH];
      end
    end

    if (IS_FIXED) begin : g_fixed
      for (genvar p = 0; p < PORTS; p++) begin : g_compare
        assign fires[p] = !g_port[p].excess[EXCESS_W-1];
      end
      assign contended = fires;
      assign total = '0;
      assign level = {1'b0, threshold};
      assign firing = level;
    end else if (IS_AVERAGE) begin : g_average
      // It follows the same rises and falls, one for each slot in use.
      logic [RISES-1:0] has_risen;
      logic [FALLS-1:0] has_fallen;
      logic [TOTAL_W-1:0] settled;
      assign total = settled + TOTAL_W'($countones(has_risen)) - TOTAL_W'($countones(has_fallen));
      for (genvar slot = 0; slot < RISES; slot++) begin : g_has_risen
        always_ff @(posedge clk) has_risen[slot] <= !rst && |rise[slot*PORTS +: PORTS];
      end
      for (genvar i = 0; i < FALLS; i++) begin : g_has_fallen
        always_ff @(posedge clk) has_fallen[i] <= !rst && |fall[i*PORTS +: PORTS];
      end
      always_ff @(posedge clk) settled <= rst ? '0 : total;

      // count > factor * total / ports; contended by more than the packet itself to fire.
      logic [TOTAL_W-1:0]  multiplied;
      logic [TOTAL_W+15:0] product;
      assign multiplied = LATE_MEAN != 0 ? settled : total;
      assign product = (TOTAL_W + 16)'(multiplied) * (TOTAL_W + 16)'(factor) >> 8;
      if (LATE_MEAN != 0) begin : g_late
        // Of a product no more counts than the largest count times all ports. It is divided by the wired ones, which do not change while
        // packets are counted: multiplied by the first number above the reciprocal, which is exact as it has as many bits as both together.
        localparam int unsigned SHIFT = TOTAL_W + PORT_COUNT_W;
        logic [TOTAL_W-1:0] limited;
        logic [SHIFT:0]     reciprocal, next_reciprocal;
        logic [TOTAL_W-1:0] mean;
        assign mean = TOTAL_W'((TOTAL_W + SHIFT + 1)'(limited) * (TOTAL_W + SHIFT + 1)'(reciprocal) >> SHIFT);
        // Above a mean that no count exceeds there is none.
        logic [COUNTER_WIDTH:0] next_level;
        assign next_level = mean >> COUNTER_WIDTH != 0 ? (COUNTER_WIDTH + 1)'(1) << COUNTER_WIDTH : (COUNTER_WIDTH + 1)'(mean) + 1'b1;
        always_comb begin
          next_reciprocal = '0;
          for (int n = 1; n <= PORTS; n++) if ($countones(wired) == n) next_reciprocal = (SHIFT + 1)'((1 << SHIFT) / n + 1);
        end
        always_ff @(posedge clk) begin
          reciprocal <= next_reciprocal;
          limited <= rst ? '0 : product >> TOTAL_W != 0 ? '1 : TOTAL_W'(product);
          level   <= rst ? (COUNTER_WIDTH + 1)'(1) : next_level;
          firing  <= rst || next_level == (COUNTER_WIDTH + 1)'(1) ? (COUNTER_WIDTH + 1)'(2) : next_level;
        end
      end else begin : g_at_once
        assign {level, firing} = '0;
      end
      for (genvar p = 0; p < PORTS; p++) begin : g_compare
        logic [COUNTER_WIDTH-1:0] own;
        assign own = count[p*COUNTER_WIDTH +: COUNTER_WIDTH];
        // Without a division, where the mean is that of this cycle.
        assign contended[p] = LATE_MEAN != 0 ? !g_port[p].excess[EXCESS_W-1]
                                        : (TOTAL_W + 16)'(TOTAL_W'(own) * TOTAL_W'($countones(wired))) > product;
        assign fires[p]     = LATE_MEAN != 0 ? !g_port[p].firing_excess[EXCESS_W-1] : contended[p] && own > COUNTER_WIDTH'(1);
      end
    end else begin : g_unused
      assign fires = '0;
      assign contended = '1;
      assign total = '0;
      assign {level, firing} = '0;
    end
  endgenerate
endmodule
