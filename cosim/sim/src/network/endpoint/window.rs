//! A window: a bound on the requests of a node that have no reply yet.

/// A bound on the requests of a node that have no reply yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// Requests without a reply, at most.
    size: u32,
    unanswered: u32,
}

impl Window {
    pub(super) fn new(size: u32) -> Self {
        Self { size, unanswered: 0 }
    }

    pub(super) fn may_send(&self) -> bool {
        self.unanswered < self.size
    }

    pub(super) fn on_sent(&mut self) {
        self.unanswered += 1;
    }

    pub(super) fn on_reply(&mut self) {
        self.unanswered = self.unanswered.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_two_closes_after_two_requests_and_opens_with_a_reply() {
        let mut window = Window::new(2);
        window.on_sent();
        assert!(window.may_send());
        window.on_sent();
        assert!(!window.may_send());
        window.on_reply();
        assert!(window.may_send());
    }
}
