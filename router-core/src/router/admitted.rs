//! Between admission and allocation: the registered requests of a pipeline of five; and behind it, the registered grants of a pipeline of
//! six.
//!
//! A request is admitted against the state at the end of the cycle before, as without the register, and allocated in the next cycle. By
//! then the grants of this cycle have changed what it was admitted on. A registered request still has to hold after them, by three rules:
//!
//! - *The VC behind an output* that another head is granted in this cycle is not free, and has a credit less even where that head is a
//!   tail, too. The request for it is withdrawn, and admitted anew in the next cycle.
//! - *Credits and flits*: a VC that is granted a flit, a head included, requests its next one if it is in the buffer and there is a credit for
//!   it, the one that is being spent not counted. No other packet spends credits of a VC that one holds, but where VCs share places ([`foreseen`](super::foreseen)).
//! - *The output's FIFO* counts as full with one place left ([`Plan::full_at`]): another input's flit may enter it in this cycle.
//!
//! So all that is allocated is legal, and no grant is in vain. With a pipeline of six a grant is carried out in the cycle after its own.
//! The grants of two cycles then count, by these rules. A VC behind an output that is granted in either cycle is not free. The next flit of
//! a VC needs a flit in the buffer and a credit for each grant that is under way. Two places of a FIFO are kept. Source: the stages of a
//! virtual-channel router with a registered switch request (Dally and Towles, Principles and Practices of Interconnection Networks, 2004,
//! 16.2 to 16.4).

use super::Router;
use super::admit::{Request, admissible, is_shut_out};
use super::foreseen::Granted;
use crate::alloc::{Grant, Grants, Requests};
use crate::per_port::{PerPort, PerVc};
use crate::plan::Plan;
use crate::route::HopKind;
use crate::units::{Bits, Channel, PortId, PortSet, VcId, VcSet};
use crate::vc::{Descriptor, Flow};
use crate::vc_sets::VcSets;

/// What the next flit of a VC will do: 2 bytes.
#[derive(Clone, Copy, Debug)]
struct Place {
    output: PortId,
    /// The VC behind it in the lower half, the kind of hop in the upper one.
    vc_and_hop: u8,
}

impl Place {
    const fn new(to: Channel, hop: HopKind) -> Self {
        Self { output: to.port, vc_and_hop: to.vc.number() | (hop as u8).wrapping_shl(4) }
    }

    const fn to(self) -> Channel {
        Channel::new(self.output, VcId::new(self.vc_and_hop & 15))
    }

    fn hop(self) -> HopKind {
        HopKind::ALL.get(usize::from(self.vc_and_hop.wrapping_shr(4))).copied().unwrap_or_default()
    }
}

/// The requests that are allocated in the next cycle, at most one of each VC.
#[derive(Clone, Debug)]
pub(super) struct Admitted<const P: usize, const V: usize> {
    pub(super) vcs: VcSets<P, V>,
    places: PerVc<Place, P, V>,
    /// What has been granted and is carried out in the next cycle, where grants are registered. Their places stay until then.
    granted: VcSets<P, V>,
}

impl<const P: usize, const V: usize> Admitted<P, V> {
    /// No requests.
    pub(super) const NONE: Self = Self {
        vcs: VcSets::EMPTY,
        places: PerVc::filled(Place::new(Channel::new(PortId::new(0), VcId::new(0)), HopKind::Minimal)),
        granted: VcSets::EMPTY,
    };

    /// The hop by which the head of a VC leaves.
    #[inline(always)]
    pub(super) fn hop(&self, input: PortId, vc: VcId) -> HopKind {
        self.places.get(input, vc).map_or(HopKind::Minimal, |place| place.hop())
    }

    /// What a VC requests: an output, and a VC behind it.
    pub(super) fn of(&self, input: PortId, vc: VcId) -> Option<Channel> {
        self.places.get(input, vc).filter(|_| self.vcs.contains(input, vc)).map(|place| place.to())
    }

    /// The VC of an input of which a flit has been granted, and leaves in the next cycle, and where it goes.
    pub(super) fn granted_of(&self, input: PortId) -> Option<(VcId, Channel)> {
        let vc = (0..V as u8).map(VcId::new).find(|&vc| self.granted.contains(input, vc))?;
        Some((vc, self.places.get(input, vc)?.to()))
    }

    /// What has been granted, and is carried out now.
    #[inline(never)]
    pub(super) fn granted<B: Bits>(&self) -> Grants<P, B> {
        let mut grants = Grants::default();
        self.granted.each(|input, vc| {
            let Some(place) = self.places.get(input, vc) else { return };
            let Channel { port: output, vc: out_vc } = place.to();
            grants.push(Grant { input, vc, out_vc, output });
        });
        grants
    }

    /// Registers grants.
    pub(super) fn set_granted<B: Bits>(&mut self, grants: &Grants<P, B>) {
        self.granted = VcSets::EMPTY;
        for Grant { input, vc, .. } in grants.iter() {
            self.granted.insert(input, vc);
        }
    }

