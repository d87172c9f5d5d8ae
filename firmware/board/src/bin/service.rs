//! The switch of `control`, among neighbours in memory, with its checks and a console. A host breaks its memory on purpose, and sees the board
//! name what is broken. Nothing in it can panic, or it would not link.
//!
//! Four bytes over the first UART are an order. What is found goes back as a line of text, with the milliseconds since the
//! last order, or the last request of a driver.
//! The second UART has the console, the fifth the registers.
#![no_std]
#![no_main]

use board::uart::{self, Uart};
use board::uptime::Uptime;
use board::{Status, exit};
use core::cell::Cell;
use core::fmt::Write as _;
use embedded_io::{Read as _, ReadReady as _, Write as _};
use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};
use panic_never as _;
use router_core::map::table::Row;
use router_core::select::Selection;
use router_core::units::PortId;
use router_core::vc::Descriptor;
use switch::console::Console;
use switch::control::{Controlled, Tabled};
use switch::neighbour::{Anywhere, Neighbour};
use switch::payload::NoPayload;
use switch::service::{Checked as _, Finding, NoWatchdog, Reset, Service, Watchdog};
use switch::standard::{self, BUFFER, FIFO, PACKET};
use switch::store::Store;
use switch::text::Text;
use tether::setup::Setup;

/// A router of a torus of 4 × 4.
const PORTS: usize = 5;
const VCS: usize = 2;
const ROUTERS: usize = 16;
const DESCRIPTORS: usize = 50;

/// Microseconds from one tick to the next, at most.
const BUDGET: u32 = 10_000;
/// Packets of each neighbour.
const PACKETS: u32 = 1_000_000;

type Board<'g> = Controlled<'g, Row<'static>, Neighbour, PORTS, VCS, { FIFO as usize }, ROUTERS>;

/// The checks, whatever their clock.
type Checks = Service<fn() -> u32, NoWatchdog, PORTS>;

/// A watchdog that only counts.
#[derive(Default)]
struct Counting(Cell<u32>);

impl Watchdog for &Counting {
    fn feed(&mut self) {
        self.0.set(self.0.get().wrapping_add(1));
    }
}

/// What a host orders: a letter, a place of 16 bits, a bit.
type Order = [u8; 4];

/// Flips a bit at an address within something, as a particle would.
fn flip<T>(whole: &mut T, address: usize, bit: u8) {
    let whole_size = size_of::<T>();
    let first = (&raw mut *whole).cast::<u8>();
    let offset = address.wrapping_sub(first as usize);
    if offset < whole_size {
        // SAFETY: the byte is within `whole`, which nothing else refers to. It is part of a whole number, which may have any value.
        #[expect(unsafe_code, reason = "memory is broken on purpose")]
        unsafe {
            let byte = first.add(offset);
            byte.write_volatile(byte.read_volatile() ^ 1u8.wrapping_shl(bit.into()));
        }
    }
}

fn address<T>(of: &T) -> usize {
    core::ptr::from_ref(of) as usize
}

/// The address of what an order is about, beside what it counts from.
fn target(board: &Board<'_>, what: u8) -> Option<usize> {
    let view = board.view();
    match what {
        // The registers with both banks of the table.
        b'f' => Some(address(board.file())),
        // The table in use.
        b'r' => Some(address(board.file().rows())),
        // Options of the plan.
        b'p' => Some(address(&view.plan().options.output_flits)),
        // The threshold in use.
        b't' => match &view.plan().selection {
            Selection::Contention(trigger) => Some(address(&trigger.threshold)),
            _ => None,
        },
        // Credits for the VCs of port 2.
        b'c' => view.pins().router().output(PortId::new(2)).map(|output| address(&output.credits)),
        // The router's own address.
        b'h' => Some(address(&view.pins().here().router)),
        _ => None,
    }
}

/// Follows an order.
fn follow(order: Order, board: &mut Board<'_>, uptime: Uptime) {
    let [what, low, high, bit] = order;
    let place = usize::from(u16::from_le_bytes([low, high]));
    if let Some(first) = target(board, what) {
        flip(board, first.wrapping_add(place), bit);
    } else if what == b'd' {
        // So many milliseconds too late.
        let begin = uptime.now();
        while uptime.now().wrapping_sub(begin) < place as u32 {}
    }
}

fn send(line: &mut Uart, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let Ok(taken) = line.write(bytes);
        bytes = bytes.get(taken..).unwrap_or_default();
    }
}

/// Flash that this machine does not have: memory that a restart of the switch leaves alone.
struct Memory([u8; 1024]);

