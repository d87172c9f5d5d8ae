// Stage 2. Hops from one router of a Dragonfly to another on a shortest route (router-core/src/map/dragonfly.rs, `distance`), where two
// groups are joined by one link: 0 to 3. Both lie in the network.
module dsv_leg #(
`include "dsv_route_config.svh"
  localparam int unsigned INDEX_W = dsv_pkg::ADDRESS_INDEX_BITS,
  localparam int unsigned LINK_W = GLOBALS > 1 ? $clog2(GLOBALS) : 1
) (
  input  dsv_pkg::address_t  from,
  input  dsv_pkg::address_t  to,
  output logic [1:0]         hops,
  // The link between their groups: its place among those of its router, where it lands, and the hops to there.
  output logic [LINK_W-1:0]  link,
  output logic [INDEX_W-1:0] landing,
  output logic [1:0]         exit
);
  localparam int unsigned GROUP_W = GROUPS > 1 ? $clog2(GROUPS) : 1;

  // Rank of a group in the list of another one, and of that one in its list: link number rank of a group leads to the group of that rank.
  logic [GROUP_W-1:0] near, far;
  generate
    if (ARRANGEMENT == dsv_pkg::ARRANGEMENT_ABSOLUTE) begin : g_by_number
      assign near = GROUP_W'(to.group) - GROUP_W'(to.group > from.group);
      assign far  = GROUP_W'(from.group) - GROUP_W'(from.group > to.group);
    end else begin : g_around
      // minuend - subtrahend - 1, modulo the number of groups; both ranks together are always GROUPS - 2.
      logic [GROUP_W-1:0] minuend, subtrahend, below;
      assign minuend    = GROUP_W'(ARRANGEMENT == dsv_pkg::ARRANGEMENT_PALMTREE ? from.group : to.group);
      assign subtrahend = GROUP_W'(ARRANGEMENT == dsv_pkg::ARRANGEMENT_PALMTREE ? to.group : from.group);
      assign below = minuend + ~subtrahend;
      assign near  = minuend > subtrahend ? below : below + GROUP_W'(GROUPS);
      assign far   = GROUP_W'(GROUPS - 2) - near;
    end
  endgenerate

  logic [INDEX_W-1:0] owner;
  assign owner   = INDEX_W'(32'(near) / GLOBALS);
  assign link    = LINK_W'(32'(near) % GLOBALS);
  assign landing = INDEX_W'(32'(far) / GLOBALS);
  assign exit    = 2'd1 + 2'(owner != from.index);
  assign hops    = from.group == to.group ? 2'(from.index != to.index) : exit + 2'(landing != to.index);
endmodule
