//! Stage 6. What VCs that share places have lent each other, by their credits.
//!
//! Of the places that a VC may use some are [reserved](crate::links::Links::with_reserved) for it. A flit that finds these in use takes a shared
//! place, which is a credit less for every VC of the port. (Dynamically allocated multi-queues: Tamir and Frazier, 1992.)
//!
//! Where requests are registered, flits of other VCs may take shared places between the admission of a flit and its leaving: as many as there are
//! cycles in between, since an output sends one in each. A flit is admitted where a place is left when so many shared ones are subtracted.

#[cfg(not(feature = "small"))]
use crate::credit::{CreditOverflow, Credits};
#[cfg(not(feature = "small"))]
use crate::per_port::{PerPort, wrapped};
#[cfg(not(feature = "small"))]
use crate::units::Channel;
use crate::units::{PortId, VcId};

/// Places behind each output that a VC neither uses nor has a credit for: shared ones that others use. The feature `small` leaves them out.
#[derive(Clone, Debug)]
pub struct Lent<const P: usize, const V: usize> {
    #[cfg(not(feature = "small"))]
    by: PerPort<[u16; V], P>,
    #[cfg(not(feature = "small"))]
    ahead: u16,
}

/// How VCs share the places behind an output: of `depth` flits that each may have there, `reserved` are for it alone.
#[cfg(not(feature = "small"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharing {
    pub(crate) depth: u16,
    pub(crate) reserved: u16,
}

/// Free places behind an output that a VC may take: its own, and those that it shares with the others of the port.
#[cfg(not(feature = "small"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    own: u16,
    shared: u16,
}

#[cfg(not(feature = "small"))]
impl Places {
    /// Those that are left behind `before` flits of other VCs.
    #[inline(always)]
    pub(crate) const fn left(self, before: u16) -> u16 {
        self.own.saturating_add(self.shared.saturating_sub(before))
    }
}

impl<const P: usize, const V: usize> Lent<P, V> {
    /// None, and no VCs that share places.
    pub const NONE: Self = Self {
        #[cfg(not(feature = "small"))]
        by: PerPort::filled([0; V]),
        #[cfg(not(feature = "small"))]
        ahead: 0,
    };

    /// Those of one VC.
    #[inline(always)]
    pub fn at(&self, port: PortId, vc: VcId) -> u16 {
        #[cfg(not(feature = "small"))]
        return self
            .by
            .get(port)
            .and_then(|by| by.get(wrapped::<V>(vc.index())))
            .copied()
            .unwrap_or_default();
        #[cfg(feature = "small")]
        {
            let _ = (port, vc);
            0
        }
    }

    /// Flits of other VCs that may take shared places between the admission of a flit and its leaving; 0 where no VCs share places.
    #[cfg(not(feature = "small"))]
    #[inline(always)]
    pub(crate) const fn ahead(&self) -> u16 {
        self.ahead
    }
}

#[cfg(not(feature = "small"))]
impl Sharing {
    /// What a VC that uses `used` places may take, where the VCs of the port use `lent` shared ones.
    const fn places(self, used: u16, lent: u16) -> Places {
        let shared = self.depth.saturating_sub(self.reserved);
        Places { own: self.reserved.saturating_sub(used), shared: shared.saturating_sub(lent) }
    }

    /// Shared places that VCs use.
    fn lent<const V: usize>(self, used: [u16; V]) -> u16 {
        used.into_iter().map(|used| used.saturating_sub(self.reserved)).fold(0, u16::wrapping_add)
    }
}

#[cfg(not(feature = "small"))]
impl<const P: usize, const V: usize> Lent<P, V> {
    /// None, where VCs share places and so many flits may go ahead of one that is admitted.
    pub(crate) const fn with_ahead(ahead: u16) -> Self {
        Self { ahead, ..Self::NONE }
    }

    /// A flit has [taken](Credits::take) a credit.
    pub(crate) fn lend(&mut self, credits: &mut Credits<V>, to: Channel, sharing: Sharing) {
        let used = self.used(credits, to.port, sharing);
        self.settle(credits, to.port, used, sharing);
    }

    /// The neighbour freed a place.
    ///
    /// # Errors
    /// When all places were free already, or there is no such VC; nothing changes.
    pub(crate) fn give_back(
        &mut self,
        credits: &mut Credits<V>,
        to: Channel,
        sharing: Sharing,
    ) -> Result<(), CreditOverflow> {
        let mut used = self.used(credits, to.port, sharing);
        let of_vc = used.get_mut(to.vc.index()).filter(|used| **used > 0).ok_or(CreditOverflow)?;
        *of_vc = of_vc.wrapping_sub(1);
        self.settle(credits, to.port, used, sharing);
        Ok(())
    }

    /// What a VC may take.
    pub(crate) fn places(&self, credits: &Credits<V>, to: Channel, sharing: Sharing) -> Places {
        self.places_before(None, credits, to, sharing)
    }

