//! What a register is: the traits behind the generated types of [`crate::registers`].

/// A register of 32 bits, or an array of them, with what it holds.
pub trait Register: Copy {
    /// Its name in the map.
    const NAME: &'static str;
    /// Its address, or that of the first of the array.
    const ADDRESS: u16;
    /// The bits that belong to a field.
    const MASK: u32;
    /// What it holds after a reset, if it can be written.
    const RESET: u32;
    /// By its bits.
    fn from_bits(bits: u32) -> Self;
    /// Its bits.
    fn bits(self) -> u32;
}

/// A register of which there is one.
pub trait Single: Register {}

/// A register of which there are several.
pub trait Indexed: Register {
    /// How many addresses the array takes; a switch may have fewer of them.
    const COUNT: u16;
}

/// A register that can be written, and then read again.
pub trait Writable: Register {}

/// A register that is staged: a commit puts it to use.
pub trait Staged: Writable {
    /// Where the copy in use is read.
    const IN_USE: u16;
}

/// Whether a register can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only read.
    Read,
    /// Read and written.
    Write,
}

/// A line of the map of registers, for tools that go through all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its address, or that of the first of the array.
    pub address: u16,
    /// Where the copy in use is read, of a staged register.
    pub in_use: Option<u16>,
    /// How many addresses it takes.
    pub count: u16,
    /// Whether it can be written.
    pub access: Access,
    /// The bits that belong to a field.
    pub mask: u32,
    /// What it holds after a reset, if it can be written and is no array.
    pub reset: u32,
}
