//! Bytes from an interrupt handler to the program.

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// Bytes that wait for the program, at most.
const SIZE: u32 = 4096;

/// A queue with one writer and one reader. One core has both: loads and stores are enough.
#[derive(Debug)]
pub(crate) struct Ring {
    bytes: [AtomicU8; SIZE as usize],
    /// Bytes that were written and read so far; they wrap.
    written: AtomicU32,
    read: AtomicU32,
}

impl Ring {
    pub(crate) const fn new() -> Self {
        Self {
            bytes: [const { AtomicU8::new(0) }; SIZE as usize],
            written: AtomicU32::new(0),
            read: AtomicU32::new(0),
        }
    }

    fn place(&self, number: u32) -> Option<&AtomicU8> {
        self.bytes.get((number % SIZE) as usize)
    }

    pub(crate) fn len(&self) -> u32 {
        self.written.load(Ordering::Acquire).wrapping_sub(self.read.load(Ordering::Acquire))
    }

    /// Adds a byte; drops it where there is no room.
    pub(crate) fn push(&self, byte: u8) {
        let written = self.written.load(Ordering::Relaxed);
        if self.len() < SIZE
            && let Some(place) = self.place(written)
        {
            place.store(byte, Ordering::Relaxed);
            self.written.store(written.wrapping_add(1), Ordering::Release);
        }
    }

    /// Takes the oldest byte.
    pub(crate) fn pop(&self) -> Option<u8> {
        let read = self.read.load(Ordering::Relaxed);
        if self.len() == 0 {
            return None;
        }
        let byte = self.place(read)?.load(Ordering::Relaxed);
        self.read.store(read.wrapping_add(1), Ordering::Release);
        Some(byte)
    }
}
