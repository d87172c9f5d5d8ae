//! The agent of congestion control in a channel adapter (CCMgtA): Distributed Routing Balancing on InfiniBand.
//!
//! ```text
//!            1                          2
//!  Wait ──────────► process_fecn    Wait ──────────► process_becn
//!            3                          4
//!  Wait ──────────► rewrite         Wait ──────────► timeout          each of them back to Wait at once
//!
//!  1 a packet with FECN has come: a notification (CN) with BECN goes back, and names the path
//!  2 a notification has come: the path that it names has met congestion, one more is opened
//!  3 a packet is to be sent: the DLID of one of the open paths is written into its header
//!  4 the timer has expired: counts are halved, and without notifications a path is closed
//! ```
//!
//! A path is a LID: the port of a destination has several (LMC), the routers' forwarding tables a row for each. What is added to the lowest
//! one is the field `via` of a header here; a notification or reply names it in the spare byte, since its own way back is by another LID.
//!
//! Source: Lugones, *Control de congestión adaptativo en redes InfiniBand* (Universitat Autònoma de Barcelona, 2006), chapters 4 and 6;
//! annex A10 of the InfiniBand Architecture Specification, volume 1,
//! for FECN, BECN and CN. Whole numbers and an array that the caller gives: no heap, no clock, no queue.

use super::paths::{PathSet, PathSettings};
use crate::header::{Address, Carried, Header};

/// What the DLID of a header is above the lowest LID of its destination.
#[must_use]
pub const fn lid_of(header: &Header) -> u8 {
    (header.via & 0xff) as u8
}

/// A header to another LID of its destination.
#[must_use]
pub const fn with_lid(header: Header, lid: u8) -> Header {
    Header { via: lid as u32, ..header }
}

/// The state of an adapter: a set of paths for each destination, in the caller's numbering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agent<S> {
    sets: S,
    settings: PathSettings,
    expired: u64,
    /// Packets with FECN that have come.
    pub marked: u32,
}

impl<S: AsRef<[PathSet]> + AsMut<[PathSet]>> Agent<S> {
    /// With one open path to each destination.
    pub const fn new(sets: S, settings: PathSettings) -> Self {
        Self { sets, settings, expired: 0, marked: 0 }
    }

    /// A packet has come; where it has a forward mark, this is the header of the notification to its source, of `flits` flits.
    ///
    /// Its way back is by the lowest LID of the source.
    pub fn process_fecn(&mut self, packet: &Header, flits: u16) -> Option<Header> {
        if !packet.carried.forward_mark() {
            return None;
        }
        self.marked = self.marked.saturating_add(1);
        Some(notification(packet.carried.source(), packet.to, flits, lid_of(packet)))
    }

    /// A packet has come from node `from`; with a backward mark it is a notification, or a reply that is one as well.
    pub fn process_becn(&mut self, from: usize, packet: &Header) {
        if packet.carried.backward_mark() {
            let (settings, lid) = (self.settings, packet.carried.spare());
            if let Some(set) = self.set(from) {
                set.notify(lid, &settings);
            }
        }
    }

    /// The header of a packet that is to be sent to node `to`, with the LID of the path that `random` falls on. A node without a set keeps its LID.
    #[must_use]
    pub fn rewrite(&mut self, to: usize, header: Header, random: u32) -> Header {
        match self.set(to) {
            Some(set) => with_lid(header, set.select(random)),
            None => header,
        }
    }

    /// The timer has expired. The sets follow when they are looked at next.
    pub fn timeout(&mut self) {
        self.expired = self.expired.saturating_add(1);
    }

    /// The timer has expired so often since the agent was started, where the adapter's clock says so rather than an event.
    pub fn expire_to(&mut self, expired: u64) {
        self.expired = self.expired.max(expired);
    }

    /// The set of a destination, as the timer has left it.
    fn set(&mut self, to: usize) -> Option<&mut PathSet> {
        let set = self.sets.as_mut().get_mut(to)?;
        set.expire(self.expired);
        Some(set)
    }

    /// The sets, by destination.
    pub fn sets(&self) -> &[PathSet] {
        self.sets.as_ref()
    }
}

/// The header of a notification to node `to`, from node `from`, that names a path.
#[must_use]
pub fn notification(to: Address, from: Address, flits: u16, lid: u8) -> Header {
    let carried = Carried::default().with_source(from).with_spare(lid).with_marks(false, true);
    Header { to, length: flits, carried, ..Header::default() }
}
