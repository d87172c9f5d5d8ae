//! The subnet manager of our own, and its standby.

use super::{Arguments, limits, refused};
use crate::command::failure::Failure;
use crate::command::output;
use desvio_fabric::{FabricError, Levels, NoPath, Program, Seat, Server};
use desvio_manager::{Event, Manager, Programmed, Restricted, Settings, SmInfo, State};
use std::time::{Duration, Instant};

/// A manager, and the place of its node in the fabric.
struct Runs {
    manager: Manager<Seat>,
    node: usize,
    place: usize,
}

impl Runs {
    fn start(server: &Server, node: usize, settings: Settings) -> Result<Self, Failure> {
        let seat = server.seat(node);
        let place = seat.place();
        let manager = Manager::new(seat, settings);
        server.fabric().house(place, manager.contact()).map_err(refused)?;
        Ok(Self { manager, node, place })
    }

    fn step(&mut self) -> Result<Event, Failure> {
        self.manager.step().map_err(refused)
    }
}

/// The master, and the manager that would take over. They are stepped one after the other: a period is as short as their packets let it be.
pub(super) struct Own {
    master: Runs,
    standby: Option<Runs>,
    settings: Settings,
    programmed: Option<Box<Programmed>>,
}

impl Own {
    /// At node 0, and at the last one.
    pub(super) fn start(server: &Server, arguments: &Arguments, lanes: u8) -> Result<Self, Failure> {
        let settings = settings(arguments, lanes);
        let last = if arguments.standby { Some(last_node(server)?) } else { None };
        let mut own =
            Self { master: Runs::start(server, 0, settings)?, standby: None, settings, programmed: None };
        own.advance()?;
        if let Some(last) = last {
            own.standby = Some(Runs::start(server, last, with_own_priority(settings, arguments))?);
            own.advance()?;
        }
        Ok(own)
    }

    /// At the last node of a fabric that OpenSM manages. The limits that OpenSM has set in the switches stay.
    pub(super) fn join(server: &Server, arguments: &Arguments, lanes: u8) -> Result<Self, Failure> {
        let settings = with_own_priority(settings(arguments, lanes), arguments);
        let settings = Settings { limits: None, ..settings };
        let master = Runs::start(server, last_node(server)?, settings)?;
        Ok(Self { master, standby: None, settings, programmed: None })
    }

