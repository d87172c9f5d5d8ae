//! Injection control: when an end node may send its next request.

use super::congestion::{Adapters, Congestion};
use super::pairs::Pairs;
use super::window::Window;
use crate::scenario::{ControlKind, ControlScope, Scenario};
use crate::traffic::Generated;

/// When an end node may send its next request. Replies and notifications are never held back.
#[derive(Debug, Clone)]
pub(crate) enum InjectionControl {
    /// As soon as there is room for it at the router.
    Free,
    /// While few enough of its requests are unanswered.
    Window(Window),
    /// Behind a delay that notifications of congestion make longer.
    Congestion(Box<Congestion>),
    /// Behind such a delay, or a time-out, for each destination.
    Pairs(Box<Pairs>),
}

impl InjectionControl {
    /// As at the start of a run.
    pub(crate) fn new(scenario: &Scenario) -> Self {
        if scenario.injection.static_rate {
            return Self::Pairs(Box::default());
        }
        match (scenario.injection.control, scenario.congestion.scope) {
            (ControlKind::Free, _) => Self::Free,
            (ControlKind::Window, _) => Self::Window(Window::new(scenario.injection.window)),
            (ControlKind::CongestionControl, ControlScope::Node) => Self::Congestion(Box::default()),
            (ControlKind::CongestionControl, ControlScope::Destination) => Self::Pairs(Box::default()),
        }
    }

    /// Whether a request may be sent; with queues by destination these say which.
    #[inline(always)]
    pub(super) fn may_send(&self, adapters: &Adapters, now: u64) -> bool {
        match self {
            Self::Free | Self::Pairs(_) => true,
            Self::Window(window) => window.may_send(),
            Self::Congestion(congestion) => congestion.ready_at(adapters, now) <= now,
        }
    }

    /// The cycle in which to look again whether a request that waits may be sent, where no reply does so.
    #[inline(always)]
    pub(super) fn next_alarm(&mut self, adapters: &Adapters, now: u64) -> Option<u64> {
        match self {
            Self::Free | Self::Window(_) => None,
            Self::Congestion(congestion) => congestion.next_alarm(adapters, now),
            Self::Pairs(pairs) => pairs.next_alarm(adapters, now),
        }
    }

    /// The head of this request is on the node's wire.
    #[inline(always)]
    pub(super) fn on_sent(&mut self, request: &Generated, now: u64) {
        match self {
            Self::Free => {}
            Self::Window(window) => window.on_sent(),
            Self::Congestion(congestion) => congestion.on_sent(request.flits, now),
            Self::Pairs(pairs) => pairs.on_sent(request, now),
        }
    }

    /// The tail of a reply has come.
    pub(super) fn on_reply(&mut self) {
        if let Self::Window(window) = self {
            window.on_reply();
        }
    }

    /// The tail of a packet with a backward mark has come from node `from`: packets of this node have met congestion on their way there.
    pub(super) fn on_notification(&mut self, adapters: &Adapters, from: u32, now: u64) {
        match self {
            Self::Free | Self::Window(_) => {}
            Self::Congestion(congestion) => congestion.on_notification(adapters, now),
            Self::Pairs(pairs) => pairs.on_notification(adapters, from, now),
        }
    }

    /// The indexes of congestion control (CCTI): one, or one for each destination; none of nodes without it.
    pub(crate) fn indexes(&self, adapters: &Adapters, now: u64) -> Vec<u16> {
        match self {
            _ if !adapters.are_on => Vec::new(),
            Self::Free | Self::Window(_) => Vec::new(),
            Self::Congestion(congestion) => vec![congestion.index(adapters, now)],
            Self::Pairs(pairs) => pairs.indexes(adapters, now).collect(),
        }
    }
}
