//! End nodes that send a head ahead: what they do with the answer.

use super::super::circuits::AnswerOnWire;
use super::super::constants::Constants;
use super::super::launch::{Launch, Launches};
use super::super::shard::Shard;
use super::Sending;
use super::injection_vc::vc_with_most_credits;
use router_core::route::Route;
use router_core::router::Answer;
use router_core::units::Bits;

impl<const P: usize, const V: usize, B: Bits> Shard<P, V, B> {
    /// A node sends what is left of a packet, from the next cycle on, or its head once more, after a pause.
    pub(in super::super) fn receive_answer(&mut self, at: usize, answer: AnswerOnWire) {
        let node = &mut self.nodes[at];
        match (node.sending, answer.answer) {
            (Sending::Probing { vc, left, .. }, Answer::Established) => {
                node.sending = Sending::Packet { vc, left };
                self.ready.insert(at);
            }
            (Sending::Probing { tag, .. }, Answer::Refused { place }) => {
                node.credits[answer.vc.index()] += u16::from(place);
                let pause = self.circuits.as_mut().map_or(1, |circuits| circuits.pause());
                let until = self.cycle + pause;
                node.sending = Sending::Paused { tag, until };
                self.timers.set(self.cycle + 1, until, at as u32);
                self.count_returned(at);
            }
            _ => self.misdelivered(at, "an answer to no probe"),
        }
    }

    /// A head that has come back is no flit inside the network.
    fn count_returned(&mut self, at: usize) {
        match &mut self.injected[at] {
            // It was sent before the last reset.
            0 => self.injected_before -= 1,
            flits => *flits -= 1,
        }
    }

    /// Sends a head again, if there is a VC for it. Says whether the node may have something to send in the next cycle.
    #[inline(never)]
    pub(super) fn probe_again<R: Route<B>>(
        &mut self,
        constants: &Constants<'_, P, R>,
        at: usize,
        tag: u32,
    ) -> bool {
        let when = self.wire_time(constants);
        let node = &mut self.nodes[at];
        let credits = &node.credits[..usize::from(node.vcs)];
        let Some(vc) = vc_with_most_credits(credits, constants.head_room) else { return false };
        let record = self.packets.get(tag);
        let (to, length, backward) = (record.to, record.length, record.kind.is_backward());
        node.sending = Sending::Probing { vc, left: length - 1, tag };
        let here = *self.routers[node.at.as_port::<P>().0].router.here();
        let to = constants.addresses[to as usize];
        let launch = Launch { here, to, length, backward, when, at: node.at, vc, tag };
        match &mut self.launches {
            Launches::Now(random) => launch.onto(&mut self.wheel, launch.header(constants, random)),
            Launches::Later(launches) => launches.push(launch),
        }
        self.count_sent(at, vc);
        true
    }
}
