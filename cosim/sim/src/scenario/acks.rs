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

    /// Whether sources choose among several paths: results speak of it.
    pub fn has_paths(&self) -> bool {
        matches!(self.routing.scheme, RoutingScheme::Drb(_) | RoutingScheme::DrbInfiniBand(_))
    }
}
