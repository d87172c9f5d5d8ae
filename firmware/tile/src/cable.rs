//! A link to a neighbour, and records of what leaves by it.

use crate::content::{BYTES, Content, Name};
use crate::log::Log;
use crate::order::Plant;
use crate::record::{Counts, Record, State};
use crate::sizes::{FRAME, VCS, WINDOW};
use desvio_link::Tick;
use desvio_switch::link::Link;
use desvio_switch::serial::SerialLink;
use embedded_io::{Read, ReadReady, Write, WriteReady};
use router_core::pins::PortInputs;

/// The link of a port.
pub(crate) type Serial<T, C> = SerialLink<T, C, VCS, BYTES, WINDOW, FRAME>;

/// The flit at which a planted defect shows.
const PLANTED_AT: u32 = 200;

/// A link that says what leaves by it.
#[derive(Debug)]
pub(crate) struct Cable<T, C> {
    serial: Serial<T, C>,
    port: u8,
    plant: Plant,
    /// Flits that came.
    came: u32,
    /// The packet under way.
    name: Option<Name>,
    record: Option<Record>,
    state: State,
    /// How often the neighbour had restarted.
    restarts: u32,
}

impl<T, C> Cable<T, C>
where
    T: Read + ReadReady + Write + WriteReady,
    C: Fn() -> Tick,
{
    pub(crate) const fn new(serial: Serial<T, C>, port: u8, plant: Plant) -> Self {
        Self { serial, port, plant, came: 0, name: None, record: None, state: State::Down, restarts: 0 }
    }

    /// Between two steps of the switch: what happened in the one before.
    pub(crate) fn tend(&mut self, log: &mut Log) {
        let port = self.port;
        // The link agrees on a new session before it takes a flit of the same step.
        let restarts = self.serial.port().counters().restarts;
        if restarts != self.restarts {
            self.restarts = restarts;
            log.put(&Record::Restarted { port });
        }
        if let Some(record) = self.record.take() {
            log.put(&record);
        }
        let state = State::from(self.serial.port().state());
        if state != self.state {
            self.state = state;
            log.put(&Record::Port { port, state });
        }
        if let Some(lost) = self.serial.port_mut().poll_lost() {
            log.put(&Record::Lost { name: name_of(&lost.payload), port });
        }
    }

    /// Flits that the link did not take, but those of a packet whose head was lost, and frames that break the protocol.
    pub(crate) const fn refused(&self) -> u32 {
        self.serial.refused().saturating_add(self.serial.port().counters().protocol_errors)
    }

    pub(crate) fn count(&self, log: &mut Log) {
        let counts = Counts::from(self.serial.port().counters());
        log.put(&Record::Counted { port: self.port, counts });
    }
}

fn name_of(payload: &[u8]) -> Option<Name> {
    Content::read(payload).map(|content| content.name)
}

impl<T, C> Link for Cable<T, C>
where
    T: Read + ReadReady + Write + WriteReady,
    C: Fn() -> Tick,
{
    fn receive(&mut self) -> PortInputs {
        let inputs = self.serial.receive();
        self.came = self.came.saturating_add(inputs.flit.is_some().into());
        inputs
    }

    fn read_payload(&mut self, to: &mut [u8]) {
        self.serial.read_payload(to);
        if self.plant == Plant::Flip && self.came == PLANTED_AT {
            to.iter_mut().take(1).for_each(|byte| *byte ^= 1);
        }
    }

    fn send(&mut self, driven: PortInputs) {
        self.send_with(driven, &[]);
    }

    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        let severed = self.serial.severed();
        self.serial.send_with(driven, payload);
        let Some(signal) = driven.flit else { return };
        // A filler has the name of the packet that it ends.
        self.name = name_of(payload).or(self.name);
        if self.serial.severed() != severed {
            self.record = Some(Record::Severed { name: self.name, port: self.port });
        } else if let (true, Some(name)) = (signal.flit.is_tail(), self.name) {
            self.record = Some(Record::Left { name, port: self.port });
        }
    }
}
