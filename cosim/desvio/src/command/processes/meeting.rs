//! How processes find each other. Process 0 waits for all others, and says to each where the ones before it are; each calls those.

use super::frame;
use super::place::{Member, Place};
use super::sockets::Sockets;
use super::spawned::Spawned;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a process waits for the others.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(5);
/// How long one that calls may take to say who it is.
const HELLO: Duration = Duration::from_secs(10);
/// The first bytes of each connection: anything else is somebody else.
const MAGIC: &[u8; 8] = b"desvio-1";
/// Bytes of an introduction: who, of how many, and the port at which it waits itself.
const INTRODUCTION: u64 = 8 + 4 + 4 + 2;
/// Most bytes of the list of all processes.
const LIST: u64 = 1 << 17;

/// Finds the others, or starts them.
pub(super) fn meet(place: &Place) -> io::Result<(Spawned, Sockets)> {
    match place {
        Place::Here(count) => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let at = listener.local_addr()?;
            let mut spawned = Spawned::start(*count, place.threads(), &at.ip().to_string(), at.port())?;
            let streams = first(&listener, *count, &mut spawned)?;
            Ok((spawned, Sockets::new(0, streams)?))
        }
        Place::One(member) if member.own == 0 => {
            let streams = first(&waiting(member.port)?, member.count, &mut Spawned::default())?;
            Ok((Spawned::default(), Sockets::new(0, streams)?))
        }
        Place::One(member) => Ok((Spawned::default(), Sockets::new(member.own, other(member)?)?)),
    }
}

/// A port at which others are waited for, of all addresses of this machine.
fn waiting(port: u16) -> io::Result<TcpListener> {
    let any = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port));
    any.or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))
        .map_err(|error| io::Error::new(error.kind(), format!("cannot wait at port {port}: {error}")))
}

/// Process 0: all others come, and get each other's addresses.
fn first(listener: &TcpListener, count: usize, spawned: &mut Spawned) -> io::Result<Vec<Option<TcpStream>>> {
    let mut found: Vec<Option<(TcpStream, SocketAddr)>> = (0..count).map(|_| None).collect();
    let missing = |found: &[Option<_>]| (1..count).find(|&n| found[n].is_none());
    let mut patience = Patience::new();
    while let Some(next) = missing(&found) {
        let Some((mut stream, at)) = patience.accept(listener, next, spawned)? else { continue };
        // Who says nothing sensible is none of us.
        let Ok((own, all, port)) = introduction(&mut stream) else { continue };
        if all != count {
            let text = format!("process {own} is one of {all}, not of {count}");
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        match found.get_mut(own).filter(|_| own > 0) {
            Some(place @ None) => *place = Some((stream, SocketAddr::new(at.ip(), port))),
            Some(Some(_)) => {
                return Err(io::Error::other(format!("two processes say that they are process {own}")));
            }
            None => {}
        }
    }
    let list: Vec<String> =
        found.iter().map(|one| one.as_ref().map_or_else(String::new, |(_, at)| at.to_string())).collect();
    let streams = found.into_iter().map(|one| {
        let Some((mut stream, _)) = one else { return Ok(None) };
        frame::write(&mut stream, list.join(" ").as_bytes())?;
        Ok(Some(stream))
    });
    streams.collect()
}

/// Another process: it calls process 0, then those before it, and waits for those behind it.
fn other(member: &Member) -> io::Result<Vec<Option<TcpStream>>> {
    let &Member { own, count, .. } = member;
    // An address of this machine alone: so are all others.
    let is_here = member.host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    let listener = if is_here { TcpListener::bind((member.host.as_str(), 0))? } else { waiting(0)? };
    let port = listener.local_addr()?.port();
    let mut stream = call(member)?;
    introduce(&mut stream, (own, count, port))?;
    let list = frame::read_short(&mut stream, LIST)
        .map_err(|error| io::Error::new(error.kind(), format!("process 0 has gone: {error}")))?;
    let first_ip = plain(stream.peer_addr()?.ip());
    let list = String::from_utf8_lossy(&list).into_owned();
    let others: Vec<&str> = list.split(' ').collect();
    let mut streams: Vec<Option<TcpStream>> = (0..count).map(|_| None).collect();
    for (n, place) in streams.iter_mut().enumerate().take(own).skip(1) {
        let at = others.get(n).and_then(|at| at.parse::<SocketAddr>().ok());
        let at = at.ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "process 0 does not know all"))?;
        let at = reachable(at, first_ip);
        let mut stream = TcpStream::connect(at)
            .map_err(|error| io::Error::new(error.kind(), format!("process {n} at {at}: {error}")))?;
        introduce(&mut stream, (own, count, port))?;
        *place = Some(stream);
    }
    streams[0] = Some(stream);
    let mut patience = Patience::new();
    while let Some(next) = (own + 1..count).find(|&n| streams[n].is_none()) {
        let Some((mut stream, _)) = patience.accept(&listener, next, &mut Spawned::default())? else {
            continue;
        };
        let Ok((from, ..)) = introduction(&mut stream) else { continue };
        if let Some(place @ None) = streams.get_mut(from).filter(|_| from > own) {
            *place = Some(stream);
        }
    }
    Ok(streams)
}

