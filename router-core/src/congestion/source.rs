//! The index of a flow (CCTI): up with each notification, down with the timer, and when the next packet may be sent.

use super::table::{Entry, Table};
use crate::settings::{Settings, Visit};

/// What the congestion control manager sets in an adapter for a service level (CACongestionSetting, CongestionControlTable).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AdapterSettings {
    /// By how much a notification raises the index (CCTI_Increase), 0…255.
    pub increase: u8,
    /// The highest index (CCTI_Limit), 0…65535.
    pub limit: u16,
    /// The lowest index (CCTI_Min), 0…255. Above 0 it is a static rate control.
    pub min: u8,
    /// Cycles between two falls of the index by 1 (CCTI_Timer, there in units of 1.024 µs); 0: it never falls.
    pub timer: u32,
}

impl Default for AdapterSettings {
    fn default() -> Self {
        Self { increase: 1, limit: 127, min: 0, timer: 300 }
    }
}

impl Settings for AdapterSettings {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("ccti_increase", 0..=u8::MAX, &mut self.increase)?;
        visitor.whole("ccti_limit", 0..=u16::MAX, &mut self.limit)?;
        visitor.whole("ccti_min", 0..=u8::MAX, &mut self.min)?;
        visitor.whole("ccti_timer", 0..=16_777_216, &mut self.timer)
    }
}

impl AdapterSettings {
    /// The lowest index, not above the highest.
    fn floor(&self) -> u16 {
        self.limit.min(self.min.into())
    }

    /// How often the timer has expired before or in cycle `now`: it runs freely from cycle 0, whatever a flow does.
    fn expired(&self, now: u64) -> u64 {
        now.checked_div(self.timer.into()).unwrap_or_default()
    }

    /// The cycle in which the timer expires for the `nth` time.
    fn expiry(&self, nth: u64) -> u64 {
        if self.timer == 0 { u64::MAX } else { nth.saturating_mul(self.timer.into()) }
    }
}

/// The state of one flow at its source. Times are cycles of the node's link, one flit each; they never go back.
///
/// ```text
///  notification: index := min(index + CCTI_Increase, CCTI_Limit)
///  timer:        index := max(index - 1, CCTI_Min)
///  next packet:  not before (head of the last one) + (its flits) + delay(CCT[index])
/// ```
///
/// The index is looked at when a packet wants to start: what the timer does while it waits shortens its delay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Throttle {
    /// The index when the timer had expired so often.
    index: u16,
    expired: u64,
    /// The cycle from which on the link is free of the last packet, and its flits.
    free_at: u64,
    length: u16,
}

impl Throttle {
    /// The index (CCTI) in cycle `now`.
    pub fn index(&self, settings: &AdapterSettings, now: u64) -> u16 {
        let fallen = settings.expired(now).saturating_sub(self.expired);
        let fallen = fallen.min(u16::MAX.into()) as u16;
        self.index.saturating_sub(fallen).max(settings.floor())
    }

    /// A notification (BECN) has come in cycle `now`.
    pub fn on_notification(&mut self, settings: &AdapterSettings, now: u64) {
        let raised = self.index(settings, now).saturating_add(settings.increase.into());
        self.index = raised.min(settings.limit);
        self.expired = settings.expired(now);
    }

    /// The head of a packet of `length` flits is sent in cycle `now`.
    pub fn on_sent(&mut self, length: u16, now: u64) {
        self.free_at = now.saturating_add(length.into());
        self.length = length;
    }

