//! What a human types, and reads.

use super::*;
use crate::neighbour::{Anywhere, Neighbour};
use crate::service::{Finding, NoWatchdog, Reset};
use crate::standard::{self, BUFFER, PACKET};
use crate::switch::Switch;
use core::convert::Infallible;
use embedded_io::ErrorType;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::vc::Descriptor;

/// A line that takes a few bytes at a time.
struct Line<'b> {
    typed: &'b [u8],
    shown: Text<2048>,
    /// Bytes that it takes until the next call.
    room: usize,
}

impl ErrorType for Line<'_> {
    type Error = Infallible;
}
impl ReadReady for Line<'_> {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.typed.is_empty())
    }
}
impl Read for Line<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let Some((first, rest)) = self.typed.split_first() else { return Ok(0) };
        (bytes[0], self.typed) = (*first, rest);
        Ok(1)
    }
}
impl WriteReady for Line<'_> {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.room > 0)
    }
}
impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        assert!(self.room > 0, "it would wait");
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        bytes[..taken].iter().for_each(|&byte| assert!(self.shown.push(byte)));
        Ok(taken)
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        panic!("it would wait")
    }
}

/// What is shown for what is typed, by a board with two findings, which has passed packets on.
fn shown(typed: &[u8], then: impl FnOnce(&str, &[Finding])) {
    let setup = standard::mesh();
    let groups = setup.groups();
    let Ok(routing) = setup.only::<DimensionOrderScheme>(&groups) else { panic!("a mesh") };
    let to = Anywhere { groups: 1, routers: 16, nodes: 1 };
    let links = [0, 1, 2, 3, 4].map(|port| Neighbour::new(port, to, 5, PACKET, BUFFER));
    let mut store = [Descriptor::default(); 50];
    let switch = Switch::<_, _, 5, 2, 4>::new(&setup, routing, &mut store, links);
    let Ok(mut switch) = switch else { panic!("a router") };
    let mut service = Service::new(&switch, || 0, NoWatchdog, 7, Reset::BrownOut);
    service.note(Finding::Table);
    for _ in 0..1_000 {
        switch.step();
        service.tick(&switch);
    }
    let mut console = Console::new();
    let mut line = Line { typed, shown: Text::new(), room: 0 };
    loop {
        let length = line.shown.bytes().len();
        let Ok(did) = console.serve(&mut line, &switch, &mut service);
        let rows = line.shown.bytes()[length..].iter().filter(|&&byte| byte == b'\n').count();
        assert!(rows <= 1, "a row in each call");
        if !did {
            break;
        }
        line.room = 7;
    }
    let mut findings = [Finding::Place; 4];
    let mut count = 0;
    for latched in service.findings().iter() {
        findings[count] = latched.finding;
        count += 1;
    }
    let Ok(text) = core::str::from_utf8(line.shown.bytes()) else { panic!("text") };
    then(text, &findings[..count]);
}

#[test]
fn one_table_shows_all_ports() {
    shown(b"ports\r\n", |text, _| {
        let mut rows = text.split("\r\n");
        assert!(rows.next().is_some_and(|row| row.starts_with("port link")), "{text}");
        let mut flits = 0;
        for (port, row) in (0..5u32).zip(&mut rows) {
            let mut words = row.split_ascii_whitespace();
            let mut number = || words.next().and_then(|word| word.parse::<u32>().ok());
            assert_eq!(number(), Some(port));
            assert_eq!(words.next(), Some("-"));
            let mut number = || words.next().and_then(|word| word.parse::<u32>().ok());
            let (came, left, errors) = (number(), number(), number());
            assert_eq!((came, errors), (Some(40), Some(0)), "{text}");
            flits += left.unwrap_or_default();
            assert_eq!((words.next(), words.next(), words.next()), (Some("32/32"), Some("32/32"), None));
        }
        assert_eq!((flits, rows.next(), rows.next()), (200, Some(""), None));
    });
}

#[test]
fn findings_are_shown_and_cleared_by_their_number() {
    let table = "1: the routing table in use is not what the driver declared (1 times)\r\n";
    let reset = "14: the board was reset: brown-out (1 times)\r\n";
    shown(b"checks\n", |text, findings| {
        assert!(text.starts_with("started by brown-out; ") && text.contains(table), "{text}");
        assert!(text.contains("0 late ticks; the longest took 0, the budget is 7\r\n"), "{text}");
        assert!(text.ends_with(reset), "{text}");
        assert_eq!(findings.len(), 2);
    });
    shown(b"clear 1\rchecks\r", |text, findings| {
        assert!(text.starts_with("cleared\r\n") && !text.contains(table) && text.ends_with(reset), "{text}");
        assert_eq!(findings, [Finding::Reset(Reset::BrownOut)]);
    });
    shown(b"clear\r\nchecks\r\n", |text, findings| {
        assert!(text.ends_with("nothing was found\r\n") && findings.is_empty(), "{text}");
    });
}

#[test]
fn what_was_counted_and_the_table_are_shown() {
    shown(b"counters\rtable\rhelp\r", |text, _| {
        let first = "cycles 1000\r\nflits in 200 out 200\r\n0 there is no such port or virtual channel\r\n";
        assert!(text.starts_with(first), "{text}");
        assert!(text.contains("no table\r\nports      all ports"), "{text}");
    });
}

#[test]
fn garbage_is_survived() {
    let unknown = "? try help\r\n";
    for typed in
        [&b"tables\r"[..], b"ports now\r", b"clear x\r", b"clear 32\r", b"clear 99999999999\r", b" \r"]
    {
        shown(typed, |text, findings| assert!(text == unknown && findings.len() == 2, "{text}"));
    }
    // Bytes that are no text are left out, and a line can be corrected.
    shown(b"\x00\xff\r\n\x1b", |text, _| assert_eq!(text, ""));
    shown(b"\xfftax\x08ble\r", |text, _| assert_eq!(text, "no table\r\n"));
    shown(&[b'a'; 5_000], |text, _| assert_eq!(text, ""));
    let mut long = [b'a'; 40];
    long[39] = b'\r';
    shown(&long, |text, _| assert_eq!(text, "? too long\r\n"));
    // Whatever comes: the next line is understood.
    let mut bytes = [0; 300];
    let mut lfsr = router_core::lfsr::Lfsr::new(3, 0);
    for _ in 0..200 {
        for byte in &mut bytes {
            lfsr.step();
            *byte = lfsr.word() as u8;
        }
        bytes.iter_mut().filter(|byte| matches!(byte, b'\r' | b'\n')).for_each(|byte| *byte = 0);
        let end = bytes.len() - 7;
        bytes[end..].copy_from_slice(b"\rtable\r");
        shown(&bytes, |text, _| assert!(text.ends_with("no table\r\n"), "{text}"));
    }
}
