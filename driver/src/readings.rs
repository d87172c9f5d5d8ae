//! Readings of a switch's counters.

/// The switch's error counters of its bus, in frames. Counters stay at 65,535; a reset clears them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Health {
    /// Requests whose checksum was wrong.
    pub corrupt: u32,
    /// Frames that ended within the request.
    pub short: u32,
    /// Requests that were understood and not followed.
    pub refused: u32,
}

/// Events of a switch since they were asked for last, by kind; 255 stands for more, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Happened {
    /// Commits that ended, well or not.
    pub commits: u8,
    /// Cycles in which the router counted a protocol error.
    pub errors: u8,
    /// Frames that were corrupt, short or refused.
    pub frames: u8,
}
