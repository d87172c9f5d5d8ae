//! Whether ticks come in time.

/// A clock, in any unit. It may wrap.
pub trait Clock {
    /// What it shows.
    fn now(&self) -> u32;
}

impl<F: Fn() -> u32> Clock for F {
    fn now(&self) -> u32 {
        self()
    }
}

/// Ticks against a budget: the longest time from one to the next. What was missed is not made up.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    budget: u32,
    last: Option<u32>,
    longest: u32,
    late: u32,
}

impl Pace {
    /// No tick so far.
    #[must_use]
    pub const fn new(budget: u32) -> Self {
        Self { budget, last: None, longest: 0, late: 0 }
    }

    /// A tick, at a reading of the clock. Says how long it took from the one before, if that was too long.
    pub const fn tick(&mut self, now: u32) -> Option<u32> {
        let Some(last) = self.last.replace(now) else { return None };
        let took = now.wrapping_sub(last);
        if took > self.longest {
            self.longest = took;
        }
        if took <= self.budget {
            return None;
        }
        self.late = self.late.saturating_add(1);
        Some(took)
    }

    /// The owner pauses: the time until the next tick does not count.
    pub const fn pause(&mut self) {
        self.last = None;
    }

    /// The budget.
    #[must_use]
    pub const fn budget(&self) -> u32 {
        self.budget
    }

    /// The longest time from one tick to the next.
    #[must_use]
    pub const fn longest(&self) -> u32 {
        self.longest
    }

    /// Ticks that were late.
    #[must_use]
    pub const fn late(&self) -> u32 {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_tick_is_counted_with_its_time_and_a_pause_is_not() {
        let mut pace = Pace::new(10);
        // The first one, one in time, one late; the clock wraps on the way.
        let times = [u32::MAX - 5, 4, 15, 25];
        assert_eq!(times.map(|now| pace.tick(now)), [None, None, Some(11), None]);
        pace.pause();
        assert_eq!(pace.tick(1_000_000), None);
        assert_eq!((pace.late(), pace.longest(), pace.budget()), (1, 11, 10));
    }
}
