//! A router's place, its table, and the commit that takes them in.
//!
//! Written from `hdl/registers.toml` by `cargo xtask generate`: do not edit.

use crate::register::{Indexed, Register, Single, Staged, Writable};

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

/// The counts of `events` that software has dealt with. It may be written while a commit is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventsSeen(u32);

impl Register for EventsSeen {
    const NAME: &'static str = "events_seen";
    const ADDRESS: u16 = 0x000c;
    const MASK: u32 = 0xffffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for EventsSeen {}
impl Writable for EventsSeen {}

impl EventsSeen {
    /// Commits.
    pub const fn commits(self) -> u32 {
        self.0 & 0xff
    }
    /// With another `commits`. Higher bits are cut off.
    #[must_use]
    pub const fn with_commits(self, value: u32) -> Self {
        Self(self.0 & 0xffffff00 | value & 0xff)
    }
    /// Protocol errors.
    pub const fn errors(self) -> u32 {
        self.0 >> 8 & 0xff
    }
    /// With another `errors`. Higher bits are cut off.
    #[must_use]
    pub const fn with_errors(self, value: u32) -> Self {
        Self(self.0 & 0xffff00ff | (value) << 8 & 0xff00)
    }
    /// Frames.
    pub const fn frames(self) -> u32 {
        self.0 >> 16 & 0xff
    }
    /// With another `frames`. Higher bits are cut off.
    #[must_use]
    pub const fn with_frames(self, value: u32) -> Self {
        Self(self.0 & 0xff00ffff | (value) << 16 & 0xff0000)
    }
}

/// The kinds of events that raise `irq`: it is high while such a count in `events` differs from `events_seen`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterruptEnable(u32);

impl Register for InterruptEnable {
    const NAME: &'static str = "interrupt_enable";
    const ADDRESS: u16 = 0x000d;
    const MASK: u32 = 0x7;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for InterruptEnable {}
impl Writable for InterruptEnable {}

impl InterruptEnable {
    /// The end of a commit.
    pub const fn commits(self) -> bool {
        self.0 & 1 == 1
    }
    /// With another `commits`.
    #[must_use]
    pub const fn with_commits(self, value: bool) -> Self {
        Self(self.0 & 0xfffffffe | value as u32 & 0x1)
    }
    /// A protocol error.
    pub const fn errors(self) -> bool {
        self.0 >> 1 & 1 == 1
    }
    /// With another `errors`.
    #[must_use]
    pub const fn with_errors(self, value: bool) -> Self {
        Self(self.0 & 0xfffffffd | (value as u32) << 1 & 0x2)
    }
    /// A frame that was corrupt, short or refused.
    pub const fn frames(self) -> bool {
        self.0 >> 2 & 1 == 1
    }
    /// With another `frames`.
    #[must_use]
    pub const fn with_frames(self, value: bool) -> Self {
        Self(self.0 & 0xfffffffb | (value as u32) << 2 & 0x4)
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
