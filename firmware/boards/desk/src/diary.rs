//! What a board says about itself, as `defmt` events.

use crate::seat::Seat;
use desvio_tile::{Counts, Defect, Judge, Name, Record, State};

/// Where the lines lead, by their port.
const SIDES: [&str; 5] = ["node", "east", "west", "north", "south"];

/// What has been said, and what has come of it.
pub(crate) struct Diary {
    board: u8,
    judge: Judge,
    /// Packets that came when the last summary was said.
    said: u32,
}

impl Diary {
    pub(crate) fn new(Seat { board, life }: Seat) -> Self {
        defmt::info!("board {} of a row of two, life {}", board, life);
        Self { board, judge: Judge::new(), said: 0 }
    }

    /// Says what a record says.
    pub(crate) fn note(&mut self, record: &Record) {
        match *record {
            Record::Offered { name: Name { life, number, .. }, to, flits } => {
                defmt::info!("to board {}: packet {}.{}, {} flits", to, life, number, flits);
            }
            Record::Delivered { name } => {
                let Name { source, life, number } = name;
                defmt::info!("from board {}: packet {}.{}, whole", source, life, number);
                self.judge.deliver(name);
            }
            Record::Broken { name, defect } => {
                let why = if defect == Defect::CutShort { "its sender restarted" } else { "a byte is wrong" };
                defmt::warn!("broken: packet {}, {=str}", number(name), why);
            }
            Record::Lost { name, port } | Record::Severed { name, port } => {
                defmt::warn!(
                    "lost at {=str}: packet {}, the neighbour has restarted",
                    side(port),
                    number(name)
                );
            }
            Record::Port { port, state } => defmt::info!("{=str} is {=str}", side(port), word(state)),
            Record::Restarted { port } => defmt::warn!("the neighbour at {=str} has restarted", side(port)),
            Record::Refused { count } => defmt::error!("{} flits or credits refused", count),
            Record::Counted { port, counts } => self.sum_up(port, &counts),
            Record::Done => defmt::info!("all packets are sent"),
            Record::Started { .. } | Record::Booted | Record::Left { .. } => {}
        }
    }

    /// Once a second, where anything has come.
    fn sum_up(&mut self, port: u8, counts: &Counts) {
        let Judge { came, missing, late, .. } = self.judge;
        if came == self.said {
            return;
        }
        self.said = came;
        let Counts { sent, resent, broken, timeouts, flaps, .. } = *counts;
        let line = side(port);
        defmt::info!(
            "{=str}: {} flits, {} again, {} broken frames, {} timeouts",
            line,
            sent,
            resent,
            broken,
            timeouts
        );
        if self.judge.is_content() {
            defmt::info!(
                "board {}: {} packets came, each once and in order; down {} times",
                self.board,
                came,
                flaps
            );
        } else {
            defmt::error!(
                "board {}: {} packets came; {} are missing, {} came late",
                self.board,
                came,
                missing,
                late
            );
        }
    }
}

fn number(name: Option<Name>) -> u32 {
    name.map_or(u32::MAX, |name| name.number)
}

fn side(port: u8) -> &'static str {
    SIDES.get(usize::from(port)).copied().unwrap_or("?")
}

fn word(state: State) -> &'static str {
    match state {
        State::Down => "down",
        State::Training => "training",
        State::Up => "up",
        State::Failed => "failed: the neighbour is of another version",
    }
}
