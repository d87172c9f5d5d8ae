//! The bytes of a flit, from which its receiver knows whose it is and whether they are right.

use tether::bytes::{Reader, Writer};
use tether::digest::Digest;

/// Bytes of payload of each flit.
pub const BYTES: usize = 16;

/// The name of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The board that sent it.
    pub source: u8,
    /// How often that board had been restarted.
    pub life: u8,
    /// Its number among the packets of that life.
    pub number: u32,
}

impl Name {
    pub(crate) fn write(&self, to: &mut Writer<'_>) {
        to.bytes(&[self.source, self.life]);
        to.u32(self.number);
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self { source: from.u8().ok()?, life: from.u8().ok()?, number: from.u32().ok()? })
    }
}

/// What the bytes of a flit say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    /// The packet.
    pub name: Name,
    /// The board it is for.
    pub to: u8,
    /// The number of the flit, the head's is 0.
    pub index: u8,
    /// Flits of the packet.
    pub flits: u8,
}

impl Content {
    /// As bytes: what it says, and a digest of that.
    pub fn write(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let mut to = Writer::new(&mut bytes);
        self.name.write(&mut to);
        to.bytes(&[self.to, self.index, self.flits]);
        let said = to.length().unwrap_or_default();
        let mut digest = Digest::of(bytes.get(..said).unwrap_or_default());
        for place in bytes.iter_mut().skip(said) {
            digest.add(&[said as u8]);
            *place = digest.folded() as u8;
        }
        bytes
    }

    /// Reads bytes, unless one of them is wrong.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let name = Name::read(&mut from)?;
        let content = Self { name, to: from.u8().ok()?, index: from.u8().ok()?, flits: from.u8().ok()? };
        (content.write() == bytes).then_some(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: Content =
        Content { name: Name { source: 3, life: 1, number: 70_000 }, to: 5, index: 2, flits: 4 };

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Content::read(&CONTENT.write()), Some(CONTENT));
    }

    #[test]
    fn no_bit_changes_unnoticed() {
        for bit in 0..8 * BYTES {
            let mut bytes = CONTENT.write();
            if let Some(byte) = bytes.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
            assert_eq!(Content::read(&bytes), None, "bit {bit}");
        }
    }

    /// A flit that a link made up.
    #[test]
    fn zeros_say_nothing() {
        assert_eq!(Content::read(&[0; BYTES]), None);
    }
}
