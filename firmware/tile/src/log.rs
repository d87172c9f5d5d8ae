//! Records on their way to the host.

use crate::record::{LONGEST, Record};
use heapless::Deque;
use tether::frame::{self, OVERHEAD, Stream};

/// Bytes that wait for the control line.
const SIZE: usize = 4096;
/// Bytes that all records of one step take at most, by far.
const RESERVE: usize = 1536;

/// Records as frames, in order.
#[derive(Debug)]
pub(crate) struct Log {
    bytes: Deque<u8, SIZE>,
    /// Bytes so far, and those of them that the line has taken.
    put: u32,
    written: u32,
}

impl Log {
    pub(crate) const fn new() -> Self {
        Self { bytes: Deque::new(), put: 0, written: 0 }
    }

    /// Whether the records of a step have room.
    pub(crate) fn has_room(&self) -> bool {
        SIZE.saturating_sub(self.bytes.len()) >= RESERVE
    }

    pub(crate) fn put(&mut self, record: &Record) {
        let mut buffer = [0; LONGEST + OVERHEAD];
        // There is room: it was asked for.
        let _ = frame::send(self, &mut buffer, |to| record.write(to));
    }

    /// All that was put so far, for [`has_written`](Self::has_written).
    pub(crate) const fn mark(&self) -> u32 {
        self.put
    }

    /// Whether the line has taken everything up to a mark.
    pub(crate) const fn has_written(&self, mark: u32) -> bool {
        self.written.wrapping_sub(mark) as i32 >= 0
    }

    /// Hands bytes to `write`, which says how many it took.
    pub(crate) fn drain<E>(&mut self, write: impl FnOnce(&[u8]) -> Result<usize, E>) -> Result<(), E> {
        let (first, _) = self.bytes.as_slices();
        let taken = write(first)?;
        for _ in 0..taken {
            let popped = self.bytes.pop_front();
            self.written = self.written.wrapping_add(popped.is_some().into());
        }
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// There is no room.
#[derive(Debug)]
pub(crate) struct Full;

impl Stream for Log {
    type Error = Full;

    fn read(&mut self, _: &mut [u8]) -> Result<usize, Full> {
        Err(Full)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Full> {
        for &byte in bytes {
            self.bytes.push_back(byte).map_err(|_| Full)?;
            self.put = self.put.wrapping_add(1);
        }
        Ok(())
    }
}
