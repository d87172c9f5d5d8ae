//! The end of ibsim: what programs under its client library talk to.
//!
//! A program sends control records to the socket `NAME:ctl` and gets a number; its packets then go to and from `NAME:out` and that number.
//! Names are in Linux's abstract name space, each with a zero byte at its end. One thread for each socket. Programs of other users are
//! refused.

mod lanes;
mod seat;
mod socket;

pub use seat::Seat;

use crate::error::FabricError;
use crate::fabric::Fabric;
use crate::opensm::OpenSm;
use crate::program::Program;
use crate::record::{CONTENT, CONTROL, Control, NO_ANSWER, REQUEST, Request, Topic};
use desvio_sma::Packet;
use desvio_sma::mad::attribute;
use socket::Socket;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Programs at a time.
const CLIENTS: usize = 10;
/// Whose requests are the fabric's own: no program has this number.
const OWN: u64 = 0xffff;
/// Whose requests are those of managers of our own: these numbers and those above it, up to [`OWN`].
const SEATS: u64 = 0xf000;
/// How often the threads look whether it is the end.
const LOOK: Duration = Duration::from_millis(100);

/// A manager that has more to write does so within this.
const MOMENT: Duration = Duration::from_millis(250);

/// A program that is connected.
#[derive(Debug, Clone, Copy)]
struct Client {
    /// The node that it runs at.
    node: usize,
    /// Whether it gets the requests for the node's subnet manager.
    manages: bool,
}

struct Shared {
    name: String,
    fabric: Mutex<Fabric>,
    clients: Mutex<[Option<Client>; CLIENTS]>,
    control: Socket,
    data: Vec<Socket>,
    over: AtomicBool,
    /// Answers to requests of the fabric's own.
    answers: Sender<Packet>,
    /// Answers to those of managers of our own, by their numbers from [`SEATS`] on.
    seats: Mutex<Vec<Sender<Packet>>>,
}

/// A fabric that programs can reach, until it is dropped.
pub struct Server {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    answers: Receiver<Packet>,
}

