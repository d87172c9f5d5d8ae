//! Packets beside those of the traffic: ACKs of a routing that needs them, and questions about places on global links.

use router_core::reservation::Reservation;
use router_core::route::ugal_dragonfly::{Knowledge, UgalDragonflyScheme};

use super::model::*;

impl Scenario {
    /// Flits of what answers each packet: its reply, or the ACK that the routing needs; 0: nothing does.
    pub fn answer_flits(&self) -> u32 {
        match self.routing.scheme {
            RoutingScheme::Drb(scheme) if self.traffic.reply_flits == 0 => scheme.ack_flits.into(),
            _ => self.traffic.reply_flits,
        }
    }

    /// VCs of each port that are for ACKs alone, the lowest ones.
    #[must_use]
    pub fn ack_vcs(&self) -> u8 {
        match self.routing.scheme {
            RoutingScheme::Drb(scheme) => scheme.ack_vcs(self.topology.map_kind()),
            _ => 0,
        }
    }

    /// The places on global links, where packets ask for them by messages of one flit.
    #[must_use]
    pub fn reservation(&self) -> Option<Reservation> {
        let RoutingScheme::UgalDragonfly(UgalDragonflyScheme { knowledge, reservation, .. }) =
            self.routing.scheme
        else {
            return None;
        };
        (knowledge == Knowledge::Reservation).then_some(reservation)
    }

    /// Whether sources choose among several paths: results speak of it.
    pub fn has_paths(&self) -> bool {
        matches!(self.routing.scheme, RoutingScheme::Drb(_) | RoutingScheme::DrbInfiniBand(_))
    }
}
