//! The router: the stages, in the order a packet meets them.
//!
//! # The clock
//!
//! The pipeline, in internal cycles, for a head flit that is on an input wire in cycle `t`:
//!
//! | cycle | stage | in this crate |
//! |---|---|---|
//! | `t` | the input register takes it | the caller's wires |
//! | `t + 1` | buffer write, route computation, contention count | [`Router::handle_flit`], after `step` |
//! | `t + 2` | selection writes the request register | [`Router::step`] |
//! | `t + 3` | allocation; the flit enters the output FIFO, the credit its register | [`Router::step`] |
//! | `t + 4` | the flit is on the output wire (at the next link cycle), the credit on its own | [`Wires`] |
//!
//! A credit on an input wire in cycle `t` is counted in `t + 1` and can be spent in `t + 2`. So `step` of cycle
//! `n` comes first, then `handle_flit` and `handle_credit` for what was on the wires in cycle `n − 1`: everything
//! that `step` sees is the state at the end of the cycle before, and routers can be stepped in any order.
//!
//! # Zero-load latency
//!
//! With speedup `S` a router takes `⌈4 / S⌉` link cycles from wire to wire. See [`router_cycles`].

mod admit;
mod inspect;

use crate::alloc::{Allocator, Grant, Grants, Requests};
use crate::contention::Contention;
use crate::event::{Event, ProtocolError, emit};
use crate::header::{Flit, Packet};
use crate::lfsr::Lfsr;
use crate::output::OutputPort;
use crate::per_port::PerPort;
use crate::plan::{CountAt, Plan};
use crate::route::{Arrival, Here, HopKind, Route, Routing};
use crate::select::{Outputs, Waiting};
use crate::units::{PortId, PortSet, VcId, VcSet};
use crate::vc::{Descriptor, InputPort, VcState};
use admit::{Request, one_of, sendable};

/// Internal cycles from a head on an input wire to the same head on an output wire, at zero load.
pub const PIPELINE_CYCLES: u32 = 4;

/// The same in link cycles, with `speedup` internal cycles each: `⌈4 / S⌉`.
///
/// A packet of `L` flits over `H` router-to-router links of total latency `D`, from a node and to a node over
/// links of latency `n`, takes `2n + D + (H + 1)·⌈4/S⌉ + L − 1` link cycles. With store-and-forward the request of a
/// packet is registered while its tail is still on the way, so that each router adds `max(⌈4/S⌉, L − 1 + ⌈3/S⌉)`.
pub const fn router_cycles(speedup: u32) -> u32 {
    if speedup == 0 { PIPELINE_CYCLES } else { PIPELINE_CYCLES.div_ceil(speedup) }
}

/// What a router drives.
pub trait Wires {
    /// Output `port` will carry `flit` in link cycle `at`, for VC `vc` of the next router.
    fn flit(&mut self, port: PortId, vc: VcId, at: u64, flit: Flit);
    /// Input `port` returns a credit for its VC `vc` in the next internal cycle.
    fn credit(&mut self, port: PortId, vc: VcId);
    /// A packet's head has been granted output `port`, on a hop of this kind.
    fn hop(&mut self, _packet: &Packet, _port: PortId, _hop: HopKind) {}
}

/// Descriptors that a VC with `depth` places needs when no packet is shorter than `shortest` flits: whole packets,
/// one that is still leaving and one that is still arriving.
pub const fn descriptors(depth: u16, shortest: u16) -> u16 {
    match depth.saturating_sub(2).checked_div(shortest) {
        Some(whole) if whole.saturating_add(2) < depth => whole.saturating_add(2),
        _ => depth,
    }
}

/// A router of up to `P` ports with up to `V` VCs each, its descriptors in a store of type `S`.
#[derive(Clone, Debug)]
pub struct Router<S, const P: usize, const V: usize> {
    here: Here,
    lfsr: Lfsr,
    /// Inputs that hold flits.
    busy: PortSet,
    inputs: PerPort<InputPort<V>, P>,
    outputs: PerPort<OutputPort<V>, P>,
    contention: Contention<P>,
    allocator: Allocator<P, V>,
    requests: Requests<P, V>,
    errors: [u32; ProtocolError::COUNT],
    store: S,
}

