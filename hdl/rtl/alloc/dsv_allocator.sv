// Stage 5, allocation: matches requests with outputs, at most one flit per input and per output, in one
// cycle.
//
// One contract for all kinds, ALLOCATE-MATCH: every grant answers a request, no input and no output is
// granted twice, and as long as there is a request there is a grant. This module has the registers;
// `separable_input_first`, `separable_output_first` and `wavefront` decide. A register that a kind does not
// need is not built: constant 0. Of `one_arbiter` outputs have an arbiter among inputs, for all VCs behind them. Where no VC requests several outputs at once (SETS = 0), nothing chooses among them.
// With VL_ARBITRATION, for which outputs have to come first, an output picks VCs by its tables; that is told when a head leaves.
// At each output requests of the first YIELDING inputs give way to those of the others, in each iteration.
module dsv_allocator #(
  parameter int unsigned PORTS = 5,
  parameter int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  parameter int unsigned ALLOCATOR = dsv_pkg::DEFAULT_ALLOCATOR,
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned ITERATIONS = dsv_pkg::DEFAULT_ITERATIONS,
  parameter int unsigned SETS = 1,
  parameter int unsigned YIELDING = 0,
  parameter int unsigned VL_ARBITRATION = 0,
  parameter int unsigned MANAGEMENT_VCS = 0,
  localparam int unsigned PORT_W = PORTS > 1 ? $clog2(PORTS) : 1,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam bit ONE_ARBITER = ALLOCATOR == dsv_pkg::ALLOCATOR_SEPARABLE_ONE_ARBITER,
  localparam int unsigned TURNS = ONE_ARBITER ? 1 : VCS,
  localparam int unsigned VC_STATE_W = ROUND_ROBIN ? VCS : VCS > 1 ? VCS * (VCS - 1) / 2 : 1,
  localparam int unsigned PORT_STATE_W = ROUND_ROBIN ? PORTS : PORTS > 1 ? PORTS * (PORTS - 1) / 2 : 1,
  localparam int unsigned VL_TABLES_W = dsv_pkg::VL_TABLES_BITS,
  localparam int unsigned VL_STATE_W = dsv_pkg::VL_STATE_BITS
) (
  input  logic                       clk,
  input  logic                       rst,
  // Per output: its tables, and the head that leaves by it, with the VC behind it and the units of its packet.
  input  logic [PORTS*VL_TABLES_W-1:0] vl_tables,
  input  logic [PORTS-1:0]             sends,
  input  logic [PORTS*VC_W-1:0]        sends_vc,
  input  logic [PORTS*16-1:0]          sends_units,
  input  logic [PORTS*VCS*PORTS-1:0] want,         // per input and VC: any one of these outputs (SETS = 0: of one),
  input  logic [PORTS*VCS*VC_W-1:0]  want_out_vc,  // and this VC behind it
  output logic [PORTS*VCS-1:0]       grant_vc,     // per input: one-hot or 0
  output logic [PORTS*PORTS-1:0]     grant_output, // per input: one-hot or 0
  output logic [PORTS*VCS-1:0]       grant_out_vc  // per output, one-hot or 0: the VC behind it that is granted
);
  // An arbiter among the VCs of each input.
  logic [PORTS*VC_STATE_W-1:0] input_states;
  logic [PORTS*VCS-1:0] served_vc;
  logic [PORTS-1:0] input_advances;
  // At each output, an arbiter among the VCs behind it, and for each of those (or for all of them) one among the inputs.
  logic [PORTS*VC_STATE_W-1:0] out_vc_states;
  logic [PORTS*TURNS*PORT_STATE_W-1:0] input_of_out_vc_states;
  // Where an input that requests several outputs begins its search: past the output it got last.
  logic [PORTS*PORT_W-1:0] choices;
  // The favoured diagonal of a wavefront.
  logic [PORT_W-1:0] turn;
  // VL arbitration at each output.
  logic [PORTS*VL_STATE_W-1:0] vl_states;
  generate
    if (VL_ARBITRATION != 0) begin : g_vl
      for (genvar p = 0; p < PORTS; p++) begin : g_port
        dsv_vl_state #(.VCS(VCS), .MANAGEMENT_VCS(MANAGEMENT_VCS)) memory (
          .clk, .rst, .tables(vl_tables[p*VL_TABLES_W +: VL_TABLES_W]),
          .sends(sends[p]), .vc(VCS'(1) << sends_vc[p*VC_W +: VC_W]), .units(sends_units[p*16 +: 16]),
          .state(vl_states[p*VL_STATE_W +: VL_STATE_W])
        );
      end
    end else begin : g_no_vl
      assign vl_states = '0;
      logic unused;
      assign unused = &{1'b0, vl_tables, sends, sends_vc, sends_units, vl_states};
    end
  endgenerate

  generate
    for (genvar i = 0; i < PORTS; i++) begin : g_input
      dsv_arbiter_state #(.ARBITER(ARBITER), .REQUESTERS(VCS)) memory (
        .clk, .rst, .served(served_vc[i*VCS +: VCS]), .advance(input_advances[i]),
        .state(input_states[i*VC_STATE_W +: VC_STATE_W])
      );
    end

    if (SETS == 0 || ALLOCATOR == dsv_pkg::ALLOCATOR_WAVEFRONT) begin : g_no_choice
      assign choices = '0;
    end

    if (ALLOCATOR == dsv_pkg::ALLOCATOR_WAVEFRONT) begin : g_wavefront
      assign out_vc_states = '0;
      assign input_of_out_vc_states = '0;

      // As long as there is a request there is a grant.
      always_ff @(posedge clk) begin
        if (rst) turn <= '0;
        else if (want != '0) turn <= turn == PORT_W'(PORTS - 1) ? '0 : turn + 1'b1;
      end

      dsv_wavefront #(.PORTS(PORTS), .VCS(VCS), .ARBITER(ARBITER), .YIELDING(YIELDING)) match (
        .input_states, .turn, .want, .grant_vc, .grant_output, .served_vc, .input_advances
      );

      dsv_seized #(.PORTS(PORTS), .VCS(VCS)) seized (.want, .want_out_vc, .grant_vc, .grant_out_vc);

      logic unused;
      assign unused = &{1'b0, out_vc_states, input_of_out_vc_states, choices};
    end else begin : g_separable
      logic [PORTS*PORTS-1:0] first_choices;
      logic [PORTS*PORTS-1:0] served_choice;
      logic [PORTS*VCS-1:0] served_out_vc;
      logic [PORTS*PORTS-1:0] served_input;

      assign turn = '0;
      logic unused;
      assign unused = &{1'b0, turn, choices, served_choice};

      for (genvar p = 0; p < PORTS; p++) begin : g_port
        if (VL_ARBITRATION != 0 || ONE_ARBITER) begin : g_not_in_turn
          assign out_vc_states[p*VC_STATE_W +: VC_STATE_W] = '0;
        end else begin : g_in_turn
          dsv_arbiter_state #(.ARBITER(ARBITER), .REQUESTERS(VCS)) memory (
            .clk, .rst,
            .served(served_out_vc[p*VCS +: VCS]),
            .advance(served_out_vc[p*VCS +: VCS] != '0),
            .state(out_vc_states[p*VC_STATE_W +: VC_STATE_W])
          );
        end

        for (genvar w = 0; w < TURNS; w++) begin : g_out_vc
          dsv_arbiter_state #(.ARBITER(ARBITER), .REQUESTERS(PORTS), .YIELDING(YIELDING)) memory (
            .clk, .rst,
            .served(served_input[p*PORTS +: PORTS]),
            .advance(ONE_ARBITER ? served_input[p*PORTS +: PORTS] != '0 : served_out_vc[p*VCS + w]),
            .state(input_of_out_vc_states[(p*TURNS + w)*PORT_STATE_W +: PORT_STATE_W])
          );
        end

        if (SETS == 0) begin : g_one
          assign first_choices[p*PORTS +: PORTS] = '1;
        end else begin : g_several
          logic [PORT_W-1:0] past;

          assign first_choices[p*PORTS +: PORTS] = {PORTS{1'b1}} << choices[p*PORT_W +: PORT_W];
          always_comb begin
            past = '0;
            for (int o = 0; o + 1 < PORTS; o++)
              past = past | (PORT_W'(o + 1) & {PORT_W{served_choice[p*PORTS + o]}});
          end
          always_ff @(posedge clk) begin
            if (rst) choices[p*PORT_W +: PORT_W] <= '0;
            else if (input_advances[p]) choices[p*PORT_W +: PORT_W] <= past;
          end
        end
      end

      if (ONE_ARBITER || ALLOCATOR == dsv_pkg::ALLOCATOR_SEPARABLE_INPUT_FIRST) begin : g_input_first
        dsv_separable_input_first #(
          .PORTS(PORTS), .VCS(VCS), .ARBITER(ARBITER), .ITERATIONS(ITERATIONS), .SETS(SETS), .YIELDING(YIELDING),
          .ONE_ARBITER(ONE_ARBITER)
        ) match (
          .input_states, .out_vc_states, .input_of_out_vc_states, .first_choices, .want, .want_out_vc,
          .grant_vc, .grant_output, .grant_out_vc, .input_advances, .served_vc, .served_choice, .served_out_vc, .served_input
        );
      end else begin : g_output_first
        dsv_separable_output_first #(
          .PORTS(PORTS), .VCS(VCS), .ARBITER(ARBITER), .ITERATIONS(ITERATIONS), .SETS(SETS), .YIELDING(YIELDING),
          .VL_ARBITRATION(VL_ARBITRATION), .MANAGEMENT_VCS(MANAGEMENT_VCS)
        ) match (
          .input_states, .out_vc_states, .vl_tables, .vl_states, .input_of_out_vc_states, .first_choices, .want, .want_out_vc,
          .grant_vc, .grant_output, .grant_out_vc, .input_advances, .served_vc, .served_choice, .served_out_vc, .served_input
        );
      end
    end
  endgenerate
endmodule
