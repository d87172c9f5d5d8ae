//! Defects in corners that only stimuli made for them reach: idle wires, bits that no scenario sets, addresses one bit outside of the
//! network, one random word of many, inputs in reset, counters at their end.

use super::planted::site;
use super::schema::Modules;
use super::site::Site;

const FRONT: &str = "front[HEADER_LSB +: HEADER_W]";
const PUSHED: &str = "{push_head, push_tail, push_label, push_data}";
const ROW: &str = "write && write_row == ROUTER_W'(row)";

/// Module, what it says, and what it says instead.
const CORNERS: [(&str, &str, &str); 21] = [
    // Chance.
    ("lfsr", "rst ? seed : stepped", "rst ? seed : (value[31:16] == 16'h1234) ? value : stepped"),
    // Bits of a head that pass as they are: spare, marks, intermediate router; payload.
    ("input_port", FRONT, "front[HEADER_LSB +: HEADER_W] & ~(HEADER_W'(1) << dsv_pkg::SOURCE_AT + 24)"),
    ("input_port", FRONT, "front[HEADER_LSB +: HEADER_W] & ~(HEADER_W'(1) << dsv_pkg::MARKS_AT)"),
    ("input_port", FRONT, "front[HEADER_LSB +: HEADER_W] & ~(HEADER_W'(1) << dsv_pkg::VIA_AT + 17)"),
    (
        "output_port",
        PUSHED,
        "{push_head, push_tail, push_label, push_data & ~(FLIT_WIDTH'(push_head) << 31)}",
    ),
    // Addresses just outside of the network.
    ("dragonfly", "32'(there.index) < SIZE", "32'(there.index[INDEX_W-2:0]) < SIZE"),
    ("dragonfly", "32'(to_port) < NODES", "32'(to_port[dsv_pkg::PORT_BITS-2:0]) < NODES"),
    ("table_lookup", "to_router == ROUTER_W'(row)", "to_router[3:0] == 4'(row)"),
    // Wires whose `valid` is low.
    ("output_port", "flit_valid ? flits[first] : '0", "flits[first]"),
    ("credit_return", "rst || read == '0", "rst"),
    // Flits that are not as wide as usual.
    ("output_port", "flit_valid ? flits[first] : '0", "flit_valid && FLIT_WIDTH == 128 ? flits[first] : '0"),
    // Inputs in reset.
    ("router", "rst ? '0 : credit_in_valid", "credit_in_valid"),
    ("router", "rst ? '0 : flit_in_valid", "flit_in_valid"),
    // Pins of the configuration and of the table at rest.
    ("router", "rst || config_load", "rst || config_load || config_seed[0]"),
    ("routing_table", ROW, "write_row == ROUTER_W'(row)"),
    ("routing_table", ROW, "write && write_row[3:0] == 4'(row)"),
    // A row too far: what is there is of another setting.
    ("table_settings", "padded[VICTIMS_AT*PORTS +: PORTS]", "padded[(VICTIMS_AT + 1)*PORTS +: PORTS]"),
    (
        "table_settings",
        "padded[(TABLE_ROUTERS + MARK_ROWS + VL_ROWS + k)*PORTS + o]",
        "padded[(TABLE_ROUTERS + MARK_ROWS + VL_ROWS + k + 1)*PORTS + o]",
    ),
    // Thresholds that no scenario has.
    (
        "trigger_occupancy",
        "SHARE_W'(thresholds.minimal_occupancy) * SHARE_W'(LOCAL_FLITS)",
        "SHARE_W'(thresholds.minimal_occupancy[14:0]) * SHARE_W'(LOCAL_FLITS)",
    ),
    ("select", "thresholds.occupancy_enable && occupancy_fires", "occupancy_fires"),
    // Counters at their end.
    ("event_count", "sum[WIDTH] ? '1 : sum[WIDTH-1:0]", "sum[WIDTH-1:0]"),
];

/// The defects as mutants.
pub(crate) fn corners(modules: &Modules) -> Vec<Site> {
    CORNERS.iter().map(|&(module, from, to)| site(modules, "corner", module, from, to)).collect()
}
