//! The map of any graph each of whose links has an upper end: a table of the ports on shortest routes that go up, then down.
//!
//! Which end is the upper one comes from an order of the routers: the one that is nearer to a root, and of two at the same distance
//! the one with the lower number. No circle of links goes up all the way round. A route is legal when it goes up by any number of links,
//! then down by any number, and never up again; by way of the root there is one from each router to each other.

use super::table::TableError;
use crate::units::{Bits, PortId, PortSet};

/// The tables of all routers of a network.
///
/// An address is the number of a router. The ports of `here` towards `there` are entry `(there · routers + here) · 2` for packets that
/// may still go up, and the entry after it for packets that have gone down.
#[derive(Clone, Copy, Debug)]
pub struct UpDownTable<'t, B: Bits = usize> {
    ports: &'t [PortSet<B>],
    /// Entry `router`: the ports at whose other end is the upper one.
    up: &'t [PortSet<B>],
    routers: u32,
}

impl<'t, B: Bits> UpDownTable<'t, B> {
    /// Loads and verifies the tables of as many routers as `up` has entries; `wired(r)` are the ports of router `r` that lead to
    /// other routers.
    ///
    /// # Errors
    /// Names the first entry that cannot be right.
    pub fn load(
        ports: &'t [PortSet<B>],
        up: &'t [PortSet<B>],
        wired: impl Fn(u32) -> PortSet<B>,
    ) -> Result<Self, TableError> {
        let routers = u32::try_from(up.len()).unwrap_or(0);
        let table = Self::load_towards(ports, up, routers, wired)?;
        for (there, here) in (0..routers).flat_map(|there| (0..routers).map(move |here| (there, here))) {
            if here != there && table.ports(here, there, false).is_empty() {
                return Err(TableError::NoPort { here, there });
            }
        }
        Ok(table)
    }

    /// Loads and verifies tables for packets to the first so many routers only, to which there need not be a way from everywhere.
    pub(super) fn load_towards(
        ports: &'t [PortSet<B>],
        up: &'t [PortSet<B>],
        destinations: u32,
        wired: impl Fn(u32) -> PortSet<B>,
    ) -> Result<Self, TableError> {
        let entries = u64::from(destinations).wrapping_mul(up.len() as u64).wrapping_mul(2);
        let routers = u32::try_from(up.len()).unwrap_or(0);
        if routers == 0 || ports.len() as u64 != entries {
            return Err(TableError::Size);
        }
        for (here, &up) in (0..routers).zip(up) {
            if !up.minus(wired(here)).is_empty() {
                return Err(TableError::UpPort { here });
            }
        }
        let table = Self { ports, up, routers };
        for here in 0..routers {
            let wired = wired(here);
            (0..destinations).try_for_each(|there| table.verify(here, there, wired))?;
        }
        Ok(table)
    }

    /// A packet that has gone down need not have a way on from everywhere, but it has none up.
    fn verify(&self, here: u32, there: u32, wired: PortSet<B>) -> Result<(), TableError> {
        let [first, then] = [false, true].map(|gone_down| self.ports(here, there, gone_down));
        let at_home = here == there && !(first.is_empty() && then.is_empty());
        let wrong = !first.minus(wired).is_empty() || !then.minus(wired.minus(self.up(here))).is_empty();
        if at_home || wrong { Err(TableError::WrongPort { here, there }) } else { Ok(()) }
    }

    /// The ports on shortest legal routes from one router to another, for a packet that has gone down before, or not yet.
    #[inline]
    pub fn ports(&self, here: u32, there: u32, gone_down: bool) -> PortSet<B> {
        if here >= self.routers {
            return PortSet::EMPTY;
        }
        let pair = (there as usize).wrapping_mul(self.routers as usize).wrapping_add(here as usize);
        let entry = pair.wrapping_mul(2).wrapping_add(usize::from(gone_down));
        self.ports.get(entry).copied().unwrap_or_default()
    }

    /// The ports of a router that lead up.
    #[inline]
    pub fn up(&self, router: u32) -> PortSet<B> {
        self.up.get(router as usize).copied().unwrap_or_default()
    }

    /// Whether a packet that came to a router by a port from another router has gone down: what comes from above has.
    #[inline]
    pub fn comes_down(&self, router: u32, port: PortId) -> bool {
        self.up(router).contains(port)
    }
}
