//! The outputs of a router with this plan.

use super::Plan;
use crate::contention::Contention;
use crate::lent::Lent;
use crate::output::OutputPort;
use crate::per_port::PerPort;
use crate::select::Outputs;
use crate::units::{Bits, PortSet, VcSet};

impl<const P: usize> Plan<P> {
    /// The outputs, as selection, admission and the way out see them.
    #[inline(always)]
    pub(crate) fn outputs<'a, const V: usize, B: Bits>(
        &'a self,
        ports: &'a PerPort<OutputPort<V>, P>,
        owned: &'a PerPort<VcSet, P>,
        lent: &'a Lent<P, V>,
        contention: &'a Contention<P>,
        wired: PortSet<B>,
        (full, held): (PortSet<B>, PortSet<B>),
    ) -> Outputs<'a, P, V, B> {
        Outputs {
            links: &self.links,
            ports,
            owned,
            lent,
            contention,
            wired,
            waits_for_detours: self.waits_for_detours(),
            asks_one: self.options.pipeline.registers_requests(),
            preference: self.preference,
            full,
            held,
        }
    }
}
