//! The registers of the switch, and the codes in frames.
//!
//! Written from `hdl/registers.toml` by `cargo xtask generate`: do not edit.

use crate::register::{Access, Entry, Indexed, Register, Single, Staged, Writable};

/// What every switch has in its register `version`.
pub const MAGIC: u32 = 0xde50;
/// The map of registers that this driver knows.
pub const MAJOR: u32 = 0x1;
/// How much of it.
pub const MINOR: u32 = 0x0;
/// Of the checksum; the highest power is left out.
pub const POLYNOMIAL: u16 = 0x3d65;
/// The checksum of nothing.
pub const INITIAL: u16 = 0xffff;
/// The command of a frame that reads.
pub const READ: u8 = 0x3a;
/// The command of a frame that writes.
pub const WRITE: u8 = 0xc5;

/// What the switch answers to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done; the data is what the register holds now.
    Ok,
    /// The checksum of the request is wrong: nothing was done.
    Corrupt,
    /// Neither a read nor a write.
    NoSuchCommand,
    /// No register of this switch has this address.
    NoSuchRegister,
    /// The register cannot be written.
    ReadOnly,
    /// A commit is under way: staged registers and tables stand still, ask again.
    Busy,
}

impl Answer {
    /// By its number; none for a number without a meaning.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0x5a => Some(Self::Ok),
            0x99 => Some(Self::Corrupt),
            0xa6 => Some(Self::NoSuchCommand),
            0x65 => Some(Self::NoSuchRegister),
            0x3c => Some(Self::ReadOnly),
            0xc3 => Some(Self::Busy),
            _ => None,
        }
    }
}

impl core::fmt::Display for Answer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Ok => "done; the data is what the register holds now",
            Self::Corrupt => "the checksum of the request is wrong: nothing was done",
            Self::NoSuchCommand => "neither a read nor a write",
            Self::NoSuchRegister => "no register of this switch has this address",
            Self::ReadOnly => "the register cannot be written",
            Self::Busy => "a commit is under way: staged registers and tables stand still, ask again",
        })
    }
}

/// How a commit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that was asked for is in use.
    Done,
    /// `table_rows` is not the number of rows that this switch has.
    WrongRows,
    /// `table_checksum` is not that of the staged rows.
    WrongChecksum,
    /// A switch that routes by table was to start without one.
    NoTable,
}

impl Outcome {
    /// By its number; none for a number without a meaning.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0x0 => Some(Self::Done),
            0x1 => Some(Self::WrongRows),
            0x2 => Some(Self::WrongChecksum),
            0x3 => Some(Self::NoTable),
            _ => None,
        }
    }
}

impl core::fmt::Display for Outcome {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Done => "everything that was asked for is in use",
            Self::WrongRows => "`table_rows` is not the number of rows that this switch has",
            Self::WrongChecksum => "`table_checksum` is not that of the staged rows",
            Self::NoTable => "a switch that routes by table was to start without one",
        })
    }
}

/// What answers, and which map of registers it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version(u32);