    #[inline(always)]
    fn insert(&mut self, input: PortId, vc: VcId, to: Channel, hop: HopKind) {
        if let Some(place) = self.places.get_mut(input, vc) {
            *place = Place::new(to, hop);
        }
        self.vcs.insert(input, vc);
    }
}

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// What was admitted in the cycle before requests.
    #[inline(never)]
    pub(super) fn ask_admitted(&self, requests: &mut Requests<P, V, B>) {
        self.admitted.vcs.each(|input, vc| {
            let Some(place) = self.admitted.places.get(input, vc) else { return };
            let Channel { port: output, vc: out_vc } = place.to();
            requests.add_plain(Grant { input, vc, out_vc, output });
        });
    }

    /// The VCs behind outputs that heads are granted in this cycle.
    fn seized(&self, grants: &Grants<P, B>) -> PerPort<VcSet, P> {
        let mut seized = PerPort::default();
        for Grant { input, vc, output, out_vc } in grants.iter() {
            if self.waiting.contains(input, vc) {
                seized.insert(output, out_vc);
            }
        }
        seized
    }

    /// Registers the heads that wait and are not granted, as admission finds them, without those whose VC another one is granted in this
    /// cycle. `before`: what was granted in the cycle before, and is carried out in this one, where grants are registered.
    #[inline(never)]
    pub(super) fn admit_heads(
        &mut self,
        plan: &Plan<P>,
        grants: &Grants<P, B>,
        before: Option<&Grants<P, B>>,
    ) {
        let seized = self.seized(grants);
        let held = before.map(|before| self.held_after(before));
        let owned = held.as_ref().unwrap_or(&self.owned);
        // Packets are not allocated where requests are registered.
        let (wired, closed) = (self.here.wired, (self.full.get(), PortSet::EMPTY));
        let view = plan.outputs(&self.outputs, owned, &self.lent, &self.contention, wired, closed);
        let mut admitted = VcSets::EMPTY;
        self.waiting.each_but(&self.deciding, |input, vc| {
            let (Some(flow), Some(front)) = (self.flows.get(input, vc), self.fronts.get(input, vc)) else {
                return;
            };
            let is_granted = |grants: &Grants<P, B>| grants.vc_of(input) == Some(vc);
            if is_granted(grants) || before.is_some_and(is_granted) || is_shut_out(front, owned) {
                return;
            }
            let tap = || self.lfsr.tap(input.number(), vc.number());
            let Request { outputs, out_vc } = admissible(flow, front, tap, &view);
            let Some(output) = outputs.first().filter(|&output| !seized.at(output).contains(out_vc)) else {
                return;
            };
            let (hop, _) = view.open(output, front.candidates(), flow.left());
            if let Some(place) = self.admitted.places.get_mut(input, vc) {
                *place = Place::new(Channel::new(output, out_vc), hop);
                admitted.insert(input, vc);
            }
        });
        self.admitted.vcs = admitted;
    }

    /// The VCs behind outputs that packets hold, with those that these grants take.
    fn held_after(&self, grants: &Grants<P, B>) -> PerPort<VcSet, P> {
        let mut held = self.owned.clone();
        for Grant { output, out_vc, .. } in grants.iter() {
            held.insert(output, out_vc);
        }
        held
    }

    /// Registers the packets that are leaving, after the grants that are carried out in this cycle, `carried`; `full`: outputs as they were
    /// before.
    #[inline(never)]
    pub(super) fn admit_streams(&mut self, plan: &Plan<P>, carried: &Grants<P, B>, full: PortSet<B>) {
        // A copy: nothing is added to the set here.
        let streaming = self.streaming;
        streaming.each(|input, vc| {
            let Some(flow) = self.flows.get(input, vc) else { return };
            let to = flow.to();
            let under_way = Granted { carried: carried.vc_of(input) == Some(vc), registered: false };
            if may_follow(flow, to, full, under_way) && self.has_place_behind(plan, carried, to, under_way) {
                self.admitted.insert(input, vc, to, HopKind::Minimal);
            }
        });
    }

    /// Registers the grants of this cycle, and what is behind them: the flit that follows the one that will leave, where it is here and there will
    /// be a place for it.
    #[inline(never)]
    pub(super) fn register_grants(
        &mut self,
        plan: &Plan<P>,
        (grants, carried): (&Grants<P, B>, &Grants<P, B>),
        full: PortSet<B>,
    ) {
        self.admitted.set_granted(grants);
        for Grant { input, vc, output, out_vc } in grants.iter() {
            let Some(flow) = self.flows.get(input, vc) else { continue };
            let to = Channel::new(output, out_vc);
            let under_way = Granted { carried: carried.vc_of(input) == Some(vc), registered: true };
            if may_follow(flow, to, full, under_way) && self.has_place_behind(plan, carried, to, under_way) {
                self.admitted.vcs.insert(input, vc);
            } else {
                self.admitted.vcs.remove(input, vc);
            }
        }
    }
}

/// Whether a flit may be requested of a packet that goes there, behind its flits that are granted: it is in the buffer, and the output's FIFO
/// takes it.
#[inline(always)]
fn may_follow<B: Bits>(flow: &Flow, to: Channel, full: PortSet<B>, under_way: Granted) -> bool {
    let before = under_way.registered();
    (flow.flits() > before) & (flow.left() > before) & !full.contains(to.port)
}
