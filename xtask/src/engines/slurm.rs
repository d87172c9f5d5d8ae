//! A Slurm of one machine: munged, slurmctld and slurmd with keys, sockets, ports and states of their own.

use crate::step::Failure;
use std::fs::{self, Permissions};
use std::io;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

/// Its servers run for as long as this lives.
pub(super) struct Cluster {
    folder: PathBuf,
    variables: [(&'static str, PathBuf); 1],
    /// In the order in which they were started.
    servers: Vec<Child>,
}

/// Until a job may be submitted.
const PATIENCE: Duration = Duration::from_secs(30);

impl Cluster {
    /// Starts it in a folder that exists, and waits until its node is idle.
    pub(super) fn start(folder: &Path) -> Result<Self, Failure> {
        let folder = folder.join("slurm");
        let failed = |error: io::Error| Failure::new(format!("{}: {error}", folder.display()));
        let configuration = folder.join("slurm.conf");
        let variables = [("SLURM_CONF", configuration.clone())];
        let mut cluster = Self { folder: folder.clone(), variables, servers: Vec::new() };
        cluster.prepare().map_err(failed)?;
        cluster.serve("munged", &cluster.munged()).map_err(failed)?;
        wait_for("munged", || cluster.folder.join("munge/socket").exists())?;
        fs::write(&configuration, configure(&folder).map_err(failed)?).map_err(failed)?;
        cluster.serve("slurmctld", &["-D".to_owned()]).map_err(failed)?;
        cluster.serve("slurmd", &["-D".to_owned()]).map_err(failed)?;
        wait_for("slurmd", || cluster.ask("sinfo", &["-h", "-o", "%T"]).trim() == "idle")?;
        Ok(cluster)
    }

    /// What its clients need in their environment.
    pub(super) fn variables(&self) -> &[(&'static str, PathBuf)] {
        &self.variables
    }

    /// What a client answers; nothing where it fails.
    pub(super) fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        command.args(arguments).envs(self.variables.clone());
        let answer = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
        answer.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned()).unwrap_or_default()
    }

    fn prepare(&self) -> io::Result<()> {
        for name in ["munge", "state", "spool"] {
            fs::create_dir_all(self.folder.join(name))?;
        }
        // A key is of random bytes, and no other user may read it.
        let mut key = [0; 128];
        io::Read::read_exact(&mut fs::File::open("/dev/urandom")?, &mut key)?;
        let path = self.folder.join("munge/key");
        fs::write(&path, key)?;
        fs::set_permissions(&path, Permissions::from_mode(0o400))?;
        fs::set_permissions(self.folder.join("munge"), Permissions::from_mode(0o711))
    }

    fn munged(&self) -> Vec<String> {
        let file = |option: &str, name: &str| {
            format!("--{option}={}", self.folder.join("munge").join(name).display())
        };
        let files = [("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("seed-file", "seed")];
        // The folders above may be writable for a group.
        let options = ["--foreground", "--force"].map(str::to_owned).into_iter();
        options.chain(files.map(|(option, name)| file(option, name))).collect()
    }

    fn serve(&mut self, program: &str, arguments: &[String]) -> io::Result<()> {
        let log = fs::File::create(self.folder.join(format!("{program}.txt")))?;
        let mut command = Command::new(program);
        command.args(arguments).envs(self.variables.clone());
        self.servers.push(command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?);
        Ok(())
    }
}

impl Drop for Cluster {
    /// The last one first; each may end its own processes.
    fn drop(&mut self) {
        for server in self.servers.iter_mut().rev() {
            let asked = Command::new("kill").arg(server.id().to_string()).status();
            let begun = Instant::now();
            while asked.is_ok() && matches!(server.try_wait(), Ok(None)) && begun.elapsed() < PATIENCE {
                sleep(Duration::from_millis(20));
            }
            // One that has ended already cannot be killed.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

fn wait_for(what: &str, is_ready: impl Fn() -> bool) -> Result<(), Failure> {
    let begun = Instant::now();
    while !is_ready() {
        if begun.elapsed() > PATIENCE {
            return Err(Failure::new(format!("{what} is not ready after {} s", PATIENCE.as_secs())));
        }
        sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// One node with as many processors as this machine has, by an address that no other machine reaches.
fn configure(folder: &Path) -> io::Result<String> {
    let host = fs::read_to_string("/proc/sys/kernel/hostname")?;
    let host = host.trim().split('.').next().unwrap_or_default();
    let cores = available_parallelism().map_or(1, usize::from);
    let listeners = [TcpListener::bind("127.0.0.1:0")?, TcpListener::bind("127.0.0.1:0")?];
    let ports = [listeners[0].local_addr()?.port(), listeners[1].local_addr()?.port()];
    let folder = folder.display();
    Ok(format!(
        "ClusterName=engines\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
         AuthType=auth/munge\nAuthInfo=socket={folder}/munge/socket\n\
         StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
         SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
         SlurmctldPort={}\nSlurmdPort={}\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\n\
         SchedulerParameters=batch_sched_delay=0,sched_interval=1\nMpiDefault=none\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN\n\
         PartitionName=main Nodes={host} Default=YES State=UP MaxTime=INFINITE\n",
        ports[0], ports[1]
    ))
}
