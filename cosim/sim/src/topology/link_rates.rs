//! Rates that single links of a file have of their own.

use super::Wiring;
use router_core::rate::Rate;

/// Flits per cycle of links that have a rate of their own.
#[derive(Debug, Clone, Default)]
pub(super) struct LinkRates {
    /// Entry `router * ports + port`; no entries where no link has one.
    of: Vec<Option<Rate>>,
    /// Whether these are the speeds of a fabric's links, which a scenario's rates take the place of.
    pub(super) are_speeds: bool,
}

impl Wiring {
    /// The rate of the link at `port` of `router`, where it has one of its own, and whether that is a fabric's speed.
    #[must_use]
    pub fn rate(&self, router: usize, port: usize) -> Option<(Rate, bool)> {
        let rate = self.rates.of.get(router * self.ports + port).copied().flatten();
        rate.map(|rate| (rate, self.rates.are_speeds))
    }

    pub(super) fn set_rate(&mut self, router: usize, port: usize, rate: Rate) {
        self.rates.of.resize(self.peers.len(), None);
        self.rates.of[router * self.ports + port] = Some(rate);
    }
}
