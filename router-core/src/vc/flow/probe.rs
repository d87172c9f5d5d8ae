//! Heads that go ahead of their packets, and come back (`router/circuit.rs`).

use super::Flow;

impl Flow {
    /// The front packet is a probe that has come back: it waits, and its place in the buffer has been given away.
    pub const fn is_back(&self) -> bool {
        self.flits == 0
    }

    /// The head of the front packet leaves again.
    pub const fn put_back(&mut self) {
        self.flits = 1;
    }

    /// The front packet, which is a head alone, goes back to where it came from. Says whether it had a place in the buffer.
    pub const fn withdraw(&mut self) -> bool {
        let had = self.flits > 0;
        (self.out_vc, self.flits, self.left, self.expected) = (Self::IDLE, 0, 0, 0);
        had
    }
}
