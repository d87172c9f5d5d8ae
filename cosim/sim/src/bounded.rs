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

/// Reads what is open already, up to `limit` bytes.
fn read_from(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// Reads a file of text, up to `limit` bytes.
///
/// # Errors
/// Besides, when it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    text(read(path, limit)?)
}

/// Reads text from what is open already, such as standard input, up to `limit` bytes.
///
/// # Errors
/// As [`read_text`].
pub fn read_text_from(input: impl Read, limit: u64) -> io::Result<String> {
    text(read_from(input, limit)?)
}

/// The text of a file with names, which may be in Latin-1. A file in UTF-16, as some shells redirect output, begins with its mark.
///
/// Names of devices may be cut in the middle of a character: bytes that are no UTF-8 are replaced in a file with a text of devices.
///
/// # Errors
/// When it is compressed, or no text.
pub(crate) fn text_of_names(bytes: Vec<u8>, of_devices: bool) -> io::Result<String> {
    if let Some(text) = utf16(&bytes) {
        return Ok(text);
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error.into_bytes(),
    };
    match () {
        () if PACKED.iter().any(|start| bytes.starts_with(start)) => {
            Err(Error::new(ErrorKind::InvalidData, "it is compressed: unpack it first"))
        }
        () if of_devices => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        () if bytes.contains(&0) => text(bytes),
        () => Ok(bytes.into_iter().map(char::from).collect()),
    }
}

/// How files begin that gzip, bzip2, xz, zstd and zip write.
const PACKED: [&[u8]; 5] = [b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"];

/// The text of a file that begins with a mark of UTF-16.
fn utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2)? {
        b"\xff\xfe" => u16::from_le_bytes,
        b"\xfe\xff" => u16::from_be_bytes,
        _ => return None,
    };
    let (units, _) = bytes.get(2..)?.as_chunks::<2>();
    Some(String::from_utf16_lossy(&units.iter().map(|&pair| unit(pair)).collect::<Vec<_>>()))
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
    fn names_are_in_any_of_the_usual_codes() {
        let read = |bytes: &[u8]| text_of_names(bytes.to_vec(), false).map_err(|error| error.to_string());
        assert_eq!(read("Zürich".as_bytes()), Ok("Zürich".to_owned()));
        assert_eq!(read(b"Z\xfcrich"), Ok("Zürich".to_owned()));
        assert_eq!(read(b"\xff\xfeZ\0\xfc\0"), Ok("Zü".to_owned()));
        assert_eq!(read(b"\xfe\xff\0Z\0\xfc"), Ok("Zü".to_owned()));
        for packed in
            [&b"\x1f\x8b\x08\0"[..], b"BZh9\xff", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd\0", b"PK\x03\x04\xff"]
        {
            assert_eq!(read(packed), Err("it is compressed: unpack it first".to_owned()));
            assert!(text_of_names(packed.to_vec(), true).is_err());
        }
        assert_eq!(read(b"\x7fELF\0\xff"), Err("not a text file: this is not UTF-8".to_owned()));
        assert_eq!(text_of_names(b"leaf\xc3".to_vec(), true).unwrap(), "leaf\u{fffd}");
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
