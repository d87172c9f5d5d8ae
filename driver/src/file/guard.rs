//! Whether the registers still hold what was written into them.

use super::{RegisterFile, SINGLE};
use crate::checksum::Checksum;
use crate::register::Register as _;
use crate::registers::Shape;
use crate::sum::mixed;

/// Registers of a block that is checked at once.
pub const BLOCK: usize = 8;
/// Blocks of registers that are no arrays.
pub const BLOCKS: usize = SINGLE / BLOCK;

/// The sum of each block.
pub(super) fn sums(held: &[u32; SINGLE]) -> [u32; BLOCKS] {
    core::array::from_fn(|block| sum(held, block))
}

fn sum(held: &[u32; SINGLE], block: usize) -> u32 {
    let first = block.wrapping_mul(BLOCK);
    let words = (first as u32..).zip(held.iter().skip(first).take(BLOCK));
    words.fold(0, |sum, (place, &word)| sum ^ mixed(place, word))
}

impl<const ROWS: usize> RegisterFile<ROWS> {
    /// Whether the registers of a block, [`BLOCK`] addresses from `block` times as many on, have changed by themselves. What is staged is among
    /// them, but no row of the table: a commit checks staged rows.
    #[must_use]
    pub fn is_intact(&self, block: usize) -> bool {
        let is_shape = block == usize::from(Shape::ADDRESS) / BLOCK;
        self.sums.get(block) == Some(&sum(&self.held, block))
            && (!is_shape || self.get(Shape::ADDRESS) == self.shape)
    }

    /// The checksum that software declared of the table in use; nothing before there is one.
    #[must_use]
    pub fn declared(&self) -> Option<u16> {
        self.status().has_table().then_some(self.declared)
    }

    /// A checksum so far, followed by some rows of the table in use. After all rows it is [`declared`](Self::declared).
    #[must_use]
    pub fn add_rows(&self, sum: Checksum, rows: core::ops::Range<usize>) -> Checksum {
        let ports = self.shape & 0xff;
        let rows = self.in_use.get(rows).unwrap_or_default();
        rows.iter().fold(sum, |sum, row| sum.with(row.bits() as u32, ports))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Built;
    use crate::register::Staged as _;
    use crate::registers::{Commit, MinimalOccupancy, TableChecksum, TableRow, TableRows};
    use router_core::units::PortSet;

    const ROWS: usize = 6;

    /// Started, with a table and thresholds.
    fn programmed() -> RegisterFile<ROWS> {
        let mut file =
            RegisterFile::<ROWS>::new(Built { ports: 5, vcs: 2, routing: 1, trigger: 3, counter_bits: 16 });
        for row in 0..ROWS as u16 {
            file.write(TableRow::ADDRESS | row, u32::from(row) | 1, &mut ());
        }
        let sum = file.staged.iter().fold(Checksum::new(), |sum, row| sum.with(row.bits() as u32, 5));
        file.write(TableRows::ADDRESS, ROWS as u32, &mut ());
        file.write(TableChecksum::ADDRESS, sum.value().into(), &mut ());
        file.write(MinimalOccupancy::ADDRESS, 0x4321, &mut ());
        let all = Commit::default().with_generation(1).with_table(true).with_restart(true);
        file.write(Commit::ADDRESS, all.bits(), &mut ());
        assert!(file.is_running());
        file.note_error();
        file.frame(&mut [0; 3], &mut ());
        file
    }

    fn is_whole(file: &RegisterFile<ROWS>) -> bool {
        let sum = file.add_rows(Checksum::new(), 0..4);
        file.declared() == Some(file.add_rows(sum, 4..ROWS).value())
    }

    #[test]
    fn what_is_written_and_counted_is_no_damage() {
        let file = programmed();
        assert_eq!(file.get(MinimalOccupancy::IN_USE), 0x4321);
        assert!((0..BLOCKS).all(|block| file.is_intact(block)) && is_whole(&file));
        assert!(!file.is_intact(BLOCKS), "there is no such block");
    }

    #[test]
    fn every_flipped_bit_of_a_register_is_found_in_its_block() {
        for place in 0..SINGLE {
            for bit in 0..32 {
                let mut file = programmed();
                file.held[place] ^= 1 << bit;
                let found: Vec<usize> = (0..BLOCKS).filter(|&block| !file.is_intact(block)).collect();
                assert_eq!(found, [place / BLOCK], "bit {bit} of register {place:#x}");
                // Nor does it go away where something else is written.
                file.note_error();
                assert!(!file.is_intact(place / BLOCK));
            }
        }
        let mut file = programmed();
        file.shape ^= 1;
        assert!(!file.is_intact(0));
    }

    #[test]
    fn every_flipped_bit_of_a_row_is_found() {
        for row in 0..ROWS {
            for bit in 0..5 {
                let mut file = programmed();
                file.in_use[row] = PortSet::from_bits(file.in_use[row].bits() ^ 1 << bit);
                assert!(!is_whole(&file), "bit {bit} of row {row}");
            }
        }
    }
}
