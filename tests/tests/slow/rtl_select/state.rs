//! The outputs of a router at a random moment.

use super::sizes::Sizes;
use super::{P, V};
use crate::rtl_unit::bench::Chance;
use router_core::contention::Contention;
use router_core::lent::Lent;
use router_core::links::FlowControl;
use router_core::output::OutputPort;
use router_core::per_port::PerPort;
use router_core::plan::Plan;
use router_core::select::{Outputs, Preference};
use router_core::units::{Channel, PortId, PortSet, VcSet};

/// The outputs of a router at some moment.
pub(super) struct State {
    pub(super) plan: Plan<P>,
    pub(super) ports: PerPort<OutputPort<V>, P>,
    pub(super) owned: PerPort<VcSet, P>,
    pub(super) contention: Contention<P>,
    pub(super) wired: PortSet,
}

impl State {
    pub(super) fn random(sizes: &Sizes, chance: &mut Chance) -> Self {
        let mut plan = sizes.plan();
        plan.options.output_flits = 1 + chance.below(6) as u32;
        plan.links.flow =
            [FlowControl::Vct, FlowControl::Wormhole, FlowControl::StoreAndForward][chance.below(3)];
        let fullness = chance.below(5);
        let mut owned = PerPort::default();
        let ports = PerPort::from_fn(|port| {
            let (out, held) = random_output(sizes, &plan, port, fullness, chance);
            owned.set(PortId::new(port as u8), held);
            out
        });
        let mut contention = Contention::default();
        for port in 0..sizes.ports() {
            let most = [1, 4, 12][chance.below(3)];
            (0..chance.below(most)).for_each(|_| contention.rise(PortId::new(port as u8)));
        }
        // Some group's word on the way that the packet is about to take.
        contention.notices.replace([0].into_iter());
        contention.notices.heed(Channel::default(), chance.happens(1, 3).then_some(0));
        let all = (1 << sizes.ports()) - 1;
        let wired = if chance.happens(1, 2) { all } else { chance.some(all) };
        Self { plan, ports, owned, contention, wired: PortSet::from_bits(wired) }
    }

    pub(super) fn view(&self) -> Outputs<'_, P, V> {
        let Self { plan, ports, owned, contention, wired } = self;
        let is_full =
            |port: &PortId| ports.get(*port).is_some_and(|out| out.is_full(0, plan.options.output_flits));
        let full = (0..P as u8)
            .map(PortId::new)
            .filter(is_full)
            .fold(PortSet::EMPTY, |all, port| all.union(PortSet::only(port)));
        let (links, wired) = (&plan.links, *wired);
        let (lent, waits_for_detours, asks_one) = (&Lent::NONE, false, false);
        let held = PortSet::EMPTY;
        Outputs {
            links,
            ports,
            owned,
            lent,
            contention,
            wired,
            waits_for_detours,
            asks_one,
            preference: Preference::RANDOM,
            full,
            held,
        }
    }
}

/// An output with some flits sent, its FIFO full now and then; and the VCs behind it that are held.
pub(super) fn random_output(
    sizes: &Sizes,
    plan: &Plan<P>,
    port: usize,
    fullness: usize,
    chance: &mut Chance,
) -> (OutputPort<V>, VcSet) {
    let mut held = VcSet::EMPTY;
    if port >= sizes.ports() {
        return (OutputPort::new(0), held);
    }
    let id = PortId::new(port as u8);
    let depth = plan.links.buffer(id);
    let mut out = OutputPort::new(depth);
    let mut waiting = if chance.happens(1, 4) {
        plan.options.output_flits as usize
    } else {
        chance.below(plan.options.output_flits as usize)
    };
    for vc in plan.links.vcs(id) {
        let used = match chance.below(8) {
            0 => 0,
            1 => depth,
            2 => depth - 1,
            _ => chance.below(usize::from(depth) * (fullness + 1) / 5 + 1) as u16,
        };
        for _ in 0..used {
            if waiting > 0 {
                waiting -= 1;
                out.push(vc, 0);
            } else {
                out.credits.take(vc);
            }
        }
        if chance.happens(1, 8) {
            held.insert(vc);
        }
    }
    (out, held)
}
