//! Packets beside those of the traffic: ACKs of a routing that needs them.

use super::model::*;

impl Scenario {
    /// Flits of what answers each packet: its reply, or the ACK that the routing needs; 0: nothing does.
    pub fn answer_flits(&self) -> u32 {
        match self.routing.scheme {
            RoutingScheme::Drb(scheme) if self.traffic.reply_flits == 0 => scheme.ack_flits.into(),
            _ => self.traffic.reply_flits,
        }
    }

    /// Flits of the shortest packet.
    pub fn shortest(&self) -> u32 {
        let shortest = self.traffic.shortest();
        if self.answer_flits() == 0 { shortest } else { shortest.min(self.answer_flits()) }
    }

    /// Flits of the longest packet.
    pub fn longest(&self) -> u32 {
        self.traffic.longest().max(self.answer_flits())
    }
}