impl Register for Version {
    const NAME: &'static str = "version";
    const ADDRESS: u16 = 0x0000;
    const MASK: u32 = 0xffffffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Version {}

impl Version {
    /// `0xde50`: this is a switch.
    pub const fn magic(self) -> u32 {
        self.0 >> 16 & 0xffff
    }
    /// Another number is another map.
    pub const fn major(self) -> u32 {
        self.0 >> 8 & 0xff
    }
    /// A higher number has more registers.
    pub const fn minor(self) -> u32 {
        self.0 & 0xff
    }
}

/// The parameters that this switch was built with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape(u32);

impl Register for Shape {
    const NAME: &'static str = "shape";
    const ADDRESS: u16 = 0x0001;
    const MASK: u32 = 0xffffffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Shape {}

impl Shape {
    /// Ports, at most 32.
    pub const fn ports(self) -> u32 {
        self.0 & 0xff
    }
    /// The largest number of VCs of a port, at most 8.
    pub const fn vcs(self) -> u32 {
        self.0 >> 8 & 0xff
    }
    /// The routing function, by its number in `hdl/switch.toml`.
    pub const fn routing(self) -> u32 {
        self.0 >> 16 & 0xf
    }
    /// The trigger, by its number in `hdl/switch.toml`; `hybrid` has the parts of both.
    pub const fn trigger(self) -> u32 {
        self.0 >> 20 & 0xf
    }
    /// Bits of a contention counter and of its threshold.
    pub const fn counter_bits(self) -> u32 {
        self.0 >> 24 & 0xff
    }
}

/// The rows of the routing table that this switch was built with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableSize(u32);

impl Register for TableSize {
    const NAME: &'static str = "table_size";
    const ADDRESS: u16 = 0x0002;
    const MASK: u32 = 0x7fff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for TableSize {}

impl TableSize {
    /// Rows, at most 16,384.
    pub const fn rows(self) -> u32 {
        self.0 & 0x7fff
    }
}

/// What is going on, and how the last commit ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status(u32);

impl Register for Status {
    const NAME: &'static str = "status";
    const ADDRESS: u16 = 0x0004;
    const MASK: u32 = 0xffffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Status {}

impl Status {
    /// The number of the last commit that ended, well or not; 0 after reset.
    pub const fn generation(self) -> u32 {
        self.0 & 0xffff
    }
    /// How it ended.
    pub const fn outcome(self) -> u32 {
        self.0 >> 16 & 0xf
    }
    /// A commit is under way.
    pub const fn busy(self) -> bool {
        self.0 >> 20 & 1 == 1
    }
    /// The router has been started; before, it is held in reset.
    pub const fn running(self) -> bool {
        self.0 >> 21 & 1 == 1
    }
    /// Which bank of the routing table is in use.
    pub const fn bank(self) -> bool {
        self.0 >> 22 & 1 == 1
    }
    /// A routing table has been committed since reset.
    pub const fn has_table(self) -> bool {
        self.0 >> 23 & 1 == 1
    }
}

/// Puts what is staged to use, all of it at one edge of the clock, or nothing. A commit whose `generation` is that of the last one does nothing: to send one twice is harmless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commit(u32);

impl Register for Commit {
    const NAME: &'static str = "commit";
    const ADDRESS: u16 = 0x0005;
    const MASK: u32 = 0x7ffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Commit {}
impl Writable for Commit {}

impl Commit {
    /// A number that tells this commit from the last one.
    pub const fn generation(self) -> u32 {
        self.0 & 0xffff
    }
    /// With another `generation`. Higher bits are cut off.
    #[must_use]
    pub const fn with_generation(self, value: u32) -> Self {
        Self(self.0 & 0xffff0000 | value & 0xffff)
    }
    /// The thresholds and the trigger.
    pub const fn thresholds(self) -> bool {
        self.0 >> 16 & 1 == 1
    }
    /// With another `thresholds`.
    #[must_use]
    pub const fn with_thresholds(self, value: bool) -> Self {
        Self(self.0 & 0xfffeffff | (value as u32) << 16 & 0x10000)
    }
    /// The routing table, if `table_rows` and `table_checksum` agree with what is staged.
    pub const fn table(self) -> bool {
        self.0 >> 17 & 1 == 1
    }
    /// With another `table`.
    #[must_use]
    pub const fn with_table(self, value: bool) -> Self {
        Self(self.0 & 0xfffdffff | (value as u32) << 17 & 0x20000)
    }
    /// Reset the router, which then takes the place, the seed, the thresholds and the trigger; packets in it are lost.
    pub const fn restart(self) -> bool {
        self.0 >> 18 & 1 == 1
    }
    /// With another `restart`.
    #[must_use]
    pub const fn with_restart(self, value: bool) -> Self {
        Self(self.0 & 0xfffbffff | (value as u32) << 18 & 0x40000)
    }
}

/// How many rows the staged table has, as software knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableRows(u32);

impl Register for TableRows {
    const NAME: &'static str = "table_rows";
    const ADDRESS: u16 = 0x0006;
    const MASK: u32 = 0x7fff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for TableRows {}
impl Writable for TableRows {}

impl TableRows {
    /// Rows.
    pub const fn rows(self) -> u32 {
        self.0 & 0x7fff
    }
    /// With another `rows`. Higher bits are cut off.
    #[must_use]
    pub const fn with_rows(self, value: u32) -> Self {
        Self(self.0 & 0xffff8000 | value & 0x7fff)
    }
}

/// The checksum of the staged table, as software knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableChecksum(u32);

impl Register for TableChecksum {
    const NAME: &'static str = "table_checksum";
    const ADDRESS: u16 = 0x0007;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for TableChecksum {}
impl Writable for TableChecksum {}

impl TableChecksum {
    /// The CRC of the frames, over all rows from row 0 on, each of as many bits as there are ports, highest port first.
    pub const fn checksum(self) -> u32 {
        self.0 & 0xffff
    }
    /// With another `checksum`. Higher bits are cut off.
    #[must_use]
    pub const fn with_checksum(self, value: u32) -> Self {
        Self(self.0 & 0xffff0000 | value & 0xffff)
    }
}

/// Requests whose checksum was wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FramesCorrupt(u32);

impl Register for FramesCorrupt {
    const NAME: &'static str = "frames_corrupt";
    const ADDRESS: u16 = 0x0008;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for FramesCorrupt {}

impl FramesCorrupt {
    /// Frames.
    pub const fn count(self) -> u32 {
        self.0 & 0xffff
    }
}

/// Frames that ended within the request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FramesShort(u32);

impl Register for FramesShort {
    const NAME: &'static str = "frames_short";
    const ADDRESS: u16 = 0x0009;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for FramesShort {}

impl FramesShort {
    /// Frames.
    pub const fn count(self) -> u32 {
        self.0 & 0xffff
    }
}

/// Requests that were understood and not followed: `no_such_command`, `no_such_register`, `read_only`, `busy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FramesRefused(u32);

impl Register for FramesRefused {
    const NAME: &'static str = "frames_refused";
    const ADDRESS: u16 = 0x000a;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for FramesRefused {}

impl FramesRefused {
    /// Frames.
    pub const fn count(self) -> u32 {
        self.0 & 0xffff
    }
}

/// Which router of the network this is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address(u32);

impl Register for Address {
    const NAME: &'static str = "address";
    const ADDRESS: u16 = 0x0010;
    const MASK: u32 = 0x3ffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Address {}
impl Writable for Address {}
impl Staged for Address {
    const IN_USE: u16 = 0x0020;
}

impl Address {
    /// Its address, as headers have it.
    pub const fn router(self) -> u32 {
        self.0 & 0x3ffff
    }
    /// With another `router`. Higher bits are cut off.
    #[must_use]
    pub const fn with_router(self, value: u32) -> Self {
        Self(self.0 & 0xfffc0000 | value & 0x3ffff)
    }
}

/// The ports that are connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wired(u32);

impl Register for Wired {
    const NAME: &'static str = "wired";
    const ADDRESS: u16 = 0x0011;
    const MASK: u32 = 0xffffffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Wired {}
impl Writable for Wired {}
impl Staged for Wired {
    const IN_USE: u16 = 0x0021;
}

impl Wired {
    /// One bit for each port.
    pub const fn ports(self) -> u32 {
        self.0
    }
    /// With another `ports`. Higher bits are cut off.
    #[must_use]
    pub const fn with_ports(self, value: u32) -> Self {
        Self(value)
    }
}

/// The ports that lead to a router of the same group with a connected global port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exits(u32);

impl Register for Exits {
    const NAME: &'static str = "exits";
    const ADDRESS: u16 = 0x0012;
    const MASK: u32 = 0xffffffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Exits {}
impl Writable for Exits {}
impl Staged for Exits {
    const IN_USE: u16 = 0x0022;
}

impl Exits {
    /// One bit for each port.
    pub const fn ports(self) -> u32 {
        self.0
    }
    /// With another `ports`. Higher bits are cut off.
    #[must_use]
    pub const fn with_ports(self, value: u32) -> Self {
        Self(value)
    }
}

/// Where the random register starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seed(u32);

impl Register for Seed {
    const NAME: &'static str = "seed";
    const ADDRESS: u16 = 0x0013;
    const MASK: u32 = 0xffffffff;
    const RESET: u32 = 0x1;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Seed {}
impl Writable for Seed {}

impl Seed {
    /// Any word but 0.
    pub const fn word(self) -> u32 {
        self.0
    }
    /// With another `word`. Higher bits are cut off.
    #[must_use]
    pub const fn with_word(self, value: u32) -> Self {
        Self(value)
    }
}

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

/// How many packets in the router have a port as their minimal output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contention(u32);

impl Register for Contention {
    const NAME: &'static str = "contention";
    const ADDRESS: u16 = 0x0100;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Indexed for Contention {
    const COUNT: u16 = 32;
}

impl Contention {
    /// Packets.
    pub const fn packets(self) -> u32 {
        self.0 & 0xffff
    }
}

/// How many flits may be sent to a VC behind a port: its free places. A VC that a port does not have shows all places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Credits(u32);

impl Register for Credits {
    const NAME: &'static str = "credits";
    const ADDRESS: u16 = 0x0200;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Indexed for Credits {
    const COUNT: u16 = 256;
}

impl Credits {
    /// Flits.
    pub const fn flits(self) -> u32 {
        self.0 & 0xffff
    }
    /// Its place among all of them, by port and vc; none beyond the map.
    pub const fn place(port: u16, vc: u16) -> Option<u16> {
        if port < 32 && vc < 8 { Some(port.wrapping_mul(8).wrapping_add(vc)) } else { None }
    }
}

/// How often each protocol error occurred, by its number in `hdl/switch.toml`. Stays at 65,535; a restart clears it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors(u32);

impl Register for Errors {
    const NAME: &'static str = "errors";
    const ADDRESS: u16 = 0x0300;
    const MASK: u32 = 0xffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Indexed for Errors {
    const COUNT: u16 = 16;
}

impl Errors {
    /// Errors.
    pub const fn count(self) -> u32 {
        self.0 & 0xffff
    }
}

/// A row of the routing table: the ports on shortest routes to that router. Not reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableRow(u32);

impl Register for TableRow {
    const NAME: &'static str = "table_row";
    const ADDRESS: u16 = 0x4000;
    const MASK: u32 = 0xffffffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Indexed for TableRow {
    const COUNT: u16 = 16384;
}
impl Writable for TableRow {}
impl Staged for TableRow {
    const IN_USE: u16 = 0x8000;
}

impl TableRow {
    /// One bit for each port.
    pub const fn ports(self) -> u32 {
        self.0
    }
    /// With another `ports`. Higher bits are cut off.
    #[must_use]
    pub const fn with_ports(self, value: u32) -> Self {
        Self(value)
    }
}

/// Every register, in the order of the map.
pub const REGISTERS: [Entry; 26] = [
    Entry {
        name: "version",
        address: 0x0000,
        in_use: None,
        count: 1,
        access: Access::Read,
        mask: 0xffffffff,
        reset: 0x0,
    },
    Entry {
        name: "shape",
        address: 0x0001,
        in_use: None,
        count: 1,
        access: Access::Read,
        mask: 0xffffffff,
        reset: 0x0,
    },
    Entry {
        name: "table_size",
        address: 0x0002,
        in_use: None,
        count: 1,
        access: Access::Read,
        mask: 0x7fff,
        reset: 0x0,
    },
    Entry {
        name: "status",
        address: 0x0004,
        in_use: None,
        count: 1,
        access: Access::Read,
        mask: 0xffffff,
        reset: 0x0,
    },
    Entry {
        name: "commit",
        address: 0x0005,
        in_use: None,
        count: 1,
        access: Access::Write,
        mask: 0x7ffff,
        reset: 0x0,
    },
    Entry {
        name: "table_rows",
        address: 0x0006,
        in_use: None,
        count: 1,
        access: Access::Write,
        mask: 0x7fff,
        reset: 0x0,
    },
    Entry {
        name: "table_checksum",
        address: 0x0007,
        in_use: None,
        count: 1,
        access: Access::Write,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "frames_corrupt",
        address: 0x0008,
        in_use: None,
        count: 1,
        access: Access::Read,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "frames_short",
        address: 0x0009,
        in_use: None,
        count: 1,
        access: Access::Read,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "frames_refused",
        address: 0x000a,
        in_use: None,
        count: 1,
        access: Access::Read,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "address",
        address: 0x0010,
        in_use: Some(0x0020),
        count: 1,
        access: Access::Write,
        mask: 0x3ffff,
        reset: 0x0,
    },
    Entry {
        name: "wired",
        address: 0x0011,
        in_use: Some(0x0021),
        count: 1,
        access: Access::Write,
        mask: 0xffffffff,
        reset: 0x0,
    },
    Entry {
        name: "exits",
        address: 0x0012,
        in_use: Some(0x0022),
        count: 1,
        access: Access::Write,
        mask: 0xffffffff,
        reset: 0x0,
    },
    Entry {
        name: "seed",
        address: 0x0013,
        in_use: None,
        count: 1,
        access: Access::Write,
        mask: 0xffffffff,
        reset: 0x1,
    },
    Entry {
        name: "trigger",
        address: 0x0014,
        in_use: Some(0x0024),
        count: 1,
        access: Access::Write,
        mask: 0x3,
        reset: 0x0,
    },
    Entry {
        name: "contention_threshold",
        address: 0x0015,
        in_use: Some(0x0025),
        count: 1,
        access: Access::Write,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "contention_factor",
        address: 0x0016,
        in_use: Some(0x0026),
        count: 1,
        access: Access::Write,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "minimal_occupancy",
        address: 0x0017,
        in_use: Some(0x0027),
        count: 1,
        access: Access::Write,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "relative_threshold",
        address: 0x0018,
        in_use: Some(0x0028),
        count: 1,
        access: Access::Write,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "restriction",
        address: 0x0019,
        in_use: Some(0x0029),
        count: 1,
        access: Access::Write,
        mask: 0x1,
        reset: 0x0,
    },
    Entry {
        name: "restriction_factor",
        address: 0x001a,
        in_use: Some(0x002a),
        count: 1,
        access: Access::Write,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "restriction_packets",
        address: 0x001b,
        in_use: Some(0x002b),
        count: 1,
        access: Access::Write,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "contention",
        address: 0x0100,
        in_use: None,
        count: 32,
        access: Access::Read,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "credits",
        address: 0x0200,
        in_use: None,
        count: 256,
        access: Access::Read,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "errors",
        address: 0x0300,
        in_use: None,
        count: 16,
        access: Access::Read,
        mask: 0xffff,
        reset: 0x0,
    },
    Entry {
        name: "table_row",
        address: 0x4000,
        in_use: Some(0x8000),
        count: 16384,
        access: Access::Write,
        mask: 0xffffffff,
        reset: 0x0,
    },
];
