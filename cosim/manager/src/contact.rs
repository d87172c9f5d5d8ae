//! Where other managers reach this one: SMInfo, as a program at its node answers for it.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.5.13 (SMInfo) and 14.4.1 (states of a manager, and what changes them).

use crate::attribute::{SmInfo, State};
use desvio_sma::Packet;
use desvio_sma::mad::{GET, SET, Status, TRAP, attribute};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What another manager wants, by the modifier of a Set.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// A master hands the fabric over.
    Handover = 1,
    /// The one that it was handed to has it.
    Acknowledge = 2,
    /// A master makes a standby stop.
    Disable = 3,
    /// And makes it a standby again.
    Standby = 4,
    /// A master makes a standby look for managers again.
    Discover = 5,
}

impl Order {
    const ALL: [Self; 5] = [Self::Handover, Self::Acknowledge, Self::Disable, Self::Standby, Self::Discover];

    /// Whether a manager in a state takes it. What comes twice, since an answer was lost, is not taken amiss.
    fn is_for(self, state: State) -> bool {
        match self {
            Self::Handover => matches!(state, State::Standby | State::Master),
            Self::Acknowledge => matches!(state, State::Master | State::Standby),
            Self::Disable => matches!(state, State::Standby | State::NotActive),
            Self::Standby => matches!(state, State::NotActive | State::Standby),
            Self::Discover => matches!(state, State::Standby | State::Discovering),
        }
    }
}

#[derive(Debug)]
struct Inner {
    info: SmInfo,
    orders: VecDeque<(Order, SmInfo)>,
}

/// A manager's SMInfo, as long as it runs. What carries packets gives it those for a manager at the node.
#[derive(Debug, Clone)]
pub struct Contact(Arc<Mutex<Inner>>);

impl Contact {
    pub(crate) fn new(priority: u8, key: u64) -> Self {
        // Its GUID is not known yet: until then no other manager waits for it.
        let info = SmInfo { guid: 0, key, activity: 0, priority, state: State::NotActive };
        Self(Arc::new(Mutex::new(Inner { info, orders: VecDeque::new() })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it says of itself.
    #[must_use]
    pub fn info(&self) -> SmInfo {
        self.inner().info
    }

    pub(crate) fn change(&self, with: impl FnOnce(&mut SmInfo)) {
        with(&mut self.inner().info);
    }

    /// The next order.
    pub(crate) fn order(&self) -> Option<(Order, SmInfo)> {
        self.inner().orders.pop_front()
    }

    /// Makes a request of SMInfo the answer to itself, and a trap, of a master. False for what is something else: nothing is changed then.
    pub fn answer(&self, packet: &mut Packet) -> bool {
        let mut inner = self.inner();
        if packet.method() == TRAP {
            // Its sender repeats it until it is repressed. What it tells is seen by the sweep of each period.
            let is_master = inner.info.state == State::Master;
            if is_master {
                packet.answer(Status::Good);
            }
            return is_master;
        }
        if packet.is_response() || packet.attribute() != attribute::SM_INFO {
            return false;
        }
        let status = match packet.method() {
            GET => Status::Good,
            SET => {
                let order = Order::ALL.into_iter().find(|&order| order as u32 == packet.modifier());
                match order.filter(|order| order.is_for(inner.info.state)) {
                    Some(order) => {
                        inner.orders.push_back((order, SmInfo::read(&packet.data())));
                        Status::Good
                    }
                    None => Status::InvalidValue,
                }
            }
            _ => Status::MethodUnsupported,
        };
        packet.set_data(inner.info.write());
        packet.answer(status);
        true
    }
}
