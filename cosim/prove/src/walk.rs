//! Every state that packets for one destination can be in: where, and with which header.

use crate::channel::{Channel, Number};
use crate::error::ProveError;
use crate::network::{Hop, Network, Target};
use router_core::header::Header;
use router_core::route::Route;
use router_core::units::Bits;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Most states of packets for one destination.
const MOST_STATES: usize = 1 << 26;

/// A packet in a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) channel: Number,
    /// The number of its header.
    header: u32,
}

/// The states of packets for one destination.
pub(crate) struct Walk {
    pub(crate) states: Vec<State>,
    headers: Vec<Header>,
    /// The first states are those of new packets.
    pub(crate) sources: usize,
    /// Where the hops of each state start in `next`.
    starts: Vec<usize>,
    /// States that hops lead to.
    next: Vec<u32>,
    /// The first state with a hop to a node that the packet is not for.
    pub(crate) misdelivered: Option<usize>,
}

impl Walk {
    /// Walks every hop of every packet for `node`, or the group with that number; `see` is given each state with the packet's hops.
    pub(crate) fn of<B: Bits>(
        network: &Network<'_, impl Route<B>, B>,
        node: u32,
        mut see: impl FnMut(Number, &Header, &[Hop]),
    ) -> Result<Self, ProveError> {
        let mut search = Search::default();
        search.start(network, node);
        let mut walk = Self {
            states: Vec::new(),
            headers: Vec::new(),
            sources: search.states.len(),
            starts: vec![0],
            next: Vec::new(),
            misdelivered: None,
        };
        let mut hops = Vec::new();
        let mut at = 0;
        while let Some(&state) = search.states.get(at) {
            let header = search.headers[state.header as usize];
            network.hops(state.channel, &header, &mut hops)?;
            if hops.iter().any(|hop| matches!(hop.to, Target::Node(other) if !network.is_for(node, other))) {
                walk.misdelivered.get_or_insert(at);
            }
            for hop in &hops {
                if let Target::Channel(channel, header) = hop.to {
                    walk.next.push(search.state(channel, header));
                }
            }
            walk.starts.push(walk.next.len());
            see(state.channel, &header, &hops);
            at += 1;
            if at > MOST_STATES {
                return Err(ProveError::TooLarge { limit: MOST_STATES });
            }
        }
        (walk.states, walk.headers) = (search.states, search.headers);
        Ok(walk)
    }

    /// The states that the hops of a state lead to.
    pub(crate) fn next(&self, state: usize) -> &[u32] {
        &self.next[self.starts[state]..self.starts[state + 1]]
    }

    /// All states that a packet can come to from one, that one first.
    pub(crate) fn onward(&self, state: usize) -> Vec<usize> {
        let mut found = vec![state];
        let mut seen = vec![false; self.states.len()];
        seen[state] = true;
        let mut at = 0;
        while let Some(&from) = found.get(at) {
            for &to in self.next(from) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    found.push(to as usize);
                }
            }
            at += 1;
        }
        found
    }

    /// The header of a packet in a state.
    pub(crate) fn header(&self, state: usize) -> Header {
        self.headers[self.states[state].header as usize]
    }

    /// Hops to other routers of all states together.
    pub(crate) fn hops(&self) -> usize {
        self.next.len()
    }

    /// Hops between routers of the longest route; `None`: a packet can come back to a state that it was in.
    pub(crate) fn longest_route(&self) -> Option<u32> {
        let mut waiting = vec![0u32; self.states.len()];
        self.next.iter().for_each(|&to| waiting[to as usize] += 1);
        let mut ready: Vec<usize> = (0..self.states.len()).filter(|&state| waiting[state] == 0).collect();
        let mut hops = vec![0; self.states.len()];
        let (mut longest, mut passed) = (0, 0);
        while let Some(state) = ready.pop() {
            passed += 1;
            longest = longest.max(hops[state]);
            for &to in self.next(state) {
                let to = to as usize;
                hops[to] = hops[to].max(hops[state] + 1);
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    ready.push(to);
                }
            }
        }
        (passed == self.states.len()).then_some(longest)
    }

    /// The state of a packet with this header in this channel.
    pub(crate) fn find(&self, channel: Number, header: &Header) -> Option<usize> {
        let is = |state: &State| state.channel == channel && self.headers[state.header as usize] == *header;
        self.states.iter().position(is)
    }

    /// How packets come to a state by the fewest hops.
    pub(crate) fn towards(&self, state: usize) -> Towards {
        let mut before = vec![Vec::new(); self.states.len()];
        for from in 0..self.states.len() {
            self.next(from).iter().for_each(|&to| before[to as usize].push(from as u32));
        }
        let mut steps = vec![None; self.states.len()];
        steps[state] = Some(Step { next: state as u32, left: 0 });
        let mut queue = VecDeque::from([(state as u32, 0)]);
        while let Some((to, left)) = queue.pop_front() {
            for &from in &before[to as usize] {
                if steps[from as usize].is_none() {
                    steps[from as usize] = Some(Step { next: to, left: left + 1 });
                    queue.push_back((from, left + 1));
                }
            }
        }
        Towards(steps)
    }

    /// The new packet with the shortest way to a state; the first of several.
    pub(crate) fn nearest(&self, towards: &Towards) -> Option<usize> {
        (0..self.sources)
            .filter(|&source| towards.0[source].is_some())
            .min_by_key(|&at| towards.0[at].map(|step| step.left))
    }
}

/// The next state on a shortest way, and the hops that are left.
#[derive(Debug, Clone, Copy)]
struct Step {
    next: u32,
    left: u32,
}

/// The shortest ways from all states to one.
pub(crate) struct Towards(Vec<Option<Step>>);

/// The states found so far.
#[derive(Default)]
struct Search {
    states: Vec<State>,
    numbers: FxHashMap<State, u32>,
    headers: Vec<Header>,
    header_numbers: FxHashMap<Header, u32>,
}

impl Search {
    /// Adds the new packets of all other nodes; of those that are members, to a group.
    fn start<B: Bits>(&mut self, network: &Network<'_, impl Route<B>, B>, node: u32) {
        let to = network.address(node);
        for (router, nodes) in network.senders() {
            for header in network.launches(router, to) {
                for &from in nodes.iter().filter(|&&from| network.is_from(from, node)) {
                    let header = network.at_its_level(header, from);
                    for entry in network.entries(from) {
                        self.state(network.numbering.number(entry), header);
                    }
                }
            }
        }
    }

    /// The number of a state.
    fn state(&mut self, channel: Number, header: Header) -> u32 {
        let headers = &mut self.headers;
        let header = *self.header_numbers.entry(header).or_insert_with(|| {
            headers.push(header);
            headers.len() as u32 - 1
        });
        let (states, state) = (&mut self.states, State { channel, header });
        *self.numbers.entry(state).or_insert_with(|| {
            states.push(state);
            states.len() as u32 - 1
        })
    }
}

/// The channels of a route, as a list.
pub(crate) fn route<B: Bits>(
    network: &Network<'_, impl Route<B>, B>,
    walk: &Walk,
    towards: &Towards,
    from: usize,
) -> Vec<Channel> {
    let mut route = vec![network.numbering.channel(walk.states[from].channel)];
    let mut at = from;
    while let Some(Step { next, .. }) = towards.0[at].filter(|step| step.left > 0) {
        at = next as usize;
        route.push(network.numbering.channel(walk.states[at].channel));
    }
    route
}
