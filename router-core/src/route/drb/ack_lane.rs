//! The VCs of ACKs: the lowest of each port, of which one is on a mesh and two are on a torus, round each ring one on either side of the
//! dateline.
//!
//! An ACK goes by the canonical path, in dimension order, on these VCs alone; no other packet takes them. So neither class waits for a VC of
//! the other, and an ACK waits for other ACKs at most, and for the flit that is on its way.

use super::Drb;
use crate::drb::Network;
use crate::header::Header;
use crate::route::dimension_order::DimensionOrder;
use crate::route::{Arrival, Candidates, Full, Here, Route as _, consume};
use crate::units::{PortClass, VcId, VcSet};

/// The service level of an ACK that has VCs of its own. That of other packets is 0.
pub const ACK_LEVEL: u8 = 1;

impl Drb<'_> {
    /// Whether a packet goes by the VCs of ACKs.
    pub(super) const fn is_ack(&self, header: &Header) -> bool {
        self.ack_vcs > 0 && header.carried.level() == ACK_LEVEL
    }

    /// The others: their VCs are counted from 0.
    const fn without_acks(&self) -> Self {
        Self { vcs: self.vcs.saturating_sub(self.ack_vcs), ack_vcs: 0, ..*self }
    }

    /// The candidates of a packet where ACKs have VCs of their own.
    pub(super) fn offer_apart(
        &self,
        here: &Here,
        from: Arrival,
        header: &Header,
    ) -> Result<Candidates, Full> {
        if !self.is_ack(header) {
            let number = from.vc.number().saturating_sub(self.ack_vcs);
            let from = Arrival { vc: VcId::new(number), ..from };
            let offered = self.without_acks().offer(here, from, header)?;
            let vcs = offered.all_vcs().bits().wrapping_shl(self.ack_vcs.into());
            return Ok(Candidates::minimal(offered.ports(), VcSet::from_bits(vcs)));
        }
        let own = VcSet::first_n(self.ack_vcs.into());
        let Network::Grid(grid) = self.network else { return Ok(Candidates::default()) };
        let hop = DimensionOrder { grid, vcs: self.ack_vcs }.hop(here, from, header.to.router, 0);
        Ok(match hop {
            Some((ports, vcs)) => Candidates::minimal(ports, vcs),
            None => Candidates::minimal(consume(here, header.to).ports(), own),
        })
    }

    /// Whether a packet is on a VC of its kind; of others than ACKs, on one that leaves enough for the steps ahead.
    pub(super) fn keeps_apart(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        let number = from.vc.number();
        if self.is_ack(header) || number < self.ack_vcs {
            return self.is_ack(header) == (number < self.ack_vcs);
        }
        let vc = VcId::new(number.saturating_sub(self.ack_vcs));
        from.kind == PortClass::NODE || self.without_acks().keeps_order(here, Arrival { vc, ..from }, header)
    }
}
