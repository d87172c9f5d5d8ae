//! The boards of a mesh in memory, in one thread and with a clock that is counted: a seed decides all.

use super::damage::Damage;
use super::ledger::Ledger;
use super::shape::{Joint, Mesh};
use super::verdict::Verdict;
use desvio_link::Tick;
use desvio_tile::{CABLES, Order, Plant, Record, Store, Tile};
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::rc::Rc;
use tether::bytes::Reader;
use tether::frame::{self, Stream};

const MESH: Mesh = Mesh { columns: 3, rows: 3 };
/// Steps of each board in a millisecond.
const STEPS: usize = 4;
/// Milliseconds after which a run has failed.
const LIMIT: u32 = 300_000;

thread_local! {
    static NOW: Cell<u32> = const { Cell::new(0) };
}

fn now() -> Tick {
    Tick(NOW.get())
}

/// An end of a cable.
#[derive(Clone, Debug, Default)]
struct Line {
    from: Rc<RefCell<VecDeque<u8>>>,
    to: Rc<RefCell<VecDeque<u8>>>,
}

impl ErrorType for Line {
    type Error = Infallible;
}

impl ReadReady for Line {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.from.borrow().is_empty())
    }
}

impl Read for Line {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        Ok(std::io::Read::read(&mut *self.from.borrow_mut(), bytes).unwrap_or_default())
    }
}

impl WriteReady for Line {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.to.borrow().len() < 64)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.to.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A control line: slow enough that records wait for it.
#[derive(Debug, Default)]
struct Control {
    notes: VecDeque<u8>,
    /// Bytes that it takes until it has carried some.
    room: usize,
}

/// Bytes that a control line carries in a millisecond.
const CARRIED: usize = 8;

impl ErrorType for Control {
    type Error = Infallible;
}

impl WriteReady for Control {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.room > 0)
    }
}

impl Write for Control {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        let taken = bytes.len().min(self.room);
        self.notes.extend(&bytes[..taken]);
        self.room -= taken;
        Ok(taken)
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Bytes of records, as far as they are there.
struct Told<'b>(&'b [u8]);

impl Stream for Told<'_> {
    type Error = ();
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ()> {
        let (first, rest) = self.0.split_at(bytes.len().min(self.0.len()));
        bytes[..first.len()].copy_from_slice(first);
        self.0 = rest;
        if first.is_empty() { Err(()) } else { Ok(first.len()) }
    }
    fn write(&mut self, _: &[u8]) -> Result<(), ()> {
        Err(())
    }
}

/// A place for a board, with its lines.
struct Place {
    order: Order,
    tile: Option<Tile<'static, Line, fn() -> Tick>>,
    lines: [Line; CABLES],
    control: Control,
    is_done: bool,
}

impl Place {
    fn start(&mut self) {
        let store = Box::leak(Box::new(Store::new()));
        self.tile = Some(Tile::new(&self.order, self.lines.clone(), now as fn() -> Tick, store).unwrap());
        self.is_done = false;
    }

    /// Steps, and what is noted in them. Says whether anything moved.
    fn step(&mut self, ledger: &mut Ledger) -> bool {
        let Some(tile) = &mut self.tile else { return false };
        let mut moved = false;
        for _ in 0..STEPS {
            let Ok(has_moved) = tile.step(&mut self.control);
            moved |= has_moved;
        }
        self.control.room = CARRIED;
        let notes = &mut self.control.notes;
        let bytes = notes.make_contiguous();
        let mut rest = Told(bytes);
        let mut buffer = [0; 256];
        let mut taken = 0;
        while let Ok(payload) = frame::receive(&mut rest, &mut buffer) {
            let record = Record::read(&mut Reader::new(payload)).unwrap();
            self.is_done |= record == Record::Done;
            ledger.record(self.order.board, self.order.life, &record);
            taken = bytes.len() - rest.0.len();
        }
        notes.drain(..taken);
        moved
    }
}

