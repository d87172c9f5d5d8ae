//! At boot: the router has to do with two stored stimuli what the model did on a host, to the last register.

use crate::standard::FIFO;
use tether::trace::{self, Failure};

/// Some hundred cycles of a router of the Dragonfly `paper`, and of one in a mesh. `cargo xtask firmware --update`
/// writes them.
pub const DRAGONFLY: &[u8] = include_bytes!("../traces/dragonfly.trace");
/// See [`DRAGONFLY`].
pub const MESH: &[u8] = include_bytes!("../traces/mesh.trace");

/// Internal cycles that agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Passed {
    /// Of the router in the Dragonfly.
    pub dragonfly: u32,
    /// Of the router in the mesh.
    pub mesh: u32,
}

/// Which router failed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Failed {
    /// The one in the Dragonfly.
    Dragonfly(Failure),
    /// The one in the mesh.
    Mesh(Failure),
}

/// Plays both back.
///
/// # Errors
/// Where a router does something else than the model did.
#[inline(never)]
pub fn run() -> Result<Passed, Failed> {
    Ok(Passed {
        dragonfly: replay(DRAGONFLY).map_err(Failed::Dragonfly)?,
        mesh: replay(MESH).map_err(Failed::Mesh)?,
    })
}

/// One type for both routers, the larger one's: the code of a router is there once.
#[inline(never)]
fn replay(trace: &[u8]) -> Result<u32, Failure> {
    trace::replay::<7, 3, { FIFO as usize }, 95>(trace)
}
