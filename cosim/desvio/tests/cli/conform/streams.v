// crosspoint.v behind AXI streams, a port for each side. The inputs are ready per lane, the outputs at all. A word is in four
// signals: tlast (bit 35), tuser (first, lane), tdest (destination, host), tdata.
module streams (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [3:0]   my_id,
    input  wire [29:0]  route_table,
    input  wire [4:0]   host_sides,
    input  wire         s0_tvalid, s0_tlast, s1_tvalid, s1_tlast, s2_tvalid, s2_tlast, s3_tvalid, s3_tlast, s4_tvalid, s4_tlast,
    input  wire [27:0]  s0_tdata, s1_tdata, s2_tdata, s3_tdata, s4_tdata,
    input  wire [4:0]   s0_tdest, s1_tdest, s2_tdest, s3_tdest, s4_tdest,
    input  wire [1:0]   s0_tuser, s1_tuser, s2_tuser, s3_tuser, s4_tuser,
    output wire [1:0]   s0_tready, s1_tready, s2_tready, s3_tready, s4_tready,
    output wire         m0_tvalid, m0_tlast, m1_tvalid, m1_tlast, m2_tvalid, m2_tlast, m3_tvalid, m3_tlast, m4_tvalid, m4_tlast,
    output wire [27:0]  m0_tdata, m1_tdata, m2_tdata, m3_tdata, m4_tdata,
    output wire [4:0]   m0_tdest, m1_tdest, m2_tdest, m3_tdest, m4_tdest,
    output wire [1:0]   m0_tuser, m1_tuser, m2_tuser, m3_tuser, m4_tuser,
    input  wire         m0_tready, m1_tready, m2_tready, m3_tready, m4_tready
);
    wire [4:0]   offered = {s4_tvalid, s3_tvalid, s2_tvalid, s1_tvalid, s0_tvalid};
    wire [179:0] data = {
        s4_tlast, s4_tuser, s4_tdest, s4_tdata,
        s3_tlast, s3_tuser, s3_tdest, s3_tdata,
        s2_tlast, s2_tuser, s2_tdest, s2_tdata,
        s1_tlast, s1_tuser, s1_tdest, s1_tdata,
        s0_tlast, s0_tuser, s0_tdest, s0_tdata};
    wire [9:0]   ready;
    assign {s4_tready, s3_tready, s2_tready, s1_tready, s0_tready} = ready;
    wire [4:0]   valid;
    wire [179:0] sent;
    assign {m4_tvalid, m3_tvalid, m2_tvalid, m1_tvalid, m0_tvalid} = valid;
    assign {
        m4_tlast, m4_tuser, m4_tdest, m4_tdata,
        m3_tlast, m3_tuser, m3_tdest, m3_tdata,
        m2_tlast, m2_tuser, m2_tdest, m2_tdata,
        m1_tlast, m1_tuser, m1_tdest, m1_tdata,
        m0_tlast, m0_tuser, m0_tdest, m0_tdata} = sent;
    wire [4:0]   taken = valid & {m4_tready, m3_tready, m2_tready, m1_tready, m0_tready};

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
