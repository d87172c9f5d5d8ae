//! What is in use, as words that outlast a loss of power.

use super::{Core, RegisterFile};
use crate::checksum::Checksum;
use crate::register::{Entry, Register as _};
use crate::registers::{Commit, REGISTERS, Seed, TableChecksum, TableRows, Version};
use router_core::units::PortSet;

/// Words before those of the registers: version, shape, rows, and whether there is a router that runs (1) and a table (2).
const HEAD: usize = 4;

/// Why words are not for these registers. Nothing has come into use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unfit {
    /// They are of another version of the map of registers.
    Version,
    /// They are of a switch with other ports, VCs, routing, trigger or rows.
    Shape,
    /// They end early, or what they hold cannot be committed.
    Damaged,
}

impl core::fmt::Display for Unfit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Version => "of another version of the map of registers",
            Self::Shape => "of a switch with other ports, channels, routing, trigger or rows",
            Self::Damaged => "damaged",
        })
    }
}

impl core::error::Error for Unfit {}

/// The staged registers that are no arrays, and where they are in use.
fn staged() -> impl Iterator<Item = (&'static Entry, u16)> {
    REGISTERS.iter().filter(|entry| entry.count == 1).filter_map(|entry| Some((entry, entry.in_use?)))
}

impl<const ROWS: usize> RegisterFile<ROWS> {
    /// How many words [`kept`](Self::kept) gives.
    #[must_use]
    pub fn kept_words() -> usize {
        staged().count().saturating_add(HEAD).saturating_add(1).saturating_add(ROWS)
    }

    /// What is in use: version, shape, number of rows, whether there is a table and a router that runs; the registers in use, in the order of the
    /// map; the seed; the rows.
    pub fn kept(&self) -> impl Iterator<Item = u32> {
        let status = self.status();
        let lasting = u32::from(status.running()) | u32::from(status.has_table()).wrapping_shl(1);
        let head = [self.get(Version::ADDRESS), self.shape, ROWS as u32, lasting];
        let registers = staged().map(|(_, in_use)| self.get(in_use));
        let rows = self.in_use.iter().map(|row| row.bits() as u32);
        head.into_iter().chain(registers).chain([self.get(Seed::ADDRESS)]).chain(rows)
    }

    /// Puts to use what [`kept`](Self::kept) gave, as a driver would: all of it, or nothing.
    ///
    /// # Errors
    /// When it is not for these registers.
    pub fn take_up(
        &mut self,
        mut words: impl Iterator<Item = u32>,
        core: &mut impl Core,
    ) -> Result<(), Unfit> {
        let mut next = || words.next().ok_or(Unfit::Damaged);
        if next()? != self.get(Version::ADDRESS) {
            return Err(Unfit::Version);
        }
        if next()? != self.shape || next()? != ROWS as u32 {
            return Err(Unfit::Shape);
        }
        let lasting = next()?;
        for (entry, _) in staged() {
            self.write(entry.address, next()?, core);
        }
        self.write(Seed::ADDRESS, next()?, core);
        for row in &mut self.staged {
            *row = PortSet::from_bits(next()? as usize);
        }
        let ports = self.shape & 0xff;
        let sum = self.staged.iter().fold(Checksum::new(), |sum, row| sum.with(row.bits() as u32, ports));
        self.write(TableRows::ADDRESS, ROWS as u32, core);
        self.write(TableChecksum::ADDRESS, sum.value().into(), core);
        let generation = self.status().generation().wrapping_add(1) & 0xffff;
        let commit = Commit::default().with_generation(generation);
        let commit = commit.with_restart(lasting & 1 == 1).with_table(lasting & 2 == 2);
        self.write(Commit::ADDRESS, commit.bits(), core);
        let status = self.status();
        let is_done = status.generation() == generation && status.outcome() == 0;
        if is_done { Ok(()) } else { Err(Unfit::Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Built;
    use crate::register::Staged as _;
    use crate::registers::{MinimalOccupancy, Wired};
    use router_core::route::Here;
    use router_core::select::Selection;

    const BUILT: Built = Built { ports: 5, vcs: 2, routing: 1, trigger: 3, counter_bits: 16 };

    /// What a router was given.
    #[derive(Default)]
    struct Given(Vec<Selection>, Vec<(Here, u32)>);

    impl Core for Given {
        fn select(&mut self, selection: Selection) {
            self.0.push(selection);
        }
        fn restart(&mut self, here: Here, word: u32) {
            self.1.push((here, word));
        }
    }

    fn programmed(core: &mut Given) -> RegisterFile<4> {
        let mut file = RegisterFile::<4>::new(BUILT);
        let kept: Vec<u32> = file.kept().collect();
        let registers = staged().map(|(entry, _)| 0x0bad_f00d & entry.mask).chain([77]);
        let rows = [1, 2, 4, 0x1f];
        let words: Vec<u32> = kept[..3].iter().copied().chain([3]).chain(registers).chain(rows).collect();
        file.take_up(words.into_iter(), core).unwrap();
        file
    }

    #[test]
    fn what_is_kept_comes_into_use_again() {
        let mut first = Given::default();
        let file = programmed(&mut first);
        assert!(file.is_running() && file.declared().is_some());
        let kept: Vec<u32> = file.kept().collect();
        assert_eq!(kept.len(), RegisterFile::<4>::kept_words());
        let (mut again, mut second) = (RegisterFile::<4>::new(BUILT), Given::default());
        assert_eq!(again.take_up(kept.iter().copied(), &mut second), Ok(()));
        assert_eq!(again.kept().collect::<Vec<_>>(), kept);
        assert_eq!((first.0, first.1), (second.0, second.1));
        assert_eq!(again.rows(), file.rows());
        for (entry, in_use) in staged() {
            assert_eq!(again.get(in_use), file.get(in_use), "{}", entry.name);
        }
        assert_ne!(again.get(MinimalOccupancy::IN_USE) + again.get(Wired::IN_USE), 0);
    }

    #[test]
    fn what_is_of_another_switch_or_ends_early_changes_nothing_in_use() {
        let kept: Vec<u32> = programmed(&mut Given::default()).kept().collect();
        let refused = |words: &[u32], why| {
            let (mut file, mut core) = (RegisterFile::<4>::new(BUILT), Given::default());
            assert_eq!(file.take_up(words.iter().copied(), &mut core), Err(why));
            assert!(!file.is_running() && file.declared().is_none());
            assert!(core.0.is_empty() && core.1.is_empty());
            assert_eq!(file.rows(), &[PortSet::EMPTY; 4]);
        };
        for (place, why) in [(0, Unfit::Version), (1, Unfit::Shape), (2, Unfit::Shape)] {
            let mut other = kept.clone();
            other[place] ^= 0x100;
            refused(&other, why);
        }
        for length in 0..kept.len() {
            refused(&kept[..length], Unfit::Damaged);
        }
    }

    /// A router that was not started is not started.
    #[test]
    fn a_table_alone_is_kept_alone() {
        let mut words: Vec<u32> = programmed(&mut Given::default()).kept().collect();
        words[3] = 2;
        let (mut file, mut core) = (RegisterFile::<4>::new(BUILT), Given::default());
        assert_eq!(file.take_up(words.into_iter(), &mut core), Ok(()));
        assert!(!file.is_running() && file.declared().is_some() && core.1.is_empty());
    }
}
