//! Packets that ask for a place on a global link before they leave their node, and what the node says about those of others.

use super::super::constants::Constants;
use super::super::launch::{Launch, Launches};
use super::super::shard::Shard;
use super::{Endpoint, Kind};
use crate::traffic::Generated;
use router_core::header::{Header, Packet};
use router_core::reservation::{Message, with_place};
use router_core::route::{Arrival, Route};
use router_core::units::{Bits, PortClass};
use std::collections::VecDeque;

/// The answer to a packet that has asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// It stays in its group, and needs no place.
    Inside,
    /// It has a place.
    Place,
    /// It has none.
    Detour,
}

/// The requests of a node that have asked, or need not, in their order, and what it has yet to say.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    waiting: VecDeque<(Generated, Option<Told>)>,
    /// The number of the first of them.
    first: u8,
    /// What the questions and answers that wait will say, and about which packet, in their order.
    messages: VecDeque<(Message, u8)>,
    /// Their flits that the node has sent since the last reset.
    pub(crate) flits: u32,
}

impl From<bool> for Told {
    fn from(has_place: bool) -> Self {
        if has_place { Self::Place } else { Self::Detour }
    }
}

impl Asked {
    /// Requests that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The first of them.
    pub(super) fn first(&self) -> Option<&Generated> {
        self.waiting.front().map(|(packet, _)| packet)
    }

    /// The first of them, if it may leave.
    pub(super) fn ready(&self) -> Option<Generated> {
        self.waiting.front().filter(|(_, told)| told.is_some()).map(|(packet, _)| *packet)
    }

    /// One more, which has its answer or waits for it; says its number.
    fn push(&mut self, packet: Generated, told: Option<Told>) -> u8 {
        let number = self.first.wrapping_add(self.waiting.len() as u8);
        self.waiting.push_back((packet, told));
        number
    }

    /// An answer to the packet of a number has come: says whether that waits for one.
    fn learn(&mut self, number: u8, told: Told) -> bool {
        let place = usize::from(number.wrapping_sub(self.first));
        match self.waiting.get_mut(place) {
            Some((_, waits @ None)) => {
                *waits = Some(told);
                true
            }
            _ => false,
        }
    }

    /// The first leaves.
    fn leave(&mut self) -> Option<Told> {
        self.first = self.first.wrapping_add(1);
        self.waiting.pop_front()?.1
    }
}

/// The header of a packet that has its intermediate point ahead, or not.
fn with_via_ahead(header: Header, is_ahead: bool) -> Header {
    Header { progress: header.progress.with_via_ahead(is_ahead), ..header }
}

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// A node asks for its requests that are due, as many as may wait at once.
    #[inline(never)]
    pub(super) fn ask<R>(&mut self, constants: &Constants<'_, P, R>, at: usize) {
        let Self { nodes, reservations: Some(reservations), timers, cycle, first_node, .. } = self else {
            return;
        };
        let Endpoint { source, at: entry, .. } = &mut nodes[at];
        let (here, window) = (entry.as_port::<P>().0, usize::from(reservations.settings.window));
        let address = |node: usize| constants.addresses[node].router;
        let mut has_asked = false;
        while let Some((packet, asked)) = source.next_to_ask(constants.traffic, *cycle, window) {
            has_asked = true;
            let node = *first_node + at;
            let told = match reservations.owner(node, (address(node), address(packet.to as usize))) {
                None => Some(Told::Inside),
                Some(owner) if owner.router == here => {
                    Some(reservations.ask(here, owner.port, *cycle).into())
                }
                Some(owner) => {
                    let number = asked.push(packet, None);
                    asked.messages.push_back((Message::Question(owner.port), number));
                    source.push_answer(Kind::Message, Generated { at: *cycle, to: owner.node, flits: 1 });
                    continue;
                }
            };
            asked.push(packet, told);
        }
        if let Some(next) = source.request.filter(|next| has_asked && next.at > *cycle) {
            timers.set(*cycle + 1, next.at, at as u32);
        }
    }

    /// A new packet leaves by the way of its answer, or with the message that it is.
    #[inline(never)]
    pub(super) fn launch_asked<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        (at, kind): (usize, Kind),
        launch: &Launch<B>,
    ) {
        let Self { nodes, launches: Launches::Now(random), wheel, .. } = self else { return };
        let Some(asked) = &mut nodes[at].source.asked else { return };
        let drawn = launch.header(constants, random);
        if kind == Kind::Message {
            asked.flits += u32::from(launch.length);
            let said = asked.messages.pop_front().map(|(message, number)| message.onto(drawn, number));
            return launch.onto(wheel, said.unwrap_or(drawn));
        }
        let from = Arrival { port: launch.at.as_port::<P>().1, kind: PortClass::NODE, vc: launch.vc };
        let header = match asked.leave() {
            Some(Told::Place) => with_place(drawn),
            Some(Told::Detour) => {
                let has_choice = constants.routing.ways(&launch.here, from, &drawn).is_some();
                with_via_ahead(drawn, has_choice)
            }
            Some(Told::Inside) | None => with_via_ahead(drawn, false),
        };
        launch.onto(wheel, header);
    }

    /// A node receives a request for a place on a link of its router, or an answer.
    #[inline(never)]
    pub(super) fn take_message(&mut self, node: usize, packet: &Packet) {
        let Self { nodes, packets, reservations, tally, cycle, ready, .. } = self;
        let record = packets.leave(packet.tag);
        tally.ack_flits += u64::from(record.length);
        let Endpoint { source, at, .. } = &mut nodes[node];
        let (Some(asked), Some(reservations)) = (&mut source.asked, reservations) else { return };
        ready.insert(node);
        let is_waited_for = match Message::of(&packet.header) {
            (Message::Question(port), number) => {
                let is_free = reservations.ask(at.as_port::<P>().0, port, *cycle);
                asked.messages.push_back((Message::Answer(is_free), number));
                let answer = Generated { at: *cycle + 1, to: record.from, flits: 1 };
                source.push_answer(Kind::Message, answer);
                true
            }
            (Message::Answer(is_free), number) => asked.learn(number, is_free.into()),
        };
        if !is_waited_for {
            self.misdelivered(node, "an answer to a packet that waits for none");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers go round, packets leave in their order, and each waits for one answer.
    #[test]
    fn a_packet_waits_for_one_answer() {
        let mut asked = Asked::default();
        let packet = |to| Generated { at: 0, to, flits: 8 };
        for to in 0..600 {
            let (first, second) = (asked.push(packet(to), None), asked.push(packet(to + 1000), None));
            assert_eq!((u32::from(first), second), (2 * to % 256, first.wrapping_add(1)));
            assert!(asked.learn(second, Told::Detour) && !asked.learn(second, Told::Place));
            assert!(asked.ready().is_none() && !asked.learn(second.wrapping_add(1), Told::Place));
            assert!(asked.learn(first, Told::Place));
            assert_eq!(asked.ready().map(|packet| packet.to), Some(to));
            assert_eq!((asked.leave(), asked.leave()), (Some(Told::Place), Some(Told::Detour)));
            assert!(asked.waiting() == 0 && !asked.learn(first, Told::Place));
        }
    }
}
