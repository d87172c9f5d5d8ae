//! An emulated board whose memory, table, thresholds and time are broken on purpose names each by itself, within a second of its time.

use super::firmware;
use super::line::{Emulation, Sleeps, Uart};
use desvio_driver::registers::{Address, Commit, Status, TableChecksum, TableRow};
use desvio_driver::serial::SerialBus;
use desvio_driver::{Switch, Unconnected};
use desvio_lockstep::mcu::Emulated;
use embedded_io::Write as _;
use router_core::route::Here;
use router_core::select::Selection;
use router_core::select::contention::ContentionTrigger;
use router_core::units::{PortId, PortSet};

/// Microseconds until a frame counts as lost.
const FRAME: u32 = 2_000_000;
/// Milliseconds in which a board names what is wrong.
const SOON: u32 = 1_000;
const ROWS: usize = 16;
/// Bytes of the registers with both banks of the table, and from one that is broken to the next.
const REGISTERS: usize = 424;
const STRIDE: usize = 5;

/// The line by which the board is broken, and reports.
struct Host<'u>(&'u mut Uart);

impl Host<'_> {
    fn order(&mut self, order: [u8; 4]) {
        self.0.write_all(&order).unwrap();
    }

    fn line(&mut self) -> String {
        let bytes: Vec<u8> =
            std::iter::from_fn(|| Some(self.0.next()).filter(|&byte| byte != b'\n')).collect();
        String::from_utf8(bytes).unwrap()
    }

    /// What is reported next, soon enough.
    fn found(&mut self) -> String {
        let line = self.line();
        let (milliseconds, words) = line.split_once(' ').unwrap();
        assert!(milliseconds.parse::<u32>().unwrap() < SOON, "{line}");
        words.to_owned()
    }

    /// Breaks something, sees it named, and mends it.
    fn breaks(&mut self, what: u8, place: usize, bit: u8, words: &str) {
        let [low, high, ..] = place.to_le_bytes();
        self.order([what, low, high, bit]);
        let found = self.found();
        assert!(found.contains(words), "{} {place} {bit}: {found}", what as char);
        self.order([what, low, high, bit]);
        self.clear();
    }

    /// Whether a bit that flips at a place among the registers is named.
    fn is_named(&mut self, place: usize) -> bool {
        let [low, high, ..] = place.to_le_bytes();
        let flip = [b'f', low, high, (place % 8) as u8];
        self.order(flip);
        let found = self.gather().0;
        let named = found.iter().any(|line| line.contains("register") || line.contains("table"));
        self.order(flip);
        self.clear();
        named
    }

    /// What followed from a defect is found and cleared; nothing else is wrong.
    fn clear(&mut self) {
        self.gather();
        self.order(*b"clea");
        let rounds = self.rounds().1;
        while self.rounds().1 < rounds + 2 {}
    }

    /// What is found in two rounds, and the rounds after them.
    fn gather(&mut self) -> (Vec<String>, (u32, u32)) {
        let (mut found, mut first) = (Vec::new(), None);
        loop {
            self.order(*b"quer");
            let mut line = self.line();
            while !line.starts_with("fed ") {
                found.push(line);
                line = self.line();
            }
            let rounds = rounds(&line);
            if rounds.1 > *first.get_or_insert(rounds.1) + 2 {
                return (found, rounds);
            }
        }
    }

    /// Rounds after which the watchdog was fed, and all rounds.
    fn rounds(&mut self) -> (u32, u32) {
        self.order(*b"quer");
        rounds(&self.line())
    }
}

/// What the board says of its rounds.
fn rounds(line: &str) -> (u32, u32) {
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!((words.first(), words.get(4)), (Some(&"fed"), Some(&"rounds")), "{line}");
    (words[1].parse().unwrap(), words[3].parse().unwrap())
}

