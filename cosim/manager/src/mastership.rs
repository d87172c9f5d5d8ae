//! Which of several managers is the master.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.4.1. Where it leaves a choice: a standby that takes over begins at DISCOVERING, and
//! one that is handed the fabric acknowledges when it has programmed it. Where it is otherwise here: one that has handed over says STANDBY at once, as
//! OpenSM does, and not when that is acknowledged, since OpenSM acknowledges nothing.

use crate::attribute::{PortInfo, SmInfo, State, priority_changed};
use crate::contact::Order;
use crate::duty::{Duty, Other};
use crate::error::ManagerError;
use crate::manager::{Event, Manager};
use crate::monitor;
use crate::transport::Transport;
use desvio_sma::mad::attribute;

impl<T: Transport> Manager<T> {
    /// Does what is due in a period.
    ///
    /// # Errors
    /// When the manager's own port or node fails, when a node refuses what it must not, or two nodes have one GUID. Nodes that do not
    /// answer are no error.
    pub fn step(&mut self) -> Result<Event, ManagerError> {
        self.contact.change(|info| info.activity = info.activity.wrapping_add(1));
        let event = self.advance();
        let state = self.duty.state();
        if event.is_ok() {
            self.contact.change(|info| info.state = state);
        }
        event
    }

    /// What is due: orders of other managers first.
    fn advance(&mut self) -> Result<Event, ManagerError> {
        while let Some((order, from)) = self.contact.order() {
            if let Some(event) = self.obey(order, from)? {
                return Ok(event);
            }
        }
        match self.duty.clone() {
            Duty::NotActive(_) => Ok(Event::NotActive),
            Duty::Discovering => self.elect(),
            Duty::Standby(other, missed) => self.poll(other, missed),
            Duty::Master => self.manage(),
            Duty::HandsOver(other, waited) => self.wait(other, waited),
        }
    }

    /// Does what another manager wants, where it still makes sense.
    fn obey(&mut self, order: Order, from: SmInfo) -> Result<Option<Event>, ManagerError> {
        match (order, self.duty.clone()) {
            (Order::Handover, Duty::Standby(..)) => {
                let event = self.take_over()?;
                self.acknowledge(from)?;
                return Ok(Some(event));
            }
            // The answer to the first acknowledgement was lost, or it came too late.
            (Order::Handover, Duty::Master | Duty::HandsOver(..)) => self.acknowledge(from)?,
            (Order::Acknowledge, Duty::HandsOver(other, _)) if other.info.guid == from.guid => {
                self.duty = Duty::Standby(other, 0);
                return Ok(Some(Event::Standby(from)));
            }
            (Order::Disable, Duty::Standby(other, _)) => self.duty = Duty::NotActive(other),
            (Order::Standby, Duty::NotActive(other)) => self.duty = Duty::Standby(other, 0),
            (Order::Discover, Duty::Standby(..)) => self.duty = Duty::Discovering,
            _ => {}
        }
        Ok(None)
    }

    /// Looks what is there, and who else manages: the master, or else the one that goes before all others becomes it.
    fn elect(&mut self) -> Result<Event, ManagerError> {
        self.survey()?;
        let own = self.contact.info();
        let places = monitor::managers(&self.subnet);
        let others = self.ask(&places)?;
        let master = others.iter().find(|other| other.info.state == State::Master);
        let before = others.iter().find(|other| {
            matches!(other.info.state, State::Standby | State::Discovering) && other.info.goes_before(&own)
        });
        if let Some(other) = master.or(before) {
            let info = other.info;
            self.duty = Duty::Standby(other.clone(), 0);
            self.claim(&info)?;
            return Ok(Event::Standby(info));
        }
        self.take_over()
    }

    /// Tells a master that this manager goes before it: OpenSM looks for other managers only when it has a reason to.
    fn claim(&mut self, master: &SmInfo) -> Result<(), ManagerError> {
        if master.state != State::Master || !self.contact.info().goes_before(master) {
            return Ok(());
        }
        let node = &self.subnet.nodes[self.subnet.own];
        let (route, port) = (node.route.clone(), node.end().into());
        // It may have programmed the own port since.
        let Some(data) = self.requests.get(&route, attribute::PORT_INFO, port)? else { return Ok(()) };
        let (own, manager) = PortInfo(data).lids();
        if own == 0 || manager == 0 {
            Ok(())
        } else {
            self.requests.trap((own, manager), priority_changed(own))
        }
    }

