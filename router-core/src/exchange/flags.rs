//! Registers of the flags of a group (piggybacking), behind the pins: those that a router sends, and those of the other routers. They move
//! in each internal cycle.
//!
//! In each cycle a router sends the flags of its global links that were congested in the cycle before. Flags that come in cycle `t` replace
//! the earlier ones of their router in `t + 1`. Where packets are decided once, a head that is on the wire of its node in cycle `t` gets
//! its way by the queues, the router's own flags and the known flags of the others in that cycle. The input register takes it with that way
//! in its header. Where packets [observe](Plan::listens) the flags while they wait, selection knows in `t + 1` the ways that the flags
//! known in cycle `t` make contended.

use super::others;
use crate::event::ProtocolError;
use crate::header::{Flit, Header};
use crate::pins::{Bundle, FlitSignal, Pins};
use crate::plan::Plan;
use crate::route::ways::Exit;
use crate::route::{Arrival, Here, Route};
use crate::units::{PortClass, PortId, PortSet, VcId};
use crate::vc::Descriptor;

/// The registers. The store holds, row by row and for each VC of each global link, whether it is flagged: by this router, as it tells it now,
/// and as each of the others has broadcast last. [`Flags::places`] places.
#[derive(Clone, Copy, Debug)]
pub struct Flags<S> {
    /// Flags of a row.
    each: usize,
    /// Routers that tell.
    others: usize,
    /// Whether this router tells.
    told: bool,
    rows: S,
}

/// Ports of a class before a port.
fn place<const P: usize>(plan: &Plan<P>, port: PortId) -> usize {
    let class = plan.links.class(port);
    (0..port.number()).filter(|&before| plan.links.class(PortId::new(before)) == class).count()
}

impl<S: AsRef<[u16]>> Flags<S> {
    /// Places of the store for a router of such a plan.
    pub fn places<const P: usize>(plan: &Plan<P>) -> usize {
        others(plan).wrapping_add(1).wrapping_mul(plan.told().into())
    }

    /// As after reset. All places of the store are 0.
    pub fn new<const P: usize>(plan: &Plan<P>, rows: S) -> Self {
        Self { each: plan.told().into(), others: others(plan), told: false, rows }
    }

    /// A view of it, for reading.
    pub fn view(&self) -> Flags<&[u16]> {
        let Self { each, others, told, ref rows } = *self;
        Flags { each, others, told, rows: rows.as_ref() }
    }

    fn row(&self, number: usize) -> &[u16] {
        let from = number.wrapping_mul(self.each);
        self.rows.as_ref().get(from..from.wrapping_add(self.each)).unwrap_or_default()
    }

    /// What it tells in this cycle.
    pub fn tells(&self) -> Option<&[u16]> {
        self.told.then(|| self.row(0))
    }

    /// What this router (0) or another one of its group has broadcast last of a VC of a link.
    pub fn heard(&self, from: u8, flag: u16) -> u16 {
        self.row(from.into()).get(usize::from(flag)).copied().unwrap_or_default()
    }

    /// The place of a VC of a global link in a row.
    fn flag<const P: usize>(plan: &Plan<P>, port: PortId, vc: VcId) -> u16 {
        let vcs = u16::from(plan.links.sizes(PortClass::GLOBAL).vcs);
        (place(plan, port) as u16).wrapping_mul(vcs).wrapping_add(vc.number().into())
    }

    /// The groups to which the global link is flagged by the router that has it.
    fn contended<const P: usize>(
        &self,
        plan: &Plan<P>,
        routing: &impl Route,
        here: &Here,
    ) -> impl Iterator<Item = u32> {
        (0..u32::from(plan.groups)).filter(|&group| {
            routing.exit(here, group).is_some_and(|Exit { behind, port, vc }| {
                self.heard(Self::row_of(plan, behind), Self::flag(plan, port, vc)) != 0
            })
        })
    }

    /// The row of the router behind a local port, or of this one.
    fn row_of<const P: usize>(plan: &Plan<P>, behind: Option<PortId>) -> u8 {
        behind.map_or(0, |behind| place(plan, behind).wrapping_add(1) as u8)
    }

    /// The header of a packet that is on the wire of its node, with the way that it takes.
    fn decided<D, const P: usize, const V: usize, const F: usize>(
        &self,
        pins: &Pins<D, P, V, F>,
        plan: &Plan<P>,
        routing: &impl Route,
        from: Arrival,
        header: &Header,
    ) -> Header
    where
        D: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
    {
        let is_flagged =
            |behind, port, vc| self.heard(Self::row_of(plan, Some(behind)), Self::flag(plan, port, vc)) != 0;
        let takes_detour = pins.router().takes_detour(plan, routing, from, header, is_flagged);
        Header { progress: header.progress.with_via_ahead(takes_detour), ..*header }
    }
}

impl<S: AsRef<[u16]> + AsMut<[u16]>> Flags<S> {
    /// One internal cycle of a router and of what it tells and hears: what it drives. `notices` are the flags that come in this cycle, each
    /// row with the place of its sender among the router's local ports.
    ///
    /// # Errors
    /// As [`Pins::step`].
    pub fn step<'n, D, const P: usize, const V: usize, const F: usize>(
        &mut self,
        pins: &mut Pins<D, P, V, F>,
        plan: &Plan<P>,
        routing: &impl Route,
        inputs: &Bundle<P>,
        notices: impl Iterator<Item = (usize, &'n [u16])>,
    ) -> (Bundle<P>, Result<(), ProtocolError>)
    where
        D: AsRef<[Descriptor]> + AsMut<[Descriptor]>,
    {
        // Everything that is read is as it was at the end of the cycle before.
        let mut inputs = inputs.clone();
        let decided = if plan.listens() { <PortSet>::EMPTY } else { plan.links.nodes() };
        for port in decided {
            let mut signals = inputs.at(port);
            if let Some(FlitSignal { vc, flit: Flit::Head(packet) }) = &mut signals.flit {
                let from = Arrival { port, kind: PortClass::NODE, vc: *vc };
                packet.header = self.decided(pins, plan, routing, from, &packet.header);
                inputs.set(port, signals);
            }
        }
        let own = self.rows.as_mut().get_mut(..self.each).unwrap_or_default();
        let links = plan.links.each().filter(|&port| plan.links.class(port) == PortClass::GLOBAL);
        let flags = links.flat_map(|port| {
            let flags = pins.router().flags(plan, port);
            plan.links.vcs(port).iter().map(move |vc| flags.contains(vc))
        });
        own.iter_mut().zip(flags).for_each(|(own, flag)| *own = flag.into());
        self.told = true;
        let driven = pins.step(plan, routing, &inputs);
        if plan.listens() {
            let here = *pins.router().here();
            pins.tell(plan, routing, self.contended(plan, routing, &here));
        }
        for (from, flags) in notices.filter(|&(from, _)| from < self.others) {
            let at = from.wrapping_add(1).wrapping_mul(self.each);
            if let Some(row) = self.rows.as_mut().get_mut(at..at.wrapping_add(self.each)) {
                row.iter_mut().zip(flags).for_each(|(kept, &flag)| *kept = flag);
            }
        }
        driven
    }
}
