//! The paths of a source to one destination: how often each has met congestion, how many are open, and which one a packet takes.

use crate::settings::{Settings, Visit};

/// Most paths that a source uses to a destination at a time.
pub const PATHS: usize = 4;

/// When paths open and close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PathSettings {
    /// Paths to a destination that are open at most, the shortest one included, 1…4.
    pub open_paths: u8,
    /// Notifications after which one more path is opened, 1…255.
    pub open_after: u8,
    /// Cycles between two expiries of the timer of contraction; 0: it never expires.
    pub contraction_timer: u32,
}

impl Default for PathSettings {
    fn default() -> Self {
        Self { open_paths: PATHS as u8, open_after: 1, contraction_timer: 4000 }
    }
}

impl Settings for PathSettings {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.whole("open_paths", 1..=PATHS as u8, &mut self.open_paths)?;
        visitor.whole("open_after", 1..=u8::MAX, &mut self.open_after)?;
        visitor.whole("contraction_timer", 0..=16_777_216, &mut self.contraction_timer)
    }
}

impl PathSettings {
    /// How often the timer has expired before or in cycle `now`: it runs freely from cycle 0.
    #[must_use]
    pub fn expiries(&self, now: u64) -> u64 {
        now.checked_div(self.contraction_timer.into()).unwrap_or_default()
    }
}

/// The paths of a source to one destination, by the LIDs that the subnet manager has given the destination's port.
///
/// ```text
///  notification of path i:  cn[i] := cn[i] + 1; after `open_after` of them one more path is open
///  packet:                  path i with probability (1/cn[i]) / (sum of 1/cn[j] over the open paths j)
///  timer:                   cn[i] := max(cn[i] / 2, 1); without a notification since the last expiry one path less is open
/// ```
///
/// A count is 1 at least, so that the weight 1/cn is always defined. A path that is opened starts with the lowest count of those that were
/// open: it gets as many packets as the best of them. Where a count has no room for one more, all are halved: their ratios stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PathSet {
    /// What is added to the lowest LID of the destination; the shortest path first.
    lids: [u8; PATHS],
    /// Notifications of each path, 1…255.
    counts: [u8; PATHS],
    /// Paths that there are, and those that are open, the first ones.
    paths: u8,
    open: u8,
    /// Notifications since the last path was opened.
    heard: u8,
    /// Whether there was one since the timer expired last.
    is_warned: bool,
    /// How often the timer had expired when the set was looked at last.
    expired: u64,
}

impl PathSet {
    /// With these LIDs, by what they are above the lowest one of the destination, of which the first four are kept; the first one is
    /// open. Without any, the lowest LID.
    #[must_use]
    pub fn new(lids: &[u8]) -> Self {
        let mut kept = [0; PATHS];
        kept.iter_mut().zip(lids).for_each(|(kept, &lid)| *kept = lid);
        let paths = lids.len().clamp(1, PATHS) as u8;
        Self { lids: kept, counts: [1; PATHS], paths, open: 1, heard: 0, is_warned: false, expired: 0 }
    }

    /// How many paths are open.
    #[must_use]
    pub const fn open(&self) -> u8 {
        self.open
    }

    /// The LIDs of the open paths, each with the count of its notifications.
    pub fn counts(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        self.lids.iter().copied().zip(self.counts).take(self.open.into())
    }

    /// The timer has expired so often since the source was started: for each expiry that is new, counts are halved, and a path is closed if
    /// no notification has come since the expiry before.
    ///
    /// Work: as many steps as paths are open, at most, and one for the halving, however often the timer has expired.
    pub fn expire(&mut self, expired: u64) {
        let new = expired.saturating_sub(self.expired);
        if new == 0 {
            return;
        }
        self.expired = expired;
        let by = new.min(u64::from(u8::BITS)) as u32;
        self.counts.iter_mut().for_each(|count| *count = halved(*count, by));
        let quiet = new.saturating_sub(self.is_warned.into()).min(PATHS as u64) as u8;
        self.open = self.open.saturating_sub(quiet).max(1);
        self.is_warned = false;
        self.heard = 0;
    }

    /// A notification names a path. One that is not open is ignored: it has been closed since.
    pub fn notify(&mut self, lid: u8, settings: &PathSettings) {
        let place = self.lids.iter().take(self.open.into()).position(|&other| other == lid);
        let Some(count) = place.and_then(|place| self.counts.get_mut(place)) else { return };
        match count.checked_add(1) {
            Some(more) => *count = more,
            None => {
                self.counts.iter_mut().for_each(|count| *count = halved(*count, 1));
                if let Some(count) = place.and_then(|place| self.counts.get_mut(place)) {
                    *count = count.saturating_add(1);
                }
            }
        }
        self.is_warned = true;
        self.heard = self.heard.saturating_add(1);
        if self.heard >= settings.open_after && self.open < self.paths.min(settings.open_paths) {
            self.widen();
        }
    }

    /// One more path is open.
    fn widen(&mut self) {
        let lowest = self.counts().map(|(_, count)| count).min().unwrap_or(1);
        if let Some(count) = self.counts.get_mut(usize::from(self.open)) {
            *count = lowest;
            self.open = self.open.saturating_add(1);
            self.heard = 0;
        }
    }

    /// The weight of each path, in the ratio of 1/cn: the product of the counts of the other open paths, 0 of a path that is not open.
    #[must_use]
    pub fn weights(&self) -> [u32; PATHS] {
        let mut weights = [0; PATHS];
        for (place, weight) in weights.iter_mut().enumerate().take(self.open.into()) {
            let others = self.counts().enumerate().filter(|&(other, _)| other != place);
            // Three bytes at most.
            *weight = others.fold(1u32, |product, (_, (_, count))| product.saturating_mul(count.into()));
        }
        weights
    }

    /// The LID of the path whose share of the weights `random` falls into; all values of `random` are equally likely.
    #[must_use]
    pub fn select(&self, random: u32) -> u8 {
        let weights = self.weights();
        let all = weights.iter().fold(0u64, |sum, &weight| sum.saturating_add(weight.into()));
        let drawn = all.saturating_mul(random.into()).wrapping_shr(u32::BITS);
        let mut reached = 0u64;
        let mut chosen = 0;
        for ((lid, _), weight) in self.counts().zip(weights) {
            chosen = lid;
            reached = reached.saturating_add(weight.into());
            if drawn < reached {
                break;
            }
        }
        chosen
    }
}

/// A count halved so often, 1 at least.
fn halved(count: u8, times: u32) -> u8 {
    count.checked_shr(times).unwrap_or_default().max(1)
}

#[cfg(test)]
impl PathSet {
    pub(super) fn expired(&self) -> u64 {
        self.expired
    }
    pub(super) fn warn(&mut self) {
        self.is_warned = true;
    }
}
