//! The real subnet manager, as a program that is run.

use crate::error::FabricError;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// How OpenSM is to route.
#[derive(Debug, Clone)]
pub struct Engine {
    /// One of its routing engines, such as `minhop`, `updn`, `lash`, `dfsssp`.
    pub name: String,
    /// LMC: each node has 2 to the power of this many LIDs, 0…7.
    pub lmc: u8,
    /// Seconds between two sweeps.
    pub sweep: u16,
    /// Further arguments.
    pub more: Vec<String>,
}

impl Default for Engine {
    fn default() -> Self {
        Self { name: "minhop".to_owned(), lmc: 0, sweep: 1, more: Vec::new() }
    }
}

/// OpenSM, until it is dropped, or the thread that started it ends, as where this process is killed.
#[derive(Debug)]
pub struct OpenSm {
    child: Child,
    log: PathBuf,
}

/// ibsim's client library, which leads programs for InfiniBand to a fabric that is served here.
#[must_use]
pub fn client_library() -> Option<PathBuf> {
    let known = [
        "/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so",
        "/usr/lib/aarch64-linux-gnu/umad2sim/libumad2sim.so",
        "/usr/lib64/umad2sim/libumad2sim.so",
        "/usr/lib/umad2sim/libumad2sim.so",
    ];
    known.map(PathBuf::from).into_iter().find(|path| path.exists())
}

impl OpenSm {
    /// Starts it for the fabric that is served under a name. Its log, its caches and what else it writes go to a folder.
    ///
    /// # Errors
    /// When it, or ibsim's client library, is not installed.
    pub fn start(engine: &Engine, server: &str, folder: &Path) -> Result<Self, FabricError> {
        let library =
            client_library().ok_or(FabricError::Missing("ibsim client library (libumad2sim.so)"))?;
        let folder = folder.canonicalize()?;
        let log = folder.join("opensm.log");
        let mut command = Command::new("opensm");
        command.args([
            "-R",
            &engine.name,
            "-l",
            &engine.lmc.to_string(),
            "-s",
            &engine.sweep.to_string(),
            "-f",
        ]);
        command.arg(&log).args(&engine.more);
        command.env("LD_PRELOAD", library).env("IBSIM_SOCKNAME", server).env_remove("IBSIM_SERVER_NAME");
        command.env("OSM_TMP_DIR", &folder).env("OSM_CACHE_DIR", &folder).current_dir(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        verilated::child::end_with_this_thread(&mut command);
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(FabricError::Missing("opensm")),
            started => Ok(Self { child: started?, log }),
        }
    }

    /// Its log.
    #[must_use]
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    ///
    /// # Errors
    /// When it has ended.
    pub fn runs(&mut self) -> Result<(), FabricError> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => {
                Err(FabricError::Ended { status: status.to_string(), log: self.log.display().to_string() })
            }
        }
    }

    /// Ends it at once, as a crash would.
    ///
    /// # Errors
    /// When the system does not let it.
    pub fn kill(&mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait().map(drop)
    }
}

impl Drop for OpenSm {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.kill();
        // What the client library takes for the system's devices; it removes them only where the program ends by itself.
        if let Some(folder) = self.log.parent() {
            let _ = std::fs::remove_dir_all(folder.join(format!("sys-{}", self.child.id())));
        }
    }
}
