//! A port on the two halves of a line of `embedded-io-async`: one task receives, another one transmits.

use crate::port::{Port, Tick};
use core::cell::RefCell;
use embedded_io_async::{Read, Write};

/// Bytes that are read at a time.
const CHUNK: usize = 32;

/// Why a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended<E> {
    /// The line failed.
    Line(E),
    /// The line is closed.
    Closed,
}

/// Hands what comes over the line to the port, until the line ends.
///
/// The port is borrowed between two waits only, so that tasks of one executor can share it. A borrow of
/// somebody else's that lasts over
/// a wait costs the bytes that come meanwhile; the link brings their flits again.
pub async fn receive<T: Read, const V: usize, const N: usize, const W: usize, const M: usize>(
    port: &RefCell<Port<V, N, W, M>>,
    line: &mut T,
) -> Ended<T::Error> {
    let mut bytes = [0; CHUNK];
    loop {
        match line.read(&mut bytes).await {
            Ok(0) => return Ended::Closed,
            Ok(length) => {
                if let Ok(mut port) = port.try_borrow_mut() {
                    port.handle(bytes.get(..length).unwrap_or_default());
                }
            }
            Err(error) => return Ended::Line(error),
        }
    }
}

/// Writes the port's frames to the line, until the line ends. Where there is none, `tick` waits, for a tick
/// or for something to send, and
/// says what time it is.
pub async fn transmit<T: Write, const V: usize, const N: usize, const W: usize, const M: usize>(
    port: &RefCell<Port<V, N, W, M>>,
    line: &mut T,
    mut tick: impl AsyncFnMut() -> Tick,
) -> Ended<T::Error> {
    let mut frame = [0; M];
    loop {
        let now = tick().await;
        if let Ok(mut port) = port.try_borrow_mut() {
            port.step(now);
        }
        loop {
            let length = port.try_borrow_mut().map_or(0, |mut port| port.poll_transmit(&mut frame));
            let written = frame.get(..length).unwrap_or_default();
            if written.is_empty() {
                break;
            }
            if let Err(error) = line.write_all(written).await {
                return Ended::Line(error);
            }
        }
    }
}
