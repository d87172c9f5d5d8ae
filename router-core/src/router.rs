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
//! A credit on an input wire in cycle `t` is counted in `t + 1` and can be spent in `t + 2`. So `step` of cycle `n` comes first, then
//! `handle_flit` and `handle_credit` for the signals on the wires in cycle `n − 1`. `step` sees the state at the end of the cycle before,
//! and routers can be stepped in any order.
//!
//! A packet that is behind another one is routed and selected while the tail of that one is granted: L flits take L cycles.
//!
//! # Zero-load latency
//!
//! With speedup `S` a router takes `⌈4 / S⌉` link cycles from wire to wire. See [`router_cycles`].
//!
//! With [`Pipeline::Five`] what is admitted in `t + 3` is registered, and allocated in `t + 4`: everything behind it comes a cycle later. With
//! [`Pipeline::Six`] what is granted then is registered, and leaves its buffer in `t + 5`.

mod admit;
mod admitted;
mod arrive;
mod ask;
mod circuit;
mod discard;
mod foreseen;
mod held;
mod inspect;
mod leave;
mod lifetime;
mod look_ahead;
mod notify;
mod piggyback;
mod postman;
mod rates;
mod replicate;
mod shared_places;
mod stranded;
mod wires;

use crate::alloc::{Allocator, Grants, Requests};
use crate::contention::{Contention, LateMean};
use crate::discard::Discard;
use crate::event::ProtocolError;
use crate::lent::Lent;
use crate::lfsr::Lfsr;
use crate::options::Pipeline;
use crate::output::OutputPort;
use crate::per_port::{PerPort, PerVc};
use crate::plan::Plan;
#[cfg(not(feature = "small"))]
use crate::rate::Paces;
use crate::route::{Here, Route};
use crate::select::Outputs;
use crate::units::{Bits, Channel, PackedPorts, PortId, PortSet, VcSet};
use crate::vc::{Descriptor, Flow, Front};
use crate::vc_sets::VcSets;
use admitted::Admitted;
pub use circuit::Answer;
use held::Held;
use lifetime::Heads;
pub use postman::DEAD_TAG;
pub use stranded::Stranded;
pub use wires::Wires;

/// Link cycles, with `speedup` internal cycles each, from a head on an input wire to the same head on an output wire, at zero load:
/// `⌈N / S⌉` with a pipeline of `N` internal cycles.
///
/// A packet of `L` flits over `H` router-to-router links of total latency `D`, from a node and to a node over
/// links of latency `n`, takes `2n + D + (H + 1)·⌈N/S⌉ + L − 1` link cycles. With store-and-forward the request of a
/// packet is registered while its tail is still on the way, so that each router adds `max(⌈N/S⌉, L − 1 + ⌈(N − 1)/S⌉)`.
pub const fn router_cycles(pipeline: Pipeline, speedup: u32) -> u32 {
    let cycles = pipeline.cycles();
    if speedup == 0 { cycles } else { cycles.div_ceil(speedup) }
}

/// Link cycles from a later flit on an input wire to that flit on an output wire, at zero load: `⌈(N − 1) / S⌉`, since it is neither routed
/// nor selected. An answer takes as long on its way back.
pub const fn body_cycles(pipeline: Pipeline, speedup: u32) -> u32 {
    let cycles = pipeline.body_cycles();
    if speedup == 0 { cycles } else { cycles.div_ceil(speedup) }
}

/// A router of up to `P` ports with up to `V` VCs each, its descriptors in a store of type `S`.
#[derive(Clone, Debug)]
pub struct Router<S, const P: usize, const V: usize, B: Bits = usize> {
    here: Here<B>,
    lfsr: Lfsr,
    /// Outputs whose FIFO was full when a flit last entered it.
    full: PackedPorts<B>,
    /// VCs that hold a flit of a packet which is leaving.
    streaming: VcSets<P, V>,
    /// VCs of whose front packet only the tail has yet to leave.
    ending: VcSets<P, V>,
    /// VCs whose front packet waits, or is discarded with a flit in the buffer; and those that wait and may request another output in the
    /// next cycle.
    waiting: VcSets<P, V>,
    undecided: VcSets<P, V>,
    /// VCs whose front packet has come with a single way, which it requests from the next cycle on.
    deciding: VcSets<P, V>,
    /// VCs of which a copy of the front packet leaves, which stays for other branches.
    copying: VcSets<P, V>,
    /// VCs of the next router that a packet holds, from its head's grant to its tail's.
    owned: PerPort<VcSet, P>,
    /// Inputs and outputs that a packet holds for the same time, where packets are allocated.
    held: Held<B>,
    outputs: PerPort<OutputPort<V>, P>,
    lent: Lent<P, V>,
    flows: PerVc<Flow, P, V>,
    fronts: PerVc<Front<B>, P, V>,
    contention: Contention<P>,
    allocator: Allocator<P, V, B>,
    /// Flits with which an output FIFO takes no more.
    full_at: u32,
    /// Flits in an output FIFO with which it is looked at: 0 where VCs share places, or links are slower than a flit in each cycle.
    #[cfg(not(feature = "small"))]
    looked_at: u32,
    /// How fast the links behind the outputs are.
    #[cfg(not(feature = "small"))]
    paces: Paces<P>,
    /// VCs whose newest packet has come in the cycle before, where marks are set.
    fresh: VcSets<P, V>,
    /// As wide as in the RTL.
    errors: [u16; ProtocolError::COUNT],
    /// Packets discarded, as wide as in the RTL.
    discards: [u16; DISCARDS],
    /// What is allocated in the next cycle, where requests are registered.
    admitted: Admitted<P, V>,
    /// How long packets have waited, where that is limited.
    heads: Heads<P, V>,
    store: S,
}

