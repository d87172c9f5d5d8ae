//! Between admission and allocation: whether there will be a place for a flit when it leaves, behind others that are granted.
//!
//! A packet alone spends the credits of a VC that it holds: there is a place if there are more credits than flits of its own under way. Where VCs share
//! places, other VCs' flits take credits, too, at most one in each cycle by the same output. What counts is then what there was before
//! the grants of the cycle, as in the RTL, and of the shared places so many are not counted as others may take: one for each cycle until the flit
//! leaves in which none of its own packet does.

use super::Router;
#[cfg(not(feature = "small"))]
use crate::lent::Lent;
#[cfg(not(feature = "small"))]
use crate::output::OutputPort;
#[cfg(not(feature = "small"))]
use crate::per_port::PerPort;
use crate::plan::Plan;
use crate::units::Channel;
use crate::vc::Descriptor;

/// What there was before the grants of a cycle, where VCs share places.
pub(super) struct Foreseen<const P: usize, const V: usize> {
    #[cfg(not(feature = "small"))]
    places: Option<(PerPort<OutputPort<V>, P>, Lent<P, V>)>,
}

/// Which flits of a VC have been granted before the next one.
#[derive(Clone, Copy)]
pub(super) struct Granted {
    /// One left in this cycle.
    pub(super) carried: bool,
    /// One leaves in the next.
    pub(super) registered: bool,
}

impl Granted {
    /// Those that have not left.
    #[inline(always)]
    pub(super) const fn registered(self) -> u16 {
        self.registered as u16
    }

    /// All of them.
    #[cfg(not(feature = "small"))]
    const fn all(self) -> u16 {
        (self.carried as u16).wrapping_add(self.registered())
    }
}

impl<S, const P: usize, const V: usize> Router<S, P, V>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Before the grants of a cycle are carried out.
    pub(super) fn foresee(&self, plan: &Plan<P>) -> Foreseen<P, V> {
        #[cfg(feature = "small")]
        let _ = plan;
        Foreseen {
            #[cfg(not(feature = "small"))]
            places: plan.links.shares_places().then(|| (self.outputs.clone(), self.lent.clone())),
        }
    }

    /// Whether there is a place for the flit behind those that are granted.
    #[inline(always)]
    pub(super) fn has_place_behind(
        &self,
        plan: &Plan<P>,
        foreseen: &Foreseen<P, V>,
        to: Channel,
        under_way: Granted,
    ) -> bool {
        #[cfg(not(feature = "small"))]
        if let (Some((ports, lent)), true) = (&foreseen.places, plan.links.is_shared(to.port)) {
            let (sharing, own) = (plan.sharing(to.port), under_way.all());
            let others = sharing.kept.saturating_sub(own);
            return ports
                .get(to.port)
                .is_some_and(|out| lent.left_with(&out.credits, to, others, sharing) > own);
        }
        #[cfg(feature = "small")]
        let _ = (plan, foreseen, under_way.carried);
        self.outputs.get(to.port).is_some_and(|out| out.credits.left(to.vc) > under_way.registered())
    }
}
