//! The RTL's `table_lookup`, `interval_lookup`, `drawn_hop`, `hop_vcs`, `route_table`, `route_source` and `onward` beside the routings of `router-core` that find their
//! way by a table, or by the route in the header.

use crate::rtl_route::ROUTE;
use crate::rtl_unit::bench::{Tally, compiled};
use crate::rtl_unit::table::{SEEN, compare};

#[test]
fn every_packet_is_offered_what_its_table_says() {
    let sources = [
        &ROUTE[..],
        &["table_lookup", "interval_lookup", "drawn_hop", "onward", "packed_candidates", "tables"],
    ]
    .concat();
    let Some(library) = compiled("tables", &sources, &[]) else { return };
    let mut model = library.model(1).expect("a model");
    let mut tally = Tally::new(SEEN);
    compare(&mut model, &mut tally).unwrap_or_else(|difference| panic!("{difference}"));
    tally.conclude("route, tables", 60_000);
}
