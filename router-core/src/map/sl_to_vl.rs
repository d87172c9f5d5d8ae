//! The SL-to-VL mapping tables of the routers of a network. They give the virtual lane of a hop by input port, output port and service
//! level, which a packet keeps from its source on.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 7.6.6 (VL mapping within a subnet) and 14.2.5.8 (SLtoVLMappingTable).

use super::table::TableError;
use crate::layout;
use crate::units::{PortId, VcId, VcSet};

/// The lanes of one input port and one output port: that of service level `n` in bits 4·n and above. From lane 8 on it is none, and there is no
/// way for such packets, as where a table of InfiniBand says 15. A packet whose lane is beyond those of its output stays where it is.
pub type Lanes = u64;

/// Service levels of a packet.
pub const LEVELS: usize = 1 << layout::SERVICE_LEVEL_BITS;

/// Bits of a lane in a table.
pub const LANE_BITS: u32 = layout::LANE_BITS;

/// The tables of all routers of a network, and the service level of each pair of destinations.
#[derive(Clone, Copy, Debug)]
pub struct SlToVl<'t> {
    /// Entry `(router · ports + input) · ports + output`.
    tables: &'t [Lanes],
    /// Entry `source · destinations + destination`; empty where all packets have level 0.
    levels: &'t [u8],
    ports: u32,
}

impl<'t> SlToVl<'t> {
    /// Loads the tables of `routers` routers of so many ports, and the levels of all pairs of `destinations`.
    ///
    /// # Errors
    /// When there are fewer entries, or more.
    pub fn load(
        tables: &'t [Lanes],
        levels: &'t [u8],
        (routers, ports, destinations): (u32, u32, u32),
    ) -> Result<Self, TableError> {
        let product = |a: u32, b: u32| u64::from(a).wrapping_mul(b.into());
        let expected = product(routers, ports).wrapping_mul(ports.into());
        let has_levels = levels.is_empty() || levels.len() as u64 == product(destinations, destinations);
        if tables.len() as u64 != expected || !has_levels {
            return Err(TableError::Size);
        }
        Ok(Self { tables, levels, ports })
    }

    /// The lanes of a router for packets that come by one port and leave by another.
    #[inline]
    pub fn lanes(&self, router: u32, input: PortId, output: PortId) -> Lanes {
        let ports = self.ports as usize;
        let row = (router as usize).wrapping_mul(ports).wrapping_add(input.index());
        let is_there = output.index() < ports && input.index() < ports;
        let entry = self.tables.get(row.wrapping_mul(ports).wrapping_add(output.index()));
        entry.copied().filter(|_| is_there).unwrap_or(Lanes::MAX)
    }

    /// The VC of a hop.
    #[inline]
    pub fn vcs(&self, router: u32, (input, output): (PortId, PortId), level: u8) -> VcSet {
        lane(self.lanes(router, input, output), level)
    }

    /// The service level of packets from one destination to another of so many.
    pub(super) fn level(&self, (from, to): (u32, u32), destinations: u32) -> u8 {
        let at = (from as usize).wrapping_mul(destinations as usize).wrapping_add(to as usize);
        self.levels.get(at).copied().unwrap_or_default()
    }
}

/// The lane of a service level, as a set; empty where it is none of the VCs that a router can have.
#[inline]
pub fn lane(lanes: Lanes, level: u8) -> VcSet {
    let level = u32::from(level) & LEVELS.wrapping_sub(1) as u32;
    let lane = lanes.wrapping_shr(level.wrapping_mul(LANE_BITS)) as u8 % (1 << LANE_BITS);
    if usize::from(lane) < VcSet::CAPACITY { VcSet::only(VcId::new(lane)) } else { VcSet::EMPTY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hop_takes_the_lane_of_its_level_between_its_ports() {
        // Of router 1 of two, from port 1 to port 0: level n takes lane 15 − n.
        let mut tables = [0; 8];
        tables[4 + 2] = 0x0123_4567_89ab_cdef;
        let all = SlToVl::load(&tables, &[], (2, 2, 9)).expect("tables");
        let vcs = |level| all.vcs(1, (PortId::new(1), PortId::new(0)), level);
        for level in 0..16 {
            let lane = 15 - level;
            assert_eq!(vcs(level), if lane < 8 { VcSet::only(VcId::new(lane)) } else { VcSet::EMPTY });
        }
        assert_eq!(vcs(16 + 9), vcs(9), "a header has four bits of it");
        let other = all.vcs(1, (PortId::new(0), PortId::new(1)), 9);
        assert_eq!(other, VcSet::only(VcId::new(0)), "another pair of ports has a table of its own");
        assert!(all.vcs(2, (PortId::new(0), PortId::new(0)), 0).is_empty(), "there is no router 2");
        assert!(all.vcs(0, (PortId::new(0), PortId::new(2)), 0).is_empty(), "nor port 2");
    }

    #[test]
    fn each_pair_has_a_level() {
        let levels = [0, 1, 2, 3];
        let all = SlToVl::load(&[0; 4], &levels, (1, 2, 2)).expect("tables");
        assert_eq!([(0, 1), (1, 0), (1, 1)].map(|pair| all.level(pair, 2)), [1, 2, 3]);
        assert_eq!(SlToVl::load(&[0; 4], &[], (1, 2, 2)).expect("tables").level((0, 1), 2), 0);
        assert!(SlToVl::load(&[0; 5], &[], (1, 2, 2)).is_err());
        assert!(SlToVl::load(&[0; 4], &levels[1..], (1, 2, 2)).is_err());
    }
}
