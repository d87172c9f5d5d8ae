//! Requests along directed routes, repeated where no answer comes.

use crate::error::ManagerError;
use crate::route::Route;
use crate::transport::Transport;
use desvio_sma::Packet;
use desvio_sma::mad::{DATA, GET, SET, TRAP, attribute};

/// An attribute, as it is sent.
pub(crate) type Data = [u8; DATA];

/// What a manager has sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets, repeated ones included.
    pub packets: u64,
    /// Those of them that set something.
    pub sets: u64,
    /// Those without an answer in time.
    pub unanswered: u64,
}

/// The manager's requests.
#[derive(Debug)]
pub(crate) struct Requests<T> {
    transport: T,
    /// How often a request is sent, at most.
    tries: u8,
    transaction: u64,
    pub(crate) counts: Counts,
}

impl<T: Transport> Requests<T> {
    pub(crate) fn new(transport: T, tries: u8) -> Self {
        Self { transport, tries: tries.max(1), transaction: 0, counts: Counts::default() }
    }

    /// Reads an attribute. Nothing where no answer comes.
    pub(crate) fn get(
        &mut self,
        route: &Route,
        attribute: u16,
        modifier: u32,
    ) -> Result<Option<Data>, ManagerError> {
        let packet = Packet::directed(&route.0, GET, attribute, modifier);
        self.repeat(route, packet, self.tries)
    }

    /// Reads an attribute by a request that is sent once. Nothing where no answer comes.
    pub(crate) fn get_once(
        &mut self,
        route: &Route,
        attribute: u16,
        modifier: u32,
    ) -> Result<Option<Data>, ManagerError> {
        let packet = Packet::directed(&route.0, GET, attribute, modifier);
        self.repeat(route, packet, 1)
    }

    /// Writes an attribute: what it is then. Nothing where no answer comes, although it may have been written.
    pub(crate) fn set(
        &mut self,
        route: &Route,
        attribute: u16,
        modifier: u32,
        data: Data,
    ) -> Result<Option<Data>, ManagerError> {
        let mut packet = Packet::directed(&route.0, SET, attribute, modifier);
        packet.set_data(data);
        self.repeat(route, packet, self.tries)
    }

    /// Tells the manager at a LID that something is news. Whether it hears is not waited for.
    pub(crate) fn trap(&mut self, lids: (u16, u16), notice: Data) -> Result<(), ManagerError> {
        let mut packet = Packet::by_lid(lids, TRAP, attribute::NOTICE);
        packet.set_data(notice);
        self.transaction += 1;
        packet.set_transaction(self.transaction);
        self.counts.packets += 1;
        self.transport.exchange(&packet)?;
        Ok(())
    }

    fn repeat(&mut self, route: &Route, mut packet: Packet, tries: u8) -> Result<Option<Data>, ManagerError> {
        let (attribute, modifier) = (packet.attribute(), packet.modifier());
        for _ in 0..tries {
            // An answer to an earlier try is not taken for one to this.
            self.transaction += 1;
            packet.set_transaction(self.transaction);
            self.counts.packets += 1;
            self.counts.sets += u64::from(packet.method() == SET);
            let answer = self.transport.exchange(&packet)?;
            let is_own = |answer: &Packet| {
                answer.is_response()
                    && answer.transaction() == self.transaction
                    && answer.attribute() == attribute
            };
            let Some(answer) = answer.filter(is_own) else {
                self.counts.unanswered += 1;
                continue;
            };
            return match answer.status() {
                0 => Ok(Some(answer.data())),
                status => Err(ManagerError::Refused { attribute, modifier, status, route: route.clone() }),
            };
        }
        Ok(None)
    }
}
