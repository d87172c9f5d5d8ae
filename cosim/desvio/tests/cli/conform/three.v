// A switch of three ports with one VC: valid and ready, four words in each queue, an arbiter for each output.
module three (
    input  wire        clk,
    input  wire        rst,
    input  wire [1:0]  id,
    input  wire        fixed,           // whether the arbiters always prefer the lowest input
    input  wire        waits,           // whether an output offers a word only where it has seen that it is ready
    input  wire [1:0]  ahead,           // 1: a head names its output, and is given that of the next switch; 2: a wrong one
    input  wire [2:0]  room,            // words in a queue before it is not ready; it holds 4
    input  wire [2:0]  in_valid,
    output wire [2:0]  in_ready,
    input  wire [95:0] in_word,
    output reg  [2:0]  out_valid,
    input  wire [2:0]  out_ready,
    output reg  [95:0] out_word,
    output reg         error,           // a queue has taken a word too many
    output wire        out_busy         // a packet is half out
);
    reg [31:0] place [0:11];
    reg [1:0]  head [0:2], tail [0:2], held [0:2], want [0:2], owner [0:2], turn [0:2], pick [0:2];
    reg [2:0]  count [0:2];
    reg [31:0] front [0:2];
    reg [2:0]  busy, pop, go;
    reg [1:0]  next [0:2], turns [0:2];  // the switch behind an output, and the output that it needs there
    integer    i, o, k, c;

    assign out_busy = busy != 0;
    assign in_ready = {count[2] != room, count[1] != room, count[0] != room};

    always @* begin
        pop = 0;
        go = 0;
        for (i = 0; i < 3; i = i + 1) begin
            front[i] = place[4 * i + head[i]];
            want[i] = !front[i][31] ? held[i] : ahead != 0 ? front[i][27:26] : front[i][29:28] == id ? 0 : front[i][29:28] > id ? 1 : 2;
        end
        for (o = 0; o < 3; o = o + 1) begin
            pick[o] = 0;
            for (k = 2; k >= 0; k = k - 1) begin
                c = fixed ? k : (turn[o] + k) % 3;
                if (count[c] != 0 && want[c] == o && (busy[o] ? owner[o] == c : front[c][31])) begin
                    pick[o] = c;
                    go[o] = (!out_valid[o] && !waits) || out_ready[o];
                end
            end
            if (go[o]) pop[pick[o]] = 1;
            next[o] = ahead == 2 || o == 0 ? id : o == 1 ? id + 1 : id - 1;
            turns[o] = front[pick[o]][29:28] == next[o] ? 0 : front[pick[o]][29:28] > next[o] ? 1 : 2;
        end
    end

    always @(posedge clk) begin
        for (i = 0; i < 3; i = i + 1) begin
            if (in_valid[i] && in_ready[i]) begin
                place[4 * i + tail[i]] <= in_word[32 * i +: 32];
                tail[i] <= tail[i] + 1;
            end
            if (pop[i]) begin
                head[i] <= head[i] + 1;
                held[i] <= want[i];
            end
            count[i] <= count[i] + (in_valid[i] && in_ready[i]) - pop[i];
            if (count[i] > 4) error <= 1;
        end
        for (o = 0; o < 3; o = o + 1) begin
            if (out_ready[o]) out_valid[o] <= 0;
            if (go[o]) begin
                out_valid[o] <= 1;
                out_word[32 * o +: 32] <= front[pick[o]];
                if (ahead != 0 && front[pick[o]][31]) out_word[32 * o + 26 +: 2] <= turns[o];
                busy[o] <= !front[pick[o]][30];
                owner[o] <= pick[o];
                turn[o] <= pick[o] == 2 ? 0 : pick[o] + 1;
            end
        end
        if (rst) begin
            {out_valid, busy, error} <= 0;
            for (i = 0; i < 3; i = i + 1) begin
                {head[i], tail[i], turn[i]} <= 0;
                count[i] <= 0;
            end
        end
    end
endmodule
