//! How VCs are labelled.

use crate::layout;

/// How VCs of local and global ports are labelled on the wires.
///
/// Inside a router VCs always rise along a route. The descending order (patent, claim 9) calls VC `c` of `n`
/// by the name `n − 1 − c`: the same machine with mirrored labels.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VcOrder {
    /// By their order index.
    #[default]
    Ascending = layout::VC_ORDER_ASCENDING as u8,
    /// Against it.
    Descending = layout::VC_ORDER_DESCENDING as u8,
}

crate::words!(VcOrder {
    "ascending" => [Self::Ascending],
    "descending" => [Self::Descending],
});
