// The example's switch with arbiters that are fair or not, by pins: its input sides are input_side.v.
module rivals #(
    parameter DEPTH = 8,
    parameter IDS = 10
) (
    input  wire         ck,
    input  wire         rst,
    input  wire [1:0]   manner,         // 0: in turn; 1: fixed priority; 2: lane `first[0]` of a side behind the other one
    input  wire [3:0]   first,          // the queue that goes first
    input  wire [2:0]   gap,            // cycles behind its last word until a queue asks again
    input  wire [2:0]   only,           // the side that is unfair; 7: all
    input  wire [3:0]   my_id,
    input  wire [3*IDS-1:0] route_table,
    input  wire [4:0]   host_sides,
    input  wire [4:0]   rx_strobe,
    input  wire [179:0] rx_word,
    output wire [9:0]   rx_return,
    output wire [4:0]   tx_strobe,
    output wire [179:0] tx_word,
    input  wire [9:0]   tx_return
);
    wire [359:0] front;
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
            rival_output #(.DEPTH(DEPTH)) out (
                .ck(ck), .rst(rst), .me(s[2:0]), .manner(only == 7 || only == s ? manner : 2'd0), .head_start(first), .gap(gap),
                .front(front), .some(some), .want_side(want_side), .want_lane(want_lane), .pop(pop_by[s]),
                .strobe(tx_strobe[s]), .word(tx_word[36*s +: 36]), .given(tx_return[2*s +: 2])
            );
        end
    endgenerate
endmodule

module rival_output #(
    parameter DEPTH = 8
) (
    input  wire         ck,
    input  wire         rst,
    input  wire [2:0]   me,
    input  wire [1:0]   manner,
    input  wire [3:0]   head_start,
    input  wire [2:0]   gap,
    input  wire [359:0] front,
    input  wire [9:0]   some,
    input  wire [29:0]  want_side,
    input  wire [9:0]   want_lane,
    output reg  [9:0]   pop,
    output reg          strobe,
    output reg  [35:0]  word,
    input  wire [1:0]   given
);
    reg [7:0] credit [0:1];
    reg [1:0] busy;
    reg [3:0] owner [0:1];
    reg [3:0] turn, base;
    reg [2:0] quiet [0:9];
    reg [9:0]  asks, may, masked;
    reg [3:0]  chosen;
    reg        lane;
    reg [35:0] picked;
    integer    i, q;

    always @* begin
        for (q = 0; q < 10; q = q + 1) asks[q] = some[q] && want_side[3*q +: 3] == me && quiet[q] == 0;
        for (q = 0; q < 10; q = q + 1) begin
            masked[q] = manner == 2 && front[36*q + 34] && q[0] == head_start[0] && asks[q[0] ? q - 1 : q + 1];
            may[q] = asks[q] && !masked[q] && credit[want_lane[q]] != 0
                && (front[36*q + 34] ? !busy[want_lane[q]] : busy[want_lane[q]] && owner[want_lane[q]] == q);
        end
        base = manner == 1 ? head_start : turn;
        chosen = base;
        for (i = 9; i >= 0; i = i - 1) begin
            q = base + i >= 10 ? base + i - 10 : base + i;
            if (may[q]) chosen = q;
        end
        lane = want_lane[chosen];
        picked = front[36*chosen +: 36];
        pop = 0;
        pop[chosen] = may[chosen];
    end

    always @(posedge ck) begin
        strobe <= |may;
        word <= {picked[35:34], lane, picked[32:0]};
        for (q = 0; q < 10; q = q + 1) quiet[q] <= pop[q] && picked[35] ? gap : quiet[q] == 0 ? 0 : quiet[q] - 1;
        if (|may) begin
            turn <= chosen == 9 ? 0 : chosen + 1;
            busy[lane] <= !picked[35];
            owner[lane] <= chosen;
        end
        credit[0] <= credit[0] + given[0] - (|may && !lane);
        credit[1] <= credit[1] + given[1] - (|may && lane);
        if (rst) begin
            strobe <= 0;
            busy <= 0;
            turn <= 0;
            credit[0] <= DEPTH;
            credit[1] <= DEPTH;
            for (q = 0; q < 10; q = q + 1) quiet[q] <= 0;
        end
    end
endmodule
