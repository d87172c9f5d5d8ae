// Routings by table and by the route in the header, side by side (tests/rtl_unit/tables.sv).
module tables_bench #(
  localparam int unsigned PORTS    = 4,
  localparam int unsigned VC_W     = 2,
  localparam int unsigned ROWS     = 7,
  localparam int unsigned VARIANTS = 11
) (
  input  logic             clk,
  input  logic             rst,
  input  logic [15:0]      mutant,
  input  logic [17:0]      here_router,
  input  logic [PORTS-1:0] wired,
  input  logic [PORTS-1:0] from_port,
  input  logic [1:0]       from_kind,
  input  logic [VC_W-1:0]  from_vc,
  input  logic [dsv_pkg::HEADER_BITS-1:0] header,
  input  logic [ROWS*PORTS-1:0] rows,
  output logic [VARIANTS*64-1:0] offered,
  input  logic             drawn,
  output logic [dsv_pkg::HEADER_BITS-1:0] onward_header,
  output logic [dsv_pkg::HEADER_BITS-1:0] drawn_header,
  output logic             drawn_hop
);
  always_ff @(posedge clk) if (rst) mutation::chosen <= mutant;

  tables all (.here_router, .wired, .from_port, .from_kind, .from_vc, .header, .rows, .drawn, .offered, .onward_header, .drawn_header, .drawn_hop);
endmodule
