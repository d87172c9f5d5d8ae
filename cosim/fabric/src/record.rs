//! ibsim's protocol: two records of fixed size, as its client library sends them in one datagram each.
//!
//! Numbers of the control record, and of what is in it, are in the byte order of the machine: both ends are on one. The LIDs, queue pairs,
//! status and length of a request are those of the network.

use desvio_sma::Packet;
use desvio_sma::mad::BYTES;

/// Bytes of a control record, and of what is in it.
pub(crate) const CONTROL: usize = 16 + CONTENT;
/// See [`CONTROL`].
pub(crate) const CONTENT: usize = 64;
/// Bytes of a request: its numbers, four bytes that mean nothing, the length, the MAD.
pub(crate) const REQUEST: usize = 32 + BYTES;

const MAGIC: u32 = 0xdead_beef;

/// What a control record is about, by its number; the answer has the same, or 0 where it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    Refused,
    Connect,
    Disconnect,
    Port,
    Vendor,
    Gid,
    Guid,
    NodeInfo,
    PortInfo,
    SetManager,
    Partitions,
}

impl Topic {
    const ALL: [Self; 11] = [
        Self::Refused,
        Self::Connect,
        Self::Disconnect,
        Self::Port,
        Self::Vendor,
        Self::Gid,
        Self::Guid,
        Self::NodeInfo,
        Self::PortInfo,
        Self::SetManager,
        Self::Partitions,
    ];
}

/// A control record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Control {
    pub(crate) client: u32,
    pub(crate) topic: Topic,
    pub(crate) length: u32,
    pub(crate) content: [u8; CONTENT],
}

impl Control {
    /// Nothing where it is none.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (content, is_whole) = (*bytes.get(16..)?.first_chunk()?, bytes.len() == CONTROL);
        let known = is_whole && number(bytes, 0)? == MAGIC;
        let topic = Topic::ALL.get(number(bytes, 8)? as usize).copied().unwrap_or(Topic::Refused);
        known.then_some(Self { client: number(bytes, 4)?, topic, length: number(bytes, 12)?, content })
    }

    pub(crate) fn write(&self) -> [u8; CONTROL] {
        let mut bytes = [0; CONTROL];
        let topic = self.topic as u32;
        for (at, value) in [(0, MAGIC), (4, self.client), (8, topic), (12, self.length)] {
            bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
        }
        bytes[16..].copy_from_slice(&self.content);
        bytes
    }
}

/// A packet to or from a client, with the queue pairs at its ends, as they are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) packet: Packet,
    pub(crate) to: u32,
    pub(crate) from: u32,
    /// 0, or why there was no answer.
    pub(crate) status: u32,
    pub(crate) length: u64,
}

/// No answer came in time: what Linux calls ETIMEDOUT.
pub(crate) const NO_ANSWER: u32 = 110;

impl Request {
    /// Nothing where the size is wrong.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let lid = |at| Some(u16::from_be_bytes((number(bytes, at)? as u16).to_ne_bytes()));
        let packet = Packet { dlid: lid(0)?, slid: lid(4)?, mad: *bytes.get(32..)?.first_chunk()? };
        let (to, from) = (number(bytes, 8)?, number(bytes, 12)?);
        let length = u64::from_be_bytes(*bytes.get(24..)?.first_chunk()?);
        let status = u32::from_be(number(bytes, 16)?);
        (bytes.len() == REQUEST).then_some(Self { packet, to, from, status, length })
    }

    pub(crate) fn write(&self) -> [u8; REQUEST] {
        let mut bytes = [0; REQUEST];
        let lid = |lid: u16| u32::from(u16::from_ne_bytes(lid.to_be_bytes()));
        let Packet { slid, dlid, mad } = &self.packet;
        let numbers =
            [(0, lid(*dlid)), (4, lid(*slid)), (8, self.to), (12, self.from), (16, self.status.to_be())];
        for (at, value) in numbers {
            bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
        }
        bytes[24..32].copy_from_slice(&self.length.to_be_bytes());
        bytes[32..].copy_from_slice(mad);
        bytes
    }

    /// Whether it is for the queue pair of subnet management.
    pub(crate) fn queue(&self) -> u32 {
        u32::from_be(self.to)
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_as_the_client_library_has_them() {
        let control = Control { client: 3, topic: Topic::NodeInfo, length: 64, content: [7; CONTENT] };
        let bytes = control.write();
        assert_eq!((bytes.len(), &bytes[..4]), (80, &0xdead_beef_u32.to_ne_bytes()[..]));
        assert_eq!(u32::from_ne_bytes(bytes[8..12].try_into().unwrap()), 7, "node info is number 7");
        assert_eq!(Control::read(&bytes), Some(control));
        assert_eq!(Control::read(&bytes[..79]), None);

        let packet = Packet { slid: 0x0102, dlid: 0xffff, mad: [9; BYTES] };
        let request = Request { packet, to: 1, from: 2, status: NO_ANSWER, length: 256 };
        let bytes = request.write();
        assert_eq!(
            (bytes.len(), &bytes[4..6], &bytes[24..32]),
            (288, &[1, 2][..], &256u64.to_be_bytes()[..])
        );
        assert_eq!(bytes[16..20], [0, 0, 0, 110]);
        assert_eq!(Request::read(&bytes), Some(request));
        assert_eq!(Request::read(&bytes[..287]), None);
    }
}
