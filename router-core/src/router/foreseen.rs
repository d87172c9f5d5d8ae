//! Whether a flit that is admitted now will have a place when it leaves, behind others that are granted.
//!
//! A packet alone spends the credits of a VC that it holds: there is a place if there are more credits than flits of its own under way. Where VCs share
//! places, other VCs' flits take credits, too, at most one in each cycle by the same output. Then the credits before the grants of the
//! cycle count, as in the RTL. One shared place is kept back for each cycle until the flit leaves in which no flit of its own packet
//! leaves: another VC may take it.

use super::Router;
use crate::alloc::Grants;
use crate::plan::Plan;
use crate::units::{Bits, Channel};
use crate::vc::Descriptor;

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

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Whether there is a place for the flit behind those that are granted. `carried`: the grants that have been carried out in this cycle.
    #[inline(always)]
    pub(super) fn has_place_behind(
        &self,
        plan: &Plan<P>,
        carried: &Grants<P, B>,
        to: Channel,
        under_way: Granted,
    ) -> bool {
        let Some(out) = self.outputs.get(to.port) else { return false };
        #[cfg(not(feature = "small"))]
        if plan.links.is_shared(to.port) {
            let sent = carried.iter().find(|grant| grant.output == to.port).map(|grant| grant.out_vc);
            let places = self.lent.places_before(sent, &out.credits, to, plan.links.sharing(to.port));
            let own = under_way.all();
            return places.left(self.lent.ahead().saturating_sub(own)) > own;
        }
        #[cfg(feature = "small")]
        let _ = (plan, carried, under_way.carried);
        out.credits.left(to.vc) > under_way.registered()
    }
}
