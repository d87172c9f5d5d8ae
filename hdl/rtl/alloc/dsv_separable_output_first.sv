// Stage 5, allocation: a separable allocator, outputs first. Combinational; `allocator` has the registers.
//
// In each pass, each free output offers itself, by one VC behind it, to one of the free inputs that request
// it; each input accepts one of the offers, by way of the VC whose turn it is. `served_*`: the grants of the
// first pass, for the arbiters; later ones must not cost another requester its turn (as in iSLIP). An
// input's own pointers move only if its VC was first in line there: they do not advance past a VC that was
// skipped.
module dsv_separable_output_first #(
  parameter int unsigned PORTS = 5,
  parameter int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned ITERATIONS = dsv_pkg::DEFAULT_ITERATIONS,
  parameter int unsigned SETS = 1,
  parameter int unsigned YIELDING = 0,
  parameter int unsigned VL_ARBITRATION = 0,
  parameter int unsigned MANAGEMENT_VCS = 0,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned VC_STATE_W = ROUND_ROBIN ? VCS : VCS > 1 ? VCS * (VCS - 1) / 2 : 1,
  localparam int unsigned PORT_STATE_W = ROUND_ROBIN ? PORTS : PORTS > 1 ? PORTS * (PORTS - 1) / 2 : 1,
  localparam int unsigned VL_TABLES_W = dsv_pkg::VL_TABLES_BITS,
  localparam int unsigned VL_STATE_W = dsv_pkg::VL_STATE_BITS
) (
  input  logic [PORTS*VC_STATE_W-1:0]       input_states,
  input  logic [PORTS*VC_STATE_W-1:0]       out_vc_states,
  input  logic [PORTS*VL_TABLES_W-1:0]      vl_tables,       // per output
  input  logic [PORTS*VL_STATE_W-1:0]       vl_states,
  input  logic [PORTS*VCS*PORT_STATE_W-1:0] input_of_out_vc_states,
  input  logic [PORTS*PORTS-1:0]            first_choices,   // per input: the outputs from its first choice on
  input  logic [PORTS*VCS*PORTS-1:0]        want,            // per input and VC: any one of these outputs,
  input  logic [PORTS*VCS*VC_W-1:0]         want_out_vc,     // and this VC behind it
  output logic [PORTS*VCS-1:0]              grant_vc,        // per input
  output logic [PORTS*PORTS-1:0]            grant_output,    // per input
  output logic [PORTS*VCS-1:0]              grant_out_vc,    // per output: the VC behind it
  output logic [PORTS-1:0]                  input_advances,  // per input: its pointers move, to
  output logic [PORTS*VCS-1:0]              served_vc,       // this VC
  output logic [PORTS*PORTS-1:0]            served_choice,   // and this output
  output logic [PORTS*VCS-1:0]              served_out_vc,   // per output: one-hot or 0; its pointers move, to this VC
  output logic [PORTS*PORTS-1:0]            served_input     // and this input
);
  // Per VC behind an output, per input: the outputs that it requests by that VC.
  logic [VCS*PORTS*PORTS-1:0] asked;
  // The out_vc that each VC requests, one-hot; 0 for one that does not exist behind an output.
  logic [PORTS*VCS*VCS-1:0] takes;
  // The VC of each input that is first in line.
  logic [PORTS*VCS-1:0] first_in_line;

  generate
    for (genvar n = 0; n < PORTS * VCS; n++) begin : g_takes
      for (genvar w = 0; w < VCS; w++) begin : g_out_vc
        assign takes[n*VCS + w] = want_out_vc[n*VC_W +: VC_W] == w;
      end
    end

    for (genvar i = 0; i < PORTS; i++) begin : g_asked
      logic [VCS-1:0] asks;
      for (genvar v = 0; v < VCS; v++) begin : g_vc
        assign asks[v] = want[(i*VCS + v)*PORTS +: PORTS] != '0;
      end

      dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(VCS)) line (
        .state(input_states[i*VC_STATE_W +: VC_STATE_W]),
        .request(asks),
        .grant(first_in_line[i*VCS +: VCS])
      );

      for (genvar w = 0; w < VCS; w++) begin : g_out_vc
        logic [PORTS-1:0] outputs;
        always_comb begin
          outputs = '0;
          for (int v = 0; v < VCS; v++)
            outputs = outputs | (want[(i*VCS + v)*PORTS +: PORTS] & {PORTS{takes[(i*VCS + v)*VCS + w]}});
        end
        assign asked[(w*PORTS + i)*PORTS +: PORTS] = outputs;
      end
    end

    // The same, by output.
    for (genvar o = 0; o < PORTS; o++) begin : g_asking
      logic [VCS*PORTS-1:0] inputs_of_out_vc;
      always_comb
        for (int n = 0; n < VCS * PORTS; n++) inputs_of_out_vc[n] = asked[n*PORTS + o];
    end

    for (genvar k = 0; k < ITERATIONS; k++) begin : g_pass
      // Still unmatched before this pass, and in all passes so far.
      logic [PORTS-1:0] inputs, outputs;
      logic [PORTS*VCS-1:0] all_vc, all_out_vc;
      logic [PORTS*PORTS-1:0] all_output;
      // To whom each output offers itself, and by which VC behind it.
      logic [PORTS*PORTS-1:0] input_of_output;
      logic [PORTS*VCS-1:0] out_vc;
      logic [VCS*PORTS-1:0] outputs_of_out_vc;
      // The match.
      logic [PORTS-1:0] matched_inputs, matched_outputs;
      logic [PORTS*VCS-1:0] pass_vc, pass_out_vc;
      logic [PORTS*PORTS-1:0] pass_output;

      // No pass comes after the last, and pointers follow the first alone.
      logic unused;
      assign unused = &{1'b0, matched_inputs, matched_outputs, first_choices};

      if (k == 0) begin : g_first
        assign inputs = '1;
        assign outputs = '1;
        assign all_vc = pass_vc;
        assign all_output = pass_output;
        assign all_out_vc = pass_out_vc;
      end else begin : g_later
        assign inputs = g_pass[k-1].inputs & ~g_pass[k-1].matched_inputs;
        assign outputs = g_pass[k-1].outputs & ~g_pass[k-1].matched_outputs;
        assign all_vc = g_pass[k-1].all_vc | pass_vc;
        assign all_output = g_pass[k-1].all_output | pass_output;
        assign all_out_vc = g_pass[k-1].all_out_vc | pass_out_vc;
      end

      for (genvar o = 0; o < PORTS; o++) begin : g_output
        logic [VCS-1:0] picked_vc;
        logic [PORTS-1:0] picked_input;
        logic [PORTS-1:0] accepted;

        dsv_output_arbiter #(
          .PORTS(PORTS), .VCS(VCS), .ARBITER(ARBITER), .YIELDING(YIELDING), .VL_ARBITRATION(VL_ARBITRATION),
          .MANAGEMENT_VCS(MANAGEMENT_VCS)
        ) pick (
          .out_vc_state(out_vc_states[o*VC_STATE_W +: VC_STATE_W]),
          .vl_tables(vl_tables[o*VL_TABLES_W +: VL_TABLES_W]),
          .vl_state(vl_states[o*VL_STATE_W +: VL_STATE_W]),
          .input_states(input_of_out_vc_states[o*VCS*PORT_STATE_W +: VCS*PORT_STATE_W]),
          .asking(g_asking[o].inputs_of_out_vc & {VCS{inputs}}),
          .grant_out_vc(picked_vc),
          .grant_input(picked_input)
        );

        // Whether the output is still free is known last.
        assign out_vc[o*VCS +: VCS] = picked_vc & {VCS{outputs[o]}};
        assign input_of_output[o*PORTS +: PORTS] = picked_input & {PORTS{outputs[o]}};

        for (genvar w = 0; w < VCS; w++) begin : g_out_vc
          assign outputs_of_out_vc[w*PORTS + o] = out_vc[o*VCS + w];
        end

        always_comb
          for (int i = 0; i < PORTS; i++) accepted[i] = pass_output[i*PORTS + o];
        assign matched_outputs[o] = accepted != '0;
        assign pass_out_vc[o*VCS +: VCS] = out_vc[o*VCS +: VCS] & {VCS{matched_outputs[o]}};
      end

      for (genvar i = 0; i < PORTS; i++) begin : g_input
        logic [PORTS-1:0] offers;
        logic [VCS*PORTS-1:0] fitting;  // per VC: the offers that it can accept
        logic [VCS-1:0] asks;
        logic [VCS-1:0] vc;
        logic [PORTS-1:0] choices;

        always_comb
          for (int o = 0; o < PORTS; o++) offers[o] = input_of_output[o*PORTS + i];

        for (genvar v = 0; v < VCS; v++) begin : g_vc
          logic [PORTS-1:0] by_its_out_vc;
          always_comb begin
            by_its_out_vc = '0;
            for (int w = 0; w < VCS; w++)
              by_its_out_vc = by_its_out_vc
                | (outputs_of_out_vc[w*PORTS +: PORTS] & {PORTS{takes[(i*VCS + v)*VCS + w]}});
          end
          assign fitting[v*PORTS +: PORTS] = want[(i*VCS + v)*PORTS +: PORTS] & offers & by_its_out_vc;
          assign asks[v] = fitting[v*PORTS +: PORTS] != '0;
        end

        dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(VCS)) pick_vc (
          .state(input_states[i*VC_STATE_W +: VC_STATE_W]), .request(asks), .grant(vc)
        );

        always_comb begin
          choices = '0;
          for (int v = 0; v < VCS; v++) choices = choices | (fitting[v*PORTS +: PORTS] & {PORTS{vc[v]}});
        end

        if (SETS == 0) begin : g_one_output
          assign pass_output[i*PORTS +: PORTS] = choices;
        end else begin : g_pick_output
          dsv_arbiter_pick #(.ARBITER(dsv_pkg::ARBITER_ROUND_ROBIN), .REQUESTERS(PORTS)) pick_output (
            .state(first_choices[i*PORTS +: PORTS]),
            .request(choices),
            .grant(pass_output[i*PORTS +: PORTS])
          );
        end

        // An input with an offer accepts one.
        assign matched_inputs[i] = offers != '0;
        assign pass_vc[i*VCS +: VCS] = vc;
      end
    end

    for (genvar p = 0; p < PORTS; p++) begin : g_served
      assign input_advances[p] = (g_pass[0].pass_vc[p*VCS +: VCS] & first_in_line[p*VCS +: VCS]) != '0;
    end
  endgenerate

  assign grant_vc = g_pass[ITERATIONS-1].all_vc;
  assign grant_output = g_pass[ITERATIONS-1].all_output;
  assign grant_out_vc = g_pass[ITERATIONS-1].all_out_vc;
  assign served_vc = g_pass[0].pass_vc;
  assign served_out_vc = g_pass[0].pass_out_vc;
  assign served_choice = g_pass[0].pass_output;
  assign served_input = g_pass[0].input_of_output;
endmodule