    /// Goes on until it polls OpenSM, or, where its priority is the higher one, has been handed the fabric and finds nothing more to do. Whether it
    /// has been.
    pub(super) fn wait(&mut self, is_handed: bool, within: Duration) -> Result<bool, Failure> {
        let wanted = if is_handed { State::Master } else { State::Standby };
        let begun = Instant::now();
        while self.advance()? != Event::Quiet || self.master.manager.state() != wanted {
            if begun.elapsed() > within {
                let (seconds, state) = (within.as_secs(), self.master.manager.state());
                return Err(Failure::Input(format!(
                    "error: the manager at node {} is {state:?} after {seconds} s, not {wanted:?}",
                    self.master.node
                )));
            }
            // OpenSM looks when it likes.
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(is_handed)
    }

    /// Where it is.
    pub(super) fn node(&self) -> usize {
        self.master.node
    }

    /// The master that it polls is gone. Says what happened.
    pub(super) fn take_over(&mut self) -> Result<String, Failure> {
        let (what, done) = follow(&mut self.master)?;
        self.programmed = Some(done);
        Ok(what)
    }

    /// A period of both: what the master did, or what the standby did that has been handed the fabric: it is the master from then on.
    fn advance(&mut self) -> Result<Event, Failure> {
        let mut event = self.master.step()?;
        if let Some(standby) = &mut self.standby {
            let of_standby = standby.step()?;
            let states = [&self.master, standby].map(|runs| runs.manager.state());
            if states == [State::Standby, State::Master] {
                event = of_standby;
                std::mem::swap(&mut self.master, standby);
            }
        }
        if let Event::Programmed(done) = &event {
            self.programmed = Some(done.clone());
        }
        Ok(event)
    }

    /// Goes on until a light sweep finds nothing that has changed.
    pub(super) fn settle(&mut self, within: Duration) -> Result<(), Failure> {
        let begun = Instant::now();
        while self.advance()? != Event::Quiet {
            if begun.elapsed() > within {
                let seconds = within.as_secs();
                return Err(Failure::Input(format!("error: the fabric does not settle within {seconds} s")));
            }
        }
        Ok(())
    }

    /// A period of a fabric that is kept, a second long.
    pub(super) fn watch(&mut self) -> Result<(), Failure> {
        std::thread::sleep(Duration::from_secs(1));
        let event = self.advance()?;
        let other = |info: SmInfo| format!("the manager {:#018x}, priority {}", info.guid, info.priority);
        match event {
            Event::Quiet => {}
            Event::Programmed(_) => output::tell(&format!("programmed again{}", self.told())),
            Event::HandedOver(to) => output::tell(&format!("handed over to {}", other(to))),
            Event::Standby(master) => output::tell(&format!("standby of {}", other(master))),
            Event::Missed(polls) => output::tell(&format!("missed polls of the master: {polls}")),
            Event::NotActive => output::tell("told to do nothing"),
        }
        Ok(())
    }

    /// Kills the master. The standby notices it by its polls; without one another manager is started at the same node. Says what
    /// happened.
    pub(super) fn restart(&mut self, server: &Server) -> Result<String, Failure> {
        server.fabric().evict(self.master.place);
        let Some(mut standby) = self.standby.take() else {
            self.master = Runs::start(server, self.master.node, self.settings)?;
            return Ok("killed, started again: taken over".to_owned());
        };
        let (what, done) = follow(&mut standby)?;
        (self.master, self.programmed) = (standby, Some(done));
        Ok(what)
    }

    /// What the manager says of tables and routes.
    pub(super) fn told(&self) -> String {
        let Some(done) = &self.programmed else { return String::new() };
        let Programmed { switches, facts, set, silent, .. } = &**done;
        let mut text = format!(
            "; tables of {switches} switches, {} of {} blocks Set\npaths      ",
            set.blocks_set, set.blocks
        );
        if self.settings.lmc > 0 && facts.pairs > 0 {
            let mean = facts.disjoint as f64 / facts.pairs as f64;
            text.push_str(&format!(
                "{mean:.2} of {} without a common link, on average; ",
                1 << self.settings.lmc
            ));
        }
        text.push_str(&format!("at most {} hops; ", facts.longest));
        text.push_str(&format!("{} of {}", lanes(facts.lanes), self.settings.lanes));
        text.push_str(match facts.up_down {
            Restricted::None => "",
            Restricted::Further => {
                "; those of further LIDs are up*/down*, since otherwise there are too few lanes"
            }
            Restricted::All => "; all are up*/down*, since otherwise there are too few lanes",
        });
        for (name, port) in silent {
            text.push_str(&format!("\nsilent     {name}, port {port}: nothing answers behind it"));
        }
        text
    }

    /// The level of each pair of nodes and the lanes of levels, where routes have more than one.
    pub(super) fn levels(
        &self,
        server: &Server,
        program: &Program,
        further: u16,
    ) -> Result<Option<Levels>, FabricError> {
        if self.programmed.as_ref().is_none_or(|done| done.facts.lanes < 2) {
            return Ok(None);
        }
        let level = |(from, to): (usize, usize)| {
            let (slid, dlid) = (program.lids[from], program.lids[to] + further);
            let level = self.master.manager.service_level(slid, dlid);
            level.ok_or_else(|| NoPath { from, to }.into())
        };
        server.levels_by(program, level).map(Some)
    }
}

/// Of the manager at node 0.
fn settings(arguments: &Arguments, lanes: u8) -> Settings {
    let Arguments { lmc, priority, .. } = *arguments;
    Settings { lmc, lanes, priority, limits: limits::of(arguments), ..Settings::default() }
}

/// Of the one at the last node.
fn with_own_priority(settings: Settings, arguments: &Arguments) -> Settings {
    Settings { priority: arguments.standby_priority.unwrap_or(settings.priority), ..settings }
}

/// The last node, where a second manager runs.
fn last_node(server: &Server) -> Result<usize, Failure> {
    let fabric = server.fabric();
    let nodes = fabric.len() - fabric.routers();
    if nodes < 2 {
        let message = "error: --standby: the network has one node, at which the first manager runs";
        return Err(Failure::Input(message.to_owned()));
    }
    Ok(nodes - 1)
}

/// A standby whose master is gone takes over.
fn follow(standby: &mut Runs) -> Result<(String, Box<Programmed>), Failure> {
    let mut polls = 0;
    loop {
        polls += 1;
        match standby.step()? {
            Event::Programmed(done) => {
                let what = format!("killed: taken over by node {} after {polls} missed polls", standby.node);
                return Ok((what, done));
            }
            Event::Missed(_) => {}
            event => return Err(Failure::Input(format!("error: the standby does not take over: {event:?}"))),
        }
    }
}

/// How many there are.
pub(super) fn lanes(count: u8) -> String {
    if count == 1 { "1 lane".to_owned() } else { format!("{count} lanes") }
}
