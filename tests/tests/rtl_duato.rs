//! The RTL's `grid` and `route_duato` beside those of `router-core`: what is offered at every router of small meshes to every
//! address, inside of the mesh and beyond it, with all ports connected and with holes.

use crate::rtl_route::ROUTE;
use crate::rtl_unit::bench::{Bench, Chance, Tally, compiled, either};
use router_core::header::{Address, Header};
use router_core::layout;
use router_core::map::grid::Grid;
use router_core::map::{Map as _, RouterClass};
use router_core::route::duato::Duato;
use router_core::route::{Arrival, Here, Route as _};
use router_core::units::{PortClass, PortId, PortSet};

/// A mesh, and what it is to the RTL: written by hand, not taken from the map.
struct Mesh {
    dims: &'static [u32],
    nodes: u8,
    local_vcs: u8,
    vcs: usize,
    starts: u32,
    last: u32,
}

const MESHES: [Mesh; 4] = [
    Mesh { dims: &[4], nodes: 2, local_vcs: 2, vcs: 2, starts: 0b1, last: 0b11 },
    // Ports to nodes have a VC that those between routers have not.
    Mesh { dims: &[3, 5], nodes: 2, local_vcs: 2, vcs: 3, starts: 0b0_0101, last: 0b1_0010 },
    Mesh { dims: &[2, 3, 4], nodes: 1, local_vcs: 4, vcs: 4, starts: 0b0_1011, last: 0b1_1101 },
    Mesh { dims: &[6, 2, 2, 3], nodes: 1, local_vcs: 3, vcs: 3, starts: 0b011_1001, last: 0b101_1101 },
];

const SEEN: [&str; 8] = [
    "the node",
    "a node that is not connected",
    "one way",
    "several ways",
    "an address beyond the mesh",
    "a hole on a way",
    "an escape up",
    "an escape down",
];

impl Mesh {
    fn grid(&self) -> Grid {
        Grid::new(self.dims, self.nodes, false).expect("a mesh")
    }

    fn library(&self) -> Option<verilated::Library> {
        let parameters = [
            ("NODES", u32::from(self.nodes)),
            ("LOCALS", 2 * self.dims.len() as u32),
            ("GLOBALS", 0),
            ("GROUPS", 1),
            ("VCS", self.vcs as u32),
            ("LOCAL_VCS", u32::from(self.local_vcs)),
            ("ROUTING", layout::ROUTING_DUATO),
            ("GRID_STARTS", self.starts),
            ("GRID_LAST", self.last),
        ];
        compiled("route", &ROUTE, &parameters)
    }

    /// From every router to every address of one bit more than the mesh needs, `times` each.
    fn every_pair(&self, times: usize) -> Option<Tally<8>> {
        let (grid, ports) = (self.grid(), self.grid().ports());
        assert_eq!((grid.starts(), grid.last()), (self.starts, self.last), "{:?}", self.dims);
        let mut bench = Bench::new(&self.library()?);
        let duato = Duato { grid, vcs: self.local_vcs };
        let (here_router, wired) = (bench.input("here_router", 18), bench.input("wired", ports));
        let header_pin = bench.input("header", layout::HEADER_BITS as usize);
        let set_ports = bench.output("set_ports", 2 * ports);
        let set_vcs = bench.output("set_vcs", 2 * self.vcs);
        let forced = bench.output("forced", 1);
        let mut chance = Chance::new(u64::from(self.starts));
        let mut tally = Tally::new(SEEN);
        let addresses = 2 << u32::BITS.wrapping_sub(self.last.leading_zeros());
        for at in grid.routers() {
            let connected: PortSet =
                (0..ports as u8).map(PortId::new).filter(|&port| grid.peer(at, port).is_some()).collect();
            for there in (0..addresses).flat_map(|there| std::iter::repeat_n(there, times)) {
                let holes = if chance.happens(1, 4) { chance.one(connected.bits()) } else { 0 };
                let here =
                    Here { router: at, wired: connected.minus(PortSet::from_bits(holes)), ..Here::default() };
                let port = chance.below(ports + 1) as u8;
                let header = Header { to: Address { router: there, port }, length: 1, ..Header::default() };
                bench.set(here_router, u64::from(at));
                bench.set(wired, here.wired.bits() as u64);
                bench.set_words(header_pin, &header.emit().0);
                bench.eval();
                let offered = duato.offer(&here, Arrival::default(), &header).expect("room for two sets");
                let mask = (1u64 << self.vcs) - 1;
                let mut rust = [(0, 0); 2];
                for (place, set) in rust.iter_mut().zip(offered.sets()) {
                    *place = (set.ports.bits() as u64, u64::from(set.vcs.bits()) & mask);
                }
                let (all_ports, all_vcs) = (bench.get(set_ports), bench.get(set_vcs));
                let rtl = [0, 1].map(|k| {
                    (all_ports >> (k * ports) & ((1 << ports) - 1), all_vcs >> (k * self.vcs) & mask)
                });
                assert_eq!(bench.get(forced) == 1, offered.is_forced());
                assert_eq!(rtl, rust, "{:?}, at {at:#b} to {there:#b}, {here:?}", self.dims);
                self.note(&mut tally, &here, connected, header.to, rust.map(|(ports, _)| ports));
            }
        }
        Some(tally)
    }

    fn note(&self, tally: &mut Tally<8>, here: &Here, connected: PortSet, to: Address, sets: [u64; 2]) {
        let grid = self.grid();
        let known = grid.routers().any(|router| router == to.router);
        let arrived = here.router == to.router;
        let [ways, escape] = sets;
        let up = escape != 0 && (escape.trailing_zeros() - u32::from(self.nodes)).is_multiple_of(2);
        let is_node = grid.port_class(RouterClass::default(), PortId::new(to.port)) == PortClass::NODE;
        let seen = [
            arrived && ways.count_ones() == 1,
            arrived && is_node && ways == 0,
            !arrived && ways.count_ones() == 1,
            !arrived && ways.count_ones() > 1,
            !known && ways == 0,
            known && !arrived && ways == 0 && here.wired != connected,
            !arrived && up,
            !arrived && escape != 0 && !up,
        ];
        seen.iter().enumerate().for_each(|(at, &yes)| tally.saw(at, u64::from(yes)));
        tally.compared += 1;
    }
}

#[test]
fn every_pair_of_a_mesh_is_offered_the_same() {
    let tallies: Vec<_> = MESHES.iter().map(|mesh| mesh.every_pair(either(8, 200))).collect();
    if let Some(tally) = tallies.into_iter().flatten().reduce(|all, one| all.with(&one)) {
        tally.conclude("route, duato", 50_000);
    }
}
