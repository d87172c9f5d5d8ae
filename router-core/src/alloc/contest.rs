//! The contested requests, which an allocator matches with outputs.

use super::grant::Grants;
use crate::per_port::{PerPort, wrapped};
use crate::units::{Bits, PortId, PortSet, VcId, VcSet};

/// The contested requests: those for several outputs, and those whose input or output has another request.
#[derive(Clone, Debug)]
pub(super) struct Contest<const P: usize, const V: usize, B: Bits = usize> {
    pub(super) inputs: PortSet<B>,
    /// Outputs with at least one contested request.
    pub(super) wanted: PortSet<B>,
    rows: PerPort<Row<V, B>, P>,
    /// What an input requests that is none of the router's.
    nothing: Row<V, B>,
}

/// The requests of one input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<const V: usize, B: Bits = usize> {
    pub(super) vcs: VcSet,
    outputs: [PortSet<B>; V],
    /// The out_vc that each VC requests.
    out_vcs: [VcId; V],
}

impl<const V: usize, B: Bits> Row<V, B> {
    const EMPTY: Self = Self { vcs: VcSet::EMPTY, outputs: [PortSet::EMPTY; V], out_vcs: [VcId::new(0); V] };

    #[inline]
    fn insert(&mut self, vc: VcId, outputs: PortSet<B>, out_vc: VcId) {
        let (Some(wanted), Some(taken)) =
            (self.outputs.get_mut(wrapped::<V>(vc.index())), self.out_vcs.get_mut(wrapped::<V>(vc.index())))
        else {
            return;
        };
        (*wanted, *taken) = (outputs, out_vc);
        self.vcs.insert(vc);
    }

    #[inline(always)]
    pub(super) fn of(&self, vc: VcId) -> PortSet<B> {
        self.outputs.get(wrapped::<V>(vc.index())).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn out_vc(&self, vc: VcId) -> VcId {
        self.out_vcs.get(wrapped::<V>(vc.index())).copied().unwrap_or_default()
    }

    /// The VCs that request any of `outputs`.
    #[inline(always)]
    pub(super) fn asking(&self, outputs: PortSet<B>) -> VcSet {
        let mut found = self.vcs;
        for vc in self.vcs {
            if self.of(vc).and(outputs).is_empty() {
                found.remove(vc);
            }
        }
        found
    }

    /// The VCs that request any of `outputs` with the out_vc that was offered there.
    #[inline(always)]
    pub(super) fn asking_via(&self, outputs: PortSet<B>, offered: impl Fn(PortId) -> VcId) -> VcSet {
        let mut found = self.vcs;
        for vc in self.vcs {
            if !self.of(vc).and(outputs).iter().any(|output| offered(output) == self.out_vc(vc)) {
                found.remove(vc);
            }
        }
        found
    }
}

impl<const P: usize, const V: usize, B: Bits> Contest<P, V, B> {
    pub(super) fn new() -> Self {
        let (inputs, wanted) = (PortSet::EMPTY, PortSet::EMPTY);
        Self { inputs, wanted, rows: PerPort::filled(Row::EMPTY), nothing: Row::EMPTY }
    }

    /// What an input was granted, if it was, becomes a request again.
    #[inline]
    pub(super) fn withdraw(&mut self, granted: &mut Grants<P, B>, input: PortId) {
        if let Some(vc) = granted.vc_of(input) {
            let was = granted.at(input);
            granted.withdraw(input);
            self.insert(input, vc, PortSet::only(was.output), was.out_vc());
        }
    }

    #[inline(never)]
    pub(super) fn insert(&mut self, input: PortId, vc: VcId, outputs: PortSet<B>, out_vc: VcId) {
        if let Some(row) = self.rows.get_mut(input) {
            row.insert(vc, outputs, out_vc);
            self.inputs.insert(input);
            self.wanted = self.wanted.union(outputs);
        }
    }

    #[inline(always)]
    pub(super) fn row(&self, input: PortId) -> &Row<V, B> {
        self.rows.get(input).unwrap_or(&self.nothing)
    }
}
