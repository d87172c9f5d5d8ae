//! How an output picks among the inputs that request it.

use super::ArbiterKind;
use super::arbiter::Arbiter;
use super::vl_arbiter::{VlArbiter, VlTables};
use crate::per_port::wrapped;
use crate::units::{Bits, PortId, PortSet, VcId, VcSet};

/// The inputs that request each VC behind one output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asking<const V: usize, B: Bits = usize> {
    out_vcs: VcSet,
    inputs: [PortSet<B>; V],
}

impl<const V: usize, B: Bits> Default for Asking<V, B> {
    fn default() -> Self {
        Self { out_vcs: VcSet::EMPTY, inputs: [PortSet::EMPTY; V] }
    }
}

impl<const V: usize, B: Bits> Asking<V, B> {
    #[inline(always)]
    pub(super) fn insert(&mut self, out_vc: VcId, input: PortId) {
        if let Some(list) = self.inputs.get_mut(out_vc.index()) {
            list.insert(input);
            self.out_vcs.insert(out_vc);
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, out_vc: VcId) -> PortSet<B> {
        self.inputs.get(out_vc.index()).copied().unwrap_or_default()
    }

    /// The VCs that are requested.
    #[inline(always)]
    pub(super) const fn requested(&self) -> VcSet {
        self.out_vcs
    }

    /// The requests for some of the VCs that are requested.
    #[inline(never)]
    pub(super) fn only(&self, out_vcs: VcSet) -> Self {
        Self { out_vcs, ..*self }
    }

    /// The requests that do not yield to others: those of other inputs than `yielding`; if there are none, all of them.
    #[inline(never)]
    pub(super) fn before(&self, yielding: PortSet<B>) -> Self {
        let others = self.among(PortSet::first_n(B::CAPACITY).minus(yielding));
        if others.out_vcs.is_empty() { *self } else { others }
    }

    /// The requests of these inputs only.
    #[inline(always)]
    pub(super) fn among(mut self, inputs: PortSet<B>) -> Self {
        for out_vc in self.out_vcs {
            if let Some(list) = self.inputs.get_mut(out_vc.index()) {
                *list = list.and(inputs);
                if list.is_empty() {
                    self.out_vcs.remove(out_vc);
                }
            }
        }
        self
    }
}

/// The arbiters of one output: one among the VCs behind it, and for each of those one among the inputs.
///
/// With a single arbiter for all VCs, flits that stream into one VC would move the pointer between any two packets of another, always to
/// one place. The input just behind that place would win each time, and the others starve.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputArbiter<const P: usize, const V: usize, B: Bits = usize> {
    pub(super) out_vcs: Arbiter<V>,
    pub(super) inputs: [Arbiter<P, B>; V],
    /// The input for which these last moved.
    last: PortId,
}

impl<const P: usize, const V: usize, B: Bits> OutputArbiter<P, V, B> {
    pub(super) fn new(kind: ArbiterKind) -> Self {
        Self { out_vcs: Arbiter::new(kind), inputs: [Arbiter::new(kind); V], last: PortId::default() }
    }

    #[inline(always)]
    pub(super) fn pick(&self, asking: &Asking<V, B>) -> Option<(VcId, PortId)> {
        let out_vc = VcId::new(self.out_vcs.pick(usize::from(asking.out_vcs.bits()))?);
        let input = self.inputs.get(out_vc.index())?.pick(asking.of(out_vc).bits())?;
        Some((out_vc, PortId::new(input)))
    }

    /// The out_vc and the input that are picked where some inputs yield to the others.
    #[inline(never)]
    pub(super) fn pick_before(&self, asking: &Asking<V, B>, yielding: PortSet<B>) -> Option<(VcId, PortId)> {
        let asking = asking.before(yielding);
        let out_vc = VcId::new(self.out_vcs.pick(usize::from(asking.out_vcs.bits()))?);
        self.pick_for(&asking, out_vc, yielding)
    }

    /// The out_vc and the input that are picked where this arbiter of the output picks the VC, by the tables of VL arbitration and the
    /// lanes of management.
    #[inline(never)]
    pub(super) fn pick_lane(
        &self,
        lane: &VlArbiter,
        asking: &Asking<V, B>,
        yielding: PortSet<B>,
        (tables, management): (&VlTables, VcSet),
    ) -> Option<(VcId, PortId)> {
        let asking = asking.before(yielding);
        let out_vc = lane.pick(tables, management, asking.out_vcs)?;
        self.pick_for(&asking, out_vc, yielding)
    }

    /// The input for a VC that has been picked.
    #[inline(always)]
    fn pick_for(&self, asking: &Asking<V, B>, out_vc: VcId, yielding: PortSet<B>) -> Option<(VcId, PortId)> {
        let (inputs, arbiter) = (asking.of(out_vc), self.inputs.get(out_vc.index())?);
        let yields = inputs.minus(yielding).is_empty();
        let input = if yields { arbiter.pick_yielding(inputs) } else { arbiter.pick(inputs.bits()) }?;
        Some((out_vc, PortId::new(input)))
    }

    /// Moves the pointers, and gives the input for which they moved before.
    #[inline(always)]
    pub(super) fn served(&mut self, out_vc: VcId, input: PortId, yields: bool) -> PortId {
        self.out_vcs.served(out_vc.number());
        match self.inputs.get_mut(wrapped::<V>(out_vc.index())) {
            Some(arbiter) if yields => arbiter.served_yielding(input.number()),
            Some(arbiter) => arbiter.served(input.number()),
            None => {}
        }
        core::mem::replace(&mut self.last, input)
    }
}
