//! Every bit that flips in the memory of a switch: its checks name it.

use desvio_switch::control::{Controlled, Tabled};
use desvio_switch::neighbour::{Anywhere, Neighbour};
use desvio_switch::payload::NoPayload;
use desvio_switch::service::{Checked as _, Finding, NoWatchdog, Reset, Service};
use desvio_switch::standard::{self, BUFFER, PACKET};
use router_core::map::table::Row;
use router_core::select::Selection;
use router_core::select::contention::ContentionTrigger;
use router_core::units::PortSet;
use router_core::vc::Descriptor;
use std::ops::Range;
use tether::setup::Setup;

const PORTS: usize = 5;
const ROWS: usize = 16;
const OWN: usize = 5;

type Board<'g> = Controlled<'g, Row<'static>, Neighbour, PORTS, 2, 4, ROWS>;
type Checks = Service<fn() -> u32, NoWatchdog, PORTS>;

/// Flips a bit of a byte within a board, by the address of the byte.
#[expect(unsafe_code, reason = "memory is broken on purpose")]
fn flip(board: &mut Board<'_>, address: usize, bit: usize) {
    let first = (&raw mut *board).cast::<u8>();
    let offset = address - first as usize;
    assert!(offset < size_of::<Board<'_>>());
    // SAFETY: the byte is within the board, which nothing else refers to, and part of a whole number, which may have any value.
    unsafe {
        let byte = first.add(offset);
        byte.write_volatile(byte.read_volatile() ^ 1 << bit);
    }
}

fn bytes<T: ?Sized>(of: &T) -> Range<usize> {
    let first = std::ptr::from_ref(of).cast::<u8>() as usize;
    first..first + size_of_val(of)
}

/// What the checks find in two rounds after a flip. The bit is mended.
fn found(board: &mut Board<'_>, checks: &mut Checks, address: usize, bit: usize) -> Vec<Finding> {
    let rounds = |board: &mut Board<'_>, checks: &mut Checks| {
        for _ in 0..2 * Checks::round_ticks(ROWS) {
            board.step();
            checks.tick(board);
        }
        checks.findings().iter().map(|latched| latched.finding).collect()
    };
    flip(board, address, bit);
    let found = rounds(board, checks);
    flip(board, address, bit);
    // What a round had begun with.
    let _: Vec<Finding> = rounds(board, checks);
    checks.clear(u32::MAX);
    assert_eq!(rounds(board, checks), []);
    found
}

#[test]
fn every_flipped_bit_is_named() {
    let setup =
        Setup { selection: Selection::Contention(ContentionTrigger { threshold: 3 }), ..standard::mesh() };
    let to = Anywhere { groups: 1, routers: ROWS as u32, nodes: 1 };
    let links = [0, 1, 2, 3, 4].map(|port| Neighbour::new(port, to, 20, PACKET, BUFFER));
    let mut store = [Descriptor::default(); 50];
    let routing = Tabled::<ROWS>::new(&setup, true);
    let mut board: Board<'_> = Controlled::new(&setup, routing, &mut store, links, NoPayload).unwrap();
    let mut words: Vec<u32> = board.file().kept().collect();
    // It runs, and has a table; its place, its ports, the contention trigger with its threshold.
    for (place, word) in [(3, 3), (4, OWN as u32), (5, 0x1f), (7, 2), (8, 3)] {
        words[place] = word;
    }
    let rows = words.len() - ROWS;
    (0..ROWS).for_each(|row| words[rows + row] = if row == OWN { 0 } else { 2 << (row % 4) });
    board.take_up(words.into_iter()).unwrap();
    let mut checks = Checks::new(&board, || 0, NoWatchdog, 0, Reset::Unknown);
    let mut is_idle = false;
    for _ in 0..5_000 {
        board.step();
        checks.tick(&board);
        is_idle = checks.is_idle(&board);
    }
    let total = board.switch().counters().total();
    assert!(is_idle && total.flits_out == total.flits_in && total.flits_in == 100 * u32::from(PACKET));
    assert_eq!(checks.findings().bits(), 0, "{:?}", checks.findings());

    let in_use = bytes(board.file().rows());
    for (address, bit) in in_use.clone().flat_map(|address| (0..8).map(move |bit| (address, bit))) {
        let row = (address - in_use.start) / size_of::<PortSet>();
        let found = found(&mut board, &mut checks, address, bit);
        let names = |finding: &Finding| match *finding {
            Finding::Table => true,
            Finding::Row { row: named, .. } => usize::from(named) == row,
            _ => false,
        };
        assert!(!found.is_empty() && found.iter().all(names), "row {row}: {found:?}");
    }

    let file = bytes(board.file());
    let mut silent = 0;
    for (address, bit) in file.flat_map(|address| (0..8).map(move |bit| (address, bit))) {
        // Whether the router runs is among them: a router that stands still has nothing else to be wrong.
        silent += usize::from(found(&mut board, &mut checks, address, bit).is_empty());
    }
    // A commit looks at the bank that is staged; two bytes are padding on most machines.
    let staged = 8 * size_of::<[PortSet; ROWS]>();
    assert!(silent <= staged + usize::BITS as usize, "{silent} bits of {staged} and padding");

    let view = board.view();
    let Selection::Contention(trigger) = &view.plan().selection else { panic!("another trigger") };
    let (threshold, here) = (bytes(&trigger.threshold), view.pins().here());
    let place = [bytes(&here.router), bytes(&here.wired), bytes(&here.group_exits)];
    let options = bytes(&view.plan().options.output_flits);
    let outputs = view.plan().links.each().filter_map(|port| view.pins().router().output(port));
    let credits: Vec<_> = outputs.map(|output| bytes(&output.credits)).collect();
    let mut named = |all: &[Range<usize>], names: fn(&Finding) -> bool| {
        let addresses = all.iter().cloned().flatten();
        for (address, bit) in addresses.flat_map(|address| (0..8).map(move |bit| (address, bit))) {
            let found = found(&mut board, &mut checks, address, bit);
            assert!(found.iter().any(names), "{address:x} {bit}: {found:?}");
        }
    };
    named(&[threshold], |finding| *finding == Finding::Selection);
    named(&place, |finding| *finding == Finding::Place);
    named(&[options], |finding| *finding == Finding::Plan { port: None });
    named(&credits, |finding| matches!(finding, Finding::Credits { .. } | Finding::Balance { .. }));
}
