//! Where a manager of our own runs.

use super::{SEATS, Server, Shared, lock};
use crate::record::Request;
use desvio_manager::Transport;
use desvio_sma::Packet;
use desvio_sma::mad::{BYTES, TRAP};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long a program at another node, such as another subnet manager, may take for its answer.
const PATIENCE: Duration = Duration::from_millis(500);
/// What a program knows its requests by; the rest of a transaction's number says whose they are.
const LOWER: u64 = u64::MAX >> 16;

/// A node of a fabric that is served, for a manager of our own. What it sends goes the way of what other programs send. Agents answer at
/// once or never, programs in a while.
pub struct Seat {
    shared: Arc<Shared>,
    place: usize,
    number: u64,
    answers: Receiver<Packet>,
}

impl Server {
    /// The seat at a node.
    #[must_use]
    pub fn seat(&self, node: usize) -> Seat {
        let place = self.fabric().routers() + node;
        let (sender, answers) = channel();
        let mut seats = lock(&self.shared.seats);
        seats.push(sender);
        Seat { shared: Arc::clone(&self.shared), place, number: SEATS + seats.len() as u64 - 1, answers }
    }
}

impl Shared {
    /// A program has answered: whether it was a manager of our own that asked.
    pub(super) fn give_seat(&self, answer: &Packet) -> bool {
        let number = (answer.transaction() >> 48).checked_sub(SEATS);
        let seats = lock(&self.seats);
        let seat = number.and_then(|number| seats.get(number as usize));
        // One that is gone does not wait for it.
        seat.is_some_and(|seat| seat.send(answer.clone()).is_ok())
    }
}

impl Seat {
    /// The place of its node in the fabric.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// Hands a request to the program at a node, and waits for the answer.
    fn ask(&self, node: usize, packet: Packet) -> Option<Packet> {
        let (queue, transaction) = (0, packet.transaction());
        let request = Request { packet, to: queue, from: queue, status: 0, length: BYTES as u64 };
        let is_trap = request.packet.method() == TRAP;
        let program = self.shared.program(node, &request)?;
        let begun = Instant::now();
        self.shared.give(program, &request).then_some(())?;
        if is_trap {
            // Nobody waits for its answer.
            return None;
        }
        loop {
            let left = PATIENCE.checked_sub(begun.elapsed())?;
            let answer = self.answers.recv_timeout(left).ok()?;
            if answer.transaction() == transaction {
                return Some(answer);
            }
        }
    }
}

impl Transport for Seat {
    fn exchange(&mut self, request: &Packet) -> io::Result<Option<Packet>> {
        let mut packet = request.clone();
        packet.set_transaction(self.number << 48 | request.transaction() & LOWER);
        let arrived = self.shared.fabric().carry(self.place, &mut packet)?;
        let answer = match arrived {
            Some(node) if node == self.place && packet.is_response() => Some(packet),
            Some(node) if !packet.is_response() => self.ask(node, packet),
            _ => None,
        };
        Ok(answer.map(|mut answer| {
            answer.set_transaction(answer.transaction() & LOWER);
            answer
        }))
    }
}
