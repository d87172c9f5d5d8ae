//! The registers of a switch in software. A frame and a commit change them as in the RTL.
//!
//! [`Fake`](crate::fake::Fake) has no router behind them, the firmware of a switch has one. Both answer each frame as the RTL does.

mod guard;
mod kept;
mod selection;

use crate::checksum::Checksum;
use crate::frame::BYTES;
use crate::register::{Access, Entry, Indexed as _, Register as _, Staged as _};
use crate::registers::{
    Address, Answer, Commit, Contention, ContentionThreshold, Credits, Errors, Events, EventsSeen, Exits,
    FramesCorrupt, FramesRefused, FramesShort, InterruptEnable, MAGIC, MAJOR, MINOR, Outcome, READ,
    REGISTERS, Seed, Shape, Status, TableChecksum, TableRow, TableRows, TableSize, Version, WRITE, Wired,
};
use crate::sum::mixed;
use core::mem::swap;
use router_core::event::ProtocolError;
use router_core::layout::ROUTING_TABLE;
use router_core::route::Here;
use router_core::select::Selection;
use router_core::units::{PortId, PortSet, VcId};

pub use guard::{BLOCK, BLOCKS};
pub use kept::Unfit;

/// Addresses of registers that are no array.
const SINGLE: usize = 0x40;
/// Bytes of a frame up to the end of the request.
const REQUEST: usize = 9;
/// The most that a 16-bit counter of frames shows.
const MOST: u32 = 0xffff;

/// The router behind the registers.
pub trait Core {
    /// Packets whose minimal output this port is.
    fn contention(&self, _port: PortId) -> u16 {
        0
    }

    /// Free places of a VC behind a port.
    fn credits(&self, _port: PortId, _vc: VcId) -> u16 {
        0
    }

    /// How often a protocol error occurred.
    fn errors(&self, _kind: ProtocolError) -> u16 {
        0
    }

    /// Packets are selected like this from now on.
    fn select(&mut self, _selection: Selection) {}

    /// The router begins anew, at this place, with this word in its random register.
    fn restart(&mut self, _here: Here, _word: u32) {}
}

/// No router.
impl Core for () {}

/// What a switch is built as: the register `shape`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Ports, at most 32.
    pub ports: u8,
    /// The largest number of VCs of a port, at most 8.
    pub vcs: u8,
    /// The routing function, by its number in `router_core::layout`, at most 15.
    pub routing: u8,
    /// The trigger, by its number there, at most 15.
    pub trigger: u8,
    /// Bits of a contention counter and of its threshold.
    pub counter_bits: u8,
}

/// The registers of a switch whose routing table has `ROWS` rows.
#[derive(Debug)]
pub struct RegisterFile<const ROWS: usize> {
    held: [u32; SINGLE],
    /// Of each block of them, kept up with each change.
    sums: [u32; BLOCKS],
    staged: [PortSet; ROWS],
    in_use: [PortSet; ROWS],
    /// What software declared of the table in use.
    declared: u16,
    shape: u32,
}

impl<const ROWS: usize> RegisterFile<ROWS> {
    /// The registers after reset; no row has a port.
    #[must_use]
    pub fn new(built: Built) -> Self {
        let Built { ports, vcs, routing, trigger, counter_bits } = built;
        let mut file = Self {
            held: [0; SINGLE],
            sums: [0; BLOCKS],
            staged: [PortSet::EMPTY; ROWS],
            in_use: [PortSet::EMPTY; ROWS],
            declared: 0,
            shape: u32::from_le_bytes([ports, vcs, routing & 0xf | trigger.wrapping_shl(4), counter_bits]),
        };
        file.reset();
        file
    }

