//! Why there is no router with a setup.

use crate::bytes::TooShort;
use router_core::links::LinksError;
use router_core::map::dragonfly::MapError;
use router_core::map::grid::GridError;

/// Why there is no router with a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SetupError {
    /// The bytes end too early.
    TooShort,
    /// A number that stands for no choice, or is out of range.
    Unknown,
    /// The sizes.
    Plan(LinksError),
    /// The map of a Dragonfly.
    Map(MapError),
    /// The map of a grid.
    Grid(GridError),
    /// The routing does not fit the map, or is not the one that the machine is compiled for.
    Unfit,
    /// The machine is compiled for fewer ports, VCs, descriptors or FIFO places.
    TooLarge,
    /// The machine leaves out something that the router needs: by the feature `small` of `router-core`; with payload, discards.
    LeftOut,
}

impl From<TooShort> for SetupError {
    fn from(_: TooShort) -> Self {
        Self::TooShort
    }
}

impl From<LinksError> for SetupError {
    fn from(error: LinksError) -> Self {
        Self::Plan(error)
    }
}
