//! What a driver has put to use, kept in flash: a board takes it up again after a loss of power, before any driver speaks.
//!
//! There are two places for a record, and each record is written into the place of the older one. A record ends with its checksum: one that was
//! cut off is none, and the older one is taken up.
//!
//! ```text
//! sequence (4 bytes)   its number: the higher one is newer
//! words (4)            how many follow
//! words (4 each)       what is in use: version of the registers, shape, registers, rows
//! checksum (4)         CRC-32 of all before it
//! ```

use crate::control::Controlled;
use crate::link::Link;
use crate::payload::Payloads;
use core::fmt;
use crc::{CRC_32_ISO_HDLC, Crc, Table};
use desvio_driver::checksum::Checksum;
use desvio_driver::file::{BLOCKS, RegisterFile, Unfit};
use desvio_driver::registers::Outcome;
use embedded_storage::nor_flash::NorFlash;
use router_core::route::Route;

const CRC: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISO_HDLC);

/// Bytes that are read or written at once.
const CHUNK: usize = 64;
/// Bytes of a word.
const WORD: usize = 4;
/// Words before those of the content, and the checksum.
const FRAME: usize = 3;
/// What erased flash reads as.
const ERASED: u32 = u32::MAX;

/// What is wrong with a record, or with the flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Trouble {
    /// The record, or both of them. Nothing has come into use.
    Unfit(Unfit),
    /// One of two records is damaged. The other one is in use.
    Half,
    /// What is in use has changed by itself: it is not kept.
    Unsound,
    /// There is no room for two records.
    TooSmall,
    /// The flash does not do what it is asked for, or does not hold what was written.
    Failed,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(unfit) => write!(f, "what was kept is {unfit}"),
            Self::Half => f.write_str("one of two records is damaged, the other one is in use"),
            Self::Unsound => f.write_str("what is in use has changed by itself, and is not kept"),
            Self::TooSmall => f.write_str("no room for two records"),
            Self::Failed => f.write_str("it does not hold what was written"),
        }
    }
}

impl core::error::Error for Trouble {}

/// A place for a record, as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Empty,
    Damaged,
    /// A record with this number.
    Whole(u32),
}

/// Two records in flash, of switches with a table of `ROWS` rows.
#[derive(Debug)]
pub struct Store<S, const ROWS: usize> {
    flash: S,
    first: u32,
    places: [Place; 2],
    /// The checksum of what is kept, and the number of the commit that it is of.
    content: Option<u32>,
    generation: u32,
}

impl<S: NorFlash, const ROWS: usize> Store<S, ROWS> {
    /// Bytes of a place: whole blocks that are erased together.
    #[must_use]
    pub fn place_bytes() -> usize {
        let words = RegisterFile::<ROWS>::kept_words().saturating_add(FRAME);
        words.saturating_mul(WORD).next_multiple_of(CHUNK).next_multiple_of(S::ERASE_SIZE.max(1))
    }

    /// In this flash, from an address on that begins a block.
    ///
    /// # Errors
    /// When there is no room, or the flash cannot be read.
    pub fn new(flash: S, first: u32) -> Result<Self, Trouble> {
        const {
            assert!(
                CHUNK.is_multiple_of(S::WRITE_SIZE) && CHUNK.is_multiple_of(S::READ_SIZE),
                "chunks are whole words of the flash"
            )
        }
        let end = (first as usize).saturating_add(Self::place_bytes().saturating_mul(2));
        if end > flash.capacity() {
            return Err(Trouble::TooSmall);
        }
        let mut store = Self { flash, first, places: [Place::Empty; 2], content: None, generation: 0 };
        store.places = [store.look(0)?, store.look(1)?];
        Ok(store)
    }

    /// Takes up the newest record. Says whether there is one.
    ///
    /// # Errors
    /// [`Trouble::Half`]: it was taken up, and the other one is damaged. Otherwise nothing was: a record is there and cannot be used, or the flash
    /// cannot be read.
    pub fn take_up<R: Route, L: Link, B: Payloads, const P: usize, const V: usize, const F: usize>(
        &mut self,
        switch: &mut Controlled<'_, R, L, P, V, F, ROWS, B>,
    ) -> Result<bool, Trouble> {
        let Some((place, _)) = self.newest() else {
            let is_damaged = self.places.contains(&Place::Damaged);
            return if is_damaged { Err(Trouble::Unfit(Unfit::Damaged)) } else { Ok(false) };
        };
        let mut words = Words::new(self.address(place), &mut self.flash);
        let (_, length) = (words.next(), words.next().unwrap_or_default());
        let content = words.by_ref().take(length as usize);
        switch.take_up(content).map_err(Trouble::Unfit)?;
        (self.content, self.generation) = (Some(sum(switch.file())), switch.file().status().generation());
        if self.places.contains(&Place::Damaged) { Err(Trouble::Half) } else { Ok(true) }
    }

    /// Keeps what is in use, if a driver has committed something new. Says whether it did: that takes as long as the flash takes to erase and
    /// write a place. What fails is not tried again before the next commit.
    ///
    /// # Errors
    /// When the flash fails, or what is in use has changed by itself. What was kept before is kept.
    pub fn keep<R: Route, L: Link, B: Payloads, const P: usize, const V: usize, const F: usize>(
        &mut self,
        switch: &Controlled<'_, R, L, P, V, F, ROWS, B>,
    ) -> Result<bool, Trouble> {
        let (file, status) = (switch.file(), switch.file().status());
        let is_new = status.generation() != self.generation && status.outcome() == Outcome::Done as u32;
        self.generation = status.generation();
        // A switch that was reset has nothing to keep.
        if !is_new || !status.running() && !status.has_table() {
            return Ok(false);
        }
        if !is_sound(file) {
            return Err(Trouble::Unsound);
        }
        let content = sum(file);
        if self.content != Some(content) {
            self.content = None;
            self.write(file)?;
            self.content = Some(content);
        }
        Ok(true)
    }

