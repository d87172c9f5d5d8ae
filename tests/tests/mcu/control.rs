//! The driver of the switch in SystemVerilog programs an emulated board over a UART, with the tables that OpenSM wrote.

use super::firmware;
use desvio_driver::serial::SerialBus;
use desvio_driver::{Switch, Unconnected};
use desvio_lockstep::mcu::Emulated;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use embedded_hal::delay::DelayNs;
use embedded_io::{ErrorKind, ErrorType, Read, ReadReady, Write};
use router_core::event::ProtocolError;
use router_core::header::Address;
use router_core::map::AnyMap;
use router_core::select::Selection;
use router_core::units::{PortId, PortSet};
use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A torus of InfiniBand switches, with the tables that OpenSM wrote.
const TORUS: &str = r#"
topology = { kind = "graph", file = "torus.ibnetdiscover" }
routing = { algorithm = "forwarding", tables = "minhop.lfts" }
traffic.loads = [0.5]
"#;

/// How long the emulator may take to start, or be silent.
const PATIENCE: Duration = Duration::from_secs(60);
/// Microseconds until a frame counts as lost: the emulator shares its core with others.
const FRAME: u32 = 2_000_000;
/// Packets that are looked at for each table.
const PACKETS: usize = 400;
/// Packets that may have been routed before a new table was in use.
const UNDER_WAY: usize = 200;

/// Port and destination of a packet, in the byte that the board reports of it; `WRONG`: its bytes were not those that came in.
const WRONG: u8 = 0xff;

/// A UART of the board.
struct Uart {
    stream: UnixStream,
    came: VecDeque<u8>,
}

impl Uart {
    fn accept(listener: &UnixListener) -> io::Result<Self> {
        let begin = Instant::now();
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(true)?;
                    return Ok(Self { stream, came: VecDeque::new() });
                }
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                Err(_) if begin.elapsed() > PATIENCE => return Err(io::ErrorKind::TimedOut.into()),
                Err(_) => sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Takes what has come.
    fn look(&mut self) -> io::Result<()> {
        let mut bytes = [0; 256];
        match self.stream.read(&mut bytes) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                self.came.extend(&bytes[..length]);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Waits for a byte.
    fn next(&mut self) -> u8 {
        let begin = Instant::now();
        loop {
            if let Some(byte) = self.came.pop_front() {
                return byte;
            }
            self.look().unwrap();
            assert!(begin.elapsed() < PATIENCE, "the board is silent");
            if self.came.is_empty() {
                sleep(Duration::from_millis(1));
            }
        }
    }
}

impl ErrorType for Uart {
    type Error = ErrorKind;
}
impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, ErrorKind> {
        self.look().map_err(|_| ErrorKind::Other)?;
        Ok(!self.came.is_empty())
    }
}
impl Read for Uart {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ErrorKind> {
        Ok(bytes.iter_mut().map_while(|place| self.came.pop_front().map(|byte| *place = byte)).count())
    }
}
impl Write for Uart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        self.stream.write(bytes).map_err(|_| ErrorKind::Other)
    }
    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

struct Sleeps;
impl DelayNs for Sleeps {
    fn delay_ns(&mut self, nanoseconds: u32) {
        sleep(Duration::from_nanos(nanoseconds.into()));
    }
}

/// An emulator that ends with the test.
struct Emulator(Child);
impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Packets leave by the ports that the table names, with the bytes that they came in with.
fn follows(rows: &[PortSet], reports: &mut Uart) {
    let mut seen = vec![0; rows.len()];
    for _ in 0..PACKETS {
        let report = reports.next();
        assert_ne!(report, WRONG, "bytes of a packet are not those that came in");
        let (port, to) = (PortId::new(report >> 4), usize::from(report & 0xf));
        let ports = if to == 0 { PortSet::first_n(1) } else { rows[to] };
        assert!(
            ports.contains(port),
            "a packet for router {to} left by port {}, not {ports:?}",
            port.number()
        );
        seen[to] += 1;
    }
    assert!(seen.iter().all(|&packets| packets > 2), "{seen:?}");
}

#[test]
fn the_driver_of_the_rtl_programs_a_board() {
    let Some(binary) = firmware(Emulated::CortexM4F, "control") else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/infiniband");
    let blueprint = Blueprint::new(Scenario::parse(TORUS, "torus", &folder, &[]).unwrap()).unwrap();
    let AnyMap::Forwarding(table) = blueprint.map().unwrap() else { panic!("tables") };
    let to = |router| table.entry(0, Address { router, port: 0 }).ports();
    let rows: Vec<PortSet> =
        (0..16).map(|router| if router == 0 { PortSet::EMPTY } else { to(router) }).collect();
    assert!(rows[1..].iter().all(|row| row.len() == 1), "{rows:?}");

    let sockets = tempfile::tempdir().unwrap();
    let listen = |name: &str| {
        let path = sockets.path().join(name);
        let listener = UnixListener::bind(&path).unwrap();
        listener.set_nonblocking(true).unwrap();
        (listener, format!("unix:{}", path.display()))
    };
    let ((reports, first), (control, last)) = (listen("reports"), listen("control"));
    let lines = [first, "null".into(), "null".into(), "null".into(), last];
    let mut command = Emulated::CortexM4F.with_lines(&binary, &lines);
    let _emulator = Emulator(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap());
    let mut reports = Uart::accept(&reports).unwrap();
    let bus = SerialBus::new(Uart::accept(&control).unwrap(), Sleeps, FRAME);
    let mut switch = Switch::new(bus, Unconnected, Sleeps);

    let shape = switch.reset().unwrap();
    assert_eq!((shape.ports(), shape.vcs()), (5, 2));
    switch.program_table(rows.iter().copied()).unwrap();
    switch.start(&blueprint.here(0), 7, &Selection::NEVER).unwrap();
    follows(&rows, &mut reports);

    // Another table while packets are on their way: the next port round the router.
    let next =
        |row: &PortSet| row.iter().map(|port| PortSet::only(PortId::new(port.number() % 4 + 1))).next();
    let turned: Vec<PortSet> = rows.iter().map(|row| next(row).unwrap_or_default()).collect();
    switch.program_table(turned.iter().copied()).unwrap();
    reports.look().unwrap();
    for _ in 0..UNDER_WAY + reports.came.len() {
        reports.next();
    }
    follows(&turned, &mut reports);
    for (number, row) in (0..).zip(&turned) {
        assert_eq!(switch.table_row(number).unwrap(), *row);
    }
    // The lines are quick enough that no frame was sent twice, and the neighbours keep the protocol.
    assert!(ProtocolError::ALL.iter().all(|&kind| switch.errors(kind).unwrap() == 0));
    assert!((0..5).any(|port| switch.contention(PortId::new(port)).unwrap() > 0));
}
