//! What is on the wires of one router in one internal cycle.

use router_core::header::{self, Flit, Header, Packet, RawHeader};

/// The bits of a flit on a wire, 32 to a word: the payload, then the header in a head or more payload in a body.
pub type Data = [u32; 1 + header::WORDS];

/// A tag is mixed into a payload by a multiplication, undone by another one, and a turn that brings its upper bits down.
const MIX: u32 = 0x9e37_79b1;
const UNMIX: u32 = 0x0e8b_2f51;
const TURN: u32 = 11;

/// A flit on a wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WireFlit {
    /// The VC it is for, by its name on the wire.
    pub vc: u8,
    /// Whether it is the first of its packet.
    pub head: bool,
    /// Whether it is the last.
    pub tail: bool,
    /// Its bits.
    pub data: Data,
}

impl WireFlit {
    /// The head of a packet. Its payload is its tag, mixed over all bits.
    pub fn head(vc: u8, packet: &Packet) -> Self {
        let mut data = [packet.tag.wrapping_mul(MIX).rotate_left(TURN); 1 + header::WORDS];
        data[1..].copy_from_slice(&packet.header.emit().0);
        Self { vc, head: true, tail: packet.header.length == 1, data }
    }

    /// Flit number `index` of the packet with this tag.
    pub fn body(vc: u8, tag: u32, index: u16, tail: bool) -> Self {
        Self { vc, head: false, tail, data: payload(tag, index) }
    }

    /// As the model takes it. A header that means nothing has no length: it is refused as such.
    pub fn to_flit(self) -> Flit {
        if !self.head {
            return Flit::Body { tail: self.tail };
        }
        let header = Header::parse(self.header()).unwrap_or_default();
        Flit::Head(Packet { header, tag: self.tag() })
    }

    /// The tag of the packet, in a head.
    pub fn tag(self) -> u32 {
        self.data[0].rotate_right(TURN).wrapping_mul(UNMIX)
    }

    /// The header's bits, in a head.
    pub fn header(self) -> RawHeader {
        RawHeader(std::array::from_fn(|word| self.data[1 + word]))
    }
}

/// What a body flit carries: bits that tell it from every other.
fn payload(tag: u32, index: u16) -> Data {
    let mixed = (u64::from(tag) << 16 | u64::from(index)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut data = [mixed as u32; 1 + header::WORDS];
    data[0] = tag.rotate_left(u32::from(index));
    (1..).zip(&mut data[1..]).for_each(|(word, bits)| *bits = (mixed.rotate_left(19 * word) >> 16) as u32);
    data
}

/// One port: at most one flit and one credit in each direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortSignals {
    /// A flit.
    pub flit: Option<WireFlit>,
    /// A credit for this VC, by its name on the wire.
    pub credit: Option<u8>,
    /// Whether wires are not 0 of which `valid` says that there is nothing on them.
    pub stray: bool,
}

/// What a router of a group tells another one: how many of its packets are leaving for each group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// The place of its sender among the receiver's local ports; 0 on the way out.
    pub from: usize,
    /// By group.
    pub counts: Vec<u16>,
}

/// All ports in one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// By port.
    pub ports: Vec<PortSignals>,
    /// Counters on wires of their own; none in most cycles.
    pub notices: Vec<Notice>,
}

impl Frame {
    /// Nothing on the wires of `ports` ports.
    pub fn idle(ports: usize) -> Self {
        Self { ports: vec![PortSignals::default(); ports], notices: Vec::new() }
    }

    /// Nothing on any wire.
    pub fn clear(&mut self) {
        self.ports.fill(PortSignals::default());
        self.notices.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_comes_out_of_the_payload_that_it_went_into() {
        let (mut seen, tags) = ([0; 2], (0..1 << 26).step_by(4099));
        for tag in tags {
            let flit = WireFlit::head(0, &Packet { header: Header::default(), tag });
            assert_eq!(flit.tag(), tag);
            seen = [seen[0] | flit.data[0], seen[1] | !flit.data[0]];
        }
        assert_eq!(seen, [u32::MAX; 2], "each bit of the payload is 0 in some head and 1 in another");
    }
}
