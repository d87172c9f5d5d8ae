//! `[router]`: the options of `desvio-core`, and what is set for each class of link.

use router_core::lifetime::{MOST_LIFETIME, MOST_STALL_COUNT};
use router_core::links::Depths;
use router_core::options::Options;
use router_core::units::{PortClass, VcSet};

use super::choice::{self, Keys};
use super::model::*;
use super::{PerClass, depths, lifetimes, shared_places};
use crate::document::{Lines, Problem, Section};

/// `[router]`
#[derive(Debug, Clone, PartialEq)]
pub struct RouterSettings {
    /// What holds at all ports.
    pub options: Options,
    /// Virtual channels, 1…8 each. The Dragonfly's routings use as many as their routes have hops of a kind; more stay
    /// unused between routers.
    pub vcs: PerClass<u32>,
    /// Flits each VC's buffer holds, 1…65535.
    pub buffer_flits: PerClass<u32>,
    /// By VC, where those of a class differ: `buffer_flits` is the deepest of them then. Never at nodes; all 0 elsewhere.
    pub depths: PerClass<Depths>,
    /// Flits of it that are kept for that VC, where the VCs of a port share the others; 0: all of them are. Never at nodes.
    pub reserved_flits: PerClass<u32>,
    /// The tables by which outputs pick the VC of the next packet, instead of turn by turn.
    pub vl_arbitration: Option<VlArbitrationSettings>,
    /// Cycles that a packet waits for an output of each class before it is discarded; 0: for ever.
    pub head_lifetime: PerClass<u32>,
    /// Discards in succession by which a virtual channel behind an output of each class is stalled, 0…7; 0: none is.
    pub vl_stall_count: PerClass<u32>,
}

impl RouterSettings {
    /// Flits that any VC of a class has room for whatever the others of its port hold.
    #[must_use]
    pub fn kept_flits(&self, class: PortClass) -> u32 {
        let least = self.depths(class).min().unwrap_or(self.buffer_flits[class]);
        if self.shares(class) { self.reserved_flits[class] } else { least }
    }

    /// Whether the VCs of a port of a class share places: not where there is one.
    #[must_use]
    pub fn shares(&self, class: PortClass) -> bool {
        self.vcs[class] > 1 && (1..self.buffer_flits[class]).contains(&self.reserved_flits[class])
    }

    /// Whether packets are discarded that wait at the head of a queue, or are in a router, for too long.
    #[must_use]
    pub fn has_lifetimes(&self) -> bool {
        self.longest_lifetime() > 0
    }

    /// Cycles of the longest limit; 0 where there is none.
    #[must_use]
    pub fn longest_lifetime(&self) -> u32 {
        self.head_lifetime.highest().max(self.options.packet_lifetime)
    }

    /// The keys of the table.
    pub(super) fn keys() -> Keys {
        let mut keys = choice::keys_of_group::<Options>();
        insert(&mut keys, "address_flits", ["vcs", "buffer_flits", "reserved_flits"], |&key| key);
        insert(&mut keys, "synchronous_buffers", ["vl_arbitration"], |&key| key);
        insert(&mut keys, "discards", ["head_lifetime", "vl_stall_count"], |&key| key);
        keys
    }

    /// What the table says, and these defaults for the rest.
    pub(super) fn read(section: &Section<'_>, classes: &[&str], default: Self) -> Result<Self, Problem> {
        let mut options = choice::group(section, default.options)?;
        // What a circuit holds is its own, and a dead address is alone with what it leaves behind.
        if options.flow_control.is_atomic() && section.get("vc_allocation").is_none() {
            options.vc_allocation = VcAllocation::Atomic;
        }
        lifetimes::are_whole_ticks(section, options.packet_lifetime)?;
        let per_class =
            |key, range, default: PerClass<u32>| PerClass::read(section, key, classes, range, default);
        let vcs = per_class("vcs", 1..=VcSet::CAPACITY as u32, default.vcs)?;
        let buffers = depths::read(section, classes, default.buffer_flits, vcs)?;
        Ok(Self {
            options,
            vcs,
            buffer_flits: buffers.deepest,
            depths: buffers.by_vc,
            reserved_flits: shared_places::read(section, classes, default.reserved_flits)?,
            vl_arbitration: section
                .get("vl_arbitration")
                .map_or(Ok(default.vl_arbitration), |field| VlArbitrationSettings::read(&field))?,
            head_lifetime: per_class("head_lifetime", 0..=MOST_LIFETIME, default.head_lifetime)?,
            vl_stall_count: per_class("vl_stall_count", 0..=MOST_STALL_COUNT.into(), default.vl_stall_count)?,
        })
    }

    /// The lines of the table: first those that every file has, then those that are written where they are set, so that
    /// other files stay as they were before there was such a key.
    pub(super) fn lines(&self, classes: &[&str]) -> Lines {
        let default = choice::lines_of_group(Options::DEFAULT);
        let options = choice::lines_of_group(self.options);
        let (mut lines, mut set): (Lines, Lines) =
            options.into_iter().partition(|(key, _)| Options::SHOWN.contains(key));
        let vl_arbitration = self.vl_arbitration.as_ref();
        let vl_arbitration = vl_arbitration.map_or("false".to_owned(), VlArbitrationSettings::write);
        let sizes = [("vcs", self.vcs.write(classes)), ("buffer_flits", depths::write(self, classes))];
        insert(&mut lines, "address_flits", sizes, |&(key, _)| key);
        insert(&mut lines, "pipeline", [("vl_arbitration", vl_arbitration)], |&(key, _)| key);
        let of_class = |key, of: &PerClass<u32>| (of.highest() > 0).then(|| (key, of.write(classes)));
        let reserved = (self.reserved_flits.highest() > 0)
            .then(|| ("reserved_flits", shared_places::write(self.reserved_flits, classes)));
        let limits = [
            of_class("head_lifetime", &self.head_lifetime),
            of_class("vl_stall_count", &self.vl_stall_count),
        ];
        insert(&mut set, "select_ahead", reserved, |&(key, _)| key);
        insert(&mut set, "discards", limits.into_iter().flatten(), |&(key, _)| key);
        lines.extend(set.into_iter().filter(|line| !default.contains(line)));
        lines
    }
}

/// Inserts entries behind that of a key.
fn insert<T>(
    entries: &mut Vec<T>,
    behind: &str,
    more: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> &'static str,
) {
    let at = entries.iter().position(|entry| key(entry) == behind).map_or(entries.len(), |at| at + 1);
    entries.splice(at..at, more);
}
