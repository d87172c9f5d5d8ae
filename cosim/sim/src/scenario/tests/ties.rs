//! `routing.ties`: for dimension order on a torus.

use super::{LOADS, parse, refuses};
use router_core::map::grid::Ties;
use router_core::route::dimension_order::DimensionOrderScheme;

fn grid(kind: &str, routing: &str) -> String {
    format!("[topology]\nkind = \"{kind}\"\ndims = [4, 4]\n[routing]\n{routing}\n{LOADS}")
}

#[test]
fn ties_are_those_of_dimension_order_on_a_torus() {
    for (word, ties) in [("parity", Ties::Parity), ("up", Ties::Up), ("random", Ties::Random)] {
        let scenario = parse(&grid("torus", &format!("ties = \"{word}\"")));
        assert_eq!(scenario.routing.scheme, DimensionOrderScheme { ties }.into());
        assert_eq!(parse(&scenario.to_toml()).routing, scenario.routing);
    }
    // What a mesh has unless it is written may be written.
    parse(&parse(&grid("mesh", "")).to_toml());
    let why = "ties half-way round a ring are broken by \"dimension-order\" on a torus";
    refuses(&grid("mesh", "ties = ‸\"up\""), why);
    refuses(&grid("one-way-torus", "ties = ‸\"random\""), why);
    refuses(&grid("torus", "algorithm = \"duato\"\nties = ‸\"up\""), why);
    refuses(&grid("torus", "ties = ‸\"down\""), "parity");
}
