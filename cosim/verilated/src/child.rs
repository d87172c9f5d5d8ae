//! Programs that are run, and end when this process does.
//!
//! Each is the head of a group of processes: [`end_all`] ends what it has started, too. Where this process is killed so that it
//! cannot do that, Linux ends the program, and not what that has started: a compiler then finishes its file.

use std::{
    collections::BTreeSet,
    io,
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The programs that run now.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Runs a program to its end, and gives what it wrote.
///
/// # Errors
/// When it cannot be run.
pub fn output(command: &mut Command) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (child, _running) = start(command)?;
    child.wait_with_output()
}

/// Runs a program to its end.
///
/// # Errors
/// When it cannot be run.
pub fn status(command: &mut Command) -> io::Result<ExitStatus> {
    // From its own group of processes it could not read a terminal: it would be stopped.
    let (mut child, _running) = start(command.stdin(Stdio::null()))?;
    child.wait()
}

/// Ends every program that runs, and what it has started. No other is started afterwards: this process is about to end.
pub fn end_all() {
    let running = running();
    #[cfg(unix)]
    for &id in running.iter() {
        let group = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
        // One that has just ended needs nothing.
        let _ = group.map(|group| rustix::process::kill_process_group(group, rustix::process::Signal::TERM));
    }
    std::mem::forget(running);
}

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program's place in the list.
struct Running(u32);

impl Drop for Running {
    fn drop(&mut self) {
        running().remove(&self.0);
    }
}

fn start(command: &mut Command) -> io::Result<(Child, Running)> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    #[cfg(target_os = "linux")]
    end_with_this_thread(command);
    let mut running = running();
    let child = command.spawn()?;
    running.insert(child.id());
    drop(running);
    let listed = Running(child.id());
    Ok((child, listed))
}

/// Has Linux end a program, once it is started, when the thread that starts it ends: also where this process is killed.
///
/// That thread should live as long as the program is wanted.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "what runs between fork and exec is one system call")]
pub fn end_with_this_thread(command: &mut Command) {
    use rustix::process::{Signal, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt as _;
    // SAFETY: the closure makes one system call and allocates nothing, which is all that is allowed between fork and exec.
    unsafe {
        command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::TERM))?));
    }
}
