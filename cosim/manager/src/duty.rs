//! What a manager does at a time.

use crate::attribute::{SmInfo, State};
use crate::route::Route;

/// Another manager, and the way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Other {
    pub(crate) info: SmInfo,
    pub(crate) route: Route,
}

/// What a manager does, with what it needs for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Duty {
    /// Nothing. The other one was the master.
    NotActive(Other),
    /// Looks what is there.
    Discovering,
    /// Polls the other one, which has been found not to be the master so often in succession.
    Standby(Other, u8),
    /// Manages.
    Master,
    /// Has handed over to the other one, which has not acknowledged it for so many periods.
    HandsOver(Other, u8),
}

impl Duty {
    pub(crate) fn state(&self) -> State {
        match self {
            Self::NotActive(_) => State::NotActive,
            Self::Discovering => State::Discovering,
            // OpenSM that is handed the fabric, and finds a master with a lower priority, would wait for the next HANDOVER.
            Self::Standby(..) | Self::HandsOver(..) => State::Standby,
            Self::Master => State::Master,
        }
    }
}
