//! Injection control: when an end node may send its next request.

use super::congestion::{Adapters, Congestion};
use super::window::Window;
use crate::scenario::{ControlKind, InjectionSettings};

/// When an end node may send its next request. Replies and notifications are never held back.
#[derive(Debug, Clone)]
pub(crate) enum InjectionControl {
    /// As soon as there is room for it at the router.
    Free,
    /// While few enough of its requests are unanswered.
    Window(Window),
    /// Behind a delay that notifications of congestion make longer.
    Congestion(Box<Congestion>),
}

impl InjectionControl {
    /// As at the start of a run.
    pub(crate) fn new(settings: &InjectionSettings) -> Self {
        match settings.control {
            ControlKind::Free => Self::Free,
            ControlKind::Window => Self::Window(Window::new(settings.window)),
            ControlKind::CongestionControl => Self::Congestion(Box::default()),
        }
    }

    #[inline(always)]
    pub(super) fn may_send(&self, adapters: &Adapters, now: u64) -> bool {
        match self {
            Self::Free => true,
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
        }
    }

    /// The head of a request of so many flits is on the node's wire.
    #[inline(always)]
    pub(super) fn on_sent(&mut self, flits: u16, now: u64) {
        match self {
            Self::Free => {}
            Self::Window(window) => window.on_sent(),
            Self::Congestion(congestion) => congestion.on_sent(flits, now),
        }
    }

    /// The tail of a reply has come.
    pub(super) fn on_reply(&mut self) {
        if let Self::Window(window) = self {
            window.on_reply();
        }
    }

    /// The tail of a packet with a backward mark has come: packets of this node have met congestion.
    pub(super) fn on_notification(&mut self, adapters: &Adapters, now: u64) {
        if let Self::Congestion(congestion) = self {
            congestion.on_notification(adapters, now);
        }
    }

    /// The index of congestion control (CCTI); `None` for nodes without it.
    pub(crate) fn index(&self, adapters: &Adapters, now: u64) -> Option<u16> {
        match self {
            Self::Free | Self::Window(_) => None,
            Self::Congestion(congestion) => Some(congestion.index(adapters, now)),
        }
    }
}
