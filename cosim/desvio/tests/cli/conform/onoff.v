// A switch of three ports with two VCs, each of which is one packet's until it is freed. A flit may be sent to a VC that is on, and in
// one cycle more: a queue has four places, and is on with at most two words in it.
module onoff (
    input  wire        clk,
    input  wire        rst,
    input  wire [1:0]  id,
    input  wire [3:0]  defect,          // 1: deaf to `on`; 2: begins in VCs that wait to be freed; 4: frees with the head; 8: forgets to free one
    input  wire [2:0]  in_valid,
    input  wire [2:0]  in_vc,
    input  wire [95:0] in_word,
    output wire [5:0]  in_on,
    output reg  [5:0]  in_free,
    output reg  [2:0]  out_valid,
    output reg  [2:0]  out_vc,
    output reg  [95:0] out_word,
    input  wire [5:0]  out_on,
    input  wire [5:0]  out_free
);
    reg [31:0] place [0:23];
    reg [31:0] front [0:5];
    reg [1:0]  first [0:5], last [0:5], want [0:5], held [0:5];
    reg [2:0]  count [0:5], turn [0:2], pick [0:2];
    reg [5:0]  mid, lane, pop, put, vacant, sent;
    reg [2:0]  go, way;
    integer    q, o, k, c, w;

    genvar g;
    generate for (g = 0; g < 6; g = g + 1) begin : room
        assign in_on[g] = count[g] < 3;
    end endgenerate

    always @* begin
        pop = 0;
        for (q = 0; q < 6; q = q + 1) begin
            put[q] = in_valid[q / 2] && in_vc[q / 2] == q % 2;
            front[q] = place[4 * q + first[q]];
            want[q] = !front[q][31] ? held[q] : front[q][29:28] == id ? 0 : front[q][29:28] > id ? 1 : 2;
        end
        for (o = 0; o < 3; o = o + 1) begin
            {go[o], way[o]} = 0;
            pick[o] = 0;
            for (k = 5; k >= 0; k = k - 1) begin
                c = (turn[o] + k) % 6;
                w = mid[c] ? {31'b0, lane[c]} : {31'b0, !vacant[2 * o]};
                if (count[c] != 0 && want[c] == o && (mid[c] || vacant[2 * o + w] || (defect[1] && sent[2 * o + w])) && (out_on[2 * o + w] || defect[0])) begin
                    pick[o] = c;
                    way[o] = w;
                    go[o] = 1;
                end
            end
            if (go[o]) pop[pick[o]] = 1;
        end
    end

    always @(posedge clk) begin
        in_free <= 0;
        vacant <= vacant | out_free;
        sent <= sent & ~out_free;
        for (q = 0; q < 6; q = q + 1) begin
            if (put[q]) begin
                place[4 * q + last[q]] <= in_word[32 * (q / 2) +: 32];
                last[q] <= last[q] + 1;
            end
            if (pop[q]) first[q] <= first[q] + 1;
            count[q] <= count[q] + put[q] - pop[q];
            if (pop[q] && (defect[2] ? front[q][31] : front[q][30]) && !(defect[3] && q == 5)) in_free[q] <= 1;
        end
        out_valid <= go;
        out_vc <= way;
        for (o = 0; o < 3; o = o + 1) if (go[o]) begin
            out_word[32 * o +: 32] <= front[pick[o]];
            mid[pick[o]] <= !front[pick[o]][30];
            lane[pick[o]] <= way[o];
            held[pick[o]] <= o;
            if (front[pick[o]][31]) vacant[2 * o + way[o]] <= 0;
            sent[2 * o + way[o]] <= front[pick[o]][30];
            turn[o] <= pick[o] == 5 ? 0 : pick[o] + 1;
        end
        if (rst) begin
            {out_valid, mid, sent} <= 0;
            vacant <= 63;
            for (q = 0; q < 6; q = q + 1) {first[q], last[q], count[q]} <= 0;
            for (o = 0; o < 3; o = o + 1) turn[o] <= 0;
        end
    end
endmodule
