// Stage 5, allocation: a separable allocator, inputs first. Combinational; `allocator` has the registers.
//
// In each pass, each free input nominates one VC and one free output that it asks for; each output picks one
// among those that nominated it. `served_*` tell the arbiters of the grants of the first pass: later ones
// must not cost anyone its turn (as in iSLIP).
module separable_input_first #(
  parameter int unsigned PORTS = 5,
  parameter int unsigned VCS = desvio_pkg::DEFAULT_VCS,
  parameter int unsigned ARBITER = desvio_pkg::DEFAULT_ARBITER,
  parameter int unsigned ITERATIONS = desvio_pkg::DEFAULT_ITERATIONS,
  localparam bit ROUND_ROBIN = ARBITER == desvio_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned VC_STATE_W = ROUND_ROBIN ? VCS : VCS > 1 ? VCS * (VCS - 1) / 2 : 1,
  localparam int unsigned PORT_STATE_W = ROUND_ROBIN ? PORTS : PORTS > 1 ? PORTS * (PORTS - 1) / 2 : 1
) (
  input  logic [PORTS*VC_STATE_W-1:0]       input_states,
  input  logic [PORTS*VC_STATE_W-1:0]       out_vc_states,
  input  logic [PORTS*VCS*PORT_STATE_W-1:0] input_of_out_vc_states,
  input  logic [PORTS*PORTS-1:0]            first_choices,  // per input: the outputs from its first choice on
  input  logic [PORTS*VCS*PORTS-1:0]        want,           // per input and VC: any one of these outputs,
  input  logic [PORTS*VCS*VCS-1:0]          takes,          // and this VC behind it, one-hot
  output logic [PORTS*VCS-1:0]              grant_vc,       // per input
  output logic [PORTS*PORTS-1:0]            grant_output,   // per input
  output logic [PORTS*VCS-1:0]              served_vc,      // per input
  output logic [PORTS*PORTS-1:0]            served_choice,  // per input: an output
  output logic [PORTS*VCS-1:0]              served_out_vc,  // per output
  output logic [PORTS*VCS*PORTS-1:0]        served_input    // per output and VC behind it
);
  generate
    for (genvar k = 0; k < ITERATIONS; k++) begin : g_pass
      // Still unmatched before this pass, and in all passes so far.
      logic [PORTS-1:0] inputs, outputs;
      logic [PORTS*VCS-1:0] all_vc;
      logic [PORTS*PORTS-1:0] all_output;
      // What each input nominates.
      logic [PORTS*VCS-1:0] vc;
      logic [PORTS*PORTS-1:0] output_of_input;
      logic [VCS*PORTS-1:0] inputs_of_out_vc;
      logic [PORTS-1:0] nominated;
      // What each output picks.
      logic [PORTS*VCS-1:0] out_vc;
      logic [PORTS*PORTS-1:0] input_of_output;
      // The match.
      logic [PORTS-1:0] matched;
      logic [PORTS*VCS-1:0] pass_vc;
      logic [PORTS*PORTS-1:0] pass_output;

      // No pass comes after the last, and pointers follow the first alone.
      logic unused;
      assign unused = &{1'b0, nominated, out_vc};

      if (k == 0) begin : g_first
        assign inputs = '1;
        assign outputs = '1;
        assign all_vc = pass_vc;
        assign all_output = pass_output;
      end else begin : g_later
        assign inputs = g_pass[k-1].inputs & ~g_pass[k-1].matched;
        assign outputs = g_pass[k-1].outputs & ~g_pass[k-1].nominated;
        assign all_vc = g_pass[k-1].all_vc | pass_vc;
        assign all_output = g_pass[k-1].all_output | pass_output;
      end

      for (genvar i = 0; i < PORTS; i++) begin : g_input
        logic [VCS*PORTS-1:0] free;  // per VC: the free outputs that it asks for
        logic [VCS-1:0] asks;
        logic [PORTS-1:0] free_of_vc;
        logic [VCS-1:0] taken;

        assign free = want[i*VCS*PORTS +: VCS*PORTS] & {VCS{outputs}};
        for (genvar v = 0; v < VCS; v++) begin : g_vc
          assign asks[v] = inputs[i] && free[v*PORTS +: PORTS] != '0;
        end

        arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(VCS)) pick_vc (
          .state(input_states[i*VC_STATE_W +: VC_STATE_W]), .request(asks), .grant(vc[i*VCS +: VCS])
        );

        always_comb begin
          free_of_vc = '0;
          taken = '0;
          for (int v = 0; v < VCS; v++) begin
            free_of_vc = free_of_vc | (free[v*PORTS +: PORTS] & {PORTS{vc[i*VCS + v]}});
            taken = taken | (takes[(i*VCS + v)*VCS +: VCS] & {VCS{vc[i*VCS + v]}});
          end
        end

        arbiter_pick #(.ARBITER(desvio_pkg::ARBITER_ROUND_ROBIN), .REQUESTERS(PORTS)) pick_output (
          .state(first_choices[i*PORTS +: PORTS]),
          .request(free_of_vc),
          .grant(output_of_input[i*PORTS +: PORTS])
        );

        for (genvar w = 0; w < VCS; w++) begin : g_out_vc
          assign inputs_of_out_vc[w*PORTS + i] = taken[w];
        end

        always_comb
          for (int o = 0; o < PORTS; o++) pass_output[i*PORTS + o] = input_of_output[o*PORTS + i];
        assign matched[i] = pass_output[i*PORTS +: PORTS] != '0;
        assign pass_vc[i*VCS +: VCS] = vc[i*VCS +: VCS] & {VCS{matched[i]}};
      end

      for (genvar o = 0; o < PORTS; o++) begin : g_output
        logic [PORTS-1:0] nominators;
        logic [VCS*PORTS-1:0] asking;

        always_comb
          for (int i = 0; i < PORTS; i++) nominators[i] = output_of_input[i*PORTS + o];
        assign nominated[o] = nominators != '0;
        assign asking = inputs_of_out_vc & {VCS{nominators}};

        output_arbiter #(.PORTS(PORTS), .VCS(VCS), .ARBITER(ARBITER)) pick (
          .out_vc_state(out_vc_states[o*VC_STATE_W +: VC_STATE_W]),
          .input_states(input_of_out_vc_states[o*VCS*PORT_STATE_W +: VCS*PORT_STATE_W]),
          .asking,
          .grant_out_vc(out_vc[o*VCS +: VCS]),
          .grant_input(input_of_output[o*PORTS +: PORTS])
        );
      end
    end

    for (genvar n = 0; n < PORTS * VCS; n++) begin : g_served_input
      assign served_input[n*PORTS +: PORTS] =
        g_pass[0].input_of_output[n/VCS*PORTS +: PORTS] & {PORTS{g_pass[0].out_vc[n]}};
    end
  endgenerate

  assign grant_vc = g_pass[ITERATIONS-1].all_vc;
  assign grant_output = g_pass[ITERATIONS-1].all_output;
  assign served_vc = g_pass[0].pass_vc;
  assign served_choice = g_pass[0].pass_output;
  assign served_out_vc = g_pass[0].out_vc;
endmodule
