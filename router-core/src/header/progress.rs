//! Progress of a packet: the bits of its header that say what it has done.

use super::ones;
use crate::layout;

/// What a packet has done on its way so far: the bits that a detour leaves behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Progress(pub(super) u8);

impl Progress {
    /// Progress with these bits, of which those beyond the field are dropped.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & ones(layout::PROGRESS_BITS) as u8)
    }
    /// The bits, as in a header.
    pub const fn bits(self) -> u8 {
        self.0
    }
    const LOCAL_MISROUTES: u8 = (1 << layout::PROGRESS_LOCAL_MISROUTES_BITS) - 1;
    const LEFT_ORIGIN: u8 = 1 << layout::PROGRESS_LEFT_ORIGIN_AT;
    const MUST_LEAVE: u8 = 1 << layout::PROGRESS_MUST_LEAVE_AT;
    const VIA_AHEAD: u8 = 1 << layout::PROGRESS_VIA_AHEAD_AT;

    /// Local misroutes taken, 0…7, in the scope that the routing counts in.
    pub const fn local_misroutes(self) -> u8 {
        self.0 & Self::LOCAL_MISROUTES
    }
    /// Whether a global link has been crossed: the packet is no longer in its origin group.
    pub const fn left_origin(self) -> bool {
        self.0 & Self::LEFT_ORIGIN != 0
    }
    /// Whether the next hop has to be global (mandatory exit after a local misroute in the origin group).
    pub const fn must_leave(self) -> bool {
        self.0 & Self::MUST_LEAVE != 0
    }
    /// Whether the intermediate point is still ahead.
    pub const fn via_ahead(self) -> bool {
        self.0 & Self::VIA_AHEAD != 0
    }
    /// Whether the second of two intermediate points is still ahead. It is the bit of [`Progress::must_leave`]: no routing has both.
    pub const fn second_via_ahead(self) -> bool {
        self.must_leave()
    }
    /// The second of two intermediate points is ahead, or behind.
    #[must_use]
    pub const fn with_second_via_ahead(self, ahead: bool) -> Self {
        if ahead { Self(self.0 | Self::MUST_LEAVE) } else { Self(self.0 & !Self::MUST_LEAVE) }
    }
    /// One local misroute more; the count stays at 7.
    #[must_use]
    pub const fn with_local_misroute(self) -> Self {
        if self.local_misroutes() == Self::LOCAL_MISROUTES { self } else { Self(self.0.wrapping_add(1)) }
    }
    /// The count of local misroutes back at 0.
    #[must_use]
    pub const fn without_local_misroutes(self) -> Self {
        Self(self.0 & !Self::LOCAL_MISROUTES)
    }
    /// A global link has been crossed, which also fulfils the duty to leave.
    #[must_use]
    pub const fn with_origin_left(self) -> Self {
        Self((self.0 | Self::LEFT_ORIGIN) & !Self::MUST_LEAVE)
    }
    /// The next hop has to be global.
    #[must_use]
    pub const fn with_duty_to_leave(self) -> Self {
        Self(self.0 | Self::MUST_LEAVE)
    }
    /// The next hop need not be global.
    #[must_use]
    pub const fn without_duty_to_leave(self) -> Self {
        Self(self.0 & !Self::MUST_LEAVE)
    }
    /// The intermediate point is ahead, or behind.
    #[must_use]
    pub const fn with_via_ahead(self, ahead: bool) -> Self {
        if ahead { Self(self.0 | Self::VIA_AHEAD) } else { Self(self.0 & !Self::VIA_AHEAD) }
    }
}
