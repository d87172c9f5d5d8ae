//! What an ELF file takes in flash and RAM.

/// Bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Code, constants, initial values of variables.
    pub(super) flash: u64,
    /// Variables; neither stack nor heap.
    pub(super) ram: u64,
}

const ALLOCATED: u32 = 2;
const WRITABLE: u32 = 1;
const NO_BITS: u32 = 8;

impl Sizes {
    /// Adds up the sections of a 32-bit file, lowest byte first.
    pub(super) fn of(file: &[u8]) -> Option<Self> {
        let word = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?));
        let half = |at: usize| Some(u16::from_le_bytes(*file.get(at..)?.first_chunk()?));
        if !file.starts_with(b"\x7fELF\x01\x01") {
            return None;
        }
        let (table, size) = (word(0x20)? as usize, usize::from(half(0x2e)?));
        let (sections, names) = (half(0x30)?, usize::from(half(0x32)?));
        let names = word(table + names * size + 0x10)? as usize;
        let mut found = Self::default();
        for section in 0..usize::from(sections) {
            let at = table + section * size;
            let (kind, flags, bytes) = (word(at + 4)?, word(at + 8)?, u64::from(word(at + 0x14)?));
            let name = file.get(names + word(at)? as usize..)?;
            if flags & ALLOCATED == 0 || name.starts_with(b".stack\0") || name.starts_with(b".heap\0") {
                continue;
            }
            found.flash += if kind == NO_BITS { 0 } else { bytes };
            found.ram += if flags & WRITABLE == 0 { 0 } else { bytes };
        }
        Some(found)
    }
}
