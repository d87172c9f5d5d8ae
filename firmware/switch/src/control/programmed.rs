//! The routing of a switch that is programmed, with the registers that hold its table.

use super::built;
use desvio_driver::file::RegisterFile;
use router_core::header::{Address, Header};
use router_core::map::table::Row;
use router_core::route::{Arrival, Candidates, Draw, Full, Here, HopKind, Route};
use router_core::units::{PortClass, PortSet};
use tether::setup::Setup;

/// The routing of a switch that has a table and nothing else.
pub type Tabled<const ROWS: usize> = Programmed<Row<'static>, ROWS>;

/// A routing: by the table of the registers where that has rows, or else by `R`.
pub struct Programmed<R, const ROWS: usize> {
    file: RegisterFile<ROWS>,
    otherwise: R,
    takes_any_vc: bool,
}

impl<const ROWS: usize> Tabled<ROWS> {
    /// By the table alone. `takes_any_vc`: a hop takes any VC, and does not rise from VC to VC; the tables have to be free of deadlock then.
    #[must_use]
    pub fn new(setup: &Setup, takes_any_vc: bool) -> Self {
        let file = RegisterFile::new(built(setup, true));
        Self { file, otherwise: Row { ports: &[], takes_any_vc }, takes_any_vc }
    }
}

impl<R> Programmed<R, 0> {
    /// A routing without a table.
    #[must_use]
    pub fn fixed(setup: &Setup, routing: R) -> Self {
        Self { file: RegisterFile::new(built(setup, false)), otherwise: routing, takes_any_vc: false }
    }
}

impl<R, const ROWS: usize> Programmed<R, ROWS> {
    /// The registers.
    pub const fn file(&self) -> &RegisterFile<ROWS> {
        &self.file
    }

    pub(super) const fn file_mut(&mut self) -> &mut RegisterFile<ROWS> {
        &mut self.file
    }
}

impl<R: Route, const ROWS: usize> Route for Programmed<R, ROWS> {
    #[inline]
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if ROWS == 0 {
            return self.otherwise.offer(here, from, header);
        }
        let row = Row { ports: self.file.rows(), takes_any_vc: self.takes_any_vc };
        row.offer(here, from, header)
    }

    fn passed_over(&self, here: &Here, header: &Header) -> PortSet {
        self.otherwise.passed_over(here, header)
    }

    #[inline]
    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        self.otherwise.onward(here, header, out_kind, hop)
    }

    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        self.otherwise.launch(here, to, length, draw)
    }
}
