//! The last things that happened at the ports.

use super::site::Site;
use std::collections::VecDeque;

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A flit went in.
    FlitIn { cycle: u64, port: usize, vc: usize, number: u64, index: usize, length: u16 },
    /// A flit came out.
    FlitOut { cycle: u64, port: usize, vc: usize, number: u64, index: u64 },
    /// The switch gave a credit back.
    CreditBack { cycle: u64, port: usize, vc: usize },
    /// The switch was given a credit.
    CreditGiven { cycle: u64, port: usize, vc: usize },
    /// The switch freed a VC.
    Freed { cycle: u64, port: usize, vc: usize },
    /// The switch received the signal that a VC is free.
    FreeGiven { cycle: u64, port: usize, vc: usize },
}

impl Event {
    fn tell(self, site: &Site<'_>) -> String {
        match self {
            Self::FlitIn { cycle, port, vc, number, index, length } => format!(
                "cycle {cycle}: in  {} VC {vc}: packet {number} flit {index} of {length}",
                site.port(port)
            ),
            Self::FlitOut { cycle, port, vc, number, index } => {
                format!("cycle {cycle}: out {} VC {vc}: packet {number} flit {index}", site.port(port))
            }
            Self::CreditBack { cycle, port, vc } => {
                format!("cycle {cycle}: in  {} VC {vc}: the switch returns a credit", site.port(port))
            }
            Self::CreditGiven { cycle, port, vc } => {
                format!("cycle {cycle}: out {} VC {vc}: the switch is given a credit", site.port(port))
            }
            Self::Freed { cycle, port, vc } => {
                format!("cycle {cycle}: in  {} VC {vc}: the switch frees it", site.port(port))
            }
            Self::FreeGiven { cycle, port, vc } => {
                format!("cycle {cycle}: out {} VC {vc}: the switch is told that it is free", site.port(port))
            }
        }
    }
}

/// The last events, the newest at the end.
#[derive(Debug, Default)]
pub(super) struct Events(VecDeque<Event>);

impl Events {
    pub(super) fn add(&mut self, event: Event) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(event);
    }

    /// One line each.
    pub(super) fn tell(&self, site: &Site<'_>) -> Vec<String> {
        self.0.iter().map(|event| event.tell(site)).collect()
    }
}

/// Events that are kept.
const KEPT: usize = 24;
