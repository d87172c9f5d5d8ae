//! End nodes send: one flit a cycle each.

use super::super::active::ActiveSet;
use super::super::constants::Constants;
use super::super::launch::{Launch, Launches};
use super::super::packets::Record;
use super::super::shard::Shard;
use super::super::wheel::OnWire;
use super::injection_vc::vc_for;
use super::paths::Leaving;
use super::{Kind, Sending};
use crate::traffic::Generated;
use router_core::header::Address;
use router_core::route::Route;
use router_core::units::{Bits, VcId};

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    pub(in super::super) fn wake_nodes(&mut self) {
        let Self { timers, ready, cycle, .. } = self;
        timers.ring(*cycle, |node| ready.insert(node as usize));
    }

    /// Each node that has a flit to send and a credit for it puts it on its wire. Returns whether any node was ready.
    pub(in super::super) fn inject<R: Route<B>>(&mut self, constants: &Constants<'_, P, R>) -> bool {
        let mut ready = std::mem::replace(&mut self.ready, ActiveSet::new(0));
        let any = ready.retain(|node| self.inject_at(constants, node));
        self.ready = ready;
        any
    }

    /// Says whether the node may have something to send in the next cycle.
    #[inline]
    fn inject_at<R: Route<B>>(&mut self, constants: &Constants<'_, P, R>, at: usize) -> bool {
        if self.node_rates.as_ref().is_some_and(|rates| rates.is_taken(at, self.cycle)) {
            return true;
        }
        let node = &mut self.nodes[at];
        match node.sending {
            Sending::Packet { vc, left } => {
                if node.credits[vc.index()] == 0 {
                    return constants.ack_vcs > 0 && self.overtake(constants, at, (vc, left));
                }
                node.sending =
                    if left == 1 { Sending::Between } else { Sending::Packet { vc, left: left - 1 } };
                let (to, when) = (node.at, self.wire_time(constants));
                self.wheel.body(when, OnWire::new(to, vc, left == 1));
                self.count_sent(at, vc);
                true
            }
            Sending::Between => self.start_packet(constants, at),
            Sending::Probing { .. } => false,
            Sending::Paused { tag, until } => until <= self.cycle && self.probe_again(constants, at, tag),
        }
    }

    /// When the router writes what a node puts on its wire now.
    #[inline(always)]
    pub(super) fn wire_time<R>(&self, constants: &Constants<'_, P, R>) -> u64 {
        constants.speedup * self.cycle + constants.node_delay + 1
    }

    /// Starts the next packet of a node, if it is due and there is room for it.
    fn start_packet<R: Route<B>>(&mut self, constants: &Constants<'_, P, R>, at: usize) -> bool {
        let when = self.wire_time(constants);
        if self.reservations.is_some() {
            self.ask(constants, at);
        }
        if constants.adapters.are_by_destination {
            self.queue_by_destination(constants, at);
        }
        let node = &mut self.nodes[at];
        // For what is not yet due a timer has been set.
        let Some((kind, packet)) = node.due(&constants.adapters, self.cycle) else {
            self.set_alarm(constants, at);
            return false;
        };
        let room = constants.flow.room(packet.flits, true).max(constants.head_room);
        // Replies may have VCs of their own.
        let own = if kind.is_reply() { 0..constants.ack_vcs } else { constants.ack_vcs..node.vcs };
        let vcs = if constants.ack_vcs == 0 { 0..node.vcs } else { own };
        let room = (&node.credits[usize::from(vcs.start)..usize::from(vcs.end)], room);
        let to = (packet.to, constants.addresses.len());
        let own = (constants.traffic.seed, self.first_node + at, self.cycle);
        let Some(vc) = vc_for(constants.traffic.injection_vc, room, to, own) else {
            return false;
        };
        let vc = VcId::new(vcs.start + vc.number());
        self.leave_queue(constants, at, (kind, &packet));
        self.note_sent(constants, at, packet.to);
        let tag = self.packets.enter(Record {
            generated: packet.at,
            injected: self.cycle,
            from: (self.first_node + at) as u32,
            to: packet.to,
            length: packet.flits,
            kind,
            ..Record::default()
        });
        let entry = self.nodes[at].at;
        let here = *self.routers[entry.as_port::<P>().0].router.here();
        let to = constants.addresses[packet.to as usize];
        let length = packet.flits + self.address_flits(constants, at, (here.router, to.router));
        let left = length - 1;
        self.nodes[at].sending = match left {
            0 => Sending::Between,
            _ if self.circuits.is_some() => Sending::Probing { vc, left, tag },
            _ => Sending::Packet { vc, left },
        };
        let backward = kind.is_backward();
        let launch = || Launch { here, to, length, backward, when, at: entry, vc, tag };
        match &mut self.launches {
            _ if constants.chooser.is_some() => self.launch_chosen(constants, at, (kind, packet), &launch()),
            _ if self.reservations.is_some() => self.launch_asked(constants, (at, kind), &launch()),
            Launches::Now(random) => {
                let launch = launch();
                launch.onto(&mut self.wheel, launch.header(constants, random));
            }
            Launches::Later(launches) => launches.push(launch()),
        }
        self.count_sent(at, vc);
        true
    }

    /// A packet waits for room in the middle: a reply of one flit with VCs of its own leaves meanwhile, if one waits.
    #[inline(never)]
    fn overtake<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        at: usize,
        (vc, left): (VcId, u16),
    ) -> bool {
        let node = &mut self.nodes[at];
        let is_reply =
            node.source.due(self.cycle).is_some_and(|(kind, packet)| kind.is_reply() && packet.flits == 1);
        if !is_reply {
            return false;
        }
        node.sending = Sending::Between;
        let has_left = self.start_packet(constants, at);
        self.nodes[at].sending = Sending::Packet { vc, left };
        has_left
    }

    /// What a node has just sent leaves its queue.
    #[inline(always)]
    fn leave_queue<R>(
        &mut self,
        constants: &Constants<'_, P, R>,
        at: usize,
        (kind, packet): (Kind, &Generated),
    ) {
        let (node, cycle) = (&mut self.nodes[at], self.cycle);
        if kind == Kind::Request {
            node.control.on_sent(packet, cycle);
        }
        if kind == Kind::Request && constants.adapters.are_by_destination {
            return;
        }
        node.source.drop_first(kind, constants.traffic);
        if kind == Kind::Request
            && node.source.asked.is_none()
            && let Some(next) = node.source.request.filter(|next| next.at > cycle)
        {
            self.timers.set(cycle + 1, next.at, at as u32);
        }
    }

    /// A request that is held back, and that nothing will come for, is looked at again when it may be sent.
    #[inline]
    fn set_alarm<R>(&mut self, constants: &Constants<'_, P, R>, at: usize) {
        let (node, cycle) = (&mut self.nodes[at], self.cycle);
        let adapters = &constants.adapters;
        if let Some(alarm) = adapters.have_alarms().then(|| node.next_alarm(adapters, cycle)).flatten() {
            self.timers.set(cycle + 1, alarm, at as u32);
        }
    }

    /// A new packet leaves by the path that its node chooses; what the node draws from is its own.
    #[inline(never)]
    fn launch_chosen<R>(
        &mut self,
        constants: &Constants<'_, P, R>,
        at: usize,
        (kind, packet): (Kind, Generated),
        launch: &Launch<B>,
    ) {
        let node = &mut self.nodes[at];
        let (Some(chooser), Some(choice)) = (&constants.chooser, &mut node.choice) else { return };
        let from = Address { router: launch.here.router, port: node.at.as_port::<P>().1.number() };
        let leaving = Leaving { kind, from, to: (packet.to, launch.to), flits: packet.flits };
        let (mut header, width) = choice.header(chooser, leaving, self.cycle);
        self.tally.choose_path(width);
        header.carried = header.carried.with_marks(false, launch.backward);
        launch.onto(&mut self.wheel, header);
    }

    #[inline(always)]
    pub(super) fn count_sent(&mut self, at: usize, vc: VcId) {
        self.nodes[at].credits[vc.index()] -= 1;
        if let Some(rates) = &mut self.node_rates {
            rates.send(at, self.cycle);
        }
        self.injected[at] += 1;
        self.moved = self.moved.max(self.cycle);
    }
}
