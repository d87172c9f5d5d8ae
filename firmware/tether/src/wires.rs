//! What is on the wires of a router in one cycle, as bytes.
//!
//! ```text
//! cycle   the number of events, then each of them; 0: nothing on any wire
//! event   kind (2 bits, highest) and port (6 bits); the VC; after a head: its tag (4 bytes) and its header (words of 4 bytes)
//! ```

use crate::bytes::{Reader, TooShort, Writer};
use router_core::header::{self, Flit, Header, Packet, RawHeader};
use router_core::pins::{Bundle, FlitSignal, PortInputs};
use router_core::units::{PortId, VcId};

/// Bytes of a packet: its tag and its header.
const PACKET: usize = 4 + 4 * header::WORDS;

/// Bytes that a cycle of a router with `ports` ports takes at most.
pub const fn longest(ports: usize) -> usize {
    // On each port a head and a credit.
    ports.saturating_mul(2 + PACKET + 2).saturating_add(1)
}

const CREDIT: u8 = 0 << 6;
const HEAD: u8 = 1 << 6;
const BODY: u8 = 2 << 6;
const TAIL: u8 = 3 << 6;
const KIND: u8 = 3 << 6;

/// Writes one cycle.
pub fn write<const P: usize>(to: &mut Writer<'_>, wires: &Bundle<P>) {
    let events = |port: &PortInputs| u8::from(port.flit.is_some()).wrapping_add(port.credit.is_some().into());
    to.u8(wires.busy().iter().fold(0, |sum: u8, port| sum.wrapping_add(events(&wires.at(port)))));
    for at in wires.busy() {
        let (port, signals) = (at.number(), wires.at(at));
        if let Some(FlitSignal { vc, flit }) = &signals.flit {
            match flit {
                Flit::Head(packet) => {
                    to.u8(HEAD | port);
                    to.u8(vc.number());
                    to.u32(packet.tag);
                    packet.header.emit().0.iter().for_each(|&word| to.u32(word));
                }
                Flit::Body { tail } => {
                    to.u8(if *tail { TAIL } else { BODY } | port);
                    to.u8(vc.number());
                }
            }
        }
        if let Some(vc) = signals.credit {
            to.u8(CREDIT | port);
            to.u8(vc.number());
        }
    }
}

/// Reads one cycle. A header that means nothing has no length: the router refuses it as such. Ports that do not exist are
/// left out.
///
/// # Errors
/// When the bytes end within it.
pub fn read<const P: usize>(from: &mut Reader<'_>) -> Result<Bundle<P>, TooShort> {
    let mut wires = Bundle::<P>::default();
    for _ in 0..from.u8()? {
        let first = from.u8()?;
        let vc = VcId::new(from.u8()?);
        let port = PortId::new(first & !KIND);
        let flit = match first & KIND {
            CREDIT => None,
            HEAD => {
                let tag = from.u32()?;
                let mut words = [0; header::WORDS];
                for word in &mut words {
                    *word = from.u32()?;
                }
                let header = Header::parse(RawHeader(words)).unwrap_or_default();
                Some(Flit::Head(Packet { header, tag }))
            }
            kind => Some(Flit::Body { tail: kind == TAIL }),
        };
        let mut signals = wires.at(port);
        match flit {
            Some(flit) => signals.flit = Some(FlitSignal { vc, flit }),
            None => signals.credit = Some(vc),
        }
        wires.set(port, signals);
    }
    Ok(wires)
}

#[cfg(test)]
mod tests {
    use super::*;
    use router_core::header::{Address, Carried};

    #[test]
    fn every_kind_of_signal_comes_back() {
        let to = Address { router: 0x2a, port: 3 };
        let source = Address { router: 0x15, port: 1 };
        let carried =
            Carried::default().with_source(source).with_level(5).with_spare(0xa5).with_marks(true, false);
        let header = Header { to, via: 9, length: 8, carried, ..Header::default() };
        let signal = |flit| Some(FlitSignal { vc: VcId::new(2), flit });
        let mut wires = Bundle::<4>::default();
        let head = signal(Flit::Head(Packet { header, tag: 77 }));
        wires.set(PortId::new(0), PortInputs { flit: head, credit: Some(VcId::new(1)) });
        wires.set(PortId::new(1), PortInputs { flit: signal(Flit::Body { tail: true }), credit: None });
        wires.set(PortId::new(3), PortInputs { flit: signal(Flit::Body { tail: false }), credit: None });
        let mut bytes = [0; longest(4)];
        let mut writer = Writer::new(&mut bytes);
        write(&mut writer, &wires);
        assert_eq!(writer.length(), Ok(1 + 2 + PACKET + 2 + 2 + 2));
        let mut reader = Reader::new(&bytes);
        let Ok(back) = read::<4>(&mut reader) else { return assert!(reader.is_empty(), "too short") };
        for port in (0..4).map(PortId::new) {
            assert_eq!(back.at(port), wires.at(port));
        }
    }
}
