//! The classes of VCs on a mesh or torus: equal numbers of VCs for each step, as far as the VCs of a port allow.
//!
//! The channel dependencies of a class are those of dimension order, with datelines of its own on a torus.

use crate::map::grid::Grid;
use crate::route::dimension_order::DimensionOrder;
use crate::route::{Arrival, Here};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// Steps of a path, and classes of VCs.
pub(super) const STEPS: u8 = 3;

/// A grid whose ports between routers have so many VCs.
#[derive(Clone, Copy)]
pub(super) struct Classes {
    pub(super) grid: Grid,
    pub(super) vcs: u8,
}

impl Classes {
    /// The first VC of a class; of one behind the last, the number of all VCs.
    const fn first_of(&self, class: u8) -> u8 {
        match self.vcs.wrapping_mul(class).checked_div(STEPS) {
            Some(first) => first,
            None => 0,
        }
    }

    /// The class of a VC.
    fn class(&self, vc: VcId) -> u8 {
        let is_below = |class: &u8| vc.number() < self.first_of(class.wrapping_add(1));
        (0..STEPS).find(is_below).unwrap_or(STEPS)
    }

    /// Whether the class of a VC leaves enough for so many steps ahead.
    pub(super) fn leaves(&self, vc: VcId, steps: u8) -> bool {
        self.class(vc) < STEPS.wrapping_sub(steps)
    }

    /// The next hop of a step on the VCs of a class; `from` is `None` where the packet has come on no VC of it.
    fn hop(&self, here: &Here, from: Option<Arrival>, to: u32, class: u8) -> Option<(PortSet, VcSet)> {
        let first = self.first_of(class);
        let vcs = self.first_of(class.wrapping_add(1)).wrapping_sub(first);
        // A packet that comes from another class enters a ring as one from a node does.
        let from = match from {
            Some(from) => Arrival { vc: VcId::new(from.vc.number().wrapping_sub(first)), ..from },
            None => Arrival { kind: PortClass::NODE, ..Arrival::default() },
        };
        let (ports, vcs) = DimensionOrder { grid: self.grid, vcs }.hop(here, from, to, 0)?;
        Some((ports, VcSet::from_bits(vcs.bits().wrapping_shl(first.into()))))
    }

    /// The next hop of a step to router `to`, which so many steps follow and which may start here.
    pub(super) fn hops(
        &self,
        here: &Here,
        from: Arrival,
        (steps, starts, to): (u8, bool, u32),
    ) -> (PortSet, VcSet) {
        let classes = match from.kind {
            PortClass::NODE => 0..STEPS,
            _ if starts => self.class(from.vc).wrapping_add(1)..STEPS,
            _ => self.class(from.vc)..self.class(from.vc).wrapping_add(1),
        };
        let (mut ports, mut all) = (PortSet::EMPTY, VcSet::EMPTY);
        for class in classes.start..classes.end.min(STEPS.wrapping_sub(steps)) {
            if let Some((out, vcs)) = self.hop(here, (!starts).then_some(from), to, class) {
                (ports, all) = (out, all.union(vcs));
            }
        }
        (ports, all)
    }
}
