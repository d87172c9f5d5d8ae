//! The manager: a state machine that is stepped once each period.

use crate::attribute::{SmInfo, State};
use crate::contact::Contact;
use crate::discover::discover;
use crate::distribute::{Distributed, distribute};
use crate::duty::Duty;
use crate::error::ManagerError;
use crate::groups;
use crate::lids::{self, Remembered};
use crate::limits::Limits;
use crate::monitor::{self, Found};
use crate::requests::{Counts, Requests};
use crate::routes::{Facts, Routes, Wanted};
use crate::subnet::{End, Subnet};
use crate::transport::Transport;

/// How a manager works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Each end has 2 to the power of this many LIDs, 0…7, and a route for each.
    pub lmc: u8,
    /// Data lanes that routes may use, 1…8.
    pub lanes: u8,
    /// Hops by which a path to a further LID may be longer than that to the first one.
    pub detour: u32,
    /// 0…15: the manager with the highest one is the master, of several the one with the lowest GUID.
    pub priority: u8,
    /// SM_Key, which OpenSM wants to be as its own: 1, unless its configuration has another one.
    pub key: u64,
    /// How often a request is sent before a node counts as gone.
    pub tries: u8,
    /// A standby takes over when so many of its polls in succession have found no master.
    pub polls: u8,
    /// For how long switches keep packets; without limits, the switches keep those that they have.
    pub limits: Option<Limits>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { lmc: 0, lanes: 1, detour: 4, priority: 0, key: 1, tries: 3, polls: 3, limits: None }
    }
}

/// What a master has programmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programmed {
    /// Switches that were found.
    pub switches: usize,
    /// Ends that were found.
    pub ends: usize,
    /// Ports behind whose link nothing answers: what node, and which port.
    pub silent: Vec<(String, u8)>,
    /// About the routes.
    pub facts: Facts,
    /// What was set for them.
    pub set: Distributed,
    /// Something changes all the time: the next step looks again.
    pub is_torn: bool,
}

/// What became of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Nothing had to be done.
    Quiet,
    /// It is the master, and has programmed the fabric, because it has just become the master or because something has changed.
    Programmed(Box<Programmed>),
    /// It waits: another manager is, or will be, the master.
    Standby(SmInfo),
    /// The other manager was asked, and was not the master: so often in succession.
    Missed(u8),
    /// It has handed the fabric over, or is about to.
    HandedOver(SmInfo),
    /// It does nothing, by order.
    NotActive,
}

/// A subnet manager.
#[derive(Debug)]
pub struct Manager<T> {
    pub(crate) requests: Requests<T>,
    pub(crate) contact: Contact,
    pub(crate) settings: Settings,
    pub(crate) duty: Duty,
    pub(crate) subnet: Subnet,
    remembered: Remembered,
    lids: Vec<u16>,
    routes: Routes,
    /// Members of groups, by the GUIDs of their ports; rows of multicast forwarding tables that have been in use.
    groups: Vec<Vec<u64>>,
    group_rows: usize,
    /// The next step of a master sweeps.
    pub(crate) is_stale: bool,
}

/// Sweeps in one step, where something changes meanwhile.
const ROUNDS: u8 = 3;

impl<T: Transport> Manager<T> {
    /// One that knows nothing yet.
    pub fn new(transport: T, settings: Settings) -> Self {
        let settings = Settings {
            lmc: settings.lmc.min(7),
            lanes: settings.lanes.clamp(1, 8),
            priority: settings.priority.min(15),
            ..settings
        };
        Self {
            requests: Requests::new(transport, settings.tries),
            contact: Contact::new(settings.priority, settings.key),
            settings,
            duty: Duty::Discovering,
            subnet: Subnet::default(),
            remembered: Remembered::new(),
            lids: Vec::new(),
            routes: Routes::default(),
            groups: Vec::new(),
            group_rows: 0,
            is_stale: false,
        }
    }