/// Where a process is that process 0 knows by this address: one that has called process 0 from its own machine is on that.
fn reachable(at: SocketAddr, first: IpAddr) -> SocketAddr {
    if at.ip().is_loopback() { SocketAddr::new(first, at.port()) } else { at }
}

/// A connection to process 0, which may not have begun to wait.
fn call(member: &Member) -> io::Result<TcpStream> {
    let begun = Instant::now();
    loop {
        let found = member.first().and_then(|at| TcpStream::connect(&at[..]));
        match found {
            Ok(stream) => return Ok(stream),
            Err(error) if begun.elapsed() > PATIENCE => {
                let text = format!("process 0 is not at {}:{}: {error}", member.host, member.port);
                return Err(io::Error::new(error.kind(), text));
            }
            Err(_) => sleep(PAUSE * 10),
        }
    }
}

/// Waits for those that call, but not for ever.
struct Patience(Instant);

impl Patience {
    fn new() -> Self {
        Self(Instant::now())
    }

    /// Somebody who has called, if somebody has: process `next` is waited for.
    fn accept(
        &mut self,
        listener: &TcpListener,
        next: usize,
        spawned: &mut Spawned,
    ) -> io::Result<Option<(TcpStream, SocketAddr)>> {
        listener.set_nonblocking(true)?;
        match listener.accept() {
            Ok((stream, at)) => {
                stream.set_nonblocking(false)?;
                Ok(Some((stream, SocketAddr::new(plain(at.ip()), at.port()))))
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if let Some(ended) = spawned.ended() {
                    return Err(io::Error::other(format!("process {ended} has ended before the run began")));
                }
                if self.0.elapsed() > PATIENCE {
                    let text = format!("process {next} has not come in {} s", PATIENCE.as_secs());
                    return Err(io::Error::new(ErrorKind::TimedOut, text));
                }
                sleep(PAUSE);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// An address of the old kind, where the system has wrapped it into one of the new kind.
fn plain(ip: IpAddr) -> IpAddr {
    ip.to_canonical()
}

/// Says who this is: its number, of how many, and where it waits.
fn introduce(to: &mut TcpStream, (own, count, port): (usize, usize, u16)) -> io::Result<()> {
    let numbers = [own as u32, count as u32].map(u32::to_le_bytes);
    frame::write(to, &[&MAGIC[..], numbers.as_flattened(), &port.to_le_bytes()].concat())
}

/// Who has called.
fn introduction(from: &mut TcpStream) -> io::Result<(usize, usize, u16)> {
    from.set_read_timeout(Some(HELLO))?;
    let bytes = frame::read_short(from, INTRODUCTION)?;
    from.set_read_timeout(None)?;
    let numbers = bytes.strip_prefix(MAGIC).and_then(|rest| {
        let (own, rest) = rest.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let (port, _) = rest.split_first_chunk()?;
        Some((u32::from_le_bytes(*own), u32::from_le_bytes(*count), u16::from_le_bytes(*port)))
    });
    let (own, count, port) = numbers.ok_or(ErrorKind::InvalidData)?;
    Ok((own as usize, count as usize, port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use desvio_sim::processes::{Lost, Transport};

    /// So many processes as threads, over real sockets.
    fn meet_all(count: usize) -> Vec<Sockets> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..count)
                .map(|own| {
                    let member = Member { own, count, host: "127.0.0.1".to_owned(), port };
                    scope.spawn(move || Sockets::new(own, other(&member).unwrap()).unwrap())
                })
                .collect();
            // Somebody else calls, too.
            drop(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap());
            let streams = first(&listener, count, &mut Spawned::default()).unwrap();
            let first = Sockets::new(0, streams).unwrap();
            std::iter::once(first).chain(others.into_iter().map(|one| one.join().unwrap())).collect()
        })
    }

    #[test]
    fn each_hears_each_whatever_they_send_at_once() {
        // More than connections hold: both ends have to write and read at once.
        let message = |from: usize, to: usize| vec![(from * 16 + to) as u8; 3_000_000];
        let all = meet_all(4);
        std::thread::scope(|scope| {
            for own in &all {
                scope.spawn(move || {
                    for _ in 0..3 {
                        let came = own.exchange((0..4).map(|to| message(own.own(), to)).collect()).unwrap();
                        for from in (0..4).filter(|&from| from != own.own()) {
                            assert!(came[from] == message(from, own.own()), "{from} to {}", own.own());
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn who_is_beside_process_0_is_found_from_other_machines() {
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        let first = "10.0.0.7".parse().unwrap();
        assert_eq!(reachable(at("127.0.0.1:99"), first), at("10.0.0.7:99"));
        assert_eq!(reachable(at("127.0.1.1:99"), first), at("10.0.0.7:99"));
        assert_eq!(reachable(at("10.0.0.8:99"), first), at("10.0.0.8:99"));
    }

    #[test]
    fn who_has_gone_is_named() {
        let mut all = meet_all(3);
        drop(all.pop());
        let nothing = || vec![Vec::new(); 3];
        let lost = std::thread::scope(|scope| {
            let other = scope.spawn(|| all[1].exchange(nothing()));
            let lost = all[0].exchange(nothing());
            assert!(other.join().unwrap().is_err());
            lost
        });
        let why = "it has closed the connection".to_owned();
        assert_eq!(lost.unwrap_err(), Lost { process: 2, why });
    }
}
