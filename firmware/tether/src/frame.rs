//! Frames on a stream of bytes: a mark, a length, the payload, and a digest of it.
//!
//! ```text
//! frame   0xd5, payload bytes (2), payload, digest (4)
//! ```

use crate::bytes::{Reader, TooLong, Writer};
use crate::digest::Digest;

const MARK: u8 = 0xd5;
/// Bytes before the payload,
const HEAD: usize = 3;
/// and after it.
const TAIL: usize = 4;

/// Bytes of a frame besides its payload.
pub const OVERHEAD: usize = HEAD + TAIL;

/// A line that carries bytes both ways, in order: a serial port, a socket, a debugger.
pub trait Stream {
    /// Why the line is gone.
    type Error;

    /// Waits for at least one byte; returns how many came.
    ///
    /// # Errors
    /// When the line is gone.
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Self::Error>;

    /// Sends all of these bytes.
    ///
    /// # Errors
    /// When the line is gone.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;
}

/// Why there is no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError<E> {
    /// The line is gone.
    Line(E),
    /// Longer than the buffer, or a digest that does not fit: bytes were lost.
    Broken,
}

/// Sends what `payload` writes. `buffer` has room for a whole frame.
///
/// # Errors
/// When the payload does not fit, or the line is gone.
pub fn send<S: Stream>(
    stream: &mut S,
    buffer: &mut [u8],
    payload: impl FnOnce(&mut Writer<'_>),
) -> Result<(), FrameError<S::Error>> {
    let frame = seal(buffer, payload).map_err(|TooLong| FrameError::Broken)?;
    stream.write(frame).map_err(FrameError::Line)
}

fn seal(buffer: &mut [u8], payload: impl FnOnce(&mut Writer<'_>)) -> Result<&[u8], TooLong> {
    let (head, rest) = buffer.split_first_chunk_mut::<HEAD>().ok_or(TooLong)?;
    let mut writer = Writer::new(rest);
    payload(&mut writer);
    let length = writer.length()?;
    let [mark, low, high] = head;
    let [lower, upper] = u16::try_from(length).map_err(|_| TooLong)?.to_le_bytes();
    (*mark, *low, *high) = (MARK, lower, upper);
    let digest = Digest::of(rest.get(..length).ok_or(TooLong)?).value();
    let tail = rest.get_mut(length..).and_then(<[u8]>::first_chunk_mut::<TAIL>).ok_or(TooLong)?;
    *tail = digest.to_le_bytes();
    buffer.get(..length.saturating_add(OVERHEAD)).ok_or(TooLong)
}

/// Waits for a frame; hands back its payload.
///
/// # Errors
/// When it is broken, or the line is gone.
pub fn receive<'b, S: Stream>(
    stream: &mut S,
    buffer: &'b mut [u8],
) -> Result<&'b [u8], FrameError<S::Error>> {
    let mut head = [0; HEAD];
    let (first, rest) = head.split_at_mut(1);
    while first != [MARK] {
        fill(stream, first)?;
    }
    fill(stream, rest)?;
    let [_, low, high] = head;
    let length = usize::from(u16::from_le_bytes([low, high]));
    let whole = buffer.get_mut(..length.saturating_add(TAIL)).ok_or(FrameError::Broken)?;
    fill(stream, whole)?;
    let (payload, tail) = whole.split_at_checked(length).ok_or(FrameError::Broken)?;
    if Reader::new(tail).u32() != Ok(Digest::of(payload).value()) {
        return Err(FrameError::Broken);
    }
    Ok(payload)
}

fn fill<S: Stream>(stream: &mut S, bytes: &mut [u8]) -> Result<(), FrameError<S::Error>> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let read = stream.read(rest).map_err(FrameError::Line)?;
        rest = rest.get_mut(read..).ok_or(FrameError::Broken)?;
    }
    Ok(())
}
