//! What a process writes: a file of its own in the store, to which lines are only appended.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::record::Record;

/// Appends lines to a file that no other process writes. The file is made with the first line, and locked for as long as this lives.
#[derive(Debug)]
pub struct Segment<S = Disk> {
    sink: S,
    /// What could not be written yet.
    pending: Vec<u8>,
    /// Bytes that are written.
    written: u64,
    /// Whether there are bytes that may not be on the disk.
    is_dirty: bool,
}

/// Where lines go.
pub trait Sink {
    /// Adds bytes at the end.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Cuts what a failed write left behind the first `length` bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// A file of the store.
#[derive(Debug)]
pub struct Disk {
    path: PathBuf,
    file: Option<File>,
}

impl Segment {
    /// In the folder of a store, with a name that no other process uses.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self::of(Disk { path: folder.join(name()), file: None })
    }

    /// Where the lines are.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.sink.path
    }

    /// What has to be waited for until all that was written is on the disk: without the segment, to which others may write
    /// meanwhile.
    pub(crate) fn unsynced(&mut self) -> Option<File> {
        let file = self.sink.file.as_ref().filter(|_| self.is_dirty)?.try_clone().ok()?;
        self.is_dirty = false;
        Some(file)
    }

    /// Writes what is pending, and waits until all is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write()?;
        self.unsynced().map_or(Ok(()), |file| file.sync_data())
    }
}

impl<S: Sink> Segment<S> {
    pub(crate) fn of(sink: S) -> Self {
        Self { sink, pending: Vec::new(), written: 0, is_dirty: false }
    }

    /// Adds a line, which a kill of this process does not lose any more. A line that could not be written is kept, and written
    /// before the next one.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn push(&mut self, record: &Record) -> io::Result<()> {
        self.pending.extend_from_slice(record.to_line().as_bytes());
        self.write()
    }

    /// Lines that could not be written yet.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.pending.iter().filter(|byte| **byte == b'\n').count()
    }

    #[cfg(test)]
    pub(crate) fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    fn write(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        if let Err(error) = self.sink.append(&self.pending) {
            // Where it cannot be cut, a torn line spoils the one that follows it, whose point is computed anew.
            let _ = self.sink.cut(self.written);
            return Err(error);
        }
        self.written += self.pending.len() as u64;
        self.is_dirty = true;
        self.pending.clear();
        Ok(())
    }
}

impl Sink for Disk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(create(&self.path)?),
        };
        file.write_all(bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.set_len(length))
    }
}

fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let file = OpenOptions::new().append(true).create_new(true).open(path)?;
    // The lock says that its process lives. Where files cannot be locked, a segment counts as finished.
    let _ = file.try_lock();
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(file)
}

/// The ending of a segment's name.
const ENDING: &str = "jsonl";

/// Whether a file has the name of a segment, `host-process-random.jsonl`; any other is somebody else's.
pub(crate) fn is_segment(path: &Path) -> bool {
    let is_ours = |stem: &str| {
        let (rest, random) = stem.rsplit_once('-')?;
        let (host, process) = rest.rsplit_once('-')?;
        let is_number =
            |text: &str, is_digit: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|b| is_digit(&b));
        let is_random = random.len() == 16 && is_number(random, u8::is_ascii_hexdigit);
        Some(is_random && is_number(process, u8::is_ascii_digit) && !host.is_empty())
    };
    let ends = path.extension().is_some_and(|ending| ending == ENDING);
    ends && path.file_stem().and_then(|stem| stem.to_str()).and_then(is_ours) == Some(true)
}

/// Host, process and a random number: processes of one number on many hosts, or after a restart, do not meet.
fn name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let host: String = host.trim().chars().filter(plain).take(40).collect();
    let host = if host.is_empty() { "host" } else { &host };
    format!("{host}-{}-{:016x}.{ENDING}", std::process::id(), RandomState::new().hash_one(()))
}
