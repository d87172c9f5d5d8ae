//! A loss of power at each operation of the flash leaves what was kept before, or what was to be kept.

use super::*;
use crate::control::Tabled;
use crate::neighbour::{Anywhere, Neighbour};
use crate::payload::NoPayload;
use crate::standard::{self, BUFFER, PACKET};
use embedded_storage::nor_flash::{
    ErrorType, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use router_core::lfsr::Lfsr;
use router_core::map::table::Row;
use router_core::select::Selection;
use router_core::select::contention::ContentionTrigger;
use router_core::vc::Descriptor;
use tether::setup::Setup;

const ROWS: usize = 16;
const BYTES: usize = 2048;
/// Where the store begins: a block before it belongs to others.
const FIRST: u32 = 256;
type Board<'g> = Controlled<'g, Row<'static>, Neighbour, 5, 2, 4, ROWS>;

/// Flash in blocks of 256 bytes, that loses its power in the middle of an operation.
#[derive(Clone)]
struct Flash {
    bytes: [u8; BYTES],
    /// Operations that are still done.
    left: u32,
    lfsr: Lfsr,
    /// One bit of each write is lost.
    is_weak: bool,
}

impl Flash {
    fn new() -> Self {
        Self { bytes: [0xff; BYTES], left: u32::MAX, lfsr: Lfsr::new(1, 1), is_weak: false }
    }

    /// Whether there is power. The operation in which it goes is done in part: bytes of it are anything.
    fn has_power(&mut self) -> bool {
        let had = self.left > 0;
        self.left = self.left.saturating_sub(1);
        had
    }

    fn random(&mut self) -> u8 {
        self.lfsr.step();
        self.lfsr.word() as u8
    }
}

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}
impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 4;
    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        bytes.copy_from_slice(&self.bytes[offset as usize..][..bytes.len()]);
        Ok(())
    }
    fn capacity(&self) -> usize {
        BYTES
    }
}
impl NorFlash for Flash {
    const WRITE_SIZE: usize = 8;
    const ERASE_SIZE: usize = 256;
    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        assert!(from >= FIRST, "it is not its own");
        let has_power = self.has_power();
        for at in from as usize..to as usize {
            self.bytes[at] = if has_power { 0xff } else { self.bytes[at] | self.random() };
        }
        if has_power { Ok(()) } else { Err(NorFlashErrorKind::Other) }
    }
    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        let has_power = self.has_power();
        for (at, &byte) in (offset as usize..).zip(bytes) {
            assert_eq!(self.bytes[at], 0xff, "a word is written once");
            self.bytes[at] = if has_power { byte } else { byte | self.random() };
        }
        self.bytes[offset as usize] ^= u8::from(self.is_weak);
        if has_power { Ok(()) } else { Err(NorFlashErrorKind::Other) }
    }
}

fn built() -> Setup {
    Setup { selection: Selection::Contention(ContentionTrigger::default()), ..standard::mesh() }
}

