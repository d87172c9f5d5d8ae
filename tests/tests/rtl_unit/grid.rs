//! `grids.sv` beside the routings of `router-core` that it has: the offers of each at every router of a grid, with all ports connected and
//! with holes. Packets come by every port and VC, to every address inside of the grid and beyond it.

use super::bench::{Chance, Tally};
use crate::rtl_route::{kind_number, packed, vc_bits};
use router_core::header::{Address, Header};
use router_core::layout;
use router_core::map::grid::Grid;
use router_core::map::{Map as _, RouterClass};
use router_core::route::dimension_order::DimensionOrder;
use router_core::route::odd_even::OddEven;
use router_core::route::turn_model::{TurnModel, Turns};
use router_core::route::{Arrival, Candidates, Full, Here, Route as _};
use router_core::units::{PortClass, PortId, PortSet, VcId};
use verilated::{Input, Model, Output};

/// The sizes of a grid, and what it is to the RTL: written by hand, not taken from the map.
pub(crate) struct Sizes {
    pub(crate) dims: &'static [u32],
    pub(crate) nodes: u8,
    pub(crate) local_vcs: u8,
    pub(crate) vcs: usize,
    pub(crate) starts: u32,
    pub(crate) last: u32,
}

pub(crate) const SEEN: [&str; 9] = [
    "the node",
    "a node that is not connected",
    "one way",
    "several ways",
    "fewer ways than lead closer",
    "an address beyond the grid",
    "a hole on the way",
    "all VCs of a port",
    "half of the VCs",
];

/// The routings of `grids.sv`, in their order.
struct Routings {
    order: [DimensionOrder; 3],
    turns: [TurnModel; 3],
    odd_even: OddEven,
    is_plane: bool,
}

impl Routings {
    fn new(sizes: &Sizes) -> Self {
        let (mesh, vcs) = (sizes.grid(false), sizes.local_vcs);
        Self {
            order: [mesh, sizes.grid(true), sizes.grid(true).one_way()]
                .map(|grid| DimensionOrder { grid, vcs }),
            turns: [Turns::NegativeFirst, Turns::WestFirst, Turns::NorthLast].map(|turns| TurnModel {
                grid: mesh,
                turns,
                vcs,
            }),
            odd_even: OddEven { grid: mesh, vcs },
            is_plane: sizes.dims.len() == 2,
        }
    }

    /// What each offers, with the number of its `ROUTING`.
    fn offers(&self, here: &Here, from: Arrival, header: &Header) -> Result<Vec<(u32, Candidates)>, Full> {
        let mut offers = Vec::new();
        for order in &self.order {
            offers.push((layout::ROUTING_DIMENSION_ORDER, order.offer(here, from, header)?));
        }
        let turns = if self.is_plane { &self.turns[..] } else { &self.turns[..1] };
        for turns in turns {
            offers.push((layout::ROUTING_TURN_MODEL, turns.offer(here, from, header)?));
        }
        if self.is_plane {
            offers.push((layout::ROUTING_ODD_EVEN, self.odd_even.offer(here, from, header)?));
        }
        Ok(offers)
    }
}

/// The pins of `grids.sv`.
struct Pins {
    here_router: Input,
    wired: Input,
    from_port: Input,
    from_kind: Input,
    from_vc: Input,
    header: Input,
    offered: Output,
}

impl Pins {
    fn of(model: &Model, sizes: &Sizes) -> Self {
        let input = |name, bits: usize| model.input(name, bits as u32).expect("an input");
        let ports = sizes.ports();
        let variants = if sizes.dims.len() == 2 { 7 } else { 4 };
        Self {
            here_router: input("here_router", 18),
            wired: input("wired", ports),
            from_port: input("from_port", ports),
            from_kind: input("from_kind", 2),
            from_vc: input("from_vc", vc_bits(sizes.vcs)),
            header: input("header", layout::HEADER_BITS as usize),
            offered: model.output("offered", variants * 64).expect("an output"),
        }
    }

    /// What the RTL offers, a place for each routing.
    fn ask(
        &self,
        model: &mut Model,
        here: &Here,
        from: Arrival,
        header: &Header,
    ) -> Result<Vec<u64>, String> {
        model.set(self.here_router, u64::from(here.router));
        model.set(self.wired, here.wired.bits() as u64);
        model.set(self.from_port, 1 << from.port.number());
        model.set(self.from_kind, kind_number(from.kind));
        model.set(self.from_vc, u64::from(from.vc.number()));
        model.set_words(self.header, &header.emit().0);
        model.eval().map_err(|error| error.to_string())?;
        let mut words = vec![0; self.offered.bits().div_ceil(32) as usize];
        model.get_words(self.offered, &mut words);
        Ok(words.chunks(2).map(|pair| u64::from(pair[1]) << 32 | u64::from(pair[0])).collect())
    }
}

