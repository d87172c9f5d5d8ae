//! Which of the boards on the desk this one is.

use core::sync::atomic::{AtomicU32, Ordering};
use desvio_tile::{Order, Plant};

/// Boards in the row.
const BOARDS: u8 = 2;
/// Packets that each of them sends after it has started.
const PACKETS: u32 = 1_000;
/// Flits of the longest of them.
const LONGEST: u8 = 3;

/// How often the board has started, as far as its memory lasts: neither a reset nor the runtime clears this place.
#[cfg_attr(target_arch = "arm", unsafe(link_section = ".uninit.desvio"))]
#[cfg_attr(target_arch = "riscv32", unsafe(link_section = ".rtc_fast.persistent"))]
#[expect(unsafe_code, reason = "a place that nothing clears")]
static STARTS: AtomicU32 = AtomicU32::new(0);

/// The place of a board in a row of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Its number: board 0 has its neighbour at the line east, board 1 at the line west.
    pub board: u8,
    /// A number that differs from that of the start before.
    pub life: u8,
}

impl Seat {
    /// Board 1 where the strap is closed, else board 0. To be called once after a start, since it counts them.
    pub fn strapped(is_closed: bool) -> Self {
        let starts = STARTS.load(Ordering::Relaxed).wrapping_add(1);
        STARTS.store(starts, Ordering::Relaxed);
        Self { board: is_closed.into(), life: starts as u8 }
    }

    pub(crate) fn order(self) -> Order {
        let Self { board, life } = self;
        Order {
            columns: BOARDS,
            rows: 1,
            board,
            life,
            packets: PACKETS,
            longest: LONGEST,
            seed: 1,
            plant: Plant::None,
        }
    }
}
