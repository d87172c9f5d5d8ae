//! Flits that come out: each is the next one of a packet that is in the switch, as it went in, on a way that is legal.

use super::super::event::Event;
use super::super::flit::Contents;
use super::super::rule::{Rule, Violation};
use super::super::site::Way;
use super::{Departed, Ledger, Seen};

/// Packets that have left and are still known, so that a flit of theirs that comes out once more is not taken for an invented one.
const REMEMBERED: u64 = 1 << 16;

impl Ledger<'_, '_> {
    /// A flit has come out.
    pub(in super::super) fn leave(&mut self, seen: &Seen) -> Result<(), Violation> {
        let number = self.layout.number(&seen.flit);
        let index = self.layout.index(&seen.flit);
        let (cycle, port, vc) = (self.cycle, seen.port, seen.vc);
        self.events.add(Event::FlitOut { cycle, port, vc, number, index });
        self.tally.flits_out += 1;
        self.checks.count(Rule::FlitInvented);
        self.checks.count(Rule::FlitDuplicated);
        self.checks.count(Rule::FlitOrder);
        let Some(packet) = self.packets.get(&number) else {
            return Err(self.unknown(seen, number));
        };
        let due = packet.left as u64;
        if index != due {
            let (rule, what) = if index < due {
                (Rule::FlitDuplicated, "it came out before")
            } else {
                (Rule::FlitOrder, "the flits between are lost, or were overtaken")
            };
            return Err(self.broken(
                rule,
                seen,
                format!("flit {index} came where flit {due} was due: {what}"),
            ));
        }
        if packet.left >= packet.flits.len() {
            let message = format!("flit {index} came out before it went in");
            return Err(self.broken(Rule::FlitInvented, seen, message));
        }
        let way =
            if packet.left == 0 { self.leave_head(seen, number)? } else { self.leave_body(seen, number)? };
        if index == 0 {
            self.kept_promises(seen, number, &way)?;
        }
        self.intact(seen, number, way)?;
        self.depart(seen, number, way);
        Ok(())
    }

    /// A head has chosen its way: it must be a legal one.
    fn leave_head(&mut self, seen: &Seen, number: u64) -> Result<Way, Violation> {
        let Some(packet) = self.packets.get(&number) else { return Err(self.unknown(seen, number)) };
        self.checks.count(Rule::LegalPort);
        self.checks.count(Rule::LegalVc);
        self.checks.count(Rule::PacketMixed);
        self.checks.count(Rule::PacketOrder);
        let mut here = packet.ways.iter().filter(|way| way.port == seen.port).peekable();
        let legal = self.site.tell(&packet.ways);
        if here.peek().is_none() {
            let message = format!("it leaves by {}; legal: {legal}", self.site.port(seen.port));
            return Err(self.broken(Rule::LegalPort, seen, message));
        }
        let Some(way) = here.find(|way| self.site.allows(way, seen.vc)).copied() else {
            let message =
                format!("it leaves by {} VC {}; legal: {legal}", self.site.port(seen.port), seen.vc);
            return Err(self.broken(Rule::LegalVc, seen, message));
        };
        if let Some(&owner) = self.owner.get(&(seen.port, seen.vc)) {
            let message = format!("it begins in a VC in which the tail of packet {owner} has not come out");
            return Err(self.broken(Rule::PacketMixed, seen, message));
        }
        let pair = [packet.port, packet.vc, seen.port, seen.vc];
        let last = self.last.get(&pair).copied().unwrap_or(0);
        if packet.order < last {
            let message = format!(
                "it was overtaken: packet {} of its input VC left by this output VC before it, and this is packet {}",
                last, packet.order
            );
            let violation = self.broken(Rule::PacketOrder, seen, message);
            self.raise(violation)?;
            return Ok(way);
        }
        self.last.insert(pair, packet.order);
        Ok(way)
    }

    /// A later flit follows its head.
    fn leave_body(&mut self, seen: &Seen, number: u64) -> Result<Way, Violation> {
        self.checks.count(Rule::OneWay);
        self.checks.count(Rule::PacketMixed);
        let leaving = self.packets.get(&number).and_then(|packet| packet.leaving);
        match leaving {
            Some((port, vc, way)) if (port, vc) == (seen.port, seen.vc) => Ok(way),
            Some((port, vc, _)) => {
                let message = format!("its head left by {} VC {vc}", self.site.port(port));
                Err(self.broken(Rule::OneWay, seen, message))
            }
            None => Err(self.unknown(seen, number)),
        }
    }

    /// The flit is as it went in, but for what a hop changes.
    fn intact(&mut self, seen: &Seen, number: u64, way: Way) -> Result<(), Violation> {
        self.checks.count(Rule::FlitChanged);
        let Some(packet) = self.packets.get(&number) else { return Err(self.unknown(seen, number)) };
        let Some(sent) = packet.flits.get(packet.left) else { return Err(self.unknown(seen, number)) };
        let header = self.site.onward(&packet.header, seen.port, way.hop);
        let mut expected = sent.clone();
        let (index, vc) = (packet.left as u16, seen.vc);
        let next_port = self.next_port(packet);
        self.layout.fill(&mut expected, &Contents { header: &header, next_port, number, index, vc });
        if !self.layout.is_intact(&seen.flit, &expected) {
            let what = self.layout.difference(&seen.flit, &expected);
            let message =
                format!("flit {index} was changed: {what}; it is {:x}, expected {expected:x}", seen.flit);
            let violation = self.broken(Rule::FlitChanged, seen, message);
            return self.raise(violation);
        }
        if index == 0 {
            self.ahead(seen, &header)?;
        }
        let beside = [("head", seen.head, index == 0), ("tail", seen.tail, index + 1 == header.length)];
        for (name, found, expected) in beside {
            if found.is_some_and(|found| found != expected) {
                let message = format!("flit {index} came with `{name}` = {}", u8::from(!expected));
                let violation = self.broken(Rule::FlitChanged, seen, message);
                return self.raise(violation);
            }
        }
        Ok(())
    }

    /// Books a flit that is as it must be.
    fn depart(&mut self, seen: &Seen, number: u64, way: Way) {
        let Some(packet) = self.packets.get_mut(&number) else { return };
        if packet.left == 0 {
            packet.leaving = Some((seen.port, seen.vc, way));
            let since = if self.promise.has_arrived() { packet.grew } else { packet.entered };
            self.tally.head_left((packet.port, packet.vc), seen.port, self.cycle.saturating_sub(since));
            self.owner.insert((seen.port, seen.vc), number);
        }
        packet.left += 1;
        *self.tally.served.entry((packet.port, packet.vc)).or_default() += 1;
        packet.moved = self.free;
        let departed = Departed {
            cycle: self.cycle,
            number,
            index: packet.left as u64 - 1,
            port: seen.port,
            vc: seen.vc,
        };
        self.out.insert((packet.port, packet.vc), departed);
        *self.inside.entry((packet.port, packet.vc)).or_default() -= 1;
        if packet.left == usize::from(packet.header.length) {
            self.owner.remove(&(seen.port, seen.vc));
            self.packets.remove(&number);
            self.tally.packets += 1;
            self.gone.push_back((number, self.cycle));
            if self.gone.len() as u64 > (self.layout.numbers() / 4).min(REMEMBERED) {
                self.gone.pop_front();
            }
        }
    }
}
