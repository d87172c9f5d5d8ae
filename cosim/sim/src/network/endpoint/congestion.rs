//! Congestion control of end nodes, which are InfiniBand's channel adapters here: what they have in common, and the state of each.

use crate::scenario::{CongestionSettings, ControlKind, Scenario};
use router_core::congestion::{AdapterSettings, Entry, Table, Throttle};

/// What all nodes have in common.
#[derive(Debug)]
pub(crate) struct Adapters {
    settings: AdapterSettings,
    table: Table<Box<[Entry]>>,
    /// Flits of a notification that is a packet of its own; 0: there are none.
    pub(crate) notification_flits: u16,
    /// Whether sources listen to notifications.
    pub(crate) are_on: bool,
    /// Whether routers mark, or sources listen: results speak of it.
    pub(crate) are_counted: bool,
}

impl Adapters {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let congestion: &CongestionSettings = &scenario.congestion;
        let are_on = scenario.injection.control == ControlKind::CongestionControl;
        Self {
            settings: congestion.adapter,
            table: congestion.table(),
            notification_flits: if scenario.has_notifications() {
                congestion.notification_flits as u16
            } else {
                0
            },
            are_on,
            are_counted: scenario.has_congestion_control(),
        }
    }
}

/// A node with one service level: all its requests are held back alike.
#[derive(Debug, Clone, Default)]
pub(crate) struct Congestion {
    throttle: Throttle,
    /// The cycle in which it is woken, so that it is not woken twice.
    alarm: u64,
}

impl Congestion {
    /// The index (CCTI) in cycle `now`.
    pub(super) fn index(&self, adapters: &Adapters, now: u64) -> u16 {
        self.throttle.index(&adapters.settings, now)
    }

    pub(super) fn on_sent(&mut self, flits: u16, now: u64) {
        self.throttle.on_sent(flits, now);
    }

    pub(super) fn on_notification(&mut self, adapters: &Adapters, now: u64) {
        self.throttle.on_notification(&adapters.settings, now);
    }

    /// The first cycle in which the next request may start.
    pub(super) fn ready_at(&self, adapters: &Adapters, now: u64) -> u64 {
        self.throttle.ready_at(&adapters.settings, &adapters.table, now)
    }

    /// The cycle in which to wake the node, if that is not settled yet.
    pub(super) fn next_alarm(&mut self, adapters: &Adapters, now: u64) -> Option<u64> {
        let at = self.ready_at(adapters, now);
        let is_new = at > now && at != self.alarm;
        is_new.then(|| {
            self.alarm = at;
            at
        })
    }
}
