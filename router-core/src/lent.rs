//! Stage 6. What VCs that share places have lent each other, by their credits.
//!
//! Of the places that a VC may use some are [reserved](crate::links::Links::with_reserved) for it. A flit that finds these in use takes a shared
//! place, which is a credit less for every VC of the port. (Dynamically allocated multi-queues: Tamir and Frazier, 1992.)

#[cfg(not(feature = "small"))]
use crate::credit::{CreditOverflow, Credits};
#[cfg(not(feature = "small"))]
use crate::per_port::{PerPort, wrapped};
#[cfg(not(feature = "small"))]
use crate::units::Channel;
use crate::units::{PortId, VcId};

/// Shared places behind each output that, for each VC, other VCs use. The feature `small` leaves them out.
#[derive(Clone, Debug)]
pub struct Lent<const P: usize, const V: usize> {
    #[cfg(not(feature = "small"))]
    by: PerPort<[u16; V], P>,
}

impl<const P: usize, const V: usize> Lent<P, V> {
    /// None.
    pub const NONE: Self = Self {
        #[cfg(not(feature = "small"))]
        by: PerPort::filled([0; V]),
    };

    /// Those that other VCs than this one use.
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

/// Where VCs share places: of `depth` that a VC may use, `reserved` are kept for it.
#[cfg(not(feature = "small"))]
impl<const P: usize, const V: usize> Lent<P, V> {
    /// A flit has [taken](Credits::take) a credit: its place is a shared one where the reserved ones were in use.
    pub(crate) fn lend(&mut self, credits: &mut Credits<V>, to: Channel, (depth, reserved): (u16, u16)) {
        if credits.occupancy(to.vc, depth).wrapping_sub(self.at(to.port, to.vc)) > reserved {
            self.each_other(credits, to, |left, lent| (left.wrapping_sub(1), lent.wrapping_add(1)));
        }
    }

    /// The neighbour freed a place: a shared one where more than the reserved ones are in use.
    ///
    /// # Errors
    /// When all places were free already, or there is no such VC; nothing changes.
    pub(crate) fn give_back(
        &mut self,
        credits: &mut Credits<V>,
        to: Channel,
        (depth, reserved): (u16, u16),
    ) -> Result<(), CreditOverflow> {
        let used = credits.occupancy(to.vc, depth).wrapping_sub(self.at(to.port, to.vc));
        if used == 0 {
            return Err(CreditOverflow);
        }
        let left = credits.left_mut().get_mut(to.vc.index()).ok_or(CreditOverflow)?;
        *left = left.wrapping_add(1);
        if used > reserved {
            self.each_other(credits, to, |left, lent| (left.wrapping_add(1), lent.wrapping_sub(1)));
        }
        Ok(())
    }

    /// Changes what is left for the other VCs, and what is lent by them.
    fn each_other(&mut self, credits: &mut Credits<V>, to: Channel, change: impl Fn(u16, u16) -> (u16, u16)) {
        let Some(by) = self.by.get_mut(to.port) else { return };
        let all = credits.left_mut().iter_mut().zip(by).enumerate();
        for (_, (left, lent)) in all.filter(|(other, _)| *other != to.vc.index()) {
            (*left, *lent) = change(*left, *lent);
        }
    }
}

#[cfg(all(test, not(feature = "small")))]
mod tests {
    use super::*;

    /// All ways of three VCs that share places, against the definition: what a VC does not use of its reserved places, and what no VC uses
    /// of the shared ones.
    #[test]
    fn shared_places_are_those_beyond_the_reserved_ones() {
        const DEPTH: u16 = 4;
        for reserved in 1..DEPTH {
            let shared = DEPTH - reserved;
            let lent = |used: [u16; 3]| used.iter().map(|used| used.saturating_sub(reserved)).sum::<u16>();
            let left = |used: [u16; 3], vc: usize| reserved.saturating_sub(used[vc]) + shared - lent(used);
            let mut seen = std::collections::BTreeSet::from([[0; 3]]);
            let mut ways = vec![([0; 3], Credits::<3>::full(DEPTH), Lent::<1, 3>::NONE)];
            while let Some((used, credits, lent_by)) = ways.pop() {
                for vc in 0..3 {
                    let (id, port, sizes) = (VcId::new(vc as u8), PortId::new(0), (DEPTH, reserved));
                    assert_eq!(credits.left(id), left(used, vc), "{used:?} of {reserved}");
                    assert_eq!(credits.occupancy(id, DEPTH) - lent_by.at(port, id), used[vc]);
                    let (mut taken, mut given) = ((credits, lent_by.clone()), (credits, lent_by.clone()));
                    let is_given = given.1.give_back(&mut given.0, Channel::new(port, id), sizes);
                    assert_eq!(is_given.is_ok(), used[vc] > 0);
                    let mut next = used;
                    if left(used, vc) > 0 {
                        taken.0.take(id);
                        taken.1.lend(&mut taken.0, Channel::new(port, id), sizes);
                        next[vc] += 1;
                        if seen.insert(next) {
                            ways.push((next, taken.0, taken.1));
                        }
                    }
                    if is_given.is_ok() {
                        next = used;
                        next[vc] -= 1;
                        let vcs = [0, 1, 2].map(|vc| given.0.left(VcId::new(vc)));
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
