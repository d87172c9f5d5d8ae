//! A cable between two boards: two sockets, and what happens to the bytes between them.

use super::damage::{Damage, END};
use super::shape::Joint;
use crate::step::Failure;
use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::Duration;

/// How long the bytes of a frame gather.
const GATHER: Duration = Duration::from_micros(300);

/// A cable that is there until it is dropped. A board plugs in by connecting to the socket of its port; one that is restarted does so again.
#[derive(Debug)]
pub(super) struct Cable {
    pub(super) joint: Joint,
    shared: Arc<Shared>,
    sockets: [PathBuf; 2],
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    is_cut: AtomicBool,
    is_over: AtomicBool,
    /// What leads to the board at each end, while one is there.
    ends: [Mutex<Option<UnixStream>>; 2],
    frames: AtomicU32,
    damaged: AtomicU32,
    /// Bytes that were sent while the cable was cut.
    dropped: AtomicU32,
}

impl Shared {
    fn end(&self, end: usize) -> MutexGuard<'_, Option<UnixStream>> {
        self.ends[end].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes boards that plug in at `end`, one after the other, and carries what they send to the other end.
    fn serve(&self, listener: &UnixListener, end: usize, mut damage: Damage) {
        let mut bytes = [0; 4096];
        let mut passed = Vec::new();
        while let Ok((mut board, _)) = listener.accept() {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            *self.end(end) = board.try_clone().ok();
            damage.forget();
            while let Ok(length @ 1..) = board.read(&mut bytes) {
                // A board sends byte by byte: many at a time are carried with less effort.
                if bytes[length - 1] != END {
                    sleep(GATHER);
                }
                passed.clear();
                let before = (damage.frames, damage.damaged);
                damage.pass(&bytes[..length], &mut passed);
                self.frames.fetch_add(damage.frames - before.0, Ordering::Relaxed);
                self.damaged.fetch_add(damage.damaged - before.1, Ordering::Relaxed);
                if self.is_cut.load(Ordering::Relaxed) {
                    self.dropped.fetch_add(passed.len() as u32, Ordering::Relaxed);
                } else if let Some(other) = self.end(1 - end).as_mut() {
                    // A board that is gone takes nothing.
                    let _ = other.write_all(&passed);
                }
            }
            *self.end(end) = None;
        }
    }
}

/// The socket of a board's port.
pub(super) fn socket(folder: &Path, board: u8, port: u8) -> PathBuf {
    folder.join(format!("{board}.{port}"))
}

impl Cable {
    /// Lays a cable, with sockets in this folder.
    pub(super) fn lay(joint: Joint, folder: &Path, percent: f64, seed: u64) -> Result<Self, Failure> {
        let sockets = joint.ends.map(|(board, port)| socket(folder, board, port));
        let mut cable = Self { joint, shared: Arc::default(), sockets, threads: Vec::new() };
        for (end, (board, port)) in joint.ends.into_iter().enumerate() {
            let path = &cable.sockets[end];
            let listener = UnixListener::bind(path)
                .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
            let damage = Damage::new(percent, seed, u64::from(board) << 8 | u64::from(port));
            let shared = Arc::clone(&cable.shared);
            cable.threads.push(thread::spawn(move || shared.serve(&listener, end, damage)));
        }
        Ok(cable)
    }

    /// Cuts it, or mends it.
    pub(super) fn cut(&self, is_cut: bool) {
        self.shared.is_cut.store(is_cut, Ordering::Relaxed);
    }

    /// Frames that were sent, and those of them that were damaged.
    pub(super) fn frames(&self) -> (u32, u32) {
        (self.shared.frames.load(Ordering::Relaxed), self.shared.damaged.load(Ordering::Relaxed))
    }

    /// Bytes that were sent into the cut.
    pub(super) fn dropped(&self) -> u32 {
        self.shared.dropped.load(Ordering::Relaxed)
    }
}

impl Drop for Cable {
    /// The boards are gone; what waits for the next one to plug in is woken.
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        for path in &self.sockets {
            let _ = UnixStream::connect(path);
        }
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}
