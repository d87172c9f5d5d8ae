//! The turn model on meshes: partially adaptive, minimal routing on any VC.
//!
//! Some turns are forbidden, so many that no cycle of channels is left (Glass and Ni, 1992); the others are free. Each of the three
//! algorithms splits the directions into early and late ones, and allows no turn from a late one to an early one:
//!
//! | turns | early | late | forbidden in two dimensions |
//! |---|---|---|---|
//! | west-first | west | all others | north to west, south to west |
//! | north-last | all others | north | north to east, north to west |
//! | negative-first | west, south, each `−` of further dimensions | each `+` | north to west, east to south |
//!
//! The first coordinate is x, the second y. East is `+x`, to the router whose x is one higher, west is `−x`, north is `+y`, south
//! is `−y`; a packet turns north to west when it has moved north and moves west next. A packet takes any early port that
//! leads closer; where none is left, any late one. So it has a choice where the destination lies to the east (west-first), to the south
//! (north-last), or in several directions of one sign (negative-first). In the other half of all cases it has one way.

use super::{Arrival, Candidates, Full, Here, Route, Scheme, Vcs, consume};
use crate::header::Header;
use crate::layout;
use crate::map::grid::Grid;
use crate::map::{AnyMap, MapKind};
use crate::settings::{Settings, Visit};
use crate::units::{PortClass, PortSet, VcId, VcSet};

/// Which turns are forbidden.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Turns {
    /// Those to the west: a packet goes west first. Two dimensions.
    WestFirst = layout::TURNS_WEST_FIRST as u8,
    /// Those from the north: a packet goes north last. Two dimensions.
    NorthLast = layout::TURNS_NORTH_LAST as u8,
    /// Those from a positive direction to a negative one. Any number of dimensions.
    #[default]
    NegativeFirst = layout::TURNS_NEGATIVE_FIRST as u8,
}

crate::words!(Turns {
    "west-first" => [Self::WestFirst],
    "north-last" => [Self::NorthLast],
    "negative-first" => [Self::NegativeFirst],
});

/// The turn model on a mesh: its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TurnModelScheme {
    /// Which turns are forbidden.
    pub turns: Turns,
}

impl Settings for TurnModelScheme {
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        visitor.word("turns", &mut self.turns)
    }
}

impl Scheme for TurnModelScheme {
    const WORD: &'static str = "turn-model";
    const RTL: Option<u32> = Some(layout::ROUTING_TURN_MODEL);
    type Routing<'m> = TurnModel;

    fn map(on: MapKind) -> Option<MapKind> {
        (on == MapKind::Mesh).then_some(on)
    }

    fn dimensions(&self) -> Option<u8> {
        (self.turns != Turns::NegativeFirst).then_some(2)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<TurnModel> {
        let AnyMap::Grid(grid) = *map else { return None };
        let fits = self.dimensions().is_none_or(|dimensions| dimensions == grid.dimensions());
        fits.then_some(TurnModel { grid, turns: self.turns, vcs: vcs.local })
    }

    fn rtl_parameters(&self, put: &mut impl FnMut(&'static str, u32)) {
        put("TURNS", self.turns as u32);
    }
}

/// Routing by the turn model.
#[derive(Clone, Copy, Debug)]
pub struct TurnModel {
    /// The map: a mesh, of two dimensions unless negative directions come first.
    pub grid: Grid,
    /// Which turns are forbidden.
    pub turns: Turns,
    /// VCs of each port between routers.
    pub vcs: u8,
}

impl TurnModel {
    /// The ports that a packet takes before all others.
    #[inline]
    fn early(&self) -> PortSet {
        match self.turns {
            Turns::WestFirst => PortSet::only(self.grid.port(0, false)),
            Turns::NorthLast => self.grid.ways().minus(PortSet::only(self.grid.port(1, true))),
            Turns::NegativeFirst => {
                (0..self.grid.dimensions()).map(|dimension| self.grid.port(dimension, false)).collect()
            }
        }
    }
}

impl Route for TurnModel {
    #[inline]
    fn offer(&self, here: &Here, _from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let Some(closer) = self.grid.closer(here.router, header.to.router) else {
            return Ok(Candidates::NONE);
        };
        if closer.is_empty() {
            return Ok(consume(here, header.to));
        }
        let early = closer.and(self.early());
        let ports = if early.is_empty() { closer } else { early };
        Ok(Candidates::minimal(ports.and(here.wired), VcSet::first_n(usize::from(self.vcs))))
    }

    /// Who has moved in a late direction needs no early one any more.
    fn keeps_order(&self, here: &Here, from: Arrival, header: &Header) -> bool {
        let early = self.early();
        let closer = self.grid.closer(here.router, header.to.router).unwrap_or_default();
        from.kind == PortClass::NODE
            || from.vc < VcId::new(self.vcs)
                && (early.contains(self.grid.heading(from.port)) || closer.and(early).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Address;
    use crate::units::PortId;

    #[test]
    fn a_late_direction_is_not_left_for_an_early_one() {
        let grid = Grid::new(&[4, 4], 1, false).unwrap();
        let here = Here { router: grid.address(&[2, 1]), ..Here::default() };
        let keeps = |turns, port: PortId, vc, to: [u32; 2]| {
            let to = Address { router: grid.address(&to), port: 0 };
            let from = Arrival { port, kind: PortClass::LOCAL, vc: VcId::new(vc) };
            TurnModel { grid, turns, vcs: 2 }.keeps_order(&here, from, &Header { to, ..Header::default() })
        };
        // North to west: the packet came from the south.
        let came_from_the_south = grid.port(1, false);
        for turns in [Turns::WestFirst, Turns::NorthLast, Turns::NegativeFirst] {
            assert!(!keeps(turns, came_from_the_south, 0, [0, 3]), "{turns:?}");
            assert!(keeps(turns, came_from_the_south, 0, [2, 3]), "{turns:?}");
            assert!(!keeps(turns, came_from_the_south, 2, [2, 3]), "{turns:?}: there is no VC 2");
        }
        // East to south is forbidden by negative-first alone, west to north by none.
        let (from_the_west, from_the_east) = (grid.port(0, false), grid.port(0, true));
        assert!(
            keeps(Turns::WestFirst, from_the_west, 0, [3, 0])
                && keeps(Turns::NorthLast, from_the_west, 0, [3, 0])
        );
        assert!(!keeps(Turns::NegativeFirst, from_the_west, 0, [3, 0]));
        assert!(keeps(Turns::NegativeFirst, from_the_east, 0, [1, 3]));
    }

    #[test]
    fn west_first_and_north_last_are_built_in_two_dimensions_alone() {
        let vcs = Vcs { node: 1, local: 1, global: 1 };
        for (dims, fits) in
            [(&[4][..], [false, false, true]), (&[4, 4], [true; 3]), (&[2, 3, 2], [false, false, true])]
        {
            let map = AnyMap::Grid(Grid::new(dims, 1, false).unwrap());
            let turns = [Turns::WestFirst, Turns::NorthLast, Turns::NegativeFirst];
            assert_eq!(
                turns.map(|turns| TurnModelScheme { turns }.build(&map, vcs).is_some()),
                fits,
                "{dims:?}"
            );
        }
    }
}