/// A board as after its start, and what is in its flash.
fn with_board<T>(
    setup: &Setup,
    flash: Flash,
    then: impl FnOnce(&mut Board<'_>, &mut Store<Flash, ROWS>) -> T,
) -> (T, Flash) {
    let to = Anywhere { groups: 1, routers: 16, nodes: 1 };
    let links = [0, 1, 2, 3, 4].map(|port| Neighbour::new(port, to, 1, PACKET, BUFFER));
    let mut descriptors = [Descriptor::default(); 50];
    let board = Board::new(setup, Tabled::new(setup, true), &mut descriptors, links, NoPayload);
    let (Ok(mut board), Ok(mut store)) = (board, Store::new(flash, FIRST)) else {
        panic!("a board with flash")
    };
    let value = then(&mut board, &mut store);
    (value, store.release())
}

/// Commits what is like no other number's: a table, a place, thresholds.
fn program(board: &mut Board<'_>, number: u32) {
    let mut words = [0; 64];
    let mut length = 0;
    for (place, word) in words.iter_mut().zip(board.file().kept()) {
        (*place, length) = (word, length + 1);
    }
    words[3] = 3;
    words[4] = number;
    words[5] = 0x1f;
    words[8] = 3 + number % 2;
    for row in &mut words[length - ROWS..length] {
        *row = 1 << (number % 5);
    }
    assert_eq!(board.take_up(words[..length].iter().copied()), Ok(()));
}

/// The number that it was programmed with.
fn number(board: &Board<'_>) -> u32 {
    let number = board.file().here().router;
    assert!(board.file().rows().iter().all(|row| row.bits() == 1 << (number % 5)), "parts of several tables");
    number
}

/// What a board takes up after a start.
fn taken(flash: &Flash) -> (Result<bool, Trouble>, u32) {
    with_board(&built(), flash.clone(), |board, store| (store.take_up(board), number_or_none(board))).0
}

fn number_or_none(board: &Board<'_>) -> u32 {
    if board.file().is_running() { number(board) } else { 0 }
}

/// Programs a board that has started with this flash, and keeps it; the power goes after so many operations.
fn keep(mut flash: Flash, of: u32, operations: u32) -> (Result<bool, Trouble>, Flash) {
    flash.left = operations;
    let (kept, mut flash) = with_board(&built(), flash, |board, store| {
        let _ = store.take_up(board);
        program(board, of);
        store.keep(board)
    });
    flash.left = u32::MAX;
    (kept, flash)
}

#[test]
fn what_is_committed_is_taken_up_again_and_the_newest_wins() {
    let mut flash = Flash::new();
    assert_eq!(taken(&flash), (Ok(false), 0));
    for of in 1..8 {
        let kept;
        (kept, flash) = keep(flash, of, u32::MAX);
        assert_eq!(kept, Ok(true));
        assert_eq!(taken(&flash), (Ok(true), of));
    }
    assert!(flash.bytes[..FIRST as usize].iter().all(|&byte| byte == 0xff));
    // It is in use, not only in the registers.
    with_board(&built(), flash, |board, store| {
        assert_eq!(store.take_up(board), Ok(true));
        assert_eq!(board.switch().pins().here().router, 7);
        // What is kept already is not written again, and neither is what was refused.
        let bytes = store.flash.bytes;
        assert_eq!(store.keep(board), Ok(false));
        program(board, 7);
        assert_eq!(store.keep(board), Ok(true));
        assert!(store.flash.bytes == bytes);
        for _ in 0..100 {
            board.step();
        }
    });
}

#[test]
fn a_loss_of_power_at_each_operation_leaves_one_or_the_other() {
    // With nothing before, with one record, with two.
    for before in 0..3 {
        let mut flash = Flash::new();
        for of in 1..=before {
            flash = keep(flash, of, u32::MAX).1;
        }
        let mut cuts = 0;
        for operations in 0.. {
            let mut cut = flash.clone();
            cut.lfsr = Lfsr::new(operations.into(), 1);
            let (kept, cut) = keep(cut, 9, operations);
            let (result, found) = taken(&cut);
            if kept == Ok(true) {
                assert_eq!((result, found), (Ok(true), 9));
                break;
            }
            cuts += 1;
            assert_eq!(kept, Err(Trouble::Failed));
            assert!(found == before || found == 9, "{found} after {operations} operations");
            let whole = if found == 0 { Err(Trouble::Unfit(Unfit::Damaged)) } else { Err(Trouble::Half) };
            assert!(result == whole || result == Ok(found > 0), "{result:?}");
            // And the next one is kept as ever.
            let (kept, mended) = keep(cut, 10, u32::MAX);
            assert_eq!((kept, taken(&mended)), (Ok(true), (Ok(true), 10)));
        }
        // One to erase, and one for each chunk.
        assert_eq!(cuts, 1 + ((RegisterFile::<ROWS>::kept_words() + FRAME) * WORD).div_ceil(CHUNK) as u32);
    }
}

#[test]
fn every_flipped_bit_of_a_record_is_found() {
    let flash = keep(Flash::new(), 5, u32::MAX).1;
    let record = (RegisterFile::<ROWS>::kept_words() + FRAME) * WORD;
    for bit in 0..record * 8 {
        let mut damaged = flash.clone();
        damaged.bytes[FIRST as usize + bit / 8] ^= 1 << (bit % 8);
        assert_eq!(taken(&damaged), (Err(Trouble::Unfit(Unfit::Damaged)), 0), "bit {bit}");
    }
    let two = keep(flash.clone(), 6, u32::MAX).1;
    let mut damaged = two.clone();
    damaged.bytes[FIRST as usize + Store::<Flash, ROWS>::place_bytes() + 20] ^= 4;
    assert_eq!(taken(&damaged), (Err(Trouble::Half), 5));
}

#[test]
fn a_record_of_another_board_is_refused_by_name() {
    let flash = keep(Flash::new(), 5, u32::MAX).1;
    let other = Setup { selection: Selection::NEVER, ..built() };
    let (result, _) =
        with_board(&other, flash.clone(), |board, store| (store.take_up(board), board.file().is_running()));
    assert_eq!(result, (Err(Trouble::Unfit(Unfit::Shape)), false));
    // A record of another version, whole.
    let mut newer = flash;
    let (at, end) = (FIRST as usize, FIRST as usize + (RegisterFile::<ROWS>::kept_words() + 2) * WORD);
    newer.bytes[at + 8] ^= 1;
    let sum = CRC.checksum(&newer.bytes[at..end]);
    newer.bytes[end..end + WORD].copy_from_slice(&sum.to_le_bytes());
    assert_eq!(taken(&newer), (Err(Trouble::Unfit(Unfit::Version)), 0));
}

#[test]
fn flash_that_is_too_small_or_fails_is_an_error() {
    assert!(Store::<_, ROWS>::new(Flash::new(), BYTES as u32 - 512).is_ok());
    assert!(matches!(Store::<_, ROWS>::new(Flash::new(), BYTES as u32 - 256), Err(Trouble::TooSmall)));
    // It takes what is written, and does not hold it.
    let weak = Flash { is_weak: true, ..keep(Flash::new(), 4, u32::MAX).1 };
    let (kept, flash) = keep(weak, 5, u32::MAX);
    assert_eq!((kept, taken(&flash)), (Err(Trouble::Failed), (Err(Trouble::Half), 4)));
}

#[test]
fn what_failed_waits_for_the_next_commit_and_a_reset_keeps_nothing() {
    with_board(&built(), Flash::new(), |board, store| {
        program(board, 3);
        store.flash.left = 0;
        assert_eq!((store.keep(board), store.keep(board)), (Err(Trouble::Failed), Ok(false)));
        store.flash.left = u32::MAX;
        program(board, 3);
        assert_eq!(store.keep(board), Ok(true));
        let bytes = store.flash.bytes;
        board.reset();
        assert_eq!((store.keep(board), store.flash.bytes == bytes), (Ok(false), true));
    });
}