    /// From the next step on these are the groups of ends that packets are replicated for, each by the GUIDs of its members' ports. Group `n` has
    /// multicast LID `0xc000 + n`.
    pub fn set_groups(&mut self, groups: Vec<Vec<u64>>) {
        self.group_rows = self.group_rows.max(groups.len());
        self.is_stale |= groups != self.groups;
        self.groups = groups;
    }

    /// Where other managers reach it.
    #[must_use]
    pub fn contact(&self) -> Contact {
        self.contact.clone()
    }

    /// What it does.
    #[must_use]
    pub fn state(&self) -> State {
        self.duty.state()
    }

    /// What it has sent so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.requests.counts
    }

    /// What it has discovered.
    #[must_use]
    pub fn subnet(&self) -> &Subnet {
        &self.subnet
    }

    /// The first LID of each node, in their order; of a master.
    #[must_use]
    pub fn lids(&self) -> &[u16] {
        &self.lids
    }

    /// The service level of packets from the end with a LID to another LID: what an end gets as its path record. Nothing where there is no
    /// such end.
    #[must_use]
    pub fn service_level(&self, slid: u16, dlid: u16) -> Option<u8> {
        let is_own = |(_, first): &(usize, &u16)| **first <= slid && slid - **first < 1 << self.settings.lmc;
        let ends = self.lids.iter().enumerate().skip(self.subnet.switches());
        let (place, _) = { ends }.find(is_own)?;
        let (_, End { node: home, .. }) = self.subnet.nodes[place].links().next()?;
        self.routes.level(home, dlid)
    }

    /// Sweeps without changing anything; says who it is.
    pub(crate) fn survey(&mut self) -> Result<(), ManagerError> {
        self.subnet = discover(&mut self.requests, false)?;
        let guid = self.subnet.nodes[self.subnet.own].info.port_guid;
        self.contact.change(|info| (info.guid, info.state) = (guid, State::Discovering));
        Ok(())
    }

    /// As the master: the heavy sweep, and all that follows from it.
    pub(crate) fn program(&mut self) -> Result<Event, ManagerError> {
        let mut set = Distributed::default();
        for _ in 0..ROUNDS {
            self.subnet = discover(&mut self.requests, true)?;
            let Settings { lmc, lanes, detour, limits, .. } = self.settings;
            self.lids = lids::assign(&self.subnet, lmc, &mut self.remembered)?;
            self.routes = Routes::new(&self.subnet, &self.lids, Wanted { lmc, lanes, detour });
            let named = (self.lids.as_slice(), lmc);
            let masks = groups::masks(&self.subnet, &self.groups);
            let groups = (&masks, self.group_rows);
            let done = distribute(&mut self.requests, &self.subnet, named, &self.routes, groups, limits)?;
            set = Distributed {
                blocks: done.blocks,
                blocks_set: set.blocks_set + done.blocks_set,
                ports_set: set.ports_set + done.ports_set,
                lanes_set: set.lanes_set + done.lanes_set,
                masks_set: set.masks_set + done.masks_set,
                limits_set: set.limits_set + done.limits_set,
                is_torn: done.is_torn || self.subnet.is_torn,
            };
            self.is_stale = set.is_torn;
            if !self.is_stale {
                break;
            }
        }
        let name = |end: &End| (self.subnet.nodes[end.node].description.clone(), end.port);
        let switches = self.subnet.switches();
        Ok(Event::Programmed(Box::new(Programmed {
            switches,
            ends: self.subnet.nodes.len() - switches,
            silent: self.subnet.silent.iter().map(name).collect(),
            facts: self.routes.facts,
            set,
            is_torn: self.is_stale,
        })))
    }

    /// As the master: the light sweep. The managers at other nodes, unless it has to be swept.
    pub(crate) fn look(&mut self) -> Result<Option<Vec<usize>>, ManagerError> {
        if self.is_stale {
            return Ok(None);
        }
        match monitor::look(&mut self.requests, &self.subnet, &self.lids)? {
            Found::Same(managers) => Ok(Some(managers)),
            Found::Changed => Ok(None),
        }
    }
}
