//! Wakes each node in the cycle in which it generates its next packet.

/// Cycles that one turn of the wheel covers. Later alarms stay in their place for more than one turn.
const TURN: u64 = 1024;

/// One alarm per node at most, kept by cycle.
#[derive(Debug, Clone)]
pub(crate) struct Alarm {
    places: Vec<Vec<(u64, u32)>>,
}

impl Alarm {
    pub(crate) fn new() -> Self {
        Self { places: vec![Vec::new(); TURN as usize] }
    }

    /// Wakes `node` in cycle `at`.
    #[inline]
    pub(crate) fn set(&mut self, at: u64, node: u32) {
        self.places[(at % TURN) as usize].push((at, node));
    }

    /// Calls `wake` for each node whose cycle is `now`.
    #[inline]
    pub(crate) fn ring(&mut self, now: u64, mut wake: impl FnMut(u32)) {
        self.places[(now % TURN) as usize].retain(|&(at, node)| {
            if at <= now {
                wake(node);
            }
            at > now
        });
    }
}
