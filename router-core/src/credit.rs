//! Stage 6. Credits: the right to send one flit to one VC of the next router.

use crate::per_port::wrapped;
use crate::units::VcId;

/// The credits of one output port, per VC: free places. All VCs of a port are equally deep, as the plan says.
///
/// Where VCs share places of their buffer, a VC has as many [reserved](crate::plan::Plan::reserved) for it; a flit that finds these in use
/// takes a shared place, which is a credit less for every VC of the port. (Dynamically allocated multi-queues: Tamir and Frazier, 1992.)
#[derive(Clone, Copy, Debug)]
pub struct Credits<const V: usize> {
    left: [u16; V],
    /// Shared places that other VCs of the port use. The feature `small` leaves shared places out.
    #[cfg(not(feature = "small"))]
    lent: [u16; V],
}

/// The neighbour returned more credits than it has places: `CREDIT-BOUND`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditOverflow;

impl<const V: usize> Credits<V> {
    /// All places of all VCs, `depth` each, are free.
    pub const fn full(depth: u16) -> Self {
        Self {
            left: [depth; V],
            #[cfg(not(feature = "small"))]
            lent: [0; V],
        }
    }

    /// Flits that a VC takes: free places that are reserved for it, and those that are shared.
    #[inline(always)]
    pub fn left(&self, vc: VcId) -> u16 {
        self.left.get(wrapped::<V>(vc.index())).copied().unwrap_or_default()
    }

    /// Places of a VC of `depth` that are in use.
    #[inline(always)]
    pub fn occupancy(&self, vc: VcId, depth: u16) -> u16 {
        depth.wrapping_sub(self.left(vc)).wrapping_sub(self.lent(vc))
    }

    /// Shared places that other VCs use.
    #[cfg(not(feature = "small"))]
    #[inline(always)]
    fn lent(&self, vc: VcId) -> u16 {
        self.lent.get(wrapped::<V>(vc.index())).copied().unwrap_or_default()
    }

    /// Shared places that other VCs use.
    #[cfg(feature = "small")]
    #[inline(always)]
    const fn lent(&self, _: VcId) -> u16 {
        0
    }

    /// A flit leaves. The allocator has seen to it that there is a credit: `CREDIT-NO-DEBT`.
    #[inline(always)]
    pub fn take(&mut self, vc: VcId) {
        if let Some(left) = self.left.get_mut(wrapped::<V>(vc.index())) {
            debug_assert!(*left > 0, "CREDIT-NO-DEBT: a flit leaves without a credit");
            *left = left.wrapping_sub(1);
        }
    }

    /// The neighbour freed a place of a VC of `depth`.
    ///
    /// # Errors
    /// When all places were free already, or there is no such VC; nothing changes.
    #[inline(always)]
    pub fn give(&mut self, vc: VcId, depth: u16) -> Result<(), CreditOverflow> {
        let left = self
            .left
            .get_mut(wrapped::<V>(vc.index()))
            .filter(|left| **left < depth)
            .ok_or(CreditOverflow)?;
        *left = left.wrapping_add(1);
        Ok(())
    }
}

/// Where VCs share places.
#[cfg(not(feature = "small"))]
impl<const V: usize> Credits<V> {
    /// A flit has [left](Credits::take) for a VC of `depth`: it is in a shared place where the `reserved` ones were in use.
    pub(crate) fn lend(&mut self, vc: VcId, depth: u16, reserved: u16) {
        if self.occupancy(vc, depth) > reserved {
            self.each_other(vc, |left, lent| (left.wrapping_sub(1), lent.wrapping_add(1)));
        }
    }

    /// The neighbour freed a place of a VC of `depth`: a shared one where more than the `reserved` ones are in use.
    ///
    /// # Errors
    /// When all places were free already, or there is no such VC; nothing changes.
    pub(crate) fn give_back(&mut self, vc: VcId, depth: u16, reserved: u16) -> Result<(), CreditOverflow> {
        let used = self.occupancy(vc, depth);
        if used == 0 {
            return Err(CreditOverflow);
        }
        let left = self.left.get_mut(vc.index()).ok_or(CreditOverflow)?;
        *left = left.wrapping_add(1);
        if used > reserved {
            self.each_other(vc, |left, lent| (left.wrapping_add(1), lent.wrapping_sub(1)));
        }
        Ok(())
    }

    /// Changes what is left for the other VCs, and what is lent by them.
    fn each_other(&mut self, vc: VcId, change: impl Fn(u16, u16) -> (u16, u16)) {
        let all = self.left.iter_mut().zip(&mut self.lent).enumerate();
        for (_, (left, lent)) in all.filter(|(other, _)| *other != vc.index()) {
            (*left, *lent) = change(*left, *lent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credit_too_many_is_refused_and_changes_nothing() {
        let mut credits = Credits::<2>::full(3);
        credits.take(VcId::new(1));
        assert_eq!(credits.occupancy(VcId::new(1), 3), 1);
        assert_eq!(credits.give(VcId::new(1), 3), Ok(()));
        assert_eq!(credits.give(VcId::new(1), 3), Err(CreditOverflow));
        assert_eq!(credits.give(VcId::new(2), 3), Err(CreditOverflow));
        assert_eq!(credits.left(VcId::new(1)), 3);
    }

    /// All ways of three VCs that share places, against the definition: what a VC does not use of its reserved places, and what no VC uses
    /// of the shared ones.
    #[cfg(not(feature = "small"))]
    #[test]
    fn shared_places_are_those_beyond_the_reserved_ones() {
        const DEPTH: u16 = 4;
        for reserved in 1..DEPTH {
            let shared = DEPTH - reserved;
            let lent = |used: [u16; 3]| used.iter().map(|used| used.saturating_sub(reserved)).sum::<u16>();
            let left = |used: [u16; 3], vc: usize| reserved.saturating_sub(used[vc]) + shared - lent(used);
            let mut seen = std::collections::BTreeSet::from([[0; 3]]);
            let mut ways = vec![([0; 3], Credits::<3>::full(DEPTH))];
            while let Some((used, credits)) = ways.pop() {
                for vc in 0..3 {
                    let id = VcId::new(vc as u8);
                    assert_eq!(credits.left(id), left(used, vc), "{used:?} of {reserved}");
                    assert_eq!(credits.occupancy(id, DEPTH), used[vc]);
                    let (mut taken, mut given) = (credits, credits);
                    let is_given = given.give_back(id, DEPTH, reserved);
                    assert_eq!(is_given.is_ok(), used[vc] > 0);
                    let mut next = used;
                    if left(used, vc) > 0 {
                        taken.take(id);
                        taken.lend(id, DEPTH, reserved);
                        next[vc] += 1;
                        if seen.insert(next) {
                            ways.push((next, taken));
                        }
                    }
                    if is_given.is_ok() {
                        next = used;
                        next[vc] -= 1;
                        let vcs = [0, 1, 2].map(|vc| given.left(VcId::new(vc)));
                        assert_eq!(
                            vcs,
                            [0, 1, 2].map(|vc| left(next, vc)),
                            "{used:?} of {reserved}: {vc} back"
                        );
                    }
                }
            }
            assert!(seen.iter().any(|used| lent(*used) == shared && used.iter().all(|&used| used > 0)));
        }
    }
}
