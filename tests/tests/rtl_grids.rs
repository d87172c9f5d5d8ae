//! The RTL's `grid`, `route_dimension_order`, `route_turn_model` and `route_odd_even` beside those of `router-core`, on meshes and tori.

use crate::rtl_route::ROUTE;
use crate::rtl_unit::bench::{Tally, compiled};
use crate::rtl_unit::grid::{SEEN, Sizes};

const GRIDS: [Sizes; 2] = [
    // Ports to nodes have a VC that those between routers have not.
    Sizes { dims: &[5, 4], nodes: 2, local_vcs: 3, vcs: 4, starts: 0b0_1001, last: 0b1_1100 },
    Sizes { dims: &[2, 3, 4], nodes: 1, local_vcs: 2, vcs: 2, starts: 0b0_1011, last: 0b1_1101 },
];

#[test]
fn every_packet_on_a_grid_is_offered_the_same() {
    let mut tally = Tally::new(SEEN);
    for sizes in GRIDS {
        let sources = [&ROUTE[..], &["packed_candidates", "grids"]].concat();
        let Some(library) = compiled("grids", &sources, &sizes.parameters()) else { return };
        let mut model = library.model(1).expect("a model");
        sizes.compare(&mut model, &mut tally).unwrap_or_else(|difference| panic!("{difference}"));
    }
    tally.conclude("route, grids", 200_000);
}
