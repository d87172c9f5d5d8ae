//! Packets that another program sends: composed here before, or read from their heads.

use super::super::bits::Bits;
use super::super::flit::Contents;
use super::super::walk::Arrived;
use super::{Ledger, Packet};

/// A flit that another program puts on the wires of an input.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Offered<'a> {
    pub(in super::super) port: usize,
    pub(in super::super) vc: usize,
    pub(in super::super) flit: &'a Bits,
    /// The signals beside the flit, where there are any.
    pub(in super::super) head: Option<bool>,
    pub(in super::super) tail: Option<bool>,
}

impl Ledger<'_, '_> {
    /// The number of the packet that begins with a flit.
    ///
    /// # Errors
    /// Why no packet can begin with it.
    pub(in super::super) fn first(&mut self, offered: &Offered<'_>) -> Result<u64, String> {
        let number = self.layout.number(offered.flit);
        let (port, vc) = (offered.port, offered.vc);
        match self.packets.get(&number) {
            Some(packet) if packet.flits.is_empty() && (packet.port, packet.vc) == (port, vc) => Ok(number),
            Some(_) => Err(format!("the number of {} is given to a second packet", self.describe(number))),
            None => {
                let is_last = offered.tail.or_else(|| self.layout.tail(offered.flit));
                let header = self.layout.header(offered.flit, is_last)?;
                let ways = self.site.ways(self.site.arrival(port, vc), &header);
                if ways.is_empty() {
                    let to = header.to;
                    return Err(format!(
                        "a packet to router {} port {} cannot come by here",
                        to.router, to.port
                    ));
                }
                let packet = self.packet(number, (port, vc), &Arrived { header, ways });
                self.packets.insert(number, packet);
                Ok(number)
            }
        }
    }

    /// A flit is number `next` of a packet: the packet's length, 0 as long as that is not known.
    ///
    /// # Errors
    /// Why it is not.
    pub(in super::super) fn follows(
        &mut self,
        number: u64,
        next: u16,
        offered: &Offered<'_>,
    ) -> Result<u16, String> {
        let flit = offered.flit;
        let found = (self.layout.number(flit), self.layout.index(flit));
        if found != (number, next.into()) {
            return Err(format!(
                "flit {} of packet {} is sent, but flit {next} of packet {number} is due",
                found.1, found.0
            ));
        }
        let is_last = offered.tail.or_else(|| self.layout.tail(flit)) == Some(true);
        let Some(packet) = self.packets.get_mut(&number) else { return Ok(0) };
        if packet.header.length == 0 && is_last {
            packet.header.length = next + 1;
        }
        let length = packet.header.length;
        let Some(packet) = self.packets.get(&number) else { return Ok(0) };
        let next_port = self.next_port(packet);
        let mut expected = flit.clone();
        let contents = Contents { header: &packet.header, next_port, number, index: next, vc: packet.vc };
        self.layout.fill(&mut expected, &contents);
        if *flit != expected {
            let what = self.layout.difference(flit, &expected);
            return Err(format!("flit {next} of packet {number} is not as the map says: {what}"));
        }
        let beside = [("head", offered.head, next == 0), ("tail", offered.tail, next + 1 == length)];
        for (name, found, expected) in beside {
            if found.is_some_and(|found| found != expected) {
                let value = u8::from(!expected);
                return Err(format!("flit {next} of packet {number} is sent with `{name}` = {value}"));
            }
        }
        Ok(length)
    }

    /// Whether a flit is in the switch.
    pub(in super::super) fn is_inside(&self) -> bool {
        self.packets.values().any(|packet| packet.inside() > 0)
    }

    /// A packet of which no flit has gone in.
    pub(super) fn packet(&self, number: u64, (port, vc): (usize, usize), arrived: &Arrived) -> Packet {
        Packet {
            number,
            header: arrived.header,
            ways: arrived.ways.clone(),
            port,
            vc,
            entered: 0,
            grew: 0,
            order: 0,
            flits: Vec::new(),
            left: 0,
            leaving: None,
            moved: self.free,
            is_reported: false,
        }
    }
}
