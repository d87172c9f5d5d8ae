//! What happened at a port since it was made.

/// Counts, each of which stays at its highest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counters {
    /// Flits that were sent for the first time.
    pub sent: u32,
    /// Flits that were sent again.
    pub resent: u32,
    /// Flits that were taken from the line.
    pub received: u32,
    /// Flits that came once more and were left out.
    pub repeated: u32,
    /// Flits that came too early: one before them is missing.
    pub gaps: u32,
    /// Frames with a wrong check sum or broken framing.
    pub crc_errors: u32,
    /// Frames with a right check sum that make no sense, or break the flow control.
    pub protocol_errors: u32,
    /// Frames of another session of this end or the neighbour.
    pub stale: u32,
    /// How often the time for an acknowledgement ran out.
    pub timeouts: u32,
    /// How often the port came up.
    pub ups: u32,
    /// How often it was up and went down.
    pub flaps: u32,
    /// How often the neighbour had restarted.
    pub restarts: u32,
    /// Flits that were reported lost.
    pub lost: u32,
}

/// One more; at the highest value it stays.
pub(crate) const fn count(counter: &mut u32) {
    *counter = counter.saturating_add(1);
}
