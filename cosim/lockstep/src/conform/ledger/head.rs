//! Heads that come out: what the scenario promises of them.

use super::super::rule::{Rule, Violation};
use super::super::site::Way;
use super::{Ledger, Seen};

impl Ledger<'_, '_> {
    /// A head leaves by a legal way: all of its packet has come in, the next buffer has the room, and the link is between packets,
    /// where the scenario promises that.
    pub(super) fn kept_promises(&mut self, seen: &Seen, number: u64, way: &Way) -> Result<(), Violation> {
        let Some(packet) = self.packets.get(&number) else { return Err(self.unknown(seen, number)) };
        let (length, came) = (packet.header.length, packet.flits.len());
        if self.promise.has_arrived() {
            let message = format!("it leaves when {came} of its {length} flits have come in");
            self.hold(Rule::AllArrived, came == usize::from(length), seen, || message)?;
        }
        if self.promise.is_by_packet() {
            let others = (0..self.site.port(seen.port).vcs).filter(|vc| *vc != seen.vc);
            let between = others.filter_map(|vc| self.owner(seen.port, vc)).next();
            let half = between.unwrap_or_default();
            let message =
                || format!("it begins on a link on which the tail of packet {half} has not come out");
            self.hold(Rule::PacketWhole, between.is_none(), seen, message)?;
        }
        let Some((credits, all)) = seen.credits else { return Ok(()) };
        let asked: Vec<_> = self.promise.room(way, self.site.port(seen.port).kind, length, all).collect();
        for (rule, room) in asked {
            let message = || {
                format!("a packet of {length} flits leaves with {credits} of {all} credits, and needs {room}")
            };
            self.hold(rule, credits >= room, seen, message)?;
        }
        Ok(())
    }

    /// Counts a look at a rule, which holds or is broken.
    fn hold(
        &mut self,
        rule: Rule,
        holds: bool,
        seen: &Seen,
        message: impl FnOnce() -> String,
    ) -> Result<(), Violation> {
        self.checks.count(rule);
        if holds {
            return Ok(());
        }
        let violation = self.broken(rule, seen, message());
        self.raise(violation)
    }
}