    /// Gives the flash back.
    pub fn release(self) -> S {
        self.flash
    }

    /// The place of the newest record, and its number.
    fn newest(&self) -> Option<(usize, u32)> {
        let number = |place: Option<&Place>| match place {
            Some(&Place::Whole(number)) => Some(number),
            _ => None,
        };
        match (number(self.places.first()), number(self.places.get(1))) {
            (Some(a), Some(b)) if a.wrapping_sub(b).cast_signed() < 0 => Some((1, b)),
            (Some(a), _) => Some((0, a)),
            (None, Some(b)) => Some((1, b)),
            (None, None) => None,
        }
    }

    fn address(&self, place: usize) -> u32 {
        self.first.saturating_add(Self::place_bytes().saturating_mul(place) as u32)
    }

    /// Writes a record into the place of the older one.
    fn write(&mut self, file: &RegisterFile<ROWS>) -> Result<(), Trouble> {
        let (place, number) = match self.newest() {
            Some((newest, number)) => (usize::from(newest == 0), number.wrapping_add(1)),
            None => (0, 0),
        };
        let first = self.address(place);
        if let Some(place) = self.places.get_mut(place) {
            *place = Place::Damaged;
        }
        let end = first.saturating_add(Self::place_bytes() as u32);
        self.flash.erase(first, end).map_err(|_| Trouble::Failed)?;
        let mut digest = CRC.digest();
        let head = [number, RegisterFile::<ROWS>::kept_words() as u32];
        let mut words =
            head.into_iter().chain(file.kept()).inspect(|word| digest.update(&word.to_le_bytes()));
        let mut chunk = [0xff; CHUNK];
        let (mut at, mut filled) = (first, 0usize);
        let mut put = |word: u32, is_last: bool, flash: &mut S| {
            let place = chunk.get_mut(filled..).and_then(|rest| rest.first_chunk_mut::<WORD>());
            if let Some(place) = place {
                *place = word.to_le_bytes();
            }
            filled = filled.saturating_add(WORD);
            if filled < CHUNK && !is_last {
                return Ok(());
            }
            flash.write(at, &chunk).map_err(|_| Trouble::Failed)?;
            (chunk, filled) = ([0xff; CHUNK], 0);
            at = at.saturating_add(CHUNK as u32);
            Ok(())
        };
        words.try_for_each(|word| put(word, false, &mut self.flash))?;
        put(digest.finalize(), true, &mut self.flash)?;
        let read = self.look(place)?;
        if let Some(place) = self.places.get_mut(place) {
            *place = read;
        }
        if read == Place::Whole(number) { Ok(()) } else { Err(Trouble::Failed) }
    }

    /// Reads a place.
    fn look(&mut self, place: usize) -> Result<Place, Trouble> {
        let most = (Self::place_bytes() / WORD).saturating_sub(FRAME);
        let mut words = Words::new(self.address(place), &mut self.flash);
        let (Some(number), Some(length)) = (words.next(), words.next()) else { return Err(Trouble::Failed) };
        let mut digest = CRC.digest();
        digest.update(&number.to_le_bytes());
        digest.update(&length.to_le_bytes());
        // A place that was erased is empty as far as anyone can see.
        let mut is_empty = number == ERASED && length == ERASED;
        let length = (length as usize).min(most);
        for word in words.by_ref().take(length) {
            digest.update(&word.to_le_bytes());
            is_empty &= word == ERASED;
        }
        let sum = words.next();
        if words.has_failed {
            return Err(Trouble::Failed);
        }
        Ok(match sum {
            _ if is_empty => Place::Empty,
            Some(sum) if sum == digest.finalize() => Place::Whole(number),
            _ => Place::Damaged,
        })
    }
}

/// Whether registers and table are as a driver committed them.
fn is_sound<const ROWS: usize>(file: &RegisterFile<ROWS>) -> bool {
    let sum = file.add_rows(Checksum::new(), 0..ROWS).value();
    (0..BLOCKS).all(|block| file.is_intact(block)) && file.declared().is_none_or(|declared| declared == sum)
}

/// The checksum of what is in use.
fn sum<const ROWS: usize>(file: &RegisterFile<ROWS>) -> u32 {
    let mut digest = CRC.digest();
    file.kept().for_each(|word| digest.update(&word.to_le_bytes()));
    digest.finalize()
}

/// Words of flash, a chunk at a time.
struct Words<'s, S> {
    flash: &'s mut S,
    at: u32,
    chunk: [u8; CHUNK],
    taken: usize,
    has_failed: bool,
}

impl<'s, S: NorFlash> Words<'s, S> {
    fn new(at: u32, flash: &'s mut S) -> Self {
        Self { flash, at, chunk: [0; CHUNK], taken: CHUNK, has_failed: false }
    }
}

impl<S: NorFlash> Iterator for Words<'_, S> {
    type Item = u32;

    /// Nothing once the flash has failed.
    fn next(&mut self) -> Option<u32> {
        if self.taken >= CHUNK {
            self.has_failed |= self.flash.read(self.at, &mut self.chunk).is_err();
            self.at = self.at.saturating_add(CHUNK as u32);
            self.taken = 0;
        }
        if self.has_failed {
            return None;
        }
        let word = self.chunk.get(self.taken..)?.first_chunk::<WORD>()?;
        self.taken = self.taken.saturating_add(WORD);
        Some(u32::from_le_bytes(*word))
    }
}

#[cfg(test)]
#[allow(clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests;
