// The example's output side with atomic allocation: a packet begins in a lane that has all its credits. Each lane takes queues in turn, and
// lanes take turns on the link.
module output_side #(
    parameter DEPTH = 8
) (
    input  wire         ck,
    input  wire         rst,
    input  wire [2:0]   me,
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
    reg [1:0] busy;                     // a packet has begun in this lane and not ended
    reg [3:0] owner [0:1];
    reg [3:0] turn [0:1];
    reg       last;                     // the lane of the last word
    reg       side;

    reg [9:0]  may;
    reg [3:0]  chosen;
    reg        lane;
    reg [35:0] picked;
    integer    i, q;

    always @* begin
        for (q = 0; q < 10; q = q + 1)
            may[q] = some[q] && want_side[3*q +: 3] == me && (front[36*q + 34] ? credit[want_lane[q]] == DEPTH : credit[want_lane[q]] != 0)
                && (front[36*q + 34] ? !busy[want_lane[q]] : busy[want_lane[q]] && owner[want_lane[q]] == q);
        chosen = 0;
        for (i = 19; i >= 0; i = i - 1) begin
            side = i < 10 ? !last : last;
            q = turn[side] + i % 10 >= 10 ? turn[side] + i % 10 - 10 : turn[side] + i % 10;
            if (may[q] && want_lane[q] == side) chosen = q;
        end
        lane = want_lane[chosen];
        picked = front[36*chosen +: 36];
        pop = 0;
        pop[chosen] = may[chosen];
    end

    always @(posedge ck) begin
        strobe <= |may;
        word <= {picked[35:34], lane, picked[32:0]};
        if (|may) begin
            turn[lane] <= chosen == 9 ? 0 : chosen + 1;
            last <= lane;
            busy[lane] <= !picked[35];
            owner[lane] <= chosen;
        end
        credit[0] <= credit[0] + given[0] - (|may && !lane);
        credit[1] <= credit[1] + given[1] - (|may && lane);
        if (rst) begin
            strobe <= 0;
            busy <= 0;
            turn[0] <= 0;
            turn[1] <= 0;
            last <= 0;
            credit[0] <= DEPTH;
            credit[1] <= DEPTH;
        end
    end
endmodule
