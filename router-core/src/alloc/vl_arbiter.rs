//! Virtual lane (VL) arbitration, InfiniBand's: which of the VCs behind an output sends its next packet, by two tables of weights.
//!
//! A VC is a VL. An output has a table of high and one of low priority, each a list of VLs with weights of 0…255, and a limit of high
//! priority. Source: InfiniBand Architecture Specification, volume 1, 7.6.9; VLArbitrationTable and PortInfo:VLHighLimit in 14.2.5. The
//! rules:
//!
//! - **Packets.** A decision is made for a packet, and a VL has one to send where it is admitted with room behind the link for all of it.
//! - **Management.** Lanes that stand for VL15 go before all others, the lowest first, and nothing is charged for them.
//! - **Weight.** An entry whose turn it is may send while it has sent fewer units of 64 bytes than its weight. A packet is sent as a whole and
//!   counts rounded up to whole units; what it takes beyond the weight is not carried over. Otherwise the next entry with a packet has the
//!   turn, round the table, with all of its weight; the same one again if there is no other. A weight of 0 is skipped.
//! - **Limit.** Packets of the high table go before those of the low one until `limit` · 4096 bytes have gone since the low table was last
//!   asked. The limit is counted as weights are, so that the packet that reaches it is sent as a whole. Then one packet of the low table
//!   may go, if
//!   it has one, and the count begins anew. 255: no limit, the low table may starve. 0: one packet.
//! - **A VL in both tables** is one of the high table's while that is asked, and one of the low table's otherwise.
//! - **A VL in neither table** (or with weights of 0 alone) is served when no other VL has a packet, the lowest first, and nothing is charged.
//!   The specification does not say what becomes of one; so it is late, and never stuck.
//!
//! State changes when a packet is sent, and by nothing else: a cycle in which an output looks in vain leaves turns and counts as they are.
//! What the winner changes is a function of the state and of the winner alone ([`VlArbiter::send`]), whatever it won against.

use crate::layout;
use crate::per_port::PerPort;
use crate::units::{PortId, VcId, VcSet};

/// Entries of a table; the specification has 1 to 64.
pub const VL_ENTRIES: usize = layout::VL_ENTRIES as usize;

/// Bytes of a unit of weight.
pub const UNIT_BYTES: u32 = 64;

/// Units of a step of the limit, 4096 bytes.
pub const LIMIT_UNITS: u16 = 64;

/// The limit that is none.
pub const NO_LIMIT: u8 = u8::MAX;

/// The highest count of units of high priority: no limit is beyond it.
const MOST_COUNT: u16 = (1 << layout::VL_COUNT_BITS) - 1;

/// An entry of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VlEntry {
    /// The VL, a VC of the output.
    pub vl: VcId,
    /// How many units of 64 bytes it may send in its turn; 0: the entry is skipped.
    pub weight: u8,
}

/// What an output arbitrates by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VlTables {
    /// High priority.
    pub high: [VlEntry; VL_ENTRIES],
    /// Low priority.
    pub low: [VlEntry; VL_ENTRIES],
    /// Steps of 4096 bytes that the high table may send before the low one is asked; 255: any number; 0: one packet.
    pub limit: u8,
}

impl VlTables {
    /// The bits of the tables as rows of the RTL's table memory have them, of each output one: entries of high priority, of low priority,
    /// limit; of an entry the VL, then the weight.
    pub fn bits(&self) -> impl Iterator<Item = bool> {
        let entry = |entry: VlEntry| {
            u32::from(entry.vl.number()) | u32::from(entry.weight) << layout::VL_ENTRY_WEIGHT_AT
        };
        let entries = self.high.into_iter().chain(self.low).map(move |one| (entry(one), ENTRY_WIDTH));
        let words = entries.chain([(self.limit.into(), layout::VL_LIMIT_BITS)]);
        words.flat_map(|(word, bits)| (0..bits).map(move |bit| word.wrapping_shr(bit) & 1 == 1))
    }

    /// Without an entry.
    pub const NONE: Self = {
        let skipped = VlEntry { vl: VcId::new(0), weight: 0 };
        Self { high: [skipped; VL_ENTRIES], low: [skipped; VL_ENTRIES], limit: 0 }
    };
}

/// How all routers of a class arbitrate.
///
/// With the feature `small` all outputs share one table: that of the output that was set last.
#[derive(Clone, Debug, Default)]
pub struct VlArbitration<const P: usize> {
    #[cfg(not(feature = "small"))]
    tables: PerPort<VlTables, P>,
    #[cfg(feature = "small")]
    tables: PerPort<VlTables, 1>,
    /// VCs that stand for VL15.
    pub management: VcSet,
    /// Bytes of a flit.
    pub flit_bytes: u16,
}

impl<const P: usize> VlArbitration<P> {
    /// Tables without an entry, for flits of so many bytes.
    pub fn new(flit_bytes: u16, management: VcSet) -> Self {
        Self { tables: PerPort::default(), management, flit_bytes }
    }

    /// The tables of an output.
    #[inline]
    pub fn tables(&self, output: PortId) -> &VlTables {
        self.tables.get(output).unwrap_or(&VlTables::NONE)
    }

    /// Gives an output its tables. Entries for VLs that no router has are skipped from then on.
    pub fn set_tables(&mut self, output: PortId, mut tables: VlTables) {
        for entry in tables.high.iter_mut().chain(&mut tables.low) {
            if entry.vl.index() >= VcSet::CAPACITY {
                *entry = VlEntry::default();
            }
        }
        self.tables.set(output, tables);
    }

