//! Scripts that hand a campaign to an engine: each task runs one shard.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr;

/// What starts tasks on machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// `sbatch`: an array of jobs.
    Slurm,
    /// `hq submit`: an array of tasks.
    HyperQueue,
    /// Processes side by side on this machine.
    Local,
}

impl Engine {
    /// All, with their words.
    pub const ALL: [(&'static str, Self); 3] =
        [("slurm", Self::Slurm), ("hyperqueue", Self::HyperQueue), ("local", Self::Local)];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Slurm => "slurm",
            Self::HyperQueue => "hyperqueue",
            Self::Local => "local",
        }
    }

    /// The program that takes the script.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self {
            Self::Slurm => "sbatch",
            Self::HyperQueue | Self::Local => "sh",
        }
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(word, _)| *word == text);
        let words = || Self::ALL.map(|(word, _)| word).join(", ");
        found.map(|(_, engine)| engine).ok_or_else(|| format!("expected one of {}", words()))
    }
}

/// What a script is made from. All paths are absolute.
#[derive(Debug, Clone)]
pub struct Script {
    /// Who starts the tasks.
    pub engine: Engine,
    /// The program `desvio`.
    pub program: PathBuf,
    /// The file of the campaign.
    pub campaign: PathBuf,
    /// The folder of its results.
    pub out: PathBuf,
    /// Tasks.
    pub chunks: usize,
    /// Threads of each.
    pub threads: usize,
}

impl Script {
    /// The text of the script.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { engine, chunks, threads, .. } = self;
        let logs = quoted(&self.out.join("logs").display().to_string());
        let name = self.campaign.file_stem().unwrap_or_default().to_string_lossy();
        let mut text = "#!/bin/sh\n".to_owned();
        // Writing to a `String` cannot fail.
        let _ = match engine {
            Engine::Slurm => write!(
                text,
                "#SBATCH --job-name={}\n#SBATCH --array=1-{chunks}\n#SBATCH --cpus-per-task={threads}\n\
                 #SBATCH --output={}\n\
                 # A minute before the time is up the task stops, and says where its finished points are.\n\
                 #SBATCH --signal=B:USR1@60\n\
                 # A finished point is never computed again: submit this as often as it takes.\n\
                 exec {} --shard \"$SLURM_ARRAY_TASK_ID/{chunks}\"\n",
                plain(&name),
                self.out.join("logs").join("slurm-%A-%a.txt").display(),
                self.task()
            ),
            Engine::HyperQueue => write!(
                text,
                "# A finished point is never computed again: submit this as often as it takes.\n\
                 exec hq submit --name {} --array 1-{chunks} --cpus {threads} \\\n    \
                 --stdout {logs}/hq-%{{JOB_ID}}-%{{TASK_ID}}.out --stderr {logs}/hq-%{{JOB_ID}}-%{{TASK_ID}}.err \\\n    \
                 -- sh -c {}\n",
                plain(&name),
                quoted(&format!("exec {} --shard \"$HQ_TASK_ID/{chunks}\"", self.task()))
            ),
            Engine::Local => write!(
                text,
                "# A finished point is never computed again: start this as often as it takes.\n\
                 # What ends this script ends its processes.\n\
                 trap 'kill $pids 2>/dev/null; wait; exit 143' INT TERM\n\
                 status=0 pids=\nfor n in $(seq {chunks}); do\n    {} --shard \"$n/{chunks}\" &\n    pids=\"$pids $!\"\ndone\n\
                 for pid in $pids; do\n    wait \"$pid\" || status=$?\ndone\nexit $status\n",
                self.task()
            ),
        };
        text
    }

    fn task(&self) -> String {
        let [program, campaign, out] =
            [&self.program, &self.campaign, &self.out].map(|path| quoted(&path.display().to_string()));
        format!("{program} campaign run {campaign} --out {out} --threads {}", self.threads)
    }
}

/// For a POSIX shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// For the name of a job.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect()
}
