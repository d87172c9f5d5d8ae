//! How far behind its head the tail of a packet comes that is alone in the network.
//!
//! With buffers of a round trip of credits, flits follow each other in each cycle. A shorter buffer lets a window of flits pass in each
//! round trip. A round trip is a flit's way over the link, through the router behind it, and the credit's way back.

use crate::blueprint::Blueprint;
use crate::scenario::FlowControl;
use router_core::units::PortClass;

/// The links of a class, and the buffer of a VC behind them.
#[derive(Debug, Clone, Copy)]
struct Window {
    /// Link cycles of a flit and of a credit.
    latency: u64,
    credit_latency: u64,
    /// Flits of the buffer.
    buffer: usize,
}

/// The pace of flits in an empty network whose links between routers are of one class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    node: Window,
    local: Window,
    /// Internal cycles of a head from wire to wire, and of a link cycle.
    pipeline: u64,
    speedup: u64,
    /// Whether a packet may be longer than a buffer.
    is_cut: bool,
}

impl Pace {
    /// That of a network.
    pub(crate) fn new(blueprint: &Blueprint) -> Self {
        let scenario = blueprint.scenario();
        let options = scenario.router.options;
        let window = |class| Window {
            latency: blueprint.latency(class).into(),
            credit_latency: scenario.links.credit_latency[class].into(),
            buffer: scenario.router.buffer_flits[class] as usize,
        };
        Self {
            node: window(PortClass::NODE),
            local: window(PortClass::LOCAL),
            pipeline: options.pipeline.cycles().into(),
            speedup: options.speedup.into(),
            is_cut: options.flow_control == FlowControl::Wormhole,
        }
    }

    /// Link cycles from the head of a packet of so many flits to its tail, after so many hops between routers.
    pub(crate) fn behind(&self, hops: u16, flits: u16) -> u64 {
        let at_full_pace = u64::from(flits).saturating_sub(1);
        let shortest = self.node.buffer.min(self.local.buffer);
        if !self.is_cut || shortest >= usize::from(flits) || shortest as u64 >= self.longest_round_trip() {
            return at_full_pace;
        }
        let mut way = Way::new(self, hops);
        let head = way.send(self, true);
        (1..flits).map(|_| way.send(self, false)).last().map_or(0, |tail| tail - head)
    }

    /// At least as many link cycles as any buffer needs for a flit in each cycle.
    fn longest_round_trip(&self) -> u64 {
        let wires = [self.node, self.local].map(|window| window.latency + window.credit_latency);
        let routers = (2 * self.pipeline).div_ceil(self.speedup);
        wires.into_iter().max().unwrap_or(0) + routers + 2
    }
}

/// The links of a packet's way: when the flits sent so far were on each.
struct Way {
    links: Vec<Track>,
    /// Flits sent.
    sent: usize,
}

/// One link.
struct Track {
    window: Window,
    /// The first link cycle in which it is free.
    free_at: u64,
    /// For each place of the buffer behind it, the internal cycle in which its credit was back; 0: it was never used.
    credits: Vec<u64>,
}

impl Way {
    /// That of a packet with so many hops: a link from its node, the hops, and a link to its node.
    fn new(pace: &Pace, hops: u16) -> Self {
        let track = |window: Window| Track { window, free_at: 0, credits: vec![0; window.buffer] };
        let hops = (0..hops).map(|_| pace.local);
        let windows = std::iter::once(pace.node).chain(hops).chain([pace.node]);
        Self { links: windows.map(track).collect(), sent: 0 }
    }

    /// Sends the next flit: the link cycle in which it is on the last link.
    fn send(&mut self, pace: &Pace, is_head: bool) -> u64 {
        let Pace { pipeline, speedup, .. } = *pace;
        let flit = self.sent;
        self.sent += 1;
        // When the flit comes to the router, and the place that it takes there: none before it leaves its node.
        let mut before: Option<(u64, &mut u64, u64)> = None;
        let mut on_link = 0;
        for Track { window, free_at, credits } in &mut self.links {
            let place = flit % window.buffer;
            let credit = &mut credits[place];
            let ready = match before {
                // The node sends with what has come by the end of the cycle before.
                None if *credit == 0 => 0,
                None => *credit / speedup + 1,
                Some((written, place, back)) => {
                    let own = written + pipeline - 3 + u64::from(is_head);
                    let crosses = own.max(if *credit > 0 { *credit + pipeline - 3 } else { 0 });
                    *place = crosses + 2 + speedup * back;
                    crosses / speedup + 1
                }
            };
            on_link = ready.max(*free_at);
            *free_at = on_link + 1;
            let written = speedup * (on_link + window.latency) + 1;
            before = Some((written, credit, window.credit_latency));
        }
        // A node gives the place back at once.
        if let Some((written, place, back)) = before {
            *place = written + speedup * back;
        }
        on_link
    }
}
