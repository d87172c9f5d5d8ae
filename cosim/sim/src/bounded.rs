//! Input files, none of which is read beyond a limit: what is no such file cannot take all memory.

use std::fs::File;
use std::io::{self, Error, ErrorKind, Read, Write};
use std::path::Path;

/// No input file may be larger.
pub const LARGEST: u64 = 1 << 30;

/// What a file of a kind may have. The reader of each format refuses more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes.
    pub bytes: u64,
    /// Levels that are nested in each other: elements, braces, lists.
    pub depth: usize,
    /// Things of a kind that it lists: links, names.
    pub items: usize,
}

/// The file of a network, in every format.
///
/// A link takes a dozen bytes: there can be millions. Read, a file takes up to twenty times its length. A reader may call itself for each
/// level.
pub const GRAPH: Limits = Limits { bytes: 32 << 20, depth: 100, items: 4 << 20 };

/// Reads a whole file of up to `limit` bytes.
///
/// # Errors
/// When it is larger, a folder, or cannot be read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_from(open(path)?, limit)
}

/// Hands a file of up to `limit` bytes on, a piece at a time.
///
/// # Errors
/// As of [`read`], or what `to` says.
pub fn copy(path: &Path, limit: u64, to: &mut impl Write) -> io::Result<()> {
    if io::copy(&mut open(path)?.take(limit + 1), to)? > limit {
        return Err(too_large(limit));
    }
    Ok(())
}

/// Opens a file. What waits for a writer, a pipe that has a name, is not opened.
///
/// Pipes that the shell hands over, `/dev/stdin` and the `/dev/fd/63` of `<(…)`, have a writer: they are opened.
///
/// # Errors
/// When it is a folder, such a pipe, or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(Error::other("it is a folder"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let is_handed_over = ["/dev/", "/proc/"].iter().any(|folder| path.starts_with(folder));
        if kind.is_fifo() && !is_handed_over {
            return Err(Error::other(
                "it is a pipe, and may never have an end: hand it over as standard input, or `<(…)`",
            ));
        }
    }
    File::open(path)
}

fn too_large(limit: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("it is larger than {limit} bytes"))
}

/// The same of what is open already.
fn read_from(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// The same of a file of text.
///
/// # Errors
/// Besides, when it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    text(read(path, limit)?)
}

/// The same of what is open already, such as standard input.
///
/// # Errors
/// The same.
pub fn read_text_from(input: impl Read, limit: u64) -> io::Result<String> {
    text(read_from(input, limit)?)
}

/// The text of a file. In one with names of devices, which may be cut in the middle of a character, what is no UTF-8 is replaced.
///
/// # Errors
/// When it is not UTF-8.
pub(crate) fn text_of_names(bytes: Vec<u8>, of_devices: bool) -> io::Result<String> {
    if of_devices { Ok(String::from_utf8_lossy(&bytes).into_owned()) } else { text(bytes) }
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| Error::new(ErrorKind::InvalidData, "not a text file: this is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let size = std::fs::metadata(&path).unwrap().len();
        assert_eq!(read_text(&path, size).unwrap().len() as u64, size);
        assert_eq!(read(&path, size - 1).unwrap_err().kind(), ErrorKind::FileTooLarge);
        let mut copied = Vec::new();
        copy(&path, size, &mut copied).unwrap();
        assert_eq!(copied, read(&path, size).unwrap());
        assert_eq!(copy(&path, size - 1, &mut copied).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert!(read(Path::new(env!("CARGO_MANIFEST_DIR")), size).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_with_a_name_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = read_text(&pipe, 1000).unwrap_err().to_string();
        assert!(error.starts_with("it is a pipe"), "{error}");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert!(read_text(&link, 1000).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_file_without_an_end_is_too_large() {
        let error = read_text(Path::new("/dev/zero"), 1000).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 1000 bytes");
    }
}
