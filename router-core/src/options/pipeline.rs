//! How many stages share an internal cycle.

/// Internal cycles that a head takes from wire to wire where nothing keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Pipeline {
    /// 4: requests are admitted and allocated in one cycle.
    #[default]
    Four,
    /// 5: what is admitted is registered, and allocated a cycle later (`router/admitted.rs`).
    ///
    /// Where flits are allocated and packets go as they come: not with [`AllocationUnit::Packet`](super::AllocationUnit::Packet), circuits and
    /// mad postman. A packet requests one output at a time, with the trigger `always`, too. With a speedup an output FIFO needs a place more than
    /// that.
    Five,
    /// 6: what is allocated is registered, too, and crosses a cycle later.
    ///
    /// As with [`Five`](Self::Five), and not with lifetime limits. With a speedup an output FIFO needs two places more than
    /// that.
    Six,
}

impl Pipeline {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Four, Self::Five, Self::Six];

    /// That of so many internal cycles.
    pub const fn of(cycles: u32) -> Option<Self> {
        match cycles {
            4 => Some(Self::Four),
            5 => Some(Self::Five),
            6 => Some(Self::Six),
            _ => None,
        }
    }

    /// Internal cycles from a head on an input wire to the same head on an output wire, at zero load.
    pub const fn cycles(self) -> u32 {
        match self {
            Self::Four => 4,
            Self::Five => 5,
            Self::Six => 6,
        }
    }

    /// Internal cycles from a later flit on an input wire to that flit on an output wire, at zero load: it is neither routed nor selected.
    pub const fn body_cycles(self) -> u32 {
        self.cycles().wrapping_sub(1)
    }

    /// Whether requests are registered between admission and allocation.
    #[inline(always)]
    pub const fn registers_requests(self) -> bool {
        !matches!(self, Self::Four)
    }

    /// Whether grants are registered between allocation and the crossbar.
    #[inline(always)]
    pub const fn registers_grants(self) -> bool {
        matches!(self, Self::Six)
    }

    /// Flits of others that may go ahead of a flit to its output between the admission of that one and its leaving: one in each cycle.
    pub const fn ahead(self) -> u32 {
        self.cycles().wrapping_sub(Self::Four.cycles())
    }
}

impl From<Pipeline> for u32 {
    fn from(pipeline: Pipeline) -> Self {
        pipeline.cycles()
    }
}

impl TryFrom<u32> for Pipeline {
    type Error = u32;

    fn try_from(cycles: u32) -> Result<Self, u32> {
        Self::of(cycles).ok_or(cycles)
    }
}

impl core::fmt::Display for Pipeline {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.cycles().fmt(f)
    }
}
