// Stage 5, allocation: the wavefront allocator. Combinational; `allocator` has the registers.
//
// The cells of the request matrix are visited diagonal by diagonal, from the favoured one (`turn`) on; cells
// of one diagonal share neither input nor output. What is left at the end cannot be matched any more.
// Columns are rotated by `turn` and back, so that the sweep itself is fixed and has no loop. An input's
// pointer moves (`input_advances`) only if its VC was first in line there: it does not advance past a VC that
// was skipped. The first YIELDING inputs have a sweep of their own, behind that of the others.
module dsv_wavefront #(
  parameter int unsigned PORTS = 5,
  parameter int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned YIELDING = 0,
  localparam int unsigned PORT_W = PORTS > 1 ? $clog2(PORTS) : 1,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned VC_STATE_W = ROUND_ROBIN ? VCS : VCS > 1 ? VCS * (VCS - 1) / 2 : 1
) (
  input  logic [PORTS*VC_STATE_W-1:0] input_states,
  input  logic [PORT_W-1:0]           turn,
  input  logic [PORTS*VCS*PORTS-1:0]  want,            // per input and VC: any one of these outputs
  output logic [PORTS*VCS-1:0]        grant_vc,        // per input
  output logic [PORTS*PORTS-1:0]      grant_output,    // per input
  output logic [PORTS-1:0]            input_advances,  // per input: its pointer moves, to
  output logic [PORTS*VCS-1:0]        served_vc        // this VC
);
  // Per input; column c stands for output c + turn.
  logic [PORTS*PORTS-1:0] rows;
  logic [PORTS*PORTS-1:0] matched;
  logic [PORTS-1:0] inputs;
  logic [PORTS-1:0] columns;

  // Diagonal d consists of the cells with i + c = d, counted round PORTS.
  always_comb begin
    inputs = '1;
    columns = '1;
    matched = rows;  // each cell is decided below
    for (int d = 0; d < (YIELDING == 0 ? PORTS : 2 * PORTS); d++)
      for (int i = 0; i < PORTS; i++)
        for (int c = 0; c < PORTS; c++)
          if ((i + c) % PORTS == d % PORTS && (YIELDING == 0 || (i < YIELDING) == (d >= PORTS))) begin
            matched[i*PORTS + c] = rows[i*PORTS + c] & inputs[i] & columns[c];
            inputs[i] = inputs[i] & ~matched[i*PORTS + c];
            columns[c] = columns[c] & ~matched[i*PORTS + c];
          end
  end

  generate
    for (genvar i = 0; i < PORTS; i++) begin : g_input
      logic [VCS-1:0] asks, asks_here, vc, first_in_line;
      logic [PORTS-1:0] wanted, granted;
      logic [2*PORTS-1:0] ahead, back;

      always_comb begin
        wanted = '0;
        for (int v = 0; v < VCS; v++) wanted = wanted | want[(i*VCS + v)*PORTS +: PORTS];
      end
      assign ahead = {wanted, wanted} >> turn;
      assign rows[i*PORTS +: PORTS] = ahead[PORTS-1:0];
      assign back = {2{matched[i*PORTS +: PORTS]}} << turn;
      assign granted = back[PORTS +: PORTS];

      for (genvar v = 0; v < VCS; v++) begin : g_vc
        assign asks[v] = want[(i*VCS + v)*PORTS +: PORTS] != '0;
        assign asks_here[v] = (want[(i*VCS + v)*PORTS +: PORTS] & granted) != '0;
      end

      dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(VCS)) pick_vc (
        .state(input_states[i*VC_STATE_W +: VC_STATE_W]), .request(asks_here), .grant(vc)
      );

      dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(VCS)) line (
        .state(input_states[i*VC_STATE_W +: VC_STATE_W]), .request(asks), .grant(first_in_line)
      );

      assign grant_vc[i*VCS +: VCS] = vc;
      assign grant_output[i*PORTS +: PORTS] = granted;
      assign input_advances[i] = (vc & first_in_line) != '0;
      assign served_vc[i*VCS +: VCS] = vc;

      logic unused;
      assign unused = &{1'b0, ahead[2*PORTS-1:PORTS], back[PORTS-1:0]};
    end
  endgenerate
endmodule
