//! Stage 6. Credits: the right to send one flit to one VC of the next router.

use crate::per_port::wrapped;
use crate::units::VcId;

/// The credits of one output port, per VC: places that it may take. How deep each VC is, the plan says.
///
/// Where VCs share places of their buffer, a flit in a shared place is a credit less for every VC of the port: [`Lent`](crate::lent::Lent).
#[derive(Clone, Copy, Debug)]
pub struct Credits<const V: usize> {
    left: [u16; V],
}

/// The neighbour returned more credits than it has places: `CREDIT-BOUND`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditOverflow;

impl<const V: usize> Credits<V> {
    /// All places of all VCs, `depth` each, are free.
    pub const fn full(depth: u16) -> Self {
        Self { left: [depth; V] }
    }

    /// All places of all VCs are free, as many as each has.
    pub fn of_depths(depth: impl Fn(VcId) -> u16) -> Self {
        Self { left: core::array::from_fn(|vc| depth(VcId::new(vc as u8))) }
    }

    /// Flits that a VC takes: free places that are reserved for it, and those that are shared.
    #[inline(always)]
    pub fn left(&self, vc: VcId) -> u16 {
        self.left.get(wrapped::<V>(vc.index())).copied().unwrap_or_default()
    }

    /// Places of a VC of `depth` that are in use, where VCs share none; else [`Lent`](crate::lent::Lent) has a part in it.
    #[inline(always)]
    pub fn occupancy(&self, vc: VcId, depth: u16) -> u16 {
        depth.wrapping_sub(self.left(vc))
    }

    /// Of each VC, to be changed where VCs share places.
    #[cfg(not(feature = "small"))]
    pub(crate) const fn left_mut(&mut self) -> &mut [u16; V] {
        &mut self.left
    }

    /// A flit leaves. There is a credit: `CREDIT-NO-DEBT`, checked as it leaves.
    #[inline(always)]
    pub fn take(&mut self, vc: VcId) {
        if let Some(left) = self.left.get_mut(wrapped::<V>(vc.index())) {
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
}
