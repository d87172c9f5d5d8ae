//! Links between routers that lose packets and credits, and how credits come over them: a pulse for each place, or by InfiniBand's flow control
//! packets ([`router_core::absolute_credits`]).
//!
//! Every link is tapped, so that other networks pay nothing, and the network is one shard. A flit is a block of 64 bytes. What is lost is drawn:
//! packets, heads to tails, and credits or flow control packets, each for itself. With flow control packets the credits of a router stay in the
//! port, which has a packet sent for each virtual channel in each period; it takes an eighth of a flit's time from the link. Where it
//! arrives, the router is given as many credits as its limit has moved by, one in an internal cycle. Times are internal cycles.

use super::endpoint::Kind;
use super::packets::Packets;
use super::signal::Signal;
use super::wheel::{End, Wheel};
use super::wires::Way;
use crate::blueprint::Blueprint;
use crate::scenario::{CreditForm, Loss};
use crate::topology::Peer;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;
use router_core::absolute_credits::{BLOCK_BYTES, Blocks, PACKET_BYTES, Receiver, Sender};
use router_core::header::Flit;
use router_core::units::VcId;
use std::collections::VecDeque;

/// Whether links lose anything, or credits are absolute.
pub(crate) fn is_on(blueprint: &Blueprint) -> bool {
    blueprint.scenario().links.is_tapped()
}

/// The longest additional delay of a signal. A flit waits for no more flits than have credits, and for flow control packets, which take
/// half of the link at most. A credit of a flow control packet goes behind that packet, and behind no more credits than there are.
pub(crate) fn longest(blueprint: &Blueprint) -> u64 {
    let router = &blueprint.scenario().router;
    let flits = u64::from(router.vcs.highest()) * u64::from(router.buffer_flits.highest());
    if blueprint.scenario().links.credits == CreditForm::Absolute {
        2 * u64::from(router.options.speedup) * (flits + 1) + flits
    } else {
        0
    }
}

/// For how many link cycles more nothing may move: a hundred flow control packets are not lost one after the other.
pub(crate) fn patience(blueprint: &Blueprint) -> u64 {
    let links = &blueprint.scenario().links;
    if links.credits == CreditForm::Absolute { 100 * u64::from(links.credit_period) } else { 0 }
}

/// What is on its way in a virtual channel of a link, and when it arrives.
#[derive(Debug, Clone, Copy)]
enum Coming {
    Flit,
    /// A flow control packet says how many flits have been sent.
    Sent(Blocks),
}

/// A virtual channel of a link, one way: its sender at one end, and its receiver at the other.
#[derive(Debug, Clone, Default)]
struct Lane {
    sender: Sender,
    receiver: Receiver,
    /// Free places at the receiver, what has come since the last flow control packet apart.
    room: u16,
    coming: VecDeque<(u64, Coming)>,
    /// The rest of a packet that is lost.
    loses: bool,
    /// Places that the sender does not know to be free; pulses never make them known.
    owed: u64,
}

impl Lane {
    /// A flow control packet is made at the receiver: by how much the sender's limit moves. The sender has it at once; what it may send by it
    /// comes later.
    fn grant(&mut self, now: u64) -> u16 {
        while let Some((_, coming)) = self.coming.pop_front_if(|&mut (when, _)| when <= now) {
            match coming {
                Coming::Flit => {
                    self.receiver.receive(1);
                    self.room -= 1;
                }
                Coming::Sent(flits) => self.receiver.hear(flits),
            }
        }
        let before = self.sender.room();
        self.sender.hear(self.receiver.limit(self.room));
        let granted = self.sender.room() - before;
        self.owed -= u64::from(granted);
        granted
    }
}

