// crosspoint.v with credits that carry the lane's number, one in a cycle, and with lane, first and last beside the word.
module numbered (
    input  wire         clk,
    input  wire         reset,
    input  wire [3:0]   my_id,
    input  wire [29:0]  route_table,
    input  wire [4:0]   host_sides,
    input  wire [4:0]   rx_valid,
    input  wire [4:0]   rx_lane, rx_first, rx_last,
    input  wire [164:0] rx_data,
    output wire [9:0]   rx_credit,     // of each side: a place is free, and of which lane
    output wire [4:0]   tx_valid_0, tx_valid_1,
    output wire [4:0]   tx_first, tx_last,
    output wire [164:0] tx_data,
    input  wire [4:0]   tx_credit,
    input  wire [4:0]   tx_credit_lane
);
    wire [179:0] rx_word, tx_word;
    wire [9:0]   rx_return, tx_return;
    wire [4:0]   strobe;
    crosspoint core (
        .ck(clk), .rst(reset), .my_id(my_id), .route_table(route_table), .host_sides(host_sides),
        .rx_strobe(rx_valid), .rx_word(rx_word), .rx_return(rx_return),
        .tx_strobe(strobe), .tx_word(tx_word), .tx_return(tx_return)
    );
    genvar p;
    generate
        for (p = 0; p < 5; p = p + 1) begin : side
            assign rx_word[36*p +: 36] = {rx_last[p], rx_first[p], rx_lane[p], rx_data[33*p +: 33]};
            wire [1:0] kind = tx_word[36*p + 34 +: 2];
            assign tx_first[p] = kind[0];
            assign tx_last[p] = kind[1];
            assign tx_valid_0[p] = strobe[p] && !tx_word[36*p + 33];
            assign tx_valid_1[p] = strobe[p] && tx_word[36*p + 33];
            assign tx_data[33*p +: 33] = tx_word[36*p +: 33];
            assign tx_return[2*p +: 2] = {tx_credit[p] && tx_credit_lane[p], tx_credit[p] && !tx_credit_lane[p]};
            // Two lanes may free a place at once; one credit is on the wire.
            reg [7:0] owed_0, owed_1;
            wire free = owed_0 != 0 || owed_1 != 0, lane = owed_1 > owed_0;
            assign rx_credit[2*p +: 2] = {lane, free};
            always @(posedge clk) begin
                owed_0 <= reset ? 0 : owed_0 + rx_return[2*p] - (free && !lane);
                owed_1 <= reset ? 0 : owed_1 + rx_return[2*p + 1] - (free && lane);
            end
        end
    endgenerate
endmodule
