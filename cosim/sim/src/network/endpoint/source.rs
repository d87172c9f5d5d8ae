//! The source queues of an end node.

use crate::traffic::{Generated, Generator, Traffic};
use std::collections::VecDeque;

/// One of the queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Queue {
    /// What the node's generator makes.
    Requests,
    /// What answers requests of other nodes.
    Replies,
}

/// What an end node has to send. Replies go first, so that no request waits for another one.
///
/// A generator does not depend on when it is called, so that the queue of requests is stored as its first packet.
#[derive(Debug, Clone)]
pub(crate) struct SourceQueues {
    generator: Generator,
    /// The first request; its time may be past or to come.
    pub(crate) request: Option<Generated>,
    replies: VecDeque<Generated>,
}

impl SourceQueues {
    /// The queues of node `node` of the network, before its first packet.
    pub(crate) fn new(traffic: &Traffic, node: usize) -> Self {
        let mut generator = traffic.generator(node as u32);
        Self { request: generator.next(traffic), generator, replies: VecDeque::new() }
    }

    /// The packet whose turn it is in cycle `now`.
    #[inline]
    pub(super) fn due(&self, now: u64) -> Option<(Queue, Generated)> {
        if let Some(&reply) = self.replies.front() {
            return Some((Queue::Replies, reply));
        }
        self.request.filter(|request| request.at <= now).map(|request| (Queue::Requests, request))
    }

    /// The first packet of a queue has been sent.
    #[inline]
    pub(super) fn drop_first(&mut self, queue: Queue, traffic: &Traffic) {
        match queue {
            Queue::Requests => self.request = self.generator.next(traffic),
            Queue::Replies => drop(self.replies.pop_front()),
        }
    }

    /// One more reply, to be sent from the next cycle on.
    pub(super) fn push_reply(&mut self, reply: Generated) {
        self.replies.push_back(reply);
    }

    /// Replies that wait.
    pub(crate) fn replies(&self) -> usize {
        self.replies.len()
    }

    /// Cycles that the packet which has waited longest has been waiting; `None` for a node with nothing to send any more.
    pub(crate) fn wait(&self, now: u64) -> Option<u64> {
        let first = self.replies.front().into_iter().chain(&self.request);
        first.map(|packet| now.saturating_sub(packet.at)).max()
    }
}