/// A cable, and whether it is cut.
struct Cable {
    joint: Joint,
    damage: [Damage; 2],
    is_cut: bool,
}

struct World {
    places: Vec<Place>,
    cables: Vec<Cable>,
    ledger: Ledger,
    packets: u32,
}

impl World {
    fn new(packets: u32, longest: u8, percent: f64, seed: u64, plant: Plant) -> Self {
        Self::of(MESH, packets, longest, percent, seed, plant)
    }

    fn of(mesh: Mesh, packets: u32, longest: u8, percent: f64, seed: u64, plant: Plant) -> Self {
        let places = (0..mesh.boards()).map(|board| {
            let plant = if board == 0 { plant } else { Plant::None };
            let order =
                Order { packets: mesh.share(packets, board), longest, seed, plant, ..mesh.order(board) };
            let lines = std::array::from_fn(|_| Line::default());
            let mut place = Place { order, tile: None, lines, control: Control::default(), is_done: false };
            place.start();
            place
        });
        let cables = mesh.joints().into_iter().zip(0u64..).map(|(joint, number)| {
            let damage = [0, 1].map(|end| Damage::new(percent, seed, 2 * number + end));
            Cable { joint, damage, is_cut: false }
        });
        let (places, cables) = (places.collect(), cables.collect());
        Self { places, cables, ledger: Ledger::new(mesh), packets }
    }

    fn step(&mut self) {
        let mut moved = false;
        for place in &mut self.places {
            moved |= place.step(&mut self.ledger);
        }
        for cable in &mut self.cables {
            for (end, damage) in cable.damage.iter_mut().enumerate() {
                let line =
                    |(board, port): (u8, u8)| &self.places[usize::from(board)].lines[usize::from(port) - 1];
                let (one, other) = (line(cable.joint.ends[end]), line(cable.joint.ends[1 - end]));
                let sent: Vec<u8> = one.to.borrow_mut().drain(..).collect();
                let mut passed = Vec::new();
                damage.pass(&sent, &mut passed);
                moved |= !sent.is_empty();
                if !cable.is_cut {
                    other.from.borrow_mut().extend(passed);
                }
            }
        }
        // Where all wait for time to pass, it does.
        NOW.set(NOW.get() + if moved { 1 } else { 25 });
    }

    fn stop(&mut self, board: u8) {
        let place = &mut self.places[usize::from(board)];
        place.tile = None;
        place.control = Control::default();
        place.lines.iter().for_each(|line| {
            line.from.borrow_mut().clear();
            line.to.borrow_mut().clear();
        });
        let life = place.order.life;
        self.ledger.end(board, life);
        place.order.packets -= self.ledger.offered_by(board, life);
        place.order.life += 1;
    }

    fn is_over(&self) -> bool {
        self.places.iter().all(|place| place.is_done) && self.ledger.is_settled()
    }

    /// Steps until so many packets have come.
    fn until(&mut self, packets: usize) {
        while self.ledger.delivered() < packets {
            self.step();
            assert!(now().0 < LIMIT, "{} packets have come", self.ledger.delivered());
        }
    }

    /// Steps until all packets are accounted for, and what is said to be lost has had its time to come all the same.
    fn finish(mut self) -> Verdict {
        while !self.is_over() && now().0 < LIMIT {
            self.wait(100);
        }
        self.wait(5_000);
        self.ledger.verdict(self.packets as usize)
    }

    /// Steps for so many milliseconds.
    fn wait(&mut self, milliseconds: u32) {
        let end = now().0 + milliseconds;
        while now().0 < end {
            self.step();
        }
    }
}

#[test]
fn a_quiet_mesh_delivers_all() {
    let verdict = World::new(900, 3, 0.0, 1, Plant::None).finish();
    assert_eq!(verdict.violations, [""; 0]);
    assert_eq!((verdict.offered, verdict.delivered), (900, 900));
}

