//! At boot: the router has to do with a stored stimulus what the model did on a host, to the last register.

use crate::standard::FIFO;
use router_core::route::Route;
use router_core::vc::Descriptor;
use tether::machine::Machine;
use tether::setup::Setup;
use tether::trace::{self, Failure};

/// Some hundred cycles of a router of the Dragonfly `paper`, and of one in a mesh. `cargo xtask firmware --update`
/// writes them.
pub const DRAGONFLY: &[u8] = include_bytes!("../traces/dragonfly.trace");
/// See [`DRAGONFLY`].
pub const MESH: &[u8] = include_bytes!("../traces/mesh.trace");

/// Plays a trace back to a router in a store that has room for it; says how many internal cycles agreed.
///
/// # Errors
/// Where the router does something else than the model did.
#[inline(never)]
pub fn run<R: Route, const P: usize, const V: usize>(
    setup: &Setup,
    routing: R,
    store: &mut [Descriptor],
    trace: &[u8],
) -> Result<u32, Failure> {
    // Where it is: moved, it would take its place on the stack twice.
    match &mut Machine::<R, P, V, { FIFO as usize }>::new(setup, routing, store) {
        Ok(machine) => trace::replay(machine, trace),
        &mut Err(error) => Err(error.into()),
    }
}