/// Reasons to discard a packet. The feature `small` leaves them out: a microcontroller takes no forwarding tables.
const DISCARDS: usize = if cfg!(feature = "small") { 0 } else { Discard::COUNT };

impl<S, const P: usize, const V: usize, B: Bits> Router<S, P, V, B>
where
    S: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
{
    /// A router at its place, as after reset. `number` and `seed` set its random sequence. The store has
    /// [`Links::places`](crate::links::Links::places) places: a smaller one makes a router that refuses packets. Of `here` only the `P` ports that it has count.
    pub fn new(plan: &Plan<P>, here: Here<B>, store: S, number: u32, seed: u64) -> Self {
        const { assert!(P >= 1 && P <= B::CAPACITY, "ports are bits of a set") }
        const { assert!(V >= 1 && V <= VcSet::CAPACITY, "VCs are bits of a byte") }
        let ports = PortSet::first_n(P);
        let (wired, group_exits) = (here.wired.and(ports), here.group_exits.and(ports));
        let channels = here.channels.and(wired);
        let mut router = Self {
            here: Here { wired, group_exits, channels, ..here },
            lfsr: Lfsr::new(seed, number),
            full: PackedPorts::EMPTY,
            streaming: VcSets::EMPTY,
            ending: VcSets::EMPTY,
            waiting: VcSets::EMPTY,
            undecided: VcSets::EMPTY,
            deciding: VcSets::EMPTY,
            copying: VcSets::EMPTY,
            owned: PerPort::default(),
            held: Held::NONE,
            outputs: PerPort::from_fn(|port| {
                OutputPort::with_depths(|vc| plan.links.depth(Channel::new(PortId::new(port as u8), vc)))
            }),
            lent: Lent::NONE,
            flows: PerVc::filled(Flow::EMPTY),
            fronts: PerVc::filled(Front::EMPTY),
            contention: Contention::new(plan.options.pipeline.registers_requests()),
            allocator: Allocator::of(plan.options.allocation(), plan.links.radix())
                .with_yielding(plan.yielding())
                .with_first(plan.first),
            full_at: plan.full_at(),
            #[cfg(not(feature = "small"))]
            looked_at: if plan.links.shares_places() { 0 } else { plan.full_at() },
            #[cfg(not(feature = "small"))]
            paces: crate::rate::full(),
            fresh: VcSets::EMPTY,
            errors: [0; ProtocolError::COUNT],
            discards: [0; DISCARDS],
            admitted: Admitted::NONE,
            heads: Heads::NONE,
            store,
        };
        router.begin_sharing(plan);
        router
    }

    /// The router with this word in its random register.
    #[must_use]
    pub const fn with_word(mut self, word: u32) -> Self {
        self.lfsr = Lfsr::of_word(word);
        self
    }

    /// The store, for another router: this one has none left, and refuses packets.
    pub fn take_store(&mut self) -> S
    where
        S: Default,
    {
        core::mem::take(&mut self.store)
    }

    /// Where it is.
    pub const fn here(&self) -> &Here<B> {
        &self.here
    }

    /// Whether it holds no flit, and stepping it would change nothing.
    #[inline(always)]
    pub fn is_idle(&self) -> bool {
        self.is_empty() && self.contention.late_mean.is_none_or(LateMean::is_at_rest)
    }

    /// Whether it holds no flit.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.streaming.are_empty(&self.waiting)
    }

    /// Moves every stage by one clock edge; `next` is the number of the next link cycle.
    ///
    /// Work: at most `P · V` selections and one allocation; no loop depends on traffic. Cost: the table in
    /// `benches/README.md`.
    #[inline]
    pub fn step(&mut self, plan: &Plan<P>, routing: &impl Route<B>, next: u64, wires: &mut impl Wires) {
        if self.is_idle() {
            return;
        }
        if !plan.is_plain() {
            return self.step_all(plan, routing, next, wires);
        }
        self.lfsr.step();
        self.drain(next);
        let mut requests = Requests::new();
        self.request(plan, &mut requests);
        let grants = self.allocator.answer(&mut requests, None);
        self.commit::<false>(plan, routing, next, grants, true, wires);
    }

    /// A step with what [plain](Plan::is_plain) routers leave out.
    #[inline(never)]
    fn step_all(&mut self, plan: &Plan<P>, routing: &impl Route<B>, next: u64, wires: &mut impl Wires) {
        let late_mean = self.next_late_mean(plan);
        if self.is_empty() {
            self.contention.late_mean = late_mean;
            return;
        }
        if plan.marks() && !self.fresh.is_empty() {
            self.mark(plan, routing, next);
        }
        self.lfsr.step();
        self.drain(next);
        let due = plan.has_lifetimes().then(|| self.due(plan, next));
        let full = self.full.get();
        let registers = plan.options.pipeline.registers_requests();
        let mut requests = Requests::new();
        if registers {
            self.ask_admitted(&mut requests);
        } else {
            self.request(plan, &mut requests);
        }
        let allocated = self.allocator.answer(&mut requests, plan.lanes());
        // What is carried out in this cycle, if that is not what is allocated in it.
        let before = plan.options.pipeline.registers_grants().then(|| self.admitted.granted());
        let grants = before.as_ref().unwrap_or(allocated);
        if due.is_some() {
            self.grow_older(plan, grants);
        }
        if registers {
            self.admit_heads(plan, allocated, before.as_ref());
        }
        let discarding = plan.drops().then(|| self.discarding(grants));
        let serves = before.is_none();
        if plan.replicates() {
            self.commit::<true>(plan, routing, next, grants, serves, wires);
        } else {
            self.commit::<false>(plan, routing, next, grants, serves, wires);
        }
        if let Some(due) = due {
            self.expire(plan, &due, next);
        }
        if let Some(discarding) = discarding {
            self.drop_flits(plan, routing, &discarding, wires);
        }
        if registers {
            self.admit_streams(plan, grants, full);
            if before.is_some() {
                self.allocator.commit(allocated);
                self.register_grants(plan, (allocated, grants), full);
            }
            self.contention.late_mean = late_mean;
        }
    }

    /// What counters are compared with in the next cycle, where that is a late mean.
    fn next_late_mean(&self, plan: &Plan<P>) -> Option<LateMean> {
        let (total, ports) = (self.contention.total(), self.here.wired.len() as u32);
        self.contention.late_mean.map(|mean| mean.next(plan.selection.thresholds().average, total, ports))
    }

    /// What follows from the grants that are carried out in a cycle, selection beside it. `serves`: they are of this cycle, and move the
    /// pointers of the allocator. `COPIES`: some packets leave by several outputs.
    #[inline(always)]
    fn commit<const COPIES: bool>(
        &mut self,
        plan: &Plan<P>,
        routing: &impl Route<B>,
        next: u64,
        grants: &Grants<P, B>,
        serves: bool,
        wires: &mut impl Wires,
    ) {
        self.deciding = VcSets::EMPTY;
        if !self.undecided.is_empty() {
            if plan.links.flow.backtracks() {
                self.search(plan, grants);
            } else {
                self.select(plan, grants);
            }
        }
        let shown = self.look_ahead::<COPIES>(plan, routing, grants);
        for granted in grants.iter() {
            if serves {
                self.allocator.serve(grants, granted.input);
            }
            self.traverse::<COPIES>(plan, routing, next, granted, shown.contains(granted.input), wires);
        }
        if serves {
            self.allocator.rotate(grants);
        }
    }

    #[inline(always)]
    pub(crate) fn view<'a>(&'a self, plan: &'a Plan<P>) -> Outputs<'a, P, V, B> {
        let closed = (self.full.get(), self.held.outputs());
        plan.outputs(&self.outputs, &self.owned, &self.lent, &self.contention, self.here.wired, closed)
    }

    /// Stage 6: the FIFOs that were full send a flit in each link cycle.
    #[inline(always)]
    fn drain(&mut self, next: u64) {
        for port in self.full.get() {
            if !self.is_fifo_full(port, next) {
                self.full.remove(port);
            }
        }
    }
}