    /// The tables for routers of another number of ports, as far as both have them.
    pub fn narrowed<const Q: usize>(&self) -> VlArbitration<Q> {
        let mut all = VlArbitration::new(self.flit_bytes, self.management);
        let ports = (0..if P < Q { P } else { Q }).map(|port| PortId::new(port as u8));
        ports.for_each(|port| all.set_tables(port, *self.tables(port)));
        all
    }

    /// Units of 64 bytes of a packet of so many flits, rounded up.
    #[inline]
    pub const fn units(&self, flits: u16) -> u16 {
        let bytes = (flits as u32).wrapping_mul(self.flit_bytes as u32);
        let units = bytes.div_ceil(UNIT_BYTES);
        if units > u16::MAX as u32 { u16::MAX } else { units as u16 }
    }
}

/// Whose turn it is in a table, and how many units it has sent in it, up to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The entry.
    pub entry: u8,
    /// What it has sent.
    pub spent: u8,
}

impl Turn {
    /// The entry that would send for one of `vcs`, as the turn would be then.
    fn next(self, table: &[VlEntry; VL_ENTRIES], vcs: VcSet) -> Option<Self> {
        let has = |at: usize| table.get(at).is_some_and(|entry| entry.weight > 0 && vcs.contains(entry.vl));
        let now = usize::from(self.entry);
        let weight = table.get(now).map_or(0, |entry| entry.weight);
        if self.spent < weight && has(now) {
            return Some(self);
        }
        let behind = now.wrapping_add(1)..VL_ENTRIES;
        let found = behind.chain(0..now.wrapping_add(1)).find(|&at| has(at))?;
        Some(Self { entry: found as u8, spent: 0 })
    }

    /// The VL of the entry.
    fn vl(self, table: &[VlEntry; VL_ENTRIES]) -> Option<VcId> {
        table.get(usize::from(self.entry)).map(|entry| entry.vl)
    }

    /// So many units more have been sent.
    const fn charge(mut self, units: u16) -> Self {
        self.spent = self.spent.saturating_add(if units > u8::MAX as u16 { u8::MAX } else { units as u8 });
        self
    }
}

/// The state of VL arbitration at one output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VlArbiter {
    high: Turn,
    low: Turn,
    /// Units of high priority since the low table was last asked.
    count: u16,
}

/// What is served next.
enum Served {
    High(Turn),
    Low(Turn),
}

impl VlArbiter {
    /// Whether the limit of high priority is reached.
    const fn is_spent(&self, limit: u8) -> bool {
        // Of a limit of 0 the first packet, which has a unit at least, is the end.
        let most = if limit == 0 { 1 } else { (limit as u16).wrapping_mul(LIMIT_UNITS) };
        limit != NO_LIMIT && self.count >= most
    }

    /// Whom the tables would serve among `vcs`, if they list any.
    fn listed(&self, tables: &VlTables, vcs: VcSet) -> Option<Served> {
        let high = self.high.next(&tables.high, vcs);
        let low = || self.low.next(&tables.low, vcs).map(Served::Low);
        match high {
            Some(turn) if self.is_spent(tables.limit) => low().or(Some(Served::High(turn))),
            Some(turn) => Some(Served::High(turn)),
            None => low(),
        }
    }

    /// Which of `vcs`, the VCs behind the output with a packet to send, may send it.
    pub fn pick(&self, tables: &VlTables, management: VcSet, vcs: VcSet) -> Option<VcId> {
        let first = vcs.and(management);
        if !first.is_empty() {
            return first.first();
        }
        match self.listed(tables, vcs) {
            Some(Served::High(turn)) => turn.vl(&tables.high),
            Some(Served::Low(turn)) => turn.vl(&tables.low),
            None => vcs.first(),
        }
    }

    /// A packet of so many units is sent by VC `vc`.
    pub fn send(&mut self, tables: &VlTables, management: VcSet, vc: VcId, units: u16) {
        if management.contains(vc) {
            return;
        }
        match self.listed(tables, VcSet::only(vc)) {
            Some(Served::High(turn)) => {
                let before = if self.is_spent(tables.limit) { 0 } else { self.count };
                self.count = before.saturating_add(units).min(MOST_COUNT);
                self.high = turn.charge(units);
            }
            Some(Served::Low(turn)) => {
                self.count = 0;
                self.low = turn.charge(units);
            }
            None => {}
        }
    }

    /// The registers of the RTL, from the lowest bit up: turn of the high table (entry, units), of the low one, units of high priority.
    pub fn registers(&self) -> u64 {
        let turn = |turn: Turn| u64::from(turn.entry) | u64::from(turn.spent) << ENTRY_BITS;
        turn(self.high) | turn(self.low) << TURN_BITS | u64::from(self.count) << (2 * TURN_BITS)
    }
}

/// Bits of an entry of a table.
const ENTRY_WIDTH: u32 = layout::VL_ENTRY_VL_BITS.wrapping_add(layout::VL_ENTRY_WEIGHT_BITS);

/// Bits of the number of an entry, and of a turn.
const ENTRY_BITS: u32 = VL_ENTRIES.ilog2();
const TURN_BITS: u32 = ENTRY_BITS.wrapping_add(u8::BITS);

const _: () = assert!(layout::VL_TABLES_BITS == layout::VL_ENTRIES * 2 * ENTRY_WIDTH + layout::VL_LIMIT_BITS);
const _: () = assert!(layout::VL_STATE_BITS == TURN_BITS * 2 + layout::VL_COUNT_BITS);
