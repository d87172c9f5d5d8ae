//! Records on the board itself, where no host reads them.

use crate::record::{LONGEST, Record};
use core::convert::Infallible;
use embedded_io::{ErrorType, Write, WriteReady};
use heapless::Vec;
use tether::bytes::Reader;
use tether::frame::{self, OVERHEAD, Stream};

/// A control line that ends on the board: it takes the bytes of [`Tile::step`](crate::Tile::step), and calls `F` with each record.
#[derive(Debug)]
pub struct Records<F> {
    frame: Vec<u8, { LONGEST + OVERHEAD }>,
    take: F,
}

/// The end of a frame has not come.
#[derive(Debug)]
struct Unfinished;

/// The bytes of a frame, as far as they are there.
struct Told<'b>(&'b [u8]);

impl Stream for Told<'_> {
    type Error = Unfinished;

    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Unfinished> {
        let (first, rest) = self.0.split_at_checked(bytes.len()).ok_or(Unfinished)?;
        bytes.copy_from_slice(first);
        self.0 = rest;
        Ok(first.len())
    }

    fn write(&mut self, _: &[u8]) -> Result<(), Unfinished> {
        Err(Unfinished)
    }
}

impl<F: FnMut(&Record)> Records<F> {
    /// A line with nothing on it.
    pub const fn new(take: F) -> Self {
        Self { frame: Vec::new(), take }
    }

    fn push(&mut self, byte: u8) {
        if self.frame.push(byte).is_err() {
            // Longer than any record: no board writes such a frame.
            self.frame.clear();
        }
        let mut buffer = [0; LONGEST + OVERHEAD];
        let Ok(payload) = frame::receive(&mut Told(&self.frame), &mut buffer) else { return };
        if let Some(record) = Record::read(&mut Reader::new(payload)) {
            (self.take)(&record);
        }
        self.frame.clear();
    }
}

impl<F> ErrorType for Records<F> {
    type Error = Infallible;
}

impl<F: FnMut(&Record)> WriteReady for Records<F> {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(true)
    }
}

impl<F: FnMut(&Record)> Write for Records<F> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        bytes.iter().for_each(|&byte| self.push(byte));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Name;

    struct Line([u8; 128], usize);

    impl Stream for Line {
        type Error = ();

        fn read(&mut self, _: &mut [u8]) -> Result<usize, ()> {
            Err(())
        }

        fn write(&mut self, bytes: &[u8]) -> Result<(), ()> {
            for &byte in bytes {
                *self.0.get_mut(self.1).ok_or(())? = byte;
                self.1 = self.1.saturating_add(1);
            }
            Ok(())
        }
    }

    #[test]
    fn records_come_whole_however_their_bytes_are_cut() {
        let name = Name { source: 1, life: 2, number: 3 };
        let sent = [Record::Delivered { name }, Record::Done, Record::Lost { name: None, port: 1 }];
        let mut line = Line([0; 128], 0);
        for record in &sent {
            assert!(frame::send(&mut line, &mut [0; 64], |to| record.write(to)).is_ok());
        }
        for cut in 1..=line.1 {
            let mut came: Vec<Record, 4> = Vec::new();
            let mut records = Records::new(|record: &Record| assert!(came.push(*record).is_ok()));
            for part in line.0.get(..line.1).unwrap_or_default().chunks(cut) {
                assert_eq!(records.write(part), Ok(part.len()));
            }
            assert_eq!(came, sent, "{cut} bytes at a time");
        }
    }
}