/// A link, one way, by the router and the port that flits leave by.
#[derive(Debug, Clone, Default)]
struct Direction {
    lanes: Vec<Lane>,
    /// Where it leads, and back.
    to: Option<(End, usize)>,
    /// Its latency.
    delay: u64,
    /// When the last flit arrives, and bytes of flow control packets that have not taken a flit's time yet.
    last: u64,
    bytes: u32,
    /// When the last credit arrives of those that flow control packets stand for, one in an internal cycle.
    last_credit: u64,
}

impl Direction {
    /// When a flit arrives that would at `when`, behind the one before it and the flow control packets in between: those that found the link idle
    /// take no time from it.
    fn behind_flow_packets(&mut self, when: u64, speedup: u64) -> u64 {
        let next = self.last + speedup;
        let idle = u32::try_from(when.saturating_sub(next) / speedup).unwrap_or(u32::MAX);
        self.bytes = self.bytes.saturating_sub(idle.saturating_mul(BLOCK_BYTES));
        let turns = self.bytes / BLOCK_BYTES;
        self.bytes -= turns * BLOCK_BYTES;
        self.last = when.max(next + speedup * u64::from(turns));
        self.last
    }
}

/// All links between the routers of a network.
#[derive(Debug)]
pub(crate) struct LinkCredits {
    radix: usize,
    directions: Vec<Direction>,
    form: CreditForm,
    /// Link cycles between two flow control packets of a virtual channel, and internal cycles to a link cycle.
    period: u64,
    speedup: u64,
    loss: Loss,
    /// Flits that a credit stands for.
    credit_flits: u32,
    random: Xoshiro128PlusPlus,
    /// Flits lost, and the replies and notifications among them.
    pub(crate) flits: u64,
    pub(crate) replies: u64,
}

impl LinkCredits {
    pub(crate) fn new<const P: usize>(blueprint: &Blueprint) -> Option<Self> {
        let (wiring, scenario) = (blueprint.wiring(), blueprint.scenario());
        let speedup = u64::from(scenario.router.options.speedup);
        let direction = |router: usize, port: usize| {
            let Some(Peer::Router { router: there, port: behind }) = wiring.peer(router, port) else {
                return Direction::default();
            };
            let class = wiring.class(router, port);
            let room = scenario.router.buffer_flits[class] as u16;
            let mut lane = Lane { room, ..Lane::default() };
            lane.sender.hear(lane.receiver.limit(room));
            let (there, behind) = (there as usize, usize::from(behind));
            Direction {
                lanes: vec![lane; scenario.router.vcs[class] as usize],
                to: Some((End::port::<P>(there, behind), there * wiring.ports() + behind)),
                delay: speedup * u64::from(blueprint.link_latency(router, port)),
                ..Direction::default()
            }
        };
        let all =
            (0..wiring.routers()).flat_map(|router| (0..wiring.ports()).map(move |port| (router, port)));
        is_on(blueprint).then(|| Self {
            radix: wiring.ports(),
            directions: all.map(|(router, port)| direction(router, port)).collect(),
            form: scenario.links.credits,
            period: scenario.links.credit_period.into(),
            speedup,
            loss: scenario.links.loss,
            credit_flits: scenario.links.credit_flits,
            random: Xoshiro128PlusPlus::seed_from_u64(scenario.run.seed ^ 0x6c6f_7373),
            flits: 0,
            replies: 0,
        })
    }

    /// The next link cycle from `cycle` on in which flow control packets are sent, if they are.
    pub(crate) fn due(&self, cycle: u64) -> Option<u64> {
        (self.form == CreditForm::Absolute).then(|| cycle.next_multiple_of(self.period))
    }

    /// A link cycle begins.
    pub(crate) fn link_cycle(&mut self, cycle: u64, wheel: &mut Wheel) {
        if self.due(cycle) != Some(cycle) {
            return;
        }
        for at in 0..self.directions.len() {
            for lane in 0..self.directions[at].lanes.len() {
                self.send_flow_packet(at, lane, cycle * self.speedup, wheel);
            }
        }
    }

