// Stage 5, allocation: a separable allocator, inputs first. Combinational; `allocator` has the registers.
//
// In each pass, each free input nominates one VC and one free output that it requests; each output picks one
// among those that nominated it. `served_*`: the grants of the first pass, for the arbiters; later ones
// must not cost another requester its turn (as in iSLIP).
module dsv_separable_input_first #(
  parameter int unsigned PORTS = 5,
  parameter int unsigned VCS = dsv_pkg::DEFAULT_VCS,
  parameter int unsigned ARBITER = dsv_pkg::DEFAULT_ARBITER,
  parameter int unsigned ITERATIONS = dsv_pkg::DEFAULT_ITERATIONS,
  parameter int unsigned SETS = 1,
  parameter int unsigned YIELDING = 0,
  parameter bit ONE_ARBITER = 1'b0,
  localparam int unsigned TURNS = ONE_ARBITER ? 1 : VCS,
  localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,
  localparam bit ROUND_ROBIN = ARBITER == dsv_pkg::ARBITER_ROUND_ROBIN,
  localparam int unsigned VC_STATE_W = ROUND_ROBIN ? VCS : VCS > 1 ? VCS * (VCS - 1) / 2 : 1,
  localparam int unsigned PORT_STATE_W = ROUND_ROBIN ? PORTS : PORTS > 1 ? PORTS * (PORTS - 1) / 2 : 1
) (
  input  logic [PORTS*VC_STATE_W-1:0]       input_states,
  input  logic [PORTS*VC_STATE_W-1:0]       out_vc_states,
  input  logic [PORTS*TURNS*PORT_STATE_W-1:0] input_of_out_vc_states,
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
  generate
    for (genvar k = 0; k < ITERATIONS; k++) begin : g_pass
      // Still unmatched before this pass, and in all passes so far.
      logic [PORTS-1:0] inputs, outputs;
      logic [PORTS*VCS-1:0] all_vc, all_out_vc;
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
      assign unused = &{1'b0, nominated, first_choices};

      if (k == 0) begin : g_first
        assign inputs = '1;
        assign outputs = '1;
        assign all_vc = pass_vc;
        assign all_output = pass_output;
        assign all_out_vc = out_vc;
      end else begin : g_later
        assign inputs = g_pass[k-1].inputs & ~g_pass[k-1].matched;
        assign outputs = g_pass[k-1].outputs & ~g_pass[k-1].nominated;
        assign all_vc = g_pass[k-1].all_vc | pass_vc;
        assign all_output = g_pass[k-1].all_output | pass_output;
        assign all_out_vc = g_pass[k-1].all_out_vc | out_vc;
      end

      for (genvar i = 0; i < PORTS; i++) begin : g_input
        logic [VCS*PORTS-1:0] free;  // per VC: the free outputs that it asks for
        logic [VCS-1:0] asks;
        logic [PORTS-1:0] free_of_vc;
        logic [VC_W-1:0] out_vc_of_vc;
        logic [PORTS-1:0] output_of_vc;

        assign free = want[i*VCS*PORTS +: VCS*PORTS] & {VCS{outputs}};
        for (genvar v = 0; v < VCS; v++) begin : g_vc
          assign asks[v] = free[v*PORTS +: PORTS] != '0;
        end

        dsv_arbiter_pick #(.ARBITER(ARBITER), .REQUESTERS(VCS)) pick_vc (
          .state(input_states[i*VC_STATE_W +: VC_STATE_W]), .request(asks), .grant(vc[i*VCS +: VCS])
        );

        always_comb begin
          free_of_vc = '0;
          out_vc_of_vc = '0;
          for (int v = 0; v < VCS; v++) begin
            free_of_vc = free_of_vc | (free[v*PORTS +: PORTS] & {PORTS{vc[i*VCS + v]}});
            out_vc_of_vc = out_vc_of_vc | (want_out_vc[(i*VCS + v)*VC_W +: VC_W] & {VC_W{vc[i*VCS + v]}});
          end
        end

        if (SETS == 0) begin : g_one_output
          assign output_of_vc = free_of_vc;
        end else begin : g_pick_output
          dsv_arbiter_pick #(.ARBITER(dsv_pkg::ARBITER_ROUND_ROBIN), .REQUESTERS(PORTS)) pick_output (
            .state(first_choices[i*PORTS +: PORTS]),
            .request(free_of_vc),
            .grant(output_of_vc)
          );
        end

        // Whether the input is still free is known last.
        assign output_of_input[i*PORTS +: PORTS] = output_of_vc & {PORTS{inputs[i]}};

        // A VC that does not exist behind an output is never granted.
        for (genvar w = 0; w < VCS; w++) begin : g_out_vc
          assign inputs_of_out_vc[w*PORTS + i] = out_vc_of_vc == w;
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

        if (ONE_ARBITER) begin : g_one_arbiter
          dsv_one_arbiter #(.PORTS(PORTS), .VCS(VCS), .ARBITER(ARBITER), .YIELDING(YIELDING)) pick (
            .state(input_of_out_vc_states[o*PORT_STATE_W +: PORT_STATE_W]),
            .asking,
            .grant_out_vc(out_vc[o*VCS +: VCS]),
            .grant_input(input_of_output[o*PORTS +: PORTS])
          );
        end else begin : g_arbiters
          dsv_output_arbiter #(.PORTS(PORTS), .VCS(VCS), .ARBITER(ARBITER), .YIELDING(YIELDING)) pick (
            .out_vc_state(out_vc_states[o*VC_STATE_W +: VC_STATE_W]),
            .vl_tables('0),
            .vl_state('0),
            .input_states(input_of_out_vc_states[o*VCS*PORT_STATE_W +: VCS*PORT_STATE_W]),
            .asking,
            .grant_out_vc(out_vc[o*VCS +: VCS]),
            .grant_input(input_of_output[o*PORTS +: PORTS])
          );
        end
      end
    end
  endgenerate

  assign grant_vc = g_pass[ITERATIONS-1].all_vc;
  assign grant_output = g_pass[ITERATIONS-1].all_output;
  assign grant_out_vc = g_pass[ITERATIONS-1].all_out_vc;
  assign input_advances = g_pass[0].matched;
  assign served_vc = g_pass[0].vc;
  assign served_choice = g_pass[0].output_of_input;
  assign served_out_vc = g_pass[0].out_vc;
  assign served_input = g_pass[0].input_of_output;
endmodule
