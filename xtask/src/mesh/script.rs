//! What goes wrong, and when: by how many packets have come, and by what the boards say of it.

use desvio_tile::{Record, State};
use std::collections::BTreeSet;

/// A change to the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The cable with this number is cut,
    Cut(usize),
    /// or mended.
    Mend(usize),
    /// A board loses its power,
    Stop(u8),
    /// and gets it back.
    Start(u8),
}

/// When a change comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// So many packets of a hundred have come.
    Percent(u8),
    /// This port of a board is down.
    IsDown(u8, u8),
    /// At once after the change before.
    Then,
}

/// Changes in their order.
#[derive(Debug, Default)]
pub(super) struct Script {
    steps: Vec<(When, Change)>,
    next: usize,
    /// Ports that are down, as their boards say.
    down: BTreeSet<(u8, u8)>,
}

impl Script {
    /// Adds a change.
    pub(super) fn add(&mut self, when: When, change: Change) {
        self.steps.push((when, change));
    }

    /// Takes notice of a record.
    pub(super) fn take_in(&mut self, board: u8, record: &Record) {
        match *record {
            Record::Port { port, state: State::Down } => drop(self.down.insert((board, port))),
            Record::Port { port, .. } => drop(self.down.remove(&(board, port))),
            _ => {}
        }
    }

    /// A board says no more.
    pub(super) fn forget(&mut self, board: u8) {
        self.down.retain(|&(of, _)| of != board);
    }

    /// The change that is due, if one is.
    pub(super) fn poll(&mut self, percent: usize) -> Option<Change> {
        let &(when, change) = self.steps.get(self.next)?;
        let is_due = match when {
            When::Percent(from) => percent >= usize::from(from),
            When::IsDown(board, port) => self.down.contains(&(board, port)),
            When::Then => true,
        };
        self.next += usize::from(is_due);
        is_due.then_some(change)
    }

    /// Whether all changes have been made.
    pub(super) fn is_over(&self) -> bool {
        self.next >= self.steps.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_in_order_and_when_they_are_due() {
        let mut script = Script::default();
        script.add(When::Percent(20), Change::Cut(3));
        script.add(When::IsDown(1, 2), Change::Mend(3));
        script.add(When::Then, Change::Stop(4));
        let port = |state| Record::Port { port: 2, state };
        assert_eq!(script.poll(19), None);
        assert_eq!(script.poll(20), Some(Change::Cut(3)));
        // It was down, and is not any more; it is, and its board is gone.
        script.take_in(1, &port(State::Down));
        script.take_in(1, &port(State::Training));
        assert_eq!(script.poll(90), None);
        script.take_in(1, &port(State::Down));
        script.forget(1);
        assert_eq!(script.poll(90), None);
        script.take_in(1, &port(State::Down));
        assert_eq!(script.poll(20), Some(Change::Mend(3)));
        assert!(!script.is_over());
        assert_eq!(script.poll(0), Some(Change::Stop(4)));
        assert!(script.is_over());
    }
}
