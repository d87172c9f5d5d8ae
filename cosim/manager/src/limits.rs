//! For how long switches keep packets.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.5.4 (SwitchInfo: LifeTimeValue) and 14.2.5.6 (PortInfo: HOQLife, VLStallCount).

/// The limits of a port of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadLimit {
    /// HOQLife, 0 to 31: 4.096 µs times two to the power of it, from 20 on for ever.
    pub life: u8,
    /// VLStallCount, 0 to 7.
    pub stall_count: u8,
}

/// The limits of all switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of ports to ends.
    pub to_ends: HeadLimit,
    /// Of ports to other switches.
    pub to_switches: HeadLimit,
    /// LifeTimeValue, 0 to 31, as HOQLife.
    pub in_switches: u8,
}

impl Default for Limits {
    /// Those of OpenSM.
    fn default() -> Self {
        Self {
            to_ends: HeadLimit { life: 16, stall_count: 7 },
            to_switches: HeadLimit { life: 18, stall_count: 7 },
            in_switches: 18,
        }
    }
}

impl Limits {
    /// That of a port with a link to a switch, or to an end.
    pub(crate) fn of_port(&self, to_switch: bool) -> HeadLimit {
        if to_switch { self.to_switches } else { self.to_ends }
    }
}
