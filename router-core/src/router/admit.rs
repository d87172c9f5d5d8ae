//! Stage 5, before allocation: which requests still hold against this cycle's credits.

use crate::lfsr::Tap;
use crate::links::FlowControl;
use crate::per_port::PerPort;
use crate::select::Outputs;
use crate::units::{Bits, PortSet, VcId, VcSet};
use crate::vc::{Flow, Front};

/// What a VC requests in this cycle.
pub(super) struct Request<B: Bits = usize> {
    /// The outputs by which the VC could send its next flit now; none: no request.
    pub(super) outputs: PortSet<B>,
    /// The out_vc requested there; where several outputs are requested, at the first of them.
    pub(super) out_vc: VcId,
}

impl<B: Bits> Request<B> {
    const NONE: Self = Self { outputs: PortSet::EMPTY, out_vc: VcId::new(0) };
}

/// The requested outputs that can take a waiting front packet. `tap` chooses for a packet with a choice of VCs.
#[inline(never)]
pub(super) fn admissible<const P: usize, const V: usize, B: Bits>(
    flow: &Flow,
    front: &Front<B>,
    tap: impl Fn() -> Tap,
    outputs: &Outputs<'_, P, V, B>,
) -> Request<B> {
    let is_here = match outputs.links.flow {
        FlowControl::StoreAndForward => flow.is_whole(),
        // What follows an address may be on the way.
        FlowControl::MadPostman => flow.flits() > 0,
        _ => true,
    };
    if !is_here {
        return Request::NONE;
    }
    let asked = front.request().minus(outputs.closed());
    let Some(first) = asked.first() else { return Request::NONE };
    if !asked.is_single() {
        return admissible_of(asked, flow, front, tap, outputs);
    }
    let (_, open) = outputs.open(first, front.candidates(), flow.left());
    outputs.vc_of(open, tap).map_or(Request::NONE, |out_vc| Request { outputs: asked, out_vc })
}

/// Those of several requested outputs, whose FIFO takes a flit, that can take a waiting front packet.
#[inline(never)]
fn admissible_of<const P: usize, const V: usize, B: Bits>(
    asked: PortSet<B>,
    flow: &Flow,
    front: &Front<B>,
    tap: impl Fn() -> Tap,
    outputs: &Outputs<'_, P, V, B>,
) -> Request<B> {
    let mut found = Request::NONE;
    for port in asked {
        let (_, open) = outputs.open(port, front.candidates(), flow.left());
        if let Some(out_vc) = outputs.vc_of(open, &tap) {
            found.out_vc = if found.outputs.is_empty() { out_vc } else { found.out_vc };
            found.outputs.insert(port);
        }
    }
    found
}

/// Whether a front packet requests nothing, or other packets hold all VCs that it may take: most packets that wait, wait for that.
#[inline(always)]
pub(super) fn is_shut_out<const P: usize, B: Bits>(front: &Front<B>, owned: &PerPort<VcSet, P>) -> bool {
    let asked = front.request();
    let Some(port) = asked.first() else { return true };
    asked.is_single() && front.vcs().minus(owned.at(port)).is_empty()
}
