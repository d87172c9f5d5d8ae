// What RaveNoC's package takes from its bus package, for its router alone.
package amba_axi_pkg;
  typedef enum logic [2:0] {AXI_WORD = 2, AXI_DWORD = 3} axi_size_t;
  typedef logic [31:0] axi_addr_t;
  typedef logic        axi_tid_t;
endpackage
