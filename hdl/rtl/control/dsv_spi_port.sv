// The serial register port: SPI mode 0, its wires sampled by `clk`, which is at least eight times as fast as `sck`.
//
// A frame is a request, a pause and an answer (hdl/registers.toml). The request is passed on when its last bit has come and
// its checksum is right (FRAME-CHECKED); one that is corrupt or ends early is counted and nothing else.
module dsv_spi_port (
  input  logic        clk,
  input  logic        rst,
  input  logic        sck,
  input  logic        cs_n,
  input  logic        mosi,
  output logic        miso,
  // A request: high for one cycle; the rest stands still until the answer is fetched, seven bits later.
  output logic        request,
  output logic [7:0]  request_command,
  output logic [15:0] request_address,
  output logic [31:0] request_data,
  input  logic [7:0]  answer_status,
  input  logic [31:0] answer_data,
  // For one cycle: a frame is corrupt, or too short.
  output logic        corrupt,
  output logic        short_frame
);
  localparam logic [7:0] CONTENT_END = 8'd56;     // bits of a frame up to the end of each part
  localparam logic [7:0] REQUEST_END = 8'd72;
  localparam logic [7:0] PAUSE_END   = 8'd80;
  localparam logic [7:0] ANSWER_END  = 8'd120;

  // The wires, brought into this clock; `sck` once more, to see its edges.
  logic [2:0] clock;
  logic [1:0] select_n, data;
  always_ff @(posedge clk) begin
    clock    <= rst ? '0 : {clock[1:0], sck};
    select_n <= rst ? '1 : {select_n[0], cs_n};
    data     <= rst ? '0 : {data[0], mosi};
  end

  logic selected, rises, falls;
  assign selected = !select_n[1];
  assign rises    = selected && clock[1] && !clock[2];
  assign falls    = selected && !clock[1] && clock[2];

  // The bits of the frame so far. A request that has come whole is looked at once.
  logic [7:0] count;
  logic       looked, is_corrupt, looks;
  assign looks = selected && count == REQUEST_END && !looked;

  logic [55:0] content;
  logic [15:0] sum, next_sum;
  dsv_checksum #(.BITS(1)) step (.so_far(sum), .bits(count < REQUEST_END ? data[1] : content[55]), .next(next_sum));

  // A checksum that takes itself in becomes 0.
  assign request         = looks && sum == '0;
  assign corrupt         = looks && sum != '0;
  assign short_frame     = !selected && count != '0 && !looked;
  assign request_command = content[55:48];
  assign request_address = content[47:32];
  assign request_data    = content[31:0];

  always_ff @(posedge clk) begin
    if (rst || !selected) begin
      count      <= '0;
      looked     <= 1'b0;
      is_corrupt <= 1'b0;
      sum        <= dsv_registers_pkg::FRAME_INITIAL;
      content    <= '0;
      miso       <= 1'b0;
    end else begin
      if (rises && count != '1) count <= count + 1'b1;
      if (looks) begin
        looked     <= 1'b1;
        is_corrupt <= sum != '0;
      end
      if (rises && count < REQUEST_END) sum <= next_sum;
      if (rises && count < CONTENT_END) content <= {content[54:0], data[1]};
      // Just before the pause ends, the answer takes the place of the request.
      if (falls && count == PAUSE_END - 1'b1) begin
        content <= is_corrupt ? {dsv_registers_pkg::ANSWER_CORRUPT, 48'd0} : {answer_status, answer_data, 16'd0};
        sum     <= dsv_registers_pkg::FRAME_INITIAL;
      end
      if (falls && count >= PAUSE_END) begin
        miso    <= count < ANSWER_END ? content[55] : sum[15];
        content <= {content[54:0], 1'b0};
        sum     <= count < ANSWER_END ? next_sum : {sum[14:0], 1'b0};
      end
    end
  end
endmodule