    /// All registers as after reset; rows of the table stay as they are.
    pub fn reset(&mut self) {
        self.held = [0; SINGLE];
        self.sums = guard::sums(&self.held);
        for entry in REGISTERS.iter().filter(|entry| entry.count == 1) {
            self.set(entry.address, self.cut(entry, entry.reset));
        }
        self.set(Version::ADDRESS, MAGIC.wrapping_shl(16) | MAJOR.wrapping_shl(8) | MINOR);
        self.set(Shape::ADDRESS, self.shape);
        self.set(TableSize::ADDRESS, ROWS as u32);
    }

    /// The routing table in use: the ports to each router, by its address.
    pub const fn rows(&self) -> &[PortSet; ROWS] {
        &self.in_use
    }

    /// Whether the router has been started; before, it is held in reset.
    #[inline]
    pub fn is_running(&self) -> bool {
        self.status().running()
    }

    /// What is going on, and how the last commit ended.
    #[inline]
    pub fn status(&self) -> Status {
        Status::from_bits(self.get(Status::ADDRESS))
    }

    /// Where the router is, by the registers in use.
    pub fn here(&self) -> Here {
        Here {
            router: self.get(Address::IN_USE),
            wired: PortSet::from_bits(self.get(Wired::IN_USE) as usize),
            group_exits: PortSet::from_bits(self.get(Exits::IN_USE) as usize),
            ..Here::default()
        }
    }

    /// The router has counted a protocol error in this cycle.
    pub fn note_error(&mut self) {
        self.event(1);
    }

