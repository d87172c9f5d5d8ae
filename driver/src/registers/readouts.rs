//! What the switch is, counts and has done.
//!
//! Written from `hdl/registers.toml` by `cargo xtask generate`: do not edit.

use crate::register::{Indexed, Register, Single};

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

/// How many events of each kind have happened since reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events(u32);

impl Register for Events {
    const NAME: &'static str = "events";
    const ADDRESS: u16 = 0x000b;
    const MASK: u32 = 0xffffff;
    const RESET: u32 = 0x0;
    fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
    fn bits(self) -> u32 {
        self.0
    }
}
impl Single for Events {}

impl Events {
    /// Commits that ended, well or not.
    pub const fn commits(self) -> u32 {
        self.0 & 0xff
    }
    /// Cycles in which a protocol error was counted.
    pub const fn errors(self) -> u32 {
        self.0 >> 8 & 0xff
    }
    /// Frames that were corrupt, short or refused.
    pub const fn frames(self) -> u32 {
        self.0 >> 16 & 0xff
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