    /// What a VC might take before a flit left by the port for VC `sent`.
    pub(crate) fn places_before(
        &self,
        sent: Option<VcId>,
        credits: &Credits<V>,
        to: Channel,
        sharing: Sharing,
    ) -> Places {
        let mut used = self.used(credits, to.port, sharing);
        if let Some(used) = sent.and_then(|vc| used.get_mut(vc.index())) {
            *used = used.wrapping_sub(1);
        }
        sharing.places(used.get(to.vc.index()).copied().unwrap_or_default(), sharing.lent(used))
    }

    /// Places that the VCs behind a port use.
    fn used(&self, credits: &Credits<V>, port: PortId, Sharing { depth, .. }: Sharing) -> [u16; V] {
        core::array::from_fn(|vc| {
            let vc = VcId::new(vc as u8);
            credits.occupancy(vc, depth).wrapping_sub(self.at(port, vc))
        })
    }

    /// What each VC has left by what they use.
    fn settle(&mut self, credits: &mut Credits<V>, port: PortId, used: [u16; V], sharing: Sharing) {
        let Some(by) = self.by.get_mut(port) else { return };
        let lent = sharing.lent(used);
        for ((left, by), used) in credits.left_mut().iter_mut().zip(by).zip(used) {
            *left = sharing.places(used, lent).left(0);
            *by = sharing.depth.wrapping_sub(used).wrapping_sub(*left);
        }
    }
}

#[cfg(all(test, not(feature = "small")))]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    const DEPTH: u16 = 4;
    const PORT: PortId = PortId::new(0);

    /// Credits of three VCs with what they have lent each other, and the places that they use.
    #[derive(Clone)]
    struct Way {
        used: [u16; 3],
        credits: Credits<3>,
        lent: Lent<1, 3>,
    }

    fn to(vc: usize) -> Channel {
        Channel::new(PORT, VcId::new(vc as u8))
    }

    /// By the definition: what a VC does not use of its reserved places, and what no VC uses of the shared ones, but for those that `before`
    /// flits take.
    fn left(reserved: u16, used: [u16; 3], vc: usize, before: u16) -> u16 {
        let lent: u16 = used.iter().map(|used| used.saturating_sub(reserved)).sum();
        reserved.saturating_sub(used[vc]) + (DEPTH - reserved - lent).saturating_sub(before)
    }

    impl Way {
        fn check(&self, sharing: Sharing) {
            for vc in 0..3 {
                let (by_definition, to) = (|before| left(sharing.reserved, self.used, vc, before), to(vc));
                assert_eq!(self.credits.left(to.vc), by_definition(0), "{:?} of {sharing:?}", self.used);
                assert_eq!(self.credits.occupancy(to.vc, DEPTH) - self.lent.at(PORT, to.vc), self.used[vc]);
                for before in 0..DEPTH {
                    let left = self.lent.places(&self.credits, to, sharing).left(before);
                    assert_eq!(left, by_definition(before), "{:?} of {sharing:?}", self.used);
                }
            }
        }

        /// A flit leaves for a VC that has a credit.
        fn sent(&self, vc: usize, sharing: Sharing) -> Option<Self> {
            let mut next = self.clone();
            if next.credits.left(to(vc).vc) == 0 {
                return None;
            }
            next.credits.take(to(vc).vc);
            next.lent.lend(&mut next.credits, to(vc), sharing);
            next.used[vc] += 1;
            for of in 0..3 {
                let before = next.lent.places_before(Some(to(vc).vc), &next.credits, to(of), sharing).left(0);
                assert_eq!(before, left(sharing.reserved, self.used, of, 0), "{:?}: {vc} sent", self.used);
            }
            Some(next)
        }

        /// A place of a VC becomes free.
        fn freed(&self, vc: usize, sharing: Sharing) -> Option<Self> {
            let mut next = self.clone();
            let given = next.lent.give_back(&mut next.credits, to(vc), sharing);
            assert_eq!(given.is_ok(), self.used[vc] > 0);
            given.ok()?;
            next.used[vc] -= 1;
            Some(next)
        }
    }

    /// All ways of three VCs that share places.
    #[test]
    fn shared_places_are_those_beyond_the_reserved_ones() {
        for reserved in 1..DEPTH {
            let sharing = Sharing { depth: DEPTH, reserved };
            let first = Way { used: [0; 3], credits: Credits::full(DEPTH), lent: Lent::with_ahead(1) };
            let mut seen = std::collections::BTreeSet::from([[0; 3]]);
            let mut ways = vec![first];
            while let Some(way) = ways.pop() {
                way.check(sharing);
                for next in (0..3).flat_map(|vc| [way.sent(vc, sharing), way.freed(vc, sharing)]).flatten() {
                    if seen.insert(next.used) {
                        ways.push(next);
                    } else {
                        next.check(sharing);
                    }
                }
            }
            let all_lent = |used: &[u16; 3]| (0..3).all(|vc| left(reserved, *used, vc, 0) == 0);
            assert!(seen.iter().any(all_lent), "{reserved}");
        }
    }
}