    /// The first cycle, `now` at the earliest, in which the next packet may start if no further notification comes.
    ///
    /// Work: one step for each expiry of the timer until then, at most as many as the index is above the lowest.
    pub fn ready_at<S: AsRef<[Entry]>>(&self, settings: &AdapterSettings, table: &Table<S>, now: u64) -> u64 {
        let mut index = self.index(settings, now);
        let mut expired = settings.expired(now);
        let mut from = now;
        loop {
            let delay = table.entry(index).delay(self.length);
            let ready = self.free_at.saturating_add(delay.into()).max(from);
            expired = expired.saturating_add(1);
            let expiry = settings.expiry(expired);
            if index <= settings.floor() || ready <= expiry {
                return ready;
            }
            index = index.saturating_sub(1);
            from = expiry;
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn linear() -> Table<Vec<Entry>> {
        Table::new((0..128).map(|n| Entry::new(n, 0)).collect()).unwrap()
    }

    #[test]
    fn notifications_raise_the_index_to_its_limit_and_the_timer_lowers_it_to_its_minimum() {
        let settings = AdapterSettings { increase: 3, limit: 7, min: 2, timer: 100 };
        let mut flow = Throttle::default();
        assert_eq!(flow.index(&settings, 0), 2);
        flow.on_notification(&settings, 10);
        assert_eq!((flow.index(&settings, 99), flow.index(&settings, 100)), (5, 4));
        flow.on_notification(&settings, 100);
        flow.on_notification(&settings, 101);
        assert_eq!((flow.index(&settings, 199), flow.index(&settings, 200)), (7, 6));
        assert_eq!((flow.index(&settings, 600), flow.index(&settings, 1 << 40)), (2, 2));
        let never = AdapterSettings { timer: 0, ..settings };
        assert_eq!(flow.index(&never, 1 << 40), 7);
    }

    #[test]
    fn the_delay_is_that_of_the_table_and_the_last_packet() {
        let settings = AdapterSettings { increase: 4, limit: 127, min: 0, timer: 1000 };
        let mut flow = Throttle::default();
        flow.on_sent(8, 20);
        assert_eq!(flow.ready_at(&settings, &linear(), 21), 28, "index 0: at the rate of the link");
        flow.on_notification(&settings, 22);
        assert_eq!(flow.ready_at(&settings, &linear(), 23), 28 + 4 * 8);
        assert_eq!(flow.ready_at(&settings, &linear(), 77), 77, "that was long ago");
        // Index 4 until cycle 1000, then 3: before that 998 + 32, from then on 998 + 24.
        flow.on_sent(8, 990);
        assert_eq!(flow.ready_at(&settings, &linear(), 991), 998 + 24);
        // Its delay at index 3 ends before the timer expires, at which the packet starts.
        flow.on_sent(8, 963);
        assert_eq!(flow.ready_at(&settings, &linear(), 964), 1000);
    }

    proptest! {
        /// Against the rule, cycle by cycle.
        #[test]
        fn ready_at_is_the_first_cycle_in_which_the_delay_is_over(
            increase in 0u8..9, limit in 0u16..40, min in 0u8..4, timer in 0u32..60,
            notifications in proptest::collection::vec(0u64..300, 0..12), length in 1u16..20, sent in 0u64..300, ahead in 0u64..40,
        ) {
            let settings = AdapterSettings { increase, limit, min, timer };
            let (table, mut notifications) = (linear(), notifications);
            notifications.sort_unstable();
            let (mut flow, floor) = (Throttle::default(), u16::from(min).min(limit));
            let mut index = floor;
            let mut indexes = Vec::new();
            for now in 0..40_000u64 {
                if timer > 0 && now > 0 && now % u64::from(timer) == 0 {
                    index = index.saturating_sub(1).max(floor);
                }
                for _ in notifications.iter().filter(|&&at| at == now) {
                    flow.on_notification(&settings, now);
                    index = (index + u16::from(increase)).min(limit);
                }
                if now == sent {
                    flow.on_sent(length, now);
                }
                prop_assert_eq!(flow.index(&settings, now), index);
                indexes.push(index);
                if now > sent.max(300) + 2_500 { break; }
            }
            // Beyond the last notification the future is known.
            let now = 300 + ahead;
            let rule = |at: u64| at >= sent + u64::from(length) + u64::from(table.entry(indexes[at as usize]).delay(length));
            let first = (now..now + 2_000).find(|&at| rule(at));
            prop_assert_eq!(Some(flow.ready_at(&settings, &table, now)), first);
        }
    }
}
