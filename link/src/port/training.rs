//! From the first HELLO to a link that carries flits.

use super::{Core, PortState};
use crate::counters::count;
use crate::hello::{Hello, Refusal};

impl<const V: usize, const N: usize, const W: usize> Core<V, N, W> {
    /// What this end says of itself.
    pub(super) fn hello(&self) -> Hello<V> {
        Hello {
            epoch: self.epoch,
            echo: self.heard,
            echoed_epoch: self.heard_epoch,
            ready: self.is_ready(),
            up: self.state == PortState::Up,
            ..Hello::new(&self.setup, N)
        }
    }

    /// Whether this end may come up: nothing is left of a session before, and no test is running.
    pub(super) fn is_ready(&self) -> bool {
        self.receiver.is_drained() && !self.tester.is_running()
    }

    pub(super) fn handle_hello(&mut self, hello: &Hello<V>) {
        if let Some(refusal) = hello.refusal(&self.hello()) {
            return self.refuse(hello.session, refusal);
        }
        // A HELLO of another session may be older than what was agreed on: it is an answer only if it names
        // the epoch as well.
        let is_answer = hello.session == self.peer || hello.echoed_epoch == self.epoch;
        let echoed = hello.echo == self.setup.session.get() && is_answer;
        (self.heard, self.heard_epoch) = (hello.session, hello.epoch);
        (self.heard_at, self.remote_alive) = (self.now, echoed);
        if !echoed {
            self.enter(PortState::Training);
            self.hello_due = true;
            return;
        }
        self.agree_on(hello.session);
        if self.state == PortState::Up || (hello.ready && self.is_ready()) {
            self.enter(PortState::Up);
            self.hello_due |= !hello.up;
        } else {
            self.enter(PortState::Training);
        }
    }

    /// Both ends know each other's session. With a new one of the neighbour all that was under way there is
    /// lost.
    fn agree_on(&mut self, session: u32) {
        if self.peer == session {
            return;
        }
        if self.peer != 0 {
            count(&mut self.counters.restarts);
            self.sender.restart();
            self.receiver.restart();
            // Up as the session before was, not this one.
            self.enter(PortState::Training);
        }
        self.peer = session;
        self.epoch = self.epoch.wrapping_add(1);
        self.hello_due = true;
    }

    pub(super) fn refuse(&mut self, session: u32, refusal: Refusal) {
        // The neighbour is to know as well.
        self.hello_due |= self.state != PortState::Failed(refusal);
        // A neighbour of another version has no session that could be named, and is not silent either.
        (self.heard, self.heard_at, self.remote_alive) = (session.max(1), self.now, false);
        self.enter(PortState::Failed(refusal));
    }

    pub(super) fn enter(&mut self, state: PortState) {
        let (was, is) = (self.state == PortState::Up, state == PortState::Up);
        self.state = state;
        if was && !is {
            count(&mut self.counters.flaps);
            self.went_down = true;
            self.hello_due = true;
        }
        if is && !was {
            count(&mut self.counters.ups);
            self.sender.go_back();
            (self.acknowledged_at, self.resend) = (self.now, self.setup.timing.resend);
            self.ack_due = true;
        }
    }
}
