//! Stage 6. What VCs that share places have lent each other, by their credits.
//!
//! Of the places that a VC may use some are [reserved](crate::links::Links::with_reserved) for it. A flit that finds these in use takes a shared
//! place, which is a credit less for every VC of the port. (Dynamically allocated multi-queues: Tamir and Frazier, 1992.)
//!
//! Where requests are registered, flits of other VCs may take shared places between the admission of a flit and its leaving: as many as there are
//! cycles in between, since an output sends one in each. So many of the shared places that are free are *kept* for them, and are no credit of any VC.

#[cfg(not(feature = "small"))]
use crate::credit::{CreditOverflow, Credits};
#[cfg(not(feature = "small"))]
use crate::per_port::{PerPort, wrapped};
#[cfg(not(feature = "small"))]
use crate::units::Channel;
use crate::units::{PortId, VcId};

/// Places behind each output that a VC neither uses nor has a credit for: shared ones that others use, and those that are kept. The feature
/// `small` leaves them out.
#[derive(Clone, Debug)]
pub struct Lent<const P: usize, const V: usize> {
    #[cfg(not(feature = "small"))]
    by: PerPort<[u16; V], P>,
}

/// How VCs share the places behind an output: of `depth` flits that each may have there, `reserved` are for it alone, and `kept` of those that are
/// shared are no credit of any.
#[cfg(not(feature = "small"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharing {
    pub(crate) depth: u16,
    pub(crate) reserved: u16,
    pub(crate) kept: u16,
}

impl<const P: usize, const V: usize> Lent<P, V> {
    /// None.
    pub const NONE: Self = Self {
        #[cfg(not(feature = "small"))]
        by: PerPort::filled([0; V]),
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
}

#[cfg(not(feature = "small"))]
impl Sharing {
    /// Credits of a VC that uses `used` places, where the VCs of the port use `lent` shared ones, and `kept` are no credit.
    const fn left(self, used: u16, lent: u16, kept: u16) -> u16 {
        let shared = self.depth.saturating_sub(self.reserved).saturating_sub(lent);
        self.reserved.saturating_sub(used).saturating_add(shared.saturating_sub(kept))
    }

    /// Shared places among those that a VC uses.
    const fn borrowed(self, used: u16) -> u16 {
        used.saturating_sub(self.reserved)
    }
}

#[cfg(not(feature = "small"))]
impl<const P: usize, const V: usize> Lent<P, V> {
    /// As after reset, behind a port whose VCs share places.
    pub(crate) fn begin(&mut self, credits: &mut Credits<V>, port: PortId, sharing: Sharing) {
        self.settle(credits, port, [0; V], sharing);
    }

    /// A flit has [taken](Credits::take) a credit, or a place that was kept for it.
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

    /// Credits of a VC where only `kept` of the shared places are none.
    pub(crate) fn left_with(&self, credits: &Credits<V>, to: Channel, kept: u16, sharing: Sharing) -> u16 {
        let used = self.used(credits, to.port, sharing);
        let of_vc = used.get(to.vc.index()).copied().unwrap_or_default();
        sharing.left(of_vc, lent(used, sharing), kept)
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
        let lent = lent(used, sharing);
        for ((left, by), used) in credits.left_mut().iter_mut().zip(by).zip(used) {
            *left = sharing.left(used, lent, sharing.kept);
            *by = sharing.depth.wrapping_sub(used).wrapping_sub(*left);
        }
    }
}

/// Shared places that VCs use.
#[cfg(not(feature = "small"))]
fn lent<const V: usize>(used: [u16; V], sharing: Sharing) -> u16 {
    used.into_iter().map(|used| sharing.borrowed(used)).fold(0, u16::wrapping_add)
}

#[cfg(all(test, not(feature = "small")))]
mod tests {
    use super::*;

    /// All ways of three VCs that share places, against the definition: what a VC does not use of its reserved places, and what no VC uses
    /// of the shared ones, but for those that are kept.
    #[test]
    fn shared_places_are_those_beyond_the_reserved_ones() {
        const DEPTH: u16 = 4;
        for (reserved, kept) in (1..DEPTH).flat_map(|reserved| (0..3).map(move |kept| (reserved, kept))) {
            let shared = DEPTH - reserved;
            let sharing = Sharing { depth: DEPTH, reserved, kept };
            let free =
                |used: [u16; 3]| shared - used.iter().map(|used| used.saturating_sub(reserved)).sum::<u16>();
            let left = |used: [u16; 3], vc: usize, kept| {
                reserved.saturating_sub(used[vc]) + free(used).saturating_sub(kept)
            };
            let port = PortId::new(0);
            let mut first = (Credits::<3>::full(DEPTH), Lent::<1, 3>::NONE);
            first.1.begin(&mut first.0, port, sharing);
            let mut seen = std::collections::BTreeSet::from([[0; 3]]);
            let mut ways = vec![([0; 3], first)];
            while let Some((used, (credits, lent_by))) = ways.pop() {
                for vc in 0..3 {
                    let to = Channel::new(port, VcId::new(vc as u8));
                    assert_eq!(credits.left(to.vc), left(used, vc, kept), "{used:?} of {reserved}");
                    assert_eq!(credits.occupancy(to.vc, DEPTH) - lent_by.at(port, to.vc), used[vc]);
                    for fewer in 0..=kept {
                        assert_eq!(lent_by.left_with(&credits, to, fewer, sharing), left(used, vc, fewer));
                    }
                    let (mut taken, mut given) = ((credits, lent_by.clone()), (credits, lent_by.clone()));
                    let is_given = given.1.give_back(&mut given.0, to, sharing);
                    assert_eq!(is_given.is_ok(), used[vc] > 0);
                    let mut next = used;
                    // Places that are kept are taken, too.
                    if left(used, vc, 0) > 0 {
                        taken.0.take(to.vc);
                        taken.1.lend(&mut taken.0, to, sharing);
                        next[vc] += 1;
                        if seen.insert(next) {
                            ways.push((next, taken));
                        }
                    }
                    if is_given.is_ok() {
                        next = used;
                        next[vc] -= 1;
                        let vcs = [0, 1, 2].map(|vc| given.0.left(VcId::new(vc)));
                        assert_eq!(
                            vcs,
                            [0, 1, 2].map(|vc| left(next, vc, kept)),
                            "{used:?} of {reserved}: {vc} back"
                        );
                    }
                }
            }
            assert!(seen.iter().any(|used| free(*used) == 0 && used.iter().all(|&used| used > 0)));
        }
    }
}