impl Server {
    /// Serves a fabric under a name, which programs find in the variable `IBSIM_SOCKNAME`.
    ///
    /// # Errors
    /// When there is something of that name already.
    pub fn start(fabric: Fabric, name: &str) -> io::Result<Self> {
        let open = |end: String| Socket::bind(&address(name, &end)?, LOOK);
        let (sender, answers) = channel();
        let shared = Arc::new(Shared {
            answers: sender,
            seats: Mutex::default(),
            name: name.to_owned(),
            fabric: Mutex::new(fabric),
            clients: Mutex::default(),
            control: open("ctl".to_owned())?,
            data: (0..CLIENTS).map(|client| open(format!("out{client}"))).collect::<Result<_, _>>()?,
            over: AtomicBool::new(false),
        });
        let threads = (0..=CLIENTS).map(|n| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().spawn(move || match n.checked_sub(1) {
                None => shared.serve_control(),
                Some(client) => shared.serve_data(client),
            })
        });
        // Those that have started end where another one cannot.
        let mut server = Self { shared: Arc::clone(&shared), threads: Vec::new(), answers };
        for thread in threads {
            server.threads.push(thread?);
        }
        Ok(server)
    }

    /// The name under which it is served.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The fabric; nothing is served in the meantime.
    pub fn fabric(&self) -> MutexGuard<'_, Fabric> {
        self.shared.fabric()
    }

    /// Programs that are connected now.
    #[must_use]
    pub fn clients(&self) -> usize {
        self.shared.clients().iter().flatten().count()
    }

    /// Waits until a subnet manager has programmed the fabric, and nothing has been changed for a moment.
    ///
    /// # Errors
    /// When OpenSM ends, or time is over: then it says what is missing.
    pub fn program(&self, opensm: Option<&mut OpenSm>, within: Duration) -> Result<Program, FabricError> {
        let (begun, mut opensm) = (Instant::now(), opensm);
        loop {
            std::thread::sleep(MOMENT / 5);
            if let Some(opensm) = &mut opensm {
                opensm.runs()?;
            }
            if self.threads.iter().any(JoinHandle::is_finished) {
                return Err(io::Error::other("a socket of the fabric, or an agent's line, is gone").into());
            }
            let mut fabric = self.fabric();
            let is_late = begun.elapsed() > within;
            if fabric.touched().elapsed() < MOMENT && !is_late {
                continue;
            }
            match Program::read(&mut fabric)? {
                Ok(program) => return Ok(program),
                Err(missing) if is_late => {
                    return Err(FabricError::Late { seconds: within.as_secs(), missing });
                }
                Err(_) => {}
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn address(name: &str, end: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(format!("{name}:{end}\0"))
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn fabric(&self) -> MutexGuard<'_, Fabric> {
        lock(&self.fabric)
    }

    fn clients(&self) -> MutexGuard<'_, [Option<Client>; CLIENTS]> {
        lock(&self.clients)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn serve_control(&self) {
        let mut bytes = [0; CONTROL + 1];
        while !self.is_over() {
            let Ok(read) = self.control.receive(&mut bytes) else { return };
            let Some(datagram) = read else { continue };
            let Some(mut control) = Control::read(&bytes[..datagram.length]) else { continue };
            let is_served = datagram.is_own && matches!(self.attend(&mut control), Ok(Some(())));
            if !is_served {
                control.topic = Topic::Refused;
            }
            self.control.answer(&datagram, &control.write());
        }
    }

    /// Nothing is what is refused.
    fn attend(&self, control: &mut Control) -> io::Result<Option<()>> {
        if control.topic == Topic::Connect {
            return Ok(self.connect(&mut control.content));
        }
        let number = control.client as usize;
        let Some(client) = self.clients().get(number).copied().flatten() else { return Ok(None) };
        let (node, content) = (client.node, &mut control.content);
        let mut fabric = self.fabric();
        match control.topic {
            Topic::Disconnect => {
                fabric.set_manager(node, false)?;
                self.clients()[number] = None;
            }
            Topic::SetManager => {
                let manages = content[..4] != [0; 4];
                fabric.set_manager(node, manages)?;
                self.clients()[number] = Some(Client { manages, ..client });
            }
            Topic::NodeInfo => *content = fabric.read(node, attribute::NODE_INFO, 0)?,
            Topic::PortInfo => *content = fabric.read(node, attribute::PORT_INFO, 0)?,
            Topic::Partitions => *content = fabric.read(node, attribute::P_KEY_TABLE, 0)?,
            Topic::Vendor => vendor(&fabric.read(node, attribute::NODE_INFO, 0)?, content),
            Topic::Guid => content[..8].copy_from_slice(&fabric.read(node, attribute::NODE_INFO, 0)?[12..20]),
            Topic::Port => {
                let info = fabric.read(node, attribute::PORT_INFO, 0)?;
                let lid = u16::from_be_bytes([info[16], info[17]]);
                content[..2].copy_from_slice(&lid.to_ne_bytes());
                content[2] = info[32] & 0xf;
            }
            Topic::Gid => {
                content[..8].copy_from_slice(&fabric.read(node, attribute::PORT_INFO, 0)?[8..16]);
                content[8..16].copy_from_slice(&fabric.read(node, attribute::NODE_INFO, 0)?[12..20]);
            }
            Topic::Refused | Topic::Connect => return Ok(None),
        }
        Ok(Some(()))
    }

    /// A program comes: its process, its queue pair, whether it is a manager, and the name of its node: `node 3`, `router 0`; none is the
    /// first node.
    fn connect(&self, content: &mut [u8; CONTENT]) -> Option<()> {
        let field = |at: usize| content[at..].first_chunk().copied().map(u32::from_ne_bytes);
        let (process, manages) = (field(0)?, field(8)? != 0);
        let name = content[12..44].split(|&byte| byte == 0).next()?;
        let (node, name) = self.place(std::str::from_utf8(name).ok()?)?;
        let mut clients = self.clients();
        let number = clients.iter().position(Option::is_none)?;
        let back = address(&self.name, &format!("in{process}")).ok()?;
        self.data[number].connect(&back).ok()?;
        clients[number] = Some(Client { node, manages });
        content[..4].copy_from_slice(&(number as u32).to_ne_bytes());
        content[12..44].fill(0);
        content[12..44].iter_mut().zip(name.bytes().take(31)).for_each(|(place, byte)| *place = byte);
        Some(())
    }

    fn place(&self, name: &str) -> Option<(usize, String)> {
        let fabric = self.fabric();
        let (routers, all) = (fabric.routers(), fabric.len());
        let (kind, number) = if name.is_empty() { ("node", "0") } else { name.split_once(' ')? };
        let number: usize = number.parse().ok()?;
        let place = match kind {
            "router" => Some(number).filter(|&router| router < routers),
            "node" => number.checked_add(routers).filter(|&node| node < all),
            _ => None,
        };
        Some((place?, format!("{kind} {number}")))
    }

    fn serve_data(&self, number: usize) {
        let mut bytes = [0; REQUEST + 1];
        while !self.is_over() {
            let Ok(read) = self.data[number].receive(&mut bytes) else { return };
            let Some(client) = self.clients()[number] else { continue };
            let Some(datagram) = read.filter(|datagram| datagram.is_own) else { continue };
            let Some(request) = Request::read(&bytes[..datagram.length]) else { continue };
            if self.pass(number, client, request).is_err() {
                return;
            }
        }
    }

    /// A packet of a program goes to where it leads. A request that is lost comes back with the status of one without an answer.
    fn pass(&self, number: usize, client: Client, mut request: Request) -> io::Result<()> {
        let mut fabric = self.fabric();
        let packet = &mut request.packet;
        if packet.slid == 0 {
            packet.slid = u16::from_be_bytes(
                fabric.read(client.node, attribute::PORT_INFO, 0)?[16..18].try_into().unwrap_or_default(),
            );
        }
        let is_request = !packet.is_response();
        if is_request {
            // The upper 16 bits say whose answer it will be.
            let own = packet.transaction() & (u64::MAX >> 16);
            packet.set_transaction(own | (number as u64) << 48);
        }
        let lost = request.clone();
        let arrived = fabric.carry(client.node, &mut request.packet)?;
        drop(fabric);
        if !is_request && request.packet.transaction() >> 48 == OWN {
            // One that is late is not waited for any more.
            let _ = self.answers.send(request.packet);
            return Ok(());
        }
        if !is_request && self.give_seat(&request.packet) {
            return Ok(());
        }
        let is_answer = is_request && request.packet.is_response();
        if is_answer {
            std::mem::swap(&mut request.to, &mut request.from);
        }
        // A program that has been killed has not said so: then it is the next one's.
        while let Some(to) = arrived.and_then(|node| self.program(node, &request)) {
            if self.give(to, &request) {
                return Ok(());
            }
        }
        if is_request {
            self.give(number, &Request { status: NO_ANSWER, ..lost });
        }
        Ok(())
    }

    /// The program at a node that a packet is for.
    fn program(&self, node: usize, request: &Request) -> Option<usize> {
        let clients = self.clients();
        let is_there = |number: &usize| {
            clients.get(*number).copied().flatten().is_some_and(|client| client.node == node)
        };
        if request.packet.is_response() {
            return Some((request.packet.transaction() >> 48) as usize).filter(is_there);
        }
        let manager = (0..CLIENTS)
            .filter(is_there)
            .find(|&number| clients[number].is_some_and(|client| client.manages));
        if request.queue() > 1 { (0..CLIENTS).find(is_there) } else { manager }
    }

    /// Sends it; a program that is gone is forgotten.
    fn give(&self, number: usize, request: &Request) -> bool {
        let is_given = self.data[number].send(&request.write()).is_ok();
        if !is_given {
            let client = self.clients()[number].take();
            if let Some(Client { node, manages: true }) = client {
                let _ = self.fabric().set_manager(node, false);
            }
        }
        is_given
    }
}

/// Vendor, device and revision as ibsim's library has them: numbers of the machine, and a version of the firmware.
fn vendor(info: &[u8; CONTENT], content: &mut [u8; CONTENT]) {
    let vendor = u32::from_be_bytes([0, info[37], info[38], info[39]]);
    let device = u32::from(u16::from_be_bytes([info[30], info[31]]));
    let revision = u32::from_be_bytes([info[32], info[33], info[34], info[35]]);
    for (at, value) in [(0, vendor), (4, device), (8, revision)] {
        content[at..at + 4].copy_from_slice(&value.to_ne_bytes());
    }
    content[16..24].copy_from_slice(&1u64.to_ne_bytes());
}
