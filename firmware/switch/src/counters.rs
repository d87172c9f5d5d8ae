//! What has happened at each port since reset.

use router_core::per_port::PerPort;
use router_core::pins::Bundle;
use router_core::units::PortId;

/// Flits and credits of one port. They stay at their highest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCounters {
    /// Flits that came.
    pub flits_in: u32,
    /// Flits that left.
    pub flits_out: u32,
    /// Credits that came.
    pub credits_in: u32,
    /// Credits that left.
    pub credits_out: u32,
}

/// The counters of all ports, and time.
#[derive(Clone, Debug, Default)]
pub struct Counters<const P: usize> {
    ports: PerPort<PortCounters, P>,
    cycles: u64,
}

impl<const P: usize> Counters<P> {
    /// Internal cycles.
    pub const fn cycles(&self) -> u64 {
        self.cycles
    }

    /// One port's.
    pub fn port(&self, port: PortId) -> PortCounters {
        self.ports.at(port)
    }

    /// All ports' together.
    pub fn total(&self) -> PortCounters {
        self.ports.iter().fold(PortCounters::default(), |sum, port| PortCounters {
            flits_in: sum.flits_in.saturating_add(port.flits_in),
            flits_out: sum.flits_out.saturating_add(port.flits_out),
            credits_in: sum.credits_in.saturating_add(port.credits_in),
            credits_out: sum.credits_out.saturating_add(port.credits_out),
        })
    }

    /// One more internal cycle.
    pub(crate) fn count(&mut self, received: &Bundle<P>, driven: &Bundle<P>) {
        self.cycles = self.cycles.wrapping_add(1);
        for port in received.busy().union(driven.busy()) {
            let (Some(counters), came, left) = (self.ports.get_mut(port), received.at(port), driven.at(port))
            else {
                continue;
            };
            let more = |count: &mut u32, one: bool| *count = count.saturating_add(one.into());
            more(&mut counters.flits_in, came.flit.is_some());
            more(&mut counters.flits_out, left.flit.is_some());
            more(&mut counters.credits_in, came.credit.is_some());
            more(&mut counters.credits_out, left.credit.is_some());
        }
    }
}
