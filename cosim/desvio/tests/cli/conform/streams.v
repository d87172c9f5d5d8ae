// crosspoint.v behind streams: valid and ready, a port for each side. The inputs are ready per lane, the outputs at all.
module streams (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [3:0]   my_id,
    input  wire [29:0]  route_table,
    input  wire [4:0]   host_sides,
    input  wire         s0_valid, s1_valid, s2_valid, s3_valid, s4_valid,
    input  wire [35:0]  s0_data, s1_data, s2_data, s3_data, s4_data,
    output wire [1:0]   s0_ready, s1_ready, s2_ready, s3_ready, s4_ready,
    output wire         m0_valid, m1_valid, m2_valid, m3_valid, m4_valid,
    output wire [35:0]  m0_data, m1_data, m2_data, m3_data, m4_data,
    input  wire         m0_ready, m1_ready, m2_ready, m3_ready, m4_ready
);
    wire [4:0]   offered = {s4_valid, s3_valid, s2_valid, s1_valid, s0_valid};
    wire [179:0] data = {s4_data, s3_data, s2_data, s1_data, s0_data};
    wire [9:0]   ready;
    assign {s4_ready, s3_ready, s2_ready, s1_ready, s0_ready} = ready;
    wire [4:0]   valid;
    wire [179:0] sent;
    assign {m4_valid, m3_valid, m2_valid, m1_valid, m0_valid} = valid;
    assign {m4_data, m3_data, m2_data, m1_data, m0_data} = sent;
    wire [4:0]   taken = valid & {m4_ready, m3_ready, m2_ready, m1_ready, m0_ready};

    wire [4:0]   rx_strobe;
    wire [9:0]   rx_return;
    wire [4:0]   tx_strobe;
    wire [179:0] tx_word;
    wire [9:0]   tx_return;
    crosspoint core (
        .ck(clk), .rst(!rst_n), .my_id(my_id), .route_table(route_table), .host_sides(host_sides),
        .rx_strobe(rx_strobe), .rx_word(data), .rx_return(rx_return),
        .tx_strobe(tx_strobe), .tx_word(tx_word), .tx_return(tx_return)
    );

    reg [2:0] turn;
    always @(posedge clk) turn <= rst_n ? turn + 1 : 0;

    reg [7:0] used [0:4];
    genvar p, l;
    generate
        for (p = 0; p < 5; p = p + 1) begin : side
            wire lane = data[36*p + 33];
            assign rx_strobe[p] = offered[p] && ready[2*p + lane];
            for (l = 0; l < 2; l = l + 1) begin : room
                reg [7:0] left;
                assign ready[2*p + l] = left != 0;
                always @(posedge clk)
                    left <= !rst_n ? 8 : left + rx_return[2*p + l] - (rx_strobe[p] && lane == l);
            end
            reg [35:0] place [0:15];
            reg [3:0]  head, tail;
            assign valid[p] = used[p] != 0;
            assign sent[36*p +: 36] = place[head];
            assign tx_return[2*p +: 2] = taken[p] ? (place[head][33] ? 2'd2 : 2'd1) : 2'd0;
            always @(posedge clk) begin
                if (tx_strobe[p]) begin
                    place[tail] <= tx_word[36*p +: 36];
                    tail <= tail + 1;
                end
                if (taken[p]) head <= head + 1;
                used[p] <= used[p] + tx_strobe[p] - taken[p];
                if (!rst_n) begin
                    head <= 0;
                    tail <= 0;
                    used[p] <= 0;
                end
            end
        end
    endgenerate
endmodule
