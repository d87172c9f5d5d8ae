// A switch of five sides and two lanes, in Verilog-2001, with a crosspoint for every lane of every side.
//
// It was written on purpose in another way than Desvio's own: no input has to choose among its lanes, no allocator
// matches inputs with outputs, every output picks for itself among all lanes of all sides, and routes come from a table
// that is wired in from outside. Names and words are its own:
//
//   35 34 | 33   | 32 … 29     | 28   | 27 … 0
//   kind  | lane | destination | host | load
//
// kind: 0 middle, 1 first, 2 last, 3 only. Destination and host count in a first word; elsewhere they are load.
module crosspoint #(
    parameter DEPTH = 8,                // words that each lane of a side holds
    parameter IDS = 10                  // switches in the network
) (
    input  wire         ck,
    input  wire         rst,            // active high, synchronous
    input  wire [3:0]   my_id,
    input  wire [3*IDS-1:0] route_table,    // for each destination, the side that leads there
    input  wire [4:0]   host_sides,     // sides that lead to hosts
    input  wire [4:0]   rx_strobe,
    input  wire [179:0] rx_word,
    output wire [9:0]   rx_return,      // a place of the side's lane is free: bit 2 * side + lane
    output wire [4:0]   tx_strobe,
    output wire [179:0] tx_word,
    input  wire [9:0]   tx_return
);
    wire [359:0] front;                 // of every queue; queue 2 * side + lane
    wire [9:0]   some;
    wire [29:0]  want_side;
    wire [9:0]   want_lane;
    wire [9:0]   pop_by [0:4];
    wire [9:0]   pop = pop_by[0] | pop_by[1] | pop_by[2] | pop_by[3] | pop_by[4];

    genvar s;
    generate
        for (s = 0; s < 5; s = s + 1) begin : side
            input_side #(.DEPTH(DEPTH), .IDS(IDS)) in (
                .ck(ck), .rst(rst),
                .my_id(my_id), .route_table(route_table), .host_sides(host_sides), .from_host(host_sides[s]),
                .strobe(rx_strobe[s]), .word(rx_word[36*s +: 36]), .give_back(rx_return[2*s +: 2]),
                .front(front[72*s +: 72]), .some(some[2*s +: 2]),
                .want_side(want_side[6*s +: 6]), .want_lane(want_lane[2*s +: 2]),
                .pop(pop[2*s +: 2])
            );
            output_side #(.DEPTH(DEPTH)) out (
                .ck(ck), .rst(rst), .me(s[2:0]),
                .front(front), .some(some), .want_side(want_side), .want_lane(want_lane), .pop(pop_by[s]),
                .strobe(tx_strobe[s]), .word(tx_word[36*s +: 36]), .given(tx_return[2*s +: 2])
            );
        end
    endgenerate
endmodule
