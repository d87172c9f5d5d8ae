//! The subnet manager: one that is started here, or one that is waited for.

use super::own::Own;
use super::{Arguments, Programs, refused};
use crate::command::failure::Failure;
use crate::command::{interrupt, output};
use desvio_fabric::{
    Board, Engine, Fabric, FabricError, HeadOfQueue, Levels, Lifetimes, OpenSm, Program, Server,
    client_library, router_guid, switch_identity,
};
use desvio_lockstep::mcu::Emulated;
use desvio_sim::topology::Wiring;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A fabric that is served, and what manages it.
pub(super) struct Manager {
    server: Server,
    runs: Runs,
    /// A manager of our own that is the standby of OpenSM, or OpenSM that is the standby of one.
    standby: Option<Runs>,
    since: Instant,
}

/// What has been programmed, and the service levels of packets where they have some.
pub(super) type Programmed = (Program, Option<Levels>);

/// What manages a fabric.
enum Runs {
    /// Something that is started elsewhere.
    Elsewhere,
    OpenSm(OpenSm),
    Own(Box<Own>),
}

impl Runs {
    fn opensm(&mut self) -> Option<&mut OpenSm> {
        match self {
            Self::OpenSm(opensm) => Some(opensm),
            _ => None,
        }
    }
}

impl Manager {
    pub(super) fn serve(fabric: Fabric) -> Result<Self, Failure> {
        let name = format!("desvio-{}", std::process::id());
        let server = Server::start(fabric, &name).map_err(refused)?;
        Ok(Self { server, runs: Runs::Elsewhere, standby: None, since: Instant::now() })
    }

    /// The manager is started, or waited for. `lanes` are those of every link.
    pub(super) fn begin(&mut self, arguments: &Arguments, out: &Path, lanes: u8) -> Result<(), Failure> {
        self.since = Instant::now();
        if arguments.wait {
            tell_how("waiting for a subnet manager", self.server.name());
        } else if arguments.manager == Programs::Own {
            self.runs = Runs::Own(Box::new(Own::start(&self.server, arguments, lanes)?));
        } else {
            self.runs = Runs::OpenSm(self.opensm(arguments, out)?);
        }
        Ok(())
    }

    /// A manager of our own comes to the fabric of OpenSM, where that is wanted: it becomes the standby, or, with the higher priority, is handed the
    /// fabric. Whether it is.
    pub(super) fn join(&mut self, arguments: &Arguments, lanes: u8) -> Result<bool, Failure> {
        if !arguments.standby || self.runs.opensm().is_none() {
            return Ok(false);
        }
        self.since = Instant::now();
        let own_priority = arguments.standby_priority.unwrap_or(arguments.priority);
        let mut own = Own::join(&self.server, arguments, lanes)?;
        let is_handed = own.wait(own_priority > arguments.priority, Duration::from_secs(arguments.within))?;
        let of = if is_handed { "handed the fabric by" } else { "standby of" };
        output::print(&format!(
            "manager    at node {}, priority {own_priority}: {of} opensm, priority {}",
            own.node(),
            arguments.priority
        ))?;
        let own = Runs::Own(Box::new(own));
        if is_handed {
            self.standby = Some(std::mem::replace(&mut self.runs, own));
        } else {
            self.standby = Some(own);
        }
        Ok(is_handed)
    }

    /// The agent of the last switch becomes firmware.
    pub(super) fn put_board(&mut self, binary: &Path, wiring: &Wiring) -> Result<(), Failure> {
        let (last, ports) = (wiring.routers() - 1, wiring.ports());
        if ports > BOARD_PORTS {
            return Err(Failure::Input(format!(
                "error: --board: the firmware has room for {BOARD_PORTS} links, a router of this network has {ports}"
            )));
        }
        if !binary.is_file() {
            return Err(Failure::Input(format!(
                "error: --board {}: no such file; `cargo xtask firmware` builds target/firmware/{}/release/agent",
                binary.display(),
                Emulated::CortexM4F.target()
            )));
        }
        let command = Emulated::CortexM4F.command(binary);
        let started = Board::start(command, &switch_identity(last, ports));
        let board = started.map_err(|error| {
            Failure::Input(format!(
                "error: --board: {error} (Debian, Ubuntu: apt-get install qemu-system-arm)"
            ))
        })?;
        self.server.fabric().replace(last, Box::new(board)).map_err(refused)?;
        output::print(&format!("board      router {last} answers by firmware on a Cortex-M4F"))
    }

    fn opensm(&self, arguments: &Arguments, out: &Path) -> Result<OpenSm, Failure> {
        let folder = out.join("opensm");
        let failed = |error| Failure::Input(format!("error: cannot write {}: {error}", folder.display()));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let Arguments { lmc, opensm, root, .. } = arguments;
        // What the user gives OpenSM itself comes last, and counts.
        let mut more = vec!["-p".to_owned(), arguments.priority.to_string()];
        more.extend_from_slice(opensm);
        if let Some(root) = *root {
            let routers = self.server.fabric().routers();
            if root >= routers {
                let message =
                    format!("error: --root {root}: the network has {routers} routers, numbered from 0");
                return Err(Failure::Input(message));
            }
            let file = folder.join("roots");
            std::fs::write(&file, format!("{:#x}\n", router_guid(root))).map_err(failed)?;
            let file = std::path::absolute(&file).map_err(failed)?;
            more.extend(["-a".to_owned(), file.display().to_string()]);
        }
        let engine = Engine { name: arguments.engine().to_owned(), lmc: *lmc, more, ..Engine::default() };
        let opensm = OpenSm::start(&engine, self.server.name(), &folder).map_err(refused)?;
        let id = opensm.id().to_string();
        interrupt::on_signal(move || {
            // Without its fabric it would go on for ever.
            let ended = Command::new("kill").args(["-KILL", &id]).status().is_ok();
            format!("the fabric is gone, and OpenSM {}", if ended { "with it" } else { &id })
        });
        Ok(opensm)
    }

