//! Which frame is next.

use super::{Core, PortState};
use crate::assembler::Sealer;
use crate::frame::{self, Control, pair};

impl<const V: usize, const N: usize, const W: usize> Core<V, N, W> {
    pub(super) fn poll_transmit(&mut self, out: &mut [u8]) -> usize {
        let up = self.state == PortState::Up;
        if !up && let Some(test) = self.tester.poll(self.setup.session.get()) {
            return self.seal(out, |put| frame::write_test(&test, put));
        }
        if self.hello_due {
            (self.hello_due, self.hello_at) = (false, self.now);
            let hello = self.hello();
            return self.seal(out, |put| frame::write_hello(&hello, put));
        }
        if !up {
            return 0;
        }
        if self.sender.has_next() {
            return self.data(out);
        }
        if self.ack_due || self.receiver.nak_is_due() {
            let control = self.control();
            return self.seal(out, |put| frame::write_control(&control, false, put));
        }
        0
    }

    fn data(&mut self, out: &mut [u8]) -> usize {
        if !self.sender.waits() {
            self.acknowledged_at = self.now;
        }
        let control = self.control();
        let Some((number, flit)) = self.sender.poll(&mut self.counters) else { return 0 };
        self.sent_at = self.now;
        seal(out, |put| {
            frame::write_control(&control, true, &mut *put);
            put(&number.to_le_bytes());
            flit.write(put);
        })
    }

    /// All that a frame says besides its flit; with it nothing is due any more.
    fn control(&mut self) -> Control<V> {
        self.ack_due = false;
        Control {
            pair: pair(self.setup.session.get(), self.peer),
            ack: self.receiver.expected(),
            nak: self.receiver.take_nak(),
            freed: *self.receiver.freed(),
        }
    }

    fn seal(&mut self, out: &mut [u8], write: impl FnOnce(&mut dyn FnMut(&[u8]))) -> usize {
        self.sent_at = self.now;
        seal(out, |put| write(put))
    }
}

/// A frame with its check sum and the zero that ends it.
fn seal(out: &mut [u8], write: impl FnOnce(&mut dyn FnMut(&[u8]))) -> usize {
    let mut sealer = Sealer::new(out);
    write(&mut |bytes: &[u8]| sealer.put(bytes));
    let length = sealer.finish();
    match out.get_mut(length) {
        Some(end) if length > 0 => {
            *end = 0;
            length.saturating_add(1)
        }
        _ => 0,
    }
}
