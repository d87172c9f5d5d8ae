//! Stage 3. Contention counters: how many packets at this router have each port as their minimal output.
//!
//! Source: Fuentes et al., IPDPS 2015; patent, example 3. A counter rises when a packet is counted (at the front
//! of its VC, or on arrival) and falls when its tail has left: `CONTENTION-EXACT`. Its minimal output is that of its shortest way on,
//! whatever misroute it has taken, and whether or not it may take it ([`Route::counted`](crate::route::Route::counted)). A packet that has
//! to leave its group after a local misroute still counts for the link to the owner of its global link.

mod late_mean;

use crate::notice::Notices;
use crate::per_port::PerPort;
use crate::units::PortId;
pub use late_mean::LateMean;

/// One counter per output port, in packets.
#[derive(Clone, Debug, Default)]
pub struct Contention<const P: usize> {
    counts: PerPort<u16, P>,
    total: u32,
    /// What counters are compared with, where that is not the mean of this cycle.
    pub late_mean: Option<LateMean>,
    /// The counters that the group has broadcast.
    pub notices: Notices<P>,
}

impl<const P: usize> Contention<P> {
    /// No packets; `is_late`: they are compared with a late mean.
    pub fn new(is_late: bool) -> Self {
        Self { late_mean: is_late.then(LateMean::default), ..Self::default() }
    }

    /// Counts a packet with this minimal port.
    #[inline(always)]
    pub fn rise(&mut self, port: PortId) {
        if let Some(count) = self.counts.get_mut(port) {
            *count = count.wrapping_add(1);
            self.total = self.total.wrapping_add(1);
        }
    }

    /// A packet that was counted at this port has left.
    #[inline(always)]
    pub fn fall(&mut self, port: PortId) {
        if let Some(count) = self.counts.get_mut(port) {
            *count = count.wrapping_sub(1);
            self.total = self.total.wrapping_sub(1);
        }
    }

    /// Packets counted at this port.
    #[inline(always)]
    pub fn at(&self, port: PortId) -> u16 {
        self.counts.at(port)
    }

    /// Packets counted at all ports together.
    #[inline(always)]
    pub const fn total(&self) -> u32 {
        self.total
    }
}
