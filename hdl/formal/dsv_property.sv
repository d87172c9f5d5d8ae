// What `DSV_CHECK` of include/dsv_check.svh is to a formal tool.
module dsv_property (
  input logic holds
);
  always_comb HOLDS: assert (holds);
endmodule
