//! The routing table in use, looked at a few rows at a time.

use super::finding::Finding;
use core::ops::Range;
use desvio_driver::checksum::Checksum;
use desvio_driver::file::RegisterFile;
use router_core::units::PortSet;

/// Rows that are looked at in a tick.
pub const ROWS_PER_TICK: usize = 8;

/// A pass over the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pass {
    sum: Checksum,
    /// What the driver had declared as the pass began.
    declared: Option<u16>,
}

impl Pass {
    /// Looks at the next rows; a pass begins at row 0. Where the driver has put another table to use in the middle of a pass, the next one has
    /// the verdict.
    pub(super) fn look<const ROWS: usize>(
        &mut self,
        file: &RegisterFile<ROWS>,
        rows: Range<usize>,
    ) -> Option<Finding> {
        if rows.start == 0 {
            *self = Self { sum: Checksum::new(), declared: file.declared() };
        }
        let is_last = rows.end >= ROWS;
        self.sum = file.add_rows(self.sum, rows);
        let is_whole = is_last && self.declared.is_some() && self.declared == file.declared();
        (is_whole && self.declared != Some(self.sum.value())).then_some(Finding::Table)
    }
}

/// The first of these rows that names ports which are not among `exits`. The row of the router itself may name any of `all` ports, as nothing
/// follows from it.
pub(super) fn first_wrong<const ROWS: usize>(
    file: &RegisterFile<ROWS>,
    rows: Range<usize>,
    exits: PortSet,
    all: PortSet,
) -> Option<Finding> {
    let own = file.here().router as usize;
    let looked_at = rows.clone().zip(file.rows().get(rows).unwrap_or_default());
    let mut wrong = looked_at.map(|(row, ports)| (row, ports.minus(if row == own { all } else { exits })));
    let (row, ports) = wrong.find(|(_, wrong)| !wrong.is_empty())?;
    Some(Finding::Row { row: row as u16, ports })
}
