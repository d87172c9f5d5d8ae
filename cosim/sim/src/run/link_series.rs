//! What each link carries in each window of a fixed number of cycles, around the cycle in which a pattern switches.

use crate::network::Network;
use crate::scenario::Pattern;
use crate::scenario::Scenario;
use crate::summary::LinkWindow;
use router_core::units::Bits;

/// The windows so far, and the one that is open.
#[derive(Debug)]
pub(super) struct LinkSeries {
    width: u64,
    /// The cycle of the switch, in which a window begins.
    origin: u64,
    /// Flits of the open window, and of the network's counters when they were last read.
    open: Vec<u32>,
    read: Vec<u32>,
    windows: Vec<LinkWindow>,
}

impl LinkSeries {
    /// That of a run with details whose pattern switches.
    pub(super) fn of(scenario: &Scenario) -> Option<Self> {
        let Pattern::SwitchAt { cycle: origin, .. } = scenario.traffic.pattern else { return None };
        let (width, read, open, windows) = (scenario.run.window_cycles, Vec::new(), Vec::new(), Vec::new());
        scenario.run.details.then_some(Self { width, origin, open, read, windows })
    }

    /// The end of the window in which a cycle is.
    pub(super) fn end(&self, cycle: u64) -> u64 {
        let into = (cycle + self.width - self.origin % self.width) % self.width;
        cycle + self.width - into
    }

    /// Reads the counters; `resets`: they begin at 0 again.
    pub(super) fn read<const P: usize, const V: usize, R, B: Bits>(
        &mut self,
        network: &Network<'_, P, V, R, B>,
        resets: bool,
    ) {
        let carried: Vec<u32> = network.carried().into_iter().map(|link| link.flits).collect();
        self.open.resize(carried.len(), 0);
        self.read.resize(carried.len(), 0);
        for ((open, read), now) in self.open.iter_mut().zip(&self.read).zip(&carried) {
            *open += now - read;
        }
        self.read = if resets { Vec::new() } else { carried };
    }

    /// The open window ends with the cycle before this one. The first one may have begun with the run.
    pub(super) fn close(&mut self, cycle: u64) {
        let start = cycle as i64 - self.width as i64 - self.origin as i64;
        let flits = std::mem::take(&mut self.open);
        self.windows.push(LinkWindow { start, cycles: self.width.min(cycle), flits });
    }

    pub(super) fn into_windows(self) -> Vec<LinkWindow> {
        self.windows
    }
}