    /// One frame: the request in its first bytes is followed, the answer takes the place of the last ones.
    pub fn frame(&mut self, bytes: &mut [u8], core: &mut impl Core) {
        if bytes.is_empty() {
            return;
        }
        let Some((&[command, high, low, a, b, c, d, first, second], _)) =
            bytes.split_first_chunk::<REQUEST>()
        else {
            self.count(FramesShort::ADDRESS);
            return bytes.fill(0);
        };
        let sum = Checksum::new().with_bytes(&[command, high, low, a, b, c, d]).value();
        let address = u16::from_be_bytes([high, low]);
        let (answer, data) = if sum == u16::from_be_bytes([first, second]) {
            self.request(command, address, u32::from_be_bytes([a, b, c, d]), core)
        } else {
            self.count(FramesCorrupt::ADDRESS);
            (Answer::Corrupt, 0)
        };
        let [a, b, c, d] = data.to_be_bytes();
        let status =
            (0..=u8::MAX).find(|code| Answer::from_number((*code).into()) == Some(answer)).unwrap_or(0);
        let [first, second] = Checksum::new().with_bytes(&[status, a, b, c, d]).value().to_be_bytes();
        let frame = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, status, a, b, c, d, first, second];
        for (byte, came) in bytes.iter_mut().zip(frame) {
            *byte = came;
        }
        debug_assert_eq!(frame.len(), BYTES);
    }

    /// Follows a request, or says why not.
    fn request(&mut self, command: u8, address: u16, data: u32, core: &mut impl Core) -> (Answer, u32) {
        let answer = self.verdict(command, address);
        if answer != Answer::Ok {
            self.count(FramesRefused::ADDRESS);
            return (answer, 0);
        }
        if command == WRITE {
            self.write(address, data, core);
        }
        (answer, self.value(address, core))
    }

    fn verdict(&self, command: u8, address: u16) -> Answer {
        match self.entry(address) {
            _ if command != READ && command != WRITE => Answer::NoSuchCommand,
            None => Answer::NoSuchRegister,
            Some((entry, is_staged)) if command == WRITE && (entry.access == Access::Read || !is_staged) => {
                Answer::ReadOnly
            }
            Some(_) => Answer::Ok,
        }
    }

    /// The line of the map that has this address, and whether it is not the copy in use.
    fn entry(&self, address: u16) -> Option<(&'static Entry, bool)> {
        REGISTERS.iter().find_map(|entry| {
            let has = |first: u16| self.is_within(entry, address.checked_sub(first)?).then_some(());
            match entry.in_use.and_then(has) {
                Some(()) => Some((entry, false)),
                None => has(entry.address).map(|()| (entry, true)),
            }
        })
    }

    /// Whether this switch has that place of an array.
    fn is_within(&self, entry: &Entry, place: u16) -> bool {
        let [ports, vcs, ..] = self.shape.to_le_bytes().map(u16::from);
        let place_of = |address: u16| entry.address == address;
        match () {
            () if place_of(TableRow::ADDRESS) => usize::from(place) < ROWS,
            () if place_of(Contention::ADDRESS) => place < ports,
            () if place_of(Credits::ADDRESS) => place / 8 < ports && place % 8 < vcs,
            () if place_of(Errors::ADDRESS) => usize::from(place) < ProtocolError::COUNT,
            () => place < entry.count,
        }
    }

    fn value(&self, address: u16, core: &impl Core) -> u32 {
        let place = |first: u16, count: u16| address.checked_sub(first).filter(|&place| place < count);
        if let Some(port) = place(Contention::ADDRESS, Contention::COUNT) {
            return core.contention(PortId::new(port as u8)).into();
        }
        if let Some(of) = place(Credits::ADDRESS, Credits::COUNT) {
            return core.credits(PortId::new((of / 8) as u8), VcId::new((of % 8) as u8)).into();
        }
        if let Some(kind) = place(Errors::ADDRESS, Errors::COUNT) {
            return ProtocolError::ALL.get(usize::from(kind)).map_or(0, |&kind| core.errors(kind)).into();
        }
        let row = |rows: &[PortSet; ROWS], first: u16| {
            rows.get(usize::from(address.wrapping_sub(first))).map(|ports| ports.bits() as u32)
        };
        let row = row(&self.staged, TableRow::ADDRESS).or_else(|| row(&self.in_use, TableRow::IN_USE));
        row.unwrap_or_else(|| self.get(self.shown(address)))
    }

    /// A router in reset takes its configuration in every cycle: the copy in use is what is staged.
    fn shown(&self, address: u16) -> u16 {
        let staged = REGISTERS.iter().find(|entry| entry.in_use == Some(address)).map(|entry| entry.address);
        staged.filter(|_| !self.is_running()).unwrap_or(address)
    }

    fn write(&mut self, address: u16, data: u32, core: &mut impl Core) {
        let row = usize::from(address.wrapping_sub(TableRow::ADDRESS));
        let Some((entry, _)) = self.entry(address) else { return };
        let data = self.cut(entry, data);
        if let Some(row) = self.staged.get_mut(row) {
            *row = PortSet::from_bits(data as usize);
        } else if address == Commit::ADDRESS {
            self.commit(Commit::from_bits(data), core);
        } else if address != Seed::ADDRESS || data != 0 {
            self.set(address, data);
        }
    }

    /// The bits that this switch has of a register.
    fn cut(&self, entry: &Entry, data: u32) -> u32 {
        let [ports, _, _, counter_bits] = self.shape.to_le_bytes().map(u32::from);
        let lowest = |bits: u32| u32::MAX.checked_shr(u32::BITS.saturating_sub(bits)).unwrap_or(0);
        let has = match entry.address {
            Wired::ADDRESS | Exits::ADDRESS | TableRow::ADDRESS => lowest(ports),
            ContentionThreshold::ADDRESS => lowest(counter_bits),
            _ => u32::MAX,
        };
        data & entry.mask & has
    }

    /// Puts what is staged to use, or nothing; a commit whose number is that of the last one does nothing.
    fn commit(&mut self, commit: Commit, core: &mut impl Core) {
        if commit.generation() == self.status().generation() {
            return;
        }
        self.set(Commit::ADDRESS, commit.bits());
        let outcome = self.outcome(commit);
        if outcome == Outcome::Done {
            self.put_to_use(commit);
            self.program(commit, core);
        }
        let status = self.status().with_commit(commit.generation(), outcome as u32);
        self.set(Status::ADDRESS, status.bits());
        self.event(0);
    }

    fn outcome(&self, commit: Commit) -> Outcome {
        let ports = self.shape & 0xff;
        let sum = self.staged.iter().fold(Checksum::new(), |sum, row| sum.with(row.bits() as u32, ports));
        let routes_by_table = self.shape.wrapping_shr(16) & 0xf == ROUTING_TABLE;
        if commit.table() && self.get(TableRows::ADDRESS) != ROWS as u32 {
            Outcome::WrongRows
        } else if commit.table() && self.get(TableChecksum::ADDRESS) != sum.value().into() {
            Outcome::WrongChecksum
        } else if routes_by_table && commit.restart() && !commit.table() && !self.status().has_table() {
            Outcome::NoTable
        } else {
            Outcome::Done
        }
    }

    fn put_to_use(&mut self, commit: Commit) {
        for entry in REGISTERS.iter().filter(|entry| entry.count == 1) {
            let Some(in_use) = entry.in_use else { continue };
            let is_place = entry.address <= Exits::ADDRESS;
            if commit.restart() || commit.thresholds() && !is_place {
                self.set(in_use, self.get(entry.address));
            }
        }
        if commit.table() {
            swap(&mut self.staged, &mut self.in_use);
            self.declared = self.get(TableChecksum::ADDRESS) as u16;
        }
        let status = self.status().with_use(commit.restart(), commit.table());
        self.set(Status::ADDRESS, status.bits());
    }

    /// The router takes what has come into use.
    fn program(&self, commit: Commit, core: &mut impl Core) {
        if commit.thresholds() || commit.restart() {
            core.select(self.selection());
        }
        if commit.restart() {
            core.restart(self.here(), self.get(Seed::ADDRESS));
        }
    }

    fn get(&self, address: u16) -> u32 {
        self.held.get(usize::from(address)).copied().unwrap_or(0)
    }

    fn set(&mut self, address: u16, value: u32) {
        let place = usize::from(address);
        if let (Some(held), Some(sum)) = (self.held.get_mut(place), self.sums.get_mut(place / BLOCK)) {
            *sum ^= mixed(address.into(), *held) ^ mixed(address.into(), value);
            *held = value;
        }
    }

    /// Counts a frame that was not followed.
    fn count(&mut self, address: u16) {
        self.set(address, self.get(address).wrapping_add(1).min(MOST));
        self.event(2);
    }

    /// Counts an event of a kind, unless the count would then be the one that was seen.
    fn event(&mut self, kind: usize) {
        let (mut now, seen) =
            (self.get(Events::ADDRESS).to_le_bytes(), self.get(EventsSeen::ADDRESS).to_le_bytes());
        if let (Some(now), Some(seen)) = (now.get_mut(kind), seen.get(kind)) {
            let next = now.wrapping_add(1);
            *now = if next == *seen { *now } else { next };
        }
        self.set(Events::ADDRESS, u32::from_le_bytes(now));
    }

    /// The level of the interrupt line.
    #[must_use]
    pub fn irq(&self) -> bool {
        let differ = (self.get(Events::ADDRESS) ^ self.get(EventsSeen::ADDRESS)).to_le_bytes();
        let enable = InterruptEnable::from_bits(self.get(InterruptEnable::ADDRESS));
        differ
            .iter()
            .zip([enable.commits(), enable.errors(), enable.frames()])
            .any(|(differ, is)| is && *differ != 0)
    }
}

impl Status {
    /// After a commit of that number.
    fn with_commit(self, generation: u32, outcome: u32) -> Self {
        Self::from_bits(self.bits() & !0xf_ffff | generation | outcome.wrapping_shl(16))
    }

    /// With a router that was started, or another bank of the table.
    fn with_use(self, started: bool, table: bool) -> Self {
        let bank = u32::from(table).wrapping_shl(22);
        let running = u32::from(started).wrapping_shl(21) | u32::from(table).wrapping_shl(23);
        Self::from_bits(self.bits() ^ bank | running)
    }
}
