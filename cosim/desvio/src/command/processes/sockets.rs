//! Processes that are joined by TCP, each with each.

use super::frame;
use desvio_sim::processes::{Lost, Transport};
use std::io::{self, BufReader};
use std::net::TcpStream;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// The connections of one process.
pub(crate) struct Sockets {
    own: usize,
    /// By process; none to itself.
    peers: Vec<Option<Peer>>,
}

/// The connection to another process.
struct Peer {
    /// To the thread that writes: what both ends write at once has to be read at once.
    out: Mutex<Option<Sender<Vec<u8>>>>,
    writer: Option<JoinHandle<()>>,
    from: Mutex<BufReader<TcpStream>>,
}

/// What has been sent leaves before the connection ends.
impl Drop for Peer {
    fn drop(&mut self) {
        held(&self.out).take();
        let _ = self.writer.take().map(JoinHandle::join);
    }
}

/// Bytes that are read at once.
const BUFFER: usize = 1 << 18;

impl Sockets {
    /// Process `own`, with its connections by process.
    pub(super) fn new(own: usize, streams: Vec<Option<TcpStream>>) -> io::Result<Self> {
        let peers = streams.into_iter().map(|stream| stream.map(Peer::new).transpose());
        Ok(Self { own, peers: peers.collect::<io::Result<_>>()? })
    }
}

impl Peer {
    fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        keep_alive(&stream)?;
        let mut writer = stream.try_clone()?;
        let (out, messages) = channel::<Vec<u8>>();
        let writer = thread::Builder::new().spawn(move || {
            // What cannot be written is missed where an answer is read.
            while let Ok(message) = messages.recv()
                && frame::write(&mut writer, &message).is_ok()
            {}
            let _ = writer.shutdown(std::net::Shutdown::Write);
        })?;
        Ok(Self {
            out: Mutex::new(Some(out)),
            writer: Some(writer),
            from: Mutex::new(BufReader::with_capacity(BUFFER, stream)),
        })
    }
}

/// A machine that has gone without a word is noticed, on Linux within a minute.
#[cfg(unix)]
fn keep_alive(stream: &TcpStream) -> io::Result<()> {
    use rustix::net::sockopt;
    sockopt::set_socket_keepalive(stream, true)?;
    #[cfg(target_os = "linux")]
    {
        use std::time::Duration;
        sockopt::set_tcp_keepidle(stream, Duration::from_secs(30))?;
        sockopt::set_tcp_keepintvl(stream, Duration::from_secs(10))?;
        sockopt::set_tcp_keepcnt(stream, 3)?;
        sockopt::set_tcp_user_timeout(stream, 60_000)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_alive(_: &TcpStream) -> io::Result<()> {
    Ok(())
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Transport for Sockets {
    fn count(&self) -> usize {
        self.peers.len()
    }

    fn own(&self) -> usize {
        self.own
    }

    fn exchange(&self, outgoing: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        for (peer, message) in self.peers.iter().zip(outgoing) {
            if let Some(peer) = peer {
                // Without a thread that writes the connection has ended, which the reader says.
                let _ = held(&peer.out).as_ref().map(|out| out.send(message));
            }
        }
        let read = |(process, peer): (usize, &Option<Peer>)| match peer {
            None => Ok(Vec::new()),
            Some(peer) => frame::read(&mut *held(&peer.from)).map_err(|error| Lost {
                process,
                why: match error.kind() {
                    io::ErrorKind::UnexpectedEof => "it has closed the connection".to_owned(),
                    _ => error.to_string(),
                },
            }),
        };
        self.peers.iter().enumerate().map(read).collect()
    }
}
