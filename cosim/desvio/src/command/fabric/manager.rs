//! The subnet manager: one that is started here, or one that is waited for.

use super::{Arguments, refused};
use crate::command::failure::Failure;
use crate::command::output;
use desvio_fabric::{Engine, Fabric, FabricError, OpenSm, Program, Server, client_library};
use std::path::Path;
use std::time::{Duration, Instant};

/// A fabric that is served, and OpenSM.
pub(super) struct Manager {
    server: Server,
    opensm: Option<OpenSm>,
    since: Instant,
}

impl Manager {
    pub(super) fn start(fabric: Fabric, arguments: &Arguments, out: &Path) -> Result<Self, Failure> {
        let name = format!("desvio-{}", std::process::id());
        let server = Server::start(fabric, &name).map_err(FabricError::from).map_err(refused)?;
        let mut manager = Self { server, opensm: None, since: Instant::now() };
        if arguments.wait {
            tell_how(&name);
        } else {
            manager.opensm = Some(manager.opensm(arguments, out)?);
        }
        Ok(manager)
    }

    fn opensm(&self, arguments: &Arguments, out: &Path) -> Result<OpenSm, Failure> {
        let folder = out.join("opensm");
        let failed = |error| Failure::Input(format!("error: cannot write {}: {error}", folder.display()));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let Arguments { engine, lmc, opensm, .. } = arguments;
        let engine = Engine { name: engine.clone(), lmc: *lmc, more: opensm.clone(), ..Engine::default() };
        OpenSm::start(&engine, self.server.name(), &folder).map_err(refused)
    }

    /// Another OpenSM in the place of the first one, which is killed.
    pub(super) fn restart(&mut self, arguments: &Arguments, out: &Path) -> Result<(), Failure> {
        let before = self.server.fabric().counts().sets;
        if let Some(opensm) = &mut self.opensm {
            opensm.kill().map_err(FabricError::from).map_err(refused)?;
        }
        self.since = Instant::now();
        self.opensm = Some(self.opensm(arguments, out)?);
        // A manager that takes over writes everything once, whether it is different or not.
        while self.server.fabric().counts().sets == before {
            std::thread::sleep(Duration::from_millis(20));
            self.opensm.as_mut().map_or(Ok(()), OpenSm::runs).map_err(refused)?;
        }
        self.program("killed, started again: taken over", arguments).map(drop)
    }

    /// A link goes down, from the network's point of view.
    pub(super) fn take_down(&mut self, router: usize, port: usize) -> Result<(), Failure> {
        self.since = Instant::now();
        self.server.fabric().set_link(router, port, false).map_err(FabricError::from).map_err(refused)
    }

    /// Waits until everything is programmed, and says what has been done.
    pub(super) fn program(&mut self, what: &str, arguments: &Arguments) -> Result<Program, Failure> {
        let within = Duration::from_secs(arguments.within);
        let program = self.server.program(self.opensm.as_mut(), within).map_err(refused)?;
        let counts = self.server.fabric().counts();
        output::print(&format!(
            "{:<10} {what} in {:.2} s; {} management packets so far, {} of them Set, {} lost",
            if arguments.wait { "manager" } else { "opensm" },
            self.since.elapsed().as_secs_f64(),
            counts.packets,
            counts.sets,
            counts.lost
        ))?;
        Ok(program)
    }
}

fn tell_how(name: &str) {
    let library = client_library().map_or_else(|| "libumad2sim.so".to_owned(), |path| path.display().to_string());
    output::tell(&format!(
        "waiting for a subnet manager; any program for InfiniBand reaches the fabric with\n  \
         export IBSIM_SOCKNAME={name} LD_PRELOAD={library}\n\
         for example: opensm -o; ibnetdiscover; dump_lfts. SIM_HOST=\"node 3\" runs it at node 3"
    ));
}
