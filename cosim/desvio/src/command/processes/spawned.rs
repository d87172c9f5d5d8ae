//! The processes that a run starts itself, on this machine.

use super::place::Member;
use std::env;
use std::ffi::OsString;
use std::io;
use std::process::{Child, Command, Stdio};

/// Processes 1 and on of a run; they are ended with it.
#[derive(Default)]
pub(super) struct Spawned(Vec<Child>);

impl Spawned {
    /// This program once more for each process but the first, with its own arguments and the place of each.
    pub(super) fn start(count: usize, threads: Option<u16>, host: &str, port: u16) -> io::Result<Self> {
        let program = env::current_exe()?;
        let mut spawned = Self::default();
        for own in 1..count {
            let place = Member { own, count, host: host.to_owned(), port };
            let mut command = Command::new(&program);
            command.args(arguments(env::args_os().skip(1), &place, threads));
            spawned.0.push(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?);
        }
        Ok(spawned)
    }

    /// The number of one that has ended, if one has.
    pub(super) fn ended(&mut self) -> Option<usize> {
        let has_ended = |child: &mut Child| matches!(child.try_wait(), Ok(Some(_)));
        self.0.iter_mut().position(has_ended).map(|at| at + 1)
    }

    /// Waits until all have ended.
    pub(super) fn wait(&mut self) {
        for mut child in self.0.drain(..) {
            let _ = child.wait();
        }
    }

    /// Ends them.
    pub(super) fn end(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
        }
        self.wait();
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        self.end();
    }
}

/// Arguments of the command line, with the place of another process instead of the own one. Threads that nobody has asked for are its share.
fn arguments(own: impl Iterator<Item = OsString>, place: &Member, threads: Option<u16>) -> Vec<OsString> {
    // The command comes first.
    let mut own = own.peekable();
    let mut all: Vec<OsString> = own.next().into_iter().collect();
    all.push(format!("--processes={place}").into());
    let mut has_threads = false;
    while let Some(argument) = own.next() {
        let text = argument.to_string_lossy();
        has_threads |= text == "--threads" || text.starts_with("--threads=");
        if text == "--processes" {
            own.next();
        } else if !text.starts_with("--processes=") {
            all.push(argument);
        }
    }
    if let (Some(threads), false) = (threads, has_threads) {
        all.insert(1, format!("--threads={threads}").into());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_gets_a_place_of_its_own() {
        let place = Member { own: 1, count: 2, host: "127.0.0.1".to_owned(), port: 7 };
        let of = |own: &[&str]| {
            let all = arguments(own.iter().map(OsString::from), &place, Some(3));
            all.into_iter().map(|one| one.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            of(&["run", "--processes", "2", "a.toml"]),
            "run --threads=3 --processes=1/2@127.0.0.1:7 a.toml"
        );
        assert_eq!(
            of(&["run", "a.toml", "--processes=2", "--threads", "1"]),
            "run --processes=1/2@127.0.0.1:7 a.toml --threads 1"
        );
    }
}
