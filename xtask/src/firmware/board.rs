//! The emulated boards, and what runs on them.

use super::elf::Sizes;
use crate::step::{Failure, root};
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a binary may run.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where what belongs to the boards and runs on the host is built.
pub(super) const ON_HOST: &str = "target/firmware/host";

/// A board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    /// What its core is called.
    pub(super) core: &'static str,
    /// Its target, to Rust.
    pub(super) target: &'static str,
    emulator: &'static str,
    arguments: &'static [&'static str],
    /// What the binary that measures needs besides.
    more: &'static [&'static str],
    /// Whether a router with the whole core fits.
    pub(super) has_room: bool,
    /// Whether it has a UART for each neighbour in a mesh, and one more.
    pub(super) has_uarts: bool,
}

/// All of them.
pub(super) const BOARDS: [Board; 3] = [
    Board {
        core: "Cortex-M4F",
        target: "thumbv7em-none-eabihf",
        emulator: "qemu-system-arm",
        arguments: &["-machine", "mps2-an386"],
        more: &[],
        has_room: true,
        has_uarts: true,
    },
    Board {
        core: "Cortex-M0",
        target: "thumbv6m-none-eabi",
        emulator: "qemu-system-arm",
        arguments: &["-machine", "microbit"],
        more: &["-global", "nrf51-soc.sram-size=262144"],
        has_room: false,
        has_uarts: false,
    },
    Board {
        core: "RV32IMAC",
        target: "riscv32imac-unknown-none-elf",
        emulator: "qemu-system-riscv32",
        arguments: &["-machine", "virt", "-bios", "none", "-m", "8M"],
        more: &[],
        has_room: true,
        has_uarts: false,
    },
];

/// One number that was measured: ports of the router, what, how much.
pub(super) type Measurement = (u32, String, u64);

impl Board {
    fn elf(&self, binary: &str) -> PathBuf {
        root().join("target/firmware").join(self.target).join("release").join(binary)
    }

    fn emulator(&self, binary: &str) -> Command {
        let mut command = self.in_real_time(binary);
        // One instruction takes 256 ns of virtual time, whatever the host does.
        command.args(["-serial", "none", "-icount", "shift=8,sleep=off"]);
        command
    }

    /// The emulator with the host's clock, and without serial lines.
    pub(super) fn in_real_time(&self, binary: &str) -> Command {
        let mut command = Command::new(self.emulator);
        command.args(self.arguments).args(["-nographic", "-monitor", "none"]);
        command.args(["-semihosting-config", "enable=on,target=native"]);
        command.arg("-kernel").arg(self.elf(binary)).stdin(Stdio::null());
        command
    }

    /// Runs a binary that says nothing; its exit status is the verdict.
    pub(super) fn run(&self, binary: &str) -> Result<(), Failure> {
        let child = self.emulator(binary).spawn();
        let mut child = child.map_err(|error| Failure::new(format!("{}: {error}", self.emulator)))?;
        self.judge(binary, self.wait(&mut child)?)
    }

    fn judge(&self, binary: &str, status: ExitStatus) -> Result<(), Failure> {
        let passed = status.success();
        eprintln!("{binary} on {}: {}", self.core, if passed { "passed" } else { "FAILED" });
        if passed {
            return Ok(());
        }
        Err(Failure::new(format!("`{binary}` on {} failed ({status})", self.core)))
    }

    fn wait(&self, child: &mut Child) -> Result<ExitStatus, Failure> {
        let begin = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if begin.elapsed() < PATIENCE => sleep(Duration::from_millis(10)),
                _ => {
                    let _ = child.kill();
                    return Err(Failure::new(format!("{} takes too long", self.core)));
                }
            }
        }
    }

    /// Runs the binary with the events, decoded.
    pub(super) fn run_events(&self) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::new(format!("events on {}: {error}", self.core));
        let mut emulator = self.emulator("events").stdout(Stdio::piped()).spawn().map_err(failed)?;
        let events = emulator.stdout.take().map_or_else(Stdio::null, Stdio::from);
        let elf = self.elf("events");
        let decoder = Command::new(root().join(ON_HOST).join("debug/desvio-events"))
            .arg(&elf)
            .stdin(events)
            .stderr(Stdio::inherit())
            .output()
            .map_err(failed)?;
        let status = self.wait(&mut emulator)?;
        let text = String::from_utf8_lossy(&decoder.stdout);
        let lines: Vec<_> = text.lines().collect();
        for line in excerpt(&lines) {
            println!("  {line}");
        }
        if lines.is_empty() {
            return Err(Failure::new(format!("no events were decoded on {}", self.core)));
        }
        self.judge("events", status)
    }

    /// Runs the binary that measures, and weighs the one that serves.
    pub(super) fn measure(&self) -> Result<Vec<Measurement>, Failure> {
        let failed = |error: std::io::Error| Failure::new(format!("cost on {}: {error}", self.core));
        let mut child =
            self.emulator("cost").args(self.more).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut text = String::new();
        if let Some(mut output) = child.stdout.take() {
            output.read_to_string(&mut text).map_err(failed)?;
        }
        let status = self.wait(&mut child)?;
        if !status.success() {
            return Err(Failure::new(format!("`cost` on {} failed ({status})", self.core)));
        }
        let mut found: Vec<_> = text.lines().filter_map(measurement).collect();
        let bytes = fs::read(self.elf("switch")).map_err(failed)?;
        let sizes = Sizes::of(&bytes).ok_or_else(|| Failure::new("`switch` is no ELF file"))?;
        found.push((7, "bytes flash of the switch".to_owned(), sizes.flash));
        found.push((7, "bytes static RAM of the switch".to_owned(), sizes.ram));
        Ok(found)
    }
}

/// A line as the binary `cost` writes it: ports, what, number. What may have commas in it.
fn measurement(line: &str) -> Option<Measurement> {
    let (ports, rest) = line.split_once(',')?;
    let (what, number) = rest.rsplit_once(',')?;
    Some((ports.parse().ok()?, what.to_owned(), number.parse().ok()?))
}

/// The first events of each kind, and the verdict.
fn excerpt<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    const KINDS: [&str; 6] = ["self-test", "Arrived", "Decided", "Detoured", "Granted", "Refused"];
    let mut left = KINDS.map(|kind| (kind, 3));
    let mut shown = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let kind = left.iter_mut().find(|(kind, _)| line.contains(kind));
        let is_new = kind.is_some_and(|(_, left)| {
            let shows = *left > 0;
            *left -= i32::from(shows);
            shows
        });
        if is_new || at + 2 >= lines.len() {
            shown.push(*line);
        }
    }
    shown
}