    /// The fabric stays as it is, for other programs, until a signal ends the command.
    pub(super) fn hold(&mut self) -> Result<(), Failure> {
        tell_how("the fabric stays until a signal ends the command", self.server.name());
        loop {
            match (&mut self.runs, &mut self.standby) {
                (Runs::Own(own), _) | (_, Some(Runs::Own(own))) => own.watch()?,
                _ => std::thread::park(),
            }
        }
    }

    /// Another manager in the place of the first one, which is killed.
    pub(super) fn restart(&mut self, arguments: &Arguments, out: &Path) -> Result<Programmed, Failure> {
        let before = self.server.fabric().counts().sets;
        if let Runs::Own(own) = &mut self.runs {
            self.since = Instant::now();
            let what = own.restart(&self.server)?;
            return self.program(&what, arguments);
        }
        if let Some(opensm) = self.runs.opensm() {
            opensm.kill().map_err(refused)?;
        }
        self.since = Instant::now();
        if let Some(Runs::Own(mut own)) = self.standby.take() {
            let what = own.take_over()?;
            self.runs = Runs::Own(own);
            return self.program(&what, arguments);
        }
        self.runs = Runs::OpenSm(self.opensm(arguments, out)?);
        // A manager that takes over writes everything once, whether it is different or not.
        while self.server.fabric().counts().sets == before {
            std::thread::sleep(Duration::from_millis(20));
            self.runs.opensm().map_or(Ok(()), OpenSm::runs).map_err(refused)?;
        }
        self.program("killed, started again: taken over", arguments)
    }

    /// A link goes down, from the network's point of view.
    pub(super) fn take_down(&mut self, router: usize, port: usize) -> Result<(), Failure> {
        self.since = Instant::now();
        self.server.fabric().set_link(router, port, false).map_err(refused)
    }

    /// The lifetime limits that the manager has set in the switches.
    pub(super) fn lifetimes(&mut self) -> Result<Lifetimes, Failure> {
        let found = Lifetimes::read(&mut self.server.fabric()).map_err(refused)?.map_err(refused)?;
        let told = |kind: &str, of: Option<HeadOfQueue>| {
            of.map(|HeadOfQueue { life, stall_count }| {
                format!("{kind} HOQLife {life}, VLStallCount {stall_count}")
            })
        };
        let kinds = [told("to nodes", found.to_nodes), told("between switches", found.to_switches)];
        let in_switches = format!("in switches LifeTimeValue {}", found.in_switches);
        let kinds: Vec<_> = kinds.into_iter().flatten().chain([in_switches]).collect();
        output::print(&format!("lifetimes  {}", kinds.join("; ")))?;
        Ok(found)
    }

    /// Waits until everything is programmed, and says what has been done. The levels are there where the engine has them.
    pub(super) fn program(&mut self, what: &str, arguments: &Arguments) -> Result<Programmed, Failure> {
        let within = Duration::from_secs(arguments.within);
        let program = match &mut self.runs {
            Runs::Own(own) => {
                own.settle(within)?;
                let program = Program::read(&mut self.server.fabric()).map_err(refused)?;
                program
                    .map_err(|missing| refused(FabricError::Late { seconds: within.as_secs(), missing }))?
            }
            _ => self.server.program(self.runs.opensm(), within).map_err(refused)?,
        };
        let name = if matches!(self.runs, Runs::OpenSm(_)) { "opensm" } else { "manager" };
        let counts = self.server.fabric().counts();
        let mut line = format!(
            "{name:<10} {what} in {:.2} s; {} management packets so far, {} of them Set, {} lost",
            self.since.elapsed().as_secs_f64(),
            counts.packets,
            counts.sets,
            counts.lost
        );
        if let Runs::Own(own) = &self.runs {
            line.push_str(&own.told());
        }
        output::print(&line)?;
        let path = arguments.path;
        let is_layered = arguments.service_levels || LAYERED.contains(&arguments.engine());
        let levels = match &self.runs {
            Runs::Own(own) => own.levels(&self.server, &program, path),
            _ => is_layered.then(|| self.server.levels(&program, path)).transpose(),
        };
        let levels = levels.map_err(refused)?;
        if let Some(levels) = &levels {
            let (lanes, changes) = levels.used(&self.server.fabric(), &program, path);
            output::print(&format!(
                "levels     of {} pairs of nodes: {}{}",
                levels.levels.len() - program.lids.len(),
                super::own::lanes(lanes),
                if changes { ", by some changed on the way" } else { "" }
            ))?;
        }
        Ok((program, levels))
    }
}

/// Routing engines that are free of deadlocks by service levels.
const LAYERED: [&str; 4] = ["lash", "dfsssp", "nue", "torus-2QoS"];

/// Links that the firmware has room for.
const BOARD_PORTS: usize = 16;

fn tell_how(what: &str, name: &str) {
    let library =
        client_library().map_or_else(|| "libumad2sim.so".to_owned(), |path| path.display().to_string());
    output::tell(&format!(
        "{what}; any program for InfiniBand reaches the fabric with\n  \
         export IBSIM_SOCKNAME={name} LD_PRELOAD={library}\n\
         for example: opensm -o; ibnetdiscover; dump_lfts. SIM_HOST=\"node 3\" runs it at node 3"
    ));
}
