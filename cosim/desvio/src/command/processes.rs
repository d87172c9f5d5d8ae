//! The processes of one run: who they are, and how they find each other.

mod frame;
mod meeting;
mod place;
mod sockets;
mod spawned;

use super::failure::Failure;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::processes::Processes;
use desvio_sim::run::{can_join, join as join_all};
pub(crate) use place::Place;
use spawned::Spawned;

/// The part of this process in a run of several; its end is that of the run.
pub(crate) struct Part {
    /// Those that this process has started.
    spawned: Spawned,
}

/// Finds the other processes of a run and joins them for a blueprint, of which all need to have one `identity`.
pub(crate) fn join(blueprint: &mut Blueprint, place: &Place, identity: &str) -> Result<Part, Failure> {
    let count = place.count();
    let failed = |error: &dyn std::fmt::Display| Failure::Input(format!("error: --processes: {error}"));
    can_join(blueprint, count).map_err(|error| failed(&error))?;
    let (mut spawned, sockets) = meeting::meet(place).map_err(|error| failed(&error))?;
    if let Err(error) = join_all(blueprint, sockets, identity) {
        spawned.end();
        return Err(failed(&error));
    }
    Ok(Part { spawned })
}

impl Part {
    /// The run has ended: the others may end. Where one of them is lost, those that this process has started are ended.
    pub(crate) fn end(mut self, processes: Option<&Processes>) {
        if let Some(processes) = processes.filter(|processes| processes.lost().is_none()) {
            processes.end();
            self.spawned.wait();
        }
    }
}
