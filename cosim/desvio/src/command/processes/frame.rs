//! One message on a connection: its length in eight bytes, then its bytes.

use std::io::{self, Read, Write};

/// Most bytes of a message: more is no message of ours.
const MOST: u64 = 1 << 36;

/// A message that is shorter goes in one piece, since each piece is a packet of its own.
const SHORT: usize = 1 << 15;

/// Sends a message.
pub(super) fn write(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let mut message = (bytes.len() as u64).to_le_bytes().to_vec();
    if bytes.len() < SHORT {
        message.extend_from_slice(bytes);
        return to.write_all(&message);
    }
    to.write_all(&message)?;
    to.write_all(bytes)
}

/// Waits for a message of at most `most` bytes.
pub(super) fn read_short(from: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a message of {length} bytes")));
    }
    // Memory grows with what comes, not with what is announced.
    let mut bytes = Vec::new();
    if from.take(length).read_to_end(&mut bytes)? as u64 == length {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Waits for a message.
pub(super) fn read(from: &mut impl Read) -> io::Result<Vec<u8>> {
    read_short(from, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_comes_as_it_was_sent_or_not_at_all() {
        let mut wire = Vec::new();
        write(&mut wire, b"flits").unwrap();
        write(&mut wire, b"").unwrap();
        let mut from = &wire[..];
        assert_eq!(read(&mut from).unwrap(), b"flits");
        assert_eq!(read(&mut from).unwrap(), b"");
        assert_eq!(read(&mut from).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(read(&mut &wire[..9]).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(read_short(&mut &wire[..], 4).unwrap_err().to_string(), "a message of 5 bytes");
    }
}