impl<S, const P: usize, const V: usize> Router<S, P, V>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// Descriptors that the store of a router needs, when no packet is shorter than `shortest` flits.
    pub fn store_size(plan: &Plan<P>, wired: PortSet, shortest: u16) -> usize {
        let at = |port: PortId| {
            let sizes = plan.sizes(plan.kind(port));
            usize::from(sizes.vcs).wrapping_mul(usize::from(descriptors(sizes.buffer, shortest)))
        };
        wired.iter().map(at).sum()
    }

    /// A router at its place, as after reset. `number` and `seed` set its random sequence; no packet will be
    /// shorter than `shortest` flits. A store that is too small makes a router that refuses packets.
    pub fn new(plan: &Plan<P>, here: Here, store: S, number: u32, seed: u64, shortest: u16) -> Self {
        const { assert!(P >= 1 && P <= PortSet::CAPACITY, "ports are bits of a machine word") }
        const { assert!(V >= 1 && V <= VcSet::CAPACITY, "VCs are bits of a byte") }
        let mut base = 0u32;
        Self {
            here,
            lfsr: Lfsr::new(seed, number),
            busy: PortSet::EMPTY,
            inputs: PerPort::from_fn(|port| {
                let port = PortId::new(port as u8);
                let sizes = plan.sizes(plan.kind(port));
                let vcs = if here.wired.contains(port) { usize::from(sizes.vcs) } else { 0 };
                InputPort::new(core::array::from_fn(|vc| {
                    let places = if vc < vcs { descriptors(sizes.buffer, shortest) } else { 0 };
                    let ring = (base, places);
                    base = base.wrapping_add(u32::from(places));
                    ring
                }))
            }),
            outputs: PerPort::from_fn(|port| OutputPort::new(plan.buffer(PortId::new(port as u8)))),
            contention: Contention::default(),
            allocator: Allocator::new(plan.allocation, plan.radix()),
            requests: Requests::new(),
            errors: [0; ProtocolError::COUNT],
            store,
        }
    }

    /// Where it is.
    pub const fn here(&self) -> &Here {
        &self.here
    }

    /// Whether it holds no flit: stepping it would change nothing.
    #[inline(always)]
    pub const fn is_idle(&self) -> bool {
        self.busy.is_empty()
    }

    /// Moves every stage by one clock edge; `next` is the number of the next link cycle.
    ///
    /// Work: at most `P · V` selections and one allocation; no loop depends on traffic. Cost: the table in
    /// `benches/README.md`.
    #[inline]
    pub fn step(&mut self, plan: &Plan<P>, routing: &Routing<'_>, next: u64, wires: &mut impl Wires) {
        if self.is_idle() {
            return;
        }
        self.lfsr.step();
        self.request(plan, next);
        let grants = self.allocator.evaluate(&self.requests);
        self.select(plan, next, &grants);
        self.allocator.commit(&grants);
        for grant in grants.iter() {
            self.traverse(plan, routing, next, grant, wires);
        }
    }

    #[inline(always)]
    fn view<'a>(&'a self, plan: &'a Plan<P>, next: u64) -> Outputs<'a, P, V> {
        Outputs { plan, ports: &self.outputs, contention: &self.contention, wired: self.here.wired, next }
    }

    /// Stage 5, first half: the request registers, checked again against this cycle's credits.
    #[inline]
    fn request(&mut self, plan: &Plan<P>, next: u64) {
        let (ports, contention, wired) = (&self.outputs, &self.contention, self.here.wired);
        let outputs = Outputs { plan, ports, contention, wired, next };
        self.requests.clear();
        for input in self.busy {
            let Some(port) = self.inputs.get(input) else { continue };
            for vc in port.occupied {
                if let Some(state) = port.vc(vc) {
                    let tap = self.lfsr.tap(input.number(), vc.number());
                    let Request { outputs, out_vc } = sendable(state, tap, &outputs);
                    self.requests.add(input, vc, outputs, out_vc);
                }
            }
        }
    }

    /// Stage 3: the request registers of all packets that wait and were not granted.
    #[inline]
    fn select(&mut self, plan: &Plan<P>, next: u64, grants: &Grants<P>) {
        let (outputs, contention, wired) = (&self.outputs, &self.contention, self.here.wired);
        let view = Outputs { plan, ports: outputs, contention, wired, next };
        for input in self.busy {
            let Some(port) = self.inputs.get_mut(input) else { continue };
            let mut waiting = port.waiting;
            if waiting.is_empty() {
                continue;
            }
            if let Some(granted) = grants.vc_of(input) {
                waiting.remove(granted);
            }
            for vc in waiting {
                let Some(state) = port.vc_mut(vc) else { continue };
                let question = Waiting {
                    candidates: state.candidates(),
                    minimal: state.minimal(),
                    // None of it has left.
                    length: state.left(),
                    tap: self.lfsr.tap(input.number(), vc.number()),
                };
                let request = plan.selection.choose(&question, &view);
                state.ask(request);
            }
        }
    }

    /// Stage 6: one granted flit leaves.
    #[inline]
    fn traverse(
        &mut self,
        plan: &Plan<P>,
        routing: &Routing<'_>,
        next: u64,
        grant: Grant,
        wires: &mut impl Wires,
    ) {
        let Grant { input, vc, output, .. } = grant;
        let head = self.leave_head(plan, routing, next, grant);
        let Some(state) = self.inputs.get_mut(input).and_then(|port| port.vc_mut(vc)) else { return };
        let VcState::Active { vc: out_vc, .. } = state.state() else { return };
        let minimal = state.minimal();
        let is_tail = state.read();
        let is_empty = state.flits() == 0;
        let Some(out) = self.outputs.get_mut(output) else { return };
        let at = out.push(out_vc, next);
        if is_tail {
            out.release(out_vc);
        }
        let label = plan.relabel(plan.kind(output), out_vc);
        let flit = match head {
            Some((packet, hop)) => {
                wires.hop(&packet, output, hop);
                Flit::Head(packet)
            }
            None => Flit::Body { tail: is_tail },
        };
        wires.flit(output, label, at, flit);
        wires.credit(input, plan.relabel(plan.kind(input), vc));
        if is_empty {
            self.clear_occupied(input, vc);
        }
        if is_tail {
            self.contention.fall(minimal);
            self.finish(plan, routing, input, vc);
        }
    }

    /// Gives a waiting front packet its output VC; nothing for a packet that is already leaving.
    #[inline]
    fn leave_head(
        &mut self,
        plan: &Plan<P>,
        routing: &Routing<'_>,
        next: u64,
        grant: Grant,
    ) -> Option<(Packet, HopKind)> {
        let port = self.inputs.get(grant.input)?;
        let state = port.vc(grant.vc)?;
        if state.state() != VcState::Waiting {
            return None;
        }
        let mut packet = state.front_packet(self.store.as_ref())?;
        let set = state.candidates().holding(grant.output)?;
        let open = self.view(plan, next).open(grant.output, &set, packet.header.length);
        let out_vc = one_of(open, self.lfsr.tap(grant.input.number(), grant.vc.number()))?;
        packet.header = routing.onward(&self.here, &packet.header, plan.kind(grant.output), set.kind);
        if set.kind != HopKind::Minimal {
            let (router, from, vc) = (self.here.router, grant.input, grant.vc);
            emit(Event::Detoured { router, from, vc, to: grant.output, hop: set.kind });
        }
        self.outputs.get_mut(grant.output)?.hold(out_vc);
        let port = self.inputs.get_mut(grant.input)?;
        port.waiting.remove(grant.vc);
        port.vc_mut(grant.vc)?.activate(grant.output, out_vc);
        Some((packet, set.kind))
    }

    fn clear_occupied(&mut self, input: PortId, vc: VcId) {
        if let Some(port) = self.inputs.get_mut(input) {
            port.occupied.remove(vc);
            if port.occupied.is_empty() {
                self.busy.remove(input);
            }
        }
    }

    /// The front packet has left; the one behind it comes to the front.
    #[inline]
    fn finish(&mut self, plan: &Plan<P>, routing: &Routing<'_>, input: PortId, vc: VcId) {
        let Some(state) = self.inputs.get_mut(input).and_then(|port| port.vc_mut(vc)) else { return };
        state.finish();
        if state.packets() > 0
            && let Err(error) = self.show(plan, routing, input, vc)
        {
            self.refuse(input, vc, error);
        }
    }

    /// Stage 2: routes the front packet of a VC, and counts it if it has not been counted on arrival.
    #[inline]
    fn show(
        &mut self,
        plan: &Plan<P>,
        routing: &Routing<'_>,
        input: PortId,
        vc: VcId,
    ) -> Result<(), ProtocolError> {
        let port = self.inputs.get_mut(input).ok_or(ProtocolError::NoSuchVc)?;
        let state = port.vc_mut(vc).ok_or(ProtocolError::NoSuchVc)?;
        let packet = state.front_packet(self.store.as_ref()).ok_or(ProtocolError::NoSuchVc)?;
        let from = Arrival { port: input, kind: plan.kind(input), vc };
        let candidates = routing.offer(&self.here, from, &packet.header);
        let preferred = candidates.preferred();
        let minimal = match plan.count_at {
            CountAt::Arrival => state.counted_on_arrival(self.store.as_ref()),
            CountAt::Head => preferred.nth(self.lfsr.tap(input.number(), vc.number()).below(preferred.len())),
        };
        let minimal = minimal.ok_or(ProtocolError::NoRoute)?;
        if candidates.is_empty() {
            return Err(ProtocolError::NoRoute);
        }
        state.show(packet.header.length, candidates, minimal);
        port.waiting.insert(vc);
        if plan.count_at == CountAt::Head {
            self.contention.rise(minimal);
        }
        Ok(())
    }

    /// Counts a packet whose head has just been written.
    fn count_arrival(&mut self, plan: &Plan<P>, routing: &Routing<'_>, from: Arrival, packet: &Packet) {
        let preferred = routing.offer(&self.here, from, &packet.header).preferred();
        let tap = self.lfsr.tap(from.port.number(), from.vc.number());
        let Some(minimal) = preferred.nth(tap.below(preferred.len())) else { return };
        debug_assert!(plan.count_at == CountAt::Arrival);
        if let Some(state) = self.inputs.get(from.port).and_then(|port| port.vc(from.vc)) {
            state.count_newest(self.store.as_mut(), minimal);
        }
        self.contention.rise(minimal);
    }

    /// Stage 4: a flit that was on the wire of `port` in the cycle before, for VC `vc` by its name on the wire.
    ///
    /// # Errors
    /// When it breaks the protocol: the flit is dropped and counted. When the packet it brought to the front cannot be
    /// routed: that is counted, too, and the packet stays where it is and blocks its VC.
    #[inline]
    pub fn handle_flit(
        &mut self,
        plan: &Plan<P>,
        routing: &Routing<'_>,
        port: PortId,
        vc: VcId,
        flit: Flit,
    ) -> Result<(), ProtocolError> {
        let vc = plan.relabel(plan.kind(port), vc);
        let result = self.write(plan, routing, port, vc, flit);
        if let Err(error) = result {
            self.refuse(port, vc, error);
        }
        result
    }

    #[inline]
    fn write(
        &mut self,
        plan: &Plan<P>,
        routing: &Routing<'_>,
        port: PortId,
        vc: VcId,
        flit: Flit,
    ) -> Result<(), ProtocolError> {
        let kind = plan.kind(port);
        if !self.here.wired.contains(port) || !plan.vcs(port).contains(vc) {
            return Err(ProtocolError::NoSuchVc);
        }
        let input = self.inputs.get_mut(port).ok_or(ProtocolError::NoSuchVc)?;
        let state = input.vc_mut(vc).ok_or(ProtocolError::NoSuchVc)?;
        let fronts = state.write(self.store.as_mut(), flit, plan.buffer(port))?;
        input.occupied.insert(vc);
        self.busy.insert(port);
        if let (Flit::Head(packet), CountAt::Arrival) = (&flit, plan.count_at) {
            self.count_arrival(plan, routing, Arrival { port, kind, vc }, packet);
        }
        if fronts { self.show(plan, routing, port, vc) } else { Ok(()) }
    }

    /// Stage 6: a credit that was on the wire of `port` in the cycle before, for VC `vc` by its name on the wire.
    ///
    /// # Errors
    /// When there is no such VC, or its buffer was empty already; nothing changes but the count of errors.
    #[inline]
    pub fn handle_credit(&mut self, plan: &Plan<P>, port: PortId, vc: VcId) -> Result<(), ProtocolError> {
        let vc = plan.relabel(plan.kind(port), vc);
        let known = self.here.wired.contains(port) && plan.vcs(port).contains(vc);
        let result = match self.outputs.get_mut(port) {
            Some(out) if known => out.credits.give(vc).map_err(|_| ProtocolError::CreditOverflow),
            _ => Err(ProtocolError::NoSuchVc),
        };
        if let Err(error) = result {
            self.refuse(port, vc, error);
        }
        result
    }

    #[cold]
    fn refuse(&mut self, port: PortId, vc: VcId, error: ProtocolError) {
        if let Some(count) = self.errors.get_mut(error.index()) {
            *count = count.saturating_add(1);
        }
        emit(Event::Refused { router: self.here.router, port, vc, error });
    }
}