impl ErrorType for Memory {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Memory {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        let from = self.0.get(offset as usize..).ok_or(NorFlashErrorKind::OutOfBounds)?;
        bytes.iter_mut().zip(from).for_each(|(byte, from)| *byte = *from);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl NorFlash for Memory {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 256;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        let bytes = self.0.get_mut(from as usize..to as usize);
        bytes.ok_or(NorFlashErrorKind::OutOfBounds)?.fill(0xff);
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        let to = self.0.get_mut(offset as usize..).ok_or(NorFlashErrorKind::OutOfBounds)?;
        to.iter_mut().zip(bytes).for_each(|(to, byte)| *to &= *byte);
        Ok(())
    }
}

/// The lines of the board: orders and reports, the console, the registers.
struct Lines {
    host: Uart,
    terminal: Uart,
    control: Uart,
}

/// Serves until it is ordered to restart. Nothing is left of it then but its flash.
fn live(lines: &mut Lines, flash: &mut Memory, uptime: Uptime) -> Option<()> {
    let Lines { host, terminal, control } = lines;
    let setup = Setup { selection: standard::paper().selection, ..standard::mesh() };
    let to = Anywhere { groups: 1, routers: ROUTERS as u32, nodes: 1 };
    let links = [0, 1, 2, 3, 4].map(|port| Neighbour::new(port, to, PACKETS, PACKET, BUFFER));
    let mut descriptors = [Descriptor::default(); DESCRIPTORS];
    let routing = Tabled::<ROUTERS>::new(&setup, true);
    let mut board = Board::new(&setup, routing, &mut descriptors, links, NoPayload).ok()?;
    let watchdog = Counting::default();
    let clock = || uptime.microseconds();
    let mut service = Service::new(&board, clock, &watchdog, BUDGET, Reset::Software);
    let mut store = Store::new(flash, 0).ok()?;
    if let Err(trouble) = store.take_up(&mut board) {
        service.note(Finding::Store(trouble));
    }
    let mut console = Console::new();
    let (mut reported, mut since) = (0u32, uptime.microseconds());
    let (mut order, mut came) = ([0; 4], 0usize);
    loop {
        let Ok(served) = board.serve(control);
        if served {
            since = uptime.microseconds();
            match store.keep(&board) {
                Ok(true) => service.pause(),
                Ok(false) => {}
                Err(trouble) => service.note(Finding::Store(trouble)),
            }
        }
        board.step();
        service.tick(&board);
        let Ok(spoke) = console.serve(terminal, &board, &mut service);
        while let Ok(true) = host.read_ready()
            && let Some(place) = order.get_mut(came..came.saturating_add(1))
        {
            let Ok(one) = host.read(place);
            came = came.saturating_add(one);
        }
        if came == order.len() {
            came = 0;
            since = uptime.microseconds();
            match &order {
                b"quer" => {
                    let mut text = Text::<64>::new();
                    let _ = writeln!(text, "fed {} of {} rounds", watchdog.0.get(), service.rounds());
                    send(host, text.bytes());
                }
                b"clea" => {
                    service.clear(u32::MAX);
                    reported = 0;
                }
                b"cost" => {
                    let (mut most, mut sum) = (0, 0u32);
                    let ticks = Checks::round_ticks(ROUTERS) as u32;
                    for _ in 0..ticks {
                        let begin = uptime.microseconds();
                        service.tick(&board);
                        let took = uptime.microseconds().wrapping_sub(begin);
                        (most, sum) = (took.max(most), sum.wrapping_add(took));
                    }
                    let mut text = Text::<64>::new();
                    let _ = writeln!(text, "{ticks} ticks {sum} us most {most}");
                    send(host, text.bytes());
                }
                b"rest" => return Some(()),
                _ => follow(order, &mut board, uptime),
            }
        }
        let found = service.findings().bits();
        for kind in 0..32 {
            if (found & !reported).wrapping_shr(kind) & 1 == 1
                && let Some(latched) = service.findings().of(kind as usize)
            {
                let mut text = Text::<120>::new();
                let milliseconds = uptime.microseconds().wrapping_sub(since) / 1000;
                let _ = writeln!(text, "{milliseconds} {}", latched.finding);
                send(host, text.bytes());
            }
        }
        reported = found;
        if !served && !spoke && came == 0 && service.is_idle(&board) {
            uart::sleep();
            service.pause();
        }
    }
}

/// Serves for ever, unless there is no such board.
fn serve() -> Option<()> {
    let [host, terminal, _, _, control] = Uart::take_all()?;
    let mut lines = Lines { host, terminal, control };
    let uptime = Uptime::start()?;
    let mut flash = Memory([0xff; 1024]);
    loop {
        live(&mut lines, &mut flash, uptime)?;
    }
}

#[board::entry]
fn main() -> ! {
    let _ = serve();
    exit(Status::NoBoard)
}