/// Boards with two UARTs.
#[test]
fn boards_in_a_row_deliver_all() {
    for columns in [2, 4] {
        NOW.set(0);
        let row = Mesh { columns, rows: 1 };
        let verdict = World::of(row, 400, 3, 2.0, 1, Plant::None).finish();
        assert_eq!(verdict.violations, [""; 0], "{columns} boards");
        assert_eq!((verdict.offered, verdict.delivered), (400, 400), "{columns} boards");
    }
}

#[test]
fn damage_and_cuts_lose_nothing() {
    for seed in 1..=2 {
        NOW.set(0);
        let mut world = World::new(900, 3, 5.0, seed, Plant::None);
        for (number, packets) in [(0, 100), (7, 300), (11, 500)] {
            world.until(packets);
            world.cables[number].is_cut = true;
            world.wait(4_000);
            world.cables[number].is_cut = false;
        }
        let verdict = world.finish();
        assert_eq!(verdict.violations, [""; 0], "seed {seed}");
        assert_eq!((verdict.offered, verdict.delivered), (900, 900), "seed {seed}");
    }
}

#[test]
fn boards_that_restart_lose_packets_by_name_only() {
    let mut lost = 0;
    for seed in 1..=2 {
        NOW.set(0);
        let mut world = World::new(900, 12, 2.0, seed, Plant::None);
        // Back before a neighbour notices, and after.
        for (board, packets, pause) in [(4, 200, 0), (1, 350, 4_000), (4, 500, 50), (8, 600, 5_000)] {
            world.until(packets);
            world.stop(board);
            world.wait(pause);
            world.places[usize::from(board)].start();
        }
        let verdict = world.finish();
        assert_eq!(verdict.violations, [""; 0], "seed {seed}");
        assert_eq!(verdict.delivered + verdict.losses.len(), 900, "seed {seed}");
        lost += verdict.losses.len();
    }
    assert!(lost > 0);
}

/// Cables are cut and boards restart at any time, also while others have yet to recover.
#[test]
fn faults_at_any_time_are_accounted_for() {
    const PAUSES: [u32; 5] = [0, 1, 20, 200, 4_000];
    for seed in 1..=4 {
        NOW.set(0);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut below = |n: usize| (random.next_u64() % n as u64) as usize;
        let mut world =
            World::new(600, [1, 6, 32][below(3)], [0.0, 1.0, 5.0, 20.0][below(4)], seed, Plant::None);
        for _ in 0..below(12) {
            world.wait(below(40) as u32);
            if below(3) == 0 {
                world.cables[below(12)].is_cut = true;
            } else {
                let board = below(9);
                world.stop(board as u8);
                world.wait(PAUSES[below(5)]);
                world.places[board].start();
            }
            world.wait(PAUSES[below(5)]);
            let mended = below(12);
            world.cables.iter_mut().skip(mended).for_each(|cable| cable.is_cut = false);
        }
        world.cables.iter_mut().for_each(|cable| cable.is_cut = false);
        let verdict = world.finish();
        assert_eq!(verdict.violations, [""; 0], "seed {seed}");
        assert_eq!(verdict.delivered + verdict.losses.len(), 600, "seed {seed}");
    }
}

#[test]
fn planted_defects_are_found() {
    for (plant, said) in [
        (Plant::Flip, "with wrong bytes"),
        (Plant::Repeat, "it came 2 times"),
        (Plant::Swallow, "it never came"),
        (Plant::Swap, " after packet "),
    ] {
        NOW.set(0);
        let mut world = World::new(1_500, 3, 0.0, 1, plant);
        let mut before = 0;
        // Until nothing comes any more.
        while world.ledger.delivered() != before || before == 0 {
            before = world.ledger.delivered();
            world.wait(500);
        }
        let violations = world.ledger.verdict(1_500).violations;
        assert!(violations.iter().any(|violation| violation.contains(said)), "{plant:?}: {violations:?}");
    }
}
