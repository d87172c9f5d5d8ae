//! The processes of one run: who they are, and how they find each other.

mod frame;
mod meeting;
mod place;
mod sockets;
mod spawned;

use super::failure::Failure;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::processes::Processes;
use desvio_sim::run::join as join_all;
pub(crate) use place::Place;
use spawned::Spawned;

/// The part of this process in a run of several; its end is that of the run.
pub(crate) struct Part {
    /// Those that this process has started.
    spawned: Spawned,
}

/// Finds the other processes of a run and joins them for a blueprint, of which all need to have one `identity`.
pub(crate) fn join(blueprint: &mut Blueprint, place: &Place, identity: &str) -> Result<Part, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Input(format!("error: --processes: {error}"));
    let (mut spawned, sockets) = meeting::meet(place).map_err(|error| failed(&error))?;
    if let Err(error) = join_all(blueprint, sockets, identity) {
        spawned.end();
        return Err(failed(&error));
    }
    Ok(Part { spawned })
}

impl Part {
    /// The run has ended: the others may end.
    pub(crate) fn end(mut self, processes: Option<&Processes>) {
        processes.into_iter().for_each(Processes::end);
        self.spawned.wait();
    }
}
