//! Bits of the header and of other words.
//!
//! Written from `hdl/switch.toml` by `cargo xtask generate`: do not edit.

/// Lowest bit of `router`.
pub const ROUTER_AT: u32 = 0;
/// Bits of `router`.
pub const ROUTER_BITS: u32 = 18;
/// Lowest bit of `port`.
pub const PORT_AT: u32 = 18;
/// Bits of `port`.
pub const PORT_BITS: u32 = 6;
/// Lowest bit of `progress`.
pub const PROGRESS_AT: u32 = 24;
/// Bits of `progress`.
pub const PROGRESS_BITS: u32 = 6;
/// Lowest bit of `marks`.
pub const MARKS_AT: u32 = 30;
/// Bits of `marks`.
pub const MARKS_BITS: u32 = 2;
/// Lowest bit of `source`.
pub const SOURCE_AT: u32 = 32;
/// Bits of `source`.
pub const SOURCE_BITS: u32 = 32;
/// Lowest bit of `via`.
pub const VIA_AT: u32 = 64;
/// Bits of `via`.
pub const VIA_BITS: u32 = 18;
/// Lowest bit of `service_level`.
pub const SERVICE_LEVEL_AT: u32 = 82;
/// Bits of `service_level`.
pub const SERVICE_LEVEL_BITS: u32 = 4;
/// Lowest bit of `length`.
pub const LENGTH_AT: u32 = 86;
/// Bits of `length`.
pub const LENGTH_BITS: u32 = 10;
/// Lowest bit of `local_misroutes`.
pub const PROGRESS_LOCAL_MISROUTES_AT: u32 = 0;
/// Bits of `local_misroutes`.
pub const PROGRESS_LOCAL_MISROUTES_BITS: u32 = 3;
/// Lowest bit of `left_origin`.
pub const PROGRESS_LEFT_ORIGIN_AT: u32 = 3;
/// Bits of `left_origin`.
pub const PROGRESS_LEFT_ORIGIN_BITS: u32 = 1;
/// Lowest bit of `must_leave`.
pub const PROGRESS_MUST_LEAVE_AT: u32 = 4;
/// Bits of `must_leave`.
pub const PROGRESS_MUST_LEAVE_BITS: u32 = 1;
/// Lowest bit of `via_ahead`.
pub const PROGRESS_VIA_AHEAD_AT: u32 = 5;
/// Bits of `via_ahead`.
pub const PROGRESS_VIA_AHEAD_BITS: u32 = 1;
/// Lowest bit of `forward`.
pub const MARKS_FORWARD_AT: u32 = 0;
/// Bits of `forward`.
pub const MARKS_FORWARD_BITS: u32 = 1;
/// Lowest bit of `backward`.
pub const MARKS_BACKWARD_AT: u32 = 1;
/// Bits of `backward`.
pub const MARKS_BACKWARD_BITS: u32 = 1;
/// Lowest bit of `router`.
pub const SOURCE_ROUTER_AT: u32 = 0;
/// Bits of `router`.
pub const SOURCE_ROUTER_BITS: u32 = 18;
/// Lowest bit of `port`.
pub const SOURCE_PORT_AT: u32 = 18;
/// Bits of `port`.
pub const SOURCE_PORT_BITS: u32 = 6;
/// Lowest bit of `spare`.
pub const SOURCE_SPARE_AT: u32 = 24;
/// Bits of `spare`.
pub const SOURCE_SPARE_BITS: u32 = 8;
/// Lowest bit of `index`.
pub const ADDRESS_INDEX_AT: u32 = 0;
/// Bits of `index`.
pub const ADDRESS_INDEX_BITS: u32 = 6;
/// Lowest bit of `group`.
pub const ADDRESS_GROUP_AT: u32 = 6;
/// Bits of `group`.
pub const ADDRESS_GROUP_BITS: u32 = 12;
/// Lowest bit of `vl`.
pub const VL_ENTRY_VL_AT: u32 = 0;
/// Bits of `vl`.
pub const VL_ENTRY_VL_BITS: u32 = 3;
/// Lowest bit of `weight`.
pub const VL_ENTRY_WEIGHT_AT: u32 = 3;
/// Bits of `weight`.
pub const VL_ENTRY_WEIGHT_BITS: u32 = 8;
/// Most members of which one is drawn by products that are formed for each number of members, before that number is known.
pub const DRAWS_AHEAD: u32 = 8;
/// Bits of a virtual lane in a table from service levels to lanes.
pub const LANE_BITS: u32 = 4;
/// Rows of the table memory that such tables of an input have: a bit of the lane of each level.
pub const LANE_ROWS: u32 = 64;
/// Ticks that a packet sees in a router until it is too old.
pub const LIFETIME_TICKS: u32 = 4;
/// Bits of the marking rate.
pub const MARK_RATE_BITS: u32 = 16;
/// Rows of the table memory that say what is marked.
pub const MARK_ROWS: u32 = 59;
/// Bits of a threshold of congestion.
pub const MARK_WEIGHT_BITS: u32 = 4;
/// Bits of the count of units of high priority: no limit is beyond it.
pub const VL_COUNT_BITS: u32 = 14;
/// Entries of a table of VL arbitration.
pub const VL_ENTRIES: u32 = 8;
/// Bits of the limit of high priority.
pub const VL_LIMIT_BITS: u32 = 8;
/// Bits of the number of packets in succession by whose discard a lane is stalled.
pub const VL_STALL_BITS: u32 = 3;
/// Lifetime limits for which a lane is stalled.
pub const VL_STALL_LIMITS: u32 = 8;
/// Bits of the state: a turn in each table (entry, units), and the count.
pub const VL_STATE_BITS: u32 = 36;
/// Bits of both tables and the limit.
pub const VL_TABLES_BITS: u32 = 184;
/// Sets of candidates that a packet has room for.
pub const CANDIDATE_SETS: u32 = 3;
/// Bits of the hops to the destination by a set of candidates.
pub const HOPS_BITS: u32 = 3;
/// Bits of a header.
pub const HEADER_BITS: u32 = 96;
/// Words of 32 bits of a header.
pub const HEADER_WORDS: u32 = 3;
