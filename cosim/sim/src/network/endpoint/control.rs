//! Injection control: when an end node may send its next request.

use super::window::Window;
use crate::scenario::{ControlKind, InjectionSettings};

/// When an end node may send its next request. Replies are never held back.
#[derive(Debug, Clone, Copy)]
pub(crate) enum InjectionControl {
    /// As soon as there is room for it at the router.
    Free,
    /// While few enough of its requests are unanswered.
    Window(Window),
}

impl InjectionControl {
    /// As at the start of a run.
    pub(crate) fn new(settings: &InjectionSettings) -> Self {
        match settings.control {
            ControlKind::Free => Self::Free,
            ControlKind::Window => Self::Window(Window::new(settings.window)),
        }
    }

    #[inline(always)]
    pub(super) fn may_send(&self) -> bool {
        match self {
            Self::Free => true,
            Self::Window(window) => window.may_send(),
        }
    }

    /// The head of a request is on the node's wire.
    #[inline(always)]
    pub(super) fn on_sent(&mut self) {
        if let Self::Window(window) = self {
            window.on_sent();
        }
    }

    /// The tail of a reply has come.
    pub(super) fn on_reply(&mut self) {
        if let Self::Window(window) = self {
            window.on_reply();
        }
    }
}
