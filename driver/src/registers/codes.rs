//! The codes in frames, and what makes a frame.
//!
//! Written from `hdl/registers.toml` by `cargo xtask generate`: do not edit.

/// What every switch has in its register `version`.
pub const MAGIC: u32 = 0xde50;
/// The map of registers that this driver knows.
pub const MAJOR: u32 = 0x1;
/// How much of it.
pub const MINOR: u32 = 0x1;
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
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
