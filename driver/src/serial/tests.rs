#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::expect_used)]

use super::*;
use crate::file::{Built, RegisterFile};
use crate::{BusError, Error, Switch, Unconnected};
use core::cell::RefCell;
use core::convert::Infallible;
use core::iter;
use embedded_io::ErrorType;
use router_core::layout::{ROUTING_TABLE, TRIGGER_HYBRID};
use router_core::route::Here;
use router_core::select::Selection;
use router_core::units::PortSet;
use std::collections::VecDeque;

const ROWS: usize = 4;

/// A board at the other end of a line that loses or changes some bytes.
struct Board {
    file: RegisterFile<ROWS>,
    requests: Requests,
    answers: VecDeque<u8>,
    /// Bytes that have gone over the line, in both directions, and which of them are lost or changed.
    bytes: u32,
    harm: fn(u32) -> Harm,
}

#[derive(PartialEq)]
enum Harm {
    None,
    Lost,
    Changed,
    Doubled,
}

impl Board {
    fn new(harm: fn(u32) -> Harm) -> RefCell<Self> {
        let (routing, trigger) = (ROUTING_TABLE as u8, TRIGGER_HYBRID as u8);
        let file = RegisterFile::new(Built { ports: 5, vcs: 2, routing, trigger, counter_bits: 16 });
        let (requests, answers) = (Requests::new(), VecDeque::new());
        RefCell::new(Self { file, requests, answers, bytes: 0, harm })
    }

    fn over_the_line(&mut self, byte: u8) -> impl Iterator<Item = u8> + use<> {
        self.bytes += 1;
        let (byte, times) = match (self.harm)(self.bytes) {
            Harm::None => (byte, 1),
            Harm::Lost => (byte, 0),
            Harm::Changed => (byte ^ 0x24, 1),
            Harm::Doubled => (byte, 2),
        };
        iter::repeat_n(byte, times)
    }

    fn take(&mut self, byte: u8) {
        for byte in self.over_the_line(byte) {
            let Some(mut frame) = self.requests.take(byte) else { continue };
            self.file.frame(&mut frame, &mut ());
            for &byte in &frame[ANSWER..] {
                let came = self.over_the_line(byte);
                self.answers.extend(came);
            }
        }
    }
}

struct Line<'b>(&'b RefCell<Board>);

impl ErrorType for Line<'_> {
    type Error = Infallible;
}
impl ReadReady for Line<'_> {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.borrow().answers.is_empty())
    }
}
impl Read for Line<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let mut board = self.0.borrow_mut();
        let came = bytes.iter_mut().map_while(|place| board.answers.pop_front().map(|byte| *place = byte));
        Ok(came.count())
    }
}
impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        // A UART takes some of it.
        let taken = bytes.len().min(3);
        bytes.iter().take(taken).for_each(|&byte| self.0.borrow_mut().take(byte));
        Ok(taken)
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

struct NoTime;
impl DelayNs for NoTime {
    fn delay_ns(&mut self, _: u32) {}
}

type Driven<'b> = Switch<SerialBus<Line<'b>, NoTime>, Unconnected, NoTime>;

fn driver(board: &RefCell<Board>) -> Driven<'_> {
    Switch::new(SerialBus::new(Line(board), NoTime, 200), Unconnected, NoTime)
}

/// Programs all that there is: how many frames were sent again.
fn session(board: &RefCell<Board>) -> Result<u32, Error<LineError<Infallible>, Infallible>> {
    let mut switch = driver(board);
    switch.bus().set_attempts(30);
    assert_eq!(switch.reset()?.ports(), 5);
    for round in 1..20 {
        let rows: [PortSet; ROWS] = core::array::from_fn(|row| PortSet::from_bits((row + round) % 31 + 1));
        switch.program_table(rows.iter().copied())?;
        assert_eq!(board.borrow().file.rows(), &rows, "a table is in use once it is committed");
        switch.start(&Here { router: 3, ..Here::default() }, round as u32, &Selection::NEVER)?;
        assert_eq!(board.borrow().file.rows(), &rows);
        for (number, row) in (0..).zip(rows) {
            assert_eq!(switch.table_row(number)?, row);
        }
    }
    Ok(switch.bus().repeated())
}

#[test]
fn a_good_line_repeats_nothing() {
    assert_eq!(session(&Board::new(|_| Harm::None)), Ok(0));
}

/// Bytes that are lost, changed or doubled, in either direction: everything is programmed all the same.
#[test]
fn a_bad_line_only_takes_longer() {
    let harms: [fn(u32) -> Harm; 3] = [
        |byte| if byte % 53 == 0 { Harm::Lost } else { Harm::None },
        |byte| if byte % 47 == 0 { Harm::Changed } else { Harm::None },
        |byte| if byte % 59 == 0 { Harm::Doubled } else { Harm::None },
    ];
    for harm in harms {
        let repeated = session(&Board::new(harm)).expect("a table");
        assert!(repeated > 100, "{repeated} frames were sent again");
    }
}

#[test]
fn a_line_that_is_cut_is_an_error() {
    let board = Board::new(|_| Harm::Lost);
    let mut switch = driver(&board);
    assert_eq!(switch.reset(), Err(Error::Bus(BusError::Corrupt { attempts: 8 })));
}

/// Behind any garbage a request is found, and nothing before it.
#[test]
fn a_request_is_found_behind_garbage() {
    let request = crate::frame::Request { address: 0x4001, write: Some(0x1f) }.frame();
    for length in 0..40u8 {
        let mut requests = Requests::new();
        // Commands among the garbage, and the beginning of a request that is cut off.
        let garbage = (0..length).map(|n| if n % 5 == 0 { WRITE } else { n.wrapping_mul(37) });
        let cut = request.iter().copied().take(usize::from(length) % REQUEST);
        for byte in garbage.chain(cut) {
            assert_eq!(requests.take(byte), None);
        }
        let found: Vec<_> = request.iter().take(REQUEST).map(|&byte| requests.take(byte)).collect();
        assert!(found[..REQUEST - 1].iter().all(Option::is_none));
        assert_eq!(found[REQUEST - 1], Some(request));
    }
}
