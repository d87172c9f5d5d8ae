// Stage 2. The port whose interval contains a label (router-core/src/map/intervals.rs). Of the intervals that
// begin at the label or below, it is the one that begins highest; where none does, round the circle, the one
// that begins highest of all.
//
// The table is turned: row b has bit b of where the interval of each port begins, and the row behind them the ports that have one. So
// all ports are compared at once, bit by bit from the highest. Beginnings are different, so that one port is left.
module dsv_interval_lookup #(
  parameter  int unsigned PORTS  = 4,
  parameter  int unsigned LABELS = 2,
  localparam int unsigned BITS   = LABELS > 1 ? $clog2(LABELS) : 1
) (
  input  logic [(BITS+1)*PORTS-1:0]    rows,
  input  logic [dsv_pkg::VIA_BITS-1:0] label,
  output logic [PORTS-1:0]             ports
);
  logic [PORTS-1:0] has, above, below, highest;
  assign has = rows[BITS*PORTS +: PORTS];

  always_comb begin
    // The ports whose interval begins above the label, by the first bit that differs; the others with a bit below the label's are not.
    above = '0;
    below = '0;
    for (int b = BITS - 1; b >= 0; b--) begin
      above = above | (label[b] ? '0 : rows[b*PORTS +: PORTS] & ~below);
      below = below | (label[b] ? ~rows[b*PORTS +: PORTS] : '0);
    end

    highest = (has & ~above) != '0 ? has & ~above : has;
    for (int b = BITS - 1; b >= 0; b--) begin
      highest = (highest & rows[b*PORTS +: PORTS]) != '0 ? highest & rows[b*PORTS +: PORTS] : highest;
    end
    ports = 32'(label) < LABELS ? highest : '0;
  end
endmodule
