//! A frame: the request, a pause, the answer.

use crate::checksum::Checksum;
use crate::registers::{Answer, READ, WRITE};

/// Bytes of a frame.
pub(crate) const BYTES: usize = 17;

/// A read or a write of one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) address: u16,
    /// What to write; nothing to read.
    pub(crate) write: Option<u32>,
}

impl Request {
    /// As it goes out; behind it is room for the answer.
    pub(crate) fn frame(self) -> [u8; BYTES] {
        let [high, low] = self.address.to_be_bytes();
        let [a, b, c, d] = self.write.unwrap_or(0).to_be_bytes();
        let command = if self.write.is_some() { WRITE } else { READ };
        let request = [command, high, low, a, b, c, d];
        let [first, second] = Checksum::new().with_bytes(&request).value().to_be_bytes();
        [command, high, low, a, b, c, d, first, second, 0, 0, 0, 0, 0, 0, 0, 0]
    }
}

/// The answer in a frame: the switch's status, and the register's value. None when the answer is damaged.
pub(crate) fn answer(frame: &[u8; BYTES]) -> Option<(Answer, u32)> {
    let [.., status, a, b, c, d, first, second] = *frame;
    let sum = Checksum::new().with_bytes(&[status, a, b, c, d]).value();
    let is_whole = sum == u16::from_be_bytes([first, second]);
    let answer = Answer::from_number(u32::from(status)).filter(|_| is_whole)?;
    Some((answer, u32::from_be_bytes([a, b, c, d])))
}