#[test]
fn a_board_names_what_is_wrong_with_it_within_a_second() {
    let Some(binary) = firmware(Emulated::CortexM4F, "service") else { return };
    // Time is that of the instructions: a host that is busy makes no tick late.
    let mut emulation = Emulation::start(&binary, [0, 1, 4], &["-icount", "shift=8,sleep=off"]);
    let [host, terminal, control] = &mut emulation.lines;
    let mut host = Host(host);
    let mut switch = Switch::new(SerialBus::new(control, Sleeps, FRAME), Unconnected, Sleeps);
    switch.reset().unwrap();
    let here = Here { router: 5, wired: PortSet::first_n(5), ..Here::default() };
    let rows = |turn: usize| {
        let row = move |row| {
            if row == 5 { PortSet::EMPTY } else { PortSet::only(PortId::new((1 + (row + turn) % 4) as u8)) }
        };
        (0..ROWS).map(row)
    };
    switch.program_table(rows(0)).unwrap();
    let threshold = |threshold| Selection::Contention(ContentionTrigger { threshold });
    switch.start(&here, 7, &threshold(3)).unwrap();
    let (fed, all) = {
        host.clear();
        host.rounds()
    };
    assert_eq!(fed, all, "a board that is well feeds its watchdog in each round");

    // An instruction takes 256 ns of the board's time.
    host.order(*b"cost");
    let line = host.line();
    let number = |word: usize| line.split(' ').nth(word).unwrap().parse::<u32>().unwrap() * 1_000;
    println!(
        "a round of {line}: {} instructions for a tick, at most {}",
        number(2) / 256 / (number(0) / 1_000),
        number(5) / 256
    );

    // Bits that flip: in a row of the table, in registers and checksums, in the plan, in credits, and what the router runs by.
    for (row, bit) in [(0, 4), (5, 3), (7, 1), (15, 2)] {
        host.breaks(b'r', 4 * row, bit, "the routing table in use is not what the driver declared");
    }
    host.breaks(b'p', 0, 0, "the plan of all ports has changed");
    host.breaks(b't', 0, 4, "the router does not select as was committed");
    host.breaks(b'h', 0, 1, "the router is not at the place that was committed");
    // Anywhere among the registers and both banks of the table. A commit checks the bank that is staged: nothing else looks at it.
    let places = (0..REGISTERS).step_by(STRIDE);
    let silent: Vec<usize> = places.filter(|&place| !host.is_named(place)).collect();
    println!(
        "{} of {} flips in the registers are named",
        REGISTERS.div_ceil(STRIDE) - silent.len(),
        REGISTERS.div_ceil(STRIDE)
    );
    assert!(silent.len() <= (4 * ROWS).div_ceil(STRIDE) + 1, "{silent:?}");
    // A tick that comes late.
    host.order([b'd', 50, 0, 0]);
    assert!(host.found().starts_with("a tick took "));
    host.clear();

    // A table that leads to a node, one that is not what was declared, and a threshold that is never reached.
    let (fed, all) = host.rounds();
    let leads_to_a_node =
        rows(1).enumerate().map(|(row, ports)| if row == 9 { PortSet::first_n(1) } else { ports });
    switch.program_table(leads_to_a_node).unwrap();
    assert!(host.found().contains("row 9 of the routing table names wrong ports: 0"));
    switch.program_table(rows(1)).unwrap();
    switch.bus().write_at(3, TableRow::default().with_ports(1)).unwrap();
    switch.bus().write(TableChecksum::default().with_checksum(0x1234)).unwrap();
    let generation = (switch.bus().read::<Status>().unwrap().generation() + 1) & 0xffff;
    switch.bus().write(Commit::default().with_table(true).with_generation(generation)).unwrap();
    assert!(host.found().contains("a commit was refused"));
    switch.configure(&threshold(200)).unwrap();
    assert!(host.found().contains("the threshold contention_threshold is out of range"));
    // Those are faults of the driver: the board goes on.
    let later = host.rounds();
    assert_eq!(later.0 - fed, later.1 - all);

    // What a human sees.
    terminal.write_all(b"\x00\xff nonsense\r\nchecks\r").unwrap();
    let mut page = String::new();
    while !page.contains("contention_threshold") {
        page.push(terminal.next() as char);
    }
    let beginning = "? try help\r\nstarted by software; ";
    assert!(
        page.starts_with(beginning) && page.contains("3: a commit was refused: `table_checksum`"),
        "{page}"
    );
    terminal.write_all(b"ports\r").unwrap();
    while !page.contains("\r\n4    ") {
        page.push(terminal.next() as char);
    }
    println!("{page}");

    // While a row is damaged the watchdog is not fed.
    switch.program_table(rows(1)).unwrap();
    switch.configure(&threshold(3)).unwrap();
    host.clear();
    host.order([b'r', 0, 0, 4]);
    let [before, after] = [0, 1].map(|_| host.gather().1);
    assert!(before.0 == after.0 && before.1 < after.1, "{before:?} {after:?}");
    // Nor is it kept in flash.
    switch.configure(&threshold(4)).unwrap();
    assert!(host.found().contains("flash: what is in use has changed by itself"));
    host.order([b'r', 0, 0, 4]);
    host.clear();
    // More credits than there are places: those of the neighbour are refused.
    host.order([b'c', 1, 0, 7]);
    while !host.found().contains("port 2 VC 0 has") {}

    // After a restart it goes on with what is in its flash: no driver speaks.
    let kept: Vec<PortSet> = (0..ROWS as u16).map(|row| switch.table_row(row).unwrap()).collect();
    host.order(*b"rest");
    host.gather();
    assert_eq!(host.gather().0, [""; 0], "the credits are those of a new router");
    assert!(switch.bus().read::<Status>().unwrap().running());
    assert_eq!((0..ROWS as u16).map(|row| switch.table_row(row).unwrap()).collect::<Vec<_>>(), kept);
    assert_eq!(switch.bus().in_use::<Address>().unwrap().router(), 5);

    // A few credits too many, or too few. Those too many may be gone before they are looked at: the neighbour's are refused then.
    host.order([b'c', 0, 0, 3]);
    let found = host.found();
    assert!(
        found.starts_with("port 2 ") || found.contains("a credit for a buffer that was already empty"),
        "{found}"
    );
}
