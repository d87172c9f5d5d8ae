//! The map of any graph: a table of the ports on shortest routes.

use crate::units::{Bits, PortSet};

/// The tables of all routers of a network, or of one.
///
/// An address is the number of a row: router `here` finds the ports to router `there` at entry
/// `here · routers + there`.
#[derive(Clone, Copy, Debug)]
pub struct Table<'t, B: Bits = usize> {
    ports: &'t [PortSet<B>],
    routers: u32,
}

/// The table of one router that stands alone, such as the firmware of a switch: the ports that lead to each other router, by its address.
#[derive(Clone, Copy, Debug)]
pub struct Row<'t, B: Bits = usize> {
    /// An entry for each router; the router's own is not read.
    pub ports: &'t [PortSet<B>],
    /// Whether a hop takes any VC; if not, it takes the one behind that by which the packet came.
    pub takes_any_vc: bool,
}

/// What is wrong with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TableError {
    /// It has no entries, or not `routers` rows of `routers` entries.
    Size,
    /// No port leads from one router to another.
    NoPort {
        /// From here.
        here: u32,
        /// To there.
        there: u32,
    },
    /// An entry names a port that is not connected, or one towards the router itself.
    WrongPort {
        /// From here.
        here: u32,
        /// To there.
        there: u32,
    },
    /// A port that is said to lead up is not connected to another router.
    UpPort {
        /// The router.
        here: u32,
    },
}

impl core::fmt::Display for TableError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Size => f.write_str("the table needs one row and one column for each router"),
            Self::NoPort { here, there } => write!(f, "the table has no port from router {here} to {there}"),
            Self::WrongPort { here, there } => {
                write!(f, "the table names a port from router {here} to {there} that is not connected")
            }
            Self::UpPort { here } => write!(f, "a port up of router {here} is not connected"),
        }
    }
}

impl core::error::Error for TableError {}

impl<'t, B: Bits> Table<'t, B> {
    /// Loads and verifies the tables of `routers` routers; `wired(r)` are the ports of router `r` that lead to
    /// other routers.
    ///
    /// # Errors
    /// Names the first entry that cannot be right.
    pub fn load(
        ports: &'t [PortSet<B>],
        routers: u32,
        wired: impl Fn(u32) -> PortSet<B>,
    ) -> Result<Self, TableError> {
        let expected = u64::from(routers).wrapping_mul(u64::from(routers));
        if routers == 0 || ports.len() as u64 != expected {
            return Err(TableError::Size);
        }
        for (here, row) in (0u32..).zip(ports.chunks_exact(routers as usize)) {
            let known = wired(here);
            for (there, &entry) in (0u32..).zip(row) {
                if here != there && entry.is_empty() {
                    return Err(TableError::NoPort { here, there });
                }
                if !entry.minus(known).is_empty() || (here == there && !entry.is_empty()) {
                    return Err(TableError::WrongPort { here, there });
                }
            }
        }
        Ok(Self { ports, routers })
    }

    /// Routers of the network.
    pub const fn routers(&self) -> u32 {
        self.routers
    }

    /// The ports on shortest routes from one router to another.
    #[inline]
    pub fn ports(&self, here: u32, there: u32) -> PortSet<B> {
        if there >= self.routers {
            return PortSet::EMPTY;
        }
        let entry = (here as usize).wrapping_mul(self.routers as usize).wrapping_add(there as usize);
        self.ports.get(entry).copied().unwrap_or_default()
    }
}
