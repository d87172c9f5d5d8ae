//! Bounds on this process: memory, and processor time for each input.

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::io;

/// Address space of a process that runs inputs, in bytes.
pub(crate) const MEMORY: u64 = 1 << 30;

/// Ends this process by a signal when it takes more memory than that; no core file is written.
pub(crate) fn bound_memory() -> io::Result<()> {
    let both = |limit| Rlimit { current: Some(limit), maximum: Some(limit) };
    setrlimit(Resource::Core, both(0))?;
    Ok(setrlimit(Resource::As, both(MEMORY))?)
}

/// Ends this process by a signal when it has used so many seconds of processor time from now on. A machine that is busy with
/// something else changes nothing.
#[derive(Debug)]
pub(crate) struct Timer {
    seconds: u64,
    until: u64,
}

impl Timer {
    pub(crate) const fn new(seconds: u64) -> Self {
        Self { seconds, until: 0 }
    }

    /// An input begins.
    pub(crate) fn begin(&mut self) -> io::Result<()> {
        let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec.unsigned_abs();
        // The second that has begun is not counted.
        let until = used + self.seconds + 1;
        if until > self.until {
            self.until = until;
            setrlimit(Resource::Cpu, Rlimit { current: Some(until), maximum: None })?;
        }
        Ok(())
    }
}
