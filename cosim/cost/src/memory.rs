//! Memories of a router, counted from its parameters alone.

use desvio_lockstep::rtl::Shape;

/// Bits of all memories of a router: the flits of each VC and of each output FIFO, the latter with head, tail and VC beside them. Where
/// packets are counted as they arrive, each packet of a VC adds the port at which it was counted. A synchronous buffer has a power of two
/// of places for each VC, and of VCs.
///
/// Exact: a test holds it against what Yosys finds.
#[must_use]
pub fn memory_bits(shape: &Shape) -> u64 {
    let value = |name: &str| {
        let found = shape.parameters.iter().find(|(key, _)| *key == name);
        found.map_or(0, |&(_, value)| u64::from(value))
    };
    let ports = shape.ports as u64;
    let width = value("FLIT_WIDTH");
    let counts_arrivals = value("COUNT_AT") == 1;
    let is_synchronous = value("SYNCHRONOUS_BUFFERS") != 0;
    let inputs: u64 = ["NODE", "LOCAL", "GLOBAL"]
        .iter()
        .map(|kind| {
            let depth = value(&format!("{kind}_FLITS"));
            let places = depth.min((depth.max(2) - 2) / value("SHORTEST").max(1) + 2);
            let ring = if counts_arrivals { places * ports } else { 0 };
            let vcs = value(&format!("{kind}_VCS"));
            let reserved = value(&format!("{kind}_RESERVED"));
            let held = match is_synchronous {
                _ if (1..depth).contains(&reserved) => shared_bits((depth, reserved), vcs, width),
                true => depth.max(2).next_power_of_two() * vcs.max(2).next_power_of_two() * width,
                false => depth * vcs * width,
            };
            value(&format!("{kind}S")) * (held + vcs * ring)
        })
        .sum();
    inputs + ports * value("OUTPUT_FLITS") * (width + u64::from(shape.vc_bits()) + 2)
}

/// Bits of the buffer of a port whose VCs share places (`dsv_shared_flits`). It has a place for each flit but the first two of each VC, and
/// one more. Each place has two numbers beside it: of the place behind it, and of a free one.
fn shared_bits((depth, reserved): (u64, u64), vcs: u64, width: u64) -> u64 {
    let places = depth - reserved + vcs * reserved.saturating_sub(2) + 1;
    let number = u64::from(places.next_power_of_two().trailing_zeros());
    places * (width + 2 * number)
}
