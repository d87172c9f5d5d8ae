// input_side.v for store and forward: a word at the front wants to go when the last one of its packet has come in.
module input_side #(
    parameter DEPTH = 8,
    parameter IDS = 10
) (
    input  wire        ck,
    input  wire        rst,
    input  wire [3:0]  my_id,
    input  wire [3*IDS-1:0] route_table,
    input  wire [4:0]  host_sides,
    input  wire        from_host,
    input  wire        strobe,
    input  wire [35:0] word,
    output reg  [1:0]  give_back,
    output wire [71:0] front,
    output wire [1:0]  some,
    output wire [5:0]  want_side,
    output wire [1:0]  want_lane,
    input  wire [1:0]  pop
);
    genvar l;
    generate
        for (l = 0; l < 2; l = l + 1) begin : lane
            reg  [35:0] place [0:DEPTH-1];
            reg  [7:0]  head, tail, count;
            reg  [7:0]  whole;          // packets whose last word is in the queue
            reg  [2:0]  held;           // where the packet goes whose first word has left
            wire        push = strobe && word[33] == l;
            wire [35:0] first = place[head];
            wire [3:0]  to = first[32:29];
            wire [2:0]  looked_up = to == my_id ? {2'b0, first[28]} : route_table[3*to +: 3];
            wire [2:0]  goes = first[34] ? looked_up : held;

            assign front[36*l +: 36] = first;
            assign some[l] = whole != 0;
            assign want_side[3*l +: 3] = goes;
            // A host takes any lane. Between switches a packet starts in lane 0 and goes on in lane 1.
            assign want_lane[l] = host_sides[goes] ? l : !from_host;

            always @(posedge ck) begin
                give_back[l] <= pop[l];
                if (push) begin
                    place[tail] <= word;
                    tail <= tail == DEPTH - 1 ? 0 : tail + 1;
                end
                if (pop[l]) begin
                    head <= head == DEPTH - 1 ? 0 : head + 1;
                    if (first[34]) held <= looked_up;
                end
                count <= count + push - pop[l];
                whole <= whole + (push && word[35]) - (pop[l] && first[35]);
                if (rst) begin
                    head <= 0;
                    tail <= 0;
                    count <= 0;
                    whole <= 0;
                    give_back[l] <= 0;
                end
            end
        end
    endgenerate
endmodule
