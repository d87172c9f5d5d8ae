//! What the triggers compare with.
//!
//! Written from `hdl/registers.toml` by `cargo xtask generate`: do not edit.

use crate::register::{Register, Single, Staged, Writable};

/// Which of the triggers that this switch was built with may fire; with none, all hops are minimal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trigger(u32);

impl Register for Trigger {
    const NAME: &'static str = "trigger";
    const ADDRESS: u16 = 0x0014;
    const MASK: u32 = 0x3;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Trigger {}
impl Writable for Trigger {}
impl Staged for Trigger {
    const IN_USE: u16 = 0x0024;
}

impl Trigger {
    /// The occupancy trigger.
    pub const fn occupancy(self) -> bool {
        self.0 & 1 == 1
    }
    /// With another `occupancy`.
    #[must_use]
    pub const fn with_occupancy(self, value: bool) -> Self {
        Self(self.0 & 0xfffffffe | value as u32 & 0x1)
    }
    /// The contention trigger.
    pub const fn contention(self) -> bool {
        self.0 >> 1 & 1 == 1
    }
    /// With another `contention`.
    #[must_use]
    pub const fn with_contention(self, value: bool) -> Self {
        Self(self.0 & 0xfffffffd | (value as u32) << 1 & 0x2)
    }
}

/// Packets that want an output from which on it is contended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentionThreshold(u32);

impl Register for ContentionThreshold {
    const NAME: &'static str = "contention_threshold";
    const ADDRESS: u16 = 0x0015;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for ContentionThreshold {}
impl Writable for ContentionThreshold {}
impl Staged for ContentionThreshold {
    const IN_USE: u16 = 0x0025;
}

impl ContentionThreshold {
    /// Packets.
    pub const fn packets(self) -> u32 {
        self.0 & 0xffff
    }
    /// With another `packets`. Higher bits are cut off.
    #[must_use]
    pub const fn with_packets(self, value: u32) -> Self {
        Self(self.0 & 0xffff0000 | value & 0xffff)
    }
}

/// How many times the mean of all counters a contended output exceeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentionFactor(u32);

impl Register for ContentionFactor {
    const NAME: &'static str = "contention_factor";
    const ADDRESS: u16 = 0x0016;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for ContentionFactor {}
impl Writable for ContentionFactor {}
impl Staged for ContentionFactor {
    const IN_USE: u16 = 0x0026;
}

impl ContentionFactor {
    /// 8 bits before the point and 8 behind.
    pub const fn factor(self) -> u32 {
        self.0 & 0xffff
    }
    /// With another `factor`. Higher bits are cut off.
    #[must_use]
    pub const fn with_factor(self, value: u32) -> Self {
        Self(self.0 & 0xffff0000 | value & 0xffff)
    }
}

/// Share of the minimal output's buffer that is in use at least when a detour is considered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MinimalOccupancy(u32);

impl Register for MinimalOccupancy {
    const NAME: &'static str = "minimal_occupancy";
    const ADDRESS: u16 = 0x0017;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for MinimalOccupancy {}
impl Writable for MinimalOccupancy {}
impl Staged for MinimalOccupancy {
    const IN_USE: u16 = 0x0027;
}

impl MinimalOccupancy {
    /// 1 bit before the point and 15 behind.
    pub const fn share(self) -> u32 {
        self.0 & 0xffff
    }
    /// With another `share`. Higher bits are cut off.
    #[must_use]
    pub const fn with_share(self, value: u32) -> Self {
        Self(self.0 & 0xffff0000 | value & 0xffff)
    }
}

/// How full a detour's buffer may be, as a share of how full the minimal one is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RelativeThreshold(u32);

impl Register for RelativeThreshold {
    const NAME: &'static str = "relative_threshold";
    const ADDRESS: u16 = 0x0018;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for RelativeThreshold {}
impl Writable for RelativeThreshold {}
impl Staged for RelativeThreshold {
    const IN_USE: u16 = 0x0028;
}

impl RelativeThreshold {
    /// 8 bits before the point and 8 behind.
    pub const fn share(self) -> u32 {
        self.0 & 0xffff
    }
    /// With another `share`. Higher bits are cut off.
    #[must_use]
    pub const fn with_share(self, value: u32) -> Self {
        Self(self.0 & 0xffff0000 | value & 0xffff)
    }
}

/// Whether a global minimal output must be fuller than the other global ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restriction(u32);

impl Register for Restriction {
    const NAME: &'static str = "restriction";
    const ADDRESS: u16 = 0x0019;
    const MASK: u32 = 0x1;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Restriction {}
impl Writable for Restriction {}
impl Staged for Restriction {
    const IN_USE: u16 = 0x0029;
}

impl Restriction {
    /// Whether it must.
    pub const fn enable(self) -> bool {
        self.0 & 1 == 1
    }
    /// With another `enable`.
    #[must_use]
    pub const fn with_enable(self, value: bool) -> Self {
        Self(self.0 & 0xfffffffe | value as u32 & 0x1)
    }
}

/// How many times the mean of the global outputs it must exceed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestrictionFactor(u32);

impl Register for RestrictionFactor {
    const NAME: &'static str = "restriction_factor";
    const ADDRESS: u16 = 0x001a;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for RestrictionFactor {}
impl Writable for RestrictionFactor {}
impl Staged for RestrictionFactor {
    const IN_USE: u16 = 0x002a;
}

impl RestrictionFactor {
    /// 8 bits before the point and 8 behind.
    pub const fn factor(self) -> u32 {
        self.0 & 0xffff
    }
    /// With another `factor`. Higher bits are cut off.
    #[must_use]
    pub const fn with_factor(self, value: u32) -> Self {
        Self(self.0 & 0xffff0000 | value & 0xffff)
    }
}

/// By how many packets more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestrictionPackets(u32);

impl Register for RestrictionPackets {
    const NAME: &'static str = "restriction_packets";
    const ADDRESS: u16 = 0x001b;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for RestrictionPackets {}
impl Writable for RestrictionPackets {}
impl Staged for RestrictionPackets {
    const IN_USE: u16 = 0x002b;
}

impl RestrictionPackets {
    /// Packets.
    pub const fn packets(self) -> u32 {
        self.0 & 0xffff
    }
    /// With another `packets`. Higher bits are cut off.
    #[must_use]
    pub const fn with_packets(self, value: u32) -> Self {
        Self(self.0 & 0xffff0000 | value & 0xffff)
    }
}
