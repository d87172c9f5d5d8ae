//! Two emulated boards on a cable.

use super::verdict::{came, excerpt, judge};
use crate::firmware;
use crate::step::{Failure, root};
use crate::tools;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// Packets that have to come each way.
const PACKETS: usize = 200;
/// How long two boards under QEMU may take for that.
const PATIENCE: Duration = Duration::from_secs(90);
/// Seconds of emulated time that two RP2040 have for that.
const SECONDS: &str = "0.3";
/// What emulates an RP2040, and its version.
const RP2040JS: &str = "rp2040js@1.4.1";

fn failed(what: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::new(format!("{}: {error}", what.display()))
}

/// Two RP2040, in rp2040js: the image as it is flashed.
pub(super) fn rp2040(elf: &Path) -> Result<(), Failure> {
    let module = rp2040js()?;
    let folder = tempfile::tempdir().map_err(|error| Failure::new(format!("no folder: {error}")))?;
    let out = folder.path().join("said");
    let mut command = Command::new("node");
    command
        .arg(root().join("firmware/boards/rp2040/emulate.mjs"))
        .arg(module)
        .arg(elf)
        .arg(SECONDS)
        .arg(&out);
    let status = command.status().map_err(failed(Path::new("node")))?;
    if !status.success() {
        return Err(Failure::new(format!("rp2040js failed ({status})")));
    }
    let log = |board| firmware::decoded(elf, &out.with_extension(board));
    show("rp2040, in rp2040js", &[log("0")?, log("1")?])
}

/// The emulator's module, installed where it is missing.
fn rp2040js() -> Result<PathBuf, Failure> {
    let place = root().join("target/rp2040js");
    let module = place.join("node_modules/rp2040js/dist/esm/index.js");
    if !module.exists() {
        if tools::is_installing_forbidden() {
            return Err(Failure::new(format!("no {RP2040JS}: nothing is installed with --no-install")));
        }
        tools::provide(&tools::SCRIPTS)?;
        let mut command = Command::new("npm");
        command.args([
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--silent",
            "--prefix",
        ]);
        let status = command.arg(&place).arg(RP2040JS).status().map_err(failed(Path::new("npm")))?;
        if !status.success() {
            return Err(Failure::new(format!("npm does not install {RP2040JS}")));
        }
    }
    Ok(module)
}

/// Two STM32F405, in QEMU. Its clock is the host's: on a busy machine the boards are tried once more.
pub(super) fn stm32f405(elf: &Path) -> Result<(), Failure> {
    two_stm32f405(elf).or_else(|failure| {
        eprintln!("once more, since QEMU runs in real time: {failure}");
        two_stm32f405(elf)
    })
}

fn two_stm32f405(elf: &Path) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::new(format!("no folder: {error}")))?;
    let mut boards = [0, 1].map(|number| Qemu::start(elf, folder.path(), number));
    if let [Ok(one), Ok(other)] = &mut boards {
        carry(&one.line, &other.line)?;
        carry(&other.line, &one.line)?;
    }
    let [one, other] = boards;
    let (one, other) = (one?, other?);
    let begin = Instant::now();
    let logs = loop {
        sleep(Duration::from_secs(1));
        let logs = [firmware::decoded(elf, &one.said)?, firmware::decoded(elf, &other.said)?];
        if logs.iter().all(|log| came(log) >= PACKETS) || begin.elapsed() > PATIENCE {
            break logs;
        }
    };
    show("stm32f405 with the feature `emulated`, in QEMU", &logs)
}

/// A board under QEMU, until it is dropped.
struct Qemu {
    child: Child,
    line: UnixStream,
    said: PathBuf,
}

impl Qemu {
    /// USART1 of board 0 and USART2 of board 1 are the ends of the cable.
    fn start(elf: &Path, folder: &Path, number: u8) -> Result<Self, Failure> {
        let socket = folder.join(format!("line.{number}"));
        let said = folder.join(format!("said.{number}"));
        let listener = UnixListener::bind(&socket).map_err(failed(&socket))?;
        let mut command = Command::new("qemu-system-arm");
        command
            .args(["-machine", "netduinoplus2", "-display", "none", "-monitor", "none", "-kernel"])
            .arg(elf);
        let host = format!("enable=on,target=native,arg=board,arg={number}");
        let line = format!("socket,id=line,path={}", socket.display());
        // No multiplexer, which hands QEMU's USART a byte before the one before has been read.
        command.args(["-semihosting-config", &host, "-chardev", &line]);
        command
            .args(["-serial", "null"].iter().take(2 * usize::from(number)))
            .args(["-serial", "chardev:line"]);
        let out = File::create(&said).map_err(failed(&said))?;
        let child = command.stdin(Stdio::null()).stdout(out).spawn().map_err(failed(Path::new("QEMU")))?;
        let (line, _) = listener.accept().map_err(failed(&socket))?;
        Ok(Self { child, line, said })
    }
}

impl Drop for Qemu {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Carries bytes one way, until an end is gone. It always reads: two emulators that wait for each other to read would do so for ever.
fn carry(from: &UnixStream, to: &UnixStream) -> Result<(), Failure> {
    let ends = from.try_clone().and_then(|from| Ok((from, to.try_clone()?)));
    let (mut from, mut to) = ends.map_err(|error| Failure::new(format!("a cable: {error}")))?;
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            if to.write_all(&bytes[..length]).is_err() {
                return;
            }
        }
    });
    Ok(())
}

fn show(title: &str, logs: &[String; 2]) -> Result<(), Failure> {
    let [to_one, to_other] = judge(logs, PACKETS)?;
    println!("\n{title}: two boards on a cable");
    for (number, log) in logs.iter().enumerate() {
        excerpt(log).iter().for_each(|line| println!("  {number} | {line}"));
    }
    println!(
        "  packets from board 0 to 1: {to_one}, from 1 to 0: {to_other}; each came whole, once and in order"
    );
    Ok(())
}
