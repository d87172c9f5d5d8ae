//! Lines of a segment: no byte of them can change unseen, and a full disk loses none.

use std::io;

use crate::record::{Came, Record};
use crate::segment::{Segment, Sink};

fn record(n: u8, came: Came) -> Record {
    let result = if matches!(came, Came::Failed(_)) {
        String::new()
    } else {
        format!("{{\"load\":0.{n},\"p\":null}}")
    };
    Record { id: format!("{n:032x}").parse().unwrap(), seconds: 0.25, came, result }
}

fn records() -> [Record; 3] {
    [
        record(1, Came::Finished(None)),
        record(2, Came::Finished(Some("deadlock in \"cycle\" 7\nrouter 3".to_owned()))),
        record(3, Came::Failed("no".to_owned())),
    ]
}

#[test]
fn a_line_is_read_as_it_was_written() {
    for record in records() {
        let line = record.to_line();
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        let read = Record::read(line.trim_end().as_bytes()).unwrap();
        assert_eq!((read.id, read.came, read.result), (record.id, record.came, record.result));
    }
}

#[test]
fn every_flipped_bit_and_every_torn_end_is_found() {
    for record in records() {
        let line = record.to_line();
        let line = line.trim_end().as_bytes();
        for n in 0..line.len() {
            for bit in 0..8 {
                let mut changed = line.to_vec();
                changed[n] ^= 1 << bit;
                assert!(Record::read(&changed).is_none(), "bit {bit} of byte {n}");
            }
            assert!(Record::read(&line[..n]).is_none(), "torn at {n}");
        }
    }
}

/// A disk that is full after so many bytes, of which a write that fails leaves some behind.
struct Small {
    bytes: Vec<u8>,
    room: usize,
    cuts: bool,
}

impl Sink for &mut Small {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let fitting = bytes.len().min(self.room.saturating_sub(self.bytes.len()));
        self.bytes.extend_from_slice(&bytes[..fitting]);
        if fitting < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        if !self.cuts {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        self.bytes.truncate(length as usize);
        Ok(())
    }
}

/// The disk is full at every byte in turn, and has room again afterwards.
#[test]
fn a_disk_that_is_full_for_a_moment_loses_no_line() {
    let lines: Vec<String> = records().iter().map(Record::to_line).collect();
    let all = lines.concat();
    for room in 0..all.len() {
        let mut disk = Small { bytes: Vec::new(), room, cuts: true };
        let mut segment = Segment::of(&mut disk);
        let failed = records().iter().filter(|record| segment.push(record).is_err()).count();
        assert!(failed > 0 && segment.pending() == failed, "{room}");
        segment.make_room();
        segment.push(&record(4, Came::Finished(None))).unwrap();
        assert_eq!(segment.pending(), 0);
        let expected = format!("{all}{}", record(4, Came::Finished(None)).to_line());
        assert_eq!(String::from_utf8(disk.bytes).unwrap(), expected, "{room}");
    }
}

/// Where not even what a failed write left can be removed, the torn line spoils one other, and no more.
#[test]
fn what_cannot_be_cut_costs_one_line() {
    let first = record(1, Came::Finished(None)).to_line();
    for room in 0..first.len() {
        let mut disk = Small { bytes: Vec::new(), room, cuts: false };
        let mut segment = Segment::of(&mut disk);
        assert!(segment.push(&records()[0]).is_err());
        segment.make_room();
        segment.push(&records()[1]).unwrap();
        let read = disk.bytes.split(|byte| *byte == b'\n').filter_map(Record::read).map(|record| record.id);
        let expected: Vec<_> = records()[..2].iter().map(|record| record.id).collect();
        assert_eq!(read.collect::<Vec<_>>(), expected[usize::from(room > 0)..], "{room}");
    }
}

impl Segment<&mut Small> {
    fn make_room(&mut self) {
        self.sink_mut().room = usize::MAX;
    }
}