    /// A flow control packet of a virtual channel: how much has been sent this way, and how much may be sent the other way. It goes behind the
    /// flits that are on their way to the wire.
    fn send_flow_packet(&mut self, at: usize, lane: usize, now: u64, wheel: &mut Wheel) {
        let is_lost = self.draws(self.loss.credits);
        let own = &mut self.directions[at];
        let Some((to, back)) = own.to else { return };
        own.bytes = own.bytes.saturating_add(PACKET_BYTES);
        if is_lost {
            return;
        }
        let when = (now + own.delay + 1).max(own.last);
        let here = &mut own.lanes[lane];
        here.coming.push_back((when, Coming::Sent(here.sender.sent())));
        let granted = self.directions[back].lanes.get_mut(lane).map_or(0, |lane| lane.grant(now));
        let own = &mut self.directions[at];
        for _ in 0..granted {
            own.last_credit = when.max(own.last_credit + 1);
            wheel.put(own.last_credit, to, Signal::Credit(VcId::new(lane as u8)));
        }
    }

    /// A signal is put on a wire: when it arrives, and how often. Never where it is lost, or a credit that stays in its port; a credit for several
    /// flits is as many of one.
    pub(super) fn pass<const P: usize>(
        &mut self,
        way: &Way,
        signal: Signal,
        packets: &mut Packets,
    ) -> (u64, u32) {
        let to = way.to.untapped();
        if to.as_node().is_some() {
            return (way.when, 1);
        }
        match signal {
            Signal::Flit(vc, flit) => {
                let at = way.router * self.radix + way.port.index();
                self.send_flit(at, vc, flit, way.when, packets).map_or((way.when, 0), |when| (when, 1))
            }
            Signal::Credit(vc) => {
                let is_absolute = self.form == CreditForm::Absolute;
                let stays = is_absolute || self.draws(self.loss.credits);
                let (there, port) = to.as_port::<P>();
                let lane = &mut self.directions[there * self.radix + port.index()].lanes[vc.index()];
                lane.room += u16::from(is_absolute);
                if self.credit_flits > 1 {
                    lane.owed = (lane.owed + 1) % u64::from(self.credit_flits);
                    return (way.when, if lane.owed == 0 { self.credit_flits } else { 0 });
                }
                lane.owed += u64::from(stays);
                (way.when, u32::from(!stays))
            }
        }
    }

    fn send_flit(
        &mut self,
        at: usize,
        vc: VcId,
        flit: Flit,
        when: u64,
        packets: &mut Packets,
    ) -> Option<u64> {
        let begins_to_lose = matches!(flit, Flit::Head(_)) && self.draws(self.loss.packets);
        let own = &mut self.directions[at];
        let when = if self.form == CreditForm::Absolute {
            own.behind_flow_packets(when, self.speedup)
        } else {
            when
        };
        let lane = own.lanes.get_mut(vc.index())?;
        lane.sender.send(1);
        let is_tail = match flit {
            Flit::Head(packet) => {
                lane.loses = begins_to_lose;
                packet.header.length == 1
            }
            Flit::Body { tail } => tail,
        };
        if !lane.loses {
            if self.form == CreditForm::Absolute {
                lane.coming.push_back((when, Coming::Flit));
            }
            return Some(when);
        }
        lane.loses = !is_tail;
        lane.owed += 1;
        self.flits += 1;
        if let Flit::Head(packet) = flit {
            self.replies += u64::from(packets.leave(packet.tag).kind != Kind::Request);
        }
        None
    }

    /// Places of a virtual channel behind an output that it does not know to be free.
    pub(super) fn owed(&self, router: usize, port: usize, vc: VcId) -> u64 {
        let direction = self.directions.get(router * self.radix + port);
        direction.and_then(|of| of.lanes.get(vc.index())).map_or(0, |lane| lane.owed)
    }

    fn draws(&mut self, share: f64) -> bool {
        share > 0.0 && f64::from(self.random.next_u32()) < share * (f64::from(u32::MAX) + 1.0)
    }
}
