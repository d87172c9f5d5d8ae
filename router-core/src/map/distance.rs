//! The map of any graph: a table of the ports on shortest routes, and one of their hops.

use super::table::{Table, TableError};
use crate::units::Bits;

/// The tables of all routers of a network.
///
/// An address is the number of a row, as in [`Table`]; the hops from `here` to `there` are entry `here · routers + there`.
#[derive(Clone, Copy, Debug)]
pub struct DistanceTable<'t, B: Bits = usize> {
    /// The ports.
    pub table: Table<'t, B>,
    hops: &'t [u8],
}

impl<'t, B: Bits> DistanceTable<'t, B> {
    /// A table, and the hops of its routes; more than 255 are kept as 255.
    ///
    /// # Errors
    /// When they are not of the same size, or a router is not 0 hops from itself and from no other one.
    pub fn new(table: Table<'t, B>, hops: &'t [u8]) -> Result<Self, TableError> {
        let routers = table.routers() as usize;
        let is_square = routers.checked_mul(routers) == Some(hops.len());
        let mut rows = (0usize..).zip(hops.chunks_exact(routers.max(1)));
        let is_own =
            rows.all(|(here, row)| (0usize..).zip(row).all(|(there, &hops)| (here == there) == (hops == 0)));
        if is_square && is_own { Ok(Self { table, hops }) } else { Err(TableError::Size) }
    }

    /// Hops of the shortest routes from one router to another; 0 where there is no such router.
    #[inline]
    pub fn hops(&self, here: u32, there: u32) -> u8 {
        if there >= self.table.routers() {
            return 0;
        }
        let entry = (here as usize).wrapping_mul(self.table.routers() as usize).wrapping_add(there as usize);
        self.hops.get(entry).copied().unwrap_or(0)
    }
}
