//! Congestion control of end nodes, which are InfiniBand's channel adapters here: what they have in common, and the state of each.

use super::static_rates::StaticRates;
use crate::blueprint::Blueprint;
use crate::scenario::{CongestionSettings, ControlKind, ControlScope};
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
    /// The rates by which sources wait behind a packet to a slower destination, where they do.
    pub(super) static_rates: Option<StaticRates>,
    /// Whether each destination has a queue of its own at each source.
    pub(crate) are_by_destination: bool,
    /// Whether routers mark, or sources listen: results speak of it.
    pub(crate) are_counted: bool,
}

impl Adapters {
    pub(crate) fn new(blueprint: &Blueprint) -> Self {
        let scenario = blueprint.scenario();
        let static_rate = scenario.injection.static_rate;
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
            static_rates: static_rate.then(|| StaticRates::new(blueprint)),
            are_by_destination: static_rate || are_on && congestion.scope == ControlScope::Destination,
            are_counted: scenario.has_congestion_control(),
        }
    }

    /// Whether a request may wait for nothing but time.
    pub(super) fn have_alarms(&self) -> bool {
        self.are_on || self.are_by_destination
    }

    /// The index (CCTI) of a flow in cycle `now`.
    pub(super) fn index(&self, flow: &Throttle, now: u64) -> u16 {
        flow.index(&self.settings, now)
    }

    /// The first cycle in which the next request of a flow may start.
    pub(super) fn ready_at(&self, flow: &Throttle, now: u64) -> u64 {
        flow.ready_at(&self.settings, &self.table, now)
    }

    /// A notification for a flow has come.
    pub(super) fn notify(&self, flow: &mut Throttle, now: u64) {
        flow.on_notification(&self.settings, now);
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
        adapters.index(&self.throttle, now)
    }

    pub(super) fn on_sent(&mut self, flits: u16, now: u64) {
        self.throttle.on_sent(flits, now);
    }

    pub(super) fn on_notification(&mut self, adapters: &Adapters, now: u64) {
        adapters.notify(&mut self.throttle, now);
    }

    /// The first cycle in which the next request may start.
    pub(super) fn ready_at(&self, adapters: &Adapters, now: u64) -> u64 {
        adapters.ready_at(&self.throttle, now)
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