impl Sizes {
    pub(crate) fn grid(&self, wraps: bool) -> Grid {
        Grid::new(self.dims, self.nodes, wraps).expect("a grid")
    }

    fn ports(&self) -> usize {
        usize::from(self.nodes) + 2 * self.dims.len()
    }

    /// The parameters of `grids.sv`.
    pub(crate) fn parameters(&self) -> [(&'static str, u32); 6] {
        [
            ("NODES", u32::from(self.nodes)),
            ("LOCALS", 2 * self.dims.len() as u32),
            ("VCS", self.vcs as u32),
            ("LOCAL_VCS", u32::from(self.local_vcs)),
            ("GRID_STARTS", self.starts),
            ("GRID_LAST", self.last),
        ]
    }

    /// Ways to come: every port by every VC that its register holds.
    fn arrivals(&self) -> Vec<Arrival> {
        let grid = self.grid(false);
        let of = |port: usize, vc: usize| {
            let port = PortId::new(port as u8);
            let kind = grid.port_class(RouterClass::default(), port);
            Arrival { port, kind, vc: VcId::new(vc as u8) }
        };
        let vcs = 1 << vc_bits(self.vcs);
        (0..self.ports()).flat_map(|port| (0..vcs).map(move |vc| of(port, vc))).collect()
    }

    /// Every way to come to every router with a packet for every address of one bit more than the grid needs: the first
    /// difference. The routers at the edge of the torus have all of their ports, those of the mesh as well.
    pub(crate) fn compare(&self, model: &mut Model, tally: &mut Tally<9>) -> Result<(), String> {
        let (grid, routings, pins) = (self.grid(false), Routings::new(self), Pins::of(model, self));
        assert_eq!((grid.starts(), grid.last()), (self.starts, self.last), "{:?}", self.dims);
        let mut chance = Chance::new(u64::from(self.starts));
        let all = PortSet::first_n(self.ports());
        let addresses = 2 << u32::BITS.wrapping_sub(self.last.leading_zeros());
        for router in grid.routers() {
            for (from, there) in
                self.arrivals().into_iter().flat_map(|from| (0..addresses).map(move |there| (from, there)))
            {
                let holes = if chance.happens(1, 8) { chance.one(all.bits()) } else { 0 };
                let here = Here { router, wired: all.minus(PortSet::from_bits(holes)), ..Here::default() };
                let port = chance.below(self.ports() + 1) as u8;
                let header = Header { to: Address { router: there, port }, length: 1, ..Header::default() };
                let offers = routings.offers(&here, from, &header).map_err(|full| full.to_string())?;
                let rtl = pins.ask(model, &here, from, &header)?;
                for (variant, ((routing, offer), rtl)) in offers.iter().zip(&rtl).enumerate() {
                    let rust = packed(offer, *routing, self.ports(), self.vcs);
                    if rust != *rtl {
                        return Err(format!(
                            "{:?}, variant {variant}, at {here:?} from {from:?} with {header:?}: RTL {rtl:#b}, Rust {rust:#b}",
                            self.dims
                        ));
                    }
                    self.note(tally, &here, &header, offer);
                }
            }
        }
        Ok(())
    }

    fn coordinates(&self, router: u32) -> Vec<u32> {
        let mut rest = router;
        let of = |&size: &u32| {
            let places = size.next_power_of_two();
            let coordinate = rest % places;
            rest /= places;
            coordinate
        };
        self.dims.iter().map(of).collect()
    }

    fn note(&self, tally: &mut Tally<9>, here: &Here, header: &Header, offer: &Candidates) {
        let grid = self.grid(false);
        let known = grid.routers().any(|router| router == header.to.router);
        let arrived = here.router == header.to.router;
        let [from, to] = [here.router, header.to.router].map(|router| self.coordinates(router));
        let dimensions = from.iter().zip(&to).filter(|(from, to)| from != to).count();
        let kind = grid.port_class(RouterClass::default(), PortId::new(header.to.port));
        let is_node = usize::from(header.to.port) < self.ports() && kind == PortClass::NODE;
        let (ports, whole) = (offer.ports().len(), here.wired.len() == self.ports());
        let vcs = offer.sets().next().map_or(0, |set| set.vcs.len());
        let seen = [
            arrived && ports == 1,
            arrived && is_node && ports == 0,
            !arrived && ports == 1,
            !arrived && ports > 1,
            !arrived && whole && ports > 0 && ports < dimensions,
            !known && ports == 0,
            known && !arrived && !whole && ports == 0,
            !arrived && vcs == usize::from(self.local_vcs),
            !arrived && ports > 0 && vcs < usize::from(self.local_vcs),
        ];
        seen.iter().enumerate().for_each(|(at, &yes)| tally.saw(at, u64::from(yes)));
        tally.compared += 1;
    }
}
