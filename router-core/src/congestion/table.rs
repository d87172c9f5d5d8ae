//! The congestion control table (CCT): how long a source waits, by its index (CCTI).

/// One entry of the table, 16 bits as in the specification: a shift in bits 14 and 15, a multiplier in bits 0 to 13.
///
/// It means a delay of multiplier / 2^shift times the time that the packet takes on the link. With it behind each packet, a source
/// sends at 1 / (1 + multiplier / 2^shift) of the rate of its link. Range: 0 to 16,383, in steps of 1/8 up to 2,047 and 7/8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Entry(u16);

impl Entry {
    const MULTIPLIER_BITS: u32 = 14;
    /// The largest multiplier.
    pub const MOST: u16 = (1 << Self::MULTIPLIER_BITS) - 1;
    /// The largest shift.
    pub const SHIFTS: u8 = 3;

    /// An entry; fields that are too wide are cut.
    pub const fn new(multiplier: u16, shift: u8) -> Self {
        Self(
            (shift as u16 & Self::SHIFTS as u16).wrapping_shl(Self::MULTIPLIER_BITS)
                | multiplier & Self::MOST,
        )
    }

    /// The entry of these 16 bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Its 16 bits.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The entry of a delay in eighths of a packet's time: exact where an entry is, otherwise the next one below; the longest where it is too long.
    pub const fn eighths(eighths: u32) -> Self {
        let mut shift = Self::SHIFTS;
        let mut multiplier = eighths;
        while multiplier > Self::MOST as u32 && shift > 0 {
            shift = shift.wrapping_sub(1);
            multiplier /= 2;
        }
        Self::new(if multiplier > Self::MOST as u32 { Self::MOST } else { multiplier as u16 }, shift)
    }

    /// The multiplier, 0…16383.
    pub const fn multiplier(self) -> u16 {
        self.0 & Self::MOST
    }

    /// The shift, 0…3.
    pub const fn shift(self) -> u8 {
        self.0.wrapping_shr(Self::MULTIPLIER_BITS) as u8
    }

    /// Flit times to wait behind a packet of `length` flits: ⌊length · multiplier / 2^shift⌋.
    #[inline]
    pub const fn delay(self, length: u16) -> u32 {
        (length as u32).wrapping_mul(self.multiplier() as u32).wrapping_shr(self.shift() as u32)
    }

    /// The delay of each flit, in eighths, for packets of any length.
    const fn in_eighths(self) -> u32 {
        (self.multiplier() as u32).wrapping_shl(Self::SHIFTS.wrapping_sub(self.shift()) as u32)
    }
}

/// Why entries are no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TableError {
    /// There are none.
    Empty,
    /// The delay of this entry is shorter than that of the one before: more notifications would make a source faster.
    Falls {
        /// Its index.
        at: usize,
    },
}

impl core::fmt::Display for TableError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Empty => f.write_str("a congestion control table has at least one entry"),
            Self::Falls { at } => {
                write!(f, "entry {at} of the congestion control table is a shorter delay than the one before")
            }
        }
    }
}

impl core::error::Error for TableError {}

/// A congestion control table, its entries in a store of type `S`. Delays never fall with the index.
#[derive(Clone, Copy, Debug)]
pub struct Table<S>(S);

/// A table that delays nothing.
impl<S: Default> Default for Table<S> {
    fn default() -> Self {
        Self(S::default())
    }
}

impl<S: AsRef<[Entry]>> Table<S> {
    /// A table.
    ///
    /// # Errors
    /// When there is no entry, or delays fall.
    pub fn new(entries: S) -> Result<Self, TableError> {
        let list = entries.as_ref();
        if list.is_empty() {
            return Err(TableError::Empty);
        }
        let pairs = list.iter().zip(list.iter().skip(1));
        match pairs.zip(1..).find(|((one, next), _)| one.in_eighths() > next.in_eighths()) {
            Some((_, at)) => Err(TableError::Falls { at }),
            None => Ok(Self(entries)),
        }
    }

    /// The entry of an index; the last one beyond the end.
    #[inline]
    pub fn entry(&self, index: u16) -> Entry {
        let entries = self.0.as_ref();
        entries.get(usize::from(index)).or(entries.last()).copied().unwrap_or_default()
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_14_bits_of_multiplier_and_2_of_shift() {
        for bits in 0..=u16::MAX {
            let entry = Entry::from_bits(bits);
            assert_eq!(Entry::new(entry.multiplier(), entry.shift()), entry);
            assert_eq!(entry.bits(), bits);
            for length in [1, 8, 1023] {
                let exact = u64::from(length) * u64::from(bits & 0x3fff) / (1 << (bits >> 14));
                assert_eq!(u64::from(entry.delay(length)), exact);
            }
            // In eighths and back is the same delay.
            assert_eq!(Entry::eighths(entry.in_eighths()).in_eighths(), entry.in_eighths());
        }
        assert_eq!(Entry::new(3, 1).bits(), 0x4003);
        assert_eq!(
            (Entry::new(3, 1).delay(8), Entry::new(1, 3).delay(7), Entry::new(1, 3).delay(8)),
            (12, 0, 1)
        );
        assert_eq!((Entry::eighths(16_383).bits(), Entry::eighths(16_385).bits()), (0xffff, 0xa000));
        assert_eq!(Entry::eighths(u32::MAX), Entry::new(Entry::MOST, 0));
    }

    #[test]
    fn a_table_never_falls() {
        assert_eq!(Table::new([]).err(), Some(TableError::Empty));
        // 1, 1, 2 and 1: the last one is shorter.
        let entries = [Entry::new(1, 0), Entry::new(8, 3), Entry::new(2, 0), Entry::new(4, 2)];
        assert_eq!(Table::new(entries).err(), Some(TableError::Falls { at: 3 }));
        let table = Table::new(&entries[..3]).unwrap();
        assert_eq!(
            (table.entry(0), table.entry(2), table.entry(3), table.entry(999)),
            (entries[0], entries[2], entries[2], entries[2])
        );
    }
}
