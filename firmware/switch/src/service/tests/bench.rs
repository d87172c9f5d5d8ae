//! A board of a ring of routers, a driver that programs it, and a clock and a watchdog in memory.

use super::super::*;
use crate::control::{Controlled, Tabled};
use crate::neighbour::{Anywhere, Neighbour};
use crate::standard::{self, BUFFER, PACKET};
use core::cell::Cell;
use core::convert::Infallible;
use desvio_driver::checksum::Checksum;
use desvio_driver::register::Register as _;
use desvio_driver::registers::{
    Commit, ContentionThreshold, TableChecksum, TableRow, TableRows, Trigger, WRITE, Wired,
};
use embedded_io::{ErrorType, Read, ReadReady, Write};
use router_core::select::Selection;
use router_core::select::contention::ContentionTrigger;
use router_core::vc::Descriptor;
use tether::setup::Setup;

pub(super) const P: usize = 5;
pub(super) const ROWS: usize = 16;
pub(super) type Board<'g> = Controlled<'g, Never, Neighbour, P, 2, 4, ROWS>;
pub(super) type Never = router_core::map::table::Row<'static>;

/// Bytes to a board; what it answers is not looked at.
pub(super) struct Line<'b>(&'b [u8]);

impl ErrorType for Line<'_> {
    type Error = Infallible;
}
impl ReadReady for Line<'_> {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.is_empty())
    }
}
impl Read for Line<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let (Some((first, rest)), Some(place)) = (self.0.split_first(), bytes.first_mut()) else {
            return Ok(0);
        };
        (*place, self.0) = (*first, rest);
        Ok(1)
    }
}
impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Ok(bytes.len())
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Writes a register as a driver does.
pub(super) fn write(board: &mut Board<'_>, address: u16, data: u32) {
    let [high, low] = address.to_be_bytes();
    let [a, b, c, d] = data.to_be_bytes();
    let body = [WRITE, high, low, a, b, c, d];
    let [first, second] = Checksum::new().with_bytes(&body).value().to_be_bytes();
    let frame = [WRITE, high, low, a, b, c, d, first, second];
    let Ok(served) = board.serve(&mut Line(&frame));
    assert!(served);
}

pub(super) fn commit(board: &mut Board<'_>, what: Commit) {
    let generation = board.file().status().generation().wrapping_add(1);
    write(board, Commit::ADDRESS, what.with_generation(generation).bits());
}

/// Programs a table. `sum_is_off`: with another checksum than that of its rows.
pub(super) fn program(board: &mut Board<'_>, row: impl Fn(u16) -> u32, sum_is_off: bool) {
    let mut sum = Checksum::new();
    for number in 0..ROWS as u16 {
        write(board, TableRow::ADDRESS + number, row(number));
        sum = sum.with(row(number), P as u32);
    }
    write(board, TableRows::ADDRESS, ROWS as u32);
    write(board, TableChecksum::ADDRESS, u32::from(sum.value()) ^ u32::from(sum_is_off));
    commit(board, Commit::default().with_table(true));
}

/// The next port round the router; nothing to itself.
pub(super) fn ring(row: u16) -> u32 {
    if row == 5 { 0 } else { 2 << (row % 4) }
}

pub(super) fn built() -> Setup {
    Setup { selection: Selection::Contention(ContentionTrigger::default()), ..standard::mesh() }
}

pub(super) fn neighbours() -> [Neighbour; P] {
    let to = Anywhere { groups: 1, routers: ROWS as u32, nodes: 1 };
    [0, 1, 2, 3, 4].map(|port| Neighbour::new(port, to, u32::MAX, PACKET, BUFFER))
}

/// What a clock shows, and how often a watchdog was fed.
#[derive(Default)]
pub(super) struct Outside {
    pub(super) time: Cell<u32>,
    pub(super) fed: Cell<u32>,
}

impl Clock for &Outside {
    fn now(&self) -> u32 {
        self.time.get()
    }
}
impl Watchdog for &Outside {
    fn feed(&mut self) {
        self.fed.set(self.fed.get() + 1);
    }
}

/// A board with a table and traffic, and its checks; `then` breaks something.
pub(super) fn with_board(then: impl FnOnce(&mut Board<'_>, &mut Service<&Outside, &Outside, P>, &Outside)) {
    let outside = Outside::default();
    let mut store = [Descriptor::default(); 50];
    let setup = built();
    let board =
        Board::new(&setup, Tabled::new(&setup, true), &mut store, neighbours(), crate::payload::NoPayload);
    let Ok(mut board) = board else { panic!("a router") };
    let mut service = Service::new(&board, &outside, &outside, 10, Reset::Power);
    program(&mut board, ring, false);
    write(&mut board, desvio_driver::registers::Address::ADDRESS, 5);
    write(&mut board, Wired::ADDRESS, 0x1f);
    write(&mut board, Trigger::ADDRESS, Trigger::default().with_contention(true).bits());
    write(&mut board, ContentionThreshold::ADDRESS, 3);
    commit(&mut board, Commit::default().with_restart(true));
    rounds(&mut board, &mut service, &outside, 20);
    assert_eq!(service.findings().bits(), 0, "{:?}", service.findings());
    then(&mut board, &mut service, &outside);
}

/// Serves for so many rounds, in time.
pub(super) fn rounds<W: Watchdog>(
    board: &mut Board<'_>,
    service: &mut Service<&Outside, W, P>,
    outside: &Outside,
    rounds: usize,
) {
    for _ in 0..rounds * Service::<&Outside, W, P>::round_ticks(ROWS) {
        board.step();
        outside.time.set(outside.time.get().wrapping_add(10));
        service.tick(board);
    }
}

/// What is found within two rounds after something broke, and whether the watchdog starves.
pub(super) fn found(
    breaks: impl FnOnce(&mut Board<'_>, &mut Service<&Outside, &Outside, P>),
) -> (Option<Finding>, bool) {
    let mut verdict = (None, false);
    with_board(|board, service, outside| {
        breaks(board, service);
        rounds(board, service, outside, 2);
        let fed = outside.fed.get();
        rounds(board, service, outside, 3);
        // A router that begins anew refuses the rest of packets that were on their way.
        let mut all = service.findings().iter().map(|latched| latched.finding);
        let finding = all.next().filter(|finding| !matches!(finding, Finding::Protocol(_)));
        verdict = (finding, outside.fed.get() == fed);
        assert!(all.all(|finding| matches!(finding, Finding::Protocol(_))));
    });
    verdict
}
