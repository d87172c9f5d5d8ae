//! The source queues of an end node.

use super::asked::Asked;
use crate::traffic::{Generated, Generator, Traffic};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What a packet is to the end nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// What the node's generator makes.
    #[default]
    Request,
    /// What answers a request of another node.
    Reply {
        /// Whether that request came with a forward mark: the reply brings a backward one.
        congested: bool,
    },
    /// What answers a request with a forward mark where there are no replies: a packet of its own with a backward one.
    Notification,
    /// A question about a place on a global link, or the answer to one.
    Message,
}

impl Kind {
    /// Whether its header has a backward mark.
    #[inline]
    pub(crate) const fn is_backward(self) -> bool {
        matches!(self, Self::Reply { congested: true } | Self::Notification)
    }

    /// Whether it is a reply, or an ACK.
    #[inline]
    pub(crate) const fn is_reply(self) -> bool {
        matches!(self, Self::Reply { .. })
    }
}

/// What an end node has to send. Replies, notifications and messages go first, so that no request waits for another one.
///
/// A generator does not depend on when it is called, so that the queue of requests is stored as its first packet.
#[derive(Debug, Clone)]
pub(crate) struct SourceQueues {
    generator: Generator,
    /// The first request; its time may be past or to come.
    pub(crate) request: Option<Generated>,
    /// Replies, notifications and messages.
    answers: VecDeque<(Kind, Generated)>,
    /// Requests that come before the first one, where they ask for places.
    pub(crate) asked: Option<Box<Asked>>,
}

impl SourceQueues {
    /// The queues of node `node` of the network, before its first packet.
    pub(crate) fn new(traffic: &Traffic, node: usize, asks: bool) -> Self {
        let mut generator = traffic.generator(node as u32);
        let asked = asks.then(Box::default);
        Self { request: generator.next(traffic), generator, answers: VecDeque::new(), asked }
    }

    /// The packet whose turn it is in cycle `now`.
    #[inline]
    pub(super) fn due(&self, now: u64) -> Option<(Kind, Generated)> {
        if let Some(&answer) = self.answers.front() {
            return Some(answer);
        }
        if let Some(asked) = &self.asked {
            return asked.ready().map(|packet| (Kind::Request, packet));
        }
        self.request.filter(|request| request.at <= now).map(|request| (Kind::Request, request))
    }

    /// The first packet of its kind has been sent.
    #[inline]
    pub(super) fn drop_first(&mut self, kind: Kind, traffic: &Traffic) {
        match kind {
            // A packet that has asked leaves the queue with its answer.
            Kind::Request if self.asked.is_some() => {}
            Kind::Request => self.request = self.generator.next(traffic),
            Kind::Reply { .. } | Kind::Notification | Kind::Message => drop(self.answers.pop_front()),
        }
    }

    /// The next request that is due, with those before it, if fewer than `window` of these wait.
    pub(super) fn next_to_ask(
        &mut self,
        traffic: &Traffic,
        now: u64,
        window: usize,
    ) -> Option<(Generated, &mut Asked)> {
        self.asked.as_ref().filter(|asked| asked.waiting() < window)?;
        let request = self.take_due(traffic, now)?;
        Some((request, self.asked.as_mut()?))
    }

    /// The next request, if it is due, taken off.
    pub(super) fn take_due(&mut self, traffic: &Traffic, now: u64) -> Option<Generated> {
        let request = self.request.filter(|request| request.at <= now)?;
        self.request = self.generator.next(traffic);
        Some(request)
    }

    /// One more reply, notification or message, to be sent from the next cycle on.
    pub(super) fn push_answer(&mut self, kind: Kind, answer: Generated) {
        self.answers.push_back((kind, answer));
    }

    /// Replies, notifications and messages that wait.
    pub(crate) fn answers(&self) -> usize {
        self.answers.len()
    }

    /// Cycles that the packet which has waited longest has been waiting; `None` for a node with nothing to send any more.
    pub(super) fn wait(&self, now: u64) -> Option<u64> {
        let answer = self.answers.front().map(|(_, answer)| answer);
        let asked = self.asked.as_ref().and_then(|asked| asked.first());
        let first = answer.into_iter().chain(asked).chain(&self.request);
        first.map(|packet| now.saturating_sub(packet.at)).max()
    }
}