    fn take_over(&mut self) -> Result<Event, ManagerError> {
        self.duty = Duty::Master;
        self.contact.change(|info| info.state = State::Master);
        self.program()
    }

    /// Other managers, the one that goes before the others first.
    fn ask(&mut self, places: &[usize]) -> Result<Vec<Other>, ManagerError> {
        let mut others: Vec<Other> = Vec::new();
        for &place in places {
            let route = self.subnet.nodes[place].route.clone();
            // A manager that has ended without a word has left the bit behind by which it was found.
            let data = self.requests.get_once(&route, attribute::SM_INFO, 0)?;
            others.extend(data.map(|data| Other { info: SmInfo::read(&data), route }));
        }
        others.sort_by_key(|other| (std::cmp::Reverse(other.info.priority), other.info.guid));
        Ok(others)
    }

    /// A standby asks the master whether it is there.
    fn poll(&mut self, other: Other, missed: u8) -> Result<Event, ManagerError> {
        let data = self.requests.get_once(&other.route, attribute::SM_INFO, 0)?;
        let info = data.map(|data| SmInfo::read(&data));
        let is_master = info.is_some_and(|info| info.state == State::Master && info.guid == other.info.guid);
        if let Some(info) = info.filter(|_| is_master) {
            self.duty = Duty::Standby(other, 0);
            self.claim(&info)?;
            return Ok(Event::Quiet);
        }
        let missed = missed + 1;
        if missed < self.settings.polls {
            self.duty = Duty::Standby(other, missed);
            return Ok(Event::Missed(missed));
        }
        self.duty = Duty::Discovering;
        self.contact.change(|info| info.state = State::Discovering);
        self.elect()
    }

    /// A master looks whether anything has changed, and whether another manager goes before it.
    fn manage(&mut self) -> Result<Event, ManagerError> {
        let Some(places) = self.look()? else { return self.program() };
        let own = self.contact.info();
        let others = self.ask(&places)?;
        let before = others.into_iter().find(|other| {
            matches!(other.info.state, State::Standby | State::Master) && other.info.goes_before(&own)
        });
        match before {
            Some(other) => self.hand_over(other),
            None => Ok(Event::Quiet),
        }
    }

    fn hand_over(&mut self, to: Other) -> Result<Event, ManagerError> {
        let order = Order::Handover as u32;
        let own = self.contact.info().write();
        match self.requests.set(&to.route, attribute::SM_INFO, order, own) {
            Ok(Some(_)) => {
                let info = to.info;
                self.duty = Duty::HandsOver(to, 0);
                Ok(Event::HandedOver(info))
            }
            // It is gone, or something else now: the next step sees.
            Ok(None) | Err(ManagerError::Refused { .. }) => Ok(Event::Quiet),
            Err(error) => Err(error),
        }
    }

    /// A master that has handed over does nothing until that is acknowledged, or the other one is seen to manage; otherwise it goes on.
    fn wait(&mut self, other: Other, waited: u8) -> Result<Event, ManagerError> {
        let info = other.info;
        let data = self.requests.get_once(&other.route, attribute::SM_INFO, 0)?;
        let now = data.map(|data| SmInfo::read(&data));
        if now.is_some_and(|now| now.state == State::Master && now.guid == info.guid) {
            // It has it, and does not acknowledge.
            self.duty = Duty::Standby(other, 0);
            return Ok(Event::Standby(info));
        }
        if waited >= self.settings.polls {
            self.duty = Duty::Master;
            return self.manage();
        }
        self.duty = Duty::HandsOver(other, waited + 1);
        Ok(Event::HandedOver(info))
    }

    fn acknowledge(&mut self, from: SmInfo) -> Result<(), ManagerError> {
        let at = self.subnet.nodes.iter().find(|node| node.info.port_guid == from.guid);
        let Some(route) = at.map(|node| node.route.clone()) else { return Ok(()) };
        let own = self.contact.info().write();
        let order = Order::Acknowledge as u32;
        match self.requests.set(&route, attribute::SM_INFO, order, own) {
            // It has given up waiting, and has taken the fabric back; it will hand it over again.
            Ok(_) | Err(ManagerError::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
