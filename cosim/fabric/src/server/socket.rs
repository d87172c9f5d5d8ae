//! A socket that only programs of this user reach: names in Linux's abstract name space have no owner and no permissions.

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, SocketAddrAny, recvmsg, sendto, sockopt,
};
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

/// One end of ibsim's protocol. The system says with each datagram who sent it.
pub(super) struct Socket(UnixDatagram);

/// A datagram.
pub(super) struct Datagram {
    pub(super) length: usize,
    /// Whether it is from a program of the user that this process runs as.
    pub(super) is_own: bool,
    from: Option<SocketAddrAny>,
}

impl Socket {
    /// Waits at a name, each time no longer than `wait`.
    pub(super) fn bind(name: &SocketAddr, wait: Duration) -> io::Result<Self> {
        let socket = UnixDatagram::bind_addr(name)?;
        socket.set_read_timeout(Some(wait))?;
        sockopt::set_socket_passcred(&socket, true)?;
        Ok(Self(socket))
    }

    /// The next datagram; nothing where none has come, or one of a program that is gone.
    pub(super) fn receive(&self, bytes: &mut [u8]) -> io::Result<Option<Datagram>> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmCredentials(1))];
        let mut told = RecvAncillaryBuffer::new(&mut space);
        let read = recvmsg(&self.0, &mut [IoSliceMut::new(bytes)], &mut told, RecvFlags::empty());
        let read = match read.map_err(io::Error::from) {
            Ok(read) => read,
            Err(error) if is_nothing(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let own = rustix::process::geteuid();
        let is_own = told
            .drain()
            .any(|told| matches!(told, RecvAncillaryMessage::ScmCredentials(of) if of.uid == own));
        Ok(Some(Datagram { length: read.bytes, is_own, from: read.address }))
    }

    /// Answers the sender of a datagram. One that does not wait for the answer is gone.
    pub(super) fn answer(&self, to: &Datagram, bytes: &[u8]) {
        if let Some(from) = &to.from {
            let _ = sendto(&self.0, bytes, SendFlags::empty(), from);
        }
    }

    pub(super) fn connect(&self, to: &SocketAddr) -> io::Result<()> {
        self.0.connect_addr(to)
    }

    pub(super) fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes)
    }
}

fn is_nothing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionRefused, ConnectionReset, Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted | ConnectionRefused | ConnectionReset)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::os::linux::net::SocketAddrExt as _;
    use std::process::Command;

    const WAIT: Duration = Duration::from_secs(5);

    /// Another user can be tried by root alone.
    #[test]
    fn datagrams_of_another_user_are_known_as_such() {
        let name = format!("desvio-socket-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let socket = Socket::bind(&address, WAIT).unwrap();
        let mut bytes = [0; 16];
        UnixDatagram::unbound().unwrap().send_to_addr(b"own", &address).unwrap();
        let own = socket.receive(&mut bytes).unwrap().unwrap();
        assert!(own.is_own && own.length == 3);

        let text = format!(
            "use Socket; socket(my $s, AF_UNIX, SOCK_DGRAM, 0); send($s, 'other', 0, pack('S a*', AF_UNIX, \"\\0{name}\")) or exit 1"
        );
        let mut other = Command::new("setpriv");
        let is_sent = other.args(["--reuid", "4243", "--clear-groups", "perl", "-e", &text]).status();
        if is_sent.is_ok_and(|status| status.success()) {
            let other = socket.receive(&mut bytes).unwrap().unwrap();
            assert!(!other.is_own && other.length == 5);
        }
    }
}
